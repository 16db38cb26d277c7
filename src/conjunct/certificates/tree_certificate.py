"""TreeCertificate: a claim about every decision tree, the lemmas that prove it, and the best tree that is known."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, ClassVar

from conjunct.certificates import checker
from conjunct.certificates.certificate import Certificate
from conjunct.settings import exact, whole_number

if TYPE_CHECKING:
    from conjunct.logic import DecisionTree

__all__ = ["TreeCertificate"]


@dataclass(frozen=True, eq=False)
class TreeCertificate(Certificate):
    """A claim about every decision tree over the tests of a table, with what proves it.

    Made by `certify_tree`, or read by `load`. Two words: *optimal* says that the search closed, *certified* that the
    independent checker accepted this certificate for these rows in this run.

    Attributes
    ----------
    header : dict
        The first line of the file, as docs/certificate-format.md describes it.
    lemmas : tuple of str
        The lines that prove the bound.
    n_pairs, n_splits : int
        The work of checking them, as the last line announces it.
    rows : LabelledRows or None
        The rows it is about; None where it was loaded, since a certificate names them by their digest.
    certified : bool
        Whether the checker accepted it in this run.
    stopped_by : str
        ``"closed"`` where the search ended by itself, else the limit that ended it.
    n_nodes : int or None
        The nodes of the search; the same `max_nodes` gives the same certificate.
    seconds, check_seconds : float or None
    attempts : tuple of str
        Where the method was chosen by itself: what was tried, what that proved, and how long it took.
    """

    kinds: ClassVar[tuple[str, ...]] = ("tree", "partition")

    @property
    def bound(self) -> Fraction:
        """What leaves + error_price * errors is at least, for every tree of the claim."""
        return Fraction(self.header["lower"])

    @property
    def upper(self) -> Fraction | None:
        """What the witness costs; None where there is no tree of the claim."""
        upper = self.header.get("upper")
        return None if upper is None else Fraction(upper)

    @property
    def error_price(self) -> Fraction | None:
        """How many leaves an error is worth; None where only trees without errors count."""
        return None if self.header["price"] is None else Fraction(self.header["price"])

    @property
    def optimal(self) -> bool:
        """Whether the bound is what the witness costs, or no tree of the claim exists: the search closed."""
        return self.is_impossible or self.upper == self.bound

    @property
    def is_impossible(self) -> bool:
        """Whether there is no tree without errors, where only such trees count."""
        return self.error_price is None and self.bound > self.header["rows"]

    @property
    def gap(self) -> Fraction | None:
        """How far the witness may be from the best tree; None where there is no witness."""
        return None if self.upper is None else self.upper - self.bound

    @property
    def n_leaves(self) -> int | None:
        """The leaves of the witness."""
        witness = self.header.get("witness")
        return None if witness is None else (len(witness) + 1) // 2

    @property
    def n_errors(self) -> Fraction | None:
        """The errors of the witness, or what they cost where rows or classes have costs."""
        if self.upper is None or self.n_leaves is None:
            return None
        return Fraction(0) if self.error_price is None else (self.upper - self.n_leaves) / self.error_price

    @property
    def witness(self) -> DecisionTree | None:
        """The best tree that is known, true where it gives the second of two classes; None where there is none.

        Trees of three classes and more are told by `tree_text`.
        """
        witness = self.header.get("witness")
        return None if witness is None else self.decision_tree(witness)

    def tree_text(self) -> str:
        """Draw the witness, a line for each test and leaf; with its rows and errors where the rows are at hand."""
        witness = self.header.get("witness")
        return "there is no such tree" if witness is None else self.drawn_tree(witness)

    @property
    def verdict(self) -> checker.Verdict:
        """What the checker would say it verified."""
        return checker.Verdict(self.header, self.bound, self.n_leaves, self.upper, len(self.lemmas))

    @property
    def claim(self) -> str:
        """The claim in sentences that may be quoted."""
        return "\n".join([*checker.sentences(self.verdict), *self._quotable()])

    def _quotable(self) -> list[str]:
        """Return what the bound says about trees with as many leaves as the witness."""
        header, n_leaves = self.header, self.n_leaves
        if n_leaves is None or self.error_price is None or header["kind"] != "tree":
            return []
        tests, leaves = f"these {len(self.tests)} yes/no tests", "leaf" if n_leaves == 1 else "leaves"
        trees = f"No decision tree over {tests}, {self.depth_words} and with at most {n_leaves} {leaves},"
        fewest = self.min_errors(n_leaves)
        if fewest <= 0:
            return []
        if self.has_costs:
            return [f"{trees} has errors that cost less than {fewest} on these {header['rows']} rows."]
        most = "no error" if fewest == 1 else f"{fewest - 1} error{'s' * (fewest > 2)} or fewer"
        return [f"{trees} makes {most} on these {header['rows']} rows."]

    def min_leaves(self, max_errors: object = 0) -> int:
        """Return the least number of leaves of a tree with at most so many errors, as the bound proves it.

        Where rows or classes have costs, `max_errors` is what the errors may cost.
        """
        errors = exact(max_errors, "max_errors")
        price = self.error_price
        if price is None:
            return ceil(self.bound) if errors == 0 else 1
        return max(1, ceil(self.bound - price * errors))

    def min_errors(self, max_leaves: int) -> int | Fraction:
        """Return the least number of errors of a tree with at most so many leaves, as the bound proves it.

        Where rows or classes have costs, it is what the errors cost at least.
        """
        spare = self.bound - whole_number(max_leaves, "max_leaves")
        if self.error_price is None:  # a tree that the bound excludes has an error: at least the one that costs least
            cheapest = min(cost for cost in map(Fraction, self.header["row_costs"] or ["1"]) if cost)
            return (cheapest if self.has_costs else 1) if spare > 0 else 0
        least = max(spare / self.error_price, Fraction(0))
        return least if self.has_costs else ceil(least)

    def __str__(self) -> str:
        word = "optimal" if self.optimal else "a bound"
        return f"{self.claim}\n{word} ({'certified' if self.certified else 'not certified'})"
