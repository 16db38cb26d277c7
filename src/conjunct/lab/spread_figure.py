"""Observed values on their axes: means as points, all runs as bars, published values as crosses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_spread"]

_BETWEEN = 0.3  # of the distance of two series, from the bar of one x to that of the next


def draw_spread(axes: Axes, spread: Mapping[str, Any], seen: list[dict[str, Any]], colours: tuple[str, ...]) -> None:
    """Draw what the observed values of one spread say."""
    if spread["along"] == "series":
        _draw_series(axes, spread, seen, colours)
    else:
        _draw_curves(axes, spread, seen, colours)
    axes.set_title(spread["title"])
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    axes.legend(frameon=False)


def _draw_series(axes: Axes, spread: Mapping[str, Any], seen: list[dict[str, Any]], colours: tuple[str, ...]) -> None:
    names = list(dict.fromkeys(each["series"] for each in seen))
    sizes = sorted({each["x"] for each in seen})
    known: list[tuple[float, float]] = []
    for place, x in enumerate(sizes):
        own = [each for each in seen if each["x"] == x]
        shift = (place - (len(sizes) - 1) / 2) * _BETWEEN
        heights = [names.index(each["series"]) + shift for each in own]
        symbol = f"{spread['x_symbol']} = {x}"
        axes.hlines(heights, [each["least"] for each in own], [each["most"] for each in own], colours[place], lw=3.5)
        means = [each["mean"] for each in own]
        axes.plot(
            means,
            heights,
            "o",
            color="white",
            markeredgecolor=colours[place % len(colours)],
            markersize=5,
            label=f"{symbol}: ours",
        )
        known += [(each["published"], y) for each, y in zip(own, heights, strict=True) if each["published"] is not None]
    if known:
        axes.plot(*zip(*known, strict=True), "x", color="black", markersize=7, markeredgewidth=1.6, label="published")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel(spread["label"])


def _draw_curves(axes: Axes, spread: Mapping[str, Any], seen: list[dict[str, Any]], colours: tuple[str, ...]) -> None:
    for place, name in enumerate(dict.fromkeys(each["series"] for each in seen)):
        own = sorted((each for each in seen if each["series"] == name), key=lambda each: each["x"])
        means = [each["mean"] for each in own]
        reach = [
            [max(0.0, each["mean"] - each["least"]) for each in own],
            [max(0.0, each["most"] - each["mean"]) for each in own],
        ]
        axes.errorbar(
            [each["x"] for each in own],
            means,
            yerr=reach,
            color=colours[place % len(colours)],
            linewidth=0.8,
            marker="os^D"[place % 4],
            markersize=7 - 2 * (place % 4),
            capsize=3,
            label=name,
        )
    axes.set_xlabel(spread["x_symbol"])
    axes.set_ylabel(spread["label"])
    if spread["y_log"]:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0, top=None if any(each["most"] > 0 for each in seen) else 1)
