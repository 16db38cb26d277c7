"""What each variable of a binarized table says about an entry, as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from conjunct.errors import BitsError
from conjunct.messages import shortened
from conjunct.tables.entries import entry_number, is_missing

__all__ = ["BETWEEN_ZERO_AND_ONE", "Value", "VariableTest", "require_different_names"]

Value = str | bool | int | float
TestKind = Literal["is one", "equals", "at most", "is missing"]
BETWEEN_ZERO_AND_ONE = 0.5


@dataclass(frozen=True, slots=True)
class VariableTest:
    """The test behind one variable: which column, and what its entry must be for the variable to be 1.

    Attributes
    ----------
    column : str
        The column of the raw table.
    kind : str
        ``"is one"``, ``"equals"``, ``"at most"`` or ``"is missing"``.
    value : str, bool, int, float or None
        What the entry is compared with, exactly as it is printed; None for ``"is one"`` and ``"is missing"``.

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

    def holds(self, entry: object) -> bool:
        """Return whether the variable is 1 on a row with this entry: the definition, on one raw value.

        Numbers are compared as float64. On a missing entry only ``"is missing"`` holds. ``"is one"`` is learned from
        zeros and ones, and tells other numbers apart by what is between these: it holds above 1/2. Dates are given, and
        compared, as their ISO text.
        """
        if is_missing(entry) or self.kind == "is missing":
            return is_missing(entry) and self.kind == "is missing"
        if self.kind == "is one":
            return entry_number(entry) > BETWEEN_ZERO_AND_ONE
        if self.kind == "at most":
            if isinstance(self.value, str):
                return str(entry) <= self.value
            return entry_number(entry) <= entry_number(self.value)
        if isinstance(self.value, str):
            return entry == self.value
        return entry_number(entry) == entry_number(self.value)


def require_different_names(tests: Sequence[VariableTest]) -> None:
    """Refuse two variables of one name."""
    (name, count), *_ = Counter(test.name for test in tests).most_common(1)
    if count > 1:
        first, second, *_ = (test.column for test in tests if test.name == name)
        raise BitsError(
            f"columns {shortened(first)} and {shortened(second)} both give a variable named {shortened(name)}; "
            "rename one of them"
        )
