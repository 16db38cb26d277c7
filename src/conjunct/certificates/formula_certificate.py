"""FormulaCertificate: a bound on the terms of every DNF, or the clauses of every CNF, and the best that is known."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import ClassVar

from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.errors import SettingError
from conjunct.logic import CNF, DNF, Clause, Literal, Term
from conjunct.settings import exact

__all__ = ["FormulaCertificate"]


@dataclass(frozen=True, eq=False)
class FormulaCertificate(BoundCertificate):
    """A bound on every DNF or CNF for the second class of the rows, with what proves it.

    Made by `certify_dnf`. Without a price of errors it bounds the terms of every DNF that makes none. With a price w it
    bounds terms + w * (rows of the class that the DNF misses + for each other row, how many terms hold on it): a row
    that two terms cover counts twice, for terms + w * (rows that are wrong) obeys no such bound.

    Attributes
    ----------
    header : dict
        The first line of the file, as docs/bound-format.md describes it.
    lemmas : tuple of str
        The lines of evidence.
    n_pairs, n_splits : int
        0: there are no lemmas to count for.
    rows : LabelledRows or None
        The rows it is about; None where it was loaded.
    certified : bool
        Whether the checker accepted it in this run.
    stopped_by : str
        Why the search for weights ended.
    n_nodes : int or None
        Its rounds.
    seconds, check_seconds : float or None
    """

    kinds: ClassVar[tuple[str, ...]] = ("dnf", "cnf")

    @property
    def max_term_size(self) -> int | None:
        """The most literals of a term or clause; None is any number."""
        return self.max_depth

    @property
    def is_impossible(self) -> bool:
        """Whether there is no such formula without errors, where only such count."""
        return self.error_price is None and self.bound > self.header["rows"]

    @property
    def n_terms(self) -> int | None:
        """The terms or clauses of the witness."""
        return None if self.header["witness"] is None else len(self.header["witness"])

    @property
    def n_errors(self) -> Fraction | None:
        """The errors of the witness, counted as the claim does."""
        if self.upper is None or self.n_terms is None:
            return None
        return Fraction(0) if self.error_price is None else (self.upper - self.n_terms) / self.error_price

    @property
    def formula(self) -> DNF | CNF | None:
        """The best formula that is known, true where it gives the second class; None where there is none."""
        if self.header["witness"] is None:
            return None
        own = [[Literal(self.tests[k // 2], k % 2 == 1) for k in term] for term in self.header["witness"]]
        if self.kind == "dnf":
            return DNF(Term(term) for term in own)
        return CNF(Clause(~literal for literal in term) for term in own)

    def min_terms(self, missed: object = 0, false_alarms: object = 0) -> int:
        """Return the least terms, or clauses, with at most so many missed rows and so many wrongly called rows.

        A row that is wrongly called counts once here, however many terms hold on it.

        Notes
        -----
        A row is hit by at most all terms: terms + w (missed + terms * false_alarms) >= bound.
        """
        own, other = exact(missed, "missed"), exact(false_alarms, "false_alarms")
        price = self.error_price
        if price is None:
            return ceil(self.bound) if own == other == 0 else 0
        return max(0, ceil((self.bound - price * own) / (1 + price * other)))

    def min_leaves(self, max_errors: object = 0) -> int:
        """Refuse: a formula has terms; see `min_terms`."""
        raise SettingError("a certificate of formulas says nothing about leaves; see min_terms")

    def min_errors(self, max_leaves: int | None = None) -> int | Fraction:
        """Refuse: the errors of a formula are not those of a tree; see `min_terms`."""
        raise SettingError("a certificate of formulas says nothing about the errors of trees; see min_terms")
