"""The squared hinge on a few columns: its minimum by Newton's steps, and its exact risk."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.learners.margin.dual_solution import hinge_charge

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.margin.labelled_cells import LabelledCells

    Floats = NDArray[np.float64]

__all__ = ["exact_risk", "fit_squared_hinge", "scores_of"]

LEAST_STEP = 1e-9
MOST_NEWTON_STEPS = 200


def fit_squared_hinge(columns: Floats, masses: tuple[Floats, Floats], lam: float, start: Floats) -> Floats:
    """Minimise R+ = |c|^2 + (1/lam) (sum p [1 - f]_+^2 + n [1 + f]_+^2), f = c columns, by Newton's steps.

    Parameters
    ----------
    columns : ndarray of shape (terms, cells)
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
    rows = np.ascontiguousarray(columns.T)
    matrix = np.empty((len(columns), len(columns)))

    def risk_of(c: Floats) -> float:
        f = scores_of(columns, c)
        short, over = np.maximum(0.0, 1 - f), np.maximum(0.0, 1 + f)
        loss = float(np.sum(positive * short * short) + np.sum(negative * over * over))
        return float(np.sum(c * c)) + loss / lam

    c, risk = start, risk_of(start)
    f = scores_of(columns, c)
    for _ in range(MOST_NEWTON_STEPS):
        is_short, is_over = f < 1, f > -1
        pull, push = positive * is_short, negative * is_over
        minimum = np.array([np.sum(column * (pull - push)) for column in columns])
        if not _core.normal_solution(rows, pull + push, lam, matrix, minimum):
            break
        size = 1.0
        while size > LEAST_STEP and risk_of(c + size * (minimum - c)) >= risk:
            size /= 2
        if size <= LEAST_STEP:
            break
        c = c + size * (minimum - c)
        risk, f = risk_of(c), scores_of(columns, c)
        if size == 1 and np.array_equal(f < 1, is_short) and np.array_equal(f > -1, is_over):
            break
    return c


def scores_of(columns: Floats, coefficients: Floats) -> Floats:
    """Return the sum of columns times coefficients, added in their order."""
    scores = np.zeros(columns.shape[1])
    _core.add_rows(columns, coefficients, scores)
    return scores


def exact_risk(
    columns: Floats, weights: NDArray[np.int64], exponent: int, cells: LabelledCells, lam: Fraction
) -> Fraction:
    """Return R+ of the coefficients 2**exponent * weights."""
    unit = Fraction(2) ** exponent
    sums = np.zeros(columns.shape[1], np.int64)
    for column, weight in zip(columns, weights, strict=True):
        sums[column != 0] += weight
    charges = hinge_charge(1 / unit, sums, cells.positive) + hinge_charge(1 / unit, -sums, cells.negative)
    norm_sq = Fraction(sum(weight * weight for weight in weights.tolist()))
    return unit * unit * (norm_sq + cells.unit * charges / lam)
