"""Weighted sums of zeros and ones held against a threshold: exact for integers of any size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from conjunct.logic.formula import Rows, positions_in

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["columns_reaching", "rows_reaching", "table_reaching"]

LARGEST_SUM = 1 << 62  # sums of smaller absolute weights stay inside int64
LIMB_BITS = 31  # bits: sums of so many per weight stay inside int64 for up to 2**31 variables
ROWS_AT_ONCE = 1 << 16  # rows whose sums are Python integers at one time


def rows_reaching(rows: Rows, weights: Mapping[str, int], threshold: int) -> NDArray[np.bool_]:
    """Return, for every row, whether the weights of the variables that are 1 sum to the threshold or more."""
    positions = positions_in(rows, weights)

    def sums(part: Mapping[str, int]) -> NDArray[np.int64]:
        dense = np.zeros(len(rows.names), np.int64)
        for name, weight in part.items():
            dense[positions[name]] = weight
        return rows.weighted_sums(dense)

    total = sum(map(abs, weights.values()))
    if total < LARGEST_SUM:
        return sums(weights) >= max(-LARGEST_SUM, min(threshold, LARGEST_SUM))
    limbs = [
        sums({name: _limb(weight, start) for name, weight in weights.items()})
        for start in range(0, total.bit_length(), LIMB_BITS)
    ]
    is_reached = np.empty(len(limbs[0]), bool)
    for first in range(0, len(is_reached), ROWS_AT_ONCE):
        part = slice(first, first + ROWS_AT_ONCE)
        exact = sum(limb[part].astype(object) * (1 << LIMB_BITS * index) for index, limb in enumerate(limbs))
        is_reached[part] = exact >= threshold
    return is_reached


def _limb(weight: int, start: int) -> int:
    """Return LIMB_BITS bits of a weight's absolute value, from bit `start` on, with its sign."""
    bits = abs(weight) >> start & ((1 << LIMB_BITS) - 1)
    return bits if weight >= 0 else -bits


def columns_reaching(columns: Sequence[NDArray[np.bool_]], weights: Sequence[int], threshold: int) -> NDArray[np.bool_]:
    """Return the same for zeros and ones given as columns, at least one.

    Examples
    --------
    >>> columns_reaching([np.array([True, False]), np.array([True, True])], [1, 2**80], 2**80 + 1)
    array([ True, False])
    """
    kind = np.int64 if sum(map(abs, weights)) < LARGEST_SUM else object
    total = np.zeros(len(columns[0]), kind)
    for column, weight in zip(columns, weights, strict=True):
        total += column.astype(kind) * weight
    if kind is object:
        return (total >= threshold).astype(bool)
    return np.asarray(total >= max(-LARGEST_SUM, min(threshold, LARGEST_SUM)), bool)


def table_reaching(columns: Sequence[int], weights: Sequence[int], threshold: int, everywhere: int) -> int:
    """Return the truth table of a weighted sum of truth tables reaching a threshold.

    Parameters
    ----------
    columns : sequence of int
        Truth tables, as `Formula.table` gives them.
    weights : sequence of int
    threshold : int
    everywhere : int
        The table that is 1 at every assignment.

    Notes
    -----
    A negative weight w of c counts as -w of the complement of c, with -w added to the threshold. The sums of all
    assignments are then added at once, one truth table per binary digit, and compared digit by digit.

    Examples
    --------
    >>> format(table_reaching([0b1010, 0b1100], [2, -1], 1, 0b1111), "04b")
    '1010'
    """
    bits: list[int] = []
    for column, weight in zip(columns, weights, strict=True):
        if weight < 0:
            threshold -= weight
            column ^= everywhere
        _add(bits, column, abs(weight))
    if threshold <= 0:
        return everywhere
    if threshold.bit_length() > len(bits):
        return 0
    is_reached = everywhere
    for index, digit in enumerate(bits):
        is_reached = digit & is_reached if threshold >> index & 1 else digit | is_reached
    return is_reached


def _add(bits: list[int], column: int, weight: int) -> None:
    """Add a weight to the sums of the assignments where a column is 1."""
    carry, index = 0, 0
    while weight >> index or carry:
        if index == len(bits):
            bits.append(0)
        added = column if weight >> index & 1 else 0
        digit = bits[index]
        either = digit ^ added
        bits[index] = either ^ carry
        carry = digit & added | carry & either
        index += 1
