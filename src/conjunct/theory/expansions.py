"""Kernel expansions by their definitions: histograms over a table, their sums, signs and votes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

__all__ = ["floor_carry_sign", "signed_histogram", "signed_sum", "votes"]


def signed_histogram(indices: Iterable[int], weights: Iterable[int], n_values: int) -> list[int]:
    """Sum the weights that fall on each index of a table.

    Notes
    -----
    sum_j w_j K(x, x_j) = sum_v h[v] K[v] with h[v] = sum of w_j over the rows whose index is v, because a Boolean
    kernel depends on two rows only through an index into its table. Source: [khardon2005, Section 3].

    Examples
    --------
    >>> signed_histogram([0, 2, 2], [5, -1, -1], 3)
    [5, 0, -2]
    """
    histogram = [0] * n_values
    for index, weight in zip(indices, weights, strict=True):
        histogram[index] += weight
    return histogram


def signed_sum(histogram: Sequence[int], table: Sequence[Fraction]) -> Fraction:
    """Evaluate a histogram against a table.

    Examples
    --------
    >>> print(signed_sum([5, 0, -2], [Fraction(1), Fraction(2), Fraction(4)]))
    -3
    """
    return sum((h * k for h, k in zip(histogram, table, strict=True)), Fraction(0))


def floor_carry_sign(histogram: Sequence[int]) -> int:
    """Take the sign of sum_s histogram[s] * 2**s with small integers only.

    Notes
    -----
    From s = 0 upwards: add the count, remember whether the sum is odd, halve it with a floor; no halving after the
    last. What is left is floor(value / 2**n), and the value is zero iff that is zero and nothing odd was dropped.

    Examples
    --------
    >>> floor_carry_sign([5, 0, -2]), floor_carry_sign([4, 0, -1]), floor_carry_sign([0, 0, 1])
    (-1, 0, 1)
    """
    carry, lost_bits = 0, 0
    for s, count in enumerate(histogram):
        if s:
            lost_bits |= carry & 1
            carry >>= 1
        carry += count
    return -1 if carry < 0 else int(carry > 0 or lost_bits > 0)


def votes(scores: Iterable[Fraction], survival: Iterable[int], threshold: Fraction) -> int:
    """Sum the votes of the hypotheses of a run: each votes +1 where its score reaches the threshold, else -1.

    Notes
    -----
    A hypothesis has as many votes as rows at whose end it was the current one. Source: [freund1999, Figure 1], which
    leaves out the votes of the first hypothesis, the zero one; here they count.

    Examples
    --------
    >>> votes([Fraction(0), Fraction(-2)], [1, 3], Fraction(0))
    -2
    """
    return sum(count if score >= threshold else -count for score, count in zip(scores, survival, strict=True))
