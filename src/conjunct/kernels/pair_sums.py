"""Weighted sums of kernel values over the pairs of one table of rows."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits import memory_limit
from conjunct.kernels.exact_sum import ExactSum
from conjunct.kernels.fill import fill_gram
from conjunct.kernels.work import PAIRS_PER_CALL, add_kernel_sums, threads_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels.kernel import Kernel
    from conjunct.kernels.layout import Layout

__all__ = ["EXACT", "PairSums"]

EXACT = 1 << 53  # floats hold every integer up to here
LEAST_DIGIT_BITS = 11  # bits; below, 40 bits of weight take more than four passes

MOST_CACHED_BYTES = 1 << 29  # bytes


class PairSums:
    """Sums K w over all pairs of some rows: agreement counts are made once and kept where they fit, else made anew.

    The counts do not depend on the table, so one object serves every kernel of the same shape: every ``max_size`` and
    all costs.

    Parameters
    ----------
    layout : Layout
        Of any kernel of that shape.
    rows : BitMatrix
    most_cached : int
        The counts of all pairs are kept while they take no more bytes than this and than half the memory limit.

    Notes
    -----
    A kept count takes one byte up to 255 variables, two beyond, and a look-up; making it anew takes about as long again
    (`docs/performance.md`). The sums are the same bits either way, on any number of threads.

    Examples
    --------
    >>> from conjunct.bits import BitMatrix
    >>> from conjunct.kernels import Conjunctions
    >>> rows = BitMatrix.of(["00", "01", "11"])
    >>> layout = Conjunctions().layout(rows)
    >>> sums = np.zeros(3)
    >>> PairSums(layout, rows).add(layout.floats, np.array([0, 2]), np.array([1.0, -1.0]), sums)
    >>> sums.tolist()  # rows agree on 2, 1, 0 places: values 4, 2, 1
    [3.0, 0.0, -3.0]
    """

    def __init__(self, layout: Layout, rows: BitMatrix, most_cached: int = MOST_CACHED_BYTES) -> None:
        self.layout, self.rows = layout, rows
        n_values = len(layout.values)
        is_one_factor = len(layout.summands) == 1 and len(layout.summands[0]) == 1 and n_values <= 1 << 16
        kind = np.uint8 if n_values <= 1 << 8 else np.uint16
        need = np.dtype(kind).itemsize * rows.n_rows**2
        is_kept = is_one_factor and need <= min(most_cached, memory_limit() // 2)
        self._counts: NDArray[Any] | None = self._count(np.dtype(kind)) if is_kept else None

    @property
    def is_cached(self) -> bool:
        """Whether the counts of all pairs are kept."""
        return self._counts is not None

    def add(
        self,
        table: NDArray[np.float64],
        chosen: NDArray[np.int64],
        weights: NDArray[np.float64],
        sums: NDArray[np.float64],
    ) -> None:
        """Add sum over i of weights[i] * K(row chosen[i], row j) to sums[j], for every row j."""
        n_rows = self.rows.n_rows
        if len(chosen) == 0:
            return
        step = max(1, PAIRS_PER_CALL // n_rows)
        if self._counts is not None:
            padded = np.zeros(np.iinfo(self._counts.dtype).max + 1)
            padded[: len(table)] = table
            for first in range(0, len(chosen), step):
                part = slice(first, first + step)
                threads = threads_for(len(chosen[part]) * n_rows)
                _core.sums_of_counts(self._counts, chosen[part], weights[part], padded, sums, threads)
            return
        add_kernel_sums(self.layout, self.rows.words[chosen], weights, self.rows, sums, table)

    def source(self, table: NDArray[np.float64]) -> _core.PairSource:
        """Return what the core's loops read single rows of kernel values from: the kept counts, or the rows."""
        if self._counts is None:
            return _core.PairSource(self.layout.native, self.rows.words, table)
        return _core.PairSource(self.layout.native, self.rows.words, table, self._counts)

    def exact(self, kernel: Kernel, weights: NDArray[np.int64]) -> NDArray[Any]:
        """Return the sums with integer weights, times the denominator of the kernel's layout, without rounding.

        Products and sums of integers are exact in floats below 2**53: the weights are cut into digits small enough for
        that. Where the digits would be too small, the sums are made in integers. The result holds int64, or Python's
        integers.
        """
        layout = kernel.layout(self.rows)
        table = [int(value * layout.denominator) for value in layout.values]
        support = np.flatnonzero(weights)
        largest = max(table) * len(layout.summands)
        digit = 62  # bits: all of a weight
        if sum(map(abs, weights.tolist())) * largest >= EXACT:
            digit = (EXACT // (len(support) * largest)).bit_length() - 1
        if digit < LEAST_DIGIT_BITS:
            sums = ExactSum.of(kernel, self.rows, Fraction(0))
            scores = sums.scores(self.rows[support], weights[None, support], self.rows)
            return np.array([score for (score,) in scores], object)
        floats, remainder, shift = np.array(table, np.float64), weights[support], 0
        totals: NDArray[Any] = np.zeros(self.rows.n_rows, np.int64)
        while np.any(remainder):
            low = np.sign(remainder) * (np.abs(remainder) & ((1 << digit) - 1))
            part = np.zeros(self.rows.n_rows)
            self.add(floats, support, low.astype(np.float64), part)
            whole = part.astype(np.int64)
            totals = whole if shift == 0 else totals.astype(object) + (whole.astype(object) << shift)
            remainder, shift = (remainder - low) // (1 << digit), shift + digit
        return totals

    def diagonal(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the kernel value of every row with itself."""
        return self.layout.own_values(self.rows, table)

    def gram(self, table: NDArray[np.float64], chosen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the kernel values of the chosen rows with each other."""
        rows, out = self.rows[chosen], np.empty((len(chosen), len(chosen)))
        fill_gram(self.layout, rows, rows, table, out)
        return out

    def _count(self, kind: np.dtype[Any]) -> NDArray[Any]:
        n_rows = self.rows.n_rows
        counts = np.empty((n_rows, n_rows), kind)
        step = max(_core.GRAM_ROWS, PAIRS_PER_CALL // n_rows // _core.GRAM_ROWS * _core.GRAM_ROWS)
        for first in range(0, n_rows, step):
            last = min(first + step, n_rows)
            _core.pair_counts(
                self.layout.native, self.rows.words, first, last, counts, threads_for((last - first) * n_rows)
            )
        return counts
