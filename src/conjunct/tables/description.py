"""ColumnDescription: how a column is read, in numbers and short sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.messages import quoted
from conjunct.tables.date_notation import DateNotation
from conjunct.tables.number_grammar import is_number
from conjunct.tables.raw_table import dropping

if TYPE_CHECKING:
    from conjunct.tables.column import Column
    from conjunct.tables.column_tests import ColumnTests

__all__ = ["ColumnDescription", "describe_column", "too_many_values"]

FEWEST_ROWS_OF_IDENTIFIERS = 20  # in fewer rows, measurements are often all different too
KINDS = {"number": "numbers", "bool": "true or false", "date": "dates", "text": "text", None: "empty"}


@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """How one column is read.

    Attributes
    ----------
    name, kind : str
        Its kind is "numbers", "whole numbers", "zeros and ones", "dates", "text", "true or false" or "empty".
    distinct, missing : int
        How many different values it has; how many entries are missing.
    least, greatest : int, float, str or None
        Of numbers and dates.
    cuts : list of int, float or str
        Where numbers or dates are cut.
    values : list
        The values of text, sorted; none where they are too many.
    notation : str or None
        How numbers or dates are written, where that is not as usual.
    remarks : list of str
        What a reader may want to know.
    refused : str or None
        Why the column cannot be used as it is.
    """

    name: str
    kind: str
    distinct: int
    missing: int
    least: int | float | str | None
    greatest: int | float | str | None
    cuts: list[int | float | str]
    values: list[Any]
    notation: str | None
    remarks: list[str]
    refused: str | None


def too_many_values(column: Column, max_values: int) -> str | None:
    """Return why a column of text is refused that has more values than are taken; None for any other."""
    if column.entry_type != "text" or (n_distinct := column.n_distinct()) <= max_values:
        return None
    return (
        f"column {quoted(column.name)} has {n_distinct} different values, expected at most {max_values} "
        f"({dropping([column.name])} leaves it out, --max-values {n_distinct} takes it)"
    )


def describe_column(column: Column, learned: ColumnTests | None, refused: str | None) -> ColumnDescription:
    """Describe a column, with what was learned about it, or with why it is refused."""
    n_missing = len(column) if column.entry_type is None else int(np.count_nonzero(column.is_missing))
    n_distinct = 0 if column.is_empty else column.n_distinct()
    kind = KINDS[column.entry_type]
    if learned is not None and learned.kind == "boolean":
        kind = "zeros and ones"
    elif column.is_integer:
        kind = "whole numbers"
    is_ordered = column.entry_type in ("number", "date") and n_distinct > 0
    least, greatest = _ends(column) if is_ordered else (None, None)
    is_usual = column.notation is None or (isinstance(column.notation, DateNotation) and column.notation.order == "ymd")
    return ColumnDescription(
        column.name,
        kind,
        n_distinct,
        n_missing,
        least,
        greatest,
        [] if learned is None else list(learned.cuts),
        [] if learned is None else list(learned.values),
        None if is_usual else str(column.notation),
        _remarks(column, n_distinct, n_missing),
        refused,
    )


def _ends(column: Column) -> tuple[Any, Any]:
    """Return the least and the greatest value of a column of numbers or dates."""
    if column.codes is None:
        numbers = column.numbers[~column.is_missing]
        least, greatest = numbers.min(), numbers.max()
    else:
        values = [column.values[code] for code in np.flatnonzero(column.n_rows_of_values()).tolist()]
        least, greatest = min(values), max(values)
    if column.entry_type == "date":
        return least, greatest
    return (int(least), int(greatest)) if column.is_integer else (float(least), float(greatest))


def _remarks(column: Column, n_distinct: int, n_missing: int) -> list[str]:
    n_present = len(column) - n_missing
    remarks = []
    if n_distinct == 1 and not n_missing:
        remarks.append("constant")
    may_be_identifier = column.entry_type == "text" or column.is_integer
    if may_be_identifier and n_distinct == len(column) >= FEWEST_ROWS_OF_IDENTIFIERS:
        remarks.append("an identifier? all entries are different")
    if column.entry_type == "text" and not column.is_category:
        assert column.codes is not None
        are_numbers = np.array([is_number(text) for text in column.values], bool)
        n_text = n_present - int(column.n_rows_of_values()[are_numbers].sum())
        if 0 < 2 * n_text <= n_present:
            remarks.append(f"numbers with text among them: {n_text} of {n_present}")
    return remarks
