"""Probabilities from decision values: a sigmoid for every output."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["SigmoidCalibration"]


@dataclass(frozen=True, eq=False)
class SigmoidCalibration:
    """The probability 1 / (1 + exp(-(slope v + offset))) that a decision value v is right, output by output.

    Attributes
    ----------
    lines : ndarray of float64, shape (outputs, 2)
        The slope of every output, not negative, and its offset.

    Notes
    -----
    [platt1999]. One output is the probability of the second class. Several are divided by their sum, as each knows only
    its class against the rest. A probability never falls where the decision value of an output rises; the class of the
    largest probability need not be the one that is predicted, which is decided by the exact scores alone.

    Examples
    --------
    >>> SigmoidCalibration(np.array([[1.0, 0.0]])).probabilities(np.array([0.0, 2.0])).round(2).tolist()
    [[0.5, 0.5], [0.12, 0.88]]
    """

    lines: NDArray[np.float64]

    def probabilities(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probability of every class, row by row, from the decision values of a model."""
        slopes, offsets = self.lines.T
        outputs = sigmoid(slopes * values.reshape(len(values), -1) + offsets)
        if len(slopes) == 1:
            return np.column_stack([1 - outputs, outputs])
        totals = outputs.sum(axis=1, keepdims=True)
        return np.where(totals > 0, outputs / np.where(totals > 0, totals, 1), 1 / len(slopes))


def sigmoid(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return 1 / (1 + exp(-x)), without overflow."""
    small = np.exp(-np.abs(x))
    shares: NDArray[np.float64] = np.where(x >= 0, 1, small) / (1 + small)
    return shares
