"""Floats that never contradict an exact sign."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

__all__ = ["decision_value"]

SMALLEST = math.ulp(0.0)


def decision_value(excess: Fraction, *, is_logarithmic: bool) -> float:
    """Turn an exact score minus its threshold into a finite float with the sign of the prediction.

    Parameters
    ----------
    excess : Fraction
        v, the exact score minus the threshold.
    is_logarithmic : bool
        Whether the model's kernel table passes 2**53, so that scores are shown as sign(v) log2(1 + |v|).

    Notes
    -----
    Positive exactly where the prediction is positive: v = 0 (a tie) gives the smallest positive float, and a v too
    small for a float gives the smallest float of its sign. Never decreasing in v.

    Examples
    --------
    >>> decision_value(Fraction(-7, 2), is_logarithmic=False)
    -3.5
    >>> decision_value(Fraction(2**4096 - 1), is_logarithmic=True)
    4096.0
    """
    if excess == 0:
        return SMALLEST
    size = abs(excess)
    if is_logarithmic:
        scaled = ((size.numerator + size.denominator) << 64) // size.denominator
        value = math.log2(scaled) - 64
    else:
        try:
            value = size.numerator / size.denominator
        except OverflowError:
            value = sys.float_info.max
    return max(value, SMALLEST) if excess > 0 else -max(value, SMALLEST)
