"""One column of a table: its entries typed once, whether they came from a file, a frame or an array."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits.dates import DATES_ARE_NO_NUMBERS, is_date, shown_date
from conjunct.errors import BitsError, RowError
from conjunct.messages import shortened
from conjunct.tables.entries import entry_number, entry_type, is_missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    import narwhals as nw
    from numpy.typing import NDArray

    from conjunct.tables.notations import Notation
    from conjunct.tables.spellings import Spellings

__all__ = ["Column", "bad_entry"]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The entries of one column.

    Attributes
    ----------
    name : str
    entry_type : "text", "number", "bool", "date" or None
        What its entries hold; None where all are missing.
    values : ndarray of float64 or object, or Spellings
        Its different values, numbers as float64, text and the ISO text of dates as objects, where there are codes;
        otherwise one number for each row, NaN where it is missing. Dates may occur twice.
    codes : ndarray of int32, or None
        For each row the index of its value; -1 where the entry is missing.
    is_category : bool
        Whether numbers are names of categories, as in a categorical column of a frame.
    is_integer : bool
        Whether all numbers were written as integers.
    notation : NumberNotation, DateNotation or None
        How a file wrote its numbers or dates; None where numbers are as our own grammar has them.
    missing_tokens : tuple of str
        What a file wrote for missing entries, by the reader's option, beside what always stands for them.

    Examples
    --------
    >>> column = Column.read("sky", ["grey", None, "grey", "clear"])
    >>> column.values.tolist(), column.codes.tolist(), column.tolist()
    (['grey', 'clear'], [0, -1, 0, 1], ['grey', None, 'grey', 'clear'])
    """

    name: str
    entry_type: str | None
    values: NDArray[Any] | Spellings
    codes: NDArray[np.int32] | None = None
    is_category: bool = False
    is_integer: bool = False
    notation: Notation | None = None
    missing_tokens: tuple[str, ...] = ()

    @classmethod
    def read(cls, name: str, entries: Any) -> Column:
        """Read a column of an array, a frame or a list; what is neither text nor number is refused by its place."""
        if isinstance(entries, Column):
            return replace(entries, name=name)
        if type(entries).__module__.partition(".")[0] == "narwhals":
            return cls._of_series(name, entries)
        array = entries if isinstance(entries, np.ndarray) else _object_array(entries)
        if len(array) and array.dtype.kind in "mM":
            raise bad_entry(name, array[0], 0, DATES_ARE_NO_NUMBERS)
        if array.dtype.kind in "biuf":
            return cls._of_numbers(name, array.astype(np.float64), array.dtype.kind)
        return cls._of_objects(name, array.tolist(), is_category=False)

    @classmethod
    def _of_series(cls, name: str, series: nw.Series[Any]) -> Column:
        import narwhals as nw

        if len(series) and series.dtype.is_temporal():
            raise bad_entry(name, series[0], 0, DATES_ARE_NO_NUMBERS)
        if series.dtype.is_numeric() or series.dtype == nw.Boolean:
            numbers = series.to_numpy()
            if numbers.dtype.kind in "biuf":
                values = numbers.astype(np.float64)
                if series.null_count():
                    values[series.is_null().to_numpy()] = np.nan
                return cls._of_numbers(name, values, numbers.dtype.kind)
        is_category = series.dtype in (nw.Categorical, nw.Enum)
        if (coded := _text_codes(series)) is not None:
            return cls(name, "text" if len(coded[0]) else None, *coded, is_category)
        entries = series.to_list()
        if series.null_count():
            entries = [None if null else entry for entry, null in zip(entries, series.is_null().to_list(), strict=True)]
        return cls._of_objects(name, entries, is_category=is_category)

    @classmethod
    def _of_numbers(cls, name: str, values: NDArray[np.float64], kind: str) -> Column:
        infinite = np.isinf(values)
        if infinite.any():
            row = int(np.argmax(infinite))
            raise bad_entry(name, float(values[row]), row, "expected finite or missing numbers")
        is_empty = bool(np.isnan(values).all())
        return cls(name, None if is_empty else "bool" if kind == "b" else "number", values, is_integer=kind in "iu")

    @classmethod
    def _of_objects(cls, name: str, entries: list[Any], *, is_category: bool) -> Column:
        codes = np.empty(len(entries), np.int32)
        texts: Any = _core.code_objects(entries, codes)
        if texts:
            return cls(name, "text", _object_array(texts), codes, is_category)
        return _mixed_column(name, entries, is_category)

    def __len__(self) -> int:
        return len(self.values) if self.codes is None else len(self.codes)

    @property
    def is_missing(self) -> NDArray[np.bool_]:
        """Which entries are missing."""
        return np.isnan(self.numbers) if self.codes is None else self.codes < 0

    @property
    def numbers(self) -> NDArray[np.float64]:
        """The values of a column of numbers."""
        numbers: NDArray[np.float64] = np.asarray(self.values).astype(np.float64, copy=False)
        return numbers

    @property
    def is_empty(self) -> bool:
        """Whether all entries are missing, as in some rows of a column where others are not."""
        return self.entry_type is None or bool(self.is_missing.all())

    def has_missing(self) -> bool:
        """Return whether an entry is missing."""
        return bool(self.is_missing.any())

    def n_distinct(self) -> int:
        """Count the different values, missing ones apart."""
        if self.codes is None:
            return len(np.unique(self.numbers[~self.is_missing]))
        occurs = np.flatnonzero(self.n_rows_of_values())
        if self.entry_type == "text":  # no two spellings are one
            return len(occurs)
        return len({self.values[code] for code in occurs.tolist()})

    def take(self, rows: NDArray[np.int64]) -> Column:
        """Return some rows of the column, in their order."""
        if self.codes is None:
            return replace(self, values=np.asarray(self.values)[rows])
        return replace(self, codes=self.codes[rows])

    def rows_where(self, holds: NDArray[np.bool_], *, missing: bool = False) -> NDArray[np.bool_]:
        """Return for each row whether something holds of its value; ``missing`` where it has none."""
        if self.codes is None:
            return np.where(self.is_missing, missing, holds)
        rows: NDArray[np.bool_] = np.append(holds, missing)[self.codes]
        return rows

    def n_rows_of_values(self) -> NDArray[np.int64]:
        """Count the rows that have each value."""
        assert self.codes is not None
        return np.bincount(self.codes + 1, minlength=len(self.values) + 1)[1:]

    def entry(self, row: int) -> Any:
        """Return one entry: text, a number, or None where it is missing."""
        index = row if self.codes is None else int(self.codes[row])
        return None if index < 0 else self._plain(self.values[index])

    def tolist(self) -> list[Any]:
        """Return the entries: all text, all integers or all floats, None where one is missing."""
        if self.codes is None:
            missing = self.is_missing.tolist()
            values = np.asarray(self.values).tolist()
            return [None if gone else self._plain(value) for value, gone in zip(values, missing, strict=True)]
        plain = [*(self._plain(value) for value in self.values), None]
        return [plain[code] for code in self.codes.tolist()]

    def _plain(self, value: Any) -> Any:
        if self.entry_type in ("text", "date"):
            return value
        if value is None or value != value:
            return None
        return bool(value) if self.entry_type == "bool" else int(value) if self.is_integer else float(value)

    def refused(self, is_bad: NDArray[np.bool_], reason: str) -> RowError:
        """Return the refusal of the first of some rows."""
        row = int(np.argmax(is_bad))
        entry = self.entry(row)
        is_number = entry is not None and self.entry_type not in ("text", "date")
        return bad_entry(self.name, float(entry) if is_number else entry, row, reason)


def bad_entry(name: str, entry: object, row: int, reason: str) -> RowError:
    """Say which entry of which column is refused, and why."""
    what = "a missing value" if entry is None else shown_date(entry) if is_date(entry) else shortened(entry)
    return RowError(f"column {shortened(name)} has {what}", row, reason)


def _object_array(entries: Sequence[Any]) -> NDArray[np.object_]:
    array = np.empty(len(entries), object)
    array[:] = entries
    return array


def _text_codes(series: nw.Series[Any]) -> tuple[NDArray[np.object_], NDArray[np.int32]] | None:
    """Return different values of a column of text and codes, as its library finds them; None where there is more."""
    import narwhals as nw

    native: Any = series.to_native()
    if series.dtype not in (nw.String, nw.Object, nw.Categorical):
        return None
    if nw.dependencies.is_polars_series(native):
        if series.dtype == nw.Object:
            return None
        physical = series.cast(nw.Categorical).to_native().to_physical()
        first = physical.arg_unique()
        texts, numbers = native.gather(first).to_list(), physical.gather(first).to_list()
        code_of = np.full(max([n for n in numbers if n is not None], default=-1) + 2, -1, np.int32)
        values = [text for text in texts if text is not None]
        code_of[[n for n in numbers if n is not None]] = np.arange(len(values))
        codes = code_of[(physical.cast(int).fill_null(-1) if physical.null_count() else physical).to_numpy()]
    elif nw.dependencies.is_pandas_series(native):
        try:
            numbered, uniques = native.factorize()
        except (OverflowError, TypeError):  # of numbers past floats, and of what has no hash
            return None
        codes, values = numbered.astype(np.int32), list(uniques)
    else:
        return None
    return (_object_array(values), codes) if all(type(value) is str for value in values) else None


def _mixed_column(name: str, entries: list[Any], is_category: bool) -> Column:
    """Read entries one by one: those of two types, and what is neither text nor a finite number, are refused."""
    missing = np.fromiter(map(is_missing, entries), bool, len(entries))
    present = np.flatnonzero(~missing).tolist()
    column_type = entry_type(entries[present[0]]) if present else None
    numbers = np.full(len(entries), np.nan)
    texts: dict[str, int] = {}
    codes = np.full(len(entries), -1, np.int32)
    for row in present:
        entry, this_type = entries[row], entry_type(entries[row])
        if this_type is None:
            expected = "expected text or numbers; convert the column first"
            raise bad_entry(name, entry, row, DATES_ARE_NO_NUMBERS if is_date(entry) else expected)
        if this_type != column_type:
            reason = f"not a {column_type} as in row {present[0]}; a column holds one type of entry"
            raise bad_entry(name, entry, row, reason)
        try:
            if this_type == "text":
                codes[row] = texts.setdefault(str(entry), len(texts))
            else:
                numbers[row] = entry_number(entry)
        except BitsError:
            raise bad_entry(name, entry, row, "expected finite numbers, or missing ones") from None
    if column_type == "text":
        return Column(name, "text", _object_array(list(texts)), codes, is_category)
    return Column(name, column_type, numbers, is_category=is_category)
