from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.datasets import embedded, led, led_bayes_error
from conjunct.errors import SettingError

# As drawn: top; upper left and right; middle; lower left and right; bottom.
PATTERNS = [
    *("1110111", "0010010", "1011101", "1011011", "0111010"),
    *("1101011", "1101111", "1010010", "1111111", "1111011"),
]


def test_without_noise_every_row_is_its_digit():
    table = led(1000, seed=3, noise=0)
    assert {
        "".join(map(str, row)) == PATTERNS[digit]
        for row, digit in zip(table.rows.to_array().tolist(), table.labels.tolist(), strict=True)
    } == {True}
    assert np.bincount(table.labels, minlength=10).min() > 50
    assert table.rows.names == (
        "top",
        "upper_left",
        "upper_right",
        "middle",
        "lower_left",
        "lower_right",
        "bottom",
    )


def test_two_classes_are_the_low_and_the_high_digits():
    ten, two = led(500, seed=1), led(500, seed=1, two_classes=True)
    assert two.labels.tolist() == [int(digit <= 4) for digit in ten.labels.tolist()]
    assert ten.rows == two.rows


def test_each_segment_flips_at_the_rate_asked_for():
    clean, noisy = led(20_000, seed=5, noise=0), led(20_000, seed=5)
    assert np.array_equal(clean.labels, noisy.labels)
    rates = (clean.rows.to_array() != noisy.rows.to_array()).mean(axis=0)
    assert np.abs(rates - 0.1).max() < 0.011  # five standard deviations


def test_irrelevant_variables_are_fair_coins_and_change_nothing_else():
    table = led(4000, seed=2, irrelevant=17)
    bits = table.rows.to_array()
    assert table.rows.names[7:] == tuple(f"extra{i}" for i in range(1, 18))
    assert np.array_equal(bits[:, :7], led(4000, seed=2).rows.to_array())
    assert np.abs(bits[:, 7:].mean(axis=0) - 0.5).max() < 0.04


def test_seeds_and_sizes():
    assert led(50, seed=4).rows == led(500, seed=4).rows[:50]
    assert led(50, seed=4).rows != led(50, seed=5).rows


def test_the_exact_bayes_error_of_two_classes():
    error = led_bayes_error("1/10", two_classes=True)
    assert error == Fraction(870_491, 6_250_000)
    assert error * 100 == Fraction("13.927856")
    assert led_bayes_error(0.1, two_classes=True) == error


def test_the_bayes_error_at_the_ends():
    assert led_bayes_error(0) == led_bayes_error(1) == led_bayes_error(0, two_classes=True) == 0
    assert led_bayes_error("1/2") == Fraction(9, 10)
    assert led_bayes_error("1/2", two_classes=True) == Fraction(1, 2)


@pytest.mark.parametrize("two_classes", [False, True])
def test_the_bayes_rule_errs_as_often_as_said(two_classes):
    rows, labels = led(200_000, seed=11, two_classes=two_classes)
    rate = Fraction(1, 10)

    def best(pattern):
        scores = {}
        for digit, segments in enumerate(PATTERNS):
            label = int(digit <= 4) if two_classes else digit
            n_flips = sum(int(a) != b for a, b in zip(segments, pattern, strict=True))
            scores[label] = scores.get(label, 0) + rate**n_flips * (1 - rate) ** (7 - n_flips)
        return max(scores, key=scores.get)

    cells = rows.pool(labels)
    choice = np.array([best(pattern) for pattern in cells.rows.to_array().tolist()])
    error = float((choice[cells.cell_of] != labels).mean())
    assert abs(error - float(led_bayes_error(two_classes=two_classes))) < 0.005


def test_the_embedded_table():
    table = embedded("led")
    assert table.rows.shape == (500, 7)
    assert set(table.labels.tolist()) == {0, 1}


@pytest.mark.parametrize(
    ("name", "value"), [("n_rows", 0), ("noise", 1.5), ("noise", "x"), ("irrelevant", -1), ("seed", "s")]
)
def test_bad_arguments_are_refused_by_name(name, value):
    with pytest.raises(SettingError, match=name):
        led(**{"n_rows": 5, "seed": 0, name: value})
