from __future__ import annotations

from fractions import Fraction

import pytest

from conjunct.bits import random_below
from conjunct.errors import SettingError
from conjunct.theory import (
    box_value,
    quadratic_form,
    regularised_risk,
    ridge_value,
    rounded_weights,
    square_risk,
    svm_value,
)

GRAM = [[4, 2, 1], [2, 5, 3], [1, 3, 6]]


def test_the_form_is_the_sum_over_pairs_and_rows():
    pairs = 4 * 1 + 5 * 4 + 6 * 9 + 2 * (-2 * 2 + 1 * 3 - 3 * 6)
    assert quadratic_form(GRAM, [1, -1, 1], [1, 2, 3], 0) == pairs
    assert quadratic_form(GRAM, [1, -1, 1], [1, 2, 3], "1/2") == pairs + 7
    assert quadratic_form(GRAM, [1, -1, 1], [1, 2, 3], 6, [1, 2, 3]) == pairs + 6 * 1 + 3 * 4 + 2 * 9
    assert quadratic_form(GRAM, [1, 1, 1], [1, -2, 3], 0) == pairs
    assert quadratic_form([], [], [], 1) == 0


def test_values_do_not_change_with_the_scale_of_the_weights():
    assert svm_value(GRAM, [1, -1, 1], [1, 2, 3], 2) == svm_value(GRAM, [1, -1, 1], ["1/7", "2/7", "3/7"], 2)
    assert svm_value(GRAM, [1, -1, 1], [1, 2, 3], 2) == Fraction(36) / quadratic_form(GRAM, [1, -1, 1], [1, 2, 3], 2)
    assert ridge_value(GRAM, [1, -1, 1], [-1, 2, 3], 2) == ridge_value(GRAM, [1, -1, 1], [1, -2, -3], 2)


def test_weights_that_prove_nothing_have_value_0():
    assert svm_value(GRAM, [1, 1, 1], [0, 0, 0], 1) == svm_value(GRAM, [1, 1, 1], [0, 0, 0], 0) == 0
    assert ridge_value(GRAM, [1, 1, 1], [1, -2, 1], 1) == 0


def test_rows_of_one_cell_may_be_pooled():
    """A mass q is q rows alike that share the weight."""
    pooled = quadratic_form([[4, 2], [2, 5]], [1, -1], [6, 1], 1, [3, 1])
    rows = [[4, 4, 4, 2]] * 3 + [[2, 2, 2, 5]]
    assert pooled == quadratic_form(rows, [1, 1, 1, -1], [2, 2, 2, 1], 1)


def test_the_box_value_is_the_best_over_rows_within_the_box():
    """2 sum a - a'Qa over a grid of a <= 1/lam on the three rows of one cell, two of them positive."""
    lam, grid = Fraction(1, 2), [Fraction(v, 2) for v in range(-8, 5)]
    best = {}
    for first in grid:
        for second in grid:
            for third in grid:
                b = first + second - third
                best[b] = max(best.get(b, -1000), 2 * (first + second + third) - 3 * b * b)
    assert all(box_value([[3]], [2], [1], lam, [b]) == best[b] for b in (Fraction(v, 2) for v in range(-3, 5)))


def test_a_risk_adds_the_norm_and_the_slacks():
    scores, y = ["1/2", 2, -1, -2], [1, 1, 1, -1]
    assert regularised_risk(scores, y, 3, 2) == 3 + (Fraction(1, 4) + 4) / 2
    assert square_risk(scores, y, 3, 2) == 3 + (Fraction(1, 4) + 1 + 4 + 1) / 2
    assert regularised_risk(scores, y, 3, 2, [4, 1, 3, 1]) == 3 + (1 + 12) / Fraction(2)
    assert square_risk(scores, y, 3, 2, [4, 1, 3, 5]) == 3 + (1 + 1 + 12 + 5) / Fraction(2)


@pytest.mark.parametrize("bits", [1, 2, 7, 40, 53, 60])
def test_rounded_weights_are_near_and_within_their_bits(bits):
    for seed in range(60):
        drawn = random_below(seed, 2**62, 1 + seed % 9).tolist()
        weights = [(v - 2**61) * 2.0 ** (seed - 90) for v in drawn]
        integers, exponent = rounded_weights(weights, bits)
        assert max(abs(v) for v in integers).bit_length() <= bits
        unit = Fraction(2) ** exponent
        most = max(abs(Fraction(w)) for w in weights) / (2**bits - Fraction(1, 2))  # half a unit of the last bit
        assert all(abs(v * unit - Fraction(w)) <= most for v, w in zip(integers, weights, strict=True))
        assert any(v % 2 for v in integers)


def test_a_largest_weight_that_rounds_up_keeps_to_its_bits():
    assert rounded_weights([15.9, 1.0], bits=4) == ([1, 0], 4)  # in twos 8 and 1/2, to even 0
    assert rounded_weights([15.9, 1.5], bits=4) == ([8, 1], 1)
    assert rounded_weights([-31.0, 3.0], bits=4) == ([-8, 1], 2)
    assert rounded_weights([2.0**-1074, 2.0**-1073]) == ([1, 2], -1074)
    assert rounded_weights([2.0**1023]) == ([1], 1023)


def test_negative_weights_are_clipped_when_asked():
    assert rounded_weights([-8.0, 1.0, 3.0]) == ([-8, 1, 3], 0)
    assert rounded_weights([-8.0, 1.0, 3.0], bits=2, nonnegative=True) == ([0, 1, 3], 0)
    assert rounded_weights([-8.0], nonnegative=True) == rounded_weights([0.0]) == rounded_weights([-0.0]) == ([0], 0)
    assert rounded_weights([]) == ([], 0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quadratic_form(GRAM, [1, 1], [1, 1], 1), "gram: expected 2 rows of 2 numbers"),
        (lambda: quadratic_form([[1, 2], [1]], [1, 1], [1, 1], 1), "gram: expected 2 rows of 2 numbers"),
        (lambda: quadratic_form([[1, 2], [3, 1]], [1, 1], [1, 1], 1), "gram: expected a symmetric matrix"),
        (lambda: quadratic_form(GRAM, [1, 0, 1], [1, 1, 1], 1), "signs: expected +1 and -1"),
        (lambda: quadratic_form(GRAM, [1, 1, 1], [1, 1], 1), "weights has 2 numbers: expected 3"),
        (lambda: quadratic_form(GRAM, [1, 1, 1], [1, 1, 1], -1), "lam=-1: expected 0 or more"),
        (lambda: quadratic_form(GRAM, [1, 1, 1], [1, 1, 1], 1, [1, 0, 1]), "masses: expected positive"),
        (lambda: quadratic_form(GRAM, [1, 1, 1], [1, 1, 1], 1, [1]), "masses has 1 numbers: expected 3"),
        (lambda: svm_value(GRAM, [1, 1, 1], [1, -2, 1], 1), "weights has -2: expected 0 or more"),
        (lambda: ridge_value([[1, 1], [1, 1]], [1, -1], [1, 1], 0), "V(a) = 0 with sum a != 0"),
        (lambda: box_value([[1]], [1], [1], 0, [1]), "lam=0: expected a positive"),
        (lambda: box_value([[1]], [-1], [1], 1, [1]), "positives, negatives: expected masses"),
        (lambda: box_value([[1]], [1], [1], 1, [1, 1]), "b has 2 numbers: expected 1"),
        (lambda: regularised_risk([1], [1], -1, 1), "norm_sq=-1: expected a square"),
        (lambda: regularised_risk([1], [1], 1, 0), "lam=0: expected a positive"),
        (lambda: square_risk([1], [2], 1, 1), "signs: expected +1 and -1"),
        (lambda: square_risk([1, 2], [1], 1, 1), "scores has 2 numbers: expected 1"),
        (lambda: rounded_weights([1.0], bits=0), "bits=0: expected 1 or more"),
        (lambda: rounded_weights([1.0, float("nan")]), "weights has nan: expected finite"),
    ],
)
def test_what_has_no_value_is_refused_in_one_line(call, message):
    with pytest.raises(SettingError) as refusal:
        call()
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)
