from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.errors import SettingError
from conjunct.settings import flag, probability, whole_number


def test_an_integer_of_numpy_becomes_one_of_python():
    assert type(whole_number(np.int32(3), "n_rows")) is int


def test_true_and_false_of_numpy_become_those_of_python():
    assert flag(np.True_, "verbose") is True
    assert flag(np.False_, "verbose") is False


@pytest.mark.parametrize("value", [0, 1, "True", None, np.int64(1), np.array([True, False])])
def test_other_values_than_true_and_false_are_refused(value):
    with pytest.raises(SettingError, match=r"^verbose=.*: expected True or False$"):
        flag(value, "verbose")


@pytest.mark.parametrize(
    ("value", "most", "message"),
    [
        (0, None, "size=0: expected a positive integer"),
        (9, 8, "size=9: expected an integer from 1 to 8"),
        (2.0, 8, "size=2.0: expected an integer from 1 to 8"),
        ("3", None, "size='3': expected a positive integer"),
    ],
)
def test_other_values_than_integers_in_range_are_refused(value, most, message):
    with pytest.raises(SettingError) as caught:
        whole_number(value, "size", most=most)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("value", "rate"),
    [
        (0, Fraction(0)),
        (1, Fraction(1)),
        (0.1, Fraction(1, 10)),
        (1e-05, Fraction(1, 100000)),
        ("1/3", Fraction(1, 3)),
        ("0.25", Fraction(1, 4)),
        (Fraction(2, 7), Fraction(2, 7)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(1, 10)),
    ],
)
def test_a_probability_is_exact(value, rate):
    assert probability(value, "noise") == rate


@pytest.mark.parametrize("value", ["x", "1/0", float("nan"), float("inf"), None, "", -0.1, 1.5, "4/3", 2])
def test_other_values_than_probabilities_are_refused(value):
    with pytest.raises(SettingError) as caught:
        probability(value, "noise")
    assert f"noise={value!r}" in str(caught.value)
