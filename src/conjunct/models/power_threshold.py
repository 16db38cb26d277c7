"""A sum of weights that are products of powers, compared with a threshold exactly."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.models.weight_powers import WeightPowers, nearest
from conjunct.theory import decision_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["PowerThreshold"]

UNIT = np.finfo(np.float64).eps


@dataclass(frozen=True, eq=False)
class PowerThreshold:
    """Scores: the sum of the weights of a row's variables, one per output; predictions are exact.

    Floats are summed first; where their rounding error could change a prediction, fractions decide.

    Parameters
    ----------
    powers : WeightPowers
    promotions, demotions : ndarrays of int32, shape (outputs, variables)
    threshold : Fraction
        A score that reaches it is positive.
    has_constant : bool
        Whether the last variable is one that every row has.

    Examples
    --------
    >>> powers = WeightPowers(Fraction(1), Fraction(2), Fraction(2))
    >>> model = PowerThreshold(powers, np.array([[2, 0, 0]]), np.array([[0, 1, 0]]), Fraction(9, 2))
    >>> rows = SparseRows.of([{0, 1}, {0}, {1, 2}])
    >>> model.scores(rows), model.choices(rows).tolist()
    ([[Fraction(9, 2)], [Fraction(4, 1)], [Fraction(3, 2)]], [1, 0, 0])
    """

    powers: WeightPowers
    promotions: NDArray[np.int32]
    demotions: NDArray[np.int32]
    threshold: Fraction
    has_constant: bool = False
    weights: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        promotions, demotions = (np.array(a, np.int32, order="C") for a in (self.promotions, self.demotions))
        is_square = promotions.ndim == 2 and promotions.shape == demotions.shape and len(promotions)
        if not is_square or np.any(promotions < 0) or np.any(demotions < 0):
            raise BitsError("a power threshold counts promotions and demotions of every variable, one row per output")
        for name, array in (("promotions", promotions), ("demotions", demotions)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        object.__setattr__(self, "weights", self.powers.floats(promotions, demotions))

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.promotions)

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """The weights in floats, one row per output, without the constant's."""
        return self.weights[:, : self._n_variables]

    @property
    def _n_variables(self) -> int:
        return int(self.promotions.shape[1]) - self.has_constant

    @property
    def intercepts(self) -> NDArray[np.float64]:
        """The constant's weight minus the threshold, in floats."""
        return self._constants() - nearest(self.threshold)

    def _constants(self) -> NDArray[np.float64]:
        return self.weights[:, -1] if self.has_constant else np.zeros(self.n_outputs)

    def scores(self, x: SparseRows) -> list[list[Fraction]]:
        """Return the exact scores of every row."""
        self._require_width(x)
        return [[self._score(x, row, output) for output in range(self.n_outputs)] for row in range(x.n_rows)]

    def choices(self, x: SparseRows) -> NDArray[np.int64]:
        """Return the prediction for every row: 0 or 1 for one output, the first output of largest score for several."""
        sums, errors = self._sums(x)
        cut = nearest(self.threshold)
        choices: NDArray[np.int64]
        if self.n_outputs == 1:
            choices = np.asarray(sums[0] >= cut, np.int64)
            for row in np.flatnonzero(_is_near(sums[0], cut, errors[0])).tolist():
                choices[row] = self._score(x, row, 0) >= self.threshold
            return choices
        with np.errstate(invalid="ignore"):
            choices = np.asarray(np.argmax(sums, axis=0), np.int64)
            best, error = np.take_along_axis(sums, choices[None], 0), np.max(errors, axis=0)
            is_near = np.sum(~(best - sums > 2 * error), axis=0) > 1
        for row in np.flatnonzero(is_near).tolist():
            exact = [self._score(x, row, output) for output in range(self.n_outputs)]
            choices[row] = exact.index(max(exact))
        return choices

    def decision_values(self, x: SparseRows) -> NDArray[np.float64]:
        """Return score minus threshold as floats; those near 0 are computed exactly, so that every sign is right."""
        sums, errors = self._sums(x)
        cut = nearest(self.threshold)
        with np.errstate(invalid="ignore"):
            values = sums - cut
        for output, row in np.argwhere(_is_near(sums, cut, errors)).tolist():
            excess = self._score(x, row, output) - self.threshold
            values[output, row] = decision_value(excess, is_logarithmic=False)
        limit = np.finfo(np.float64).max
        values = np.clip(values, -limit, limit)
        return values[0] if self.n_outputs == 1 else np.ascontiguousarray(values.T)

    def _require_width(self, x: SparseRows) -> None:
        if x.n_variables > self._n_variables:
            raise BitsError(f"rows of {x.n_variables} variables, but the model has {self._n_variables}")

    def _score(self, x: SparseRows, row: int, output: int) -> Fraction:
        places = x.row_and(row, *[self._n_variables] * self.has_constant)
        seen = places[places >= 0]
        n_unseen = int(np.count_nonzero(places < 0))
        return self.powers.total(self.promotions[output, seen], self.demotions[output, seen], n_unseen)

    def _sums(self, x: SparseRows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the float sums, and how far they can be from the exact ones; not a number where they overflowed."""
        self._require_width(x)
        if x.values is not None:
            raise BitsError("Winnow takes Boolean rows")
        unseen = nearest(self.powers.weight(0, 0))
        with np.errstate(invalid="ignore", over="ignore"):
            weights, constants = self.coefficients, self._constants()[:, None]
            sums = np.array([x.dot(output, unseen) for output in weights]) + constants
            sizes = np.array([x.dot(np.abs(output), abs(unseen)) for output in weights]) + np.abs(constants)
        lengths = np.diff(x.starts) + 9
        tiny = np.finfo(np.float64).tiny
        return sums, lengths * (UNIT * sizes + tiny)


def _is_near(sums: NDArray[np.float64], cut: float, errors: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return where rounding could have changed the side of the cut, or where something is not finite."""
    with np.errstate(invalid="ignore"):
        return ~(np.abs(sums - cut) > errors + 4 * UNIT * abs(cut))
