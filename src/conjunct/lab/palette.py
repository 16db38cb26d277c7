"""One colour and one marker for each method, through all panels of a figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["SHARED", "Look", "looks"]

SHARED = "#1f2937"  # what belongs to several methods
_COLOURS = ("#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#a16207", "#be185d", "#475569", "#0f766e", "#b91c1c")
_MARKERS = "os^DvPX"


class Look(NamedTuple):
    """How a method is drawn."""

    method: str
    colour: str
    marker: str


def looks(result: Mapping[str, Any]) -> dict[str, Look]:
    """Return how each series that is drawn looks: the series of one method alike, no two methods alike.

    Examples
    --------
    >>> panel = {"title": "mistakes", "along": "x"}
    >>> lines = [{"panel": "mistakes", "series": name} for name in ("hinge form", "Winnow2", "deviation form")]
    >>> methods = {"hinge form": "Perceptron", "deviation form": "Perceptron"}
    >>> found = looks({"panels": [panel], "lines": lines, "methods": methods})
    >>> [(name, look.method, look.marker) for name, look in found.items()]
    [('hinge form', 'Perceptron', 'o'), ('Winnow2', 'Winnow2', 's'), ('deviation form', 'Perceptron', 'o')]
    """
    tables = {axes["title"] for axes in (*result["panels"], *result.get("spreads", [])) if axes["along"] == "table"}
    drawn = [line["series"] for line in result["lines"] if line["panel"] not in tables]
    drawn += [entry["series"] for entry in result.get("observed", []) if entry["spread"] not in tables]
    methods = {series: result["methods"].get(series, series) for series in drawn}
    order = list(dict.fromkeys(methods.values()))
    signs = [(_COLOURS[index % len(_COLOURS)], _MARKERS[index % len(_MARKERS)]) for index in range(len(order))]
    return {series: Look(method, *signs[order.index(method)]) for series, method in methods.items()}
