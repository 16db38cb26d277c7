"""Weights of floats as integers times a power of two: what a batch machine reports."""

from __future__ import annotations

from math import ceil, frexp, ldexp, log2
from typing import TYPE_CHECKING

import numpy as np

from conjunct.kernels.pair_sums import EXACT

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.kernels.layout import Layout

    Floats = NDArray[np.float64]
    Wholes = NDArray[np.int64]

__all__ = ["rounded", "simplified"]

MOST_BITS = 40
SIMPLE_BITS = 11
SPARE_BITS = 8  # a rounding to 2**-8 of the tolerance is not seen in the gap


def rounded(groups: tuple[Floats, Floats], layout: Layout, tol: float) -> tuple[Wholes, Wholes, int]:
    """Round weights to whole multiples of one power of two, none negative: the two groups, and the exponent.

    As many bits as leave sums of kernel values exact in floats, if these suffice for the tolerance; otherwise 40.
    """
    weights = [np.maximum(0.0, group) for group in groups]
    largest = max(float(np.max(group, initial=0.0)) for group in weights)
    if largest == 0:
        return np.zeros(len(weights[0]), np.int64), np.zeros(len(weights[1]), np.int64), 0
    total = sum(float(np.sum(group)) for group in weights)
    room = EXACT // ceil(layout.largest * layout.denominator * ceil(total / largest + 1))
    bits = min(MOST_BITS, room.bit_length() - 1)
    if bits < ceil(-log2(tol)) + SPARE_BITS:
        bits = MOST_BITS
    exponent = frexp(largest)[1] - bits
    whole = [np.rint(np.ldexp(group, -exponent)).astype(np.int64) for group in weights]
    return whole[0], whole[1], exponent


def simplified(groups: tuple[Floats, Floats]) -> tuple[Wholes, Wholes, int]:
    """Round weights to few bits times one factor of many: their proportions are simple, their scale is precise."""
    weights = [np.maximum(0.0, group) for group in groups]
    largest = max(float(np.max(group, initial=0.0)) for group in weights)
    if largest == 0:
        return np.zeros(len(weights[0]), np.int64), np.zeros(len(weights[1]), np.int64), 0
    exponent = frexp(largest)[1] - MOST_BITS
    factor = round(ldexp(largest, -exponent)) >> SIMPLE_BITS
    whole = [np.rint(group / largest * (1 << SIMPLE_BITS)).astype(np.int64) * factor for group in weights]
    return whole[0], whole[1], exponent
