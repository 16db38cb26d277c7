"""Pricing of conjunctions by walks row by row, which reach conjunctions of any length."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import holds_on
from conjunct.bits.randomness import random_below
from conjunct.search import RowWalk, walk_by_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

    Floats = NDArray[np.float64]
    Wholes = NDArray[np.int64]
    Literals = tuple[int, ...]

__all__ = ["TOLERANCE", "RowPricing", "seconds_until"]

PRECISION = 2.0**22  # weights of a walk are whole multiples of its inverse
TOLERANCE = 1e-6
N_SEEDS = 200  # cells around which a quick search looks
FEWEST_NODES, MOST_NODES = 2_000, 100_000  # of a quick search around one cell
FEW_FOUND = 10  # so few lead to longer searches
KEPT_OF_A_SEED, KEPT_OF_ALL = 3, 20
LIMIT = int(PRECISION * (1 + TOLERANCE))


@dataclass(eq=False)
class RowPricing:
    """Looks for conjunctions that weigh more than 1 under weights of the cells less their penalty.

    Parameters
    ----------
    cells : BitMatrix
    penalties : ndarray of float64, shape (lists, cells)
    max_size : int
    literals : {"both", "positive"}

    Notes
    -----
    A walk over all conjunctions that ends knows the heaviest, and is short where weights are near to what is feasible.
    One that does not end and finds nothing is followed by walks around single cells: a conjunction that holds on a cell
    has literals of this cell only, half of all, and the heaviest ones around different cells differ. Where few are
    found, the next such walks are four times as long.
    """

    cells: BitMatrix
    penalties: Floats
    max_size: int
    literals: str
    _bits: NDArray[np.bool_] = field(init=False, repr=False)
    _literals: Wholes = field(init=False, repr=False)
    _nodes: int = field(init=False, default=FEWEST_NODES)
    _round: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._bits = self.cells.to_array() == 1
        numbers = np.arange(2 * self.cells.n_variables)
        self._literals = numbers if self.literals == "both" else numbers[1::2]

    def heavy(self, weights: Floats, max_nodes: int | None, end: float | None) -> tuple[list[Literals], float]:
        """Return some of each list, and by which factor any passes 1 at most, not below 1; infinite where not known.

        With a number of nodes not all are looked at; nor after a moment of the clock.
        """
        conjunctions: list[Literals] = []
        height = 1.0
        for whole in self._lists(weights):
            limits: dict[str, Any] = {"max_nodes": max_nodes, "time_limit": seconds_until(end)}
            walk = self._walk(whole, **limits)
            conjunctions += walk.heavy
            top = int(whole[holds_on(self.cells, walk.heavy[-1])].sum()) if walk.heavy else LIMIT
            height = max(height, top / PRECISION) if walk.is_complete else float("inf")
            if walk.heavy:
                limits["limit"] = LIMIT + (top - LIMIT) // 3
                conjunctions += self._walk(whole, raise_limit=False, **limits).heavy
            elif not walk.is_complete:
                conjunctions += self._around_cells(whole, end)
        return conjunctions, height

    def _around_cells(self, whole: Wholes, end: float | None) -> list[Literals]:
        conjunctions: list[Literals] = []
        for cell in self._seeds(whole):
            if end is not None and monotonic() >= end:
                break
            own = self._literals[self._bits[cell, self._literals // 2] == (self._literals % 2 == 1)]
            conjunctions += self._walk(whole, own, max_nodes=self._nodes, max_heavy=KEPT_OF_A_SEED).heavy
        if len(conjunctions) <= FEW_FOUND:
            self._nodes = min(4 * self._nodes, MOST_NODES)
        return conjunctions

    def _walk(self, whole: Wholes, literals: Wholes | None = None, **settings: Any) -> RowWalk:
        own = {"limit": LIMIT, "raise_limit": True, "max_size": self.max_size, "max_heavy": KEPT_OF_ALL, **settings}
        return walk_by_rows(self.cells, whole, literals=self._literals if literals is None else literals, **own)

    def _lists(self, weights: Floats) -> list[Wholes]:
        """Return whole weights less penalties; no charge needs to be above all other weights."""
        lists = np.rint((weights - self.penalties) * PRECISION).astype(np.int64)
        return [np.maximum(whole, -np.maximum(whole, 0).sum() - 1) for whole in lists]

    def _seeds(self, whole: Wholes) -> Wholes:
        """Return cells that have weight, others in every round."""
        heavy = np.flatnonzero(whole > 0)
        self._round += 1
        return heavy[np.argsort(random_below(self._round, 1 << 62, len(heavy)), kind="stable")[:N_SEEDS]]


def seconds_until(end: float | None) -> float | None:
    """Return the seconds until a moment of the clock, at least a twentieth of one."""
    return None if end is None else max(0.05, end - monotonic())
