"""Pricing of conjunctions that hold on no negative cell, for covering programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import holds_on
from conjunct.bits.randomness import random_below
from conjunct.certificates.column_generation import PRECISION, TOLERANCE
from conjunct.search import PureWalk, walk_pure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

    Floats = NDArray[np.float64]
    Literals = tuple[int, ...]

__all__ = ["PurePricing", "lightest_first"]

N_SEEDS = 200  # positive cells around which a quick search looks
FEWEST_NODES, MOST_NODES = 2_000, 100_000  # of a quick search around one cell
FEW_FOUND = 10  # so few lead to longer searches
KEPT_OF_A_SEED, KEPT_OF_ALL = 3, 200
LIMIT = int(PRECISION * (1 + TOLERANCE))


@dataclass(eq=False)
class PurePricing:
    """Looks for conjunctions on no negative cell that weigh more than 1, around single cells first, then among all.

    Parameters
    ----------
    cells : BitMatrix
    is_negative : ndarray of bool
    max_size : int
    literals : {"both", "positive"}

    Notes
    -----
    A conjunction that holds on a cell has literals of this cell only, half of all: its walk is short, and the heaviest
    ones around different cells differ. Where few are found, the next searches are four times as long.
    """

    cells: BitMatrix
    is_negative: NDArray[np.bool_]
    max_size: int
    literals: str
    _bits: NDArray[np.bool_] = field(init=False, repr=False)
    _nodes: int = field(init=False, default=FEWEST_NODES)
    _round: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self._bits = self.cells.to_array() == 1

    def some(self, weights: Floats, end: float | None) -> list[Literals]:
        """Return the heaviest that short walks around some cells of weight meet, longer ones where there are few."""
        whole = self._whole(weights)
        heavy_first = self._order(whole)[::-1]
        numbers, is_true = heavy_first // 2, heavy_first % 2 == 1
        while self._nodes <= MOST_NODES:
            found: list[Literals] = []
            for cell in self._seeds(whole):
                if end is not None and monotonic() >= end:
                    return found
                order = heavy_first[self._bits[cell, numbers] == is_true]
                found += self._walk(whole, order, max_nodes=self._nodes, max_heavy=KEPT_OF_A_SEED).heavy
            if len(found) <= FEW_FOUND:
                self._nodes *= 4
            if found:
                return found
        return []

    def heaviest(self, weights: Floats, seconds: float | None) -> tuple[list[Literals], float]:
        """Return many by a walk over all, and the weight of the heaviest."""
        whole = self._whole(weights)
        order = self._order(whole)
        walk = self._walk(whole, order, max_heavy=KEPT_OF_ALL, time_limit=seconds)
        self._nodes = min(self._nodes, MOST_NODES)
        if not walk.is_complete:
            return list(walk.heavy), float("inf")
        if not walk.heavy:
            return [], 1.0
        top = int(whole[holds_on(self.cells, walk.heavy[-1])].sum())
        others = self._walk(
            whole, order, (LIMIT + top) // 2, raise_limit=False, max_heavy=KEPT_OF_ALL, time_limit=seconds
        )
        return [*walk.heavy, *others.heavy], top / PRECISION

    def _walk(
        self, whole: NDArray[np.int64], order: NDArray[np.int64], limit: int = LIMIT, **settings: Any
    ) -> PureWalk:
        own = {"raise_limit": True, "max_size": self.max_size, **settings}
        return walk_pure(self.cells, whole, self.is_negative, limit, order=order, **own)

    def _whole(self, weights: Floats) -> NDArray[np.int64]:
        return np.where(self.is_negative, 0, np.rint(np.maximum(weights, 0) * PRECISION)).astype(np.int64)

    def _order(self, whole: NDArray[np.int64]) -> NDArray[np.int64]:
        return lightest_first(self._bits, whole[None, :].astype(np.float64), self.literals)

    def _seeds(self, whole: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return cells that have weight, others in every round."""
        heavy = np.flatnonzero(whole)
        self._round += 1
        return heavy[np.argsort(random_below(self._round, 1 << 62, len(heavy)), kind="stable")[:N_SEEDS]]


def lightest_first(bits: NDArray[np.bool_], weights: Floats, literals: str) -> NDArray[np.int64]:
    """Return all literals, those first whose cells weigh least above 0, in the list where they weigh most."""
    above = np.maximum(weights, 0)
    true, total = above @ bits, above.sum(axis=1, keepdims=True)
    heights = np.maximum.reduce(np.stack([total - true, true], axis=2), axis=0).ravel()  # literal 2j, 2j + 1
    order = np.argsort(heights, kind="stable")
    return order if literals == "both" else order[order % 2 == 1]
