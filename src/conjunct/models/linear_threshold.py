"""A weighted sum of variables, compared with a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.models.weight_powers import nearest
from conjunct.theory import decision_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LinearThreshold"]

LARGEST_SUM = 1 << 62
LARGEST = float(np.finfo(np.float64).max)
SMALLEST = np.finfo(np.float64).smallest_subnormal


@dataclass(frozen=True, eq=False)
class LinearThreshold:
    """Scores unit * (weights[k] . x + constant_sq * constants[k]), one per output k, and a threshold.

    Parameters
    ----------
    weights : ndarray of int64 or float64, shape (outputs, variables)
        Whole weights make exact scores on Boolean rows. One output separates two classes; several compete and the first
        of the largest scores wins.
    constants : ndarray, shape (outputs,)
        The weight of the constant variable.
    constant_sq : Fraction
        The square of the constant variable's value.
    unit : Fraction
        Positive; what a weight of 1 is worth.
    threshold : Fraction
        A score that reaches it is positive.

    Examples
    --------
    >>> model = LinearThreshold(np.array([[2, -1]]), np.array([1]), Fraction(1), Fraction(1, 2), Fraction(1))
    >>> rows = SparseRows.of([{0}, {0, 1}, {1}])
    >>> model.scores(rows)
    [[Fraction(3, 2)], [Fraction(1, 1)], [Fraction(0, 1)]]
    >>> model.choices(rows).tolist(), model.decision_values(rows).tolist()
    ([1, 1, 0], [0.5, 5e-324, -1.0])
    """

    weights: NDArray[Any]
    constants: NDArray[Any]
    constant_sq: Fraction
    unit: Fraction
    threshold: Fraction

    def __post_init__(self) -> None:
        kind = np.int64 if self.weights.dtype.kind in "iu" else np.float64
        weights, constants = np.array(self.weights, kind, order="C"), np.array(self.constants, kind)
        if weights.ndim != 2 or constants.shape != weights.shape[:1] or not len(weights) or self.unit <= 0:
            raise BitsError(
                "a linear threshold needs one row of weights and one constant per output, and a positive unit"
            )
        if kind is np.float64 and not (np.all(np.isfinite(weights)) and np.all(np.isfinite(constants))):
            raise BitsError("a linear threshold has finite weights")
        for name, array in (("weights", weights), ("constants", constants)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @property
    def is_exact(self) -> bool:
        """Whether scores of Boolean rows are exact."""
        return self.weights.dtype == np.int64

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.weights)

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """The weights in floats, one row per output."""
        with np.errstate(over="ignore"):
            return np.clip(self.weights * _finite(self.unit), -LARGEST, LARGEST)

    @property
    def intercepts(self) -> NDArray[np.float64]:
        """The constant's part of the score minus the threshold, in floats."""
        parts = [_finite(self.unit * self.constant_sq * Fraction(c) - self.threshold) for c in self.constants.tolist()]
        return np.array(parts)

    def scores(self, x: SparseRows) -> list[list[Fraction]]:
        """Return the scores of every row: exact where the weights are whole, of the float sums where they are not."""
        sums = [[Fraction(value) for value in column.tolist()] for column in self._sums(x)]
        parts = [self.constant_sq * Fraction(constant) for constant in self.constants.tolist()]
        return [[self.unit * (s + part) for s, part in zip(row, parts, strict=True)] for row in zip(*sums, strict=True)]

    def choices(self, x: SparseRows) -> NDArray[np.int64]:
        """Return the prediction for every row: 0 or 1 for one output, the first output of largest score for several."""
        sums = self._sums(x)
        if self.n_outputs == 1:
            cut = self._cut(self.constants.tolist()[0])
            cut_number = ceil(cut) if self.is_exact and x.values is None else nearest(cut)
            return np.asarray(sums[0] >= cut_number, np.int64)
        square = self.constant_sq
        if self.is_exact and x.values is None:
            parts = [square.numerator * constant for constant in self.constants.tolist()]
            scaled = [square.denominator * s + part for s, part in zip(sums, parts, strict=True)]
        else:
            scaled = [s + _finite(square) * constant for s, constant in zip(sums, self.constants.tolist(), strict=True)]
        return np.asarray(np.argmax(scaled, axis=0), np.int64)

    def decision_values(self, x: SparseRows) -> NDArray[np.float64]:
        """Return score minus threshold as floats of the exact sign; see `conjunct.theory.decision_value`."""
        if self.is_exact and x.values is None:
            columns = [self._exact_values(s, c) for s, c in zip(self._sums(x), self.constants.tolist(), strict=True)]
        else:
            columns = [
                _signed(s * _finite(self.unit) + part, s >= nearest(self._cut(constant)))
                for s, part, constant in zip(
                    self._sums(x), self.intercepts.tolist(), self.constants.tolist(), strict=True
                )
            ]
        return columns[0] if self.n_outputs == 1 else np.column_stack(columns)

    def _cut(self, constant: float) -> Fraction:
        """Return what the sum of the weights of a row must reach."""
        return self.threshold / self.unit - self.constant_sq * Fraction(constant)

    def _sums(self, x: SparseRows) -> list[NDArray[Any]]:
        if x.n_variables > self.weights.shape[1]:
            raise BitsError(f"rows of {x.n_variables} variables, but the model has {self.weights.shape[1]}")
        if self.is_exact and x.values is None and self._largest_sum(x) >= LARGEST_SUM:
            return [_whole_sums(x, output) for output in self.weights.tolist()]
        return [x.dot(output) for output in self.weights]

    def _largest_sum(self, x: SparseRows) -> int:
        weight, constant = self._largest
        return weight * x.most_entries * self.constant_sq.denominator + constant * self.constant_sq.numerator

    @cached_property
    def _largest(self) -> tuple[int, int]:
        """The largest absolute weight, and constant."""
        weight, constant = (
            max(map(abs, (int(a.max(initial=0)), int(a.min(initial=0))))) for a in (self.weights, self.constants)
        )
        return weight, constant

    def _exact_values(self, sums: NDArray[np.int64], constant: int) -> NDArray[np.float64]:
        """Round each excess once; equal sums have equal excesses."""
        distinct, index = np.unique(sums, return_inverse=True)
        part = self.unit * self.constant_sq * constant - self.threshold
        values = [decision_value(self.unit * s + part, is_logarithmic=False) for s in distinct.tolist()]
        return np.array(values)[index]


def _finite(value: Fraction) -> float:
    """Return the float nearest to an exact number, the largest of its sign past their range."""
    return max(-LARGEST, min(LARGEST, nearest(value)))


def _whole_sums(x: SparseRows, weights: list[int]) -> NDArray[Any]:
    """Sum without a limit."""
    return np.array([sum(weights[k] for k in x.row(i).tolist() if k >= 0) for i in range(x.n_rows)], object)


def _signed(values: NDArray[np.float64], is_positive: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Keep the sign of rounded values that of the prediction."""
    signed = np.where(is_positive, np.maximum(values, SMALLEST), np.minimum(values, -SMALLEST))
    return np.clip(signed, -LARGEST, LARGEST)
