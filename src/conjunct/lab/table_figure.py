"""What is no picture, as a table in the figure: judged lines beside their bounds, observed values beside published."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import TYPE_CHECKING, Any

from conjunct.lab.panel_figure import RELATIONS
from conjunct.lab.text_table import place, short

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ROW_INCHES", "draw_table", "table_texts"]

ROW_INCHES = 0.25
_SIGNS = {"<=": "≤", ">=": "≥", "==": "="}
_LETTERS_OF_A_HEAD = 24


def table_texts(axes: Mapping[str, Any], entries: list[dict[str, Any]]) -> list[list[str]]:
    """Return the table of a panel or a spread, line by line, the first its heads.

    Examples
    --------
    >>> line = {"series": "k = 1", "x": 4, "measured": 16, "bound": 16, "relation": "=="}
    >>> table_texts({"x_symbol": "n"}, [line, line | {"x": 6, "measured": 64, "bound": 64}])
    [['n', 'k = 1: equal'], ['4', '16 = 16'], ['6', '64 = 64']]
    """
    names = {entry["series"]: _title(entry) for entry in entries}
    sizes = sorted({entry["x"] for entry in entries})
    texts = {(entry["series"], entry["x"]): _text(entry) for entry in entries}
    if len(names) < len(sizes):
        heads = [axes["x_symbol"], *names.values()]
        return [heads, *([place(axes, x), *(texts.get((name, x), "") for name in names)] for x in sizes)]
    rows = [["", *(f"{axes['x_symbol']} = {place(axes, x)}" for x in sizes)]]
    rows += [[title, *(texts.get((name, x), "") for x in sizes)] for name, title in names.items()]
    published = {(entry["series"], entry["x"]): entry.get("published") for entry in entries}
    if any(value is not None for value in published.values()):
        for column, x in zip(range(2, 2 * len(sizes) + 1, 2), sizes, strict=True):
            values = [published.get((name, x)) for name in names]
            for row, text in zip(rows, ["published", *("" if v is None else short(v) for v in values)], strict=True):
                row.insert(column, text)
    return rows


def draw_table(axes: Axes, texts: list[list[str]]) -> None:
    """Draw a table from the top of the axes downwards."""
    heads = [fill(head, _LETTERS_OF_A_HEAD, break_on_hyphens=False) for head in texts[0]]
    columns = zip(heads, *texts[1:], strict=True)
    widths = [max(len(line) for text in column for line in text.split("\n")) + 3 for column in columns]
    axes.set_axis_off()
    table = axes.table(
        texts[1:],
        colLabels=heads,
        colWidths=[width / sum(widths) for width in widths],
        loc="upper center",
        cellLoc="center",
        edges="horizontal",
    )
    table.auto_set_font_size(False)
    table.set_fontsize(8)
    inches = axes.get_window_extent().height / axes.figure.dpi
    n_head_lines = 1 + max(head.count("\n") for head in heads)
    for (row, column), cell in table.get_celld().items():
        cell.set_height(ROW_INCHES * (1 if row else (1 + n_head_lines) / 2) / inches)
        cell.set_edgecolor("#cccccc")
        cell.set_text_props(weight="normal" if row else "bold")
        if column == 0:
            cell.set_text_props(ha="left")


def _title(entry: Mapping[str, Any]) -> str:
    name, word = str(entry["series"]), RELATIONS.get(entry.get("relation", ""), "")
    return name if word in name else f"{name}: {word}"


def _text(entry: Mapping[str, Any]) -> str:
    if "relation" in entry:
        return f"{short(entry['measured'])} {_SIGNS[entry['relation']]} {short(entry['bound'])}"
    if entry["least"] == entry["most"]:
        return short(entry["most"], 3)
    return f"{short(entry['mean'], 3)} ({short(entry['least'], 3)} to {short(entry['most'], 3)})"
