"""The mean of the hypotheses of a learner whose weights are products of powers, compared with a threshold exactly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import SparseRows
from conjunct.models.rational_sums import RationalSums, RationalWeights
from conjunct.models.weight_powers import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MeanThreshold"]

UNIT = np.finfo(np.float64).eps
TINY = np.finfo(np.float64).tiny


@dataclass(frozen=True, eq=False)
class MeanThreshold:
    """Scores: the sum of the mean weights of a row's variables, one per output; every answer is exact.

    The exact means are made when they are first needed. Predictions ask for them only where the floats that a run keeps
    as it goes are not sure.

    Parameters
    ----------
    means : tuple of callables
        One per output: each makes a `MeanPowers` or `NormalisedMeanPowers`.
    threshold : Fraction
        A score that reaches it is positive.
    has_constant : bool
        Whether the last variable is one that every row has.
    floats : ndarray of float64, shape (outputs, variables), or None
        The weights in floats, the constant's last if there is one.
    unseen : float
        The weight of a name that was never seen, in floats.
    float_error : float
        No float is farther than this from its weight.
    """

    means: tuple[Callable[[], RationalWeights], ...]
    threshold: Fraction
    has_constant: bool = False
    floats: NDArray[np.float64] | None = None
    unseen: float = 0.0
    float_error: float = 0.0

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.means)

    @cached_property
    def _sums(self) -> RationalSums:
        return RationalSums([make() for make in self.means], self.threshold, has_constant=self.has_constant)

    @property
    def coefficients(self) -> NDArray[np.float64]:
        """The weights in floats, one row per output, without the constant's."""
        return self._sums.coefficients

    @property
    def intercepts(self) -> NDArray[np.float64]:
        """The constant's weight minus the threshold, in floats, one per output."""
        return self._sums.intercepts

    def scores(self, x: SparseRows) -> list[list[Fraction]]:
        """Return the exact scores of every row."""
        return self._sums.scores(x)

    def decision_values(self, x: SparseRows) -> NDArray[np.float64]:
        """Return score minus threshold, each rounded once; see `conjunct.theory.decision_value`."""
        return self._sums.decision_values(x)

    def choices(self, x: SparseRows) -> NDArray[np.int64]:
        """Return the prediction for every row: 0 or 1 for one output, the first output of largest score for several."""
        n_variables = 0 if self.floats is None else self.floats.shape[1] - self.has_constant
        if self.floats is None or x.n_variables > n_variables or x.values is not None:
            return self._sums.choices(x)
        constants = self.floats[:, -1] if self.has_constant else np.zeros(self.n_outputs)
        sums = np.array([x.dot(output, self.unseen) for output in self.floats]) + constants[:, None]
        n_terms = np.diff(x.starts) + 2
        largest = float(np.abs(self.floats).max(initial=abs(self.unseen))) + abs(nearest(self.threshold))
        error = n_terms * (self.float_error + n_terms * (UNIT * largest + TINY))
        if self.n_outputs == 1:
            gap = sums[0] - nearest(self.threshold)
            choices = np.asarray(gap >= 0, np.int64)
            is_open = ~(np.abs(gap) > error)
        else:
            choices = np.asarray(np.argmax(sums, axis=0), np.int64)
            is_open = np.sum(~(np.take_along_axis(sums, choices[None], 0) - sums > 2 * error), axis=0) > 1
        rows = np.flatnonzero(is_open)
        if len(rows):
            choices[rows] = self._sums.choices(x.take(rows))
        return choices
