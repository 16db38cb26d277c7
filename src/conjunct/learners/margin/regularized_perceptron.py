"""The Perceptron with a charge on every weight, which ends on any rows and proves a bound on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.kernels import ExactSum, Kernel, PairSums
from conjunct.kernels.pair_sums import EXACT
from conjunct.learners.margin.batch_settings import positive_lam, require_limit
from conjunct.learners.margin.cell_descent import Round
from conjunct.learners.margin.cell_groups import CellGroups
from conjunct.learners.margin.dual_forms import State, Svm, group_sums
from conjunct.learners.margin.dual_solution import DualSolution
from conjunct.learners.margin.float_range import require_range
from conjunct.learners.margin.following import follow
from conjunct.learners.margin.labelled_cells import LabelledCells
from conjunct.learners.margin.rounding import rounded
from conjunct.theory import Exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

__all__ = ["RegularizedPerceptron"]

WORK_PER_CALL = 1 << 22  # groups looked at or moved between two looks for signals: some 20 ms
SCALED_TO = 1e-6  # how well the rounded weights keep the ratios of the whole ones
NO_UPDATE, MOST_MADE, UNDECIDED = 0, 1, 2  # how a call of the core ends
NO_VERDICT, STAY, UPDATE = 0, 1, 2


@dataclass(frozen=True)
class RegularizedPerceptron:
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
    found is f t / V(a), at which the bound is attained (in print the divisor is garbled), with weights rounded to at
    most 40 bits; bound, risk and gap are those of the rounded weights. Contradictory rows under large kernel values
    may take some R^2/lam updates.

    Examples
    --------
    >>> from conjunct.bits import BitMatrix
    >>> from conjunct.kernels import Conjunctions
    >>> rows = BitMatrix.of(["00", "01", "10", "11"])
    >>> found = RegularizedPerceptron(Conjunctions(), lam=1).run(rows, [-1, -1, -1, 1])
    >>> found.n_iter, found.stopped_by, round(float(found.bound), 6)
    (3, 'no update', 0.692308)
    """

    kernel: Kernel
    lam: Exact = 1
    max_iter: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", positive_lam(self.lam))
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
            Asked many times a second, after the first update; text says why to stop here, "" to go on. As many
            updates as `max_iter` then give the same solution.
        watch : callable, optional
            Told where the search stands.
        keeps_interrupted : bool
            On Ctrl-C stop and return the best so far, weighed as any other, instead of raising.
        """
        lam = Fraction(self.lam)
        require_range(self.kernel, lam, cells)
        pairs = PairSums(self.kernel.layout(cells.rows), cells.rows) if pairs is None else pairs
        search = RegularizedSearch(self.kernel, cells, lam, pairs)
        return search.solution(*follow(search, self.max_iter, is_stopped, watch, keeps_interrupted))


class RegularizedSearch:
    """Updates of the regularised Perceptron, some at a time.

    Scores are sums of kernel values times `scale`. Where the largest kernel value times the layout's denominator is
    below 2**53, this is the scale, and scores are integers, exact in floats, for the first updates.
    """

    def __init__(self, kernel: Kernel, cells: LabelledCells, lam: Fraction, pairs: PairSums) -> None:
        self.kernel, self.cells, self.lam, self.pairs = kernel, cells, lam, pairs
        self.groups = CellGroups.of(cells, lam)
        layout = kernel.layout(cells.rows)
        largest = int(layout.largest * layout.denominator)
        self.scale = layout.denominator if largest < EXACT else 1
        self.counts, steps = self.groups.rows()
        self.least = min(steps)
        self.steps = np.array([int(step / self.least) for step in steps], np.int64)
        self.n_exact = (EXACT - 1) // (largest * int(np.max(self.steps)))
        table = np.array([float(value * self.scale) for value in layout.values]) if self.n_exact else layout.floats
        self.source = pairs.source(table)
        self.unit = (len(layout.summands) + 2) * 2.0**-52
        # What one more update on every row of a group charges, as the scores are counted: in least steps.
        self.charges = [
            lam * int(count) * int(step) * self.scale
            for lam, count, step in zip(self.groups.lams, self.counts, self.steps, strict=True)
        ]
        self.charge = np.array([float(charge) for charge in self.charges])
        is_exact = {charge: Fraction(float(charge)) == charge for charge in set(self.charges)}
        self.is_charge_exact = np.array([is_exact[charge] for charge in self.charges], np.uint8)
        words = 1 if pairs.is_cached else 1 + len(layout.summands) * cells.rows.words.shape[1]
        self.most_per_call = max(1, WORK_PER_CALL // max(1, self.groups.n_groups * words))
        self.updates = np.zeros(self.groups.n_groups, np.int64)
        self.scores, self.errors, self.row = (np.zeros(cells.n_cells) for _ in range(3))
        self.n_updates = self.place = self.n_clean = self.n_here = 0
        self.verdict = NO_VERDICT
        self.is_waiting = False  # for an update that the limit forbids
        self.sums: ExactSum | None = None

    @property
    def n_iter(self) -> int:
        """The updates made."""
        return self.n_updates

    @property
    def weights(self) -> NDArray[np.int64]:
        """The weights of the groups, in least steps."""
        return self.updates * self.steps

    def reason(self, max_iter: int | None) -> str:
        """Say why the search is over: a pass without update, or as many updates as allowed and another one due."""
        if self.n_clean >= self.groups.n_groups:
            return "no update"
        return "max_iter" if self.is_waiting and self.n_updates == max_iter else ""

    def go_on(self, last: int) -> None:
        """Make as many updates as one call of the core should, up to update `last`; where floats cannot, decide."""
        is_exact, most = self.n_updates < self.n_exact, min(self.most_per_call, last - self.n_updates)
        if is_exact:
            most = min(most, self.n_exact - self.n_updates)
        end, self.place, self.n_clean, self.n_here, n_made = _core.regularized_pass(
            self.source,
            self.groups.cell,
            self.groups.sign,
            self.charge,
            self.counts,
            self.steps,
            self.is_charge_exact,
            is_exact,
            self.unit,
            most,
            self.verdict,
            self.place,
            self.n_clean,
            self.n_here,
            self.updates,
            self.scores,
            self.errors,
            self.row,
        )
        self.n_updates += n_made
        self.is_waiting = end == MOST_MADE
        self.verdict = NO_VERDICT
        if end == UNDECIDED:
            self.verdict = UPDATE if self.is_due(self.place, is_exact) else STAY

    def is_due(self, group: int, is_exact: bool) -> bool:
        """Decide in integers whether a group asks for an update; renew the score of its cell."""
        cell = int(self.groups.cell[group])
        score = Fraction(int(self.scores[cell])) if is_exact else self.exact_score(cell)
        return (
            int(self.groups.sign[group]) * score + int(self.updates[group] // self.counts[group]) * self.charges[group]
            <= 0
        )

    def exact_score(self, cell: int) -> Fraction:
        """Return the score of a cell without rounding, and let the floats start anew from it."""
        if self.sums is None:
            self.sums = ExactSum.of(self.kernel, self.cells.rows, Fraction(0))
        net = self.groups.net(self.weights)
        support = np.flatnonzero(net)
        rows = self.cells.rows
        ((total,),) = self.sums.scores(rows[support], net[None, support], rows[np.array([cell])])
        score = Fraction(total * self.scale, self.sums.denominator)
        if abs(score) < 1 << 1023:
            self.scores[cell] = float(score)
            self.errors[cell] = abs(self.scores[cell]) * 2.0**-52 + np.finfo(float).tiny
        return score

    def measure(self) -> Round:
        """Measure t^2 / V and the risk at the scale t / V, in floats."""
        groups = self.groups.split(self.weights.astype(np.float64))
        net, scores = groups[0] - groups[1], self.scores / self.scale
        masses, lam = self.cells.floats(), float(self.lam)
        whole = State(*masses, lam, net, scores)
        total, charge = group_sums(groups, whole)
        form = whole.norm_sq + charge
        scale = total / form if form > 0 else 0.0
        scaled = State(*masses, lam, scale * net, scale * scores)
        return Round(self.n_updates, total * scale, Svm().risk(scaled, scaled.norm_sq, 1.0))

    def solution(self, reason: str, history: tuple[Round, ...]) -> DualSolution:
        """Return the weights at the scale t / V, as integers."""
        positive, negative = self.groups.split(self.weights)
        whole = DualSolution(
            self.kernel, self.lam, self.cells, positive, negative, 0, self.n_updates, reason, history
        ).weigh(self.pairs)
        if self.n_updates == 0:
            return whole
        scale = float(whole.bound / sum(self.weights.tolist()))
        layout = self.kernel.layout(self.cells.rows)
        positive, negative, exponent = rounded((scale * positive, scale * negative), layout, SCALED_TO)
        return DualSolution(
            self.kernel, self.lam, self.cells, positive, negative, exponent, self.n_updates, reason, history
        ).weigh(self.pairs)
