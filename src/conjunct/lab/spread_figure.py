"""Observed values on their axes: means as points, all runs as bars, published values as crosses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from conjunct.lab.palette import SHARED, Look

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_spread"]

_BETWEEN = 0.3  # of the distance of two series, from the bar of one x to that of the next


def draw_spread(axes: Axes, spread: Mapping[str, Any], seen: list[dict[str, Any]], looks: Mapping[str, Look]) -> None:
    """Draw what the observed values of one spread say."""
    if spread["along"] == "series":
        _draw_series(axes, spread, seen, looks)
    else:
        _draw_curves(axes, spread, seen, looks)


def _draw_series(axes: Axes, spread: Mapping[str, Any], seen: list[dict[str, Any]], looks: Mapping[str, Look]) -> None:
    """Put the series one under another: filled at the first x, hollow at the next."""
    names = list(dict.fromkeys(entry["series"] for entry in seen))
    sizes = sorted({entry["x"] for entry in seen})
    published: list[tuple[float, float]] = []
    for entry in seen:
        look, index = looks[entry["series"]], sizes.index(entry["x"])
        y = names.index(entry["series"]) + (index - (len(sizes) - 1) / 2) * _BETWEEN
        face = look.colour if index == 0 else "white"
        axes.hlines(y, entry["least"], entry["most"], look.colour, lw=2.5, alpha=0.6)
        axes.plot(entry["mean"], y, look.marker, color=look.colour, markerfacecolor=face, ms=6)
        if entry["published"] is not None:
            published.append((entry["published"], y))
    for index, x in enumerate(sizes):
        face = SHARED if index == 0 else "white"
        axes.plot(
            [], [], "o", color=SHARED, markerfacecolor=face, label=f"{spread['x_symbol']} = {x}: mean, least to most"
        )
    if published:
        axes.plot(*zip(*published, strict=True), "x", color=SHARED, ms=7, mew=1.6, ls="", label="published")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(left=0)
    axes.set_xlabel(spread["label"])


def _draw_curves(axes: Axes, spread: Mapping[str, Any], seen: list[dict[str, Any]], looks: Mapping[str, Look]) -> None:
    for index, name in enumerate(dict.fromkeys(entry["series"] for entry in seen)):
        entries = sorted((entry for entry in seen if entry["series"] == name), key=lambda entry: float(entry["x"]))
        reach = [
            [max(0.0, entry["mean"] - entry["least"]) for entry in entries],
            [max(0.0, entry["most"] - entry["mean"]) for entry in entries],
        ]
        axes.errorbar(
            [entry["x"] for entry in entries],
            [entry["mean"] for entry in entries],
            yerr=reach,
            color=looks[name].colour,
            linewidth=0.8,
            linestyle=("-", "--", ":")[index % 3] if looks[name].method != name else "-",
            marker=looks[name].marker,
            markersize=max(3.0, 7 - 1.5 * index),
            capsize=3,
            label=f"{name}: mean, least to most",
        )
    axes.set_xlabel(spread["x_symbol"])
    axes.set_ylabel(spread["label"])
    axes.set_xticks(sorted({entry["x"] for entry in seen}))
    if spread["y_log"]:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1.05 * max(entry["most"] for entry in seen) or 1)
