"""The mask machine on few variables: conjunctions chosen one by one, and their coefficients fitted anew each time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix, ConjunctionColumns

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["MaskMachine", "conjunctions_on", "fit_masks", "fit_squared_hinge"]

TIE_TOLERANCE = 1e-9  # correlations nearer than this, relative to the largest, are a tie
LEAST_STEP = 1e-9
MOST_NEWTON_STEPS = 200


@dataclass(frozen=True, slots=True)
class MaskMachine:
    """What was chosen, in columns of `conjunctions_on`, with coefficients and the risk R+ on the training rows."""

    chosen: tuple[int, ...]
    coefficients: Floats
    risk: float


def conjunctions_on(rows: BitMatrix, max_size: int) -> Floats:
    """Return a column of ones for the constant, then one for each of the `ConjunctionColumns` of so many literals.

    Examples
    --------
    >>> conjunctions_on(BitMatrix.of(["0", "1"]), 1).tolist()  # the constant, x, not x
    [[1.0, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    values = ConjunctionColumns(rows.n_variables, max_size, has_negations=True).values(rows)
    return np.hstack([np.ones((rows.n_rows, 1)), values])


def fit_masks(features: Floats, labels: NDArray[np.int64], lam: float, max_terms: int) -> MaskMachine:
    """Begin with the constant, column 0; add the column that the residuals y [1 - y f]_+ go along with most; refit R+.

    Every conjunction costs 1. All terms are kept: none is dropped again, and the constant is one of `max_terms`.
    """
    y = labels.astype(np.float64)
    chosen = [0]
    coefficients, risk = fit_squared_hinge(features[:, chosen], y, lam)
    while len(chosen) < max_terms:
        residuals = y * np.maximum(0.0, 1 - y * (features[:, chosen] @ coefficients))
        correlations = np.abs(features.T @ residuals)
        correlations[chosen] = -1.0
        chosen.append(int(np.argmax(correlations >= (1 - TIE_TOLERANCE) * correlations.max())))
        coefficients, risk = fit_squared_hinge(features[:, chosen], y, lam)
    return MaskMachine(tuple(chosen), coefficients, risk)


def fit_squared_hinge(columns: Floats, y: Floats, lam: float) -> tuple[Floats, float]:
    """Minimise R+ = |c|^2 + (1/lam) sum [1 - y (columns c)]_+^2 by Newton's steps, halved until R+ falls.

    R+ is quadratic wherever the same rows have y f < 1, so when these no longer change a step ends at the minimum.
    """

    def risk_of(c: Floats) -> float:
        slack = np.maximum(0.0, 1 - y * (columns @ c))
        return float(c @ c + slack @ slack / lam)

    c = np.zeros(columns.shape[1])
    risk = risk_of(c)
    for _ in range(MOST_NEWTON_STEPS):
        has_slack = 1 - y * (columns @ c) > 0
        active = columns[has_slack]
        step = np.linalg.solve(lam * np.eye(len(c)) + active.T @ active, active.T @ y[has_slack]) - c
        size = 1.0
        while size > LEAST_STEP and risk_of(c + size * step) >= risk:
            size /= 2
        if size <= LEAST_STEP:
            break
        c = c + size * step
        risk = risk_of(c)
    return c, risk
