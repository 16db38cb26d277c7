"""Read a formula as the class that it is written as."""

from __future__ import annotations

from collections.abc import Iterable

from conjunct.logic.clause import Clause
from conjunct.logic.cnf import CNF
from conjunct.logic.dnf import DNF
from conjunct.logic.nesting import layers, multiplied, read
from conjunct.logic.term import Term

__all__ = ["parse"]


def parse(text: str, names: Iterable[str] | None = None) -> DNF | CNF:
    """Read a formula as a DNF, or as a CNF where it is written as one.

    Parameters
    ----------
    text : str
        Names (a letter or ``_``, then letters, digits, ``_`` and dots; any other in double quotes), 0 and 1,
        with ``~`` (or ``!``) before ``&`` before ``|``, and parentheses.
    names : iterable of str, optional
        The variables there are; another one is refused. Any name when left out.

    Returns
    -------
    DNF or CNF
        A DNF where the text is a disjunction of terms once negations are moved inside; else a CNF where it is a
        conjunction of clauses; else the DNF that it is multiplied out.

    Raises
    ------
    FormulaError
        The text is no formula, and the message shows where; or it has more than 100,000 terms multiplied out.

    Examples
    --------
    >>> parse("~(x1 | ~x2) | x3"), print(parse('(x1 | x2) & ~"age>=30"'))
    ~"age>=30" & (x1 | x2)
    (DNF.parse('x3 | ~x1 & x2'), None)
    >>> print(parse("x1 & (x2 | ~(x3 | x4))"))
    x1 & x2 | x1 & ~x3 & ~x4
    >>> parse("x1 & (x2 | x33)", names=["x1", "x2", "x3"])
    Traceback (most recent call last):
    conjunct.errors.FormulaError: no variable is called 'x33'; did you mean 'x3'? (character 12)
      x1 & (x2 | x33)
                 ^
    """
    node = read(text, names)
    terms = layers(node, "|")
    if terms is not None:
        return DNF(map(Term, terms))
    clauses = layers(node, "&")
    if clauses is not None:
        return CNF(map(Clause, clauses))
    return DNF(map(Term, multiplied(node, "|")))
