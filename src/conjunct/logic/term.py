"""A conjunction of literals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from conjunct.logic.formula import values_of
from conjunct.logic.literal_set import LiteralSet

if TYPE_CHECKING:
    from conjunct.logic.clause import Clause

__all__ = ["Term"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Term(LiteralSet):
    """A conjunction of literals; of none, it is always true.

    Parameters
    ----------
    literals : iterable of Literal

    Examples
    --------
    >>> from conjunct.logic import Literal
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

    def __invert__(self) -> Clause:
        from conjunct.logic.clause import Clause  # which imports this module: each is the other's negation

        return Clause(~literal for literal in self.literals)

    def __le__(self, other: Term) -> bool:
        """Whether it implies another by having all its literals."""
        if not isinstance(other, Term):
            return NotImplemented
        return self.is_contradictory or set(other.literals) <= set(self.literals)
