"""What is written as CSV: entries that are safe to open."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from csv import writer

from conjunct.messages import printable
from conjunct.tables.number_grammar import is_number

__all__ = ["csv_text", "spreadsheet_text"]

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def csv_text(records: Iterable[Sequence[object]]) -> str:
    """Return records as CSV: entries quoted where they hold a comma or a quote, lines ended by LF.

    Examples
    --------
    >>> print(csv_text([["a,b", "say 'c'", 1.5]]), end="")
    "a,b",say 'c',1.5
    """
    text = io.StringIO()
    writer(text, lineterminator="\n").writerows(records)
    return text.getvalue()


def spreadsheet_text(text: str) -> str:
    """Return foreign text as an entry of a CSV file: printable, and never a formula to a spreadsheet.

    Examples
    --------
    >>> [spreadsheet_text(text) for text in ("yes", "=1+1", "-1", "+1e5", "-one")]
    ['yes', "'=1+1", '-1', '+1e5', "'-one"]
    """
    is_formula = text.startswith(FORMULA_SIGNS) and not is_number(text)
    return f"'{printable(text)}" if is_formula else printable(text)
