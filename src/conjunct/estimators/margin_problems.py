"""Rows, labels and weights as the margin problems between classes: one against the rest, or one against another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import BitsError, SettingError
from conjunct.estimators.boolean_input import boolean_rows, class_labels, class_rates
from conjunct.kernels.agreement_kernel import AgreementKernel
from conjunct.learners import LabelledCells, fitted_sigmoid
from conjunct.messages import shortened
from conjunct.models import SigmoidCalibration
from conjunct.settings import exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels import Kernel

__all__ = ["MarginProblems", "limit_of_each", "mean_value", "read_problems", "require_width", "row_weights"]

SMALLEST_WEIGHT, LARGEST_WEIGHT = Fraction(1, 1 << 1022), Fraction(1 << 1023)  # within the range of floats


@dataclass(frozen=True, eq=False)
class MarginProblems:
    """One table of cells and, for every output, which rows are positive, negative, or not of it.

    Attributes
    ----------
    cells : tuple of LabelledCells
        One per output, all over the same rows.
    signs : tuple of ndarray
        One per output: +1, -1, and 0 for rows that are not of it.
    weights : ndarray of float64, or None
        Of the rows, where they differ.
    codes : ndarray of int64
        The class of every row.
    pooled : LabelledCells
        The same rows, all of them positive: what a cell weighs, whatever its labels.
    whole : ndarray of int64, or of Python integers
        The exact weight of every row, in units of ``pooled.unit``.
    """

    cells: tuple[LabelledCells, ...]
    signs: tuple[NDArray[np.int64], ...]
    weights: NDArray[np.float64] | None
    codes: NDArray[np.int64]
    pooled: LabelledCells
    whole: NDArray[Any]

    @classmethod
    def of(
        cls,
        rows: BitMatrix,
        codes: NDArray[np.int64],
        n_classes: int,
        multiclass: str,
        weights: list[Fraction] | None,
    ) -> MarginProblems:
        """Pool the rows once; an output is its own masses on the same cells."""
        pooled = LabelledCells.of(rows, np.ones(rows.n_rows, np.int64), weights)
        signs = tuple(output_signs(codes, n_classes, multiclass))
        has_weight = pooled.cell_of >= 0
        kind = pooled.positive.dtype
        whole = np.ones(rows.n_rows, kind)
        if weights is not None:
            whole = np.array([int(weight / pooled.unit) for weight in weights], kind)
        cells = []
        for y in signs:
            masses = []
            for sign in (1, -1):
                of_sign = np.flatnonzero(has_weight & (y == sign))
                mass = np.zeros(pooled.n_cells, kind)
                np.add.at(mass, pooled.cell_of[of_sign], whole[of_sign])
                masses.append(mass)
            cells.append(LabelledCells(pooled.rows, masses[0], masses[1], pooled.unit, pooled.cell_of))
        floats = None if weights is None else np.array([float(weight) for weight in weights])
        return cls(tuple(cells), signs, floats, codes, pooled, whole)

    def mean_value(self, kernel: Kernel) -> Fraction:
        """Return the mean of k(x, x) over all rows of the table, a row of weight k counted k times, exactly."""
        return mean_value(kernel, self.pooled.rows, self.pooled.positive.tolist())

    def accuracy(self, scores: NDArray[np.float64], rows: NDArray[np.int64], multiclass: str) -> Fraction:
        """Return the share, by weight, of some rows whose own class the scores of all cells choose."""
        rows = rows[self.pooled.cell_of[rows] >= 0]
        codes = self.choices(scores[:, self.pooled.cell_of[rows]], int(self.codes.max()) + 1, multiclass)
        right = self.whole[rows][codes == self.codes[rows]]
        return Fraction(int(right.sum()), int(self.whole[rows].sum()))

    def masses_of(self, rows: NDArray[np.int64]) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Return the masses that some of the rows make, positive and negative, for every output, in floats."""
        rows = rows[self.pooled.cell_of[rows] >= 0]
        cell_of, n_cells = self.pooled.cell_of[rows], self.pooled.n_cells
        weights = np.ones(len(rows)) if self.weights is None else self.weights[rows]
        masses = []
        for signs in self.signs:
            y = signs[rows]
            positive, negative = (
                np.bincount(cell_of[y == s], weights[y == s], minlength=n_cells).astype(np.float64) for s in (1, -1)
            )
            masses.append((positive, negative))
        return masses

    def class_masses(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the mass of some of the rows, classes by cells."""
        rows = rows[self.pooled.cell_of[rows] >= 0]
        masses = np.zeros((int(self.codes.max()) + 1, self.pooled.n_cells), self.whole.dtype)
        np.add.at(masses, (self.codes[rows], self.pooled.cell_of[rows]), self.whole[rows])
        if self.pooled.unit == 1 and masses.dtype == np.int64:
            return masses.astype(np.float64)
        floats = np.zeros(masses.shape)
        for place in zip(*np.nonzero(masses), strict=True):
            floats[place] = float(self.pooled.unit * int(masses[place]))
        return floats

    def output_masses(self, masses: NDArray[np.float64]) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
        """Return masses of classes as those of positive and negative rows, of one class against the rest."""
        return [(masses[y > 0].sum(axis=0), masses[y < 0].sum(axis=0)) for y in self._signs_of_classes()]

    def _signs_of_classes(self) -> list[NDArray[np.int64]]:
        n_classes = int(self.codes.max()) + 1
        return output_signs(np.arange(n_classes), n_classes, "ovr")

    def calibration(
        self, folds: Iterable[tuple[NDArray[np.float64], NDArray[np.float64]]], is_logarithmic: bool
    ) -> SigmoidCalibration:
        """Lay a sigmoid through the held-out scores of every output, of one class against the rest.

        Parameters
        ----------
        folds : iterable of (masses, scores)
            What was held out, classes by cells, and what was learned without it: the scores of all cells, outputs by
            cells.
        is_logarithmic : bool
            Whether the model that is calibrated has signed logarithms for decision values.
        """
        values, codes, weights = [], [], []
        for masses, scores in folds:
            of_class, cells = np.nonzero(masses)
            part = scores[:, cells]
            values.append(np.sign(part) * np.log2(1 + np.abs(part)) if is_logarithmic else part)
            codes.append(of_class)
            weights.append(masses[of_class, cells])
        of_class, masses = np.concatenate(codes), np.concatenate(weights)
        outputs = zip(np.concatenate(values, axis=1), self._signs_of_classes(), strict=True)
        return SigmoidCalibration(
            np.array([fitted_sigmoid(output, signs[of_class] > 0, masses) for output, signs in outputs])
        )

    @staticmethod
    def choices(scores: NDArray[np.float64], n_classes: int, multiclass: str) -> NDArray[np.int64]:
        """Return the class that scores, outputs by rows, choose."""
        if n_classes > 2 and multiclass == "ovr":
            first_largest: NDArray[np.int64] = np.argmax(scores, axis=0)
            return first_largest
        votes = np.zeros((scores.shape[1], n_classes), np.int64)
        for output, (first, second) in zip(scores, combinations(range(n_classes), 2), strict=True):
            votes[:, second] += output >= 0
            votes[:, first] += output < 0
        most_votes: NDArray[np.int64] = np.argmax(votes, axis=1)
        return most_votes


def read_problems(
    estimator: Any, X: Any, y: Any, sample_weight: Any, multiclass: str = "ovr"
) -> tuple[BitMatrix, NDArray[Any], MarginProblems]:
    """Read rows, labels and weights for an estimator that has a ``class_weight``; every class needs weight."""
    rows = boolean_rows(estimator, X, reset=True)
    if y is None:
        raise SettingError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
    classes, codes = class_labels(y, rows.n_rows)
    if len(classes) < 2:
        raise BitsError(f"the labels hold one class only, {shortened(classes.tolist()[0])}; two are needed")
    weights = row_weights(sample_weight, estimator.class_weight, classes, codes)
    problems = MarginProblems.of(rows, codes, len(classes), multiclass, weights)
    if weights is not None:
        with_weight = {code for code, weight in zip(codes.tolist(), weights, strict=True) if weight}
        for code, label in enumerate(classes.tolist()):
            if code not in with_weight:
                raise BitsError(f"every row of class {shortened(label)} has weight 0; leave it out, or give it weight")
    return rows, classes, problems


def mean_value(kernel: Kernel, rows: BitMatrix, masses: Sequence[int] | None = None) -> Fraction:
    """Return the mean of k(x, x) over rows, each counted by its mass, exactly."""
    layout, masses = kernel.layout(rows), [1] * rows.n_rows if masses is None else masses
    total = Fraction(0)
    for indices in layout.own_index(rows):
        mass_at: dict[int, int] = {}
        for index, mass in zip(indices.tolist(), masses, strict=True):
            mass_at[index] = mass_at.get(index, 0) + mass
        total += sum((layout.values[index] * mass for index, mass in mass_at.items()), Fraction(0))
    return total / sum(masses)


def output_signs(codes: NDArray[np.int64], n_classes: int, multiclass: str) -> list[NDArray[np.int64]]:
    """Return the signs of the rows for every output."""
    if n_classes == 2:
        return [np.where(codes == 1, 1, -1)]
    if multiclass == "ovr":
        return [np.where(codes == output, 1, -1) for output in range(n_classes)]
    return [
        (codes == second).astype(np.int64) - (codes == first) for first, second in combinations(range(n_classes), 2)
    ]


def row_weights(
    sample_weight: Any, class_weight: Any, classes: NDArray[Any], codes: NDArray[np.int64]
) -> list[Fraction] | None:
    """Return the exact weight of every row, None where all are 1: sample weight times class weight."""
    weights = None
    if sample_weight is not None:
        weights = exact_weights(sample_weight, len(codes))
    if class_weight is None:
        return weights
    counts = np.bincount(codes, minlength=len(classes))
    if weights is not None and isinstance(class_weight, str) and class_weight == "balanced":
        totals = [
            sum((w for w, c in zip(weights, codes, strict=True) if c == k), Fraction(0)) for k in range(len(counts))
        ]
        if min(totals) == 0:
            raise BitsError('class_weight="balanced" needs some weight on every class')
        factors = [sum(totals) / (len(totals) * total) for total in totals]
    else:
        rates, unit = class_rates(class_weight, classes, counts)
        factors = [unit * int(rate) for rate in rates]
    class_weights = [factors[code] for code in codes.tolist()]
    return class_weights if weights is None else [a * b for a, b in zip(weights, class_weights, strict=True)]


def exact_weights(sample_weight: Any, n_rows: int) -> list[Fraction]:
    """Read the weights of the rows as exact numbers: 0.1 and "1/10" are the same."""
    weights = np.asarray(sample_weight)
    if isinstance(sample_weight, list | tuple) or weights.dtype.kind not in "biuf":
        weights = np.asarray(sample_weight, object)  # fractions, "p/q" and floats of any length, each as it is
    if weights.ndim == 0:
        weights = np.full(n_rows, weights[()], weights.dtype)
    if weights.shape != (n_rows,):
        raise BitsError(f"sample_weight: expected {n_rows} numbers, got type {weights.dtype} and shape {weights.shape}")
    number_of: dict[Any, Fraction] = {}  # most tables have few weights
    for row, weight in enumerate(weights):
        if (type(weight), weight) not in number_of:
            number_of[type(weight), weight] = exact_weight(weight, row)
    return [number_of[type(weight), weight] for weight in weights]


def exact_weight(weight: Any, row: int) -> Fraction:
    """Read the weight of one row."""
    try:
        number = exact(int(weight) if isinstance(weight, bool | np.bool_) else weight, "sample_weight")
    except SettingError:
        number = Fraction(-1)
    if number != 0 and not SMALLEST_WEIGHT <= number <= LARGEST_WEIGHT:
        expected = "a finite number, not negative" if number < 0 else "0, or 2**-1022 to 2**1023"
        raise BitsError(f"sample_weight has {shortened(weight)} in row {row}; expected {expected}")
    return number


def limit_of_each(max_iter: Any, n_outputs: int | None = None) -> list[Any]:
    """Return the limit of iterations of every output: one for all, or one each; 0 is a run that began at its end."""
    if isinstance(max_iter, str) or not isinstance(max_iter, Sequence | np.ndarray):
        return [max_iter] * (n_outputs or 1)
    limits = np.asarray(max_iter, object).tolist() if np.ndim(max_iter) == 1 else []
    if not limits or len(limits) != (n_outputs or len(limits)):
        expected = f"one number, or {n_outputs or 'one'} for the outputs, as n_iter_ has them"
        raise SettingError(f"max_iter={shortened(max_iter)}: expected {expected}")
    return [1 if type(limit) is not bool and limit == 0 else limit for limit in limits]


def require_width(kernel: Kernel, n_variables: int) -> None:
    """Refuse conjunctions longer than the rows are wide."""
    if isinstance(kernel, AgreementKernel) and (kernel.largest_size or 0) > n_variables:
        raise SettingError(
            f"the kernel counts conjunctions of up to {kernel.largest_size} literals; "
            f"the rows have {n_variables} variables. Use a smaller max_size"
        )
