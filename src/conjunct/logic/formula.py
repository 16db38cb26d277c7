"""What every formula can do."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from conjunct.errors import FormulaError
from conjunct.logic.proposition import Proposition
from conjunct.messages import shortened

if TYPE_CHECKING:
    from typing import Self

    from numpy.typing import NDArray

    from conjunct.logic.term import Term
    from conjunct.logic.truth_table import TruthTable

__all__ = [
    "Formula",
    "Rows",
    "decided",
    "everywhere",
    "members",
    "natural_order",
    "positions_in",
    "positions_of",
    "require_value",
    "value_of",
    "values_of",
    "variable_table",
]

Member = TypeVar("Member")
MOST_TABLE_VARIABLES = 28  # variables: a truth table of 32 MB


class Rows(Protocol):
    """What formulas are evaluated on in bulk: a ``conjunct.BitMatrix``."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""

    def decide(
        self, starts: NDArray[np.int64], literals: NDArray[np.int32], labels: NDArray[np.bool_], default: bool
    ) -> NDArray[np.bool_]:
        """Return the label of the first rule that holds on each row."""

    def weighted_sums(self, weights: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the sum of the weights of each row's ones."""


class Formula(Proposition):
    """A Boolean function of named variables: immutable, hashable, printed as it is parsed.

    Two formulas are equal (``==``) when they are written alike; whether they are the same function is what
    `conjunct.logic.equivalence` finds out.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order: x2 before x10."""

    @abstractmethod
    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row of a ``BitMatrix``, variables found by name.

        Raises
        ------
        FormulaError
            The rows have no variable of a name.
        """

    @abstractmethod
    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table as an integer.

        Bit a is the value at assignment a, in which variable number i of those given is bit i of a.
        """

    @abstractmethod
    def restricted(self, variable: str, value: bool) -> Formula:
        """Return what is left of it where a variable has that value; the variable is gone."""

    def __invert__(self) -> Formula:
        """Return the negation: of its own class where that has one."""
        return self.to_dnf().negated()

    def truth_table(self, variables: Iterable[str] | None = None) -> TruthTable:
        """Return its value on every assignment, to be printed or gone through."""
        from conjunct.logic.truth_table import TruthTable  # which imports this module

        return TruthTable.of(self, variables)

    @property
    @abstractmethod
    def constant(self) -> bool | None:
        """Its value where it is written as a constant; None otherwise, also where it is one without saying so."""

    def branching_scores(self) -> dict[str, float]:
        """Return how much each variable promises to settle: searches branch on the highest."""
        return dict.fromkeys(self.variables, 1.0)

    def __repr__(self) -> str:
        try:
            return f"{type(self).__name__}.parse({str(self)!r})"
        except FormulaError:  # a number too long to print
            return f"<{type(self).__name__} of {len(self.variables)} variables>"

    @abstractmethod
    def __str__(self) -> str:
        """Return the text that `parse` of its class reads back."""

    @classmethod
    @abstractmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read what ``str`` prints.

        Parameters
        ----------
        text : str
        names : iterable of str, optional
            The variables there are; another one is refused. Any name when left out.

        Raises
        ------
        FormulaError
            The text is no such formula; the message shows where.
        """


def value_of(row: Mapping[str, Any], variable: str) -> bool:
    """Return the value of a variable on a row."""
    if not hasattr(row, "keys"):
        raise FormulaError(f"a row is a mapping of names to 0 and 1, got {shortened(row)}")
    if variable not in row:
        raise FormulaError(f"the row has no value for {shortened(variable)}")
    value = row[variable]
    try:
        if value in (0, 1):
            return bool(value)
    except (TypeError, ValueError):  # what cannot be compared with a number: an array, a missing value
        pass
    raise FormulaError(f"{shortened(variable)} is {shortened(value)} on the row, expected 0 or 1")


def values_of(row: Mapping[str, Any], variables: Iterable[str]) -> dict[str, bool]:
    """Return the values of some variables on a row; one that is missing is refused even where it does not matter."""
    return {name: value_of(row, name) for name in variables}


def members(collection: Iterable[Member], what: str) -> tuple[Member, ...]:
    """Return what an iterable gives.

    Raises
    ------
    FormulaError
        It is none.

    Examples
    --------
    >>> members(3, "a term is made of literals")
    Traceback (most recent call last):
    conjunct.errors.FormulaError: a term is made of literals, got 3; give a list of them
    """
    try:
        iterator = iter(collection)
    except TypeError:
        raise FormulaError(f"{what}, got {shortened(collection)}; give a list of them") from None
    return tuple(iterator)


def require_value(variable: object, value: object) -> bool:
    """Return the value that a variable is restricted to; refuse what is no name, or neither 0 nor 1."""
    if not isinstance(variable, str):
        raise FormulaError(f"a variable is a name, got {shortened(variable)}")
    if not isinstance(value, int | np.integer | np.bool_) or value not in (0, 1):
        raise FormulaError(f"{shortened(variable)} is restricted to {shortened(value)}, expected 0 or 1")
    return bool(value)


def natural_order(names: Iterable[str]) -> list[str]:
    """Sort names with the numbers in them read as numbers.

    Examples
    --------
    >>> natural_order(["x10", "x2", "a"])
    ['a', 'x2', 'x10']
    """
    return sorted(names, key=_natural_key)


def _natural_key(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    parts: list[tuple[bool, int, str]] = []
    digits = ""
    for sign in [*name, ""]:
        if sign.isascii() and sign.isdigit():
            digits += sign
            continue
        if digits:
            parts.append((False, int(digits[:4000]), digits))
            digits = ""
        if sign:
            parts.append((True, 0, sign))
    return parts, name


def positions_of(variables: Iterable[str], names: Sequence[str]) -> dict[str, int]:
    """Return the place of each variable among names.

    Raises
    ------
    FormulaError
        One is not among them; the nearest name is offered.
    """
    numbers = {name: number for number, name in enumerate(_distinct_names(names))}
    positions = {}
    for variable in variables:
        if variable not in numbers:
            raise unknown_variable(variable, names)
        positions[variable] = numbers[variable]
    return positions


def _distinct_names(names: Sequence[str]) -> Sequence[str]:
    if not hasattr(names, "__len__") or not all(isinstance(name, str) for name in members(names, "names are texts")):
        raise FormulaError(f"variables are a list of names, got {shortened(names)}")
    return names


def positions_in(rows: Rows, variables: Iterable[str]) -> dict[str, int]:
    """Return the column of each variable among those of rows.

    Raises
    ------
    FormulaError
        The rows are no ``BitMatrix``, or have no variable of a name.
    """
    names = getattr(rows, "names", None)
    if names is None or not hasattr(rows, "decide"):
        kind = type(rows).__name__
        raise FormulaError(f"formulas are evaluated on a BitMatrix, got {kind}; make one with BitMatrix.of(rows)")
    return positions_of(variables, names)


def unknown_variable(variable: str, names: Iterable[str]) -> FormulaError:
    """Return the refusal of a name that no variable has, with the nearest one that there is."""
    from difflib import get_close_matches

    nearest = get_close_matches(variable, list(names), n=1)
    offer = f"; did you mean {shortened(nearest[0])}?" if nearest else ""
    return FormulaError(f"no variable is called {shortened(variable)}{offer}")


def decided(rows: Rows, rules: Sequence[tuple[Term, bool]], default: bool) -> NDArray[np.bool_]:
    """Return, for every row, the label of the first term that holds on it, or the default."""
    names = {literal.variable for term, _ in rules for literal in term.literals}
    positions = positions_in(rows, natural_order(names))
    codes = [
        [2 * positions[literal.variable] + (not literal.is_positive) for literal in term.literals] for term, _ in rules
    ]
    starts = np.cumsum([0, *map(len, codes)], dtype=np.int64)
    flat = np.array([code for term in codes for code in term], np.int32)
    return rows.decide(starts, flat, np.array([label for _, label in rules], bool), default)


def everywhere(n_variables: int) -> int:
    """Return the truth table that is 1 on every row.

    Raises
    ------
    FormulaError
        It would have more than 2**28 bits.

    Examples
    --------
    >>> format(everywhere(2), "b")
    '1111'
    """
    if n_variables > MOST_TABLE_VARIABLES:
        raise FormulaError(
            f"a truth table of {n_variables} variables has 2**{n_variables} rows; at most "
            f"{MOST_TABLE_VARIABLES} variables have one. Compare formulas with equivalence, which searches where "
            "there are many"
        )
    return (1 << (1 << n_variables)) - 1


def variable_table(position: int, n_variables: int) -> int:
    """Return the truth table of variable `place` of n: bit a is bit `place` of a.

    Examples
    --------
    >>> [format(variable_table(i, 2), "04b") for i in range(2)]
    ['1010', '1100']
    """
    block = ((1 << (1 << position)) - 1) << (1 << position)  # 2**place zeros, then as many ones
    width = 2 << position
    table = block
    while width < 1 << n_variables:
        table |= table << width
        width *= 2
    return table
