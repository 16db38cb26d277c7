"""Columns of text read letter by letter."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from conjunct.errors import BitsError, RowError
from conjunct.messages import shortened
from conjunct.tables.column import Column

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MOST_LETTERS", "letter_columns", "letter_names", "longer_texts", "n_letters", "require_no_longer_text"]

MOST_LETTERS = 100_000


def n_letters(column: Column) -> int:
    """Return the length of the longest text of a column, at least 1."""
    n_rows_of = column.n_rows_of_values() if column.codes is not None else np.ones(len(column.values), np.int64)
    width = max([1, *(len(text) for text, n_rows in zip(_texts(column), n_rows_of, strict=True) if n_rows)])
    if width > MOST_LETTERS:
        raise BitsError(
            f"column {shortened(column.name)} has a text of {width} letters, expected at most {MOST_LETTERS}"
        )
    return width


def letter_names(names: Iterable[str], letters: Mapping[str, int]) -> list[str]:
    """Return the names of the columns that `letter_columns` makes."""
    return [
        letter_name
        for name in names
        for letter_name in ([f"{name}[{k + 1}]" for k in range(letters[name])] if name in letters else [name])
    ]


def letter_columns(columns: Mapping[str, Column], letters: Mapping[str, int]) -> list[Column]:
    """Replace columns of text by one column per letter; a position past the end of a text is missing.

    Letters past those that there are columns for are left out; `longer_texts` tells where.

    Examples
    --------
    >>> table = {"gene": Column.read("gene", [" AC", "G"]), "age": Column.read("age", [1, 2])}
    >>> [(column.name, column.tolist()) for column in letter_columns(table, {"gene": 2})]
    [('gene[1]', ['A', 'G']), ('gene[2]', ['C', None]), ('age', [1.0, 2.0])]
    """
    result: list[Column] = []
    for name, column in columns.items():
        if name not in letters:
            result.append(column)
            continue
        texts = _texts(column)
        codes = column.codes if column.codes is not None else np.arange(len(column), dtype=np.int32)
        by_letter = (_letter_column(f"{name}[{k + 1}]", texts, codes, k) for k in range(letters[name]))
        result += [replace(letter, missing_tokens=column.missing_tokens) for letter in by_letter]
    return result


def longer_texts(column: Column, width: int) -> NDArray[np.bool_]:
    """Return for each row whether its text has more letters than there are columns for."""
    return column.rows_where(np.array([len(text) > width for text in _texts(column)], bool))


def require_no_longer_text(column: Column, width: int) -> None:
    """Refuse the first text that has more letters than there are columns for."""
    is_longer = longer_texts(column, width)
    if is_longer.any():
        row = int(np.argmax(is_longer))
        n_letters_of_row = len(str(column.entry(row)).strip())
        raise RowError(
            f"column {shortened(column.name)} has {n_letters_of_row} letters", row, f"in fit at most {width}"
        )


def _texts(column: Column) -> list[str]:
    return [str("" if value is None or value != value else value).strip() for value in column.values]


def _letter_column(name: str, texts: list[str], codes: NDArray[np.int32], k: int) -> Column:
    number_of: dict[str, int] = {}
    numbers = [number_of.setdefault(text[k], len(number_of)) if k < len(text) else -1 for text in texts]
    values = np.empty(len(number_of), object)
    values[:] = list(number_of)
    return Column(name, "text" if len(values) else None, values, np.array([*numbers, -1], np.int32)[codes])
