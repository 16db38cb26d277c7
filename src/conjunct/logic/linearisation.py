"""Formulas as linear thresholds over features that are terms.

"At least k of m" is a threshold over the variables themselves (`Threshold.at_least`), a decision list one over its
terms (`DecisionList.linear`); here are disjunctions of terms, and conjunctions by way of disjunctions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from conjunct.errors import FormulaError
from conjunct.logic.dnf import DNF
from conjunct.logic.formula import members, value_of
from conjunct.logic.term import Term
from conjunct.logic.threshold import Threshold
from conjunct.messages import printable, shortened

__all__ = ["complement_disjunction", "complemented", "conjunction_by_complement", "k_dnf_threshold", "term_row"]


def term_row(terms: Iterable[Term], row: Mapping[str, Any]) -> dict[str, bool]:
    """Return the row of features that terms are: the value of each, under the name it prints as.

    Examples
    --------
    >>> rules = DNF.parse("x3 | x1 & ~x2")
    >>> term_row(rules.terms, {"x1": 1, "x2": 0, "x3": 0})
    {'x3': False, 'x1 & ~x2': True}
    """
    return {str(term): term.value(row) for term in members(terms, "features are terms")}


def k_dnf_threshold(dnf: DNF) -> Threshold:
    """Return a disjunction of terms as a threshold over its terms: their sum reaches 1/2.

    Examples
    --------
    >>> print(k_dnf_threshold(DNF.parse("x3 | x1 & ~x2")))
    "x1 & ~x2" + x3 >= 1/2
    """
    if not isinstance(dnf, DNF):
        raise FormulaError(f"expected a DNF, got {shortened(dnf)}")
    return Threshold({str(term): 1 for term in dnf.terms}, Fraction(1, 2))


def complemented(row: Mapping[str, Any]) -> dict[str, bool]:
    """Return the row 1 - x.

    Examples
    --------
    >>> complemented({"x1": 1, "x2": 0})
    {'x1': False, 'x2': True}
    """
    return {name: not value_of(row, name) for name in members(row, "a row is a mapping of names to 0 and 1")}


def complement_disjunction(term: Term) -> DNF:
    """Return the disjunction of the literals of a term: on the row 1 - x it is the negation of the term on x.

    Notes
    -----
    x1 & ~x2 = ~(~x1 | x2), and with z = 1 - x that is ~(z1 | ~z2): the same literals, over z. So a learner of
    disjunctions learns conjunctions when it is fed 1 - x and the negated label, and its prediction is negated. A sum
    equal to its threshold, which it takes for 1, is then taken for 0. Source: [littlestone1988].

    Examples
    --------
    >>> print(complement_disjunction(Term.parse("x1 & ~x2")))
    x1 | ~x2
    """
    if not isinstance(term, Term):
        raise FormulaError(f"expected a term, got {shortened(term)}")
    if term.is_contradictory:
        raise FormulaError(f"{printable(term)} is never true, and its negation no disjunction of its literals")
    return DNF(Term([literal]) for literal in term.literals)


def conjunction_by_complement(term: Term, row: Mapping[str, Any]) -> bool:
    """Return the value of a term on a row, by its disjunction on the complemented row, as a threshold.

    Examples
    --------
    >>> term = Term.parse("x1 & ~x2")
    >>> [conjunction_by_complement(term, {"x1": a, "x2": b}) for a in (0, 1) for b in (0, 1)]
    [False, False, True, False]
    """
    disjunction = complement_disjunction(term)
    return not k_dnf_threshold(disjunction).value(term_row(disjunction.terms, complemented(row)))
