"""Formulas joined, turned into two layers, and evaluated on whatever rows are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from conjunct.errors import FormulaError
from conjunct.logic.clause import Clause
from conjunct.logic.cnf import CNF
from conjunct.logic.dnf import DNF
from conjunct.logic.formula import Formula, positions_in
from conjunct.logic.halfspace_intersection import HalfspaceIntersection
from conjunct.logic.literal import Literal
from conjunct.logic.nesting import MAX_TERMS, Node, Pair, conjoined, disjoined, in_layers, layers, literal_pair
from conjunct.logic.proposition import Proposition
from conjunct.logic.term import Term
from conjunct.logic.threshold import Threshold
from conjunct.messages import shortened

__all__ = ["as_written", "conjunction", "disjunction", "to_cnf", "to_dnf", "values_on"]


def conjunction(first: Proposition, second: object) -> Formula | Term:
    """Return the conjunction of two formulas."""
    if isinstance(first, Literal | Term) and isinstance(second, Literal | Term):
        return Term([*_literals(first), *_literals(second)])
    if isinstance(first, Threshold | HalfspaceIntersection) and isinstance(second, Threshold | HalfspaceIntersection):
        return HalfspaceIntersection([*_halfspaces(first), *_halfspaces(second)])
    return as_written(conjoined([_pair(first), _pair(second)])[0])


def disjunction(first: Proposition, second: object) -> DNF | CNF:
    """Return the disjunction of two formulas."""
    return as_written(disjoined([_pair(first), _pair(second)])[0])


def as_written(node: Node) -> DNF | CNF:
    """Return a formula that was read as a DNF, or as a CNF where it is written as one; else multiplied out."""
    clauses = None if layers(node, "|") is not None else layers(node, "&")
    return DNF(map(Term, in_layers(node, "|"))) if clauses is None else CNF(map(Clause, clauses))


def to_dnf(formula: Proposition) -> DNF:
    """Return a disjunction of terms for the same function."""
    if isinstance(formula, Literal | Term | Clause | DNF | CNF):
        return DNF(map(Term, in_layers(_pair(formula)[0], "|")))
    return DNF(Term(path) for path, value in _paths(_formula(formula)) if value)


def to_cnf(formula: Proposition) -> CNF:
    """Return a conjunction of clauses for the same function."""
    if isinstance(formula, Literal | Term | Clause | DNF | CNF):
        return CNF(map(Clause, in_layers(_pair(formula)[0], "&")))
    return CNF(Clause(~literal for literal in path) for path, value in _paths(_formula(formula)) if not value)


def values_on(formula: Proposition, rows: Any) -> Any:
    """Return the value on a row, or an array of the values on rows."""
    if hasattr(rows, "decide") or hasattr(rows, "columns") or isinstance(rows, str) or not hasattr(rows, "__iter__"):
        positions_in(rows, ())
        return formula.evaluate(rows)
    if hasattr(rows, "keys"):
        return formula.value(rows)
    listed = list(rows)
    if listed and not any(hasattr(row, "__iter__") for row in listed):
        return formula.value(_numbered(listed))
    values = [formula.value(row if hasattr(row, "keys") else _numbered(row)) for row in listed]
    return np.array(values, bool)


def _numbered(values: Any) -> dict[str, Any]:
    """Return a row given as a list under the names of a table without names."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        raise FormulaError(f"a row is a mapping of names to 0 and 1, or a list of them, got {shortened(values)}")
    return {f"x{number}": value for number, value in enumerate(values, 1)}


def _paths(formula: Formula) -> Iterator[tuple[tuple[Literal, ...], bool]]:
    """Branch on the variable that promises to settle most; yield the literals of each path and the value at its end."""
    stack: list[tuple[Formula, tuple[Literal, ...]]] = [(formula, ())]
    n_paths = 1
    while stack:
        rest, path = stack.pop()
        if rest.constant is not None:
            yield path, rest.constant
            continue
        n_paths += 1
        if n_paths > MAX_TERMS:
            raise FormulaError(
                f"written out, the {type(formula).__name__} has more than {MAX_TERMS:,} terms and clauses; "
                "evaluate it as it is, or restrict it first"
            )
        scores = rest.branching_scores()
        variable = max(rest.variables, key=lambda name: scores.get(name, 0.0))
        stack += [(rest.restricted(variable, value), (*path, Literal(variable, value))) for value in (False, True)]


def _pair(operand: object) -> Pair:
    """Return a formula and its negation, as they are written or, where they are no DNF or CNF, written out."""
    match operand:
        case bool():
            return operand, not operand
        case Literal():
            return literal_pair(operand)
        case Term():
            return conjoined([literal_pair(literal) for literal in operand.literals])
        case Clause():
            return disjoined([literal_pair(literal) for literal in operand.literals])
        case DNF():
            return disjoined([_pair(term) for term in operand.terms])
        case CNF():
            return conjoined([_pair(clause) for clause in operand.clauses])
    return _pair(to_dnf(_formula(operand)))


def _formula(operand: object) -> Formula:
    if not isinstance(operand, Formula):
        raise FormulaError(
            f"expected a formula, a literal, True or False beside & or |, got {shortened(operand)}; "
            "read texts with parse"
        )
    return operand


def _literals(operand: Literal | Term) -> tuple[Literal, ...]:
    return operand.literals if isinstance(operand, Term) else (operand,)


def _halfspaces(operand: Threshold | HalfspaceIntersection) -> tuple[Threshold, ...]:
    return operand.halfspaces if isinstance(operand, HalfspaceIntersection) else (operand,)
