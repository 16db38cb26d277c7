"""A result as text, within 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any

__all__ = ["text_table"]


def text_table(result: Mapping[str, Any]) -> str:
    """Return what a result says: statement, hypotheses, its lines under a heading for each panel, conclusion."""
    sources = ", ".join(f"[{key}, {place}]" for key, place in result["source"])
    parts = [_filled(f"{result['statement']} {sources}")]
    parts += [_filled(f"- {each}", indent=2) for each in result["hypotheses"]]
    parts.append(_filled("Bounds: " + "; ".join(f"{bound} ({word})" for bound, word in result["bounds"])))
    for panel in result["panels"]:
        lines = [line for line in result["lines"] if line["panel"] == panel["title"]]
        width = max(len(line["series"]) for line in lines)
        heads = (panel["x_symbol"], "runs", "mean", "worst", "bound", "ratio")
        rows = [
            f"  {'':{width}} {heads[0]:>7} {heads[1]:>4} {heads[2]:>9} {heads[3]:>9}    {heads[4]:>10} {heads[5]:>5}"
        ]
        for line in lines:
            share = f"{line['measured'] / line['bound']:.3f}" if line["bound"] else "-"
            rows.append(
                f"  {line['series']:{width}} {_short(line['x']):>7} {line['runs']:>4} {_short(line['mean']):>9} "
                f"{_short(line['measured']):>9} {line['relation']:2} {_short(line['bound']):>10} {share:>5}"
            )
        parts.append("\n".join(["", panel["title"], *rows]))
        fits = [each for each in result["series"] if each["panel"] == panel["title"] and "exponent" in each]
        parts += [f"  {each['series']}: grows like {panel['x_symbol']}^{each['exponent']:.2f}" for each in fits]
    return "\n".join([*parts, "", _filled(result["conclusion"])])


def _filled(text: str, indent: int = 0) -> str:
    return fill(text, 80, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def _short(value: float) -> str:
    """Return six significant digits at most, whole numbers whole."""
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.5g}"
