"""Columns of text, such as those of a frame, read as numbers or dates of a known notation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from conjunct.tables.notations import DASHES
from conjunct.tables.number_grammar import MISSING, number

if TYPE_CHECKING:
    from conjunct.tables.column import Column
    from conjunct.tables.notations import Notation

__all__ = ["notated_column"]


def notated_column(column: Column, notation: Notation) -> Column:
    """Return the numbers or dates that a column of text spells; what spells none is refused by its row.

    Examples
    --------
    >>> from conjunct.tables.column import Column
    >>> from conjunct.tables.number_notation import NumberNotation
    >>> notated_column(Column.read("price", ["1,5", "-", None, "20"]), NumberNotation(",")).tolist()
    [1.5, None, None, 20.0]
    """
    assert column.codes is not None
    texts = list(column.values)
    plain = [notation.plain(text) for text in texts]
    is_missing = np.array([text in MISSING or text in DASHES or text in column.missing_tokens for text in texts], bool)
    values = np.array([number(text) if text else None for text in plain] if notation.entry_type == "number" else plain)
    is_bad = column.rows_where(np.array([value is None for value in values], bool) & ~is_missing)
    if is_bad.any():
        raise column.refused(is_bad, f"expected {notation.expected} written {notation}")
    codes = np.append(np.where(is_missing, -1, np.cumsum(~is_missing) - 1), -1).astype(np.int32)[column.codes]
    kept = values[~is_missing]
    if notation.entry_type == "number":
        kept = kept.astype(np.float64)
    entry_type = notation.entry_type if len(kept) else None
    return replace(column, entry_type=entry_type, values=kept, codes=codes, notation=notation)
