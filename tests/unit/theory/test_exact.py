from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.errors import SettingError
from conjunct.theory import exact


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (3, Fraction(3)),
        (-2, Fraction(-2)),
        (np.int32(7), Fraction(7)),
        (0.1, Fraction(1, 10)),
        (np.float64(0.1), Fraction(1, 10)),
        (np.float32(0.1), Fraction(1, 10)),
        (1e-3, Fraction(1, 1000)),
        (1e22, Fraction(10**22)),
        ("2/3", Fraction(2, 3)),
        ("-4/6", Fraction(-2, 3)),
        ("7", Fraction(7)),
        ("0.25", Fraction(1, 4)),
        (" 5/2 ", Fraction(5, 2)),
        (Fraction(5, 9), Fraction(5, 9)),
    ],
)
def test_what_users_write_becomes_the_number_they_mean(given, expected):
    assert exact(given, "rate") == expected


@pytest.mark.parametrize(
    "given",
    [True, None, "", "x", "1/0", "1e5", "1/2/3", "0x1", "١", "1_0", float("nan"), float("inf"), -np.inf, 1j, [1], b"1"],
)
def test_what_is_no_exact_number_is_refused_by_name_and_value(given):
    with pytest.raises(SettingError, match=r"^rate="):
        exact(given, "rate")


def test_a_string_of_endless_digits_is_refused():
    with pytest.raises(SettingError, match="rate"):
        exact("9" * 5000, "rate")
