"""A result as text, within 80 columns."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import fill
from typing import Any

__all__ = ["place", "short", "text_table"]


def text_table(result: Mapping[str, Any]) -> str:
    """Return what a result says: statement, hypotheses, its lines under a heading for each panel, conclusion."""
    sources = ", ".join(f"[{key}, {page}]" for key, page in result["source"])
    parts = [_filled(f"{result['statement']} {sources}")]
    parts += [_filled(f"- {text}", indent=2) for text in result["hypotheses"]]
    parts.append(_filled("Bounds: " + "; ".join(f"{bound} ({word})" for bound, word in result["bounds"])))
    for panel in result["panels"]:
        lines = [line for line in result["lines"] if line["panel"] == panel["title"]]
        width = max(len(line["series"]) for line in lines)
        x_width = max(7, *(len(place(panel, line["x"])) for line in lines))
        heads = (panel["x_symbol"], "runs", "mean", "worst", "bound", "ratio")
        rows = [
            f"  {'':{width}} {heads[0]:>{x_width}} {heads[1]:>4} {heads[2]:>9} {heads[3]:>9}    {heads[4]:>10} "
            f"{heads[5]:>5}"
        ]
        for line in lines:
            share = f"{line['measured'] / line['bound']:.3f}" if line["bound"] else "-"
            rows.append(
                f"  {line['series']:{width}} {place(panel, line['x']):>{x_width}} {line['runs']:>4} "
                f"{short(line['mean']):>9} {short(line['measured']):>9} {line['relation']:2} "
                f"{short(line['bound']):>10} {share:>5}"
            )
        parts.append("\n".join(["", panel["title"], *rows]))
        fits = [series for series in result["series"] if series["panel"] == panel["title"] and "exponent" in series]
        parts += [f"  {series['series']}: grows like {panel['x_symbol']}^{series['exponent']:.2f}" for series in fits]
    parts += [_spread(spread, result["observed"]) for spread in result.get("spreads", [])]
    if result.get("remarks"):
        parts += ["", *(_filled(f"- {text}", indent=2) for text in result["remarks"])]
    return "\n".join([*parts, "", _filled(result["conclusion"])])


def _spread(spread: Mapping[str, Any], observed: list[dict[str, Any]]) -> str:
    """Return what was seen of one quantity; no column says how it must be."""
    seen = [entry for entry in observed if entry["spread"] == spread["title"]]
    width = max(len(entry["series"]) for entry in seen)
    heads = ("mean", "deviation", "least", "most", *(("published",) if _is_published(seen) else ()))
    rows = [f"  {'':{width}} {spread['x_symbol']:>5} {'runs':>4}" + "".join(f" {head:>9}" for head in heads)]
    for entry in seen:
        numbers = [entry["mean"], entry["deviation"], entry["least"], entry["most"]]
        texts = [short(value, 4) for value in numbers]
        if _is_published(seen):
            texts.append("-" if entry["published"] is None else short(entry["published"]))
        row = f"  {entry['series']:{width}} {short(entry['x']):>5} {entry['runs']:>4}"
        rows.append(row + "".join(f" {text:>9}" for text in texts))
    return "\n".join(["", f"{spread['title']} (observed, not judged)", *rows])


def _is_published(seen: list[dict[str, Any]]) -> bool:
    return any(entry["published"] is not None for entry in seen)


def _filled(text: str, indent: int = 0) -> str:
    return fill(text, 80, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False)


def place(axes: Mapping[str, Any], x: float) -> str:
    """Return what a value of x is called on its axes.

    Examples
    --------
    >>> place({"places": ["led", "monks-1"]}, 1), place({"places": []}, 1)
    ('monks-1', '1')
    """
    places = axes.get("places")
    return str(places[int(x)]) if places else short(x)


def short(value: float, digits: int = 5) -> str:
    """Return so many significant digits at most, whole numbers whole."""
    if value == int(value) and abs(value) < 1e9:
        return str(int(value))
    return f"{value:.{digits}g}"
