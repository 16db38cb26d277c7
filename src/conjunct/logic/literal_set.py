"""What terms and clauses share: a set of literals, written with one sign between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeVar

from conjunct.errors import FormulaError
from conjunct.logic.formula import members, natural_order
from conjunct.logic.literal import Literal, in_order, literals_read
from conjunct.logic.proposition import Proposition
from conjunct.logic.tokenizer import Scanner
from conjunct.messages import shortened

if TYPE_CHECKING:
    from typing import Self

__all__ = ["LiteralSet", "by_size"]

Kind = TypeVar("Kind", bound="LiteralSet")


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LiteralSet(Proposition):
    """Literals in the order of their variables, each once; `Term` and `Clause` say what they mean."""

    literals: tuple[Literal, ...]

    joint: ClassVar[str]  # between literals
    empty: ClassVar[str]  # the text where there are none

    def __init__(self, literals: Iterable[Literal] = ()) -> None:
        what = f"a {type(self).__name__.lower()} is made of literals"
        literals = members(literals, what)
        for literal in literals:
            if not isinstance(literal, Literal):
                raise FormulaError(f"{what}, got {shortened(literal)}")
        object.__setattr__(self, "literals", tuple(in_order(frozenset(literals))))

    @property
    def size(self) -> int:
        """The number of its literals."""
        return len(self.literals)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order."""
        return tuple(dict.fromkeys(literal.variable for literal in self.literals))

    def without(self, variable: str) -> Self:
        """Return what is left without the literals of a variable."""
        return type(self)(literal for literal in self.literals if literal.variable != variable)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.parse({str(self)!r})"

    def __str__(self) -> str:
        return f" {self.joint} ".join(map(str, self.literals)) or self.empty

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read what ``str`` prints: literals with ``&`` (a term) or ``|`` (a clause) between them, or 1 or 0."""
        scanner = Scanner(text, names)
        formula = cls.read(scanner)
        scanner.finish(f"{cls.joint} or the end")
        return formula

    @classmethod
    def read(cls, scanner: Scanner) -> Self:
        """Read the one that comes next."""
        return cls(literals_read(scanner, cls.joint, empty=cls.empty))


def by_size(sets: Iterable[Kind]) -> list[Kind]:
    """Sort by size, then by variables in natural order, a positive literal before its negation."""
    literal_sets = list(sets)
    names = natural_order({name for member in literal_sets for name in member.variables})
    position = {name: k for k, name in enumerate(names)}

    def key(member: Kind) -> tuple[int, list[tuple[int, bool]]]:
        return member.size, [(position[literal.variable], not literal.is_positive) for literal in member.literals]

    return sorted(literal_sets, key=key)
