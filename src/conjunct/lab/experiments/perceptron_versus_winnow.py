"""Statement: on dense rows the Perceptron's mistakes grow like N, Winnow's like log N; two extreme cases beside it."""

from __future__ import annotations

from functools import partial

import numpy as np

from conjunct.bits.randomness import derived_seed
from conjunct.datasets.hard_sequences import negative_unit_vectors, unit_vectors_after_zero
from conjunct.datasets.random_disjunctions import dense_disjunction, random_signs
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.lab.runs import run_perceptron, run_perceptron_on_vectors, run_winnow
from conjunct.theory import (
    ceil_log,
    normalised_winnow_bound,
    normalised_winnow_rate,
    perceptron_bound,
    perceptron_sparse_disjunction_bound,
    run_normalised_winnow,
    winnow2_bound,
)

__all__ = ["PERCEPTRON_VERSUS_WINNOW"]

RELEVANT, EXAMPLES, MAX_PASSES = 3, 6000, 10_000

DENSE = Panel(f"Dense: OR of k = {RELEVANT}, N/2 ones to a row", "N", "number of variables N", is_fitted=True)
SIGNS = Panel(f"Case 1: random signs, majority of k = {RELEVANT}", "n", "number of variables n")
UNITS = Panel("Case 2: V1, −e₁ .. −eₙ labelled −1", "n", "number of variables n")
OR_OF_UNITS = Panel("OR of all n on 0ⁿ, e₁ .. eₙ, until clean", "n", "number of variables n")


def trials(seed: int, quick: bool) -> list[Trial]:
    """Run the dense streams, the two extreme cases, and the OR on unit vectors."""
    widths, repetitions = ((64, 128, 256) if quick else (64, 128, 256, 512, 1024)), 3
    signs = (50, 100) if quick else (50, 200, 800)
    sizes = (4, 16, 64) if quick else (4, 8, 16, 32, 64, 100)
    return [
        *(partial(on_dense_rows, seed, n, repetitions) for n in widths),
        *(partial(on_signs, seed, n, repetitions) for n in signs),
        *(partial(piece, n) for piece in (on_unit_vectors, on_or_of_units) for n in sizes),
    ]


def on_dense_rows(seed: int, n: int, repetitions: int) -> list[Line]:
    """Rows with N/2 ones, 40N of them: fewer would end before the Perceptron's mistakes do."""
    perceptron, winnow = [], []
    for repetition in range(repetitions):
        rows, labels = dense_disjunction(derived_seed(seed, n, repetition), n, RELEVANT, n // 2, 40 * n)
        perceptron.append(run_perceptron(rows, labels, constant=1).n_mistakes)
        winnow.append(run_winnow(rows, labels, threshold=n).n_mistakes)
    return [
        Line.of(DENSE.title, "Perceptron", n, perceptron, perceptron_sparse_disjunction_bound(n // 2, RELEVANT)),
        Line.of(DENSE.title, "Winnow2", n, winnow, winnow2_bound(n, RELEVANT, threshold=n)),
    ]


def on_signs(seed: int, n: int, repetitions: int) -> list[Line]:
    """Uniform rows of {-1, 1}^n labelled by the sign of the first k summed: u = k ones, margin 1."""
    perceptron, winnow = [], []
    for repetition in range(repetitions):
        vectors = random_signs(derived_seed(seed, n, repetition), EXAMPLES, n)
        labels = np.where(vectors[:, :RELEVANT].sum(axis=1) > 0, 1, -1)
        perceptron.append(run_perceptron_on_vectors(vectors, labels))
        eta = float(normalised_winnow_rate(RELEVANT, 1, 1))
        winnow.append(run_normalised_winnow(vectors.tolist(), labels.tolist(), eta).n_mistakes)
    return both(SIGNS, n, perceptron, winnow, norm_sq=RELEVANT, radius_sq=n, norm_1=RELEVANT)


def on_unit_vectors(n: int) -> list[Line]:
    """V1 until clean, which its second pass is: u = n ones, margin 1."""
    vectors, labels = negative_unit_vectors(n)
    perceptron = run_perceptron_on_vectors(vectors, labels, max_passes=MAX_PASSES)
    eta = float(normalised_winnow_rate(n, 1, 1))
    winnow = run_normalised_winnow(vectors.tolist() * 2, labels.tolist() * 2, eta).n_mistakes
    return both(UNITS, n, [perceptron], [winnow], norm_sq=n, radius_sq=1, norm_1=n)


def both(
    panel: Panel, n: int, perceptron: list[int], winnow: list[int], *, norm_sq: int, radius_sq: int, norm_1: int
) -> list[Line]:
    """Put the mistakes beside M_p and M_w, for a target of margin 1 on rows of entries at most 1."""
    return [
        Line.of(panel.title, "Perceptron", n, perceptron, perceptron_bound(radius_sq, norm_sq, 1)),
        Line.of(panel.title, "normalised Winnow", n, winnow, normalised_winnow_bound(n, norm_1, 1, 1)),
    ]


def on_or_of_units(n: int) -> list[Line]:
    """0^n labelled -1 and all unit vectors labelled +1, repeated until clean."""
    rows, labels = unit_vectors_after_zero(n)
    perceptron = run_perceptron(rows, labels, constant=1, max_passes=MAX_PASSES)
    winnow = run_winnow(rows, labels, threshold=n, max_passes=MAX_PASSES)
    return [
        Line.of(OR_OF_UNITS.title, "Perceptron", n, [perceptron.n_mistakes], 2 * n + 1, "=="),
        Line.of(OR_OF_UNITS.title, "Winnow2", n, [winnow.n_mistakes], n * ceil_log(2, n), "=="),
    ]


PERCEPTRON_VERSUS_WINNOW = Experiment(
    name="perceptron-versus-winnow",
    title="Perceptron versus Winnow",
    statement="Dense rows cost the Perceptron mistakes like N, Winnow like log N; an OR on unit vectors reverses it.",
    source=(("littlestone1988", "Winnow2"), ("novikoff1962", "M_p"), ("kivinen1997", "M_w")),
    hypotheses=(
        "dense: N/2 ones to a row, labels half and half, an OR of k; Winnow2 with α = 2, θ = N",
        "M_p = |u|₂² max|x|₂² / min(y u.x)², for the Perceptron with threshold 0",
        "M_w = 2 ln(2n) |u|₁² max|x|∞² / min(y u.x)², for normalised balanced Winnow with η = γ/X²",
        "case 1: u = k ones, k odd, rows of {−1, 1}ⁿ; case 2: u = n ones, rows −eᵢ labelled −1",
        "OR of all n: the counts 2n + 1 and n⌈log₂n⌉ are equalities, found by running",
    ),
    bounds=(
        ("(N/2+1)(4k+1)", "loose"),
        ("2 + 3k(1+log₂N)", "loose"),
        ("M_p", "tight"),
        ("M_w", "loose"),
        ("2n + 1", "tight"),
        ("n⌈log₂n⌉", "tight"),
    ),
    settings={"k": RELEVANT, "examples_dense": "40N", "examples_signs": EXAMPLES, "promotion": 2},
    panels=(DENSE, SIGNS, UNITS, OR_OF_UNITS),
    conclusion=(
        "Many ones and few relevant variables favour Winnow; on unit vectors M_p is below M_w, but V1 costs both n "
        "mistakes, and only the OR of all variables costs Winnow more."
    ),
    trials=trials,
)
