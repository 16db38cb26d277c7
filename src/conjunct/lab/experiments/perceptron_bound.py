"""Statement: the Perceptron makes at most R²/γ² mistakes on examples that a unit vector separates with margin γ."""

from __future__ import annotations

from functools import partial

import numpy as np

from conjunct.bits.randomness import derived_seed
from conjunct.datasets.hard_sequences import negative_unit_vectors
from conjunct.datasets.random_disjunctions import random_signs
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.lab.runs import run_perceptron_on_vectors
from conjunct.theory import perceptron_bound

__all__ = ["PERCEPTRON_BOUND"]

MAX_PASSES = 10_000
EXAMPLES_PER_VARIABLE = 20
WIDTHS = (1, 3, 7)

UNIT_VECTORS = Panel("V1: −e₁ .. −eₙ, all labelled −1", "n", "number of variables n")
RANDOM = Panel("Random signs, labelled by the majority of k", "n", "number of variables n")


def trials(seed: int, quick: bool) -> list[Trial]:
    """Run V1 and random streams of growing width."""
    sizes = (4, 8, 16, 32, 64) if quick else (4, 8, 16, 32, 64, 128, 256, 512)
    lengths, repetitions = ((10, 20, 40), 2) if quick else ((10, 20, 40, 80, 160), 5)
    return [
        *(partial(on_unit_vectors, n) for n in sizes),
        *(partial(on_random_signs, seed, n, k, repetitions) for k in WIDTHS for n in lengths),
    ]


def on_unit_vectors(n: int) -> list[Line]:
    """V1, repeated until clean: the unit vector along (1, .., 1) has the margin n**-1/2."""
    vectors, labels = negative_unit_vectors(n)
    n_mistakes = run_perceptron_on_vectors(vectors, labels, max_passes=MAX_PASSES)
    bound = perceptron_bound(radius_sq=1, norm_sq=n, margin=1)
    return [Line.of(UNIT_VECTORS.title, "Perceptron", n, [n_mistakes], bound)]


def on_random_signs(seed: int, n: int, k: int, repetitions: int) -> list[Line]:
    """Uniform rows of {-1, 1}^n labelled by the majority of k, repeated until clean: u = k ones, margin 1."""
    counts = []
    for repetition in range(repetitions):
        vectors = random_signs(derived_seed(seed, n, k, repetition), EXAMPLES_PER_VARIABLE * n, n)
        labels = np.where(vectors[:, :k].sum(axis=1) > 0, 1, -1)
        counts.append(run_perceptron_on_vectors(vectors, labels, max_passes=MAX_PASSES))
    bound = perceptron_bound(radius_sq=n, norm_sq=k, margin=1)
    return [Line.of(RANDOM.title, f"majority of {k}", n, counts, bound)]


PERCEPTRON_BOUND = Experiment(
    name="perceptron-bound",
    title="The Perceptron reaches its mistake bound",
    statement="The Perceptron makes at most R²/γ² mistakes; on −e₁ .. −eₙ exactly so many.",
    source=(("novikoff1962", "the convergence theorem"),),
    hypotheses=(
        "threshold 0, weights 0 at first, update on mistakes only; a tie predicts +1",
        "every row has norm at most R",
        "some u with |u| = 1 has y (u.x) >= γ > 0 on every example",
    ),
    bounds=(("R²/γ²", "tight"),),
    settings={"examples": f"{EXAMPLES_PER_VARIABLE}n, repeated until a pass is clean"},
    panels=(UNIT_VECTORS, RANDOM),
    conclusion="On V1 the Perceptron makes exactly n = R²/γ² mistakes, so neither R/γ nor any smaller bound can hold.",
    trials=trials,
)
