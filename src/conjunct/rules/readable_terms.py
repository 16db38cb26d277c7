"""Conjunctions as people say them: 24 < age <= 31, and no test that another one implies."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from conjunct.logic import Literal, Term
from conjunct.logic.spelling import CONNECTIVES, spelled
from conjunct.tables.date_notation import is_iso_date
from conjunct.tables.number_grammar import is_number
from conjunct.tables.variable_tests import VariableTest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.rules.named_model import NamedModel

__all__ = ["ALWAYS", "TermReader", "variable_test"]

ALWAYS = "(always)"
MISSING = " is missing"
SIGNS_OF_FORMULAS = frozenset('&|~<>=!"\\')


class TermReader:
    """What reads conjunctions over the variables of a model; literal 2j + 1 says that variable j is true, 2j false.

    Parameters
    ----------
    named : NamedModel

    Examples
    --------
    >>> from conjunct.rules.named_model import NamedModel
    >>> reader = TermReader(NamedModel(None, ("age<=24", "age<=31", "sky=grey", "sky=clear", "is old"), (0, 1)))
    >>> print(reader.text([0, 3, 5]), "or", reader.text([1, 4, 8]), "or", reader.text([]))
    24 < age <= 31 & sky=grey or age <= 24 & sky!=grey & not "is old" or (always)
    >>> reader.is_redundant([1, 3]), reader.is_redundant([0, 3]), reader.is_redundant([5, 6])
    (True, False, True)
    """

    def __init__(self, named: NamedModel) -> None:
        self.names, self.is_by_name = named.names, named.table is not None
        encoding = named.encoding
        learned = None if encoding is None or encoding.columns is None else encoding.tests
        self.tests = learned or tuple(map(variable_test, named.names))
        self._rows: BitMatrix | None = getattr(named.model, "rows", None)
        self._implications: dict[tuple[int, int], bool] = {}
        self._with_missing = {test.column for test in self.tests if test.kind == "is missing"}

    @property
    def may_imply(self) -> bool:
        """Whether a column has several tests, of which one may imply another."""
        return len({test.column for test in self.tests}) < len(self.tests)

    def literals(self, literals: Sequence[int]) -> tuple[Literal, ...]:
        """Return the literals of a conjunction over the names of the variables."""
        if self.is_by_name:
            return Term.parse(self.text(literals)).literals if literals else ()
        return tuple(Literal(self.names[literal // 2], bool(literal % 2)) for literal in literals)

    def is_redundant(self, literals: Sequence[int]) -> bool:
        """Return whether one of the literals implies another."""
        return len(self.needed(literals)) < len(literals)

    def needed(self, literals: Sequence[int]) -> list[int]:
        """Return the literals that no other implies."""
        return [literal for literal in literals if not any(self._implies(other, literal) for other in literals)]

    def text(self, literals: Sequence[int]) -> str:
        """Return a conjunction as people say it, column by column, without what is implied."""
        if self.is_by_name:
            return " & ".join(self.names[literal // 2] for literal in literals) or ALWAYS
        by_column = self.by_column(self.needed(literals))
        return " & ".join(part for column, group in by_column.items() for part in self._said(column, group)) or ALWAYS

    def by_column(self, literals: Sequence[int]) -> dict[str, list[int]]:
        """Return literals by the column that they test; of examples by name, each by itself."""
        by_column: dict[str, list[int]] = {}
        for literal in literals:
            column = self.names[literal // 2] if self.is_by_name else self.tests[literal // 2].column
            by_column.setdefault(column, []).append(literal)
        return by_column

    def _said(self, column: str, group: Sequence[int]) -> list[str]:
        """Return what literals of one column say: at most one upper and one lower limit are among them."""
        name, parts = shown(column), []
        upper = lower = None
        is_present = False
        for literal in group:
            test, holds = self.tests[literal // 2], literal % 2 == 1
            if test.kind == "at most":
                upper, lower = (shown(test.value), lower) if holds else (upper, shown(test.value))
            elif test.kind == "equals":
                parts.append(f"{name}{'=' if holds else '!='}{shown(test.value)}")
            elif test.kind == "is one":
                parts.append(name if holds else f"not {name}")
            else:
                is_present = not holds
                parts.append(f"{name} is missing" if holds else f"{name} is not missing")
        if upper is not None:
            parts.insert(0, f"{name} <= {upper}" if lower is None else f"{lower} < {name} <= {upper}")
        elif lower is not None and is_present:
            parts = [f"{name} > {lower}"]
        elif lower is not None:  # also holds where the entry is missing, if entries of the column can be
            parts.insert(0, f"not {name} <= {lower}" if column in self._with_missing else f"{name} > {lower}")
        return parts

    def _implies(self, first: int, second: int) -> bool:
        pair = first, second
        if pair not in self._implications:
            says = self._says(first, second)
            self._implications[pair] = says and self._holds_on_rows(first, second)
        return self._implications[pair]

    def _says(self, first: int, second: int) -> bool:
        """Return whether a literal implies another by what the tests of one column mean."""
        left, right = self.tests[first // 2], self.tests[second // 2]
        if left.column != right.column or first // 2 == second // 2:
            return False
        kinds = {left.kind, right.kind}
        if kinds == {"at most"}:  # True implies a higher limit, False a lower one
            low, high = (left, right) if first % 2 else (right, left)
            return first % 2 == second % 2 and _is_lower(low.value, high.value)
        return first % 2 == 1 and second % 2 == 0 and (kinds == {"equals"} or "is missing" in kinds)

    def _holds_on_rows(self, first: int, second: int) -> bool:
        """Return whether it holds on the rows of the model: names alone may mislead."""
        left, right = (self._entries[:, literal // 2] == literal % 2 for literal in (first, second))
        return not bool((left & ~right).any())

    @cached_property
    def _entries(self) -> NDArray[np.uint8]:
        return np.empty((0, len(self.names)), np.uint8) if self._rows is None else self._rows.to_array()


def variable_test(name: str) -> VariableTest:
    """Return the test that a variable's name says, as a Binarizer writes names.

    Examples
    --------
    >>> [variable_test(name).kind for name in ("age<=2.5", "born<=1999-12-31", "sky=grey", "age is missing", "old<=x")]
    ['at most', 'at most', 'equals', 'is missing', 'equals']
    """
    column, _, value = name.rpartition("<=")
    if column and (is_number(value) or is_iso_date(value)):
        return VariableTest(column, "at most", value)
    if name.endswith(MISSING) and name != MISSING:
        return VariableTest(name.removesuffix(MISSING), "is missing")
    column, sign, value = name.partition("=")
    return VariableTest(column, "equals", value) if column and sign else VariableTest(name, "is one")


def shown(text: object) -> str:
    r"""Return a column or a value as it is where nothing can be mistaken, otherwise in quotes as formulas have them.

    Examples
    --------
    >>> print(shown("mean radius (mm)"), shown("top-left"), shown("a & b"), shown("say \"x\"\n"), shown(2.5))
    mean radius (mm) top-left "a & b" "say \"x\"\n" 2.5
    """
    name = str(text)
    words = name.lower().split(" ")
    is_clear = "" not in words and not any(word in CONNECTIVES or word == "is" for word in words)
    is_clear = is_clear and name.isprintable() and SIGNS_OF_FORMULAS.isdisjoint(name)
    return name if is_clear else spelled(name)


def _is_lower(first: object, second: object) -> bool:
    """Return whether a limit is lower than another: numbers, or dates."""
    low, high = (float(limit) if isinstance(limit, str) and is_number(limit) else limit for limit in (first, second))
    if isinstance(low, str) and isinstance(high, str):
        return len(low) == len(high) and low < high
    return isinstance(low, int | float) and isinstance(high, int | float) and low < high
