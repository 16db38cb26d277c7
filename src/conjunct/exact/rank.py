"""The rank of a matrix of integers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["rank"]


def rank(rows: Sequence[Sequence[int]]) -> int:
    """Return how many rows are linearly independent, by elimination in fractions.

    Examples
    --------
    >>> rank([[1, 2, 3], [2, 4, 6], [0, 1, 1]])
    2
    """
    remaining, n_pivots = [[Fraction(value) for value in row] for row in rows], 0
    for column in range(len(rows[0])):
        pivot = next((row for row in remaining if row[column]), None)
        if pivot is None:
            continue
        remaining.remove(pivot)
        n_pivots += 1
        remaining = [
            [a - row[column] / pivot[column] * b for a, b in zip(row, pivot, strict=True)] if row[column] else row
            for row in remaining
        ]
    return n_pivots
