"""The squared hinge on a few columns: its minimum by Newton's steps, and its exact risk."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct.learners.margin.dual_solution import hinge_charge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.margin.labelled_cells import LabelledCells

    Floats = NDArray[np.float64]

__all__ = ["exact_risk", "fit_squared_hinge"]

LEAST_STEP = 1e-9
MOST_NEWTON_STEPS = 200


def fit_squared_hinge(columns: Floats, masses: tuple[Floats, Floats], lam: float, start: Floats) -> Floats:
    """Minimise R+ = |c|^2 + (1/lam) (sum p [1 - f]_+^2 + n [1 + f]_+^2), f = columns c, by Newton's steps.

    Parameters
    ----------
    columns : ndarray of shape (cells, terms)
    masses : pair of ndarray
        p and n: the mass of positive and of negative rows on each cell.
    lam : float
    start : ndarray
        Coefficients to begin with.

    Notes
    -----
    R+ is quadratic wherever the same cells fall short of their labels, so a step that does not change these ends at the
    minimum. Steps are halved until R+ falls.
    """
    positive, negative = masses

    def risk_of(c: Floats) -> float:
        f = columns @ c
        short, over = np.maximum(0.0, 1 - f), np.maximum(0.0, 1 + f)
        return float(c @ c + (positive @ (short * short) + negative @ (over * over)) / lam)

    c, risk = start, risk_of(start)
    for _ in range(MOST_NEWTON_STEPS):
        f = columns @ c
        is_short, is_over = f < 1, f > -1
        pull, push = positive * is_short, negative * is_over
        values, vectors = np.linalg.eigh(columns.T @ ((pull + push)[:, None] * columns))
        slopes = vectors.T @ (columns.T @ (pull - push))
        step = vectors @ (slopes / (lam + np.maximum(0.0, values))) - c
        size = 1.0
        while size > LEAST_STEP and risk_of(c + size * step) >= risk:
            size /= 2
        if size <= LEAST_STEP:
            break
        c = c + size * step
        risk, f = risk_of(c), columns @ c
        if size == 1 and np.array_equal(f < 1, is_short) and np.array_equal(f > -1, is_over):
            break
    return c


def exact_risk(
    columns: Floats, weights: NDArray[np.int64], exponent: int, cells: LabelledCells, lam: Fraction
) -> Fraction:
    """Return R+ of the coefficients 2**exponent * weights."""
    unit = Fraction(2) ** exponent
    sums = np.zeros(len(columns), np.int64)
    for column, weight in zip(columns.T, weights, strict=True):
        sums[column != 0] += weight
    charges = hinge_charge(1 / unit, sums, cells.positive) + hinge_charge(1 / unit, -sums, cells.negative)
    norm_sq = Fraction(sum(weight * weight for weight in weights.tolist()))
    return unit * unit * (norm_sq + cells.unit * charges / lam)
