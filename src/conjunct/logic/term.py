"""A conjunction of literals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from conjunct.errors import FormulaError
from conjunct.logic.formula import members, natural_order, shown, values_of
from conjunct.logic.literal import Literal, in_order, literals_read
from conjunct.logic.scanning import Scanner

__all__ = ["Term"]


@dataclass(frozen=True, slots=True, init=False)
class Term:
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

    literals: tuple[Literal, ...]

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        given = members(literals, "a term is made of literals")
        for each in given:
            if not isinstance(each, Literal):
                raise FormulaError(f"a term is made of literals, got {shown(each)}")
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
    def is_contradictory(self) -> bool:
        """Whether it holds a variable and its negation, and so is never true."""
        return len(self.variables) < self.size

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        known = values_of(row, self.variables)
        return all(each.holds(known[each.variable]) for each in self.literals)

    def __and__(self, other: Term | Literal) -> Term:
        return Term([*self.literals, *(other.literals if isinstance(other, Term) else [other])])

    def __le__(self, other: Term) -> bool:
        """Whether it implies another by having all its literals."""
        if not isinstance(other, Term):
            return NotImplemented
        return self.is_contradictory or set(other.literals) <= set(self.literals)

    def without(self, variable: str) -> Term:
        """Return what is left without the literals of a variable."""
        return Term(each for each in self.literals if each.variable != variable)

    def __repr__(self) -> str:
        return f"Term.parse({str(self)!r})"

    def __str__(self) -> str:
        return " & ".join(map(str, self.literals)) or "1"

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Term:
        """Read what ``str`` prints: literals with ``&`` between them, or 1."""
        scanner = Scanner(text, names)
        term = cls.read(scanner)
        scanner.finish("& or the end")
        return term

    @classmethod
    def read(cls, scanner: Scanner) -> Term:
        """Read the term that comes next."""
        return cls(literals_read(scanner, "&", empty="1"))


def terms_in_order(terms: Iterable[Term]) -> list[Term]:
    """Sort terms by size, then by their variables in natural order, a positive literal before its negation."""
    given = list(terms)
    place = {name: k for k, name in enumerate(natural_order({name for each in given for name in each.variables}))}
    return sorted(
        given, key=lambda term: (term.size, [(place[each.variable], not each.is_positive) for each in term.literals])
    )
