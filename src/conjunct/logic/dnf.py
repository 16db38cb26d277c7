"""A disjunction of terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from conjunct.errors import FormulaError
from conjunct.logic.formula import (
    Formula,
    Rows,
    decided,
    everywhere,
    members,
    natural_order,
    positions_of,
    require_value,
    values_of,
    variable_table,
)
from conjunct.logic.literal import Literal
from conjunct.logic.literal_set import by_size
from conjunct.logic.nesting import written_as
from conjunct.logic.polynomial import Polynomial, printed_number, require_polynomial
from conjunct.logic.simplification import simplified
from conjunct.logic.term import Term
from conjunct.messages import printable, shortened

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

    from conjunct.logic.cnf import CNF

__all__ = ["DNF"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DNF(Formula):
    """A disjunction of terms; of none, it is always false.

    Parameters
    ----------
    terms : iterable of Term
        Contradictory terms and repetitions are dropped; the others are kept in order of size, then of their names.

    Examples
    --------
    >>> x1, x3, x7 = (Literal(name) for name in ("x1", "x3", "x7"))
    >>> formula = DNF([Term([x1, ~x7]), Term([x3])])
    >>> print(formula, formula.variables)
    x3 | x1 & ~x7 ('x1', 'x3', 'x7')
    >>> formula.value({"x1": 1, "x3": 0, "x7": 1})
    False
    >>> print(formula.restricted("x7", False), "or", formula.restricted("x3", True))
    x1 | x3 or 1
    """

    terms: tuple[Term, ...]

    def __init__(self, terms: Iterable[Term] = ()) -> None:
        terms = members(terms, "a DNF is made of terms")
        for term in terms:
            if not isinstance(term, Term):
                raise FormulaError(f"a DNF is made of terms, got {shortened(term)}")
        distinct = {term for term in terms if not term.is_contradictory}
        object.__setattr__(self, "terms", tuple(by_size(distinct)))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order."""
        return tuple(natural_order({v for term in self.terms for v in term.variables}))

    @property
    def constant(self) -> bool | None:
        """False where it has no term, True where it has the empty one."""
        if not self.terms:
            return False
        return True if self.terms[0].size == 0 else None

    def negated(self) -> CNF:
        """Return its negation: the conjunction of its negated terms."""
        from conjunct.logic.clause import Clause
        from conjunct.logic.cnf import CNF  # which imports this module: each is the other's negation

        return CNF(Clause(~literal for literal in term.literals) for term in self.terms)

    def __invert__(self) -> CNF:
        return self.negated()

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        values = values_of(row, self.variables)
        return any(term.value(values) for term in self.terms)

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row."""
        return decided(rows, [(term, True) for term in self.terms], default=False)

    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table."""
        positions, n = positions_of(self.variables, variables), len(variables)
        every = everywhere(n)
        columns = {name: variable_table(position, n) for name, position in positions.items()}
        total = 0
        for term in self.terms:
            holds = every
            for literal in term.literals:
                column = columns[literal.variable]
                holds &= column if literal.is_positive else every ^ column
            total |= holds
        return total

    def restricted(self, variable: str, value: bool) -> DNF:
        """Return what is left of it where a variable has that value."""
        false = Literal(variable, not require_value(variable, value))
        terms = [term.without(variable) for term in self.terms if false not in term.literals]
        return DNF([Term()] if Term() in terms else terms)

    def branching_scores(self) -> dict[str, float]:
        """Return how much each variable promises to settle: the short terms that mention it weigh most."""
        scores: dict[str, float] = {}
        for term in self.terms:
            for name in term.variables:
                scores[name] = scores.get(name, 0.0) + 0.5 ** min(term.size, 1000)
        return scores

    def simplified(self) -> DNF:
        """Return a formula for the same function with no more terms and no more literals, often with fewer.

        It is not always the shortest there is; finding that is a harder problem.

        Notes
        -----
        Terms are replaced by prime implicants, found by absorption and consensus [tison1967], and those that the
        others cover are dropped. Where there are very many implicants, those found within a budget are used.

        Examples
        --------
        >>> print(DNF.parse("x1 & x2 | ~x1 & x2 & x3 | x2 & ~x3 & x4 | x3 & x2").simplified())
        x1 & x2 | x2 & x3 | x2 & x4
        """
        return DNF(simplified(self.terms))

    def __str__(self) -> str:
        return " | ".join(map(str, self.terms)) or "0"

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read a formula; one that is not a disjunction of terms is multiplied out."""
        return cls(map(Term, written_as(text, "|", names)))

    def polynomial(self) -> Polynomial:
        """Return the polynomial that is at least 1 where it is true and -1 where it is false.

        Notes
        -----
        f = -1 + 2 sum of its terms; the empty term turns the constant into +1
        ([kowalczyk2002, Lemma 1]).

        Examples
        --------
        >>> print(DNF.from_polynomial(DNF([Term([Literal("x1")])]).polynomial()))
        x1
        """
        return Polynomial({Term(): -1 if self.constant is not True else 1} | {t: 2 for t in self.terms if t.size})

    @classmethod
    def from_polynomial(cls, polynomial: Polynomial) -> Self:
        """Return the formula whose `polynomial` that is.

        Raises
        ------
        FormulaError
            It is the polynomial of no DNF: the constant is neither -1 nor 1, or another coefficient is not 2.
        """
        require_polynomial(polynomial)
        coefficients = dict(polynomial.coefficients)
        constant = coefficients.pop(Term(), 0)
        if constant not in (-1, 1):
            printed = printed_number(Fraction(constant))
            raise FormulaError(f"the constant is {printed}; the polynomial of a DNF has -1, or 1 with the empty term")
        for term, number in coefficients.items():
            if number != 2:
                raise FormulaError(
                    f"the coefficient of {printable(term)} is {printed_number(number)}; those of a DNF's terms are 2"
                )
        return cls([*coefficients, *([Term()] if constant == 1 else [])])
