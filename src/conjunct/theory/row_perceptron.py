"""The regularised Perceptron in whole numbers, row by row, as printed: equal rows have weights of their own.

`regularized_perceptron` says the same in fractions and with masses; this one is fast enough for hundreds of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

__all__ = ["RowPerceptron", "row_perceptron"]


@dataclass(frozen=True, slots=True)
class RowPerceptron:
    """Updates on each row, their number t, t²/V(a), and R+ of the polynomial at the scale t/V(a)."""

    weights: tuple[int, ...]
    n_updates: int
    bound: Fraction
    risk: Fraction


def row_perceptron(gram: Sequence[Sequence[int]], signs: Sequence[int], lam: int) -> RowPerceptron:
    """Go over the rows in order until a pass without update: where y_j f(x_j) + lam a_j <= 0, a_j += 1.

    Source: [kowalczyk2002, Theorem 3].

    Examples
    --------
    >>> gram = [[4, 2, 2, 1], [2, 4, 1, 2], [2, 1, 4, 2], [1, 2, 2, 4]]
    >>> run = row_perceptron(gram, [-1, -1, -1, 1], lam=1)
    >>> run.weights, str(run.bound)
    ((1, 1, 0, 1), '9/13')
    """
    weights, margins = [0] * len(signs), [0] * len(signs)  # margins: y_j f(x_j)
    n_clean, j = 0, 0
    while n_clean < len(signs):
        if margins[j] + lam * weights[j] <= 0:
            weights[j] += 1
            products = zip(margins, gram[j], signs, strict=True)
            margins = [margin + signs[j] * value * sign for margin, value, sign in products]
            n_clean = 0
        else:
            n_clean += 1
        j = (j + 1) % len(signs)
    t = sum(weights)
    norm_sq = sum(weight * margin for weight, margin in zip(weights, margins, strict=True))
    form = norm_sq + lam * sum(weight * weight for weight in weights)
    # At the scale t/V the slack of a row is (V - t y f) / V.
    slacks = [max(0, form - t * margin) for margin in margins]
    risk = Fraction(t * t * norm_sq, form * form) + Fraction(sum(s * s for s in slacks), lam * form * form)
    return RowPerceptron(tuple(weights), t, Fraction(t * t, form), risk)
