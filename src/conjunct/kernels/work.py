"""How a long native computation is cut up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from conjunct import _core
from conjunct.bits import thread_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels.layout import Layout

__all__ = ["WORK_PER_CALL", "add_kernel_sums", "work_blocks"]

WORK_PER_CALL = 1 << 26  # word operations between two looks for signals: some 30 ms
WORK_FOR_THREADS = 1 << 20
PAIRS_PER_CALL = 1 << 25  # some 20 ms
PAIRS_FOR_THREADS = 1 << 18


def work_blocks(n_rows: int, work_per_row: int) -> Iterator[tuple[slice, int]]:
    """Cut rows into blocks between which Python can look for signals; yield each with its number of threads."""
    step = max(1, WORK_PER_CALL // max(1, work_per_row))
    threads = thread_count() if n_rows * work_per_row >= WORK_FOR_THREADS else 1
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows)), threads


def add_kernel_sums(
    layout: Layout,
    words: NDArray[np.uint64],
    weights: NDArray[np.float64],
    x: BitMatrix,
    sums: NDArray[np.float64],
    table: NDArray[np.float64] | None = None,
) -> None:
    """Add sum over i of weights[i] * K(row_i, x_j), the rows given by their words, to sums[j] for every row of x."""
    values = layout.floats if table is None else table
    n_tiles = PAIRS_PER_CALL // max(1, len(words)) // _core.GRAM_COLUMNS
    width = max(1, n_tiles) * _core.GRAM_COLUMNS
    for first in range(0, x.n_rows, width):
        last = min(first + width, x.n_rows)
        threads = threads_for(len(words) * (last - first))
        _core.kernel_sums(layout.native, words, weights, values, x.words, first, last, sums, threads)


def threads_for(n_pairs: int) -> int:
    """Return how many threads so many pairs of rows are worth."""
    return thread_count() if n_pairs >= PAIRS_FOR_THREADS else 1
