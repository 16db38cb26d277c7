"""A conjunction of clauses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conjunct.errors import FormulaError
from conjunct.logic.clause import Clause
from conjunct.logic.dnf import DNF
from conjunct.logic.formula import (
    Formula,
    Rows,
    decided,
    everywhere,
    members,
    natural_order,
    require_value,
    values_of,
)
from conjunct.logic.literal import Literal
from conjunct.logic.literal_set import by_size
from conjunct.logic.nesting import written_as
from conjunct.messages import shortened

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["CNF"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class CNF(Formula):
    """A conjunction of clauses; of none, it is always true.

    Parameters
    ----------
    clauses : iterable of Clause
        Clauses that are always true and repetitions are dropped; the others are kept in order of size, then of
        their names.

    Examples
    --------
    >>> formula = CNF.parse("x3 & (x1 | ~x2)")
    >>> print(formula, "is not", formula.negated())
    x3 & (x1 | ~x2) is not ~x3 | ~x1 & x2
    >>> formula.value({"x1": 0, "x2": 0, "x3": 1})
    True
    >>> print(formula.restricted("x1", False), "or", formula.restricted("x3", False))
    ~x2 & x3 or 0
    """

    clauses: tuple[Clause, ...]

    def __init__(self, clauses: Iterable[Clause] = ()) -> None:
        clauses = members(clauses, "a CNF is made of clauses")
        for clause in clauses:
            if not isinstance(clause, Clause):
                raise FormulaError(f"a CNF is made of clauses, got {shortened(clause)}")
        distinct = {clause for clause in clauses if not clause.is_tautological}
        object.__setattr__(self, "clauses", tuple(by_size(distinct)))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order."""
        return tuple(natural_order({v for clause in self.clauses for v in clause.variables}))

    @property
    def constant(self) -> bool | None:
        """True where it has no clause, False where it has the empty one."""
        if not self.clauses:
            return True
        return False if self.clauses[0].size == 0 else None

    def negated(self) -> DNF:
        """Return its negation: the disjunction of its negated clauses."""
        return DNF(clause.negated() for clause in self.clauses)

    __invert__ = negated

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        values = values_of(row, self.variables)
        return all(clause.value(values) for clause in self.clauses)

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row."""
        return decided(rows, [(clause.negated(), False) for clause in self.clauses], default=True)

    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table."""
        return self.negated().table(variables) ^ everywhere(len(variables))

    def restricted(self, variable: str, value: bool) -> CNF:
        """Return what is left of it where a variable has that value."""
        true = Literal(variable, require_value(variable, value))
        clauses = [clause.without(variable) for clause in self.clauses if true not in clause.literals]
        return CNF([Clause()] if Clause() in clauses else clauses)

    def branching_scores(self) -> dict[str, float]:
        """Return how much each variable promises to settle."""
        return self.negated().branching_scores()

    def __str__(self) -> str:
        return " & ".join(f"({clause})" if clause.size > 1 else str(clause) for clause in self.clauses) or "1"

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read a formula; one that is not a conjunction of clauses is multiplied out."""
        return cls(map(Clause, written_as(text, "&", names)))
