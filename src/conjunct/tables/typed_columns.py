"""What the entries of a column of text are: the one place that decides between numbers, text and mistakes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.messages import quoted
from conjunct.tables.column import Column
from conjunct.tables.number_grammar import int64, number
from conjunct.tables.spellings import Spellings

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BadEntry", "typed_column"]

# What the core says an entry is spelled as: core/tables/number_grammar.hpp.
MISSING, INTEGER, NUMBER, LARGE_INTEGER, INFINITE, TEXT = range(6)
MOST_DECODED = 1 << 14  # different texts of a column that are Python objects from the start


@dataclass(frozen=True, slots=True)
class BadEntry:
    """The first entry of a column that is refused: its row, and why."""

    row: int
    reason: str


def typed_column(reader: Any, index: int, name: str, wish: str | None) -> tuple[Column, BadEntry | None]:
    """Return a column that was read, as integers, floats or text, and what is to be refused about it.

    Parameters
    ----------
    reader : EntryReader
        What holds the entries, each spelling once.
    index, name : int, str
        Which column.
    wish : "text", "number" or None
        What its entries must be; None for what is found.

    Notes
    -----
    A column is numeric when all its entries but the missing ones are numbers. Its entries are integers if all are
    spelled as such (64 bits), otherwise floats. Any other column is text; but when the entries that are no numbers are
    at most a tenth of a column, or a single one against at least four numbers, this is taken for a mistake.
    """
    if reader.has_numbers(index):
        numbers = np.empty(reader.n_rows)
        reader.take_numbers(index, numbers)
        return Column(name, "number", numbers, is_integer=reader.is_integer(index)), None
    kinds, values = np.empty(reader.n_spellings(index), np.uint8), np.empty(reader.n_spellings(index))
    reader.copy_spellings(index, kinds, values)
    codes = np.empty(reader.n_rows, np.int32)
    reader.take_codes(index, codes)
    is_present, is_text = kinds != MISSING, kinds == TEXT
    if wish == "text" or is_text.any() or not is_present.any():
        column = _text_column(reader, index, name, codes, is_present)
        if wish == "text" or not is_text.any():
            return column, None
        n_rows_of = np.bincount(codes, minlength=len(kinds))
        n_text, n_present = int(n_rows_of[is_text].sum()), int(n_rows_of[is_present].sum())
        is_mistake = 10 * n_text <= n_present or (n_text == 1 and n_present > 4)
        if wish is None and not is_mistake:
            return column, None
        expected = "expected a number" if wish == "number" else "expected a number like its other cells"
        return column, _first_bad(reader, index, name, codes, is_text, wish, expected)
    is_integer = bool(np.isin(kinds[is_present], (INTEGER, LARGE_INTEGER)).all())
    is_bad = kinds == INFINITE
    exact: dict[int, int | float] = {}
    for code in np.flatnonzero(kinds == LARGE_INTEGER).tolist():
        spelled = reader.spelling(index, code)
        value = int64(spelled) if is_integer else number(spelled)
        is_bad[code] = value is None
        exact[code] = 0 if value is None else value
    bad = None
    if is_bad.any():
        bad = _first_bad(reader, index, name, codes, is_bad, wish, "expected numbers of 64 bits")
    if exact and is_integer:
        values = values.astype(object)
    for code, value in exact.items():
        values[code] = value
    return Column(name, "number", values[is_present], _recoded(codes, is_present), is_integer=is_integer), bad


def _text_column(reader: Any, index: int, name: str, codes: NDArray[np.int32], is_present: NDArray[np.bool_]) -> Column:
    spellings = Spellings(reader, index, None if is_present.all() else np.flatnonzero(is_present).astype(np.int32))
    values: Any = spellings
    if len(spellings) <= MOST_DECODED:
        values = np.empty(len(spellings), object)
        values[:] = list(spellings)
    return Column(name, "text" if len(spellings) else None, values, _recoded(codes, is_present))


def _recoded(codes: NDArray[np.int32], is_present: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Return codes that number the spellings that are present only; -1 for the others."""
    if is_present.all():
        return codes
    new_codes: NDArray[np.int32] = np.where(is_present, np.cumsum(is_present) - 1, -1).astype(np.int32)
    return new_codes[codes]


def _first_bad(
    reader: Any,
    index: int,
    name: str,
    codes: NDArray[np.int32],
    is_bad: NDArray[np.bool_],
    wish: str | None,
    expected: str,
) -> BadEntry:
    row = int(np.argmax(is_bad[codes]))
    if wish is None:
        expected += f" (--categorical {quoted(name)[1:-1]} reads it as text)"
    entry = reader.spelling(index, int(codes[row]))
    return BadEntry(row, f"column {quoted(name)} has {quoted(entry)}, {expected}")
