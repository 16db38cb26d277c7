"""The answer to whether a linear threshold separates two labels, with the numbers that prove it."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.errors import BitsError
from conjunct.learners.separability import is_balanced, is_separating, monotone_features
from conjunct.logic.polynomial import Polynomial
from conjunct.logic.polynomial_threshold import PolynomialThreshold
from conjunct.logic.spelling import spelled
from conjunct.logic.term import Term
from conjunct.logic.threshold import Threshold
from conjunct.messages import shortened
from conjunct.tables.classes import class_numbers

__all__ = ["Separation", "table_rows"]

PARTS_SHOWN = 12  # rows, or features with their weights


@dataclass(frozen=True, repr=False)
class Separation:
    """Whether a linear threshold separates two labels, and whole numbers that prove it either way.

    `separable` makes one, after checking its numbers against every row.

    Attributes
    ----------
    is_separable : bool or None
        None if undecided; ``reason`` says why.
    features : tuple of str
        The variables and conjunctions that weights belong to, written as formulas are: ``"a b" & c``.
    labels : tuple
        The negative label, then the positive one.
    max_size : int
        The most variables of a conjunction.
    weights : tuple of int or None
        If separable: ``w . x >= threshold`` on every positive row, ``w . x <= threshold - 1`` on every negative one.
    threshold : int or None
    multipliers : tuple of int or None
        If not separable: one number a_i >= 0 per row, not all 0, with ``sum a_i y_i x_i = 0`` and ``sum a_i y_i = 0``
        for labels y_i = -1, +1. At most two more than there are features are not 0.
    reason : str or None
        Why it is undecided.

    Notes
    -----
    The truth value is that of ``is_separable``; an undecided answer has none, and ``bool`` refuses it.
    """

    is_separable: bool | None
    features: tuple[str, ...]
    labels: tuple[Any, Any]
    max_size: int = 1
    weights: tuple[int, ...] | None = None
    threshold: int | None = None
    multipliers: tuple[int, ...] | None = None
    reason: str | None = None

    def verify(self, X: Any, y: Any) -> bool:
        """Check in whole numbers, from rows and labels alone, that the evidence proves the answer.

        An undecided answer has no evidence: false. So has an answer that disagrees with its own numbers, one whose
        multipliers are more or fewer than the rows, and one with a number that is not whole. Weights may be checked on
        other rows than they were found on.
        """
        rows = table_rows(X)
        n_features = sum(comb(rows.n_variables, size) for size in range(1, self.max_size + 1))
        if n_features != len(self.features):
            raise BitsError(
                f"X has {rows.n_variables} variables, {n_features} features of at most {self.max_size} of them; "
                f"the answer is about {len(self.features)} features"
            )
        for name, feature in zip(rows.names, self.features, strict=False):
            if rows.is_named and spelled(name) != feature:
                raise BitsError(f"X has a variable {shortened(name)} where the answer has {shortened(feature)}")
        classes, codes = class_numbers(y, rows.n_rows)
        for label in classes.tolist():
            if label not in self.labels:
                raise BitsError(
                    f"label {shortened(label)} is not among those of the answer, {shortened(list(self.labels))}"
                )
        signs = np.array([1 if label == self.labels[1] else -1 for label in classes.tolist()], np.int64)[codes]
        features = monotone_features(rows, self.max_size)
        numbers = (*(self.weights or ()), self.threshold or 0, *(self.multipliers or ()))
        if not all(type(number) is int for number in numbers):
            return False
        if self.is_separable is True and self.weights is not None and self.threshold is not None:
            return len(self.weights) == n_features and is_separating(features, signs, self.weights, self.threshold)
        if self.is_separable is False and self.multipliers is not None:
            return is_balanced(features, signs, self.multipliers)
        return False

    def __bool__(self) -> bool:
        if self.is_separable is None:
            raise ValueError(f"{self}; an undecided answer is neither true nor false, ask is_separable")
        return self.is_separable

    def __str__(self) -> str:
        if self.is_separable is None:
            return f"undecided: {self.reason}"
        if self.weights is not None:
            return f"separable: {self._shown_formula()} iff the label is {self.labels[1]!r}"
        support = [(row, number) for row, number in enumerate(self.multipliers or ()) if number]
        if len(support) > PARTS_SHOWN:
            largest = _shown(max(number for _, number in support))
            return f"not separable: {len(support)} rows cancel under multipliers of at most {largest}"
        rows, numbers = (", ".join(_shown(part) for part in parts) for parts in zip(*support, strict=True))
        return f"not separable: rows {rows} cancel under multipliers {numbers}"

    def __repr__(self) -> str:
        return f"Separation({self})"

    @property
    def formula(self) -> Threshold | PolynomialThreshold:
        """The threshold as a formula: over variables, or over terms where conjunctions are weighed.

        Raises
        ------
        AttributeError
            The labels are not separable, or it is undecided whether they are.

        Examples
        --------
        >>> from conjunct import separable
        >>> xor = separable(["00", "01", "10", "11"], [0, 1, 1, 0], max_size=2).formula
        >>> print(xor, "is", xor([1, 0]), "on 10")
        x1 + x2 - 2*(x1 & x2) >= 1 is True on 10
        """
        if self.weights is None or self.threshold is None:
            raise AttributeError(f"formula: there is no threshold to show, {self}")
        weights = {Term.parse(name): weight for name, weight in zip(self.features, self.weights, strict=True) if weight}
        if self.max_size > 1:
            return PolynomialThreshold(Polynomial(weights), self.threshold)
        return Threshold({term.variables[0]: weight for term, weight in weights.items()}, self.threshold)

    def _shown_formula(self) -> str:
        """Return the formula, or where it is in case it is long."""
        weights = [weight for weight in self.weights or () if weight]
        if len(weights) <= PARTS_SHOWN and all(weight.bit_length() <= 64 for weight in weights):
            return str(self.formula)
        count = f"{len(weights)} weight{'s' * (len(weights) != 1)}"
        return f"a sum of {count} of at most {_shown(max(map(abs, weights)))} (see .formula)"


def table_rows(X: Any) -> BitMatrix:
    """Read X as Boolean rows: array, sparse matrix, data frame, lists, digit strings, or a BitMatrix."""
    rows = BitMatrix.of(X)
    if rows.n_rows == 0:
        raise BitsError("X has 0 rows; at least one is needed")
    return rows


def _shown(number: int) -> str:
    """Print a whole number, a long one by its length."""
    return str(number) if number.bit_length() <= 64 else f"a {number.bit_length()}-bit number"
