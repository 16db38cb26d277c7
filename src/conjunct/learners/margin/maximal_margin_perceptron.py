"""The maximal margin Perceptron: one row after the other, each the one that gains most, until the bound is near."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import frexp, inf, sqrt
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.kernels import Kernel, PairSums
from conjunct.learners.margin.cell_groups import CellGroups
from conjunct.learners.margin.dual_forms import State, Svm
from conjunct.learners.margin.margin_machine import MarginMachine, relative_gap
from conjunct.learners.margin.rounding import best_rounding
from conjunct.learners.margin.search import Limit, Round, rounds_by_steps
from conjunct.settings import Exact

if TYPE_CHECKING:
    from conjunct.learners.margin.dual_solution import DualSolution
    from conjunct.learners.margin.labelled_cells import LabelledCells
    from conjunct.learners.margin.rounding import Weigh

__all__ = ["MaximalMarginPerceptron"]

ALL_WITHIN, MOST_MADE = 0, 1  # how a call of the core ends; 2: no step is possible


@dataclass(frozen=True)
class MaximalMarginPerceptron(MarginMachine):
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
    >>> solution = MaximalMarginPerceptron(Conjunctions(2), lam=1, tol=1e-9).run(rows, [-1, -1, -1, 1])
    >>> round(float(solution.bound), 6), solution.stopped_by
    (1.1, 'gap')
    """

    kernel: Kernel
    lam: Exact = 1
    tol: float = 1e-3
    max_iter: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        relative_gap(self.tol)

    def search(self, cells: LabelledCells, pairs: PairSums) -> MarginSearch:
        """Return the steps from the group of least k(x, x) + lam."""
        return MarginSearch(self.kernel, cells, Fraction(self.lam), pairs, float(self.tol))


class MarginSearch:
    """Steps of the maximal margin Perceptron, some at a time.

    Kernel values and lam are divided by a power of two near the largest value, which no step notices, so that squares
    of large values stay within floats.
    """

    def __init__(self, kernel: Kernel, cells: LabelledCells, lam: Fraction, pairs: PairSums, tol: float) -> None:
        self.cells, self.lam, self.pairs, self.tol = cells, lam, pairs, tol
        self.groups = CellGroups.of(cells, lam)
        self.layout = kernel.layout(cells.rows)
        self.shift = frexp(float(self.layout.largest))[1]
        self.table = np.ldexp(self.layout.floats, -self.shift)
        self.lams = np.ldexp(np.array([float(lam) for lam in self.groups.lams]), -self.shift)
        diagonal = pairs.diagonal(self.table)[self.groups.cell] + self.lams
        self.weights, self.scores = np.zeros(self.groups.n_groups), np.zeros(cells.n_cells)
        self.weights[np.argmin(diagonal)] = 1.0
        native = _core.CellGroups(pairs.source(self.table), self.groups.cell, self.groups.sign, self.lams)
        self.state = _core.MarginState(native, diagonal, self.weights, self.scores)
        self.most_per_call = self.groups.moves_per_call(pairs)
        self.n_renewed, self.end = 0, ""
        self.least_form, self.least_shortfall = inf, inf
        self.renew()

    @property
    def n_iter(self) -> int:
        """The steps made."""
        return self.state.n_steps

    @property
    def form(self) -> float:
        """W, divided as the kernel values are."""
        return self.state.form

    def rounds(self, limit: Limit) -> Iterator[Round]:
        """Make steps to the end or the limit."""
        return rounds_by_steps(self, limit)

    def reason(self, max_iter: int | None) -> str:
        """Say why the search is over: the stop was confirmed, floats make no progress, or as many steps as allowed."""
        return self.end or ("max_iter" if self.n_iter == max_iter else "")

    def go_on(self, last: int) -> None:
        """Make as many steps as one call of the core should, at most up to step `last`; see whether that is the end."""
        outcome = _core.margin_steps(self.state, sqrt(1 - self.tol), min(self.most_per_call, last - self.n_iter))
        if outcome != MOST_MADE and self.n_renewed == self.n_iter:
            self.end = "gap" if outcome == ALL_WITHIN else "precision"
        elif outcome != MOST_MADE or self.n_iter == last:
            self.renew()
            self.end = "" if self.has_gained() else "precision"

    def renew(self) -> None:
        """Compute scores and W afresh."""
        # 1. Bring the sum of the weights back to 1: every step rounds it.
        self.weights /= np.sum(self.weights)
        # 2. Scores from the weights alone, without the roundings of the steps.
        net = self.groups.net(self.weights)
        support = np.flatnonzero(net)
        self.scores[:] = 0.0
        self.pairs.add(self.table, support, net[support], self.scores)
        # 3. W = a'Qa + sum of lam a^2, from these scores.
        self.state.form = float(np.sum(net * self.scores) + np.sum(self.lams * self.weights * self.weights))
        self.n_renewed = self.n_iter

    def has_gained(self) -> bool:
        """Say whether fresh scores are better than all fresh ones before: W, or the lowest score as a part of W.

        Close to the end a step changes W by less than its last bit while the scores still improve.
        """
        scores = self.groups.sign * self.scores[self.groups.cell] + self.lams * self.weights
        shortfall = 1 - float(np.min(scores)) / self.form
        has_gained = self.form < self.least_form or shortfall < self.least_shortfall
        self.least_form, self.least_shortfall = min(self.least_form, self.form), min(self.least_shortfall, shortfall)
        return has_gained

    @property
    def bound(self) -> float:
        """1 / W in the kernel's own units."""
        return float(np.ldexp(1 / self.form, -self.shift))

    def polynomial(self) -> State:
        """Return the polynomial at the scale 1 / W, in the kernel's own units."""
        net = self.groups.net(self.weights)
        return State(*self.cells.floats(), float(self.lam), net * self.bound, self.scores / self.form)

    def measure(self) -> Round:
        """Measure 1 / W and the least risk of a multiple of the polynomial, from fresh scores."""
        if self.n_renewed < self.n_iter:
            self.renew()
        state, form = self.polynomial(), Svm()
        scale = form.best_scale(state, state.norm_sq, 1.0)
        return Round(self.n_iter, self.bound, form.risk(state, state.norm_sq, scale))

    def solution(self, weigh: Weigh) -> DualSolution:
        """Round the weights of the groups at the scale of least risk."""
        scale = Svm().kept_scale(self.polynomial())
        return best_rounding(weigh, self.groups.split(scale * self.bound * self.weights), self.layout, self.tol)
