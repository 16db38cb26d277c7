"""What was learned about one column, and the variables that follow from it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from conjunct import _core
from conjunct.errors import BitsError
from conjunct.messages import shortened
from conjunct.tables.date_notation import DateNotation, is_iso_date
from conjunct.tables.entries import LARGEST_INTEGER, entry_type
from conjunct.tables.notated_columns import notated_column
from conjunct.tables.notations import Notation, notation_from_record
from conjunct.tables.variable_tests import BETWEEN_ZERO_AND_ONE, Value, VariableTest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.tables.column import Column

__all__ = ["EXPECTED_SEEN", "ColumnTests", "UnseenEntries"]

ColumnKind = Literal["boolean", "categorical", "numeric", "date", "empty"]
EXPECTED_SEEN = "expected one like those learned from; unseen='warn' answers, and counts them"


class UnseenEntries(NamedTuple):
    """How many entries of a column are unlike any in fit.

    Attributes
    ----------
    values : int
        Categories that fit did not see; no variable holds on them. Of a column that is read letter by letter, texts
        longer than those of fit; the letters past these are left out.
    numbers : int
        Numbers other than 0 and 1 in a column that had only these; above 1/2 they count as 1.
    missing : int
        Missing entries of a column that had none; no variable holds on them.
    """

    values: int = 0
    numbers: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True)
class ColumnTests:
    """What was learned about one column, from which the tests of its variables follow.

    Attributes
    ----------
    name : str
    kind : str
        ``"boolean"`` passes through, ``"categorical"`` is compared with values, ``"numeric"`` with cuts, ``"date"``
        with cuts that are ISO texts; ``"empty"`` held only missing values.
    values : tuple
        The values of a categorical column, sorted: all of text, or all numbers, or all bool.
    cuts : tuple of int, float or str
        The cuts of a column of numbers or dates, increasing.
    had_missing : bool
        Whether an entry was missing; then that has a variable of its own.
    notation : NumberNotation, DateNotation or None
        How its file wrote numbers or dates; None for numbers of our own grammar.
    missing_tokens : tuple of str
        What its file wrote for missing entries, by an option.

    Examples
    --------
    >>> [test.name for test in ColumnTests("sky", "categorical", ("clear", "grey"), (), True).tests]
    ['sky=clear', 'sky=grey', 'sky is missing']
    >>> [test.name for test in ColumnTests("sky", "categorical", ("clear", "grey"), (), False).tests]
    ['sky=grey']
    """

    name: str
    kind: ColumnKind
    values: tuple[Value, ...]
    cuts: tuple[int | float | str, ...]
    had_missing: bool
    notation: Notation | None = None
    missing_tokens: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not _is_text(self.name):
            raise BitsError(f"a column is named {shortened(self.name)}; expected text that UTF-8 can write")
        if not _are_sorted_values(self.values):
            raise BitsError(f"column {shortened(self.name)}: expected values of one type, sorted, each once")
        is_cut = is_iso_date if self.kind == "date" else _is_number
        cuts: tuple[Any, ...] = self.cuts
        if not all(map(is_cut, cuts)) or not all(low < high for low, high in pairwise(cuts)):
            raise BitsError(f"column {shortened(self.name)}: expected finite cuts in increasing order")
        if not all(map(_is_text, self.missing_tokens)):
            raise BitsError(f"column {shortened(self.name)}: expected text for missing entries")
        if (
            bool(self.values) != (self.kind == "categorical")
            or (self.cuts and self.kind not in ("numeric", "date"))
            or (self.kind == "date") != isinstance(self.notation, DateNotation)
            or len({len(str(cut)) for cut in self.cuts if self.kind == "date"}) > 1
            or (self.kind == "boolean" and self.had_missing)
            or (self.kind == "empty" and not self.had_missing)
        ):
            raise BitsError(f"column {shortened(self.name)}: its values, cuts or missing entries do not fit its kind")

    @property
    def tests(self) -> tuple[VariableTest, ...]:
        """The tests of the variables, in their order."""
        if self.kind == "boolean":
            return (VariableTest(self.name, "is one"),)
        tests = [VariableTest(self.name, "equals", value) for value in self.values]
        if len(tests) == 2 and not self.had_missing:
            del tests[0]
        tests += [VariableTest(self.name, "at most", cut) for cut in self.cuts]
        if self.had_missing:
            tests.append(VariableTest(self.name, "is missing"))
        return tuple(tests)

    @property
    def entry_type(self) -> str | None:
        """What entries of the column hold: ``"text"``, ``"number"`` or ``"bool"``; None if it was never seen."""
        if self.kind == "categorical":
            return entry_type(self.values[0])
        return {"boolean": "bool", "numeric": "number", "date": "date", "empty": None}[self.kind]

    @property
    def n_tests(self) -> int:
        """The number of variables."""
        return len(self.tests)

    def writer(self, column: Column, begin: int) -> Callable[[slice, NDArray[np.uint64]], None]:
        """Return what sets the variables of some rows of a column in packed zeros; the first is variable `begin`."""
        missing = begin + self.n_tests - 1 if self.had_missing else -1
        if column.codes is None and self.kind == "numeric":
            cuts, numbers = np.array(self.cuts, np.float64), column.numbers
            return lambda rows, words: _core.set_number_bits(numbers[rows], cuts, begin, missing, words)
        values, codes = column.values, column.codes
        if codes is None:
            values, value_of = np.unique(column.numbers, return_inverse=True)  # NaN is the last, once
            codes = np.where(column.is_missing, -1, value_of).astype(np.int32)
        ranges = np.zeros((len(values) + 1, 2), np.int32)
        if self.had_missing:
            ranges[0] = missing, missing + 1
        ranges[1:] = self._ranges(values) + begin
        return lambda rows, words: _core.set_code_bits(codes[rows], ranges, words)

    def unseen(self, column: Column) -> UnseenEntries:
        """Count the entries that nothing in the column of the fit was like."""
        n_others = int(np.count_nonzero(column.rows_where(self._is_unseen(column.values))))
        n_missing = 0 if self.had_missing else int(np.count_nonzero(column.is_missing))
        is_boolean = self.kind == "boolean"
        return UnseenEntries(0 if is_boolean else n_others, n_others if is_boolean else 0, n_missing)

    def require_seen(self, column: Column) -> None:
        """Refuse the first entry that nothing in the column of the fit was like."""
        unseen = column.rows_where(self._is_unseen(column.values), missing=not self.had_missing)
        if unseen.any():
            raise column.refused(unseen, EXPECTED_SEEN)

    def typed(self, column: Column) -> Column:
        """Return a column as its entries were in fit: of a text, such as one of a frame, the numbers or dates."""
        if self.notation is not None and column.entry_type == "text":
            column = notated_column(column, self.notation)
        if not column.is_empty and (self.kind == "date") != (column.entry_type == "date"):
            raise column.refused(
                ~column.is_missing, f"in fit its entries were {'' if self.kind == 'date' else 'no '}dates"
            )
        self.require_type_of(column)
        return column

    def require_type_of(self, column: Column) -> None:
        """Refuse text where the column held numbers in fit, and the reverse; False and True are 0 and 1."""
        learned, is_text = self.entry_type, column.entry_type == "text"
        if not column.is_empty and learned is not None and is_text != (learned == "text"):
            shown = "0 or 1" if self.kind == "boolean" else f"of type {learned}"
            raise column.refused(~column.is_missing, f"in fit its entries were {shown}")

    def _ranges(self, values: Any) -> NDArray[np.int32]:
        """Return for each value which tests hold on it: from the first to before the second number."""
        n_tests = self.n_tests - self.had_missing
        begin: NDArray[np.int64] = np.zeros(len(values), np.int64)
        end = begin
        if self.kind == "empty":
            pass
        elif self.kind == "categorical":
            begin = self._positions(values) - (len(self.values) - n_tests)
            end = np.where(begin >= 0, begin + 1, 0)
            begin = np.where(begin >= 0, begin, 0)
        elif self.kind == "date":
            begin = np.fromiter((bisect_left(self.cuts, value) for value in values), np.int64, len(values))
            end = np.full(len(values), n_tests)
        else:
            numbers = np.asarray(values).astype(np.float64)
            if self.kind == "boolean":
                end = (numbers > BETWEEN_ZERO_AND_ONE).astype(np.int64)
            else:
                begin = np.searchsorted(np.array(self.cuts, np.float64), numbers)
                end = np.full(len(numbers), n_tests)
        return np.column_stack([begin, end]).astype(np.int32)

    def _is_unseen(self, values: Any) -> NDArray[np.bool_]:
        if self.kind == "categorical":
            return self._positions(values) < 0
        if self.kind == "boolean":
            numbers: NDArray[np.float64] = np.asarray(values).astype(np.float64)
            is_other: NDArray[np.bool_] = (numbers != 0) & (numbers != 1)
            return is_other
        return np.full(len(values), self.kind == "empty")

    def _positions(self, values: Any) -> NDArray[np.int64]:
        """Return the position of every value among those of the column in fit; -1 for others."""
        position = {value if type(value) is str else float(value): k for k, value in enumerate(self.values)}
        return np.fromiter((position.get(value, -1) for value in values), np.int64, len(values))

    def record(self) -> dict[str, object]:
        """Describe the column in text, numbers and lists; how it is written only where that needs a word."""
        record = asdict(self) | {"values": list(self.values), "cuts": list(self.cuts)}
        if self.notation is None:
            del record["notation"]
        record["missing_tokens"] = list(self.missing_tokens)
        if not self.missing_tokens:
            del record["missing_tokens"]
        return record

    @classmethod
    def from_record(cls, record: object) -> ColumnTests:
        """Read what `record` wrote, checking every value."""
        own = {field.name for field in fields(cls)}
        if type(record) is not dict or record.keys() | {"notation", "missing_tokens"} != own:
            raise BitsError("a column of the record is not described by name, kind, values, cuts and had_missing")
        tokens = record.get("missing_tokens", [])
        if type(record["values"]) is not list or type(record["cuts"]) is not list or type(tokens) is not list:
            raise BitsError("the values or the cuts of a column of the record are not a list")
        notation = notation_from_record(record["notation"]) if "notation" in record else None
        kind = record["kind"]
        if type(kind) is not str or kind not in get_args(ColumnKind) or type(record["had_missing"]) is not bool:
            raise BitsError(
                f"a column of the record has kind {shortened(kind)}, or its had_missing is not true or false"
            )
        lists = {"values": tuple(record["values"]), "cuts": tuple(record["cuts"]), "missing_tokens": tuple(tokens)}
        return cls(**record | lists | {"notation": notation})


def _are_sorted_values(values: tuple[object, ...]) -> bool:
    """Return whether values are all of text, all bool, or all numbers, and strictly increasing."""
    are_alike = any(all(map(is_one, values)) for is_one in (_is_text, _is_bool, _is_number))
    plain: tuple[Any, ...] = values
    return are_alike and all(low < high for low, high in pairwise(plain))


def _is_bool(value: object) -> bool:
    return type(value) is bool


def _is_text(value: object) -> bool:
    return type(value) is str and not any("\ud800" <= sign <= "\udfff" for sign in value)


def _is_number(value: object) -> bool:
    if type(value) is int:
        return abs(value) <= LARGEST_INTEGER
    return type(value) is float and isfinite(value)
