"""Bounds of elimination and halving, and the exact floors that the other bounds are rounded with."""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from itertools import count
from math import ceil, floor, isqrt

from conjunct.messages import shortened
from conjunct.settings import Exact, exact
from conjunct.theory.linear_learners import require

__all__ = [
    "ceil_log",
    "elimination_bound",
    "elimination_literals_bound",
    "floor_with_log",
    "floor_with_sqrt",
    "halving_bound",
]


def floor_with_log(constant: Exact, factor: Exact, base: Exact, value: Exact) -> int:
    """Round a + b log_alpha(theta) down, exactly.

    Parameters
    ----------
    constant, factor : int, Fraction, str or float
        a, and b >= 0.
    base, value : int, Fraction, str or float
        alpha > 1 and theta >= 1.

    Notes
    -----
    Either the logarithm is rational, which integer powers decide (`rational_log`); or a + b log_alpha(theta) is no
    integer, and a narrow enough interval around the logarithm has one floor. Comparing alpha**(q m) with theta**p
    instead, for b = p/q, needs powers of millions of digits for a modest alpha such as 1.01.

    Examples
    --------
    >>> floor_with_log(2, 9, 2, 1000), floor_with_log(0, 9, 8, 4), floor_with_log(0, "89/10", 8, 4)
    (91, 6, 5)
    """
    a, b, alpha, theta = (
        exact(constant, "constant"),
        exact(factor, "factor"),
        exact(base, "base"),
        exact(value, "value"),
    )
    require(b >= 0, f"factor={shortened(factor)}: expected 0 or more")
    require(alpha > 1, f"base={shortened(base)}: expected more than 1")
    require(theta >= 1, f"value={shortened(value)}: expected at least 1")
    exponent = rational_log(alpha, theta)
    if exponent is not None:
        return floor(a + b * exponent)
    for digits in (50 << doubling for doubling in count()):
        low, high = log_interval(alpha, theta, digits)
        if floor(a + b * low) == floor(a + b * high):
            break
    return floor(a + b * low)


def rational_log(alpha: Fraction, theta: Fraction) -> Fraction | None:
    """Find log_alpha(theta) if it is rational.

    Notes
    -----
    If it is i/d in lowest terms, alpha**i = theta**d, so that d divides every exponent in the factorisation of alpha
    and i every one of theta: d and i are at most log2 of a numerator or denominator, and the powers stay small.
    """
    low, _ = log_interval(alpha, theta, 50)
    for d in range(1, length(alpha)):
        i = round(low * d)
        if i < length(theta) and alpha**i == theta**d:
            return Fraction(i, d)
    return None


def length(x: Fraction) -> int:
    """Bits of the longer of numerator and denominator."""
    return max(x.numerator, x.denominator).bit_length()


def log_interval(alpha: Fraction, theta: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Enclose log_alpha(theta), for alpha > 1 and theta >= 1: `Decimal.ln` is correctly rounded at any precision."""
    digits += length(alpha)
    (alpha_low, alpha_high), (theta_low, theta_high) = ln_interval(alpha, digits), ln_interval(theta, digits)
    return theta_low / alpha_high, theta_high / alpha_low


def ln_interval(x: Fraction, digits: int) -> tuple[Fraction, Fraction]:
    """Enclose the natural logarithm of x >= 1, calculated with so many digits."""
    context = Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)
    upper, lower = (Decimal(part).ln(context) for part in (x.numerator, x.denominator))
    error = Fraction(10) ** (max(upper.adjusted(), lower.adjusted(), 0) + 2 - digits)
    difference = Fraction(upper) - Fraction(lower)
    return max(Fraction(0), difference - error), difference + error


def ceil_log(base: Exact, value: Exact) -> int:
    """Find the least j >= 0 with base**j >= value, exactly.

    Examples
    --------
    >>> ceil_log(2, 1000), ceil_log(2, 1024), ceil_log("3/2", "9/4"), ceil_log(2, "1/3")
    (10, 10, 2, 0)
    """
    alpha, theta = exact(base, "base"), exact(value, "value")
    require(alpha > 1, f"base={shortened(base)}: expected more than 1")
    if theta <= 1:
        return 0
    exponent = rational_log(alpha, theta)
    return floor_with_log(0, 1, alpha, theta) + 1 if exponent is None else ceil(exponent)


def floor_with_sqrt(constant: Exact, square: Exact) -> int:
    """Round s + sqrt(t) down, by an integer square root.

    Notes
    -----
    With s = p/q: p + sqrt(t) q >= m q iff sqrt(t q**2) >= m q - p, an integer, iff isqrt(floor(t q**2)) >= m q - p.

    Examples
    --------
    >>> floor_with_sqrt(0, 24), floor_with_sqrt(0, 25), floor_with_sqrt("1/2", "25/4"), floor_with_sqrt("-1/2", 2)
    (4, 5, 3, 0)
    """
    s, t = exact(constant, "constant"), exact(square, "square")
    require(t >= 0, f"square={shortened(square)}: expected 0 or more")
    q = s.denominator
    return (s.numerator + isqrt(floor(t * q * q))) // q


def elimination_bound(n: int, k: int) -> int:
    """Bound the mistakes of elimination over n variables, on any examples of a disjunction of k of them: n - k.

    Notes
    -----
    The k stay, so every mistake is a false positive, and it drops at least one other. Tight. Source: [littlestone1988].

    Examples
    --------
    >>> elimination_bound(10, 3)
    7
    """
    require(0 <= k <= n, f"k={shortened(k)}: expected a width from 0 to n={shortened(n)}")
    return n - k


def elimination_literals_bound(n: int) -> int:
    """Bound the mistakes of elimination over the 2n literals, on any examples of a disjunction of literals: n + 1.

    Notes
    -----
    n literals are active in every example: the first mistake drops n, each later one at least one of the other n.
    Tight. Source: [littlestone1988].

    Examples
    --------
    >>> elimination_literals_bound(10)
    11
    """
    require(n >= 0, f"n={shortened(n)}: expected 0 or more")
    return n + 1


def halving_bound(n_concepts: int) -> int:
    """Bound the mistakes of the halving algorithm, on any examples of one of its concepts: floor(log2 |C|).

    Notes
    -----
    A mistake leaves at most half of the concepts, and one is always left. Tight for all labellings of a finite set.
    Source: [littlestone1988, the halving algorithm].

    Examples
    --------
    >>> halving_bound(1), halving_bound(1023), halving_bound(1024)
    (0, 9, 10)
    """
    require(n_concepts >= 1, f"n_concepts={shortened(n_concepts)}: expected at least one concept")
    return n_concepts.bit_length() - 1
