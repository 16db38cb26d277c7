"""Statement: each step of the maximal margin Perceptron lifts its bound by eps²/(R²+lam), and so it soon stops."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import derived_seed
from conjunct.datasets import led
from conjunct.kernels import Conjunctions
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.observed import Observed, Spread
from conjunct.lab.panel import Panel
from conjunct.learners import ConjunctionSVM
from conjunct.learners.margin.margin_trajectory import margin_trajectory
from conjunct.theory import margin_step_limit, margin_stop_ratio, margin_value_floor

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["MARGIN_PERCEPTRON_CONVERGENCE"]

M, D, LAM, TOL = 200, 3, 4, 1e-9
ACCURACIES = (Fraction(1, 2), Fraction(1, 4), Fraction(1, 8), Fraction(1, 16))
WATCHED_EPS = Fraction(1, 8)

CURVE = Panel(f"1/W step by step, eps = {WATCHED_EPS}", "step", "step", "1/W, a lower bound on the risk")
STEPS = Panel("steps until the stop", "1/eps", "1/eps", "steps")
WORST_STEP = Panel("1/W / floor, the worst of all steps", "1/eps", "1/eps", "ratio", y_log=False)
STOP = Panel("1/W at the stop / least risk", "1/eps", "1/eps", "share of the least risk", y_log=False)
SUPPORT = Spread("rows with weight at the stop", "1/eps", f"rows of {M}")


def trials(seed: int, quick: bool) -> list[Trial]:
    """Watch every step at one accuracy; count steps at all."""
    repetitions, accuracies = (2, ACCURACIES[:3]) if quick else (5, ACCURACIES)
    return [partial(watched, seed, repetitions), *(partial(stopped, seed, eps, repetitions) for eps in accuracies)]


def watched(seed: int, repetitions: int) -> list[Line]:
    """Compare 1/W with both floors and with the least risk, at every step; print it at powers of two."""
    curves, risks = [], []
    for number in range(repetitions):
        q, risk, _ = problem(seed, number)
        curves.append([value(q, a) for a in margin_trajectory(q, LAM, float(WATCHED_EPS))])
        risks.append(risk)
    lines = []
    length = min(map(len, curves))
    watched_steps = [2**power for power in range(20) if 2**power < length]
    for t in watched_steps:
        values = [curve[t] for curve in curves]
        lines += [
            Line.of(CURVE.title, "floor", t, values, floor(t, WATCHED_EPS), ">="),
            Line.of(CURVE.title, "published floor", t, values, published_floor(t, WATCHED_EPS), ">="),
            Line.of(CURVE.title, "least risk", t, values, risks),
        ]
    return lines


def stopped(seed: int, eps: Fraction, repetitions: int) -> list[Line | Observed]:
    """Run until the stop, and compare every step with its floor."""
    steps, shares, support, worst = [], [], [], []
    for number in range(repetitions):
        q, _, bound = problem(seed, number)
        weights = list(margin_trajectory(q, LAM, float(eps)))
        a = weights[-1]
        steps.append(len(weights) - 1)
        worst.append(
            min(value(q, weight_vector) / float(floor(t, eps)) for t, weight_vector in enumerate(weights) if t)
        )
        shares.append(value(q, a) / bound)
        support.append(int(np.count_nonzero(a)))
    x = int(1 / eps)
    limit = margin_step_limit(radius_sq=square(), least_sq=square(), lam=LAM, n_rows=M, eps=eps)
    return [
        Line.of(WORST_STEP.title, "worst step", x, worst, 1, ">="),
        Line.of(STEPS.title, "steps", x, steps, limit),
        Line.of(STOP.title, "1/W / least risk", x, shares, margin_stop_ratio(eps=eps), ">="),
        Observed.of(SUPPORT.title, "rows", x, support),
    ]


def problem(seed: int, number: int) -> tuple[Floats, float, float]:
    """Draw LED rows; return Q, and the least risk from above and from below."""
    table = led(M, seed=derived_seed(seed, number), two_classes=True)
    signs = np.where(table.labels == 1, 1, -1)
    rows = BitMatrix.of(table.rows.to_array())
    solution = ConjunctionSVM(Conjunctions(D), LAM, TOL).run(rows, signs)
    return np.outer(signs, signs) * Conjunctions(D).gram(rows), float(solution.risk), float(solution.bound)


def value(q: Floats, a: Floats) -> float:
    """Return 1/V(a), from the weights alone."""
    support = np.flatnonzero(a)
    weights = a[support]
    return float(1 / (weights @ q[np.ix_(support, support)] @ weights + LAM * (weights @ weights)))


@cache
def square() -> int:
    """Return k(x, x), the same for every row: R² = r²."""
    return int(Conjunctions(D).value("1" * 7, "1" * 7))


def floor(t: int, eps: Fraction) -> Fraction:
    """Return what t steps prove."""
    return margin_value_floor(n_steps=t, radius_sq=square(), least_sq=square(), lam=LAM, eps=eps)


def published_floor(t: int, eps: Fraction) -> Fraction:
    """Return the floor as printed, with R² + r² + 2 lam in place of R² + lam."""
    return Fraction(1, square() + LAM) + t * eps**2 / (2 * square() + 2 * LAM)


MARGIN_PERCEPTRON_CONVERGENCE = Experiment(
    name="margin-perceptron-convergence",
    title="How the maximal margin Perceptron converges",
    statement="After t steps the maximal margin Perceptron has 1/W ≥ 1/(r²+lam) + t·eps²/(R²+lam), and it stops.",
    source=(("kowalczyk2002", "Theorem 4, with a shorter constant"),),
    hypotheses=(
        "W = V(a) = a'Qa + lam·a'a over weights a ≥ 0 of sum 1; a step goes to or from the row that lowers W most",
        "it stops when every score is above (1 − eps)·W; R² and r² are the largest and least k(x, x), here equal",
        f"{M} rows of the LED display, noise 1/10: not separable; conjunctions of at most {D} literals, lam = {LAM}",
        "limit: ((R²+lam)/eps²)·(m/lam − 1/(r²+lam)); least risk: from below and above, by ConjunctionSVM to "
        f"{TOL:g}; the printed floor has R²+r²+2·lam in place of R²+lam",
    ),
    bounds=(
        ("floor", "loose"),
        ("published floor", "loose"),
        ("1/W ≤ least risk", "loose"),
        ("step limit", "loose"),
        ("(1−eps)²", "loose"),
    ),
    settings={"rows": M, "d": D, "lam": LAM},
    panels=(CURVE, WORST_STEP, STEPS, STOP),
    spreads=(SUPPORT,),
    methods=dict.fromkeys(
        ("floor", "published floor", "least risk", "worst step", "steps", "1/W / least risk", "rows"),
        "maximal margin Perceptron",
    ),
    conclusion=(
        "The floor holds at every step and is far too modest: most of the way is made in about as many steps as there "
        "are rows, and the stop comes long before the limit, nearer to the optimum than (1−eps)² says."
    ),
    trials=trials,
)
