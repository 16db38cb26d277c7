"""A figure that stands alone, from a saved result: title, statement, source, setting, panels, verdict."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from functools import partial
from importlib.util import find_spec
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any, NamedTuple

from conjunct.errors import SettingError
from conjunct.lab.judging import verdict
from conjunct.lab.palette import looks
from conjunct.lab.panel_figure import draw_panel
from conjunct.lab.papers import PAPERS
from conjunct.lab.spread_figure import draw_spread
from conjunct.lab.table_figure import ROW_INCHES, draw_table, table_texts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

__all__ = ["draw", "make_figure", "require_matplotlib", "styled"]

_STYLE: dict[str, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.fontsize": 8,
    "svg.fonttype": "path",
}
_PICTURE_INCHES = (5.0, 4.2)
_LETTERS_AN_INCH = 13.5  # at 9 points
_KEY = "Points: the worst run. Dashed: what the statement says. Shaded: the side it allows."


class Piece(NamedTuple):
    """What goes into one place of the grid."""

    title: str
    draw: Callable[[Axes], None]
    inches: float
    is_table: bool


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
    with styled(result):
        content = io.BytesIO()
        nothing: dict[str, Any] = {"Date": None} if kind == "svg" else {"Software": None}
        make_figure(result).savefig(content, format=kind, dpi=144, metadata=nothing)
    return content.getvalue()


def styled(result: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Draw in the style of the lab, from matplotlib's defaults: no matplotlibrc of the user changes a byte."""
    from matplotlib import style

    return style.context(["default", {**_STYLE, "svg.hashsalt": result["name"]}])


def make_figure(result: Mapping[str, Any]) -> Figure:
    """Lay out a result from above to below: its words, pictures, tables, verdict."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    pieces = _pieces(result)
    pictures = [piece for piece in pieces if not piece.is_table]
    tables = [piece for piece in pieces if piece.is_table]
    width = max(7.5, _PICTURE_INCHES[0] * _columns(pictures, most=3))
    header, footer = _header(result, width), _footer(result, width)
    grids = [grid for grid in (_rows(pictures, most=3), _rows(tables, most=2)) if grid]
    heights = [_inches(header), *(sum(map(_row_inches, grid)) for grid in grids), _inches(footer)]
    layout = ConstrainedLayoutEngine(w_pad=0.12, h_pad=0.1)
    figure = Figure(figsize=(width, sum(heights)), layout=layout)
    above, *middle, below = figure.subfigures(len(heights), 1, height_ratios=heights, squeeze=False).flat
    _write(above, header, width, heights[0])
    for part, grid in zip(middle, grids, strict=True):
        _draw_grid(part, grid, width)
    _write(below, footer, width, heights[-1])
    _round_positions(figure)
    return figure


def _round_positions(figure: Figure) -> None:
    """Fix the layout: its solver differs from run to run in the last bit, and a figure is to have the same bytes."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for part in figure.subfigs:
        part.bbox_relative.set_points(part.bbox_relative.get_points().round(6))
        for axes in part.axes:
            left, bottom, width, height = axes.get_position().bounds
            axes.set_position((round(left, 6), round(bottom, 6), round(width, 6), round(height, 6)))


def _columns(pieces: list[Piece], most: int) -> int:
    """Return how many stand beside each other: the most where that fills a row or spares long columns, else two."""
    return most if len(pieces) == most or len(pieces) > 4 else min(2, len(pieces))


def _rows(pieces: list[Piece], most: int) -> list[list[Piece]]:
    n_columns = _columns(pieces, most)
    return [pieces[start : start + n_columns] for start in range(0, len(pieces), n_columns or 1)]


def _row_inches(row: list[Piece]) -> float:
    return max(piece.inches for piece in row)


def _draw_grid(part: SubFigure, rows: list[list[Piece]], width: float) -> None:
    grid = part.subplots(len(rows), len(rows[0]), squeeze=False, height_ratios=list(map(_row_inches, rows)))
    pieces = [piece for row in rows for piece in row]
    for axes, piece in zip(grid.flat, pieces, strict=False):
        axes.set_title(fill(piece.title, int(12 * width / len(rows[0]))))
        piece.draw(axes)
    for axes in grid.flat[len(pieces) :]:
        axes.set_axis_off()


def _pieces(result: Mapping[str, Any]) -> list[Piece]:
    look_of = looks(result)
    pieces = []
    for panel in result["panels"]:
        lines = [line for line in result["lines"] if line["panel"] == panel["title"]]
        pieces.append(
            _piece(panel["title"], panel, lines, partial(draw_panel, panel=panel, lines=lines, looks=look_of))
        )
    for spread in result.get("spreads", []):
        seen = [entry for entry in result["observed"] if entry["spread"] == spread["title"]]
        title = f"{spread['title']} (observed, not judged)"
        pieces.append(_piece(title, spread, seen, partial(draw_spread, spread=spread, seen=seen, looks=look_of)))
    return pieces


def _piece(title: str, axes: Mapping[str, Any], entries: list[dict[str, Any]], draw: Callable[[Axes], None]) -> Piece:
    if axes["along"] == "table":
        texts = table_texts(axes, entries)
        return Piece(title, partial(draw_table, texts=texts), ROW_INCHES * (len(texts) + 3), True)
    return Piece(title, partial(_framed, draw=draw), _PICTURE_INCHES[1], False)


def _framed(axes: Axes, draw: Callable[[Axes], None]) -> None:
    """Draw a picture with a grid behind it, and its legend below, where it hides nothing."""
    draw(axes)
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    n_columns = 1 if max(len(text) for text in axes.get_legend_handles_labels()[1]) > 34 else 2
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=n_columns)


class Paragraph(NamedTuple):
    """Words above or below the panels."""

    text: str
    points: float = 9.0
    weight: str = "normal"
    colour: str = "#374151"


def _header(result: Mapping[str, Any], width: float) -> list[Paragraph]:
    sources = [f"{PAPERS[key]}: {place}." for key, place in result["source"]]
    settings = {key.replace("_", " "): value for key, value in result["settings"].items() if key != "quick"}
    setting = ", ".join(f"{key} = {value}" for key, value in settings.items())
    size = "quick run" if result["settings"]["quick"] else "full run"
    run = f"{size}, seed {result['seed']}, conjunct {result['conjunct']}"
    return [
        Paragraph(_wrapped(result["title"], width, 14), 14, "bold", "black"),
        Paragraph(_wrapped(result["statement"], width, 11), 11, "normal", "black"),
        *(Paragraph(_wrapped(f"Source: {source}", width)) for source in sources),
        Paragraph(_wrapped(f"Setting: {setting}; {run}." if setting else f"Setting: {run}.", width)),
    ]


def _footer(result: Mapping[str, Any], width: float) -> list[Paragraph]:
    answer = verdict(result)
    tail = f" {result['conclusion']}" if answer.line is None else ""
    return [
        Paragraph(_wrapped(_KEY, width)),
        Paragraph(_wrapped(f"{result['name']}: {answer}.{tail}", width), colour="black"),
    ]


def _wrapped(text: str, width: float, points: float = 9) -> str:
    return "\n".join(wrap(text, int((width - 0.4) * _LETTERS_AN_INCH * 9 / points), break_on_hyphens=False))


def _inches(paragraphs: list[Paragraph]) -> float:
    return 0.15 + sum(_height(paragraph) for paragraph in paragraphs)


def _height(paragraph: Paragraph) -> float:
    return (1.25 * (paragraph.text.count("\n") + 1) + 0.4) * paragraph.points / 72


def _write(part: SubFigure, paragraphs: list[Paragraph], width: float, height: float) -> None:
    """Write paragraphs one under another."""
    y = height - 0.1
    for paragraph in paragraphs:
        part.text(
            0.2 / width,
            y / height,
            paragraph.text,
            va="top",
            fontsize=paragraph.points,
            fontweight=paragraph.weight,
            color=paragraph.colour,
            linespacing=1.25,
        )
        y -= _height(paragraph)
