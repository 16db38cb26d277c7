"""Rules tried in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from conjunct.errors import FormulaError
from conjunct.logic.dnf import DNF
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
)
from conjunct.logic.literal import Literal
from conjunct.logic.term import Term
from conjunct.logic.threshold import Threshold
from conjunct.logic.tokenizer import Scanner
from conjunct.messages import shortened

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["DecisionList"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class DecisionList(Formula):
    """Terms with labels, tried in order: the first that holds decides, and a default where none does.

    Parameters
    ----------
    rules : iterable of (Term, bool)
    default : bool

    Examples
    --------
    >>> rules = DecisionList.parse("x1 & ~x2 -> 1; x3 -> 0; 1")
    >>> print(rules, "|", rules.restricted("x2", False), "|", rules.restricted("x3", True))
    x1 & ~x2 -> 1; x3 -> 0; 1 | x1 -> 1; x3 -> 0; 1 | x1 & ~x2 -> 1; 0
    >>> rules.value({"x1": 1, "x2": 1, "x3": 1})
    False
    """

    rules: tuple[tuple[Term, bool], ...]
    default: bool

    def __init__(self, rules: Iterable[tuple[Term, bool]], default: bool) -> None:
        pairs = tuple(map(_rule, members(rules, "a decision list is made of rules")))
        if not isinstance(default, bool):
            raise FormulaError(f"the default of a decision list is True or False, got {shortened(default)}")
        object.__setattr__(self, "rules", pairs)
        object.__setattr__(self, "default", default)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order."""
        return tuple(natural_order({name for term, _ in self.rules for name in term.variables}))

    @property
    def constant(self) -> bool | None:
        """The default where there are no rules, the label of the first rule where its term is empty."""
        if not self.rules:
            return self.default
        term, label = self.rules[0]
        return None if term.size else label

    def __invert__(self) -> DecisionList:
        return DecisionList([(term, not label) for term, label in self.rules], not self.default)

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        values = values_of(row, self.variables)
        return next((label for term, label in self.rules if term.value(values)), self.default)

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row."""
        return decided(rows, self.rules, self.default)

    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table."""
        positions_of(self.variables, variables)
        undecided = everywhere(len(variables))
        total = 0
        for term, label in self.rules:
            holds = DNF([term]).table(variables) & undecided
            total |= holds if label else 0
            undecided ^= holds
        return total | undecided if self.default else total

    def restricted(self, variable: str, value: bool) -> DecisionList:
        """Return what is left of it where a variable has that value.

        A rule that always holds becomes the default, and the rules after it are dropped.
        """
        false = Literal(variable, not require_value(variable, value))
        rules: list[tuple[Term, bool]] = []
        for term, label in self.rules:
            if term.is_contradictory or false in term.literals:
                continue
            rest = term.without(variable)
            if rest.size == 0:
                return DecisionList(rules, label)
            rules.append((rest, label))
        return DecisionList(rules, self.default)

    def linear(self) -> Threshold:
        """Return the same function as a threshold over its terms: one feature for each, named as it prints.

        Notes
        -----
        With labels b_i and the default b in -1 and 1, the list of r rules (m_i, b_i) is the sign of
        b + sum_i b_i 2**(r - i + 1) m_i(x), i = 1..r: the first rule that holds outweighs all after it and the
        default, so the sum is never 0. The weights are exact integers. `conjunct.logic.linearisation.term_row`
        gives the features of a row.

        Examples
        --------
        >>> print(DecisionList.parse("x1 & ~x2 -> 1; x3 -> 0; 1").linear())
        4*"x1 & ~x2" - 2*x3 >= -1
        """
        weights: dict[str, int] = {}
        for index, (term, label) in enumerate(self.rules):
            size = 1 << len(self.rules) - index
            weights[str(term)] = weights.get(str(term), 0) + (size if label else -size)
        return Threshold(weights, -1 if self.default else 1)

    def __str__(self) -> str:
        return "; ".join([*(f"{term} -> {int(label)}" for term, label in self.rules), str(int(self.default))])

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read rules ``term -> label``, each followed by ``;``, and a default; the term ``1`` always holds."""
        scanner = Scanner(text, names)
        rules: list[tuple[Term, bool]] = []
        while True:
            first, term = scanner.token, Term()
            if scanner.at("number"):
                label = _label(scanner)
                if not scanner.at("->"):
                    scanner.finish("'->' or the end")
                    return cls(rules, label)
                if not label:
                    raise scanner.refusal("a rule whose term is 0 never holds; leave it out", first.start)
            else:
                term = Term.read(scanner)
            scanner.take("->")
            rules.append((term, _label(scanner)))
            scanner.take(";", "';' and the next rule or the default")


def _rule(rule: object) -> tuple[Term, bool]:
    match rule:
        case (Term() as term, bool() as label):
            return term, label
    raise FormulaError(f"a rule is a pair of a term and True or False, got {shortened(rule)}")


def _label(scanner: Scanner) -> bool:
    if not scanner.at("number") or scanner.token.text not in ("0", "1"):
        raise scanner.unexpected("0 or 1")
    return scanner.advance().text == "1"
