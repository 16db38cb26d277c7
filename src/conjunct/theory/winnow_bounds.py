"""Mistake bounds of Winnow, and what a run with more mistakes refutes.

Throughout, alpha > 1 is the promotion, by which a demotion of Winnow2 divides; theta >= 1 the threshold; all weights
start at 1. For another start w, pass theta / w as the threshold. Thick separators have no bound here.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log

from conjunct.messages import shortened
from conjunct.settings import Exact, exact
from conjunct.theory.linear_learners import require
from conjunct.theory.mistake_bounds import ceil_log, floor_with_log

__all__ = [
    "normalised_winnow_bound",
    "normalised_winnow_rate",
    "winnow1_bound",
    "winnow1_demotion_bound",
    "winnow2_bound",
    "winnow2_demotion_bound",
    "winnow_promotion_bound",
    "winnow_refuted_width",
    "winnow_refuted_width_by_promotions",
    "winnow_repeat_count",
    "winnow_sparse_bound",
    "winnow_sparse_refuted_width",
]


def winnow_promotion_bound(k: int, threshold: Exact, promotion: Exact = 2, attribute_errors: int = 0) -> int:
    """Bound the promotions u of Winnow1 or Winnow2 on a disjunction of k variables: k ceil(log_alpha theta).

    Parameters
    ----------
    k : int
        The width of the disjunction.
    threshold, promotion : int, Fraction, str or float
        theta and alpha.
    attribute_errors : int, default=0
        A, for Winnow2 on any examples: the sum over its mistakes of the number of relevant active variables (y = -1),
        or of 1 if no relevant variable is active (y = +1).

    Notes
    -----
    A promotion finds every active weight below theta, so the exponent of a weight never passes ceil(log_alpha theta).
    Without errors every promotion raises a relevant exponent and nothing lowers one; in all, the k exponents sum to
    at least u - A, hence u <= k ceil(log_alpha theta) + A. Tight for A = 0. Source: [littlestone1988, Winnow1].

    Examples
    --------
    >>> winnow_promotion_bound(3, threshold=1000)
    30
    """
    theta, alpha = settings(threshold, promotion)
    require(
        min(k, attribute_errors) >= 0,
        f"k={shortened(k)}, attribute_errors={shortened(attribute_errors)}: expected 0 or more",
    )
    return k * ceil_log(alpha, theta) + attribute_errors


def winnow2_demotion_bound(n: int, n_promotions: int, threshold: Exact, promotion: Exact = 2) -> int:
    """Bound the demotions of Winnow2 by its promotions u: alpha/(alpha-1) n/theta + alpha u, rounded down.

    Notes
    -----
    Whatever the labels: the n weights sum to n, a promotion adds less than (alpha-1) theta, a demotion takes at least
    (1 - 1/alpha) theta, and the sum stays positive. n/theta + u is no bound. Source: [littlestone1988, Winnow2].

    Examples
    --------
    >>> winnow2_demotion_bound(8, 0, threshold=2)
    8
    """
    theta, alpha = settings(threshold, promotion)
    require(min(n, n_promotions) >= 0, f"n={shortened(n)}, n_promotions={shortened(n_promotions)}: expected 0 or more")
    return floor(alpha / (alpha - 1) * n / theta + alpha * n_promotions)


def winnow1_demotion_bound(n: int, n_promotions: int, threshold: Exact, promotion: Exact = 2) -> int:
    """Bound the demotions of Winnow1 by its promotions u: n/theta + (alpha-1) u, rounded down.

    Notes
    -----
    As for Winnow2, but a demotion takes the whole score, at least theta. Source: [littlestone1988, Winnow1].

    Examples
    --------
    >>> winnow1_demotion_bound(8, 0, threshold=2)
    4
    """
    theta, alpha = settings(threshold, promotion)
    require(min(n, n_promotions) >= 0, f"n={shortened(n)}, n_promotions={shortened(n_promotions)}: expected 0 or more")
    return floor(n / theta + (alpha - 1) * n_promotions)


def winnow2_bound(n: int, k: int, threshold: Exact, promotion: Exact = 2, attribute_errors: int = 0) -> int:
    """Bound the mistakes of Winnow2 over n variables on a disjunction of k of them; rounded down.

    Parameters
    ----------
    n, k : int
        The number of variables, and the width of the disjunction.
    threshold, promotion : int, Fraction, str or float
        theta and alpha.
    attribute_errors : int, default=0
        A, as in `winnow_promotion_bound`; with it the bound holds on any examples.

    Notes
    -----
    M <= alpha/(alpha-1) n/theta + (alpha+1) (k (1 + log_alpha theta) + A), from the bounds on promotions and
    demotions; for alpha = 2 and theta = n it is 2 + 3k (1 + log2 n). Not tight. Source: [littlestone1988, Winnow2].

    Examples
    --------
    >>> winnow2_bound(1024, 3, threshold=1024)
    101
    """
    theta, alpha = settings(threshold, promotion)
    require(0 <= k <= n, f"k={shortened(k)}: expected a width from 0 to n={shortened(n)}")
    require(attribute_errors >= 0, f"attribute_errors={shortened(attribute_errors)}: expected 0 or more")
    constant = alpha / (alpha - 1) * n / theta + (alpha + 1) * (k + attribute_errors)
    return floor_with_log(constant, (alpha + 1) * k, alpha, theta)


def winnow1_bound(n: int, k: int, threshold: Exact, promotion: Exact = 2) -> int:
    """Bound the mistakes of Winnow1 over n variables on a disjunction of k of them; rounded down.

    Notes
    -----
    M <= n/theta + k alpha (1 + log_alpha theta); for alpha = 2 and theta = n it is 1 + 2k (1 + log2 n). It has no form
    with attribute errors: a relevant weight that is lost never returns. Not tight. Source: [littlestone1988, Winnow1].

    Examples
    --------
    >>> winnow1_bound(1024, 3, threshold=1024)
    67
    """
    theta, alpha = settings(threshold, promotion)
    require(0 <= k <= n, f"k={shortened(k)}: expected a width from 0 to n={shortened(n)}")
    return floor_with_log(n / theta + alpha * k, alpha * k, alpha, theta)


def winnow_sparse_bound(sigma: int, k: int, attribute_errors: int = 0) -> int:
    """Bound the mistakes of Winnow2, at most sigma variables active, for alpha = 2 and theta = 4 sigma.

    Notes
    -----
    M <= 6 (k ceil(log2(4 sigma)) + A) on a disjunction of k variables, whatever their number; A as in
    `winnow_promotion_bound`. Not tight. Source: [blum1992].

    Examples
    --------
    >>> winnow_sparse_bound(10, 3)
    108
    """
    require(sigma >= 1, f"sigma={shortened(sigma)}: expected 1 or more")
    return 6 * winnow_promotion_bound(k, 4 * sigma, 2, attribute_errors)


def winnow_repeat_count(score: Exact, threshold: Exact, promotion: Exact = 2) -> int:
    """Count the promotions until a positive row of a given score, repeated, is right: least j, alpha^j score >= theta.

    Notes
    -----
    Each multiplies the score by alpha. An equality. Source: [littlestone1988].

    Examples
    --------
    >>> winnow_repeat_count(3, threshold=24), winnow_repeat_count(3, threshold=25), winnow_repeat_count(30, 24)
    (3, 4, 0)
    """
    value = exact(score, "score")
    require(value > 0, f"score={shortened(score)}: expected a positive number; promotions leave 0 as it is")
    return ceil_log(promotion, exact(threshold, "threshold") / value)


def winnow_refuted_width(
    n_mistakes: int, n: int, threshold: Exact, promotion: Exact = 2, *, elimination: bool = False
) -> int:
    """Find the largest k such that no disjunction of at most k of n variables fits a run with so many mistakes.

    Parameters
    ----------
    n_mistakes, n : int
        Mistakes of Winnow2 in one sequence, and the number of variables.
    threshold, promotion : int, Fraction, str or float
        theta and alpha.
    elimination : bool, default=False
        Whether the run was one of Winnow1.

    Returns
    -------
    int
        From 0 (none is refuted) to n (all are).

    Notes
    -----
    The converse of `winnow2_bound` and `winnow1_bound`. The promotions alone refute as much or more: see
    `winnow_refuted_width_by_promotions`.

    Examples
    --------
    >>> winnow_refuted_width(101, 1024, 1024), winnow_refuted_width(102, 1024, 1024)
    (2, 3)
    """
    low, high = 0, n + 1
    while high - low > 1:  # the bound grows with k
        middle = (low + high) // 2
        bound = (winnow1_bound if elimination else winnow2_bound)(n, middle, threshold, promotion)
        low, high = (middle, high) if n_mistakes > bound else (low, middle)
    return low


def winnow_refuted_width_by_promotions(n_promotions: int, n: int, threshold: Exact, promotion: Exact = 2) -> int:
    """Find the largest k such that no disjunction of at most k of n variables fits a run with so many promotions.

    Notes
    -----
    The converse of `winnow_promotion_bound`, for Winnow1 and Winnow2: u > k ceil(log_alpha theta). From 0 (none is
    refuted) to n (all are). It refutes at least what the mistakes do: as the demotions are bounded by the promotions
    whatever the labels, M > `winnow2_bound` only if u > k (1 + log_alpha theta).

    Examples
    --------
    >>> winnow_refuted_width_by_promotions(30, 1024, 1024), winnow_refuted_width_by_promotions(31, 1024, 1024)
    (2, 3)
    """
    per_variable = winnow_promotion_bound(1, threshold, promotion)
    if n_promotions == 0:
        return 0
    return min(n, (n_promotions - 1) // per_variable) if per_variable else n


def winnow_sparse_refuted_width(n_mistakes: int, sigma: int) -> int:
    """Find the largest k such that no disjunction of at most k variables fits a run with so many mistakes; 0 if none.

    Notes
    -----
    The converse of `winnow_sparse_bound`: M > 6k ceil(log2(4 sigma)), for alpha = 2, theta = 4 sigma and at most sigma
    active variables. The disjunction may be of any variables, seen or not.

    Examples
    --------
    >>> winnow_sparse_refuted_width(108, 10), winnow_sparse_refuted_width(109, 10)
    (2, 3)
    """
    require(n_mistakes >= 0, f"n_mistakes={shortened(n_mistakes)}: expected 0 or more")
    return max(0, ceil(Fraction(n_mistakes, winnow_sparse_bound(sigma, 1))) - 1)


def normalised_winnow_bound(n: int, norm_1: Exact, max_abs: Exact, margin: Exact) -> float:
    """Bound the mistakes of normalised balanced Winnow, in floating point: 2 ln(2n) X^2 |u|_1^2 / xi^2.

    Parameters
    ----------
    n : int
        The number of variables.
    norm_1, max_abs, margin : int, Fraction, str or float
        |u|_1 of some u, a sum of absolute values; X, at least |x|_inf of every example; and xi > 0 with y u.x >= xi on
        every example.

    Notes
    -----
    Holds for the rate of `normalised_winnow_rate` with the same three numbers. Also called M_w. Not tight.
    Source: [kivinen1997].

    Examples
    --------
    >>> round(normalised_winnow_bound(50, norm_1=3, max_abs=1, margin=1), 2)
    82.89
    """
    require(n >= 1, f"n={shortened(n)}: expected 1 or more")
    u, x, xi = lengths(norm_1, max_abs, margin)
    return 2 * log(2 * n) * float((u * x / xi) ** 2)


def normalised_winnow_rate(norm_1: Exact, max_abs: Exact, margin: Exact) -> Fraction:
    """Give the rate for which `normalised_winnow_bound` holds: eta = gamma / X^2, gamma = xi / |u|_1.

    Examples
    --------
    >>> print(normalised_winnow_rate(norm_1=3, max_abs=1, margin=1))
    1/3
    """
    u, x, xi = lengths(norm_1, max_abs, margin)
    return xi / u / x**2


def lengths(norm_1: Exact, max_abs: Exact, margin: Exact) -> tuple[Fraction, Fraction, Fraction]:
    """Check that three lengths are positive."""
    numbers = exact(norm_1, "norm_1"), exact(max_abs, "max_abs"), exact(margin, "margin")
    require(
        min(numbers) > 0,
        f"norm_1={shortened(norm_1)}, max_abs={shortened(max_abs)}, margin={shortened(margin)}: "
        "expected positive numbers",
    )
    return numbers


def settings(threshold: Exact, promotion: Exact) -> tuple[Fraction, Fraction]:
    """Check the threshold and the promotion that a bound is claimed for."""
    theta, alpha = exact(threshold, "threshold"), exact(promotion, "promotion")
    require(
        theta >= 1,
        f"threshold={shortened(threshold)}: the bounds of Winnow need at least 1, the weight variables start with",
    )
    require(alpha > 1, f"promotion={shortened(promotion)}: expected more than 1; a promotion multiplies by it")
    return theta, alpha
