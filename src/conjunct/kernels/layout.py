"""A kernel compiled for a width: which variables each factor counts, and one exact table that all indices fall into."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, log2, prod
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits.packing import pack_array
from conjunct.errors import KernelError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels.summands import Summand

__all__ = ["MOST_TABLE_VALUES", "Layout", "compile_layout"]

MOST_TABLE_VALUES = 1 << 22
BYTES_PER_BLOCK = 1 << 22


@dataclass(frozen=True, eq=False)
class Layout:
    """A kernel's summands laid out over one table.

    Attributes
    ----------
    native : object
        The compiled description the core's loops take.
    summands : tuple
        The products that the kernel is the sum of.
    offsets : tuple of int
        Where the joint table of each summand starts.
    values : tuple of Fraction
        The value behind every index: the joint tables of the summands, one after the other.
    """

    native: _core.Layout
    summands: tuple[Summand, ...]
    offsets: tuple[int, ...]
    values: tuple[Fraction, ...]

    @cached_property
    def denominator(self) -> int:
        """The least number that makes every value an integer."""
        return lcm(*(value.denominator for value in self.values))

    @cached_property
    def largest(self) -> Fraction:
        """A number no kernel value exceeds: the largest table entry, times the number of summands."""
        return max(self.values) * len(self.summands)

    @cached_property
    def floats(self) -> NDArray[np.float64]:
        """The table correctly rounded to float64; refused where a sum of values could overflow."""
        if self.largest >= 1 << 1023:
            raise KernelError(
                f"the kernel reaches about 2**{_log2(self.largest):.0f}, past float64 (2**1023). "
                "Use gram_log2, or a max_size to count short conjunctions only"
            )
        return np.array([float(value) for value in self.values])

    @cached_property
    def small_floats(self) -> NDArray[np.float32]:
        """The table in float32, rounded from float64; refused where a sum of values could overflow."""
        if self.largest >= 1 << 127:
            raise KernelError(
                f"the kernel reaches about 2**{_log2(self.largest):.0f}, past float32 (2**127). Use dtype=float64"
            )
        return self.floats.astype(np.float32)

    @cached_property
    def logs(self) -> NDArray[np.float64]:
        """The table's logarithms to base 2."""
        return np.array([_log2(value) for value in self.values])

    def own_index(self, rows: BitMatrix) -> list[NDArray[np.int64]]:
        """Return, for each summand, the index of every row paired with itself."""
        indices = [np.full(rows.n_rows, offset, np.int64) for offset in self.offsets]
        step = max(1, BYTES_PER_BLOCK // rows.n_variables)
        for start in range(0, rows.n_rows, step):
            block = slice(start, start + step)
            table = rows[block].to_array()
            for summand, index in zip(self.summands, indices, strict=True):
                for factor, stride in zip(summand, _strides(summand), strict=True):
                    ones = table[:, list(factor.columns)].sum(axis=1, dtype=np.int64)
                    index[block] += stride * (len(factor.columns) if factor.same else ones)
        return indices

    def own_values(self, rows: BitMatrix, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum over summands of the table's value for every row paired with itself."""
        values = np.zeros(rows.n_rows)
        for index in self.own_index(rows):
            values += table[index]
        return values


def compile_layout(summands: tuple[Summand, ...], n_variables: int) -> Layout:
    """Lay the summands of a kernel out for rows of a width."""
    sizes = [prod(len(factor.table) for factor in summand) for summand in summands]
    if sum(sizes) > MOST_TABLE_VALUES:
        groups = " x ".join(str(len(factor.columns)) for factor in summands[sizes.index(max(sizes))])
        raise KernelError(
            f"a kernel over groups of {groups} variables needs a table of {sum(sizes)} entries, "
            f"limit is {MOST_TABLE_VALUES}; use fewer or smaller groups"
        )
    values: list[Fraction] = []
    offsets = []
    for summand in summands:
        offsets.append(len(values))
        values.extend(prod(choice, start=Fraction(1)) for choice in product(*(factor.table for factor in summand)))
    factors = [factor for summand in summands for factor in summand]
    groups_as_bits = np.zeros((len(factors), n_variables), np.uint8)
    for bits, factor in zip(groups_as_bits, factors, strict=True):
        bits[list(factor.columns)] = 1
    native = _core.Layout(
        np.array([factor.same for factor in factors], np.uint8),
        pack_array(groups_as_bits)[0],
        np.array([stride for summand in summands for stride in _strides(summand)], np.int32),
        np.array([t for t, summand in enumerate(summands) for _ in summand], np.int32),
        np.array(offsets, np.int32),
        len(values),
    )
    return Layout(native, summands, tuple(offsets), tuple(values))


def _strides(summand: Summand) -> list[int]:
    return [prod(len(later.table) for later in summand[index + 1 :]) for index in range(len(summand))]


def _log2(value: Fraction) -> float:
    return log2(value.numerator) - log2(value.denominator)
