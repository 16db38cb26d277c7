"""Exact sums of kernel values with integer weights, by the core."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits import require_memory
from conjunct.errors import KernelError
from conjunct.kernels.work import add_kernel_sums, work_blocks
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels.kernel import Kernel
    from conjunct.kernels.layout import Layout

__all__ = ["LARGEST_WEIGHT_SUM", "ExactSum", "integers_from_limbs"]

LARGEST_WEIGHT_SUM = 1 << 61
LEAST_FLOAT = Fraction(1, 1 << 900)  # below, floats lose digits to the left as well
LARGEST_FLOAT = 1 << 80  # kernel values beyond differ so much that floats would rarely be sure
PAIRS_FOR_FLOATS = 1 << 12


@dataclass(frozen=True, eq=False)
class ExactSum:
    """Sums S(x) = sum_j w_j K(x, row_j) with integer weights, and whether they reach a threshold, without rounding.

    The sums are integers in units of 1/denominator. A sum is a histogram of weights over the kernel's table; for tables
    of powers of two its sign is one pass of carries, for others the table is held in as many 64-bit limbs as the
    largest sum needs.

    Attributes
    ----------
    layout : Layout
    denominator : int
        What makes every kernel value an integer.
    native : object
        The table and the threshold in limbs.
    is_logarithmic : bool
        Whether a kernel value passes 2**53, beyond which floats lose integers.
    goal : Fraction
        The threshold.
    """

    layout: Layout
    denominator: int
    native: _core.ExactTable
    is_logarithmic: bool
    goal: Fraction

    @classmethod
    def of(cls, kernel: Kernel, rows: BitMatrix, threshold: Fraction) -> ExactSum:
        """Prepare sums over rows like these; a sum reaches the threshold when sum_j w_j K(x, row_j) >= threshold."""
        layout = kernel.layout(rows)
        denominator = layout.denominator
        values = [int(value * denominator) for value in layout.values]
        goal = ceil(threshold * denominator)
        largest = max(values)
        bound = max(largest * len(layout.summands) * LARGEST_WEIGHT_SUM, abs(goal))
        n_limbs = (bound.bit_length() + 1) // 64 + 1
        require_memory(8 * len(values) * n_limbs, "the kernel's exact table", "set a smaller max_size")
        native = _core.ExactTable(
            limbs_from_integers(values, n_limbs), limbs_from_integers([goal], n_limbs)[0], _binary_digits(values, goal)
        )
        return cls(layout, denominator, native, layout.largest > 1 << 53, threshold)

    def scores(self, rows: BitMatrix, weights: NDArray[np.int64], x: BitMatrix) -> list[list[int]]:
        """Return, for every row of x and every weight vector, the exact sum times the denominator."""
        return [integers_from_limbs(row) for limbs in self._limbs(rows, weights, x) for row in limbs]

    def small_scores(self, rows: BitMatrix, weights: NDArray[np.int64], x: BitMatrix) -> NDArray[np.int64]:
        """Return what `scores` does as an array, for sums known to stay within 63 bits."""
        blocks = [limbs[:, :, 0].view(np.int64) for limbs in self._limbs(rows, weights, x)]
        return np.concatenate([np.empty((0, len(weights)), np.int64), *blocks])

    def _limbs(self, rows: BitMatrix, weights: NDArray[np.int64], x: BitMatrix) -> Iterator[NDArray[np.uint64]]:
        for block, threads in work_blocks(x.n_rows, self._work(rows, len(weights))):
            limbs = np.empty((block.stop - block.start, len(weights), self.native.n_limbs), np.uint64)
            _core.exact_scores(self.layout.native, self.native, rows.words, weights, x.words[block], limbs, threads)
            yield limbs

    def choices(self, rows: BitMatrix, weights: NDArray[np.int64], x: BitMatrix) -> NDArray[np.int64]:
        """Return 1 where the sum reaches the threshold and else 0; for several weight vectors, the first largest.

        Sums in floats decide where they differ by more than all their rounding; the rest is decided in integers.
        """
        chosen = np.empty(x.n_rows, np.int64)
        open_rows = np.arange(x.n_rows)
        is_usual = LEAST_FLOAT < self.layout.largest < LARGEST_FLOAT and abs(self.goal) < 1 / LEAST_FLOAT
        if is_usual and x.n_rows * rows.n_rows >= PAIRS_FOR_FLOATS:
            chosen, is_sure = self._float_choices(rows, weights, x)
            open_rows = np.flatnonzero(~is_sure)
        words = x.words if len(open_rows) == x.n_rows else x.words[open_rows]
        decided = np.empty(len(open_rows), np.int64)
        for block, threads in work_blocks(len(open_rows), self._work(rows, len(weights))):
            _core.exact_choices(
                self.layout.native, self.native, rows.words, weights, words[block], decided[block], threads
            )
        chosen[open_rows] = decided
        return chosen

    def _float_choices(
        self, rows: BitMatrix, weights: NDArray[np.int64], x: BitMatrix
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Choose by sums in floats, and say where that is sure.

        A sum of N products has a relative error of at most (N + 2) 2**-53 of the sum of their sizes, tables and weights
        rounded; twice that is allowed for.
        """
        sums = np.zeros((len(weights), x.n_rows))
        for row_weights, total in zip(weights, sums, strict=True):
            add_kernel_sums(self.layout, rows.words, row_weights.astype(np.float64), x, total)
        sizes = np.sum(np.abs(weights.astype(np.float64)), axis=1) * float(self.layout.largest)
        doubt = float(np.max(sizes)) * (rows.n_rows * len(self.layout.summands) + 8) * 2.0**-52
        if len(weights) == 1:
            excess = sums[0] - float(self.goal)
            return (excess > 0).astype(np.int64), np.abs(excess) > doubt + abs(float(self.goal)) * 2.0**-50
        two = np.partition(sums, len(sums) - 2, axis=0)[-2:]
        return np.argmax(sums, axis=0), two[1] - two[0] > 2 * doubt

    def votes(
        self,
        rows: BitMatrix,
        slot: NDArray[np.int64],
        weight: NDArray[np.int64],
        survival: NDArray[np.int64],
        x: BitMatrix,
    ) -> NDArray[np.int64]:
        """Return the votes, for or against, of the hypotheses that updates one after the other have made."""
        votes = np.empty(x.n_rows, np.int64)
        work = self._work(rows, 1) + len(slot) * self.native.n_limbs * len(self.layout.summands)
        for block, threads in work_blocks(x.n_rows, work):
            _core.votes(
                self.layout.native,
                self.native,
                rows.words,
                slot,
                weight,
                survival,
                x.words[block],
                votes[block],
                threads,
            )
        return votes

    def largest_sum(self, weights: NDArray[np.int64]) -> int:
        """Return a number that no sum with these weights passes, times the denominator."""
        heaviest = max(sum(abs(int(weight)) for weight in output) for output in weights)
        return heaviest * int(self.layout.largest * self.denominator)

    def _work(self, rows: BitMatrix, n_outputs: int) -> int:
        return len(self.layout.summands) * rows.words.size + n_outputs * len(self.layout.values)


def require_weight_sum(total: int) -> None:
    """Refuse weights whose sum could pass what the histograms hold."""
    if total > LARGEST_WEIGHT_SUM:
        raise KernelError(
            f"the weights of the mistakes sum to {shortened(total)}, limit is 2**61; use simpler class weights"
        )


def integers_from_limbs(limbs: NDArray[np.uint64]) -> list[int]:
    """Read signed integers, least limb first."""
    return [int.from_bytes(number.astype("<u8").tobytes(), "little", signed=True) for number in limbs]


def limbs_from_integers(integers: list[int], n_limbs: int) -> NDArray[np.uint64]:
    """Write signed integers, least limb first."""
    text = b"".join(number.to_bytes(8 * n_limbs, "little", signed=True) for number in integers)
    return np.frombuffer(text, "<u8").astype(np.uint64).reshape(len(integers), n_limbs)


def _binary_digits(values: list[int], goal: int) -> NDArray[np.int64] | None:
    """Write the goal in powers of two where the table is 1, 2, 4, ...; None where it is not, or the goal is far off."""
    top = len(values) - 1
    if any(value != 1 << s for s, value in enumerate(values)) or abs(goal >> top) >= LARGEST_WEIGHT_SUM:
        return None
    return np.array([goal >> s & 1 for s in range(top)] + [goal >> top], np.int64)
