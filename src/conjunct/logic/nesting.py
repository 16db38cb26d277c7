"""Formulas of any nesting: read, and multiplied out into two layers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal as OneOf

from conjunct.errors import FormulaError
from conjunct.logic.covering import absorbed
from conjunct.logic.literal import Literal
from conjunct.logic.tokenizer import MAX_DEPTH, Scanner, Token

__all__ = [
    "Gate",
    "Node",
    "Pair",
    "conjoined",
    "disjoined",
    "in_layers",
    "layers",
    "literal_pair",
    "multiplied",
    "negated",
    "read",
    "written_as",
]

MAX_TERMS = 100_000  # of a formula multiplied out, on the way too
MAX_REPEATS = 50  # times as many unions are formed on the way: many are repeated or contradictory
MOST_ABSORBED_TERMS = 1000  # terms up to which multiplying out drops those that others cover: quadratic

Operator = OneOf["&", "|"]
OPERATORS = ("&", "^", "|", "->")  # the tightest first


@dataclass(frozen=True, slots=True)
class Gate:
    """An operator over two or more literals, constants and gates of the other operator."""

    operator: Operator
    inputs: tuple[Node, ...]


Node = Literal | bool | Gate
Pair = tuple[Node, Node]  # a formula and its negation, both with negations at the literals only


def literal_pair(literal: Literal) -> Pair:
    """Return a literal and its negation."""
    return literal, ~literal


def negated(pair: Pair) -> Pair:
    """Return the pair of the negation."""
    return pair[1], pair[0]


def conjoined(pairs: Sequence[Pair]) -> Pair:
    """Return the pair of a conjunction; of none, it is 1."""
    if len(pairs) == 1:
        return pairs[0]
    return _gate("&", [node for node, _ in pairs]), _gate("|", [negation for _, negation in pairs])


def disjoined(pairs: Sequence[Pair]) -> Pair:
    """Return the pair of a disjunction; of none, it is 0."""
    return negated(conjoined([negated(pair) for pair in pairs]))


def exclusive(pairs: Sequence[Pair]) -> Pair:
    """Return the pair of "an odd number of these"; every step shares the formulas before it."""
    total, *rest = pairs
    for pair in rest:
        total = disjoined([conjoined([total, negated(pair)]), conjoined([negated(total), pair])])
    return total


@dataclass(slots=True)
class _Level:
    """What has been read since a parenthesis, operator by operator: the weaker an operator, the longer it waits."""

    opened: Token | None
    is_negated: bool  # by an odd number of ~ before the parenthesis
    factors: list[Pair] = field(default_factory=list)  # of the last &
    exclusives: list[Pair] = field(default_factory=list)  # of the last ^
    summands: list[Pair] = field(default_factory=list)  # of the last |
    premises: list[Pair] = field(default_factory=list)  # of ->, which is true where one of them is false

    def close(self, operator: str) -> None:
        """End what binds more tightly than an operator that comes next."""
        if operator in ("^", "|", "->"):
            self.exclusives.append(conjoined(self.factors))
            self.factors = []
        if operator in ("|", "->"):
            self.summands.append(exclusive(self.exclusives))
            self.exclusives = []
        if operator == "->":
            self.premises.append(negated(disjoined(self.summands)))
            self.summands = []

    def pair(self) -> Pair:
        self.close("->")
        *premises, conclusion = self.premises
        pair = disjoined([*premises, negated(conclusion)])
        return negated(pair) if self.is_negated else pair


def written_as(text: str, outer: Operator, names: Iterable[str] | None) -> list[frozenset[Literal]]:
    """Return the terms of a formula (or its clauses, for an outer ``&``), multiplied out where it must be."""
    return in_layers(read(text, names), outer)


def in_layers(node: Node, outer: Operator) -> list[frozenset[Literal]]:
    """Return the terms (or clauses) of a formula that was read."""
    groups = layers(node, outer)
    return multiplied(node, outer) if groups is None else groups


def read(text: str, names: Iterable[str] | None) -> Node:
    """Return the formula with its negations moved to the literals; nesting is held in a list, not on the stack."""
    scanner = Scanner(text, names)
    levels = [_Level(None, False)]
    while True:
        is_negated = False
        while scanner.skip("~"):
            is_negated = not is_negated
        if scanner.at("("):
            if len(levels) > MAX_DEPTH:
                raise scanner.refusal(f"parentheses nest deeper than {MAX_DEPTH} levels", scanner.token.start)
            levels.append(_Level(scanner.advance(), is_negated))
            continue
        operand = _operand(scanner)
        levels[-1].factors.append(negated(operand) if is_negated else operand)
        while scanner.at(")") and len(levels) > 1:
            scanner.advance()
            inner = levels.pop()
            levels[-1].factors.append(inner.pair())
        if scanner.at("end"):
            if levels[-1].opened is not None:
                raise scanner.refusal("the parenthesis that opens here is never closed", levels[-1].opened.start)
            return levels[0].pair()[0]
        if scanner.at(*OPERATORS):
            levels[-1].close(scanner.advance().kind)
            continue
        if scanner.at(")"):
            raise scanner.refusal("no parenthesis opens for the one that closes here", scanner.token.start)
        raise scanner.unexpected("&, |, ^ or ->" if len(levels) == 1 else "&, |, ^, -> or )")


def _operand(scanner: Scanner) -> Pair:
    if scanner.at("number") and scanner.token.text in ("0", "1"):
        value = scanner.advance().text == "1"
        return value, not value
    if not scanner.at("name"):
        raise scanner.unexpected("a variable, 0, 1, ~ or (")
    return literal_pair(Literal(scanner.variable()))


def _gate(operator: Operator, inputs: list[Node]) -> Node:
    """Return an operator over its inputs, those of the same operator merged into it."""
    if len(inputs) == 1:
        return inputs[0]
    merged: list[Node] = []
    for operand in inputs:
        merged.extend(operand.inputs if isinstance(operand, Gate) and operand.operator == operator else [operand])
    return Gate(operator, tuple(merged)) if merged else operator == "&"


def layers(node: Node, outer: Operator) -> list[frozenset[Literal]] | None:
    """Return the terms (or clauses, for an outer ``&``) that a formula is written as; None if it is not."""
    absorbing = outer == "&"  # inside a clause 1 makes it vanish, inside a term 0 does
    groups = []
    for operand in node.inputs if isinstance(node, Gate) and node.operator == outer else (node,):
        parts = operand.inputs if isinstance(operand, Gate) and operand.operator != outer else (operand,)
        if any(isinstance(part, Gate) for part in parts):
            return None
        if not any(part is absorbing for part in parts):
            groups.append(frozenset(part for part in parts if isinstance(part, Literal)))
    return groups


def multiplied(node: Node, outer: Operator) -> list[frozenset[Literal]]:
    """Return the terms of a formula multiplied out; or, for an outer ``&``, its clauses by the dual law.

    A set of literals is an integer while it is worked on: bits 2v and 2v + 1 are variable v and its negation.
    """
    literals: dict[Literal, int] = {}
    by_bit: list[Literal] = []
    values: dict[int, list[int]] = {}

    def groups(part: Node) -> list[int]:
        if isinstance(part, Gate):
            return values[id(part)]
        if isinstance(part, bool):
            return [0] if part == (outer == "|") else []
        if part not in literals:
            positive = Literal(part.variable)
            for literal in (positive, ~positive):
                literals[literal] = 1 << len(by_bit)
                by_bit.append(literal)
        return [literals[part]]

    for gate in _bottom_up(node):
        parts = [groups(part) for part in gate.inputs]
        if gate.operator == outer:
            united = list(dict.fromkeys(group for part in parts for group in part))
            _require_budget(len(united), outer)
        else:
            united = _product(parts, outer, sum(1 << k for k in range(0, len(by_bit), 2)))
        values[id(gate)] = united
    return [frozenset(by_bit[k] for k in range(group.bit_length()) if group >> k & 1) for group in groups(node)]


def _bottom_up(node: Node) -> list[Gate]:
    """Return the gates of a formula, each once and after those that it takes in."""
    order: dict[int, Gate] = {}
    stack = [(node, False)]
    while stack:
        top, is_expanded = stack.pop()
        if not isinstance(top, Gate) or id(top) in order:
            continue
        if is_expanded:
            order[id(top)] = top
        else:
            stack.append((top, True))
            stack.extend((operand, False) for operand in top.inputs)
    return list(order.values())


def _product(parts: list[list[int]], outer: Operator, even: int) -> list[int]:
    """Return the unions of one group of each part, without those that hold a literal and its negation."""
    total = [0]
    for part in sorted(parts, key=len):
        _require_budget(len(total) * len(part) // MAX_REPEATS, outer)
        united: set[int] = set()
        for left in total:
            both = (left | right for right in part)
            united.update(group for group in both if not group & group >> 1 & even)
            _require_budget(len(united), outer)
        total = absorbed(united) if len(united) <= MOST_ABSORBED_TERMS else sorted(united)
    return total


def _require_budget(count: int, outer: Operator) -> None:
    if count > MAX_TERMS:
        kind, other = ("terms", "CNF.parse") if outer == "|" else ("clauses", "DNF.parse")
        raise FormulaError(
            f"multiplied out, the formula has more than {MAX_TERMS:,} {kind}; "
            f"read it with {other} where it is written that way, or read smaller parts"
        )
