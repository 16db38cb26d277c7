"""Rows in the order of their digit strings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["row_order"]

ROWS_PER_BLOCK = 1 << 16  # rows sorted, or merged, between two looks for signals: some 20 ms


def row_order(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Sort packed rows by their digit strings x1 x2 .. xn, equal ones by position: a merge sort of sorted blocks."""
    n_rows = len(words)
    order = np.arange(n_rows)
    for start in range(0, n_rows, ROWS_PER_BLOCK):
        _core.sort_rows(words, order[start : start + ROWS_PER_BLOCK])
    width = ROWS_PER_BLOCK
    while width < n_rows:
        merged = np.empty_like(order)
        for start in range(0, n_rows, 2 * width):
            _merge(words, order[start : start + width], order[start + width : start + 2 * width], merged[start:])
        order, width = merged, 2 * width
    return order


def _merge(
    words: NDArray[np.uint64], left: NDArray[np.int64], right: NDArray[np.int64], merged: NDArray[np.int64]
) -> None:
    while len(left) or len(right):
        count = min(ROWS_PER_BLOCK, len(left) + len(right))
        n_from_left = _core.merge_rows(words, left[:count], right[:count], merged[:count])
        left, right, merged = left[n_from_left:], right[count - n_from_left :], merged[count:]
