"""Certificate: a claim about every decision tree as its file holds it, whatever kind of claim it is."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import ModuleType
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from conjunct.certificates import checker
from conjunct.certificates.checker import Verdict
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.errors import CertificateError
from conjunct.files.atomic import write_atomically
from conjunct.logic import DecisionTree
from conjunct.logic.tree_nodes import drawn
from conjunct.messages import printable

__all__ = ["AnyCertificate", "Certificate"]


@dataclass(frozen=True, eq=False)
class Certificate:
    """A header, the lemmas that prove its claim, and the rows it is about.

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
        The nodes of the search.
    seconds, check_seconds : float or None
    attempts : tuple of str
        Where the method was chosen by itself: what was tried, what that proved, and how long it took.
    """

    kinds: ClassVar[tuple[str, ...]] = ("tree", "partition", "frontier")
    checker: ClassVar[ModuleType] = checker

    header: dict[str, Any]
    lemmas: tuple[str, ...]
    n_pairs: int = 0
    n_splits: int = 0
    rows: LabelledRows | None = field(default=None, repr=False)
    certified: bool = False
    stopped_by: str = "closed"
    n_nodes: int | None = None
    seconds: float | None = None
    check_seconds: float | None = None
    attempts: tuple[str, ...] = ()

    @property
    def max_depth(self) -> int | None:
        """The depth of the claim; None is any."""
        return None if self.header["depth"] == "any" else int(self.header["depth"])

    @property
    def classes(self) -> tuple[str, ...]:
        """The classes by number."""
        return tuple(self.header["classes"])

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the tests that trees of the claim are made of."""
        return tuple(test[0] for test in self.header["tests"])

    @property
    def kind(self) -> str:
        """What is claimed: ``"tree"``, a bound on every tree's cost; ``"frontier"``, the least errors by leaves."""
        return str(self.header["kind"])

    @property
    def has_costs(self) -> bool:
        """Whether errors are not just counted: rows or classes have costs."""
        return self.header["row_costs"] is not None or self.header.get("cost_matrix") is not None

    @property
    def depth_words(self) -> str:
        """The depth of the claim in words."""
        return "of any depth" if self.max_depth is None else f"of depth at most {self.max_depth}"

    @property
    def verdict(self) -> Verdict:
        """What the checker would say it verified."""
        return Verdict(self.header, Fraction(self.header["lower"][-1]), None, None, len(self.lemmas))

    @property
    def claim(self) -> str:
        """The claim in sentences that may be quoted."""
        return "\n".join(checker.sentences(self.verdict))

    def decision_tree(self, nodes: Sequence[int]) -> DecisionTree | None:
        """Return a tree given in preorder, true where it gives the second of two classes; None for more classes."""
        if len(self.classes) > 2:
            return None
        tests = self.tests
        return DecisionTree(tests[node] if node >= 0 else node == -2 for node in nodes)

    def drawn_tree(self, nodes: Sequence[int]) -> str:
        """Draw a tree given in preorder, a line for each test and leaf; with rows and errors where rows are at hand."""
        counts = iter([] if self.rows is None else _leaf_counts(self.rows, nodes))

        def leaf(node: int) -> str:
            n_rows, n_wrong = next(counts, (0, 0))
            wrong = f", {n_wrong} of another class" if n_wrong else ""
            return printable(self.classes[-1 - node]) + (
                f" ({n_rows} row{'s' * (n_rows != 1)}{wrong})" if n_rows else ""
            )

        return drawn(nodes, lambda test: f"{printable(self.tests[test])}?", leaf)

    def text(self) -> str:
        """Return the certificate as its file holds it."""
        return self._text(f"end {len(self.lemmas)} {self.n_pairs} {self.n_splits}")

    def _text(self, end: str) -> str:
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
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a certificate. What it says is not checked: that takes the rows; see `check`.

        Raises
        ------
        CertificateError
            It is cut short, or not written as the format says.
        """
        try:
            header, evidence, *work = cls.checker.read_certificate(os.fspath(path))
        except cls.checker.CheckError as error:
            code, reason = error.args
            raise CertificateError(f"{os.fspath(path)}: {checker.OUTCOMES[code]}: {reason}", code) from None
        if header["kind"] not in cls.kinds:
            expected = " or ".join(cls.kinds)
            raise CertificateError(f"{os.fspath(path)}: the claim is of the kind {header['kind']}, expected {expected}")
        return cls(header, tuple(map(cls._line, evidence)), *work)

    @staticmethod
    def _line(lemma: Any) -> str:
        """Return the line of a lemma, which the format spells in one way only; a file that is a pipe is read once."""
        depth = "any" if lemma.depth == checker.ANY else lemma.depth
        hints = [f"{literal}:{earlier}" for literal, earlier in lemma.hints.items()]
        return " ".join(map(str, [lemma.kind, depth, lemma.value, *lemma.path, *(["|", *hints] if hints else [])]))

    def with_reading(self, reading: dict[str, Any] | str, tests: Sequence[list[Any]]) -> Self:
        """Return the same certificate about the same rows, read in another way."""
        header = self.header | {"reading": reading, "tests": [list(test) for test in tests]}
        return replace(self, header=header, certified=False)

    @property
    def on_canonical_rows(self) -> Self:
        """The same certificate about the canonical rows of its table."""
        return self.with_reading("canonical", [[name] for name in self.tests])


AnyCertificate = TypeVar("AnyCertificate", bound=Certificate)


def _leaf_counts(table: LabelledRows, nodes: Sequence[int]) -> list[tuple[int, int]]:
    """Return for every leaf of a tree how many rows reach it, and how many of them are of another class."""
    bits, counts = table.rows.to_array().astype(bool), []
    todo = [np.ones(table.n_rows, bool)]
    for node in nodes:
        here = todo.pop()
        if node >= 0:
            todo += [here & ~bits[:, node], here & bits[:, node]]
        else:
            is_wrong = here & (table.codes != -1 - node)
            counts.append((int(np.count_nonzero(here)), int(np.count_nonzero(is_wrong))))
    return counts
