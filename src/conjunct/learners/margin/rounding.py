"""Weights of floats as integers times a power of two: what a batch machine reports."""

from __future__ import annotations

from math import ceil, frexp, ldexp, log2
from typing import TYPE_CHECKING

import numpy as np

from conjunct.kernels.pair_sums import EXACT

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from conjunct.kernels.layout import Layout
    from conjunct.learners.margin.dual_solution import DualSolution

    Floats = NDArray[np.float64]
    Wholes = NDArray[np.int64]
    Weigh = Callable[[Wholes, Wholes, int], DualSolution]

__all__ = ["WEIGHT_BITS", "best_rounding", "rounded", "signed_rounding", "simplified"]

WEIGHT_BITS = 40
SIMPLE_BITS = 11
SPARE_BITS = 8  # a rounding to 2**-8 of the tolerance is not seen in the gap
SMALL_TOL = 1e-6  # tolerances up to here are worth a second rounding
SURPLUSES = (2.0**-36, 2.0**-32, 2.0**-28, 2.0**-24)  # parts of the weights, added to them before they are rounded


def best_rounding(weigh: Weigh, groups: tuple[Floats, Floats], layout: Layout, tol: float) -> DualSolution:
    """Round weights and weigh them; where the gap that results passes the tolerance, round them otherwise.

    Where floats promised a gap that the integers do not keep, the solution stopped by "precision".
    """
    best = weigh(*rounded(groups, layout, tol))
    # 1. Few digits may be the very optimum, as where all weights are equal.
    if tol <= SMALL_TOL:
        simple = weigh(*simplified(groups))
        best = simple if simple.bound >= best.bound else best
    # 2. Where kernel values are many times lam, what rounding takes from a score that was 1 costs more than a
    #    polynomial that is larger by that much.
    for surplus in SURPLUSES:
        if best.gap <= tol:
            break
        larger = weigh(*rounded((groups[0] * (1 + surplus), groups[1] * (1 + surplus)), layout, SMALL_TOL))
        best = larger if larger.gap < best.gap else best
    return best.judged(tol)


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
    bits = min(WEIGHT_BITS, room.bit_length() - 1)
    if bits < ceil(-log2(tol)) + SPARE_BITS:
        bits = WEIGHT_BITS
    exponent = frexp(largest)[1] - bits
    whole = [np.rint(np.ldexp(group, -exponent)).astype(np.int64) for group in weights]
    return whole[0], whole[1], exponent


def simplified(groups: tuple[Floats, Floats]) -> tuple[Wholes, Wholes, int]:
    """Round weights to few bits times one factor of many: their proportions are simple, their scale is precise."""
    weights = [np.maximum(0.0, group) for group in groups]
    largest = max(float(np.max(group, initial=0.0)) for group in weights)
    if largest == 0:
        return np.zeros(len(weights[0]), np.int64), np.zeros(len(weights[1]), np.int64), 0
    exponent = frexp(largest)[1] - WEIGHT_BITS
    factor = round(ldexp(largest, -exponent)) >> SIMPLE_BITS
    whole = [np.rint(group / largest * (1 << SIMPLE_BITS)).astype(np.int64) * factor for group in weights]
    return whole[0], whole[1], exponent


def signed_rounding(weights: Floats) -> tuple[Wholes, int]:
    """Round weights of any sign to whole multiples of one power of two, at most 40 bits."""
    largest = float(np.max(np.abs(weights), initial=0.0))
    exponent = frexp(largest)[1] - WEIGHT_BITS if largest > 0 else 0
    return np.rint(np.ldexp(weights, -exponent)).astype(np.int64), exponent
