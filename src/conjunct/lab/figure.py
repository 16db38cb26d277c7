"""A figure from a saved result: measured values as points, bounds as dashed lines."""

from __future__ import annotations

import io
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from conjunct.errors import SettingError
from conjunct.lab.spread_figure import draw_spread

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw", "require_matplotlib"]

_COLOURS = ("#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#a16207", "#be185d", "#475569")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_MARKER_SIZES = (7, 5, 3, 1, 4, 4, 4)
_STYLE: dict[str, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.fontsize": 8,
    "svg.fonttype": "path",
}


def require_matplotlib() -> None:
    """Refuse to draw where matplotlib is missing, and say how to get it."""
    if find_spec("matplotlib") is None:
        raise SettingError(
            "a figure was asked for, expected the package matplotlib to draw it: pip install 'conjunct[lab]'"
        )


def draw(result: Mapping[str, Any], kind: str) -> bytes:
    """Draw a result, from what its JSON says and nothing else.

    Parameters
    ----------
    result : mapping
        As `run` returns it.
    kind : {"svg", "png"}
        The format.

    Returns
    -------
    bytes
        The same for the same result: no date, no random names.
    """
    require_matplotlib()
    from matplotlib import style
    from matplotlib.figure import Figure

    panels, spreads = result["panels"], result.get("spreads", [])
    n_axes = len(panels) + len(spreads)
    n_columns = min(n_axes, 2)
    n_rows = -(-n_axes // n_columns)
    # From the defaults, so that no matplotlibrc of the user changes a byte.
    with style.context(["default", {**_STYLE, "svg.hashsalt": result["name"]}]):
        figure = Figure(figsize=(5.2 * n_columns, 3.9 * n_rows), layout="constrained")
        grid = figure.subplots(n_rows, n_columns, squeeze=False)
        for index, panel in enumerate(panels):
            lines = [line for line in result["lines"] if line["panel"] == panel["title"]]
            _draw_panel(grid[index // n_columns][index % n_columns], panel, lines)
        for index, spread in enumerate(spreads, start=len(panels)):
            seen = [entry for entry in result["observed"] if entry["spread"] == spread["title"]]
            draw_spread(grid[index // n_columns][index % n_columns], spread, seen, _COLOURS)
        for index in range(n_axes, n_rows * n_columns):
            grid[index // n_columns][index % n_columns].set_axis_off()
        content = io.BytesIO()
        nothing: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
        figure.savefig(content, format=kind, dpi=144, metadata=nothing)
    return content.getvalue()


def _draw_panel(axes: Axes, panel: Mapping[str, Any], lines: list[dict[str, Any]]) -> None:
    groups: dict[str, list[dict[str, Any]]] = {}
    for line in sorted(lines, key=lambda line: line["x"]):
        groups.setdefault(line["series"], []).append(line)
    # One bound for all is drawn once. Thin lines and shrinking markers keep in sight what lies on the same place.
    curves = {name: [(line["x"], line["bound"]) for line in group] for name, group in groups.items()}
    is_common = len(curves) > 1 and len({tuple(curve) for curve in curves.values()}) == 1
    for index, (name, group) in enumerate(groups.items()):
        xs, colour = [line["x"] for line in group], _COLOURS[index % 7]
        measured = [line["measured"] for line in group]
        axes.plot(
            xs,
            measured,
            color=colour,
            linewidth=0.8,
            marker=_MARKERS[index % 7],
            markersize=_MARKER_SIZES[index % 7],
            label=name,
        )
        if not is_common:
            axes.plot(
                *zip(*curves[name], strict=True), color=colour, linewidth=1.8, linestyle="--", label=f"{name}: bound"
            )
    if is_common:
        curve = next(iter(curves.values()))
        axes.plot(*zip(*curve, strict=True), color="black", linewidth=1.8, linestyle="--", label="bound")
    axes.set_title(panel["title"])
    axes.set_xlabel(panel["x_label"])
    axes.set_ylabel(panel["y_label"])
    if panel["x_log"]:
        axes.set_xscale("log")
        xs = sorted({line["x"] for line in lines})
        axes.set_xticks(xs, [str(x) for x in xs])
        axes.set_xticks([], minor=True)
    if panel["y_log"]:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    axes.legend(frameon=False)
