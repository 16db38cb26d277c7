"""Loss bounds of the exponentiated gradient, in floating point."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from conjunct.messages import shortened
from conjunct.theory.linear_learners import require

__all__ = [
    "exponentiated_gradient_bound",
    "exponentiated_gradient_rate",
    "relative_entropy",
    "signed_relative_entropy",
]


def exponentiated_gradient_rate(radius: float, c: float) -> float:
    """Give the rate for which the loss bound holds: eta = 2c / (R^2 (2 + c)).

    Parameters
    ----------
    radius : float
        R: for EG at least max_i x_i - min_i x_i of every example, for EG+- 2 U X with X >= |x|_inf.
    c : float
        Any positive number; a larger one learns faster and allows a larger multiple of the loss of u.

    Examples
    --------
    >>> exponentiated_gradient_rate(radius=1, c=2)
    1.0
    """
    require(radius > 0, f"radius={shortened(radius)}: expected a positive number")
    require(c > 0, f"c={shortened(c)}: expected a positive number")
    return 2 * c / (radius**2 * (2 + c))


def exponentiated_gradient_bound(loss: float, divergence: float, radius: float, c: float) -> float:
    """Bound the square loss of EG or EG+-: (1 + c/2) loss(u) + (1/2 + 1/c) R^2 KL(u || w_1).

    Parameters
    ----------
    loss : float
        The sum of the square losses of some u: on the simplex for EG, of |u|_1 <= U for EG+-.
    divergence : float
        KL(u || w_1) by `relative_entropy`, or for EG+- over 2N coordinates by `signed_relative_entropy`.
    radius, c : float
        R and c as in `exponentiated_gradient_rate`, whose rate the run must have had.

    Notes
    -----
    Any examples, in any order. Not tight. Source: [kivinen1997, EG and EG+- for the square loss]. Rounded.

    Examples
    --------
    >>> exponentiated_gradient_bound(loss=0, divergence=1, radius=1, c=2)
    1.0
    """
    require(
        min(loss, divergence) >= 0, f"loss={shortened(loss)}, divergence={shortened(divergence)}: expected 0 or more"
    )
    require(radius > 0, f"radius={shortened(radius)}: expected a positive number")
    require(c > 0, f"c={shortened(c)}: expected a positive number")
    return (1 + c / 2) * loss + (0.5 + 1 / c) * radius**2 * divergence


def relative_entropy(u: Sequence[float]) -> float:
    """Compute KL(u || w_1) for u on the simplex and equal weights w_1: sum of u_i ln(n u_i), 0 ln 0 = 0.

    Examples
    --------
    >>> relative_entropy([0.25] * 4), relative_entropy([1, 0]) == log(2)
    (0.0, True)
    """
    require(min(u) >= 0 and abs(sum(u) - 1) < 1e-9, "u is not on the simplex: expected weights of 0 or more, sum 1")
    return max(0.0, sum(value * log(len(u) * value) for value in u if value > 0))


def signed_relative_entropy(u: Sequence[float], norm: float) -> float:
    """Compute KL over the 2N coordinates of EG+-, for u of |u|_1 <= U = norm.

    Notes
    -----
    u = u+ - u-, with u+_i = max(0, u_i) and u-_i = max(0, -u_i); what |u|_1 leaves of U is spread evenly over the 2N
    coordinates, and all are divided by U.

    Examples
    --------
    >>> signed_relative_entropy([0, 0], norm=1), signed_relative_entropy([0, -3], norm=3) == log(4)
    (0.0, True)
    """
    spare = norm - sum(abs(value) for value in u)
    require(norm > 0 and spare > -1e-9 * norm, f"|u|_1 passes norm={shortened(norm)}")
    parts = [*(max(0.0, value) for value in u), *(max(0.0, -value) for value in u)]
    return relative_entropy([(part + max(0.0, spare) / len(parts)) / norm for part in parts])
