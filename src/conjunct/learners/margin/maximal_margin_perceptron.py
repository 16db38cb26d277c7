"""The maximal margin Perceptron: one row after the other, each the one that gains most, until the bound is near."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, inf, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.kernels import Kernel, PairSums
from conjunct.learners.margin.batch_settings import positive_lam, require_gap, require_limit
from conjunct.learners.margin.cell_descent import Round
from conjunct.learners.margin.cell_groups import CellGroups
from conjunct.learners.margin.dual_forms import State, Svm
from conjunct.learners.margin.dual_solution import DualSolution
from conjunct.learners.margin.float_range import require_range
from conjunct.learners.margin.following import follow
from conjunct.learners.margin.labelled_cells import LabelledCells
from conjunct.learners.margin.rounding import best_rounding
from conjunct.theory import Exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

    Wholes = NDArray[np.int64]

__all__ = ["MaximalMarginPerceptron"]

WORK_PER_CALL = 1 << 22  # groups looked at and moved between two looks for signals: some 20 ms
ALL_WITHIN, MOST_MADE, NO_STEP = 0, 1, 2  # how a call of the core ends


@dataclass(frozen=True)
class MaximalMarginPerceptron:
    """Minimise R+ = norm^2 + (1/lam) sum q [1 - y f]_+^2 over the polynomials f of a kernel, one row at a time.

    Parameters
    ----------
    kernel : Kernel
    lam : int, Fraction, "p/q" or float
        Positive; 4/lam is the price of an error in leaves of a tree (with all costs 1).
    tol : float
        Stop when the bound is proved to be at least 1 - tol times the least risk.
    max_iter : int, optional
        Stop after so many steps.

    Notes
    -----
    W = V(a) = a'Qa + lam a'a falls over the a >= 0 of sum 1; a step goes to its least value on the line through a and
    one row, towards the row or away from it, the row of most gain. It stops when every score is above (1 - eps) W, and
    then 1/W >= (1 - eps)^2 min R+ [kowalczyk2002, Theorem 4]; eps = 1 - sqrt(1 - tol). Equal rows with equal labels are
    one row of their mass q, with lam / q in place of lam. Scores are computed afresh when the number of steps is a
    power of two and before the stop is believed; where floats make no more progress, `stopped_by` is "precision".
    Weights are rounded to at most 40 bits, at the scale of least risk, and bound, risk and gap are those of the rounded
    weights.

    Examples
    --------
    The conjunction of two variables, as a polynomial of all conjunctions of literals:

    >>> from conjunct.bits import BitMatrix
    >>> from conjunct.kernels import Conjunctions
    >>> rows = BitMatrix.of(["00", "01", "10", "11"])
    >>> found = MaximalMarginPerceptron(Conjunctions(2), lam=1, tol=1e-9).run(rows, [-1, -1, -1, 1])
    >>> round(float(found.bound), 6), found.stopped_by
    (1.1, 'gap')
    """

    kernel: Kernel
    lam: Exact = 1
    tol: float = 1e-3
    max_iter: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", positive_lam(self.lam))
        require_gap(self.tol)
        require_limit(self.max_iter)

    def run(self, rows: BitMatrix, signs: Any, weights: Any = None) -> DualSolution:
        """Pool rows with labels -1 and +1 and learn from them."""
        return self.solve(LabelledCells.of(rows, signs, weights))

    def solve(
        self,
        cells: LabelledCells,
        pairs: PairSums | None = None,
        is_stopped: Callable[[], str] = str,
        watch: Callable[[Round], None] | None = None,
        keeps_interrupted: bool = False,
    ) -> DualSolution:
        """Learn from pooled rows.

        Parameters
        ----------
        cells : LabelledCells
        pairs : PairSums, optional
            Of the cells, where it exists already.
        is_stopped : callable
            Asked many times a second, after the first step; text says why to stop here, "" to go on. As many steps as
            `max_iter` then give the same solution.
        watch : callable, optional
            Told where the search stands.
        keeps_interrupted : bool
            On Ctrl-C stop and return the best so far, weighed as any other, instead of raising.
        """
        lam, layout = Fraction(self.lam), self.kernel.layout(cells.rows)
        require_range(self.kernel, lam, cells)
        pairs = PairSums(layout, cells.rows) if pairs is None else pairs
        search = MarginSearch(self.kernel, cells, lam, pairs, sqrt(1 - float(self.tol)))
        reason, history = follow(search, self.max_iter, is_stopped, watch, keeps_interrupted)

        def weigh(whole: tuple[Wholes, Wholes, int]) -> DualSolution:
            return DualSolution(self.kernel, lam, cells, *whole, search.n_steps, reason, history).weigh(pairs)

        return best_rounding(weigh, search.best_scaled(), layout, float(self.tol)).judged(float(self.tol))


class MarginSearch:
    """Steps of the maximal margin Perceptron, some at a time.

    Kernel values and lam are divided by a power of two near the largest value, which no step notices, so that squares
    of large values stay within floats.
    """

    def __init__(self, kernel: Kernel, cells: LabelledCells, lam: Fraction, pairs: PairSums, slack: float) -> None:
        self.cells, self.lam, self.pairs, self.slack = cells, lam, pairs, slack
        self.groups = CellGroups.of(cells, lam)
        layout = kernel.layout(cells.rows)
        floats = layout.floats
        self.shift = frexp(float(layout.largest))[1]
        self.table = np.ldexp(floats, -self.shift)
        self.source = pairs.source(self.table)
        self.lams = np.ldexp(np.array([float(each) for each in self.groups.lams]), -self.shift)
        self.own = pairs.diagonal(self.table)[self.groups.cell] + self.lams
        words = 1 if pairs.is_cached else 1 + len(layout.summands) * cells.rows.words.shape[1]
        self.most_per_call = max(1, WORK_PER_CALL // max(1, self.groups.n_groups * words))
        self.weights = np.zeros(self.groups.n_groups)
        self.weights[np.argmin(self.own)] = 1.0
        self.scores, self.row = np.zeros(cells.n_cells), np.zeros(cells.n_cells)
        self.form = 0.0
        self.n_steps, self.n_fresh, self.over = 0, 0, ""
        self.least, self.worst = inf, inf
        self.renew()

    @property
    def n_iter(self) -> int:
        """The steps made."""
        return self.n_steps

    def reason(self, max_iter: int | None) -> str:
        """Say why the search is over: the stop was confirmed, floats make no progress, or as many steps as allowed."""
        return self.over or ("max_iter" if self.n_steps == max_iter else "")

    def go_on(self, last: int) -> None:
        """Make as many steps as one call of the core should, at most up to step `last`; see whether that is the end."""
        end, self.form, n_made = _core.margin_steps(
            self.source,
            self.groups.cell,
            self.groups.sign,
            self.lams,
            self.own,
            self.slack,
            min(self.most_per_call, last - self.n_steps),
            self.form,
            self.weights,
            self.scores,
            self.row,
        )
        self.n_steps += n_made
        if end != MOST_MADE and self.n_fresh == self.n_steps:
            self.over = "gap" if end == ALL_WITHIN else "precision"
        elif end != MOST_MADE or self.n_steps == last:
            self.renew()
            self.over = "" if self.has_gained() else "precision"

    def renew(self) -> None:
        """Bring the sum of the weights back to 1 and compute scores and W from them."""
        self.weights /= np.sum(self.weights)
        net = self.groups.net(self.weights)
        support = np.flatnonzero(net)
        self.scores[:] = 0.0
        self.pairs.add(self.table, support, net[support], self.scores)
        self.form = float(np.sum(net * self.scores) + np.sum(self.lams * self.weights * self.weights))
        self.n_fresh = self.n_steps

    def has_gained(self) -> bool:
        """Say whether fresh scores are better than all fresh ones before: W, or the lowest score as a part of W.

        Close to the end a step changes W by less than its last bit while the scores still improve.
        """
        scores = self.groups.sign * self.scores[self.groups.cell] + self.lams * self.weights
        worst = 1 - float(np.min(scores)) / self.form
        gained = self.form < self.least or worst < self.worst
        self.least, self.worst = min(self.least, self.form), min(self.worst, worst)
        return gained

    def state(self) -> State:
        """Return the polynomial at the scale 1 / W, in the kernel's own units."""
        net = self.groups.net(self.weights)
        return State(*self.cells.floats(), float(self.lam), net * self.bound, self.scores / self.form)

    @property
    def bound(self) -> float:
        """1 / W in the kernel's own units."""
        return float(np.ldexp(1 / self.form, -self.shift))

    def best_scaled(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the weights of the groups at the scale of least risk."""
        scale = Svm().kept_scale(self.state())
        positive, negative = self.groups.split(scale * self.bound * self.weights)
        return positive, negative

    def measure(self) -> Round:
        """Measure 1 / W and the least risk of a multiple of the polynomial, from fresh scores."""
        if self.n_fresh < self.n_steps:
            self.renew()
        state, form = self.state(), Svm()
        scale = form.best_scale(state, state.norm_sq, 1.0)
        return Round(self.n_steps, self.bound, form.risk(state, state.norm_sq, scale))
