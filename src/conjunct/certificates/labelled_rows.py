"""The rows a certificate is about, as their digest has them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import BitsError, CertificateError
from conjunct.learners.separation import table_rows
from conjunct.messages import shortened
from conjunct.tables.classes import class_numbers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

__all__ = ["LabelledRows"]


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Boolean rows, the number of the class of each, and what it costs to get it wrong.

    Attributes
    ----------
    rows : BitMatrix
        One variable for each test, by name.
    codes : ndarray of int64
        The class of each row, a number of the list of classes.
    classes : tuple of str
    costs : tuple of Fraction, optional
        One for each row; 1 for all when left out.

    Examples
    --------
    >>> table = LabelledRows.of(["10", "01"], ["no", "yes"])
    >>> print("".join(table.lines()), end="")
    2 2
    ["x1","x2"]
    10 0
    01 1
    """

    rows: BitMatrix
    codes: NDArray[np.int64]
    classes: tuple[str, ...]
    costs: tuple[Fraction, ...] | None = None

    @classmethod
    def of(cls, X: Any, y: Any) -> LabelledRows:
        """Read rows and labels; classes are the labels in sorted order, as text."""
        rows = table_rows(X)
        labels, codes = class_numbers(y, rows.n_rows)
        classes = tuple(str(label) for label in labels.tolist())
        if len(set(classes)) < len(classes):
            raise BitsError(f"two labels are written alike, among {shortened(list(classes))}; give them different text")
        return cls(rows, codes, classes)

    @classmethod
    def like(cls, header: dict[str, Any], X: Any, y: Any) -> LabelledRows:
        """Read rows and labels as those of a certificate: by its classes, its costs, its names where X has none."""
        names, costs = [test[0] for test in header["tests"]], header["row_costs"]
        rows = table_rows(X)
        if rows.n_variables != len(names):
            raise CertificateError(f"X has {rows.n_variables} variables, the certificate is about {len(names)} tests")
        if not rows.is_named:
            rows = rows.with_names(names)
        own = cls.of(rows, y)
        unknown = [name for name in own.classes if name not in header["classes"]]
        if unknown:
            raise CertificateError(f"the label {shortened(unknown[0])} is no class of the certificate")
        numbers = np.array([header["classes"].index(name) for name in own.classes], np.int64)
        if costs is not None and len(costs) != rows.n_rows:
            raise CertificateError(
                f"X has {rows.n_rows} rows, the certificate is about {len(costs)}, without those of weight 0"
            )
        numbered = cls(rows, numbers[own.codes], tuple(header["classes"]))
        return numbered.with_costs(None if costs is None else list(map(Fraction, costs)))

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.rows.n_rows

    @property
    def n_forced_errors(self) -> int:
        """How many rows every tree gets wrong at least: of equal rows, all but those of their most frequent class.

        Examples
        --------
        >>> LabelledRows.of(["10", "10", "10", "01"], ["no", "yes", "no", "yes"]).n_forced_errors
        1
        """
        return self.n_rows - int(self.rows.pool(self.codes).counts.max(axis=1).sum())

    def with_costs(self, costs: Sequence[Fraction] | None) -> LabelledRows:
        """Return the same rows with costs; those of cost 0 are left out."""
        if costs is None:
            return self
        is_kept = np.array([cost != 0 for cost in costs], bool)
        kept = tuple(cost for cost in costs if cost != 0)
        return LabelledRows(self.rows[is_kept], self.codes[is_kept], self.classes, kept)

    def lines(self) -> Iterator[str]:
        """Yield the canonical text: numbers of rows and tests, the names, then a line for each row."""
        yield f"{self.n_rows} {self.rows.n_variables}\n"
        yield json.dumps(list(self.rows.names), separators=(",", ":")) + "\n"
        digits = (self.rows.to_array() + ord("0")).tobytes().decode("ascii")
        width = self.rows.n_variables
        for row, code in enumerate(self.codes.tolist()):
            cost = "" if self.costs is None else f" {self.costs[row]}"
            yield f"{digits[row * width : (row + 1) * width]} {code}{cost}\n"

    @property
    def digest(self) -> str:
        """The SHA-256 of the canonical text."""
        sha = hashlib.sha256()
        for line in self.lines():
            sha.update(line.encode())
        return sha.hexdigest()
