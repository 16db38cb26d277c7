"""Which decision tree is sought, in whole numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from conjunct.errors import SettingError
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

__all__ = ["TreeProblem"]

LARGEST_COST = 1 << 62
MOST_CLASSES = 63


@dataclass(frozen=True, eq=False)
class TreeProblem:
    """Cells (distinct rows) with whole costs, for which the cheapest tree is sought.

    The cost of a tree is ``leaf_cost`` for every leaf and the penalties of every cell for the class of its leaf.

    Parameters
    ----------
    tests : BitMatrix
        One row per cell, all different, one column per test.
    penalties : ndarray of int64, shape (cells, classes)
        What a leaf of each class costs on each cell: for plain errors at the price of A a piece, A times the rows of
        the other classes.
    removals : ndarray of int64, shape (cells,)
        The most that the rows of a cell can cost, each by itself, under any leaf class: for plain errors A times its
        rows.
    sizes : ndarray of int64, shape (cells,)
        The rows of each cell.
    leaf_cost : int
        The cost of a leaf, 1 or more.
    max_depth : int or None
        The most tests on a path; None for any number.
    min_samples_leaf : int
        The fewest rows that a part of a split may have.
    """

    tests: BitMatrix
    penalties: NDArray[np.int64]
    removals: NDArray[np.int64]
    sizes: NDArray[np.int64]
    leaf_cost: int
    max_depth: int | None
    min_samples_leaf: int = 1

    def __post_init__(self) -> None:
        n = self.tests.n_rows
        if n == 0:
            raise SettingError("tests: expected at least one cell")
        for name, n_dims in {"penalties": 2, "removals": 1, "sizes": 1}.items():
            array = np.ascontiguousarray(getattr(self, name))
            if array.ndim != n_dims or len(array) != n or array.dtype.kind not in "iu":
                raise SettingError(f"{name}: expected whole numbers, a row for each of {n} cells, got {array.shape}")
            object.__setattr__(self, name, array.astype(np.int64))
            if array.size and int(array.min()) < (name == "sizes"):
                raise SettingError(f"{name}: expected numbers from {int(name == 'sizes')} on, got {array.min()}")
        if not 1 <= self.penalties.shape[1] <= MOST_CLASSES:
            raise SettingError(f"penalties: expected 1 to {MOST_CLASSES} classes, got {self.penalties.shape[1]}")
        if self.tests.pool().rows.n_rows < n:
            raise SettingError("tests: two cells have the same row; pool them first")
        whole_number(self.leaf_cost, "leaf_cost", least=1)
        whole_number(self.min_samples_leaf, "min_samples_leaf", least=1)
        if self.max_depth is not None:
            whole_number(self.max_depth, "max_depth", least=0)
        largest = sum(float(array.sum(dtype=np.float64)) for array in (self.penalties, self.removals, self.sizes))
        if largest + (n + 8.0) * self.leaf_cost >= LARGEST_COST:
            raise SettingError(f"costs add up to {largest:.3g}; expected less than 2**62: scale them down")
