"""TreeFrontier: the least errors of decision trees for every number of leaves, with what proves them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import ceil
from types import MappingProxyType
from typing import TYPE_CHECKING

from conjunct.certificates.certificate import Certificate
from conjunct.certificates.tree_certificate import TreeCertificate
from conjunct.errors import CertificateError
from conjunct.settings import exact, whole_number
from conjunct.tables.csv_text import csv_text

if TYPE_CHECKING:
    from conjunct.logic import DecisionTree

__all__ = ["TreeFrontier"]


@dataclass(frozen=True, eq=False)
class TreeFrontier:
    """How few errors decision trees over the tests of a table can make, for every number of leaves.

    Made by `tree_frontier`, or read by `load`.

    Attributes
    ----------
    certificates : tuple
        What proves it: one file that claims the whole list; or, where it is bounds (`exact` is False), such a file of a
        smaller depth and a TreeCertificate for each of several prices of an error.
    trees : tuple of tuples of int
        For every number of leaves the best tree that is known, in preorder; empty where it was loaded, since the file
        has no trees.
    tree_errors : tuple of Fraction
        Their errors, or what these cost.
    forced_errors : Fraction or None
        What equal rows of different classes cost every tree, of any depth; None where it was loaded.
    """

    certificates: tuple[Certificate, ...]
    trees: tuple[tuple[int, ...], ...] = field(default=(), repr=False)
    tree_errors: tuple[Fraction, ...] = field(default=(), repr=False)
    forced_errors: Fraction | None = None

    @property
    def exact(self) -> bool:
        """Whether `errors` are the least there are; otherwise no tree has fewer, and some may need more."""
        return len(self.certificates) == 1 and self._list is not None

    @property
    def certified(self) -> bool:
        """Whether the checker accepted what proves it, in this run."""
        return all(certificate.certified for certificate in self.certificates)

    @property
    def max_depth(self) -> int | None:
        """The most tests on a path of the trees; None is any number."""
        return self.certificates[-1].max_depth

    @property
    def _list(self) -> Certificate | None:
        """The certificate of a list, of this depth or a smaller one."""
        return self.certificates[0] if self.certificates[0].kind == "frontier" else None

    @property
    def _bounds(self) -> list[TreeCertificate]:
        """The certificates of one price each."""
        return [certificate for certificate in self.certificates if isinstance(certificate, TreeCertificate)]

    @property
    def seconds(self) -> float:
        """How long the search took."""
        return sum(certificate.seconds or 0.0 for certificate in self.certificates)

    @property
    def check_seconds(self) -> float | None:
        """How long the check took; None where it is not certified."""
        return sum(c.check_seconds or 0.0 for c in self.certificates) if self.certified else None

    @cached_property
    def errors(self) -> Mapping[int, int | Fraction]:
        """By number of leaves, the least errors of a tree with at most so many; what they cost where errors have costs.

        Where it is not `exact`, every tree has at least so many.
        """
        listed = self._listed
        if self.exact:
            return MappingProxyType(listed)
        # A tree of n leaves has a depth of n - 1 at most: so far a list of less depth is about all of them.
        n_sure = 0 if self._list is None else (self._list.max_depth or 0) + 1
        most = max(n_sure, *(ceil(certificate.bound) for certificate in self._bounds))
        if self.max_depth is not None and self.max_depth < most:
            most = min(most, 2**self.max_depth)
        least = {n: max(bound.min_errors(n) for bound in self._bounds) for n in range(1, most + 1)}
        return MappingProxyType({n: max(value, listed[n]) if n <= n_sure else value for n, value in least.items()})

    @property
    def _listed(self) -> dict[int, int | Fraction]:
        if self._list is None:
            return {}
        values, has_costs = map(Fraction, self._list.header["lower"]), self._list.has_costs
        return {n: value if has_costs else int(value) for n, value in enumerate(values, 1)}

    def leaves(self, max_errors: object = 0) -> int | None:
        """Return the least number of leaves of a tree with at most so many errors; None if no tree has so few.

        No tree of this depth, that is: `forced_errors` are those that no depth avoids. Where errors have costs,
        `max_errors` is what they may cost. Where it is not `exact`, every such tree has at least so many leaves; it may
        be one more than `errors` has, which says nothing about larger trees.
        """
        most = exact(max_errors, "max_errors")
        if self.forced_errors is not None and most < self.forced_errors:
            return None
        n_listed = len(self.errors)
        is_whole = self.max_depth is not None and n_listed.bit_length() > self.max_depth  # 2**depth leaves are the most
        beyond = None if self.exact or is_whole else n_listed + 1
        return next((n_leaves for n_leaves, errors in self.errors.items() if errors <= most), beyond)

    def tree_nodes(self, max_leaves: int) -> tuple[int, ...]:
        """Return the best tree that is known with at most so many leaves in preorder: a test, or -1 - c for class c."""
        if not self.trees:
            raise CertificateError("a frontier that was loaded has no trees; conjunct.tree_frontier finds them")
        return self.trees[min(whole_number(max_leaves, "max_leaves"), len(self.trees)) - 1]

    def known_errors(self, max_leaves: int) -> int | Fraction | None:
        """Return the errors of the best tree that is known with at most so many leaves; None if no tree is known."""
        most = whole_number(max_leaves, "max_leaves")
        if not self.tree_errors:
            return None
        errors = self.tree_errors[min(most, len(self.tree_errors)) - 1]
        return errors if self.certificates[0].has_costs else int(errors)

    def tree(self, max_leaves: int) -> DecisionTree | None:
        """Return the best tree that is known with at most so many leaves, true where it gives the second class.

        If it is `exact`, no tree of this depth has fewer errors. None for more than two classes; see `tree_text`.
        """
        return self.certificates[0].decision_tree(self.tree_nodes(max_leaves))

    def tree_text(self, max_leaves: int) -> str:
        """Draw the best tree that is known with at most so many leaves, with its rows and errors."""
        return self.certificates[0].drawn_tree(self.tree_nodes(max_leaves))

    @property
    def claim(self) -> str:
        """The claim in sentences that may be quoted."""
        last = self.certificates[-1]
        if self.exact:
            return last.claim
        trees = f"decision tree over these {len(last.tests)} yes/no tests, {last.depth_words},"
        what = "errors that cost at least" if last.has_costs else "at least so many errors"
        steps = ", ".join(f"{n_leaves}: {errors}" for n_leaves, errors in self._steps())
        prices = ", ".join(str(certificate.header["price"]) for certificate in self._bounds)
        shallow = "" if self._list is None else f"the exact list of depth {self._list.max_depth} and "
        return (
            f"On these {last.header['rows']} rows every {trees} makes {what}, by its number of leaves: {steps}.\n"
            f"These are bounds, by {shallow}{len(self._bounds)} certificates at error prices {prices}."
        )

    def _steps(self) -> list[tuple[int, int | Fraction]]:
        """Return the numbers of leaves at which errors change."""
        errors = self.errors
        return [(n, value) for n, value in errors.items() if n == 1 or value != errors[n - 1]]

    def text(self) -> str:
        """Return the certificate as its file holds it; of an exact frontier, which is one file."""
        if not self.exact:
            n_files = len(self.certificates)
            raise CertificateError(f"bounds are {n_files} files: see the text of each of its certificates")
        return self.certificates[0].text()

    def save(self, path: str | os.PathLike[str]) -> tuple[str, ...]:
        """Write what proves it, and return the names of the files; compressed where the name ends in ``.gz``.

        An exact frontier is one file. Bounds are several, ``PATH.1``, ``PATH.2`` and so on, in the order of
        `certificates`. Canonical rows go beside, as of every certificate.
        """
        name = os.fspath(path)
        stem, suffix = (name[:-3], ".gz") if name.endswith(".gz") else (name, "")
        names = (name,) if self.exact else tuple(f"{stem}.{k + 1}{suffix}" for k in range(len(self.certificates)))
        for own, certificate in zip(names, self.certificates, strict=True):
            certificate.save(own)
        return names

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TreeFrontier:
        """Read a frontier. What it says is not checked: that takes the rows; see `check`.

        Raises
        ------
        CertificateError
            It is cut short, or not the certificate of a frontier.
        """
        certificate = Certificate.load(path)
        if certificate.kind != "frontier":
            raise CertificateError(f"{os.fspath(path)}: expected a frontier, this is the certificate of one price")
        return cls((certificate,))

    def lines(self) -> list[str]:
        """Return the least errors by number of leaves, as a table; bounds only where they change."""
        errors = "cost of errors" if self.certificates[0].has_costs else "errors"
        rows: list[tuple[str, ...]]
        if self.exact:
            rows = [("leaves", f"least {errors}"), *((str(n), str(value)) for n, value in self.errors.items())]
        else:
            rows = [("leaves", f"{errors} at least", "best known tree")]
            rows += [(str(n), str(value), str(self.known_errors(n))) for n, value in self._steps()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return ["  ".join(map(str.rjust, row, widths)) for row in rows]

    def to_csv(self) -> str:
        """Return a line for every number of leaves: the least errors, or bounds on them, and those of the best tree."""
        known = [(n, errors, self.known_errors(n)) for n, errors in self.errors.items()]
        records = [[str(n), str(errors), "" if own is None else str(own)] for n, errors, own in known]
        return csv_text([["leaves", "errors", "known_errors"], *records])

    def __str__(self) -> str:
        word = "exact" if self.exact else "bounds"
        certified = "certified" if self.certified else "not certified"
        return "\n".join([*self.lines(), self.claim, f"{word} ({certified})"])
