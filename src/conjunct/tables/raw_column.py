"""A column of a table as it was given, before it becomes Boolean variables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from conjunct.bits.dates import DATES_ARE_NO_NUMBERS, is_date, shown_date
from conjunct.errors import BitsError, RowError
from conjunct.messages import shortened
from conjunct.tables.cuts import column_cuts
from conjunct.tables.variable_tests import ColumnTests, Value, cell_number, cell_type, is_missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["RawColumn"]


@dataclass(frozen=True, slots=True)
class RawColumn:
    """One column as it was given: its cells, text as objects and the rest as float64, and which of them are missing."""

    name: str
    cell_type: str | None
    is_category: bool
    cells: NDArray[Any]
    missing: NDArray[np.bool_]

    @classmethod
    def read(cls, name: str, column: Any) -> RawColumn:
        """Read a column of an array or of a frame; what is neither text nor number is refused by its place."""
        is_series = isinstance(column, nw.Series)
        if len(column) and (column.dtype.is_temporal() if is_series else column.dtype.kind in "mM"):
            raise _bad_cell(name, column[0], 0, DATES_ARE_NO_NUMBERS)
        is_category = is_series and column.dtype in (nw.Categorical, nw.Enum)
        is_number = is_series and (column.dtype.is_numeric() or column.dtype == nw.Boolean)
        plain = column.to_numpy() if is_number else None if is_series else column
        if plain is not None and plain.dtype.kind in "biuf":
            cells = plain.astype(np.float64)
            missing = column.is_null().to_numpy() | np.isnan(cells) if is_series else np.isnan(cells)
            plain_type = "bool" if plain.dtype.kind == "b" else "number"
            infinite = np.flatnonzero(np.isinf(cells))
            if infinite.size:
                raise _bad_cell(name, float(cells[infinite[0]]), int(infinite[0]), "expected finite or missing numbers")
            return cls(name, None if missing.all() else plain_type, False, cells, missing)
        nulls = column.is_null().to_list() if is_series else [False] * len(column)
        given = column.to_list() if is_series else column.tolist()
        column_type, cells, missing = _read_cells(name, given, nulls)
        return cls(name, column_type, is_category, cells, missing)

    @property
    def is_boolean(self) -> bool:
        """Whether every cell is 0 or 1 and none is missing."""
        if self.cell_type not in ("bool", "number") or self.is_category or self.missing.any():
            return False
        return bool(np.all((self.cells == 0) | (self.cells == 1)))

    def learn(self, cuts: int | str, max_values: int, labels: NDArray[np.int64] | None) -> ColumnTests:
        """Return the tests of the column."""
        had_missing, present = bool(self.missing.any()), self.cells[~self.missing]
        if self.cell_type is None:
            return ColumnTests(self.name, "empty", (), (), had_missing)
        if self.is_boolean:
            return ColumnTests(self.name, "boolean", (), (), had_missing)
        if self.cell_type == "number" and not self.is_category:
            known = None if labels is None else labels[~self.missing]
            return ColumnTests(self.name, "numeric", (), column_cuts(present, cuts, known), had_missing)
        values = sorted(set(present.tolist()))
        if len(values) > max_values:
            raise BitsError(
                f"column {shortened(self.name)} has {len(values)} distinct values, more than max_values={max_values}; "
                "leave the column out, group its values, or raise max_values"
            )
        return ColumnTests(self.name, "categorical", tuple(map(self._value, values)), (), had_missing)

    def require_type_of(self, learned: ColumnTests) -> None:
        """Refuse cells of another type than the column had in fit."""
        if learned.kind == "boolean":
            self.require_zeros_and_ones("in fit it held only 0 and 1; fit on more rows", missing=True)
            return
        this_type = "number" if learned.kind == "numeric" and self.cell_type == "bool" else self.cell_type
        if None not in (this_type, learned.cell_type) and this_type != learned.cell_type:
            raise self._first_bad_cell(~self.missing, f"in fit its cells were of type {learned.cell_type}")

    def require_zeros_and_ones(self, reason: str, *, missing: bool = False) -> None:
        """Refuse the first cell that is neither 0 nor 1."""
        is_other = (self.cells != 0) & (self.cells != 1) | (self.cell_type == "text")
        is_stray = np.where(self.missing, not missing, is_other)
        if is_stray.any():
            raise self._first_bad_cell(is_stray, reason)

    def _value(self, value: Any) -> Value:
        """Return a category as it is printed: text, bool, or a number, whole where it is."""
        if self.cell_type == "text":
            return str(value)
        if self.cell_type == "bool":
            return bool(value)
        return int(value) if value == int(value) and abs(value) <= 2**53 else float(value)

    def _first_bad_cell(self, is_bad: NDArray[np.bool_], reason: str) -> RowError:
        row = int(np.flatnonzero(is_bad)[0])
        return _bad_cell(self.name, None if self.missing[row] else self.cells[row], row, reason)


def _read_cells(
    name: str, given: Sequence[object], nulls: Sequence[bool]
) -> tuple[str | None, NDArray[Any], NDArray[np.bool_]]:
    """Return the type of the cells of a column, text as an object array or the rest as float64, and which are missing.

    Cells of two types, and what is neither text nor a finite number, are refused by their place.
    """
    missing = np.array([null or is_missing(cell) for cell, null in zip(given, nulls, strict=True)], bool)
    present = np.flatnonzero(~missing).tolist()
    column_type = cell_type(given[present[0]]) if present else None
    cells = np.zeros(len(given), object if column_type == "text" else np.float64)
    for row in present:
        cell, this_type = given[row], cell_type(given[row])
        if this_type is None:
            expected = "expected text or numbers; convert the column first"
            raise _bad_cell(name, cell, row, DATES_ARE_NO_NUMBERS if is_date(cell) else expected)
        if this_type != column_type:
            reason = f"not a {column_type} as in row {present[0]}; a column holds one type of cell"
            raise _bad_cell(name, cell, row, reason)
        try:
            cells[row] = str(cell) if this_type == "text" else cell_number(cell)
        except BitsError:
            raise _bad_cell(name, cell, row, "expected finite numbers, or missing ones") from None
    return column_type, cells, missing


def _bad_cell(name: str, cell: object, row: int, reason: str) -> RowError:
    """Say which cell of which column is refused, and why."""
    what = "a missing value" if cell is None else shown_date(cell) if is_date(cell) else shortened(cell)
    return RowError(f"column {shortened(name)} has {what}", row, reason)
