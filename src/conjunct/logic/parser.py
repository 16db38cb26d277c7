"""Read a formula as the class that it is written as."""

from __future__ import annotations

from collections.abc import Iterable

from conjunct.errors import FormulaError
from conjunct.logic.connectives import as_written
from conjunct.logic.decision_list import DecisionList
from conjunct.logic.decision_tree import DecisionTree
from conjunct.logic.formula import Formula
from conjunct.logic.halfspace_intersection import HalfspaceIntersection
from conjunct.logic.nesting import read
from conjunct.logic.network import Network
from conjunct.logic.polynomial_threshold import PolynomialThreshold
from conjunct.logic.threshold import Threshold
from conjunct.logic.tokenizer import Scanner

__all__ = ["parse"]


def parse(text: str, names: Iterable[str] | None = None) -> Formula:
    """Read a formula as the class that it is written as.

    Parameters
    ----------
    text : str
        Names (a letter or ``_``, then letters, digits, ``_`` and dots; any other in double quotes), 0 and 1, with
        ``~`` (or ``!``, or ``not``) before ``&`` (or ``and``) before ``^`` (one of two, not both) before ``|`` (or
        ``or``) before ``->``, and parentheses; or what another class of formulas prints.
    names : iterable of str, optional
        The variables there are; another one is refused. Any name when left out.

    Returns
    -------
    Formula
        A DNF where the text is a disjunction of terms once negations are moved inside; else a CNF where it is a
        conjunction of clauses; else the DNF that it is multiplied out. With ``>=`` a `Threshold`, a
        `PolynomialThreshold` or a `HalfspaceIntersection`; with ``?`` a `DecisionTree`, with ``;`` a `DecisionList`,
        with a colon alone a `Network`.

    Raises
    ------
    FormulaError
        The text is no formula, and the message shows where; or it has more than 100,000 terms multiplied out.

    Examples
    --------
    >>> parse("~(x1 | ~x2) | x3"), print(parse('(x1 or x2) and not "age>=30"'))
    ~"age>=30" & (x1 | x2)
    (DNF.parse('x3 | ~x1 & x2'), None)
    >>> print(parse("x1 & (x2 | ~(x3 | x4))"), "or", parse("x1 ^ x2"), "or", parse("x1 & x2 -> x3"))
    x1 & x2 | x1 & ~x3 & ~x4 or x1 & ~x2 | ~x1 & x2 or ~x1 | ~x2 | x3
    >>> parse("2*a - b >= 1"), parse("a ? (b ? 1 : 0) : 1")
    (Threshold.parse('2*a - b >= 1'), DecisionTree.parse('a ? (b ? 1 : 0) : 1'))
    >>> parse("x1 & (x2 | x33)", names=["x1", "x2", "x3"])
    Traceback (most recent call last):
    conjunct.errors.FormulaError: no variable is called 'x33'; did you mean 'x3'? (character 12)
      x1 & (x2 | x33)
                 ^
    """
    kind = _kind(text)
    return as_written(read(text, names)) if kind is None else kind.parse(text, names)


def _kind(text: str) -> type[Formula] | None:
    """Return the class that a text is of, by its signs up to the first that has no meaning; None for DNF and CNF."""
    signs, depth, is_nested = set(), 0, False
    try:
        scanner = Scanner(text)
        while not scanner.at("end"):
            sign = scanner.advance().kind
            signs.add(sign)
            depth += (sign == "(") - (sign == ")")
            is_nested |= sign == ">=" and depth > 0
    except FormulaError:  # which reading meets again, and perhaps another before it
        pass
    if "?" in signs:
        return DecisionTree
    if ";" in signs:
        return DecisionList
    if ":" in signs:
        return Network
    if ">=" not in signs:
        return None
    return HalfspaceIntersection if is_nested else PolynomialThreshold if signs & {"(", "~", "&"} else Threshold
