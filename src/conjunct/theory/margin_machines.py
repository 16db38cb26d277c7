"""The regularised Perceptron and the maximal margin Perceptron by their definitions, on an explicit Gram matrix.

Q_ij = y_i y_j k(x_i, x_j). Row i has a mass q_i > 0 and lam_i = lam / q_i, and V(a) = a'Qa + sum lam_i a_i^2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from conjunct.messages import shortened
from conjunct.settings import Exact, exact
from conjunct.theory.linear_learners import require
from conjunct.theory.margin_bounds import accuracy
from conjunct.theory.margin_values import Gram, gram_of, row_lams

__all__ = ["MarginState", "RegularizedRun", "equal_rows", "maximal_margin_steps", "regularized_perceptron"]

LEAST_STEP = Fraction(1, 1 << 20)


@dataclass(frozen=True, slots=True)
class RegularizedRun:
    """What the regularised Perceptron ended with.

    Attributes
    ----------
    weights : tuple of Fraction
        The steps made on each row: where all masses are equal, how many updates.
    n_updates : int
    is_finished : bool
        Whether a pass without update was seen; False if the updates ran out first.
    """

    weights: tuple[Fraction, ...]
    n_updates: int
    is_finished: bool


@dataclass(frozen=True, slots=True)
class MarginState:
    """The maximal margin Perceptron after a step.

    Attributes
    ----------
    weights : tuple of Fraction
        a, 0 or more, of sum 1.
    form : Fraction
        W = V(a).
    scores : tuple of Fraction
        f_j = sum_i Q_ij a_i + lam_j a_j: half the derivative of V.
    step : Fraction
        tau, how far it went towards the row; negative if away from it, 1 at the start.
    index : int
        The row.
    """

    weights: tuple[Fraction, ...]
    form: Fraction
    scores: tuple[Fraction, ...]
    step: Fraction
    index: int


def equal_rows(masses: Sequence[Fraction]) -> list[tuple[int, Fraction]]:
    """Return for how many equal rows each mass stands, and what an update on one of them adds to its weight.

    Notes
    -----
    A row of mass 3 is three rows of mass 1. The grain is the largest mass of which all are multiples, but not below
    1/64 of the mean: a mass is as many rows as it holds grains, with steps of 1. A mass below the grain is one row; its
    step is the next power of 1/2 below its share, at least 2**-20. A step s on a row of mass q that asks for it adds at
    most s^2 (k + lam/q) <= s (R^2 + lam/grain) to V: Theorem 3 holds with the sum of the steps as t and lam/grain as
    lam.

    Examples
    --------
    >>> equal_rows([Fraction(3), Fraction(1)])
    [(3, Fraction(1, 1)), (1, Fraction(1, 1))]
    >>> equal_rows([Fraction(1000), Fraction(1)])  # the mean is about 500, the grain 7.8
    [(127, Fraction(1, 1)), (1, Fraction(1, 8))]
    """
    if not masses:
        return []
    denominator = lcm(*(mass.denominator for mass in masses))
    multiple = Fraction(gcd(*(int(mass * denominator) for mass in masses)), denominator)
    grain = max(multiple, sum(masses, Fraction(0)) / len(masses) / 64)
    rows = {}
    for mass in set(masses):
        count, step = max(1, mass // grain), Fraction(1)
        while step * grain > mass and step > LEAST_STEP:
            step /= 2
        rows[mass] = count, step
    return [rows[mass] for mass in masses]


def regularized_perceptron(
    gram: Gram,
    signs: Sequence[int],
    lam: Exact,
    masses: Sequence[Exact] | None = None,
    max_updates: int | None = None,
) -> RegularizedRun:
    """Run the Perceptron over the rows in order, again and again, until a pass without update.

    Parameters
    ----------
    gram : sequence of sequences of int or Fraction
        k(x_i, x_j) for every pair of rows.
    signs : sequence of int
        y_i, +1 or -1.
    lam : int, Fraction, str or float
        0 or more; with 0 it may run for ever, and `max_updates` is needed.
    masses : sequence of int, Fraction, str or float, optional
        q_i > 0; 1 when left out.
    max_updates : int, optional
        Where to stop in any case.

    Notes
    -----
    a = 0; on row j, if y_j f(x_j) + lam_j a_j <= 0 then a_j += 1, where y_j f(x_j) = sum_i Q_ij a_i. The label does not
    enter lam_j a_j. `perceptron_update_limit` says when it ends. As a model it is best scaled by t / V(a), t the sum of
    the weights. Source: [kowalczyk2002, Theorem 3], where the divisor is garbled. A row with a mass, which it does not
    know, stands for `equal_rows`, each looked at once a pass, those with the fewest updates first.

    Examples
    --------
    >>> gram = [[4, 2, 2, 1], [2, 4, 1, 2], [2, 1, 4, 2], [1, 2, 2, 4]]
    >>> run = regularized_perceptron(gram, [-1, -1, -1, 1], lam=1)
    >>> [int(weight) for weight in run.weights], run.n_updates, run.is_finished
    ([1, 1, 0, 1], 3, True)
    """
    k, y = gram_of(gram, signs)
    lams = row_lams(lam, masses, len(y))
    require(exact(lam, "lam") > 0 or max_updates is not None, "lam=0: expected max_updates, as there may be no end")
    require(max_updates is None or max_updates >= 0, f"max_updates={shortened(max_updates)}: expected 0 or more")
    row_masses = [Fraction(1)] * len(y) if masses is None else [exact(mass, "mass") for mass in masses]
    rows = equal_rows(row_masses)
    a, updates, is_clean = [Fraction(0)] * len(y), [0] * len(y), False
    while not is_clean:
        is_clean = True
        for j, (count, step) in enumerate(rows):
            for _ in range(count):
                charge = lams[j] * count * step * (updates[j] // count)
                if sum(y[i] * y[j] * k[i][j] * a[i] for i in range(len(y))) + charge > 0:
                    break
                if sum(updates) == max_updates:
                    return RegularizedRun(tuple(a), sum(updates), is_finished=False)
                a[j] += step
                updates[j] += 1
                is_clean = False
    return RegularizedRun(tuple(a), sum(updates), is_finished=True)


def maximal_margin_steps(
    gram: Gram, signs: Sequence[int], lam: Exact, eps: Exact, masses: Sequence[Exact] | None = None
) -> Iterator[MarginState]:
    """Yield the states of the maximal margin Perceptron: its start, then one after every step until it stops.

    Parameters
    ----------
    gram : sequence of sequences of int or Fraction
        k(x_i, x_j) for every pair of rows, at least one.
    signs : sequence of int
        y_i, +1 or -1.
    lam : int, Fraction, str or float
        0 or more; with 0 there may be no end, as V(a) goes to 0 on rows that are not separable.
    eps : int, Fraction, str or float
        0 < eps < 1: it stops when every f_j > (1 - eps) W, and where W = 0.
    masses : sequence of int, Fraction, str or float, optional
        q_i > 0; 1 when left out.

    Notes
    -----
    With kk_j = k(x_j, x_j) + lam_j it starts at the row of least kk_j. With g_j = W - f_j and D_j = W + kk_j - 2 f_j,
    tau_j = g_j / D_j leads to the least W on the line through a and row j; away from the row, g_j < 0, it may go only
    until a_j = 0. It takes the row of largest tau_j g_j, the first of them, and
    W <- (1-tau)^2 W + tau^2 kk_i + 2 tau (1-tau) f_i. Each step about doubles the length of the fractions.
    Source: [kowalczyk2002, Algorithm 2], with y_i at the start, tau^2 before kk_i and f renewed before the test.

    Examples
    --------
    >>> gram = [[4, 2, 2, 1], [2, 4, 1, 2], [2, 1, 4, 2], [1, 2, 2, 4]]
    >>> for state in maximal_margin_steps(gram, [-1, -1, -1, 1], lam=1, eps="1/4"):
    ...     print(state.index, state.step, 1 / state.form)
    0 1 1/5
    3 1/2 1/2
    1 2/7 7/10
    2 8/41 287/346
    0 -76/211 211/194
    """
    k, y = gram_of(gram, signs)
    rows, lams, slack = range(len(y)), row_lams(lam, masses, len(y)), 1 - accuracy(eps)
    require(len(y) >= 1, "signs: expected at least one row")
    return states([[y[i] * y[j] * k[i][j] for j in rows] for i in rows], lams, slack)


def states(q: list[list[Fraction]], lams: list[Fraction], slack: Fraction) -> Iterator[MarginState]:
    """Yield the start and every step, slack being 1 - eps."""
    rows = range(len(q))
    kk = [q[j][j] + lams[j] for j in rows]
    i = kk.index(min(kk))
    a, w, tau = [Fraction(int(j == i)) for j in rows], kk[i], Fraction(1)
    f = [q[i][j] + lams[i] * (i == j) for j in rows]
    yield MarginState(tuple(a), w, tuple(f), tau, i)
    while w > 0 and any(f[j] <= slack * w for j in rows):
        steps = [best_step(a[j], w - f[j], w + kk[j] - 2 * f[j]) for j in rows]
        gains = [steps[j] * (w - f[j]) for j in rows]
        i = gains.index(max(gains))
        tau = steps[i]
        w = (1 - tau) ** 2 * w + tau**2 * kk[i] + 2 * tau * (1 - tau) * f[i]
        f = [(1 - tau) * f[j] + tau * q[i][j] + tau * lams[i] * (i == j) for j in rows]
        a = [(1 - tau) * a[j] + tau * (i == j) for j in rows]
        yield MarginState(tuple(a), w, tuple(f), tau, i)


def best_step(weight: Fraction, gain: Fraction, distance_sq: Fraction) -> Fraction:
    """Return tau_j from a_j, g_j and D_j; D_j is 0 only where g_j is."""
    if gain > 0:
        return gain / distance_sq
    if gain < 0 and 0 < weight < 1:
        return max(-weight / (1 - weight), gain / distance_sq)
    return Fraction(0)
