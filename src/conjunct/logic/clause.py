"""A disjunction of literals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from conjunct.logic.formula import values_of
from conjunct.logic.literal_set import LiteralSet
from conjunct.logic.term import Term

__all__ = ["Clause"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Clause(LiteralSet):
    """A disjunction of literals; of none, it is never true.

    Parameters
    ----------
    literals : iterable of Literal

    Examples
    --------
    >>> from conjunct.logic import Literal
    >>> clause = Clause([Literal("x3"), ~Literal("x1")])
    >>> print(clause, "is not", clause.negated())
    ~x1 | x3 is not x1 & ~x3
    >>> clause.value({"x1": 1, "x3": 0}), clause == Clause.parse("x3 | ~x1")
    (False, True)
    """

    joint: ClassVar[str] = "|"
    empty: ClassVar[str] = "0"

    @property
    def is_tautological(self) -> bool:
        """Whether it holds a variable and its negation, and so is always true."""
        return len(self.variables) < self.size

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        values = values_of(row, self.variables)
        return any(literal.holds(values[literal.variable]) for literal in self.literals)

    def negated(self) -> Term:
        """Return the term that is true where it is false."""
        return Term(~literal for literal in self.literals)

    __invert__ = negated
