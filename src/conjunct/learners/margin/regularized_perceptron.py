"""The Perceptron with a charge on every weight, which ends on any rows and proves a bound on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.kernels import ExactSum, Kernel, PairSums
from conjunct.kernels.pair_sums import EXACT
from conjunct.learners.margin.cell_groups import CellGroups
from conjunct.learners.margin.dual_forms import State, Svm, group_sums
from conjunct.learners.margin.margin_machine import MarginMachine
from conjunct.learners.margin.rounding import rounded
from conjunct.learners.margin.search import Limit, Round, rounds_by_steps
from conjunct.settings import Exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.margin.dual_solution import DualSolution
    from conjunct.learners.margin.labelled_cells import LabelledCells
    from conjunct.learners.margin.rounding import Weigh

__all__ = ["RegularizedPerceptron"]

RATIO_TOL = 1e-6  # how well the rounded weights keep the ratios of the whole ones
MOST_MADE, UNDECIDED = 1, 2  # how a call of the core ends; 0: no update was left


@dataclass(frozen=True)
class RegularizedPerceptron(MarginMachine):
    """Go over the rows again and again; where y f + lam a <= 0, add the row to f once more: a += 1.

    Parameters
    ----------
    kernel : Kernel
    lam : int, Fraction, "p/q" or float
        Positive; 4/lam is the price of an error in leaves of a tree (with all costs 1).
    max_iter : int, optional
        Stop after so many updates.

    Notes
    -----
    It ends on any rows, after at most (R^2 + lam) / (rho*^2 + lam/m) updates, and its t updates prove that no
    polynomial has a risk R+ below t^2 / V(a) [kowalczyk2002, Theorem 3]. Equal rows with equal labels are looked at one
    after the other, and a weight stands for equal rows (`conjunct.theory.equal_rows`). Every sign is decided exactly:
    floats hold integers or carry a bound of their error, and where they leave a doubt integers decide. The polynomial
    learned is f t / V(a), at which the bound is attained (in print the divisor is garbled), with weights rounded to at
    most 40 bits; bound, risk and gap are those of the rounded weights. Contradictory rows under large kernel values
    may take some R^2/lam updates.

    Examples
    --------
    >>> from conjunct.bits import BitMatrix
    >>> from conjunct.kernels import Conjunctions
    >>> rows = BitMatrix.of(["00", "01", "10", "11"])
    >>> solution = RegularizedPerceptron(Conjunctions(), lam=1).run(rows, [-1, -1, -1, 1])
    >>> solution.n_iter, solution.stopped_by, round(float(solution.bound), 6)
    (3, 'no update', 0.692308)
    """

    kernel: Kernel
    lam: Exact = 1
    max_iter: int | None = None

    def search(self, cells: LabelledCells, pairs: PairSums) -> RegularizedSearch:
        """Return the updates from weights of 0."""
        return RegularizedSearch(self.kernel, cells, Fraction(self.lam), pairs)


class RegularizedSearch:
    """Updates of the regularised Perceptron, some at a time.

    Scores are sums of kernel values times `scale`. Where the largest kernel value times the layout's denominator is
    below 2**53, this is the scale, and scores are integers, exact in floats, for the first updates.
    """

    def __init__(self, kernel: Kernel, cells: LabelledCells, lam: Fraction, pairs: PairSums) -> None:
        self.kernel, self.cells, self.lam = kernel, cells, lam
        self.groups = CellGroups.of(cells, lam)
        self.layout = layout = kernel.layout(cells.rows)
        # 1. Weights are counted in the least of the steps, so that they are whole numbers.
        self.counts, steps = self.groups.rows()
        self.least_step = min(steps)
        self.steps = np.array([int(step / self.least_step) for step in steps], np.int64)
        # 2. Scores are integers for as many updates as keep them below 2**53.
        largest = int(layout.largest * layout.denominator)
        self.scale = layout.denominator if largest < EXACT else 1
        self.n_exact = (EXACT - 1) // (largest * int(np.max(self.steps)))
        table = np.array([float(value * self.scale) for value in layout.values]) if self.n_exact else layout.floats
        # 3. What one more update on every row of a group charges, as the scores are counted: in least steps.
        self.charges = [
            lam * int(count) * int(step) * self.scale
            for lam, count, step in zip(self.groups.lams, self.counts, self.steps, strict=True)
        ]
        is_exact = {charge: Fraction(float(charge)) == charge for charge in set(self.charges)}
        is_charge_exact = np.array([is_exact[charge] for charge in self.charges], np.uint8)
        # 4. A kernel value is a sum over the summands of its layout: so many roundings, and two of the update.
        unit = (len(layout.summands) + 2) * 2.0**-52
        self.updates = np.zeros(self.groups.n_groups, np.int64)
        self.scores, self.errors = np.zeros(cells.n_cells), np.zeros(cells.n_cells)
        charges = np.array([float(charge) for charge in self.charges])
        native = _core.CellGroups(pairs.source(table), self.groups.cell, self.groups.sign, charges)
        self.state = _core.RegularizedState(
            native, self.counts, self.steps, is_charge_exact, unit, self.updates, self.scores, self.errors
        )
        self.most_per_call = self.groups.moves_per_call(pairs)
        self.is_update_due = False  # another one than the limit allows
        self.exact_sum: ExactSum | None = None

    @property
    def n_iter(self) -> int:
        """The updates made."""
        return self.state.n_updates

    @property
    def weights(self) -> NDArray[np.int64]:
        """The weights of the groups, in least steps."""
        return self.updates * self.steps

    def rounds(self, limit: Limit) -> Iterator[Round]:
        """Make updates to the end or the limit."""
        return rounds_by_steps(self, limit)

    def reason(self, max_iter: int | None) -> str:
        """Say why the search is over: a pass without update, or as many updates as allowed and another one due."""
        if self.state.n_clean >= self.groups.n_groups:
            return "no update"
        return "max_iter" if self.is_update_due and self.n_iter == max_iter else ""

    def go_on(self, last: int) -> None:
        """Make as many updates as one call of the core should, up to update `last`; where floats cannot, decide."""
        n_most, is_exact = min(self.most_per_call, last - self.n_iter), self.n_iter < self.n_exact
        if is_exact:
            n_most = min(n_most, self.n_exact - self.n_iter)
        outcome = _core.regularized_pass(self.state, is_exact, n_most)
        self.is_update_due = outcome == MOST_MADE
        if outcome == UNDECIDED:
            self.state.decide(self.is_due(self.state.group, is_exact))

    def is_due(self, group: int, is_exact: bool) -> bool:
        """Decide in integers whether a group asks for an update; renew the score of its cell."""
        cell = int(self.groups.cell[group])
        score = Fraction(int(self.scores[cell])) if is_exact else self.exact_score(cell)
        charge = int(self.updates[group] // self.counts[group]) * self.charges[group]
        return int(self.groups.sign[group]) * score + charge <= 0

    def exact_score(self, cell: int) -> Fraction:
        """Return the score of a cell without rounding, and let the floats start anew from it."""
        if self.exact_sum is None:
            self.exact_sum = ExactSum.of(self.kernel, self.cells.rows, Fraction(0))
        net = self.groups.net(self.weights)
        support = np.flatnonzero(net)
        rows = self.cells.rows
        ((total,),) = self.exact_sum.scores(rows[support], net[None, support], rows[np.array([cell])])
        score = Fraction(total * self.scale, self.exact_sum.denominator)
        if abs(score) < 1 << 1023:
            self.scores[cell] = float(score)
            self.errors[cell] = abs(self.scores[cell]) * 2.0**-52 + np.finfo(float).tiny
        return score

    def measure(self) -> Round:
        """Measure t^2 / V and the risk at the scale t / V, in floats."""
        groups = self.groups.split(self.weights.astype(np.float64))
        net, scores = groups[0] - groups[1], self.scores / self.scale
        masses, lam = self.cells.floats(), float(self.lam)
        state = State(*masses, lam, net, scores)
        total, charge = group_sums(groups, state)
        form = state.norm_sq + charge
        scale = total / form if form > 0 else 0.0
        scaled_state = State(*masses, lam, scale * net, scale * scores)
        return Round(self.n_iter, total * scale, Svm().risk(scaled_state, scaled_state.norm_sq, 1.0))

    def solution(self, weigh: Weigh) -> DualSolution:
        """Round the weights at the scale t / V, at which the bound is attained."""
        positive, negative = self.groups.split(self.weights)
        whole = weigh(positive, negative, 0)
        if self.n_iter == 0:
            return whole
        scale = float(whole.bound / sum(self.weights.tolist()))
        return weigh(*rounded((scale * positive, scale * negative), self.layout, RATIO_TOL))
