"""What has a value on a row, and is joined by ``&``, ``|`` and ``~``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from conjunct.logic.cnf import CNF
    from conjunct.logic.dnf import DNF
    from conjunct.logic.formula import Formula, Rows
    from conjunct.logic.term import Term
    from conjunct.logic.truth_table import TruthTable

__all__ = ["Proposition"]


class Proposition(ABC):
    """A literal, a term, a clause or a formula.

    Examples
    --------
    >>> from conjunct.logic import DNF, Literal
    >>> a, b, c = map(Literal, "abc")
    >>> print(a & ~b, "or", a & b | ~c, "or", ~(a & b | ~c))
    a & ~b or ~c | a & b or c & (~a | ~b)
    >>> formula = DNF.parse("x1 & ~x2")
    >>> formula({"x1": 1, "x2": 0}), formula([1, 1]), formula([[0, 0], [1, 0]]).tolist()
    (True, False, [False, True])
    """

    __slots__ = ()

    @abstractmethod
    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row, given as a mapping of names to 0 and 1; the slow and obvious way.

        Raises
        ------
        FormulaError
            A variable has no value, or one other than 0 and 1.
        """

    @abstractmethod
    def __invert__(self) -> Proposition:
        """Return the negation."""

    def __and__(self, other: Proposition | bool) -> Formula | Term:
        """Return the conjunction, as the class that `conjunct.logic.parse` reads it as.

        Of literals and terms it is a `Term`; of thresholds and intersections of them an intersection; of others a `DNF`
        or a `CNF`.
        """
        from conjunct.logic.connectives import conjunction  # which imports the classes that are joined

        return conjunction(self, other)

    def __or__(self, other: Proposition | bool) -> Formula:
        """Return the disjunction: a `DNF`, or a `CNF` where it is one of clauses."""
        from conjunct.logic.connectives import disjunction

        return disjunction(self, other)

    def __rand__(self, other: bool) -> Formula | Term:
        return self & other

    def __ror__(self, other: bool) -> Formula:
        return self | other

    def __call__(self, rows: Any) -> Any:
        """Return its value on a row, or its values on rows.

        Parameters
        ----------
        rows : mapping, list of 0 and 1, list of such rows, or BitMatrix
            The values of a list belong to x1, x2, ..., as the columns of a table without names do.

        Returns
        -------
        bool, or ndarray of bool
            An array where there are several rows.
        """
        from conjunct.logic.connectives import values_on

        return values_on(self, rows)

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row of a ``BitMatrix``, variables found by name.

        Raises
        ------
        FormulaError
            The rows have no variable of a name.
        """
        return self.to_dnf().evaluate(rows)

    def to_dnf(self) -> DNF:
        """Return a disjunction of terms for the same function; `DNF.simplified` makes it shorter.

        Raises
        ------
        FormulaError
            It has more than 100,000 terms.
        """
        from conjunct.logic.connectives import to_dnf

        return to_dnf(self)

    def to_cnf(self) -> CNF:
        """Return a conjunction of clauses for the same function.

        Raises
        ------
        FormulaError
            It has more than 100,000 clauses.

        Examples
        --------
        >>> from conjunct.logic import Threshold
        >>> print(Threshold.at_least(2, "abc").to_cnf())
        (a | b) & (a | ~b | c) & (~a | b | c)
        """
        from conjunct.logic.connectives import to_cnf

        return to_cnf(self)

    def truth_table(self, variables: Iterable[str] | None = None) -> TruthTable:
        """Return its value on every assignment, to be printed or gone through.

        Parameters
        ----------
        variables : iterable of str, optional
            In this order, and others beside its own if wished; its own in natural order when left out.

        Raises
        ------
        FormulaError
            There are more than 16 variables, or one of its own is missing.

        Examples
        --------
        >>> from conjunct.logic import parse
        >>> print(parse("a ^ b").truth_table())
        a b |
        0 0 | 0
        0 1 | 1
        1 0 | 1
        1 1 | 0
        """
        from conjunct.logic.truth_table import TruthTable

        return TruthTable.of(self.to_dnf(), variables)
