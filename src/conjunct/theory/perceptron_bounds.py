"""Mistake bounds of the Perceptron, and what a run with more mistakes refutes."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from conjunct.messages import shortened
from conjunct.settings import Exact, exact, positive_number
from conjunct.theory.linear_learners import require
from conjunct.theory.mistake_bounds import floor_with_sqrt

__all__ = [
    "perceptron_best_constant_bound",
    "perceptron_bound",
    "perceptron_demotion_count",
    "perceptron_deviation_bound",
    "perceptron_hinge_bound",
    "perceptron_promotion_count",
    "perceptron_sparse_disjunction_bound",
    "perceptron_sparse_refuted_width",
]


def perceptron_bound(radius_sq: Exact, norm_sq: Exact, margin: Exact) -> Fraction:
    """Bound the Perceptron's mistakes on separable examples: R^2 |u|^2 / xi^2.

    Parameters
    ----------
    radius_sq : int, Fraction, str or float
        R^2, at least |x|_2^2 of every example, a constant variable included.
    norm_sq, margin : int, Fraction, str or float
        |u|_2^2 of some u, and xi > 0 with y u.x >= xi on every example.

    Notes
    -----
    Holds for theta = 0 and any rate, from w = 0: after M mistakes (rate 1) u.w >= M xi and |w|^2 <= M R^2. Tight. With
    |u| = 1 it is R^2 / gamma^2; R / gamma is no bound. Also called M_p.
    Source: [novikoff1962], [freund1999, Theorem 1].

    Examples
    --------
    >>> print(perceptron_bound(radius_sq=1, norm_sq=12, margin=1))
    12
    """
    r, u = exact(radius_sq, "radius_sq"), exact(norm_sq, "norm_sq")
    require(
        min(r, u) >= 0, f"radius_sq={shortened(radius_sq)}, norm_sq={shortened(norm_sq)}: expected squares, 0 or more"
    )
    return r * u / positive_number(margin, "margin") ** 2


def perceptron_sparse_disjunction_bound(sigma: int, k: int, constant: Exact = 1) -> Fraction:
    """Bound the Perceptron's mistakes on a disjunction of k variables, at most sigma active: (sigma + 1)(4k + 1).

    Parameters
    ----------
    sigma, k : int
        The most active variables of an example, and the width of the disjunction.
    constant : int, Fraction, str or float, default=1
        c > 0, the value of the constant variable.

    Notes
    -----
    theta = 0, whatever the number of variables. u is 1 on the k variables and -1/(2c) on the constant: y u.x >= 1/2,
    |u|^2 = k + 1/(4 c^2) and R^2 <= sigma + c^2, hence (sigma + c^2)(4k + 1/c^2) by `perceptron_bound`
    [novikoff1962]. Not tight.

    Examples
    --------
    >>> print(perceptron_sparse_disjunction_bound(10, 3))
    143
    """
    require(sigma >= 0, f"sigma={shortened(sigma)}: expected 0 or more")
    require(k >= 0, f"k={shortened(k)}: expected 0 or more")
    c = exact(constant, "constant")
    require(
        c > 0, f"constant={shortened(constant)}: expected a positive number; without a constant no bound is claimed"
    )
    return (sigma + c**2) * (4 * k + 1 / c**2)


def perceptron_best_constant_bound(sigma: int, k: int) -> int:
    """Round (2 sqrt(k sigma) + 1)^2 down: the sparse bound for the best constant, c^2 = sqrt(sigma / (4k)).

    Notes
    -----
    The least value of `perceptron_sparse_disjunction_bound` over c, for k, sigma >= 1; c^2 is seldom rational.

    Examples
    --------
    >>> perceptron_best_constant_bound(10, 3), perceptron_best_constant_bound(12, 3)
    (142, 169)
    """
    require(min(sigma, k) >= 1, f"sigma={shortened(sigma)}, k={shortened(k)}: expected 1 or more")
    return floor_with_sqrt(4 * k * sigma + 1, 16 * k * sigma)


def perceptron_hinge_bound(hinge_loss: Exact, radius_sq: Exact, norm_sq: Exact) -> int:
    """Bound the Perceptron's mistakes on any examples, by the hinge loss of any u; rounded down.

    Parameters
    ----------
    hinge_loss : int, Fraction, str or float
        L, the sum over the mistakes of max(0, 1 - y u.x).
    radius_sq, norm_sq : int, Fraction, str or float
        R^2, at least |x|_2^2 of every example, and |u|_2^2.

    Notes
    -----
    M <= L + a^2/2 + a sqrt(L + a^2/4) with a = R |u|: u.w >= M - L and |w| <= R sqrt(M) give M - L <= a sqrt(M). Holds
    for theta = 0 over one pass. Nearly reached. Source: [freund1999], in hinge form.

    Examples
    --------
    >>> perceptron_hinge_bound(hinge_loss=0, radius_sq=1, norm_sq=12), perceptron_hinge_bound(4, 1, 1)
    (12, 6)
    """
    loss, a_sq = exact(hinge_loss, "hinge_loss"), exact(radius_sq, "radius_sq") * exact(norm_sq, "norm_sq")
    require(
        min(loss, a_sq) >= 0, f"hinge_loss={shortened(hinge_loss)}, R^2 |u|^2 = {shortened(a_sq)}: expected 0 or more"
    )
    return floor_with_sqrt(loss + a_sq / 2, a_sq * (loss + a_sq / 4))


def perceptron_deviation_bound(deviation_sq: Exact, radius_sq: Exact, norm_sq: Exact, margin: Exact) -> int:
    """Bound the Perceptron's mistakes on any examples, by the squared deviations of any u; rounded down.

    Parameters
    ----------
    deviation_sq : int, Fraction, str or float
        D^2, the sum over all examples of max(0, xi - y u.x)^2.
    radius_sq, norm_sq, margin : int, Fraction, str or float
        R^2, at least |x|_2^2 of every example; |u|_2^2; and any xi > 0.

    Notes
    -----
    M <= ((R |u| + D) / xi)^2, which for |u| = 1 is ((R + D) / gamma)^2. Proof: a private coordinate for every example
    changes no prediction and makes up for its deviation. Holds for theta = 0 over one pass. Not tight.
    Source: [freund1999, Theorem 2], for any |u|.

    Examples
    --------
    >>> perceptron_deviation_bound(0, 1, 12, 1), perceptron_deviation_bound(4, 1, 1, 1)
    (12, 9)
    """
    d_sq = exact(deviation_sq, "deviation_sq")
    a_sq = exact(radius_sq, "radius_sq") * exact(norm_sq, "norm_sq")
    require(
        min(d_sq, a_sq) >= 0,
        f"deviation_sq={shortened(deviation_sq)}, R^2 |u|^2 = {shortened(a_sq)}: expected 0 or more",
    )
    xi = positive_number(margin, "margin")
    return floor_with_sqrt((a_sq + d_sq) / xi**2, 4 * a_sq * d_sq / xi**4)


def perceptron_promotion_count(threshold: Exact, rate: Exact = 1, norm_sq: Exact = 2) -> int:
    """Count the promotions until a positive row, repeated from w = 0, is right: ceil(theta / (r |x|^2)), or none.

    Notes
    -----
    Each adds r |x|^2 to the score, which must reach theta. The default is one active variable with a constant of
    value 1: ceil(theta / (2r)). An equality. Source: [khardon2005, Section 4].

    Examples
    --------
    >>> perceptron_promotion_count(17), perceptron_promotion_count(0)
    (9, 0)
    """
    return max(0, ceil(exact(threshold, "threshold") / gain(rate, norm_sq)))


def perceptron_demotion_count(threshold: Exact, rate: Exact = 1, norm_sq: Exact = 1) -> int:
    """Count the demotions until a negative row, repeated from w = 0, is right: floor(-theta / (r |x|^2)) + 1, or none.

    Notes
    -----
    Each takes r |x|^2 from the score, which must fall below theta. The default is the zero row with a constant of
    value 1: floor(-theta / r) + 1. An equality. Source: [khardon2005, Section 4].

    Examples
    --------
    >>> perceptron_demotion_count(0), perceptron_demotion_count(-17), perceptron_demotion_count("1/3")
    (1, 18, 0)
    """
    return max(0, floor(-exact(threshold, "threshold") / gain(rate, norm_sq)) + 1)


def gain(rate: Exact, norm_sq: Exact) -> Fraction:
    """By how much an update on a row moves its own score."""
    r, x = positive_number(rate, "rate"), exact(norm_sq, "norm_sq")
    require(x > 0, f"norm_sq={shortened(norm_sq)}: expected a positive number; updates on a zero row move nothing")
    return r * x


def perceptron_sparse_refuted_width(n_mistakes: int, sigma: int) -> int:
    """Find the largest k such that no disjunction of at most k variables fits a run with so many mistakes; 0 if none.

    Notes
    -----
    The converse of `perceptron_sparse_disjunction_bound`, with a constant of value 1 and at most sigma active
    variables: M > (sigma + 1)(4k + 1). The disjunction may be of any variables, seen or not.

    Examples
    --------
    >>> perceptron_sparse_refuted_width(143, 10), perceptron_sparse_refuted_width(144, 10)
    (2, 3)
    """
    require(
        min(n_mistakes, sigma) >= 0, f"n_mistakes={shortened(n_mistakes)}, sigma={shortened(sigma)}: expected 0 or more"
    )
    return max(0, ceil((Fraction(n_mistakes, sigma + 1) - 1) / 4) - 1)
