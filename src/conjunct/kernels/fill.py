"""Filling a Gram matrix through a kernel's table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits import thread_count
from conjunct.kernels.work import WORK_PER_CALL, work_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels.layout import Layout

__all__ = ["fill_gram"]

LEAST_TILED_ENTRIES = 1 << 12  # entries; below, laying out a tile costs more than it saves
MOST_TILED_VARIABLES = 65_535  # variables; a tile's counts are 16 bits
ENTRIES_FOR_THREADS = 1 << 20


def fill_gram(layout: Layout, a: BitMatrix, b: BitMatrix, table: NDArray[Any], out: NDArray[Any]) -> None:
    """Write the table's value for every pair of rows to `out`, in float32 or float64 as both are."""
    is_one_factor = len(layout.summands) == 1 and len(layout.summands[0]) == 1
    if is_one_factor and a.n_variables <= MOST_TILED_VARIABLES and out.size >= LEAST_TILED_ENTRIES:
        _fill_tiles(layout, a, b, table, out)
    else:
        _fill_rows(layout, a, b, table, out)


def _fill_tiles(layout: Layout, a: BitMatrix, b: BitMatrix, table: NDArray[Any], out: NDArray[Any]) -> None:
    """One tile of columns after the other; of a square matrix what is below the diagonal is not looked up again."""
    is_symmetric = a is b
    threads = thread_count() if out.size >= ENTRIES_FOR_THREADS else 1
    step = max(1, WORK_PER_CALL // (_core.GRAM_COLUMNS * _core.GRAM_ROWS * b.words.shape[1])) * _core.GRAM_ROWS
    for b_start in range(0, b.n_rows, _core.GRAM_COLUMNS):
        end = min(b_start + _core.GRAM_COLUMNS, b.n_rows) if is_symmetric else a.n_rows
        for first in range(0, end, step):
            last = min(first + step, end)
            _core.gram_tile(layout.native, a.words, b.words, b_start, first, last, table, out, is_symmetric, threads)


def _fill_rows(layout: Layout, a: BitMatrix, b: BitMatrix, table: NDArray[Any], out: NDArray[Any]) -> None:
    exact = out if out.dtype == np.float64 else np.empty(out.shape)
    for rows, threads in work_blocks(a.n_rows, len(layout.summands) * b.words.size):
        _core.gram(layout.native, a.words[rows], b.words, table.astype(np.float64), exact[rows], threads)
    if exact is not out:
        out[:] = exact
