"""A conjunction of literals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from conjunct.logic.formula import values_of
from conjunct.logic.literal import Literal
from conjunct.logic.literal_set import LiteralSet

__all__ = ["Term"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Term(LiteralSet):
    """A conjunction of literals; of none, it is always true.

    Parameters
    ----------
    literals : iterable of Literal

    Examples
    --------
    >>> term = Term([Literal("x3"), ~Literal("x1")])
    >>> print(term, term.size, term.is_contradictory)
    ~x1 & x3 2 False
    >>> term.value({"x1": 0, "x3": 1}), print(Term())
    1
    (True, None)
    >>> term <= Term([Literal("x3")])  # it implies that one
    True
    """

    joint: ClassVar[str] = "&"
    empty: ClassVar[str] = "1"

    @property
    def is_contradictory(self) -> bool:
        """Whether it holds a variable and its negation, and so is never true."""
        return len(self.variables) < self.size

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        values = values_of(row, self.variables)
        return all(literal.holds(values[literal.variable]) for literal in self.literals)

    def __and__(self, other: Term | Literal) -> Term:
        return Term([*self.literals, *(other.literals if isinstance(other, Term) else [other])])

    def __le__(self, other: Term) -> bool:
        """Whether it implies another by having all its literals."""
        if not isinstance(other, Term):
            return NotImplemented
        return self.is_contradictory or set(other.literals) <= set(self.literals)
