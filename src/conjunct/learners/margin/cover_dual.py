"""Weights of cells that bound the terms of every DNF: a quadratic dual with targets 1 on positive rows, 0 on others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["cover_weights"]

SWEEPS_BETWEEN_CHECKS = 10


def cover_weights(
    gram: Floats,
    positive: Floats,
    negative: Floats,
    price: float | None,
    *,
    is_stopped: Callable[[], str] = str,
    max_sweeps: int | None = None,
    tol: float = 1e-5,
) -> tuple[Floats, int, str]:
    """Maximise what weights b of the cells prove about every DNF, by exact steps on one cell after another.

    Parameters
    ----------
    gram : ndarray of float64
        The kernel that counts non-empty conjunctions, of all pairs of cells.
    positive, negative : ndarray of float64
        What the positive and the negative rows of each cell cost.
    price : float or None
        What an error is worth; None allows none.
    is_stopped : callable
        Says why to stop, or nothing.
    max_sweeps : int, optional
    tol : float
        Stop where ten sweeps gain less than this share of the value.

    Returns
    -------
    weights : ndarray of float64
    n_sweeps : int
    stopped_by : str

    Notes
    -----
    Without errors the value is 2 sum(b over positive cells) - b'Kb, b >= 0 there and free elsewhere; its maximum is
    that of (sum b)^2 / b'Kb. With a price w it is sum min(w p, 2 b + w n) - b'Kb, b >= -w n / 2. A step solves for one
    b: the slope of the gain is 2 below w (p - n) / 2 and 0 above it.
    """
    weights, sums, diagonal = np.zeros(len(gram)), np.zeros(len(gram)), np.diag(gram).copy()
    if price is None:
        lowest = np.where(positive > 0, 0.0, -np.inf)
        kink = np.where(positive > 0, np.inf, -np.inf)
    else:
        lowest, kink = -price * negative / 2, price * (positive - negative) / 2
    value, n_sweeps, reason = 0.0, 0, "gap"
    order = np.flatnonzero(diagonal > 0).tolist()
    while max_sweeps is None or n_sweeps < max_sweeps:
        for cell in order:
            rest = sums[cell] - diagonal[cell] * weights[cell]
            steep, flat = (1 - rest) / diagonal[cell], -rest / diagonal[cell]
            best = steep if steep <= kink[cell] else max(flat, kink[cell])
            step = max(best, lowest[cell]) - weights[cell]
            if step:
                weights[cell] += step
                sums += step * gram[cell]
        n_sweeps += 1
        if reason := is_stopped():
            return weights, n_sweeps, reason
        if n_sweeps % SWEEPS_BETWEEN_CHECKS == 0:
            if price is None:
                gain = 2 * weights[positive > 0].sum()
            else:
                gain = np.minimum(price * positive, 2 * weights + price * negative).sum()
            before, value = value, float(gain - weights @ sums)
            if value - before <= tol * abs(value):
                return weights, n_sweeps, "gap"
    return weights, n_sweeps, "iterations"
