"""How a sigmoid is laid through held-out decision values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from conjunct.models.sigmoid_calibration import sigmoid

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["fitted_sigmoid"]

MOST_STEPS = 100
SMALLEST_GRADIENT = 1e-9  # per unit of weight
SMALLEST_STEP = 1e-10
ENOUGH_DESCENT = 1e-4
RIDGE = 1e-12


def fitted_sigmoid(
    values: NDArray[np.float64], is_positive: NDArray[np.bool_], weights: NDArray[np.float64]
) -> tuple[float, float]:
    """Return slope and offset of the sigmoid that makes held-out labels most likely.

    Parameters
    ----------
    values : ndarray
        Decision values of rows that were not learned from.
    is_positive : ndarray of bool
    weights : ndarray
        A row of weight k counts as k rows.

    Notes
    -----
    Newton's method with a line search on the cross-entropy [lin2007], with [platt1999]'s targets (n+ + 1)/(n+ + 2) and
    1/(n- + 2) in place of 1 and 0: they keep the slope finite where the values separate the labels. Values are scaled
    to at most 1 in size, so that the two unknowns are of one size. A sigmoid with two parameters was chosen before a
    staircase (isotonic regression), which needs some thousand rows, has ties, and never leaves what it has seen. A
    slope below 0, where held-out values say nothing, is taken as 0: all rows have the share of their label.

    Examples
    --------
    >>> values, is_positive = np.array([-2.0, -1.0, 1.0, 2.0]), np.array([False, False, True, True])
    >>> slope, offset = fitted_sigmoid(values, is_positive, np.ones(4))
    >>> slope > 0, abs(offset) < 1e-9
    (True, True)
    """
    n_positive, n_negative = float(weights[is_positive].sum()), float(weights[~is_positive].sum())
    targets = np.where(is_positive, (n_positive + 1) / (n_positive + 2), 1 / (n_negative + 2))
    scale = float(np.max(np.abs(values), initial=0.0)) or 1.0
    columns = np.column_stack([values / scale, np.ones(len(values))])
    share = (n_positive + 1) / (n_positive + n_negative + 2)
    flat = float(np.log(share / (1 - share)))
    line = _least_entropy(columns, targets, weights, np.array([0.0, flat]))
    return (float(line[0]) / scale, float(line[1])) if line[0] > 0 else (0.0, flat)


def _least_entropy(
    columns: NDArray[np.float64], targets: NDArray[np.float64], weights: NDArray[np.float64], line: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Minimise the weighted cross-entropy of the targets over lines, from a start."""
    entropy = _entropy(columns @ line, targets, weights)
    for _ in range(MOST_STEPS):
        shares = sigmoid(columns @ line)
        gradient = columns.T @ (weights * (shares - targets))
        if np.max(np.abs(gradient)) <= SMALLEST_GRADIENT * weights.sum():
            break
        curvature = columns.T @ (columns * (weights * shares * (1 - shares))[:, None]) + RIDGE * np.eye(2)
        direction = -np.linalg.solve(curvature, gradient)
        step, slope = 1.0, float(gradient @ direction)
        while step >= SMALLEST_STEP:
            candidate = line + step * direction
            lower = _entropy(columns @ candidate, targets, weights)
            if lower <= entropy + ENOUGH_DESCENT * step * slope:
                line, entropy = candidate, lower
                break
            step /= 2
        else:
            break
    return line


def _entropy(x: NDArray[np.float64], targets: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Return the cross-entropy of targets and sigmoids: log(1 + exp(x)) - target x, summed by weight."""
    return float(np.sum(weights * (np.logaddexp(0.0, x) - targets * x)))
