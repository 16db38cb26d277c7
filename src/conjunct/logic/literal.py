"""A variable or its negation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from conjunct.errors import FormulaError
from conjunct.logic.formula import natural_order, value_of
from conjunct.logic.proposition import Proposition
from conjunct.logic.spelling import spelled
from conjunct.logic.tokenizer import Scanner
from conjunct.messages import shortened

__all__ = ["Literal"]


@dataclass(frozen=True, slots=True)
class Literal(Proposition):
    """A variable, or its negation.

    Parameters
    ----------
    variable : str
    is_positive : bool

    Examples
    --------
    >>> print(Literal("x1"), ~Literal("x1"), ~Literal("radius<=3"))
    x1 ~x1 ~"radius<=3"
    >>> Literal("x1").holds(1), (~Literal("x1")).holds(1)
    (True, False)
    """

    variable: str
    is_positive: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.variable, str) or not isinstance(self.is_positive, bool):
            raise FormulaError(
                "a literal is a name and True or False, "
                f"got {shortened(self.variable)} and {shortened(self.is_positive)}"
            )

    def __invert__(self) -> Literal:
        return Literal(self.variable, not self.is_positive)

    def __str__(self) -> str:
        return f"{'' if self.is_positive else '~'}{spelled(self.variable)}"

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        return self.holds(value_of(row, self.variable))

    def holds(self, value: object) -> bool:
        """Return whether it is true where its variable has that value."""
        return bool(value) == self.is_positive

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Literal:
        """Read what ``str`` prints; an even number of ``~`` is none."""
        scanner = Scanner(text, names)
        literal = cls.read(scanner)
        scanner.finish()
        return literal

    @classmethod
    def read(cls, scanner: Scanner) -> Literal:
        """Read the literal that comes next."""
        is_positive = True
        while scanner.skip("~"):
            is_positive = not is_positive
        return cls(scanner.variable(), is_positive)


def in_order(literals: frozenset[Literal]) -> list[Literal]:
    """Sort literals by variable, the positive one first."""
    position = {name: k for k, name in enumerate(natural_order({literal.variable for literal in literals}))}
    return sorted(literals, key=lambda literal: (position[literal.variable], not literal.is_positive))


def literals_read(scanner: Scanner, operator: str, empty: str) -> list[Literal]:
    """Read literals with an operator between them, or the constant that stands for none."""
    if scanner.at("number") and scanner.token.text == empty:
        scanner.advance()
        return []
    literals = [Literal.read(scanner)]
    while scanner.skip(operator):
        literals.append(Literal.read(scanner))
    return literals
