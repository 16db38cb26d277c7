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
    parts += [_spread(spread, result["observed"]) for spread in result.get("spreads", [])]
    if result.get("remarks"):
        parts += ["", *(_filled(f"- {each}", indent=2) for each in result["remarks"])]
    return "\n".join([*parts, "", _filled(result["conclusion"])])


def _spread(spread: Mapping[str, Any], observed: list[dict[str, Any]]) -> str:
    """Return what was seen of one quantity; no column says how it must be."""
    seen = [each for each in observed if each["spread"] == spread["title"]]
    width = max(len(each["series"]) for each in seen)
    heads = ("mean", "deviation", "least", "most", *(("published",) if _is_published(seen) else ()))
    rows = [f"  {'':{width}} {spread['x_symbol']:>5} {'runs':>4}" + "".join(f" {head:>9}" for head in heads)]
    for each in seen:
        numbers = [each["mean"], each["deviation"], each["least"], each["most"]]
        cells = [_short(value, 4) for value in numbers]
        if _is_published(seen):
            cells.append("-" if each["published"] is None else _short(each["published"]))
        row = f"  {each['series']:{width}} {_short(each['x']):>5} {each['runs']:>4}"
        rows.append(row + "".join(f" {cell:>9}" for cell in cells))
    return "\n".join(["", f"{spread['title']} (observed, not judged)", *rows])


def _is_published(seen: list[dict[str, Any]]) -> bool:
    return any(each["published"] is not None for each in seen)


def _filled(text: str, indent: int = 0) -> str:
    return fill(text, 80, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def _short(value: float, digits: int = 5) -> str:
    """Return so many significant digits at most, whole numbers whole."""
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.{digits}g}"
