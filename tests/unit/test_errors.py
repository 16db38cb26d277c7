from __future__ import annotations

import datetime as dt
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

from conjunct.messages import shortened


class Silent:
    def __repr__(self) -> str:
        raise RuntimeError("no\nword")


class Loud:
    def __repr__(self) -> str:
        return "\x1b[2J" + "a\r\n\u2028b\x00" * 1000


class Wrong:
    def __repr__(self) -> int:
        return 7


@pytest.mark.parametrize(
    "value",
    [
        np.arange(12.0).reshape(4, 3),
        np.arange(10**6),
        np.array(["a\nb", "c"], object),
        "line\nend\r\u2028\x85\x1b[2J",
        "x" * 10**6,
        b"\n\xff" * 100,
        list(range(10**5)),
        {"a": np.eye(3)},
        pd.DataFrame({"a\n": [1, 2]}),
        pl.DataFrame({"a": ["\n"]}),
        10**5000,
        -(10**5000),
        [10**5000],
        Fraction(10**5000, 7),
        Silent(),
        [Silent()],
        Loud(),
        Wrong(),
        type("Long\n" * 50, (Silent,), {})(),
    ],
    ids=lambda value: type(value).__name__[:10],
)
def test_any_value_is_shown_short_and_on_one_line(value: object) -> None:
    text = shortened(value)
    assert text
    assert text.isprintable()
    assert len(text) <= 43


@pytest.mark.parametrize("value", [0, -1, 0.1, "a  b", "it's", None, True, (1, 2), [], dt.date(2020, 1, 2)])
def test_a_short_value_is_shown_as_python_writes_it(value: object) -> None:
    assert shortened(value) == repr(value)


def test_an_exact_number_is_shown_as_a_ratio() -> None:
    assert (shortened(Fraction(-1, 3)), shortened(Fraction(2))) == ("-1/3", "2")


def test_what_is_cut_says_so_and_line_ends_become_blanks() -> None:
    assert shortened("x" * 41) == "'" + "x" * 39 + "..."
    assert shortened(np.eye(2, dtype=int)) == "array([[1, 0], [0, 1]])"
