"""Judged lines on their axes: measured values as points, bounds dashed, the side that a bound allows shaded."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from conjunct.lab.palette import SHARED, Look
from conjunct.lab.text_table import place

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_panel"]

Lines = list[dict[str, Any]]
Curve = tuple[tuple[float, float], ...]

RELATIONS = {"<=": "upper bound", ">=": "lower bound", "==": "equal"}
_DASHES = ("--", ":", "-.")
_SHADE = 0.09
_BETWEEN = 0.24  # of the distance of two places, from the point of one series to that of the next
_REACH = 0.36  # how far from the middle of a place its bounds are drawn


def draw_panel(axes: Axes, panel: Mapping[str, Any], lines: Lines, looks: Mapping[str, Look]) -> None:
    """Draw the lines of one panel."""
    if panel["along"] == "series":
        _draw_series(axes, panel, lines, looks)
    elif panel["along"] == "places":
        _draw_places(axes, panel, lines, looks)
    else:
        _draw_curves(axes, panel, lines, looks)


def _draw_curves(axes: Axes, panel: Mapping[str, Any], lines: Lines, looks: Mapping[str, Look]) -> None:
    groups = _by_series(lines)
    measured: dict[tuple[str, Curve], list[str]] = {}
    bounds: dict[Curve, list[str]] = {}
    for name, group in groups.items():
        measured.setdefault((looks[name].method, _curve(group, "measured")), []).append(name)
        bounds.setdefault(_curve(group, "bound"), []).append(name)
    for (method, curve), names in measured.items():
        is_only = sum(method == other for other, _ in measured) == 1
        label = method if is_only else f"{method}, nearest to its {' and '.join(names)}"
        # Thin lines, and smaller markers for later ones, keep in sight what lies on the same place.
        size = max(3.0, 7 - 1.5 * [*measured].index((method, curve)))
        look = looks[names[0]]
        axes.plot(*zip(*curve, strict=True), color=look.colour, lw=0.8, marker=look.marker, ms=size, label=label)
    dashes: dict[str, int] = {}
    for curve, names in bounds.items():
        colour = _colour(names, looks)
        dash = _DASHES[dashes.setdefault(colour, 0) % len(_DASHES)]
        dashes[colour] += 1
        label = _bound_label(names, groups)
        axes.plot(*zip(*curve, strict=True), color=colour, lw=1.8, ls=dash, label=label, zorder=1.9)
    if panel["y_log"]:
        axes.set_yscale("log")
    else:
        axes.set_ylim(0, 1.05 * max(y for curve in (*bounds, *(key[1] for key in measured)) for _, y in curve))
    _shade_curves(axes, bounds, groups, looks)
    _label_curves(axes, panel, lines)


def _shade_curves(
    axes: Axes, bounds: Mapping[Curve, list[str]], groups: Mapping[str, Lines], looks: Mapping[str, Look]
) -> None:
    low, high = axes.get_ylim()
    for curve, names in bounds.items():
        xs, ys = zip(*curve, strict=True)
        sides = {
            end: [name for name in names if groups[name][0]["relation"] == relation]
            for relation, end in (("<=", low), (">=", high))
        }
        for end, allowed in sides.items():
            if allowed:
                # Where one bound parts two kinds of series, each side has the colour of its own.
                colour = looks[allowed[0]].colour if all(sides.values()) else _colour(allowed, looks)
                axes.fill_between(xs, ys, end, color=colour, alpha=_SHADE, lw=0, zorder=0)
    axes.set_ylim(low, high)


def _label_curves(axes: Axes, panel: Mapping[str, Any], lines: Lines) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    axes.set_xlabel(panel["x_label"])
    axes.set_ylabel(panel["y_label"])
    xs = sorted({line["x"] for line in lines})
    if panel["x_log"]:
        axes.set_xscale("log")
        axes.set_xticks(xs, [f"{x:g}" if x < 1e6 else f"{x:.0e}" for x in xs])
        axes.set_xticks([], minor=True)
    elif all(x == int(x) for x in xs):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if panel["y_log"]:
        low, high = axes.get_ylim()
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 400 else (1,)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _tick(value)))
        axes.yaxis.set_minor_formatter(NullFormatter())


def _tick(value: float) -> str:
    return f"{value:g}" if value < 1e5 else f"$10^{{{math.log10(value):.3g}}}$"


def _draw_series(axes: Axes, panel: Mapping[str, Any], lines: Lines, looks: Mapping[str, Look]) -> None:
    """Put the series one under another: filled at the first x, hollow at the next."""
    groups, sizes = _by_series(lines), sorted({line["x"] for line in lines})
    for height, (name, group) in enumerate(groups.items()):
        for line in group:
            look, index = looks[name], sizes.index(line["x"])
            y = height + (index - (len(sizes) - 1) / 2) * 0.3
            face = look.colour if index == 0 else "white"
            axes.plot(line["measured"], y, look.marker, color=look.colour, markerfacecolor=face, ms=6)
    for index, x in enumerate(sizes):
        face = SHARED if index == 0 else "white"
        axes.plot([], [], "o", color=SHARED, markerfacecolor=face, label=f"{panel['x_symbol']} = {x}")
    axes.set_yticks(range(len(groups)), list(groups))
    axes.set_ylim(len(groups) - 0.4, -0.6)
    axes.set_xlim(left=0)
    limits: dict[float, list[str]] = {}
    for name, group in groups.items():
        limits.setdefault(group[0]["bound"], []).append(name)
    low, high = axes.get_xlim()
    high = max(high, 1.06 * max(limits))
    for limit, names in limits.items():
        axes.axvline(limit, color=_colour(names, looks), lw=1.8, ls="--", label=_bound_label(names, groups))
        for relation, end in (("<=", low), (">=", high)):
            if any(groups[name][0]["relation"] == relation for name in names):
                axes.axvspan(min(limit, end), max(limit, end), color=_colour(names, looks), alpha=_SHADE, lw=0)
    axes.set_xlim(low, high)
    axes.set_xlabel(panel["y_label"])


def _draw_places(axes: Axes, panel: Mapping[str, Any], lines: Lines, looks: Mapping[str, Look]) -> None:
    """Put the places one under another, with a point of each series and the bounds of that place."""
    from matplotlib.patches import Rectangle

    groups, xs = _by_series(lines), sorted({line["x"] for line in lines})
    for index, (name, group) in enumerate(groups.items()):
        shift = (index - (len(groups) - 1) / 2) * _BETWEEN
        heights = [xs.index(line["x"]) + shift for line in group]
        values, look = [line["measured"] for line in group], looks[name]
        axes.plot(values, heights, look.marker, color=look.colour, ms=6, ls="", label=look.method)
    high = 1.06 * max(max(line["measured"], line["bound"]) for line in lines)
    relations = {name: group[0]["relation"] for name, group in groups.items()}
    labels = {
        word: _bound_label([name for name in groups if relations[name] == word], groups)
        for word in set(relations.values())
    }
    for x, bound, relation in dict.fromkeys((line["x"], line["bound"], line["relation"]) for line in lines):
        low = xs.index(x) - _REACH
        label = labels.pop(relation, None)  # once in the legend
        axes.plot([bound, bound], [low, low + 2 * _REACH], color=SHARED, lw=1.8, ls="--", label=label, zorder=1.9)
        if relation != "==":
            left, right = (0, bound) if relation == "<=" else (bound, high)
            axes.add_patch(Rectangle((left, low), right - left, 2 * _REACH, color=SHARED, alpha=_SHADE, lw=0))
    axes.set_yticks(range(len(xs)), [place(panel, x) for x in xs])
    axes.set_ylim(len(xs) - 0.4, -0.6)
    axes.set_xlim(0, high)
    axes.set_xlabel(panel["y_label"])


def _by_series(lines: Lines) -> dict[str, Lines]:
    groups: dict[str, Lines] = {}
    for line in sorted(lines, key=lambda line: float(line["x"])):
        groups.setdefault(line["series"], []).append(line)
    return groups


def _curve(lines: Lines, key: str) -> Curve:
    return tuple((line["x"], line[key]) for line in lines)


def _colour(names: list[str], looks: Mapping[str, Look]) -> str:
    colours = {looks[name].colour for name in names}
    return colours.pop() if len(colours) == 1 else SHARED


def _bound_label(names: list[str], groups: Mapping[str, Lines]) -> str:
    """Say what a bound is: upper, lower or equal; and for which series, where not for all."""
    by_word: dict[str, list[str]] = {}
    for name in names:
        by_word.setdefault(RELATIONS[groups[name][0]["relation"]], []).append(name)
    word, *others = sorted(by_word, key=lambda word: word == "equal")
    if len(names) == len(groups) and not others:
        return word
    if len(names) == len(groups) and others == ["equal"]:
        return f"{word}; {', '.join(by_word['equal'])}: equal"
    return "\n".join(f"{', '.join(of_word)}: {word}" for word, of_word in by_word.items())
