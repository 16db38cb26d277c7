"""The regularised Perceptron row by row, as printed: equal rows have weights of their own."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RowPerceptron", "row_perceptron"]


@dataclass(frozen=True, slots=True)
class RowPerceptron:
    """Updates on each row, their number t, t²/V(a), and R+ of the polynomial at the scale t/V(a)."""

    weights: NDArray[np.int64]
    n_updates: int
    bound: Fraction
    risk: Fraction


def row_perceptron(gram: NDArray[np.int64], signs: NDArray[np.int64], lam: int) -> RowPerceptron:
    """Go over the rows in order until a pass without update: where y_j f(x_j) + lam a_j <= 0, a_j += 1.

    Source: [kowalczyk2002, Theorem 3].

    Examples
    --------
    >>> gram = np.array([[4, 2, 2, 1], [2, 4, 1, 2], [2, 1, 4, 2], [1, 2, 2, 4]])
    >>> found = row_perceptron(gram, np.array([-1, -1, -1, 1]), lam=1)
    >>> found.weights.tolist(), str(found.bound)
    ([1, 1, 0, 1], '9/13')
    """
    weights, scores = np.zeros(len(signs), np.int64), np.zeros(len(signs), np.int64)
    signed = gram * signs
    y, n_clean, j = signs.tolist(), 0, 0
    while n_clean < len(y):
        if y[j] * int(scores[j]) + lam * int(weights[j]) <= 0:
            weights[j] += 1
            scores += signed[:, j]
            n_clean = 0
        else:
            n_clean += 1
        j = (j + 1) % len(y)
    t = int(weights.sum())
    norm_sq = int((weights * signs) @ scores)
    form = norm_sq + lam * int(weights @ weights)
    # At the scale t/V the slack of a row is (V - t y f) / V.
    slack = [max(0, form - t * value) for value in (signs * scores).tolist()]
    risk = Fraction(t * t * norm_sq, form * form) + Fraction(sum(each * each for each in slack), lam * form * form)
    return RowPerceptron(weights, t, Fraction(t * t, form), risk)
