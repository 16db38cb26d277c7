"""From columns of categories and numbers to Boolean variables: learn the tests, apply them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, require_memory
from conjunct.bits.packing import words_per_row
from conjunct.errors import BitsError
from conjunct.messages import shortened
from conjunct.tables.column_tests import ColumnTests
from conjunct.tables.cuts import automatic_cuts, column_cuts, date_cuts
from conjunct.tables.entries import LARGEST_INTEGER
from conjunct.tables.variable_tests import Value, require_different_names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.tables.column import Column

__all__ = ["learn_columns", "pack_columns", "require_variables", "require_zeros_and_ones"]

WORDS_PER_STEP = 1 << 15  # of the rows that all columns write before the next ones: what fits the cache


def learn_columns(
    columns: Sequence[Column], cuts: int | str, max_values: int, labels: NDArray[np.int64] | None
) -> tuple[ColumnTests, ...]:
    """Return the tests of every column; labels, numbered, are needed for supervised cuts."""
    if cuts == "auto":
        cuts = automatic_cuts(sum(column.entry_type == "number" and not column.is_category for column in columns))
    return tuple(_learn_column(column, cuts, max_values, labels) for column in columns)


def _learn_column(column: Column, cuts: int | str, max_values: int, labels: NDArray[np.int64] | None) -> ColumnTests:
    had_missing = column.has_missing()
    if column.is_empty:
        return ColumnTests(column.name, "empty", (), (), had_missing, missing_tokens=column.missing_tokens)
    manner = column.notation, column.missing_tokens
    is_plain = column.entry_type in ("number", "bool") and not column.is_category
    if is_plain and not had_missing and _is_boolean(column):
        return ColumnTests(column.name, "boolean", (), (), had_missing, *manner)
    if column.entry_type == "date":
        return ColumnTests(column.name, "date", (), date_cuts(column, cuts, labels), had_missing, *manner)
    if is_plain and column.entry_type == "number":
        return ColumnTests(column.name, "numeric", (), column_cuts(column, cuts, labels), had_missing, *manner)
    values = tuple(_printed(column, value) for value in sorted(_present_values(column, max_values)))
    return ColumnTests(column.name, "categorical", values, (), had_missing, *manner)


def pack_columns(tests: Sequence[ColumnTests], columns: Sequence[Column]) -> BitMatrix:
    """Return the variables of every row, packed and named."""
    n_rows, n_variables = len(columns[0]), sum(column.n_tests for column in tests)
    n_words = words_per_row(n_variables)
    require_memory(16 * n_rows * n_words, "the packed table", "use fewer cuts")
    words = np.zeros((n_rows, n_words), np.uint64)
    step = max(64, WORDS_PER_STEP // n_words)
    begins = np.cumsum([0, *(column.n_tests for column in tests)]).tolist()
    writers = [learned.writer(column, begin) for learned, column, begin in zip(tests, columns, begins, strict=False)]
    for start in range(0, n_rows, step):
        rows = slice(start, min(start + step, n_rows))
        for write in writers:
            write(rows, words[rows])
    return BitMatrix(words, n_variables, [test.name for column in tests for test in column.tests])


def require_variables(tests: Sequence[ColumnTests], n_rows: int) -> None:
    """Refuse columns that give no variable, or two of one name."""
    all_tests = [test for column in tests for test in column.tests]
    if not all_tests:
        raise BitsError(
            f"the table gives no variable (n_samples={n_rows}): its columns hold equal numbers, or no cut tells "
            "the labels apart; cuts=4 cuts at quantiles"
        )
    require_different_names(all_tests)


def require_zeros_and_ones(column: Column, reason: str) -> None:
    """Refuse the first entry that is neither 0 nor 1."""
    is_text = column.entry_type in ("text", "date")
    numbers = np.full(len(column.values), np.nan) if is_text else column.numbers
    is_other = column.rows_where((numbers != 0) & (numbers != 1), missing=True)
    if is_other.any():
        raise column.refused(is_other, reason)


def _is_boolean(column: Column) -> bool:
    numbers = column.numbers if column.codes is None else column.numbers[column.n_rows_of_values() > 0]
    return bool(np.all((numbers == 0) | (numbers == 1)))


def _present_values(column: Column, max_values: int) -> set[Any]:
    """Return the different values of a categorical column; more than `max_values` are refused."""
    if column.codes is None:
        present = np.unique(column.numbers[~column.is_missing])
        n_values, values = len(present), present.tolist()
    else:
        occurring = np.flatnonzero(column.n_rows_of_values())
        n_values = len(occurring)
        values = [column.values[code] for code in occurring.tolist()] if n_values <= max_values else []
    if n_values > max_values:
        raise BitsError(
            f"column {shortened(column.name)} has {n_values} distinct values, more than max_values={max_values}; "
            "leave the column out, group its values, or raise max_values"
        )
    return set(values)


def _printed(column: Column, value: Any) -> Value:
    """Return a category as it is printed: text, bool, or a number, whole where it is."""
    if column.entry_type == "text":
        return str(value)
    if column.entry_type == "bool":
        return bool(value)
    return int(value) if value == int(value) and abs(value) <= LARGEST_INTEGER else float(value)
