"""What is seen and not judged: its numbers, its place in table and figure, and that no verdict depends on it."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import pytest

from conjunct.lab import Experiment, Line, Observed, Panel, Spread, draw, run, text_table, verdict

CURVES, NAMES = Spread("curves", "n", "size", "x", y_log=True), Spread("names", "d", "risk", "series")


def experiment(spreads: tuple[Spread, ...] = (NAMES, CURVES)) -> Experiment:
    def trials(seed: int, quick: bool) -> list[Any]:
        seen = [
            Observed.of("curves", "rows", 2, [3, 5]),
            Observed.of("curves", "rows", 4, [9]),
            Observed.of("names", "tree", 3, [Fraction(80), 90], published=110),
            Observed.of("names", "SVM", 3, [44.25]),
        ]
        return [lambda: [Line.of("floor", "at least", 3, [5, 4], 3, ">="), *(seen if spreads else [])]]

    floor = Panel("floor", "n", "size n", x_log=False, y_log=False)
    remarks = ("one sample is in print",) if spreads else ()
    return Experiment(
        "toy",
        "A toy",
        "So.",
        (("blum1992", "nowhere"),),
        ("none",),
        (("n", "loose"),),
        (floor,),
        "Yes.",
        trials,
        spreads=spreads,
        remarks=remarks,
    )


def test_runs_are_summed_up() -> None:
    seen = Observed.of("names", "tree", 3, [Fraction(1), 2, 6])
    assert (seen.mean, seen.least, seen.most, seen.runs, seen.published) == (3.0, 1, 6, 3, None)
    assert seen.deviation == pytest.approx(7**0.5)
    assert Observed.of("names", "tree", 3, [4]).deviation == 0


def test_observed_values_are_kept_apart_in_the_order_of_their_spreads() -> None:
    result = run(experiment())
    assert [line["panel"] for line in result["lines"]] == ["floor"]
    assert [each["spread"] for each in result["observed"]] == ["names", "names", "curves", "curves"]


def test_a_result_without_spreads_has_no_entry_for_them() -> None:
    assert not {"observed", "spreads", "remarks"} & set(run(experiment(())))


def test_the_table_prints_them_beside_what_was_published() -> None:
    lines = text_table(run(experiment())).splitlines()
    assert "names (observed, not judged)" in lines
    assert "  tree     3    2        85     7.071        80        90       110" in lines
    assert "  SVM      3    1     44.25         0     44.25     44.25         -" in lines
    assert "  rows     2    2         4     1.414         3         5" in lines
    assert "- one sample is in print" in lines


def test_no_verdict_depends_on_them() -> None:
    result = run(experiment())
    changed = copy.deepcopy(result)
    for each in changed["observed"]:
        each["published"], each["mean"] = -1, 1e9
    assert verdict(result) == verdict(changed)


def test_the_figure_shows_them() -> None:
    result = run(experiment())
    changed = copy.deepcopy(result)
    changed["observed"][0]["published"] = 85
    assert draw(result, "svg") != draw(changed, "svg")
    changed = copy.deepcopy(result)
    changed["observed"][-1]["mean"] = 7
    assert draw(result, "svg") != draw(changed, "svg")
