"""C4.5 over Boolean variables: trees grown by gain ratio, pruned by a pessimistic estimate of their errors."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaincinv

from conjunct.logic import DecisionTree

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["c45_tree", "gain_and_ratio", "pessimistic_rate"]

LEAST_ROWS = 2  # of either part of a split
DIGITS = 12  # of gains and ratios that are compared: fewer than platforms differ in


def c45_tree(
    rows: NDArray[np.uint8],
    signs: NDArray[np.int64],
    max_depth: int,
    names: Sequence[str],
    confidence: float | None = 0.25,
) -> DecisionTree:
    """Return the tree that C4.5 grows to at most some depth, and prunes unless there is no confidence to prune by.

    Parameters
    ----------
    rows : ndarray of 0 and 1
    signs : ndarray of -1 and 1
    max_depth : int
    names : sequence of str
        Of the variables.
    confidence : float, optional
        CF of `pessimistic_rate`, 0.25 as in the program; None for the tree as it was grown.

    Notes
    -----
    A node of rows of both labels is split by the test of the largest gain ratio among those whose gain is at least the
    mean gain, with two rows or more on either side and a positive gain; the first of equal ones. A subtree becomes a
    leaf where N U_CF(E, N) of the leaf is at most the sum of its leaves' [quinlan1993, Chapters 2 and 4]. The program
    does more: it may raise the larger branch in place of its parent, and U_CF is approximated there. The limit of depth
    is ours.

    Examples
    --------
    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 3, np.uint8)
    >>> print(c45_tree(rows, np.array([-1, -1, -1, 1] * 3), 2, ["a", "b"]))
    a ? (b ? 1 : 0) : 0
    """

    def grown(members: NDArray[np.uint8], is_positive: NDArray[np.bool_], depth: int) -> tuple[DecisionTree, float]:
        """Return the tree of some rows, and how many errors it is estimated to make."""
        n_rows, n_positive = len(is_positive), int(np.count_nonzero(is_positive))
        leaf = DecisionTree.leaf(2 * n_positive > n_rows)
        n_errors = min(n_positive, n_rows - n_positive)
        estimate = 0.0 if confidence is None else n_rows * pessimistic_rate(n_errors, n_rows, confidence)
        test = best_test(members, is_positive) if n_errors and depth else None
        if test is None:
            return leaf, estimate
        is_true = members[:, test] == 1
        parts = [grown(members[part], is_positive[part], depth - 1) for part in (~is_true, is_true)]
        below = sum(part[1] for part in parts)
        if confidence is not None and estimate <= below:
            return leaf, estimate
        return DecisionTree.split(names[test], parts[0][0], parts[1][0]), below

    return grown(rows, signs > 0, max_depth)[0]


def best_test(rows: NDArray[np.uint8], is_positive: NDArray[np.bool_]) -> int | None:
    """Return the variable of the largest gain ratio among those of at least the mean gain; None where none gains."""
    n_true, n_positive = rows.sum(axis=0, dtype=np.int64), int(np.count_nonzero(is_positive))
    true_positive = rows[is_positive].sum(axis=0, dtype=np.int64)
    tests = {}
    for test, (size, positive) in enumerate(zip(n_true.tolist(), true_positive.tolist(), strict=True)):
        if LEAST_ROWS <= size <= len(rows) - LEAST_ROWS:
            other = (n_positive - positive, len(rows) - size - n_positive + positive)
            gain, ratio = gain_and_ratio((positive, size - positive), other)
            if round(gain, DIGITS) > 0:
                tests[test] = gain, ratio
    if not tests:
        return None
    mean = sum(gain for gain, _ in tests.values()) / len(tests)
    large = [test for test, (gain, _) in tests.items() if round(gain - mean, DIGITS) >= 0]
    return max(large, key=lambda test: (round(tests[test][1], DIGITS), -test))


def gain_and_ratio(if_true: tuple[int, int], if_false: tuple[int, int]) -> tuple[float, float]:
    """Return the information that a split gains in bits, and by how much it divides the bits of the split itself.

    Parameters
    ----------
    if_true, if_false : pair of int
        Positive and negative rows on either side, neither side empty.

    Notes
    -----
    info(S) = - sum of the shares times their log2; gain = info(S) - sum (|S_i|/|S|) info(S_i); ratio = gain / info of
    the sizes |S_i| [quinlan1993, Chapter 2].

    Examples
    --------
    >>> gain_and_ratio((4, 0), (0, 4)), gain_and_ratio((2, 2), (2, 2))
    ((1.0, 1.0), (0.0, 0.0))
    """
    sizes = sum(if_true), sum(if_false)
    whole = (if_true[0] + if_false[0], if_true[1] + if_false[1])
    below = sum(size * information(part) for size, part in zip(sizes, (if_true, if_false), strict=True)) / sum(sizes)
    gain = information(whole) - below
    return gain, gain / information(sizes)


def information(counts: tuple[int, int]) -> float:
    """Return the bits that two counts leave to be said about a row."""
    total = sum(counts)
    return -sum(count / total * log2(count / total) for count in counts if count) + 0.0


def pessimistic_rate(n_errors: int, n_rows: int, confidence: float) -> float:
    """Return U_CF(E, N): the rate of errors at which E or fewer of N rows still have the probability CF.

    Notes
    -----
    P(Bin(N, U) <= E) = CF, the upper limit of the binomial; U = 1 - CF**(1/N) where E = 0, and 1 where E = N. It is the
    (1 - CF)-quantile of Beta(E + 1, N - E) [quinlan1993, Chapter 4].

    Examples
    --------
    >>> round(pessimistic_rate(0, 1, 0.25), 9), round(pessimistic_rate(0, 2, 0.25), 9), pessimistic_rate(3, 3, 0.25)
    (0.75, 0.5, 1.0)
    """
    if n_errors == n_rows:
        return 1.0
    return float(betaincinv(n_errors + 1, n_rows - n_errors, 1 - confidence))
