from __future__ import annotations

from fractions import Fraction
from math import log, sqrt

import pytest

from conjunct.bits import random_below
from conjunct.errors import SettingError
from conjunct.theory import (
    ceil_log,
    elimination_bound,
    elimination_literals_bound,
    exponentiated_gradient_bound,
    exponentiated_gradient_rate,
    floor_with_log,
    floor_with_sqrt,
    halving_bound,
    normalised_winnow_bound,
    normalised_winnow_rate,
    perceptron_best_constant_bound,
    perceptron_bound,
    perceptron_deviation_bound,
    perceptron_hinge_bound,
    perceptron_promotion_count,
    perceptron_sparse_disjunction_bound,
    perceptron_sparse_refuted_width,
    relative_entropy,
    signed_relative_entropy,
    winnow1_bound,
    winnow1_demotion_bound,
    winnow2_bound,
    winnow2_demotion_bound,
    winnow_promotion_bound,
    winnow_refuted_width_by_promotions,
    winnow_repeat_count,
    winnow_sparse_bound,
    winnow_sparse_refuted_width,
)


def is_floor(m, a, b, alpha, theta):
    """Whether m <= a + b log_alpha(theta) < m + 1, by comparing integer powers."""

    def reaches(m):
        left, right = (m - a) * b.denominator * a.denominator, b.numerator * a.denominator
        assert left.denominator == 1
        return alpha ** int(left) <= theta**right

    return reaches(m) and not reaches(m + 1)


def test_a_floor_with_a_logarithm_is_what_integer_powers_say():
    drawn = random_below(0, 10**6, 4000).reshape(800, 5).tolist()
    for i, (p, q, r, s, t) in enumerate(drawn):
        alpha = (Fraction(2), Fraction(3, 2), Fraction(9, 4), Fraction(8), Fraction(3))[i % 5]
        theta = alpha ** (t % 5) if i % 7 == 0 else 1 + Fraction(t % 500, 1 + s % 5)
        a, b = Fraction(p % 100, 1 + q % 4), Fraction(r % 40 + 1, 1 + r % 3)
        assert is_floor(floor_with_log(a, b, alpha, theta), a, b, alpha, theta)


@pytest.mark.parametrize(
    ("a", "b", "alpha", "theta", "expected"),
    [
        (0, 3, 8, 4, 2),  # exactly 2: a rational logarithm whose denominator is no power of two
        (Fraction(1, 2), Fraction(3, 4), 4, 2, 0),  # 7/8
        (Fraction(5, 8), Fraction(3, 4), 4, 2, 1),  # exactly 1
        (0, 1, "9/4", "27/8", 1),
        (0, 2, "9/4", "27/8", 3),
        (0, 10**12, 2, 2**40 + 1, 40 * 10**12 + 1),  # log2(1 + 2**-40) is 1.312e-12
        (0, 1, 2, 1, 0),
        ("7/2", 0, 2, 5, 3),
        (0, 1, "1.000001", 2, 693147),
    ],
)
def test_a_floor_at_or_near_an_integer_is_exact(a, b, alpha, theta, expected):
    assert floor_with_log(a, b, alpha, theta) == expected


@pytest.mark.parametrize("alpha", [Fraction(2), Fraction(3, 2), Fraction(10), Fraction(101, 100)])
def test_the_least_power_that_reaches_a_value_is_found(alpha):
    for theta in [Fraction(1, 7), Fraction(1), alpha, alpha**9, alpha**9 + 1, alpha**9 - Fraction(1, 10**30), 12345]:
        j = ceil_log(alpha, theta)
        assert alpha**j >= theta
        assert j == 0 or alpha ** (j - 1) < theta


def test_a_floor_with_a_square_root_is_what_squares_say():
    for p, q, r, s in random_below(1, 1000, 8000).reshape(2000, 4).tolist():
        a, t = Fraction(p - 500, q + 1), Fraction(r, s % 9 + 1) ** (1 + p % 2)
        m = floor_with_sqrt(a, t)
        assert m <= a or (m - a) ** 2 <= t
        assert m + 1 > a
        assert (m + 1 - a) ** 2 > t


def test_the_published_forms_of_the_winnow_bounds_come_out():
    for n in (2, 8, 64, 1024):
        for k in (0, 1, 2):
            assert winnow2_bound(n, k, n) == 2 + 3 * k * n.bit_length()
            assert winnow1_bound(n, k, n) == 1 + 2 * k * n.bit_length()
    assert winnow2_bound(50, 2, 50, "3/2") == int(3 + 5 * (1 + log(50) / log(1.5)))
    assert winnow2_bound(50, 2, 50, "3/2", attribute_errors=4) == winnow2_bound(50, 2, 50, "3/2") + 10
    assert winnow_promotion_bound(2, 50, attribute_errors=5) == 17
    assert winnow_sparse_bound(10, 3, attribute_errors=2) == 120
    assert winnow2_demotion_bound(10, 3, 4, 3) == int(1.5 * 10 / 4 + 9)
    assert winnow1_demotion_bound(10, 3, 4, 3) == int(10 / 4 + 6)


def test_the_figures_of_the_two_extreme_cases_come_out():
    assert [int(normalised_winnow_bound(n, 3, 1, 1)) for n in (50, 200, 800)] == [82, 107, 132]
    assert [perceptron_bound(n, 3, 1) for n in (50, 200, 800)] == [150, 600, 2400]
    assert normalised_winnow_rate(norm_1=6, max_abs=2, margin=3) == Fraction(1, 8)


def test_the_square_roots_of_the_perceptron_bounds_are_rounded_down():
    for loss, a_sq in [(0, 5), (3, 7), (Fraction(7, 2), 2), (100, 1)]:
        value = float(loss) + a_sq / 2 + sqrt(a_sq * (loss + a_sq / 4))
        assert perceptron_hinge_bound(loss, 1, a_sq) == perceptron_hinge_bound(loss, a_sq, 1) == int(value + 1e-9)
    for d_sq, a_sq, xi in [(0, 5, 1), (3, 7, 2), (Fraction(7, 2), 2, "1/3"), (100, 1, 1)]:
        value = ((sqrt(a_sq) + sqrt(d_sq)) / float(Fraction(xi))) ** 2
        assert perceptron_deviation_bound(d_sq, 1, a_sq, xi) == int(value + 1e-9)


def test_nothing_is_refuted_without_mistakes_and_everything_by_a_promotion_at_threshold_one():
    assert winnow_refuted_width_by_promotions(0, 9, 1) == 0
    assert winnow_refuted_width_by_promotions(1, 9, 1) == 9  # theta = 1: only the empty row is below it
    assert winnow_refuted_width_by_promotions(100, 9, 2) == 9
    assert perceptron_sparse_refuted_width(5, 5) == winnow_sparse_refuted_width(0, 5) == 0


def test_the_rate_and_the_bound_of_eg_are_their_formulas():
    assert exponentiated_gradient_rate(3.0, 4.0) == 2 * 4 / (9 * 6)
    assert exponentiated_gradient_bound(2.0, 0.5, 3.0, 4.0) == 3 * 2 + 0.75 * 9 * 0.5
    assert relative_entropy([0.5, 0.25, 0.25]) == pytest.approx(0.5 * log(1.5) + 0.5 * log(0.75))
    assert signed_relative_entropy([1.0, -2.0], norm=3.0) == pytest.approx(log(4) + log(1 / 3) / 3 + 2 * log(2 / 3) / 3)
    parts = [(1 + 0.5) / 3, 0.5 / 3, 0.5 / 3, 0.5 / 3]
    assert signed_relative_entropy([1.0, 0.0], norm=3.0) == pytest.approx(sum(p * log(4 * p) for p in parts))


@pytest.mark.parametrize(
    "call",
    [
        lambda: floor_with_log(0, -1, 2, 2),
        lambda: floor_with_log(0, 1, 1, 2),
        lambda: floor_with_log(0, 1, 2, "1/2"),
        lambda: ceil_log(1, 2),
        lambda: floor_with_sqrt(0, -1),
        lambda: elimination_bound(3, 4),
        lambda: elimination_bound(3, -1),
        lambda: elimination_literals_bound(-1),
        lambda: halving_bound(0),
        lambda: perceptron_bound(-1, 1, 1),
        lambda: perceptron_bound(1, 1, 0),
        lambda: perceptron_sparse_disjunction_bound(-1, 1),
        lambda: perceptron_sparse_disjunction_bound(1, -1),
        lambda: perceptron_sparse_disjunction_bound(1, 1, constant=0),
        lambda: perceptron_best_constant_bound(1, 0),
        lambda: perceptron_hinge_bound(-1, 1, 1),
        lambda: perceptron_deviation_bound(-1, 1, 1, 1),
        lambda: perceptron_deviation_bound(1, 1, 1, 0),
        lambda: perceptron_promotion_count(1, rate=0),
        lambda: perceptron_promotion_count(1, norm_sq=0),
        lambda: perceptron_sparse_refuted_width(-1, 1),
        lambda: winnow_promotion_bound(-1, 2),
        lambda: winnow_promotion_bound(1, 2, attribute_errors=-1),
        lambda: winnow2_bound(3, 4, 2),
        lambda: winnow2_bound(3, 1, "1/2"),
        lambda: winnow2_bound(3, 1, 2, 1),
        lambda: winnow2_bound(3, 1, 2, attribute_errors=-1),
        lambda: winnow1_bound(3, 4, 2),
        lambda: winnow2_demotion_bound(-1, 0, 2),
        lambda: winnow1_demotion_bound(1, -1, 2),
        lambda: winnow_sparse_bound(0, 1),
        lambda: winnow_repeat_count(0, 1),
        lambda: winnow_sparse_refuted_width(-1, 1),
        lambda: normalised_winnow_bound(0, 1, 1, 1),
        lambda: normalised_winnow_bound(1, 0, 1, 1),
        lambda: normalised_winnow_rate(1, 1, 0),
        lambda: exponentiated_gradient_rate(0.0, 1.0),
        lambda: exponentiated_gradient_rate(1.0, 0.0),
        lambda: exponentiated_gradient_bound(-1.0, 0.0, 1.0, 1.0),
        lambda: exponentiated_gradient_bound(1.0, 0.0, 0.0, 1.0),
        lambda: exponentiated_gradient_bound(1.0, 0.0, 1.0, 0.0),
        lambda: relative_entropy([0.5, 0.4]),
        lambda: signed_relative_entropy([2.0, -2.0], norm=3.0),
    ],
)
def test_numbers_that_no_theorem_covers_are_refused(call):
    with pytest.raises(SettingError, match=r"expected|need|passes"):
        call()
