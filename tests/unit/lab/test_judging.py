from __future__ import annotations

from typing import Any

import pytest

from conjunct.errors import SettingError
from conjunct.lab import Line, tightness, verdict


def line(measured: Any, relation: str, bound: Any) -> dict[str, Any]:
    return {"panel": "p", "series": "s", "x": 1, "measured": measured, "relation": relation, "bound": bound}


@pytest.mark.parametrize(
    ("measured", "relation", "bound", "word"),
    [
        (3, "<=", 3, "holds"),
        (4, "<=", 3.999, "violated"),
        (3, ">=", 3, "holds"),
        (2, ">=", 2.5, "violated"),
        (3, "==", 3.0, "holds"),
        (2, "==", 3, "violated"),
        (4, "==", 3, "violated"),
    ],
)
def test_a_line_is_judged_by_its_relation(measured: float, relation: str, bound: float, word: str) -> None:
    assert verdict({"lines": [line(measured, relation, bound)]}).word == word


def test_the_first_line_that_violates_is_named() -> None:
    lines = [line(1, "<=", 2), line(5, "<=", 4), line(9, "<=", 4)]
    answer = verdict({"lines": lines})
    assert answer.line == lines[1]
    assert str(answer) == "violated: p, s at 1: measured 5 is not <= 4"


@pytest.mark.parametrize(
    "result",
    [
        {},
        {"lines": []},
        {"lines": [{"measured": 1, "bound": 2}]},
        {"lines": [line(1, "<", 2)]},
        {"lines": [line(None, "<=", 2)]},
        {"lines": [line(1, "<=", "2")]},
        {"lines": [line(True, "<=", 2)]},
    ],
)
def test_what_cannot_be_judged_is_refused(result: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match="expected"):
        verdict(result)


def test_a_value_that_is_no_number_does_not_hold() -> None:
    assert verdict({"lines": [line(float("nan"), "<=", 2)]}).word == "violated"


def test_tightness_is_one_where_a_bound_is_reached() -> None:
    assert tightness([line(1, "<=", 4), line(3, "<=", 4)]) == 0.75
    assert tightness([line(8, ">=", 4)]) == 0.5
    assert tightness([line(0, "<=", 0), line(1, "<=", 4)]) == 1
    assert tightness([line(1, "<=", 0)]) == float("inf")


def test_the_worst_run_of_a_line_is_the_smallest_under_a_guaranteed_minimum() -> None:
    assert Line.of("p", "s", 1, [3, 5, 4], 9).measured == 5
    assert Line.of("p", "s", 1, [3, 5, 4], 1, ">=").measured == 3
    assert Line.of("p", "s", 1, [3, 5, 4], 1, ">=").mean == 4


def test_every_run_is_judged_by_its_own_bound() -> None:
    broken = Line.of("p", "s", 1, [10, 5, 90], [20, 4, 100])
    assert (broken.measured, broken.bound, broken.mean, broken.runs) == (5, 4, 35, 3)
    assert verdict({"lines": [line(broken.measured, "<=", broken.bound)]}).word == "violated"
    low = Line.of("p", "s", 1, [10, 5, 90], [9, 5, 91], ">=")
    assert (low.measured, low.bound) == (90, 91)
    equal = Line.of("p", "s", 1, [10, 5, 90], [10, 6, 90], "==")
    assert (equal.measured, equal.bound) == (5, 6)
    zero = Line.of("p", "s", 1, [10, 1], [10, 0])
    assert (zero.measured, zero.bound) == (1, 0)
    assert Line.of("p", "s", 1, [10, 3, 1], 0).measured == 10
    with pytest.raises(ValueError, match="shorter"):
        Line.of("p", "s", 1, [10, 5], [10])


@pytest.mark.parametrize(("values", "worst"), [([4, 3, 4], 3), ([4, 4, 5], 5), ([4, 4], 4)])
def test_the_worst_run_of_an_equality_is_the_farthest_from_it(values: list[int], worst: int) -> None:
    assert Line.of("p", "s", 1, values, 4, "==").measured == worst
