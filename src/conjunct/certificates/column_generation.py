"""Column generation: weights of cells that no conjunction exceeds its cost under, with the largest sum."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

import highspy
import numpy as np

from conjunct.bits import holds_on
from conjunct.certificates.row_pricing import TOLERANCE, RowPricing

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

    Floats = NDArray[np.float64]
    Literals = tuple[int, ...]

__all__ = ["ColumnGeneration", "Dual"]

QUICK_NODES, MOST_NODES = 2_000_000, 100_000_000  # conjunctions that a search looks at, until it must look at all
LEAST_BACK = 0.5  # of the way from the solution to the best weights, where walks end


@dataclass(frozen=True, eq=False)
class Dual:
    """Weights of the cells, and what they prove, but for rounding.

    Attributes
    ----------
    weights : ndarray of float64
        Under which no conjunction passes its cost.
    value : float
        Their sum.
    last : ndarray of float64
        Where conjunctions were last looked for; where no search ended, this may prove more than `weights`.
    limit : float
        What no such weights pass: the value of the program with the conjunctions seen so far.
    is_closed : bool
        Whether the two meet.
    n_rounds : int
    """

    weights: Floats
    value: float
    last: Floats
    limit: float
    is_closed: bool
    n_rounds: int


@dataclass(eq=False)
class ColumnGeneration:
    """The largest sum of weights u of cells with u(T) <= 1 + (penalty of T) for every conjunction T.

    Parameters
    ----------
    cells : BitMatrix
    penalties : ndarray of float64, shape (lists, cells)
        The penalty of a conjunction is the least over the lists of the sum over its cells.
    lowest, highest : ndarray of float64, shape (cells,)
        Limits of the weights.
    max_size : int
        The most literals of a conjunction.
    literals : {"both", "positive"}
    columns : list of tuples of int
        The conjunctions seen so far; they may be those of another price or size.

    Notes
    -----
    The dual of a linear program over conjunctions, solved by adding, round after round, those whose weight passes their
    cost. If the heaviest passes its cost by h > 1 in place of 1, weights divided by h are feasible: such a search ends
    with a valid value. Conjunctions are looked for at the master's solution and at points between it and the best
    weights so far [wentges1997], as the solution itself jumps about where the program is degenerate. Searches are
    short until they find nothing.
    """

    cells: BitMatrix
    penalties: Floats
    lowest: Floats
    highest: Floats
    max_size: int
    literals: str = "both"
    columns: list[Literals] = field(default_factory=list)
    _pricing: RowPricing = field(init=False, repr=False)
    _master: highspy.Highs = field(init=False, repr=False)
    _seen: set[bytes] = field(init=False, repr=False, default_factory=set)

    def __post_init__(self) -> None:
        self._master = master = highspy.Highs()  # type: ignore[no-untyped-call]  # highspy leaves it without types
        master.silent()
        master.setOptionValue("threads", 1)
        n_cells = self.cells.n_rows
        master.addVars(n_cells, np.maximum(self.lowest, 0), self.highest)
        master.changeColsCost(n_cells, np.arange(n_cells, dtype=np.int32), np.ones(n_cells))
        master.changeObjectiveSense(highspy.ObjSense.kMaximize)
        given, self.columns = self.columns, []
        self.add([(), *given])
        self._pricing = RowPricing(self.cells, self.penalties, self.max_size, self.literals)

    def add(self, conjunctions: Sequence[Literals]) -> int:
        """Add conjunctions to the program, those on cells not seen before; return how many these are."""
        n_before = len(self.columns)
        for literals in conjunctions:
            held = holds_on(self.cells, literals)
            if len(literals) <= self.max_size and held.any() and (key := np.packbits(held).tobytes()) not in self._seen:
                self._seen.add(key)
                self.columns.append(literals)
                members = np.flatnonzero(held).astype(np.int32)
                cost = 1 + self.penalties[:, members].sum(axis=1).min()
                self._master.addRow(-highspy.kHighsInf, cost, len(members), members, np.ones(len(members)))
        return len(self.columns) - n_before

    def solve(self, *, end: float | None = None, max_rounds: int | None = None, grid: float = 0) -> Dual:
        """Return the best weights by a moment of the clock, or after so many rounds.

        Values between two multiples of `grid` are as good as the greater one.
        """
        best = Dual(np.zeros(self.cells.n_rows), 0.0, np.zeros(self.cells.n_rows), float("inf"), False, 0)
        for best in self.rounds(end, grid):
            if best.is_closed or (max_rounds is not None and best.n_rounds >= max_rounds):
                break
            if end is not None and monotonic() >= end:
                break
        return best

    def rounds(self, end: float | None = None, grid: float = 0) -> Iterator[Dual]:
        """Yield the best weights after every round."""
        weights, value, n_rounds = np.zeros(self.cells.n_rows), 0.0, 0
        max_nodes: int | None = QUICK_NODES
        back = LEAST_BACK  # how far from the master's solution towards the best weights so far
        is_held = bool((self.lowest < 0).any())  # at 0 or above
        while True:
            solution, limit = self._solve_master(end)
            n_before, point, is_closed = len(self.columns), solution, _is_same(value, limit, grid)
            n_rounds += 1
            for share in () if is_closed else (back, 0.0):
                point = share * weights + (1 - share) * solution
                heavy, height = self._pricing.heavy(point, max_nodes, end)
                self.add(heavy)
                if share:
                    back = (1 + back) / 2 if np.isinf(height) else max(LEAST_BACK, 2 * back - 1)
                if point.sum() / height > value:
                    weights, value = point / height, float(point.sum() / height)
                is_closed = value >= limit - TOLERANCE * max(1, abs(limit)) or _is_same(value, limit, grid)
                if is_closed or (end is not None and monotonic() >= end):
                    break
            else:
                if len(self.columns) == n_before and not is_closed:
                    is_closed = max_nodes is None  # no conjunction is left to add: what is missing is rounding
                    max_nodes = None if max_nodes is None or max_nodes >= MOST_NODES else 8 * max_nodes
            if is_closed and is_held:
                is_held, is_closed, limit = False, False, float("inf")
                numbers = np.arange(self.cells.n_rows, dtype=np.int32)
                self._master.changeColsBounds(len(numbers), numbers, self.lowest, self.highest)
            yield Dual(weights, value, point, limit, is_closed, n_rounds)
            if is_closed:
                return

    def _solve_master(self, end: float | None) -> tuple[Floats, float]:
        if end is not None:
            self._master.setOptionValue("time_limit", self._master.getRunTime() + max(0.05, end - monotonic()))
        self._master.run()
        status = self._master.getModelStatus()
        solution = np.array(self._master.getSolution().col_value)
        is_solved = status == highspy.HighsModelStatus.kOptimal
        return solution, float(self._master.getInfo().objective_function_value) if is_solved else float("inf")


def _is_same(value: float, limit: float, grid: float) -> bool:
    """Return whether a value and a limit lie below the same multiple of the grid."""
    return bool(grid) and np.isfinite(limit) and np.ceil(value / grid - TOLERANCE) >= np.ceil(limit / grid - TOLERANCE)
