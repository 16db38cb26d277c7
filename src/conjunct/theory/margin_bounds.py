"""What the regularised Perceptron and the maximal margin Perceptron prove about the risk of every polynomial.

R^2 and r^2 are the largest and the least k(x_i, x_i), Q_ij = y_i y_j k(x_i, x_j), V(a) = a'Qa + lam a'a, and rho*^2 the
least a'Qa over the a >= 0 of sum 1: the square of the hard margin, 0 unless the rows are separable. The risk of f is
R(f) = |f|^2 + (1/lam) sum (1 - y f(x))^2, and R+(f) <= R(f) the same with (1 - y f(x))_+ in place of 1 - y f(x).
"""

from __future__ import annotations

from fractions import Fraction

from conjunct.messages import shortened
from conjunct.settings import Exact, exact, positive_number
from conjunct.theory.linear_learners import require

__all__ = [
    "margin_error_bound",
    "margin_step_limit",
    "margin_stop_ratio",
    "margin_value",
    "margin_value_floor",
    "perceptron_error_bound",
    "perceptron_update_limit",
    "perceptron_value",
    "perceptron_value_floor",
]


def perceptron_update_limit(*, radius_sq: Exact, lam: Exact, n_rows: int, margin_sq: Exact = 0) -> Fraction:
    """Bound the updates of the regularised Perceptron: (R^2 + lam) / (rho*^2 + lam/m).

    Parameters
    ----------
    radius_sq, lam : int, Fraction, str or float
        R^2, at least k(x, x) of every row, and lam >= 0.
    n_rows : int
        m, how many rows there are.
    margin_sq : int, Fraction, str or float, default=0
        rho*^2, or anything below it. It may be 0 only where lam > 0.

    Notes
    -----
    In the space where row i has one more coordinate, y_i sqrt(lam) and its own, it is the plain Perceptron and its
    bound [novikoff1962] is R'^2 / rho'^2: R'^2 = R^2 + lam, and rho'^2, the least V over the a >= 0 of sum 1, is at
    least rho*^2 + lam/m. Tight. Source: [kowalczyk2002, Theorem 3].

    Examples
    --------
    >>> print(perceptron_update_limit(radius_sq=8, lam=1, n_rows=20))
    180
    """
    r, lam_, rho = exact(radius_sq, "radius_sq"), exact(lam, "lam"), exact(margin_sq, "margin_sq")
    require_margin(r, rho, lam_, n_rows, f"radius_sq={shortened(radius_sq)}")
    return (r + lam_) / (rho + lam_ / n_rows)


def perceptron_value(*, n_updates: int, form: Exact) -> Fraction:
    """Bound the risk of every polynomial from below by a run of the regularised Perceptron: t^2 / V(a).

    Parameters
    ----------
    n_updates : int
        t, the sum of the weights a.
    form : int, Fraction, str or float
        V(a) > 0, as `quadratic_form` gives it.

    Notes
    -----
    R(f) >= R+(f) >= t^2 / V(a) for every f. With xi_i = (1 - y_i f(x_i))_+ it is t <= sum a_i (y_i f(x_i) + xi_i), and
    the right side is an inner product of vectors of squared length V(a) and R+(f). It holds for any a >= 0 of sum t,
    from wherever: the run may be cut short. Source: [kowalczyk2002, Theorem 3].

    Examples
    --------
    >>> print(perceptron_value(n_updates=4, form=20))
    4/5
    """
    require(n_updates >= 0, f"n_updates={shortened(n_updates)}: expected 0 or more")
    return n_updates**2 / positive_number(form, "form")


def perceptron_value_floor(*, n_updates: int, radius_sq: Exact, lam: Exact) -> Fraction:
    """Bound `perceptron_value` from below without the weights: t / (R^2 + lam).

    Parameters
    ----------
    n_updates : int
        t, how many updates the Perceptron made.
    radius_sq, lam : int, Fraction, str or float
        R^2, at least k(x, x) of every row, and lam >= 0.

    Notes
    -----
    V(a) <= t (R^2 + lam): an update on row j adds 2 (y_j f(x_j) + lam a_j) <= 0 and k(x_j, x_j) + lam. So it is for
    weights of this algorithm only. Tight. Source: [kowalczyk2002, Theorem 3].

    Examples
    --------
    >>> print(perceptron_value_floor(n_updates=4, radius_sq=4, lam=1))
    4/5
    """
    kk = extended_radius_sq(radius_sq, lam)
    require(n_updates >= 0, f"n_updates={shortened(n_updates)}: expected 0 or more")
    return n_updates / kk


def margin_step_limit(
    *, radius_sq: Exact, least_sq: Exact, lam: Exact, n_rows: int, eps: Exact, margin_sq: Exact = 0
) -> Fraction:
    """Bound the steps of the maximal margin Perceptron: ((R^2+lam)/eps^2) (1/(rho*^2 + lam/m) - 1/(r^2+lam)).

    Parameters
    ----------
    radius_sq, least_sq, lam : int, Fraction, str or float
        R^2 and r^2, the largest and the least k(x, x), and lam >= 0.
    n_rows : int
        m, how many rows there are.
    eps : int, Fraction, str or float
        0 < eps < 1: it stops when every score is above (1 - eps) V(a).
    margin_sq : int, Fraction, str or float, default=0
        rho*^2, or anything below it. It may be 0 only where lam > 0.

    Notes
    -----
    1/V(a) begins at 1/(r^2 + lam), grows by eps^2 / (R^2 + lam) or more at each step and ends at 1/(rho*^2 + lam/m) or
    below. Reached as eps goes to 1. Source: [kowalczyk2002, Theorem 4], which has R^2 + r^2 + 2 lam in place of
    R^2 + lam: more steps, and so weaker.

    Examples
    --------
    >>> print(margin_step_limit(radius_sq=8, least_sq=8, lam=1, n_rows=20, eps="1/2"))
    716
    """
    r, least, lam_ = exact(radius_sq, "radius_sq"), exact(least_sq, "least_sq"), exact(lam, "lam")
    rho = exact(margin_sq, "margin_sq")
    require(
        least <= r, f"least_sq={shortened(least_sq)}, radius_sq={shortened(radius_sq)}: expected least_sq <= radius_sq"
    )
    require_margin(least, rho, lam_, n_rows, f"least_sq={shortened(least_sq)}")
    return (r + lam_) / accuracy(eps) ** 2 * (1 / (rho + lam_ / n_rows) - 1 / (least + lam_))


def margin_value(*, form: Exact) -> Fraction:
    """Bound the risk of every polynomial from below by any weights a >= 0 of sum 1: 1 / V(a).

    Parameters
    ----------
    form : int, Fraction, str or float
        V(a) > 0, as `quadratic_form` gives it.

    Notes
    -----
    R(f) >= R+(f) >= 1 / V(a) for every f: `perceptron_value` of weights divided by their sum. The best a gives min R+
    exactly. Source: [kowalczyk2002, Theorem 4].

    Examples
    --------
    >>> print(margin_value(form="5/4"))
    4/5
    """
    return perceptron_value(n_updates=1, form=form)


def margin_value_floor(*, n_steps: int, radius_sq: Exact, least_sq: Exact, lam: Exact, eps: Exact) -> Fraction:
    """Bound `margin_value` from below without the weights: 1/(r^2 + lam) + t eps^2 / (R^2 + lam).

    Parameters
    ----------
    n_steps : int
        t, how many steps the maximal margin Perceptron made after its start.
    radius_sq, least_sq, lam : int, Fraction, str or float
        R^2 and r^2, the largest and the least k(x, x), and lam >= 0.
    eps : int, Fraction, str or float
        0 < eps < 1, of its stop.

    Notes
    -----
    A step towards row j with g = V(a) - f_j >= eps V(a) adds g^2 / (V(a) (V(a) kk_j - f_j^2)) >= eps^2 / kk_j to
    1/V(a), where kk_j = k(x_j, x_j) + lam, and the step made is no worse. For weights of this algorithm only. Reached
    as eps goes to 1. Source: [kowalczyk2002, Theorem 4], which has R^2 + r^2 + 2 lam in place of R^2 + lam: weaker.

    Examples
    --------
    >>> print(margin_value_floor(n_steps=12, radius_sq=4, least_sq=4, lam=1, eps="1/2"))
    4/5
    """
    kk = extended_radius_sq(radius_sq, lam)
    least = exact(least_sq, "least_sq") + exact(lam, "lam")
    require(
        0 < least <= kk, f"least_sq={shortened(least_sq)}: expected least_sq <= radius_sq, and positive where lam is 0"
    )
    require(n_steps >= 0, f"n_steps={shortened(n_steps)}: expected 0 or more")
    return 1 / least + n_steps * accuracy(eps) ** 2 / kk


def margin_stop_ratio(*, eps: Exact) -> Fraction:
    """Say how near to the least risk the maximal margin Perceptron stops: 1/V(a) >= (1 - eps)^2 min R+.

    Parameters
    ----------
    eps : int, Fraction, str or float
        0 < eps < 1: it stops when every score is above (1 - eps) V(a).

    Notes
    -----
    At the stop the polynomial of the weights, divided by (1 - eps) V(a), has y f(x_j) > 1 - xi_j with xi_j proportional
    to lam a_j, and so R+ <= 1 / ((1 - eps)^2 V(a)). Approached. Source: [kowalczyk2002, Theorem 4]; in the printed
    algorithm the start lacks y_i, the update of V lacks tau^2 before kk_i, and the scores must be renewed before the
    test.

    Examples
    --------
    >>> print(margin_stop_ratio(eps=0.1))
    81/100
    """
    return (1 - accuracy(eps)) ** 2


def perceptron_error_bound(*, value: Exact, norm_sq: Exact, lam: Exact) -> Fraction:
    """Bound the errors of a tree from below by a run of the regularised Perceptron: (lam/4) (value - |f|^2).

    Parameters
    ----------
    value : int, Fraction, str or float
        From `perceptron_value` or, weaker, `perceptron_value_floor`.
    norm_sq : int, Fraction, str or float
        |f|^2 of the tree, the costs of its leaves; their number where every conjunction costs 1.
    lam : int, Fraction, str or float
        The lam > 0 that the value was made with.

    Notes
    -----
    For a tree 1 - y f(x) is 0 or 2, so R = R+ = |f|^2 + 4 err / lam. Not for DNFs, where f(x) may be 3. Where row i has
    mass q_i, err is the mass of the errors. A bound of 0 or less says nothing.
    Source: [kowalczyk2002, Theorem 5], whose form with t / (R^2 + lam) has a factor eps^2, a misprint.

    Examples
    --------
    >>> print(perceptron_error_bound(value=perceptron_value(n_updates=32, form=96), norm_sq=2, lam=2))
    13/3
    """
    return error_bound(value, norm_sq, lam)


def margin_error_bound(*, value: Exact, norm_sq: Exact, lam: Exact) -> Fraction:
    """Bound the errors of a tree from below by the maximal margin Perceptron: (lam/4) (value - |f|^2).

    Parameters
    ----------
    value : int, Fraction, str or float
        From `margin_value` or, weaker, `margin_value_floor`.
    norm_sq : int, Fraction, str or float
        |f|^2 of the tree, the costs of its leaves; their number where every conjunction costs 1.
    lam : int, Fraction, str or float
        The lam > 0 that the value was made with.

    Notes
    -----
    As `perceptron_error_bound`: for trees, not for DNFs; the mass of the errors where rows have masses; nothing is said
    by 0 or less. On the parity of n variables, lam = 2^(n/2), it comes near to half the errors of a single leaf.
    Source: [kowalczyk2002, Theorem 5], with R^2 + lam in the floor in place of R^2 + r^2 + 2 lam.

    Examples
    --------
    >>> print(margin_error_bound(value=margin_value(form="3/32"), norm_sq=2, lam=2))
    13/3
    """
    return error_bound(value, norm_sq, lam)


def error_bound(value: Exact, norm_sq: Exact, lam: Exact) -> Fraction:
    """Solve |f|^2 + 4 err / lam >= value for err."""
    v, norm = exact(value, "value"), exact(norm_sq, "norm_sq")
    require(norm >= 0, f"norm_sq={shortened(norm_sq)}: expected a square, 0 or more")
    return positive_number(lam, "lam") / 4 * (v - norm)


def extended_radius_sq(radius_sq: Exact, lam: Exact) -> Fraction:
    """Return R^2 + lam."""
    r, lam_ = exact(radius_sq, "radius_sq"), exact(lam, "lam")
    require(
        min(r, lam_) >= 0 and r + lam_ > 0,
        f"radius_sq={shortened(radius_sq)}, lam={shortened(lam)}: expected 0 or more, not both 0",
    )
    return r + lam_


def accuracy(eps: Exact) -> Fraction:
    """Return eps."""
    e = exact(eps, "eps")
    require(0 < e < 1, f"eps={shortened(eps)}: expected a number between 0 and 1, neither of them")
    return e


def require_margin(square: Fraction, margin_sq: Fraction, lam: Fraction, n_rows: int, name: str) -> None:
    """Refuse what no rows have: a margin above the length of a row, or no rows; and what no theorem covers."""
    require(lam >= 0, f"lam={shortened(lam)}: expected 0 or more")
    require(
        lam > 0 or margin_sq > 0,
        f"lam={shortened(lam)}, margin_sq={shortened(margin_sq)}: expected one of them to be positive",
    )
    require(
        0 <= margin_sq <= square, f"margin_sq={shortened(margin_sq)}, {name}: expected a margin from 0 up to the other"
    )
    require(n_rows >= 1, f"n_rows={shortened(n_rows)}: expected 1 or more")
