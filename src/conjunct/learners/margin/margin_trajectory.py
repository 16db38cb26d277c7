"""The maximal margin Perceptron in floats, row by row, every step in sight."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["margin_trajectory"]


def margin_trajectory(q: Floats, lam: float, eps: float) -> Iterator[Floats]:
    """Yield the weights a, 0 or more and of sum 1, at the start and after every step, until it stops.

    Parameters
    ----------
    q : ndarray
        Q_ij = y_i y_j k(x_i, x_j).
    lam, eps : float
        Positive; eps below 1: it stops when every score is above (1 - eps) V(a).

    Notes
    -----
    `theory.maximal_margin_steps` says the same in fractions. Source: [kowalczyk2002, Theorem 4].

    Examples
    --------
    >>> q = np.outer([-1, -1, -1, 1], [-1, -1, -1, 1]) * [[4, 2, 2, 1], [2, 4, 1, 2], [2, 1, 4, 2], [1, 2, 2, 4.0]]
    >>> weights = list(margin_trajectory(q, lam=1, eps=0.25))
    >>> [round(float(1 / (a @ q @ a + a @ a)), 3) for a in weights]
    [0.2, 0.5, 0.7, 0.829, 1.088]
    """
    kk = np.diag(q) + lam
    i = int(np.argmin(kk))
    a = np.zeros(len(q))
    a[i] = 1.0
    w = float(kk[i])
    f = q[i].copy()
    f[i] += lam
    yield a.copy()
    while np.any(f <= (1 - eps) * w):
        g, d = w - f, w + kk - 2 * f
        tau = np.zeros(len(q))
        towards = g > 0
        tau[towards] = g[towards] / d[towards]
        away = (g < 0) & (a > 0) & (a < 1)
        full = -a[away] / (1 - a[away])
        tau[away] = np.maximum(full, g[away] / d[away])
        i = int(np.argmax(tau * g))
        step = float(tau[i])
        is_full = step < 0 and step == -a[i] / (1 - a[i])
        w = float((1 - step) ** 2 * w + step**2 * kk[i] + 2 * step * (1 - step) * f[i])
        f = (1 - step) * f + step * q[i]
        f[i] += lam * step
        a *= 1 - step
        a[i] = 0.0 if is_full else a[i] + step
        yield a.copy()
