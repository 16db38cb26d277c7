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
    names = list(dict.fromkeys(entry["series"] for entry in seen))
    sizes = sorted({entry["x"] for entry in seen})
    published: list[tuple[float, float]] = []
    for index, x in enumerate(sizes):
        entries = [entry for entry in seen if entry["x"] == x]
        shift = (index - (len(sizes) - 1) / 2) * _BETWEEN
        heights = [names.index(entry["series"]) + shift for entry in entries]
        symbol = f"{spread['x_symbol']} = {x}"
        axes.hlines(
            heights, [entry["least"] for entry in entries], [entry["most"] for entry in entries], colours[index], lw=3.5
        )
        means = [entry["mean"] for entry in entries]
        axes.plot(
            means,
            heights,
            "o",
            color="white",
            markeredgecolor=colours[index % len(colours)],
            markersize=5,
            label=f"{symbol}: ours",
        )
        published += [
            (entry["published"], y) for entry, y in zip(entries, heights, strict=True) if entry["published"] is not None
        ]
    if published:
        axes.plot(
            *zip(*published, strict=True), "x", color="black", markersize=7, markeredgewidth=1.6, label="published"
        )
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(left=0)
    axes.set_xlabel(spread["label"])


def _draw_curves(axes: Axes, spread: Mapping[str, Any], seen: list[dict[str, Any]], colours: tuple[str, ...]) -> None:
    for index, name in enumerate(dict.fromkeys(entry["series"] for entry in seen)):
        entries = sorted((entry for entry in seen if entry["series"] == name), key=lambda entry: entry["x"])
        means = [entry["mean"] for entry in entries]
        reach = [
            [max(0.0, entry["mean"] - entry["least"]) for entry in entries],
            [max(0.0, entry["most"] - entry["mean"]) for entry in entries],
        ]
        axes.errorbar(
            [entry["x"] for entry in entries],
            means,
            yerr=reach,
            color=colours[index % len(colours)],
            linewidth=0.8,
            marker="os^D"[index % 4],
            markersize=7 - 2 * (index % 4),
            capsize=3,
            label=name,
        )
    axes.set_xlabel(spread["x_symbol"])
    axes.set_ylabel(spread["label"])
    if spread["y_log"]:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0, top=None if any(entry["most"] > 0 for entry in seen) else 1)
