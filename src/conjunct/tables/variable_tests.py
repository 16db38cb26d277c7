"""What each variable of a binarized table says about a cell, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from itertools import pairwise
from math import isfinite
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from conjunct.bits.dates import is_date
from conjunct.errors import BitsError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "ColumnTests",
    "Value",
    "VariableTest",
    "cell_number",
    "cell_type",
    "is_missing",
    "require_different_names",
]

Value = str | bool | int | float
TestKind = Literal["is one", "equals", "at most", "is missing"]
ColumnKind = Literal["boolean", "categorical", "numeric", "empty"]
LARGEST_INTEGER = 2**53


def is_missing(cell: object) -> bool:
    """Return whether a cell holds nothing: None, NaN, or the missing values of pandas."""
    if isinstance(cell, Decimal):
        return cell.is_nan()
    if isinstance(cell, Real | np.datetime64):
        return bool(cell != cell)
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def cell_type(cell: object) -> str | None:
    """Return what a cell that is not missing holds: ``"text"``, ``"number"``, ``"bool"``, or None for anything else."""
    if isinstance(cell, bool | np.bool_):
        return "bool"
    if isinstance(cell, Real | Decimal) and not is_date(cell):
        return "number"
    return "text" if isinstance(cell, str) else None


def cell_number(cell: object) -> float:
    """Return a cell as the float64 that tests compare; whatever is no finite number is refused."""
    if isinstance(cell, bool | np.bool_ | Real | Decimal):
        try:
            number = float(cell)
        except OverflowError:
            number = float("inf")
        if isfinite(number):
            return number
    raise BitsError(f"expected a finite number, got {shortened(cell)}")


@dataclass(frozen=True, slots=True)
class VariableTest:
    """The test behind one variable: which column, and what its cell must be for the variable to be 1.

    Attributes
    ----------
    column : str
        The column of the raw table.
    kind : str
        ``"is one"``, ``"equals"``, ``"at most"`` or ``"is missing"``.
    value : str, bool, int, float or None
        What the cell is compared with, exactly as it is printed; None for ``"is one"`` and ``"is missing"``.

    Examples
    --------
    >>> test = VariableTest("age", "at most", 39.5)
    >>> test.name, test.holds(39), test.holds(40), test.holds(None)
    ('age<=39.5', True, False, False)
    """

    column: str
    kind: TestKind
    value: Value | None = None

    @property
    def name(self) -> str:
        """The name of the variable."""
        match self.kind:
            case "is one":
                return self.column
            case "equals":
                return f"{self.column}={self.value}"
            case "at most":
                return f"{self.column}<={self.value}"
            case _:
                return f"{self.column} is missing"

    def holds(self, cell: object) -> bool:
        """Return whether the variable is 1 on a row with this cell: the definition, on one raw value.

        Numbers are compared as float64. On a missing cell only ``"is missing"`` holds.
        """
        if is_missing(cell) or self.kind == "is missing":
            return is_missing(cell) and self.kind == "is missing"
        if self.kind == "is one":
            return cell_number(cell) == 1
        if self.kind == "at most":
            return cell_number(cell) <= cell_number(self.value)
        if isinstance(self.value, str):
            return cell == self.value
        return cell_number(cell) == cell_number(self.value)


@dataclass(frozen=True, slots=True)
class ColumnTests:
    """What was learned about one column, from which the tests of its variables follow.

    Attributes
    ----------
    name : str
    kind : str
        ``"boolean"`` passes through, ``"categorical"`` is compared with values, ``"numeric"`` with cuts; ``"empty"``
        held only missing values.
    values : tuple
        The values of a categorical column, sorted: all of text, or all numbers, or all bool.
    cuts : tuple of int or float
        The cuts of a numeric column, increasing.
    had_missing : bool
        Whether a cell was missing; then that has a variable of its own.

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
    cuts: tuple[int | float, ...]
    had_missing: bool

    def __post_init__(self) -> None:
        if not _is_text(self.name):
            raise BitsError(f"a column is named {shortened(self.name)}; expected text that UTF-8 can write")
        if not _are_sorted_values(self.values):
            raise BitsError(f"column {shortened(self.name)}: expected values of one type, sorted, each once")
        if not all(map(_is_number, self.cuts)) or not all(low < high for low, high in pairwise(self.cuts)):
            raise BitsError(f"column {shortened(self.name)}: expected finite cuts in increasing order")
        if (
            bool(self.values) != (self.kind == "categorical")
            or (self.cuts and self.kind != "numeric")
            or (self.kind == "boolean" and self.had_missing)
            or (self.kind == "empty" and not self.had_missing)
        ):
            raise BitsError(f"column {shortened(self.name)}: its values, cuts or missing cells do not fit its kind")

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
    def cell_type(self) -> str | None:
        """What cells of the column hold: ``"text"``, ``"number"`` or ``"bool"``; None if it was never seen."""
        if self.kind == "categorical":
            return cell_type(self.values[0])
        return {"boolean": "bool", "numeric": "number", "empty": None}[self.kind]

    def bits(self, cells: NDArray[Any], missing: NDArray[np.bool_], out: NDArray[np.uint8]) -> None:
        """Write the variables of many cells at once: text as an object array, everything else as float64."""
        width = out.shape[1] - self.had_missing
        present = ~missing
        if self.kind == "boolean":
            out[:, 0] = (cells == 1) & present
        elif self.kind == "numeric":
            out[:, :width] = cells[:, None] <= np.array(self.cuts, np.float64)
            out[missing, :width] = 0
        elif self.kind == "categorical":
            place = self._places(cells, missing) - (len(self.values) - width)
            out[:, :width] = place[:, None] == np.arange(width)
        if self.had_missing:
            out[:, width] = missing

    def n_unseen(self, cells: NDArray[Any], missing: NDArray[np.bool_]) -> int:
        """Count the cells that nothing in the column of the fit was like: other categories, unexpected missing ones."""
        unexpected = 0 if self.had_missing else int(np.count_nonzero(missing))
        if self.kind == "categorical":
            unexpected += int(np.count_nonzero((self._places(cells, missing) == -1) & ~missing))
        elif self.kind == "empty":
            unexpected += int(np.count_nonzero(~missing))
        return unexpected

    def record(self) -> dict[str, object]:
        """Describe the column in text, numbers and lists."""
        return asdict(self) | {"values": list(self.values), "cuts": list(self.cuts)}

    @classmethod
    def from_record(cls, record: object) -> ColumnTests:
        """Read what `record` wrote, checking every value."""
        if type(record) is not dict or record.keys() != {field.name for field in fields(cls)}:
            raise BitsError("a column of the record is not described by name, kind, values, cuts and had_missing")
        if type(record["values"]) is not list or type(record["cuts"]) is not list:
            raise BitsError("the values or the cuts of a column of the record are not a list")
        kind = record["kind"]
        if type(kind) is not str or kind not in get_args(ColumnKind) or type(record["had_missing"]) is not bool:
            raise BitsError(
                f"a column of the record has kind {shortened(kind)}, or its had_missing is not true or false"
            )
        return cls(**record | {"values": tuple(record["values"]), "cuts": tuple(record["cuts"])})

    def _places(self, cells: NDArray[Any], missing: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return the index of every cell among the values; -1 for others, -2 for missing ones."""
        known = {value if type(value) is str else float(value): place for place, value in enumerate(self.values)}
        places = np.fromiter((known.get(cell, -1) for cell in cells.tolist()), np.int64, len(cells))
        places[missing] = -2
        return places


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


def require_different_names(tests: Sequence[VariableTest]) -> None:
    """Refuse two variables of one name."""
    (name, count), *_ = Counter(test.name for test in tests).most_common(1)
    if count > 1:
        first, second, *_ = (test.column for test in tests if test.name == name)
        raise BitsError(
            f"columns {shortened(first)} and {shortened(second)} both give a variable named {shortened(name)}; "
            "rename one of them"
        )
