"""Figures of rules: a bar for every conjunction, and a score table as a card to print."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

from conjunct.errors import SettingError
from conjunct.messages import printable
from conjunct.reports.figure import GREY, RULE, figure_bytes
from conjunct.rules import RuleTable, ScoreTable
from conjunct.rules.rule_table import shown_number

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_rules"]

COLOURS = ("#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#a16207", "#be185d", "#475569", "#0f766e", "#b91c1c")
LETTERS = 46  # of a conjunction, on a line
LINE_INCHES, MOST_ROWS = 0.17, 60


def draw_rules(table: RuleTable | ScoreTable, kind: str = "svg") -> bytes:
    """Draw rules as bars with support and precision, or a score table as a card.

    Parameters
    ----------
    table : RuleTable or ScoreTable
    kind : {"svg", "png", "pdf"}

    Returns
    -------
    bytes
        The same for the same table.
    """
    if not (table.rules if isinstance(table, RuleTable) else table.rows):
        raise SettingError("there is no rule to draw")
    if isinstance(table, RuleTable):
        return figure_bytes(lambda axes: _draw_bars(axes, table), kind)
    return figure_bytes(lambda axes: _draw_card(axes, table), kind)


def wrapped(text: str, width: int) -> str:
    """Break a conjunction into lines, between its tests.

    Examples
    --------
    >>> print(wrapped("24 < age <= 31 & colour=red & not old", 28))
    24 < age <= 31 & colour=red
    & not old
    """
    lines = [""]
    for k, part in enumerate(text.split(" & ")):
        joined = f"{lines[-1]} & {part}".strip() if k else part
        if len(joined) <= width or not lines[-1]:
            lines[-1] = joined
        else:
            lines.append(f"& {part}")
    return "\n".join(lines)


def _draw_bars(axes: Axes, table: RuleTable) -> tuple[float, float]:
    """Draw a bar for each rule, its conjunction on the left, its support and precision on the right."""
    rules = table.rules[:MOST_ROWS]
    texts = [wrapped(printable(rule.text), LETTERS) for rule in rules]
    heights = [max(2, text.count("\n") + 1) for text in texts]
    places = [-(sum(heights[:k]) + height / 2) for k, height in enumerate(heights)]
    labels = list(dict.fromkeys(rule.label for rule in rules))
    colour = {label: COLOURS[k % len(COLOURS)] for k, label in enumerate(sorted(labels, key=str))}
    largest = max(abs(float(rule.weight)) for rule in rules) or 1.0
    for place, rule in zip(places, rules, strict=True):
        axes.barh(place, float(rule.weight) / largest, height=1.2, color=colour[rule.label])
        about = [shown_number(rule.weight)]
        if rule.support is not None:
            share = "" if rule.precision is None else f", {float(100 * rule.precision):.1f} % {printable(rule.label)}"
            about.append(f"{rule.support} rows{share}")
        axes.annotate(
            "\n".join(about), (1.02, place), xycoords=("axes fraction", "data"), va="center", fontsize=8, color=GREY
        )
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.set_yticks(places, texts)
    axes.tick_params(length=0)
    axes.set_xticks([])
    weights = [float(rule.weight) for rule in rules]
    axes.set_xlim(-1.05 if min(weights) < 0 else 0, 1.05 if max(weights) > 0 else 0.05)
    axes.set_ylim(-sum(heights) - 0.5, 0.5)
    for side in axes.spines.values():
        side.set_visible(False)
    shown = [axes.barh(0, 0, color=colour[label], label=f"for {printable(label)}") for label in labels]
    axes.legend(handles=shown, loc="upper center", bbox_to_anchor=(0.5, -0.01), ncols=4, frameon=False)
    figure: Any = axes.figure
    figure.suptitle("The heaviest conjunctions", fontsize=11)
    figure.supxlabel(fill(" ".join(table.remarks()), 110), fontsize=7, color=GREY)
    return 8.5, 1.4 + LINE_INCHES * sum(heights)


def _draw_card(axes: Axes, table: ScoreTable) -> tuple[float, float]:
    """Draw a line for every conjunction with its points and a box to fill in, the total, and the risks."""
    label = printable(table.label)
    rows = [("everyone", table.start)] if table.start else []
    rows += [(printable(row.text), row.points) for row in table.rows]
    texts = [wrapped(text, 64) for text, _ in rows]
    place, ends = 0.0, []
    axes.text(0.0, 1.2, f"Risk of {label}: add the points of what holds", fontsize=12, weight="bold")
    for text, (_, points) in zip(texts, rows, strict=True):
        n_lines = text.count("\n") + 1
        place -= 0.6 + n_lines
        axes.text(0.01, place + n_lines / 2 + 0.3, text, va="center")
        axes.text(0.80, place + n_lines / 2 + 0.3, f"{points:+d}", va="center", ha="right", weight="bold")
        _box(axes, place + n_lines / 2 - 0.3)
        axes.plot([0, 1], [place, place], color=RULE, linewidth=0.8)
        ends.append(place)
    place -= 2.0
    axes.text(0.80, place + 1.0, "total", va="center", ha="right", weight="bold")
    _box(axes, place + 0.4)
    totals = table.possible_totals()
    lines = _risk_lines(table, totals)
    for line in lines:
        place -= 1.5
        axes.text(0.01, place, line, family="monospace", fontsize=8)
    place -= 2.0
    axes.text(0.01, place, fill(table.comparison(), 105), fontsize=7, color=GREY, va="top")
    axes.set_xlim(0, 1)
    axes.set_ylim(place - 2.5, 2.6)
    axes.set_axis_off()
    return 7.5, 0.4 + LINE_INCHES * (5.1 - place)


def _box(axes: Axes, bottom: float) -> None:
    axes.plot([0.86, 0.97, 0.97, 0.86, 0.86], [bottom, bottom, bottom + 1.2, bottom + 1.2, bottom], color=GREY, lw=0.8)


def _risk_lines(table: ScoreTable, totals: list[int]) -> list[str]:
    """Return lines of totals above their risks, some to a line; a formula where there are too many."""
    if len(totals) > 40:
        return [f"risk = 1 / (1 + exp(-({table.intercept:.4f} {table.slope:+.4f} * total)))"]
    lines = []
    for first in range(0, len(totals), 10):
        some = totals[first : first + 10]
        lines.append("total  " + "".join(f"{total:>8}" for total in some))
        lines.append("risk   " + "".join(f"{f'{100 * table.risk_of(total):.1f} %':>8}" for total in some))
    return lines
