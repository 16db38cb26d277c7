from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.datasets.settings import require_integer, require_probability
from conjunct.errors import SettingError


def test_an_integer_of_numpy_becomes_one_of_python():
    assert type(require_integer("n_rows", np.int32(3), least=1)) is int


@pytest.mark.parametrize(
    ("value", "most", "message"),
    [
        (0, None, "size=0 is out of range; expected an integer of at least 1."),
        (9, 8, "size=9 is out of range; expected an integer from 1 to 8."),
        (2.0, 8, "size=2.0 is not an integer; expected an integer from 1 to 8."),
        ("3", None, "size='3' is not an integer; expected an integer of at least 1."),
    ],
)
def test_other_values_than_integers_in_range_are_refused(value, most, message):
    with pytest.raises(SettingError) as caught:
        require_integer("size", value, least=1, most=most)
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
    assert require_probability("noise", value) == rate


@pytest.mark.parametrize("value", ["x", "1/0", float("nan"), float("inf"), None, "", -0.1, 1.5, "4/3", 2])
def test_other_values_than_probabilities_are_refused(value):
    with pytest.raises(SettingError) as caught:
        require_probability("noise", value)
    assert f"noise={value!r}" in str(caught.value)
