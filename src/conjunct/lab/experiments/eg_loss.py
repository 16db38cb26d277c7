"""Statement: the square loss of EG and of EG± stays below a multiple of any comparison vector's, plus its entropy."""

from __future__ import annotations

from functools import partial

import numpy as np

from conjunct.bits import random_bits
from conjunct.bits.randomness import derived_seed
from conjunct.datasets.random_disjunctions import random_labels, random_signs
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.theory import (
    exponentiated_gradient,
    exponentiated_gradient_bound,
    exponentiated_gradient_plus_minus,
    exponentiated_gradient_rate,
    relative_entropy,
    signed_relative_entropy,
)

__all__ = ["EG_LOSS"]

EXAMPLES = 400
# Trade-off c, and how far each target lies from the value of the comparison vector.
CASES = {"exact targets, c = 8": (8.0, 0.0), "targets ± 0.3, c = 1/2": (0.5, 0.3)}

EG = Panel("EG, comparison vector e₁", "N", "number of variables N", "square loss")
PLUS_MINUS = Panel("EG±, comparison vector e₁ − e₂", "N", "number of variables N", "square loss")


def trials(seed: int, quick: bool) -> list[Trial]:
    """Run both learners on streams of growing width."""
    sizes, repetitions = ((4, 16, 64), 1) if quick else ((4, 8, 16, 32, 64, 128, 256, 512), 3)
    return [
        partial(piece, seed, n, repetitions, case) for piece in (on_simplex, on_signs) for n in sizes for case in CASES
    ]


def on_simplex(seed: int, n: int, repetitions: int, case: str) -> list[Line]:
    """Boolean rows, so R = 1; targets x_1 plus or minus the noise."""
    trade_off, noise = CASES[case]
    losses = []
    for repetition in range(repetitions):
        run_seed = derived_seed(seed, n, repetition)
        rows = random_bits(run_seed, (EXAMPLES, n), stream=1).astype(np.float64)
        targets = rows[:, 0] + noise * random_labels(run_seed, EXAMPLES)
        rate = exponentiated_gradient_rate(1, trade_off)
        losses.append(exponentiated_gradient(rows.tolist(), targets.tolist(), rate).loss)
    entropy = relative_entropy([1.0] + [0.0] * (n - 1))
    bound = exponentiated_gradient_bound(EXAMPLES * noise**2, entropy, 1, trade_off)
    return [Line.of(EG.title, case, n, losses, bound)]


def on_signs(seed: int, n: int, repetitions: int, case: str) -> list[Line]:
    """Rows of {-1, 1}^n, so X = 1; targets x_1 - x_2 plus or minus the noise, so U = 2 and R = 4."""
    trade_off, noise = CASES[case]
    losses = []
    for repetition in range(repetitions):
        run_seed = derived_seed(seed, n, repetition)
        rows = random_signs(run_seed, EXAMPLES, n)
        targets = rows[:, 0] - rows[:, 1] + noise * random_labels(run_seed, EXAMPLES)
        rate = exponentiated_gradient_rate(4, trade_off)
        losses.append(exponentiated_gradient_plus_minus(rows.tolist(), targets.tolist(), rate, 2).loss)
    entropy = signed_relative_entropy([1.0, -1.0] + [0.0] * (n - 2), 2)
    bound = exponentiated_gradient_bound(EXAMPLES * noise**2, entropy, 4, trade_off)
    return [Line.of(PLUS_MINUS.title, case, n, losses, bound)]


EG_LOSS = Experiment(
    name="eg-loss",
    title="The square loss of exponentiated gradient",
    statement="EG's square loss is at most (1 + c/2) loss(u) + (1/2 + 1/c) R² KL(u‖w₁), and that of EG± likewise.",
    source=(("kivinen1997", "EG and EG±"),),
    hypotheses=(
        "EG: weights on the simplex, equal at first; R is at least the largest minus the smallest entry of every row",
        "EG±: 2N weights that sum to U; R = 2UX with X the largest entry in absolute value, KL over 2N coordinates",
        "η = 2c / (R² (2 + c)); u is any vector of the simplex, or with |u|₁ ≤ U",
    ),
    bounds=(("EG", "loose"), ("EG±", "loose")),
    settings={"examples": EXAMPLES},
    panels=(EG, PLUS_MINUS),
    conclusion="Losses grow with log N as the bounds do, and reach six to eight tenths of them.",
    trials=trials,
)
