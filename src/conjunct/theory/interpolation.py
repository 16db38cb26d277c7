"""The shortest weights over conjunctions that give a table its values, and the Perceptron's bound from them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from conjunct.theory.linear_learners import require

__all__ = ["conjunctions_interpolation_bound", "conjunctions_interpolation_norm_sq"]


def conjunctions_interpolation_norm_sq(values: Sequence[int]) -> Fraction:
    """Square the length of the shortest weights over all 3**n conjunctions that give these values on all 2**n rows.

    Parameters
    ----------
    values : sequence of int
        A value for every row, that of row x at place sum_i x_i 2**i.

    Notes
    -----
    The Gram matrix of K(x, z) = 2**same(x, z) over all rows is G = [[2, 1], [1, 2]] taken n times as a Kronecker
    product, so the shortest u with u.phi(x) = y_x has |u|^2 = y' G^-1 y, and G^-1 is 3**-n times the same product of
    [[2, -1], [-1, 2]]: n rounds of additions give it. Source: [kowalczyk2002] for the kernel.

    Examples
    --------
    >>> print(conjunctions_interpolation_norm_sq([-1, -1, -1, 1]), conjunctions_interpolation_norm_sq([-1, 1, 1, -1]))
    16/9 4
    """
    n = len(values).bit_length() - 1
    require(len(values) == 2**n, f"{len(values)} values: expected one for each of 2**n rows")
    solved = list(values)
    for i in range(n):
        solved = [2 * solved[x] - solved[x ^ (1 << i)] for x in range(len(solved))]
    return Fraction(sum(y * z for y, z in zip(values, solved, strict=True)), 3**n)


def conjunctions_interpolation_bound(labels: Sequence[int]) -> Fraction:
    """Bound the mistakes of the kernel Perceptron over all conjunctions, on rows labelled by a table of +1 and -1.

    Notes
    -----
    2**n y' G^-1 y by `perceptron_bound` [novikoff1962], theta = 0: every row has the squared length 2**n, and the
    interpolating weights have margin 1 on all rows, seen or not. Between (4/3)**n, reached by a constant, and 4**n,
    reached by the parity: no function needs more. Not tight.

    Examples
    --------
    >>> print(conjunctions_interpolation_bound([-1, -1, -1, 1]), conjunctions_interpolation_bound([1, 1, 1, 1]))
    64/9 16/9
    """
    require(set(labels) <= {1, -1}, "labels: expected +1 and -1")
    return len(labels) * conjunctions_interpolation_norm_sq(labels)
