from __future__ import annotations

from typing import Any

import pytest
from matplotlib.figure import Figure

from conjunct.lab.palette import Look
from conjunct.lab.panel_figure import draw_panel

LOOKS = {"square": Look("square", "#0b6e99", "o")}


def panel(along: str) -> dict[str, Any]:
    return {"along": along, "x_symbol": "n", "x_label": "n", "y_label": "size", "x_log": False, "y_log": False}


def line(x: int, relation: str) -> dict[str, Any]:
    return {"series": "square", "x": x, "measured": 4, "bound": 4, "relation": relation}


@pytest.mark.parametrize(("relation", "inside"), [("<=", [3]), (">=", [4.1]), ("==", [])])
def test_the_side_that_a_bound_allows_is_shaded_and_none_of_an_equality(relation: str, inside: list[float]) -> None:
    curves, series = Figure().subplots(1, 2)
    draw_panel(curves, panel("x"), [line(1, relation), line(3, relation)], LOOKS)
    shaded = [y for y in (3, 4.1) for shade in curves.collections if shade.get_paths()[0].contains_point((2, y))]
    assert shaded == inside
    draw_panel(series, panel("series"), [line(1, relation), line(3, relation)], LOOKS)
    shaded = [
        x for x in (3, 4.1) for shade in series.patches if shade.get_x() <= x <= shade.get_x() + shade.get_width()
    ]
    assert shaded == inside


def test_values_under_two_bounds_are_drawn_once_and_named_after_their_method() -> None:
    looks = {name: Look("Perceptron", "#0b6e99", "o") for name in ("hinge form", "deviation form")}
    lines = [line(x, "<=") | {"series": name, "bound": 9 + len(name)} for x in (1, 2) for name in looks]
    axes = Figure().subplots()
    draw_panel(axes, panel("x"), lines, looks)
    labels = [each.get_label() for each in axes.lines]
    assert labels == ["Perceptron", "hinge form: upper bound", "deviation form: upper bound"]
    assert len({each.get_linestyle() for each in axes.lines}) == 3


@pytest.mark.parametrize(("relation", "inside"), [("<=", [3]), (">=", [4.1]), ("==", [])])
def test_places_stand_one_under_another_each_with_its_bound(relation: str, inside: list[float]) -> None:
    axes = Figure().subplots()
    places = panel("places") | {"places": ["led", "monks-1", "monks-2", "monks-3"]}
    draw_panel(axes, places, [line(1, relation), line(3, relation) | {"measured": 2}], LOOKS)
    assert [text.get_text() for text in axes.get_yticklabels()] == ["monks-1", "monks-3"]
    points = axes.lines[0]
    assert (points.get_label(), list(points.get_xdata()), list(points.get_ydata())) == ("square", [4, 2], [0, 1])
    assert [list(each.get_xdata()) for each in axes.lines[1:]] == [[4, 4], [4, 4]]
    for height in (0, 1):
        shaded = [
            x
            for x in (3, 4.1)
            for shade in axes.patches
            if shade.get_x() <= x <= shade.get_x() + shade.get_width()
            and shade.get_y() <= height <= shade.get_y() + shade.get_height()
        ]
        assert shaded == inside
