from __future__ import annotations

import math
import sys
from fractions import Fraction

import pytest

from conjunct.theory import decision_value

SMALLEST = math.ulp(0.0)


@pytest.mark.parametrize("is_logarithmic", [False, True])
def test_a_tie_is_the_smallest_positive_float(is_logarithmic):
    assert decision_value(Fraction(0), is_logarithmic=is_logarithmic) == SMALLEST


@pytest.mark.parametrize("is_logarithmic", [False, True])
def test_a_value_too_small_for_a_float_keeps_its_sign(is_logarithmic):
    tiny = Fraction(1, 2**2000)
    assert decision_value(tiny, is_logarithmic=is_logarithmic) == SMALLEST
    assert decision_value(-tiny, is_logarithmic=is_logarithmic) == -SMALLEST


def test_a_value_too_large_for_a_float_is_the_largest():
    assert decision_value(Fraction(2**5000), is_logarithmic=False) == sys.float_info.max
    assert decision_value(Fraction(-(2**5000)), is_logarithmic=False) == -sys.float_info.max


def test_small_scores_are_shown_as_they_are():
    assert decision_value(Fraction(2**53 - 1), is_logarithmic=False) == 2**53 - 1
    assert decision_value(Fraction(-1, 3), is_logarithmic=False) == -1 / 3


@pytest.mark.parametrize("is_logarithmic", [False, True])
def test_values_never_decrease_in_the_exact_score(is_logarithmic):
    sizes = [Fraction(0), Fraction(1, 2**300), Fraction(1, 3), Fraction(1), Fraction(2**53), Fraction(2**53 + 1)]
    sizes += [Fraction(2**k + e, 3) for k in (60, 64, 100, 1000, 4096) for e in (-1, 0, 1, 2**20)]
    ordered = sorted([*sizes, *(-size for size in sizes)])
    values = [decision_value(v, is_logarithmic=is_logarithmic) for v in ordered]
    assert values == sorted(values)
    assert all(math.isfinite(value) for value in values)
    assert [value > 0 for value in values] == [v >= 0 for v in ordered]
