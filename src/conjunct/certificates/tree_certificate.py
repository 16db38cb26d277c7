"""TreeCertificate: a claim about every decision tree, the lemmas that prove it, and the best tree that is known."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np

from conjunct.certificates import checker
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.errors import CertificateError
from conjunct.files.atomic import write_atomically
from conjunct.logic import DecisionTree
from conjunct.logic.tree_nodes import drawn
from conjunct.messages import printable
from conjunct.settings import exact, whole_number

__all__ = ["TreeCertificate"]


@dataclass(frozen=True, eq=False)
class TreeCertificate:
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
    """

    header: dict[str, Any]
    lemmas: tuple[str, ...]
    n_pairs: int
    n_splits: int
    rows: LabelledRows | None = field(default=None, repr=False)
    certified: bool = False
    stopped_by: str = "closed"
    n_nodes: int | None = None
    seconds: float | None = None
    check_seconds: float | None = None

    @property
    def bound(self) -> Fraction:
        """What leaves + error_price * errors is at least, for every tree of the claim."""
        return Fraction(self.header["lower"])

    @property
    def upper(self) -> Fraction | None:
        """What the witness costs; None where there is no tree of the claim."""
        return None if self.header["upper"] is None else Fraction(self.header["upper"])

    @property
    def error_price(self) -> Fraction | None:
        """How many leaves an error is worth; None where only trees without errors count."""
        return None if self.header["price"] is None else Fraction(self.header["price"])

    @property
    def max_depth(self) -> int | None:
        """The depth of the claim; None is any."""
        return None if self.header["depth"] == "any" else int(self.header["depth"])

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
        return None if self.header["witness"] is None else (len(self.header["witness"]) + 1) // 2

    @property
    def n_errors(self) -> Fraction | None:
        """The errors of the witness, or what they cost where rows or classes have costs."""
        if self.upper is None or self.n_leaves is None:
            return None
        return Fraction(0) if self.error_price is None else (self.upper - self.n_leaves) / self.error_price

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes by number."""
        return tuple(self.header["classes"])

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that trees of the claim are made of."""
        return tuple(test[0] for test in self.header["tests"])

    @property
    def witness(self) -> DecisionTree | None:
        """The best tree that is known, true where it gives the second of two classes; None where there is none.

        Trees of three classes and more are told by `tree_text`.
        """
        if self.header["witness"] is None or len(self.classes) > 2:
            return None
        tests = self.tests
        return DecisionTree(tests[node] if node >= 0 else node == -2 for node in self.header["witness"])

    def tree_text(self) -> str:
        """Draw the witness, a line for each test and leaf; with its rows and errors where the rows are at hand."""
        witness = self.header["witness"]
        if witness is None:
            return "there is no such tree"
        counts = iter([] if self.rows is None else self._leaf_counts(self.rows))

        def leaf(node: int) -> str:
            n_rows, n_wrong = next(counts, (0, 0))
            wrong = f", {n_wrong} of another class" if n_wrong else ""
            return printable(self.classes[-1 - node]) + (
                f" ({n_rows} row{'s' * (n_rows != 1)}{wrong})" if n_rows else ""
            )

        return drawn(witness, lambda test: f"{printable(self.tests[test])}?", leaf)

    def _leaf_counts(self, table: LabelledRows) -> list[tuple[int, int]]:
        """Return for every leaf of the witness how many rows reach it, and how many of them are of another class."""
        bits, counts = table.rows.to_array().astype(bool), []
        todo = [np.ones(table.n_rows, bool)]
        for node in self.header["witness"]:
            here = todo.pop()
            if node >= 0:
                todo += [here & ~bits[:, node], here & bits[:, node]]
            else:
                is_wrong = here & (table.codes != -1 - node)
                counts.append((int(np.count_nonzero(here)), int(np.count_nonzero(is_wrong))))
        return counts

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
        depth = "of any depth" if self.max_depth is None else f"of depth at most {self.max_depth}"
        trees = (
            f"No decision tree over these {len(self.tests)} yes/no tests, {depth} and with at most {n_leaves} leaves,"
        )
        fewest = self.min_errors(n_leaves)
        if fewest <= 0:
            return []
        if header["row_costs"] is not None or header["cost_matrix"] is not None:
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
        if self.error_price is None:
            return int(spare > 0)
        least = max(spare / self.error_price, Fraction(0))
        has_costs = self.header["row_costs"] is not None or self.header["cost_matrix"] is not None
        return least if has_costs else ceil(least)

    def text(self) -> str:
        """Return the certificate as its file holds it."""
        end = f"end {len(self.lemmas)} {self.n_pairs} {self.n_splits}"
        return "\n".join([json.dumps(self.header, separators=(",", ":")), *self.lemmas, end, ""])

    @property
    def is_canonical(self) -> bool:
        """Whether it is about canonical rows, which are saved beside it, and not about a table that can be read."""
        return bool(self.header["reading"] == "canonical")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the certificate; compressed where the name ends in ``.gz``. Canonical rows go to ``PATH.rows.gz``."""
        if self.is_canonical and self.rows is not None:
            rows = "".join(self.rows.lines()).encode()
            write_atomically(f"{os.fspath(path)}.rows.gz", gzip.compress(rows, mtime=0))
        data = self.text().encode()
        write_atomically(path, gzip.compress(data, mtime=0) if os.fspath(path).endswith(".gz") else data)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> TreeCertificate:
        """Read a certificate. What it says is not checked: that takes the rows; see `check`.

        Raises
        ------
        CertificateError
            It is cut short, or not written as the format says.
        """
        try:
            header, _, n_pairs, n_splits = checker.read_certificate(os.fspath(path))
            lines = checker.read_text(os.fspath(path)).split("\n")
        except checker.CheckError as error:
            code, reason = error.args
            raise CertificateError(f"{os.fspath(path)}: {checker.OUTCOMES[code]}: {reason}", code) from None
        return cls(header, tuple(lines[1:-2]), n_pairs, n_splits)

    def with_reading(self, reading: dict[str, Any] | str, tests: Sequence[list[Any]]) -> TreeCertificate:
        """Return the same certificate about the same rows, read in another way."""
        header = self.header | {"reading": reading, "tests": [list(test) for test in tests]}
        return replace(self, header=header, certified=False)

    @property
    def on_canonical_rows(self) -> TreeCertificate:
        """The same certificate about the canonical rows of its table."""
        return self.with_reading("canonical", [[name] for name in self.tests])

    def __str__(self) -> str:
        word = "optimal" if self.optimal else "a bound"
        return f"{self.claim}\n{word} ({'certified' if self.certified else 'not certified'})"
