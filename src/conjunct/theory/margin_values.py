"""Lower bounds on the risk from any weights of the rows, on an explicit Gram matrix, and the risks they bound.

Q_ij = y_i y_j k(x_i, x_j). Row i has a mass q_i > 0 and lam_i = lam / q_i, and V(a) = a'Qa + sum lam_i a_i^2. The risk
of a tree is `DecisionTree.risk` in the room logic.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import frexp, isfinite

from conjunct.messages import shortened
from conjunct.settings import Exact, exact, positive_number
from conjunct.theory.linear_learners import require

__all__ = [
    "Gram",
    "box_value",
    "quadratic_form",
    "regularised_risk",
    "ridge_value",
    "rounded_weights",
    "square_risk",
    "svm_value",
]

Gram = Sequence[Sequence[int | Fraction]]


def quadratic_form(
    gram: Gram, signs: Sequence[int], weights: Sequence[Exact], lam: Exact, masses: Sequence[Exact] | None = None
) -> Fraction:
    """Evaluate V(a) = a'Qa + sum over the rows of (lam / q_i) a_i^2.

    Parameters
    ----------
    gram : sequence of sequences of int or Fraction
        k(x_i, x_j) for every pair of rows.
    signs : sequence of int
        y_i, +1 or -1.
    weights : sequence of int, Fraction, str or float
        a_i, of any sign.
    lam : int, Fraction, str or float
        0 or more.
    masses : sequence of int, Fraction, str or float, optional
        q_i > 0, the cost of an error on the row; 1 when left out.

    Notes
    -----
    The squared length of sum a_i y_i phi(x_i) with one more coordinate sqrt(lam_i) a_i for each row.
    Source: [kowalczyk2002]; the masses are ours.

    Examples
    --------
    >>> gram = [[4, 2, 2, 1], [2, 4, 1, 2], [2, 1, 4, 2], [1, 2, 2, 4]]  # 2**same on 00, 01, 10, 11
    >>> print(quadratic_form(gram, [-1, -1, -1, 1], [1, 1, 1, 1], lam=1))
    20
    """
    k, y = gram_of(gram, signs)
    a, lams = exacts(weights, len(y), "weights"), row_lams(lam, masses, len(y))
    pairs = sum((a[i] * a[j] * y[i] * y[j] * k[i][j] for i in range(len(y)) for j in range(len(y))), Fraction(0))
    return pairs + sum(row_lam * weight**2 for row_lam, weight in zip(lams, a, strict=True))


def svm_value(
    gram: Gram, signs: Sequence[int], weights: Sequence[Exact], lam: Exact, masses: Sequence[Exact] | None = None
) -> Fraction:
    """Bound R+ of every polynomial from below by weights a >= 0: (sum a)^2 / V(a).

    Parameters
    ----------
    gram, signs, weights, lam, masses
        As in `quadratic_form`; no weight is negative.

    Notes
    -----
    As in `perceptron_value`. The best weights give min R+: scaled, their sum_i Q_ij a_i + lam_j a_j is 1 where a_j > 0
    and at least 1 elsewhere. For trees, whose R and R+ are equal: costs of the leaves + 4 (mass of the errors) / lam
    is at least the value. With lam = 0 it speaks of polynomials without errors. Source: [kowalczyk2002, Theorem 4].

    Examples
    --------
    >>> gram = [[4, 2, 2, 1], [2, 4, 1, 2], [2, 1, 4, 2], [1, 2, 2, 4]]
    >>> print(svm_value(gram, [-1, -1, -1, 1], [1, 1, 1, 1], lam=1), svm_value(gram, [-1, -1, -1, 1], [1, 6, 6, 9], 1))
    4/5 11/10
    """
    negative = [weight for weight in exacts(weights, len(signs), "weights") if weight < 0]
    require(not negative, f"weights has {', '.join(map(str, negative[:1]))}: expected 0 or more; ridge_value takes any")
    return ridge_value(gram, signs, weights, lam, masses)


def ridge_value(
    gram: Gram, signs: Sequence[int], weights: Sequence[Exact], lam: Exact, masses: Sequence[Exact] | None = None
) -> Fraction:
    """Bound R of every polynomial from below by weights of any sign: (sum a)^2 / V(a).

    Parameters
    ----------
    gram, signs, weights, lam, masses
        As in `quadratic_form`.

    Notes
    -----
    With xi_i = 1 - y_i f(x_i) it is sum a = sum a_i (y_i f(x_i) + xi_i), and the rest is as in `perceptron_value`. The
    best weights, y_i times row i of (K + diag lam_i)^-1 y, give min R. R+ may be less: negative weights speak of trees,
    where R = R+, and not of DNFs. Ours, after [kowalczyk2002].

    Examples
    --------
    >>> gram = [[10, 3], [3, 1]]
    >>> print(ridge_value(gram, [1, 1], [-1, 8], lam=1), svm_value(gram, [1, 1], [0, 8], lam=1))
    7/13 1/2
    """
    total = sum(exacts(weights, len(signs), "weights"), Fraction(0))
    v = quadratic_form(gram, signs, weights, lam, masses)
    require(v > 0 or total == 0, "V(a) = 0 with sum a != 0: expected V(a) > 0; no such polynomial is free of errors")
    return total**2 / v if total else Fraction(0)


def box_value(
    gram: Gram, positives: Sequence[Exact], negatives: Sequence[Exact], lam: Exact, b: Sequence[Exact]
) -> Fraction:
    """Bound the risk of every tree from below by any b: (2/lam) sum [(p + n) - |p - n - lam b|] - b'Kb.

    Parameters
    ----------
    gram : sequence of sequences of int or Fraction
        K, the kernel for every pair of cells, that is of distinct rows.
    positives, negatives : sequence of int, Fraction, str or float
        p and n >= 0, the mass of the rows of each label in each cell.
    lam : int, Fraction, str or float
        Positive.
    b : sequence of int, Fraction, str or float
        One number for each cell, of any sign.

    Notes
    -----
    The largest 2 sum a - a'Qa over weights a_i <= 1/lam_i of the rows, without lower limit, whose sum of a_i y_i over
    each cell is b. Every f has |f|^2 >= 2 sum a_i y_i f(x_i) - a'Qa, and where y f(x) <= 1 a row pays
    (2/lam_i) (1 - y f(x)) >= 2 a_i (1 - y f(x)). A tree pays that much: 4/lam_i for an error. For trees only. Reached
    by a single leaf. Ours, after [kowalczyk2002].

    Examples
    --------
    >>> print(box_value([[1]], [5], [2], lam=1, b=[1]))  # one cell, one leaf: 1 + 4 * 2
    9
    """
    lam_ = positive_number(lam, "lam")
    k, _ = gram_of(gram, [1] * len(gram))
    p, n = exacts(positives, len(k), "positives"), exacts(negatives, len(k), "negatives")
    require(min([*p, *n], default=Fraction(0)) >= 0, "positives, negatives: expected masses, 0 or more")
    net = exacts(b, len(k), "b")
    gain = sum(((p[c] + n[c]) - abs(p[c] - n[c] - lam_ * net[c]) for c in range(len(k))), Fraction(0))
    return 2 / lam_ * gain - sum(net[c] * net[e] * k[c][e] for c in range(len(k)) for e in range(len(k)))


def regularised_risk(
    scores: Sequence[Exact], signs: Sequence[int], norm_sq: Exact, lam: Exact, masses: Sequence[Exact] | None = None
) -> Fraction:
    """Evaluate R+ = |f|^2 + sum (q_i / lam) (1 - y_i f(x_i))_+^2.

    Parameters
    ----------
    scores : sequence of int, Fraction, str or float
        f(x_i).
    signs : sequence of int
        y_i, +1 or -1.
    norm_sq, lam : int, Fraction, str or float
        |f|^2, the sum of K_|T| c_T^2 over the conjunctions T of f, and lam > 0.
    masses : sequence of int, Fraction, str or float, optional
        q_i > 0; 1 when left out.

    Notes
    -----
    What `svm_value` bounds. Source: [kowalczyk2002].

    Examples
    --------
    >>> print(regularised_risk([3, -1, 1], [1, 1, 1], norm_sq=5, lam=2), square_risk([3, -1, 1], [1, 1, 1], 5, 2))
    7 9
    """
    return paid(norm_sq, [max(Fraction(0), slack) for slack in slacks(scores, signs)], lam, masses)


def square_risk(
    scores: Sequence[Exact], signs: Sequence[int], norm_sq: Exact, lam: Exact, masses: Sequence[Exact] | None = None
) -> Fraction:
    """Evaluate R = |f|^2 + sum (q_i / lam) (1 - y_i f(x_i))^2.

    Parameters
    ----------
    scores, signs, norm_sq, lam, masses
        As in `regularised_risk`.

    Notes
    -----
    What `ridge_value` bounds. For trees it equals R+. Source: [kowalczyk2002].

    Examples
    --------
    >>> print(square_risk([1, -1], [1, 1], norm_sq=2, lam=4), regularised_risk([1, -1], [1, 1], norm_sq=2, lam=4))
    3 3
    """
    return paid(norm_sq, slacks(scores, signs), lam, masses)


def rounded_weights(weights: Sequence[float], bits: int = 40, *, nonnegative: bool = False) -> tuple[list[int], int]:
    """Round weights to integers of at most so many bits, times one power of two.

    Parameters
    ----------
    weights : sequence of float
        Finite.
    bits : int, default=40
        The most bits of an integer, its sign not counted.
    nonnegative : bool, default=False
        Whether a negative weight becomes 0, as `svm_value` needs it.

    Returns
    -------
    integers : list of int
        The nearest ones; of two as near, the even one.
    exponent : int
        A weight is nearly its integer * 2**exponent. The least exponent that keeps to the bits, raised while all the
        integers are even; 0 if all of them are 0.

    Examples
    --------
    >>> rounded_weights([0.5, -0.75, 3.0]), rounded_weights([0.1, -1.0, 0.7], bits=4, nonnegative=True)
    (([2, -3, 12], -2), ([2, 0, 11], -4))
    """
    require(bits >= 1, f"bits={shortened(bits)}: expected 1 or more")
    infinite = [weight for weight in weights if not isfinite(weight)]
    require(not infinite, f"weights has {', '.join(map(repr, infinite[:1]))}: expected finite numbers")
    clipped = [max(0.0, weight) if nonnegative else weight for weight in weights]
    largest = max((abs(weight) for weight in clipped), default=0.0)
    if not largest:
        return [0] * len(clipped), 0
    exponent = frexp(largest)[1] - bits
    if round(abs(Fraction(largest)) / Fraction(2) ** exponent) == 2**bits:  # rounded up to one bit more
        exponent += 1
    integers = [round(Fraction(weight) / Fraction(2) ** exponent) for weight in clipped]
    while not any(integer % 2 for integer in integers):
        integers, exponent = [integer // 2 for integer in integers], exponent + 1
    return integers, exponent


def gram_of(gram: Gram, signs: Sequence[int]) -> tuple[list[list[Fraction]], list[int]]:
    """Return a Gram matrix in fractions and the signs, refusing another shape."""
    m = len(signs)
    require(len(gram) == m and all(len(row) == m for row in gram), f"gram: expected {m} rows of {m} numbers")
    k = [[exact(value, "gram") for value in row] for row in gram]
    require(all(k[i][j] == k[j][i] for i in range(m) for j in range(i)), "gram: expected a symmetric matrix")
    require(set(signs) <= {1, -1}, "signs: expected +1 and -1")
    return k, list(signs)


def exacts(values: Sequence[Exact], length: int, name: str) -> list[Fraction]:
    """Return a sequence of known length in fractions."""
    require(len(values) == length, f"{name} has {len(values)} numbers: expected {length}")
    return [exact(value, name) for value in values]


def row_lams(lam: Exact, masses: Sequence[Exact] | None, n_rows: int) -> list[Fraction]:
    """Return lam_i = lam / q_i."""
    lam_, q = exact(lam, "lam"), [Fraction(1)] * n_rows if masses is None else exacts(masses, n_rows, "masses")
    require(lam_ >= 0, f"lam={shortened(lam)}: expected 0 or more")
    require(min(q, default=Fraction(1)) > 0, "masses: expected positive numbers")
    return [lam_ / mass for mass in q]


def slacks(scores: Sequence[Exact], signs: Sequence[int]) -> list[Fraction]:
    """Return 1 - y f(x) for every row."""
    require(set(signs) <= {1, -1}, "signs: expected +1 and -1")
    return [1 - y * score for y, score in zip(signs, exacts(scores, len(signs), "scores"), strict=True)]


def paid(norm_sq: Exact, slack: list[Fraction], lam: Exact, masses: Sequence[Exact] | None) -> Fraction:
    """Add up a risk."""
    norm, lams = exact(norm_sq, "norm_sq"), row_lams(lam, masses, len(slack))
    require(norm >= 0, f"norm_sq={shortened(norm_sq)}: expected a square, 0 or more")
    positive_number(lam, "lam")
    return norm + sum((xi**2 / row_lam for xi, row_lam in zip(slack, lams, strict=True)), Fraction(0))
