"""A disjunction of literals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from conjunct.errors import FormulaError
from conjunct.logic.formula import members, shown, values_of
from conjunct.logic.literal import Literal, in_order, literals_read
from conjunct.logic.scanning import Scanner
from conjunct.logic.term import Term

__all__ = ["Clause"]


@dataclass(frozen=True, slots=True, init=False)
class Clause:
    """A disjunction of literals; of none, it is never true.

    Parameters
    ----------
    literals : iterable of Literal

    Examples
    --------
    >>> clause = Clause([Literal("x3"), ~Literal("x1")])
    >>> print(clause, "is not", clause.negated())
    ~x1 | x3 is not x1 & ~x3
    >>> clause.value({"x1": 1, "x3": 0}), clause == Clause.parse("x3 | ~x1")
    (False, True)
    """

    literals: tuple[Literal, ...]

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        given = members(literals, "a clause is made of literals")
        for each in given:
            if not isinstance(each, Literal):
                raise FormulaError(f"a clause is made of literals, got {shown(each)}")
        object.__setattr__(self, "literals", tuple(in_order(frozenset(given))))

    @property
    def size(self) -> int:
        """The number of its literals."""
        return len(self.literals)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order."""
        return tuple(dict.fromkeys(each.variable for each in self.literals))

    @property
    def is_tautological(self) -> bool:
        """Whether it holds a variable and its negation, and so is always true."""
        return len(self.variables) < self.size

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        known = values_of(row, self.variables)
        return any(each.holds(known[each.variable]) for each in self.literals)

    def negated(self) -> Term:
        """Return the term that is true where it is false."""
        return Term(~each for each in self.literals)

    def without(self, variable: str) -> Clause:
        """Return what is left without the literals of a variable."""
        return Clause(each for each in self.literals if each.variable != variable)

    def __repr__(self) -> str:
        return f"Clause.parse({str(self)!r})"

    def __str__(self) -> str:
        return " | ".join(map(str, self.literals)) or "0"

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Clause:
        """Read what ``str`` prints: literals with ``|`` between them, or 0."""
        scanner = Scanner(text, names)
        clause = cls.read(scanner)
        scanner.finish("| or the end")
        return clause

    @classmethod
    def read(cls, scanner: Scanner) -> Clause:
        """Read the clause that comes next."""
        return cls(literals_read(scanner, "|", empty="0"))
