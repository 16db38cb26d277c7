"""Which terms cover which, on integers: literals as bits, a term as the set of its literals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from conjunct.errors import FormulaError
from conjunct.logic.formula import natural_order
from conjunct.logic.literal import Literal
from conjunct.logic.term import Term

__all__ = ["Codes", "OutOfNodesError", "Search", "absorbed", "bits"]


class OutOfNodesError(FormulaError):
    """A search used up its nodes; those who start one catch it."""


class Codes:
    """Terms as integers: bits 2v and 2v + 1 are variable v and its negation.

    Examples
    --------
    >>> codes = Codes(["a", "b"])
    >>> term = codes.code(Term.parse("a & ~b"))
    >>> format(term, "04b"), print(codes.term(term), "against", codes.term(codes.opposite(term)))
    a & ~b against ~a & b
    ('1001', None)
    """

    def __init__(self, variables: Iterable[str]) -> None:
        self.literals = [
            literal for name in natural_order(variables) for literal in (Literal(name), Literal(name, False))
        ]
        self._bits = {literal: 1 << k for k, literal in enumerate(self.literals)}
        self.even = ((1 << len(self.literals)) - 1) // 3

    def code(self, term: Term) -> int:
        """Return the integer of a term."""
        return sum(self._bits[literal] for literal in term.literals)

    def term(self, code: int) -> Term:
        """Return the term of an integer."""
        return Term(self.literals[bit.bit_length() - 1] for bit in bits(code))

    def opposite(self, code: int) -> int:
        """Return the integer of the negated literals."""
        return (code & self.even) << 1 | code >> 1 & self.even


@dataclass(slots=True)
class Search:
    """A search for rows on which no term holds, with a limit on its nodes.

    Parameters
    ----------
    codes : Codes
    budget : int
        The nodes there are, for all that is asked of it together.

    Attributes
    ----------
    n_nodes : int
        Those used so far.
    """

    codes: Codes
    budget: int
    n_nodes: int = field(default=0, init=False)

    def uncovered(self, term: int, others: Iterable[int]) -> int | None:
        """Return literals on which a term holds and no other one does; None if the others cover it.

        Variables without a literal in the answer may have any value.

        Raises
        ------
        OutOfNodesError
            The nodes are used up.

        Examples
        --------
        >>> codes = Codes(["a", "b", "c"])
        >>> first, second, third = (codes.code(Term.parse(text)) for text in ("a & b", "a & c", "b & ~c"))
        >>> Search(codes, 100).uncovered(first, [second, third]) is None
        True
        >>> print(codes.term(Search(codes, 100).uncovered(second, [first, third])))
        a & ~b & c
        """
        opposite = self.codes.opposite(term)
        branches = [([other & ~term for other in others if not other & opposite], term)]
        while branches:
            if self.n_nodes >= self.budget:
                raise OutOfNodesError(f"undecided within {self.budget:,} nodes")
            self.n_nodes += 1
            terms, chosen = self._settled(*branches.pop())
            if not terms:
                return chosen
            if terms[0]:
                branch = _branch(terms)
                against = self.codes.opposite(branch)
                branches.append(([code & ~branch for code in terms if not code & against], chosen | branch))
                branches.append(([code & ~against for code in terms if not code & branch], chosen | against))
        return None

    def _settled(self, terms: list[int], chosen: int) -> tuple[list[int], int]:
        """Choose what costs nothing: against literals that stand alone, or whose negation is in no term.

        Returns [0] as the terms where one of them holds whatever is chosen.
        """
        while True:
            terms = sorted(set(terms), key=int.bit_count)
            if not terms or not terms[0]:
                return terms[:1], chosen
            present = 0
            for code in terms:
                present |= code
            against = present & ~self.codes.opposite(present)
            if terms[0].bit_count() == 1:
                against |= terms[0]
            if not against:
                return terms, chosen
            opposite = self.codes.opposite(against)
            chosen |= opposite
            terms = [code & ~opposite for code in terms if not code & against]


def _branch(terms: list[int]) -> int:
    """Return the literal of the first, shortest term that most terms have."""
    return max(bits(terms[0]), key=lambda bit: sum(1 for term in terms if term & bit))


def bits(code: int) -> list[int]:
    """Return the powers of two that add up to a number."""
    powers = []
    while code:
        powers.append(code & -code)
        code &= code - 1
    return powers


def absorbed(codes: Iterable[int]) -> list[int]:
    """Return the terms that hold no other one's literals, the shortest first."""
    minimal: list[int] = []
    for code in sorted(set(codes), key=lambda mask: (mask.bit_count(), mask)):
        if not any(other & code == other for other in minimal):
            minimal.append(code)
    return minimal
