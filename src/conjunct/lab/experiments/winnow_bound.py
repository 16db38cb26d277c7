"""Statement: Winnow learns an OR of k of N variables in O(k log N) mistakes, with at most k⌈log_α θ⌉ promotions."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import Literal

import numpy as np

from conjunct.bits.randomness import derived_seed
from conjunct.datasets.hard_sequences import winnow_sequence
from conjunct.datasets.random_disjunctions import random_disjunction
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.lab.runs import run_winnow
from conjunct.theory import winnow1_bound, winnow2_bound, winnow_promotion_bound

__all__ = ["WINNOW_BOUND"]

Variant = Literal["positive", "elimination"]

RELEVANT, EXAMPLES = 3, 4000
NAMES: dict[Variant, str] = {"positive": "Winnow2", "elimination": "Winnow1"}
PROMOTIONS = {"α = 3/2": Fraction(3, 2), "α = 2": Fraction(2), "α = 4": Fraction(4)}

ADVERSARY = Panel(f"An adversary's stream, OR of k = {RELEVANT}", "N", "number of variables N", y_log=False)
RANDOM = Panel(f"Random rows, OR of k = {RELEVANT}", "N", "number of variables N", y_log=False)
PROMOTED = Panel("Promotions on the adversary's stream", "N", "number of variables N", "promotions", y_log=False)
UNITS = Panel("Promotions on relevant unit vectors", "θ", "threshold θ", "promotions", y_log=False)


def trials(seed: int, quick: bool) -> list[Trial]:
    """Run an adversary's streams, random ones, and the unit vectors that need the most promotions."""
    sizes = (16, 64, 256) if quick else (16, 32, 64, 128, 256, 512, 1024)
    repetitions = 1 if quick else 5
    return [
        *(partial(against_adversary, n, variant) for n in sizes for variant in NAMES),
        *(partial(on_random_rows, seed, n, repetitions) for n in sizes),
        *(partial(on_relevant_units, 2**e) for e in (range(1, 11, 3) if quick else range(1, 21, 3))),
    ]


def against_adversary(n: int, variant: Variant) -> list[Line]:
    """Put the learner before the stream made against it; α = 2, θ = N."""
    rows, labels = winnow_sequence(n, RELEVANT, variant)
    run = run_winnow(rows, labels, threshold=n, variant=variant)
    promotions = winnow_promotion_bound(RELEVANT, n, 2)
    return [
        Line.of(ADVERSARY.title, NAMES[variant], n, [run.n_mistakes], total_bound(n, variant)),
        Line.of(PROMOTED.title, NAMES[variant], n, [run.n_promotions], promotions),
    ]


def on_random_rows(seed: int, n: int, repetitions: int) -> list[Line]:
    """Rows whose variables are 1 with probability 1/4, labelled by the OR of the first three; α = 2, θ = N."""
    lines = []
    streams = [random_disjunction(derived_seed(seed, n, r), n, RELEVANT, EXAMPLES, 2) for r in range(repetitions)]
    for variant, name in NAMES.items():
        counts = [run_winnow(*stream, threshold=n, variant=variant).n_mistakes for stream in streams]
        lines.append(Line.of(RANDOM.title, name, n, counts, total_bound(n, variant)))
    return lines


def on_relevant_units(threshold: int) -> list[Line]:
    """Show the k relevant unit vectors, labelled +1, until clean: no promotion helps more than one of them."""
    rows, labels = np.eye(RELEVANT, dtype=np.uint8), np.ones(RELEVANT, dtype=np.int64)
    lines = []
    for name, promotion in PROMOTIONS.items():
        run = run_winnow(rows, labels, threshold=threshold, promotion=promotion, max_passes=10_000)
        bound = winnow_promotion_bound(RELEVANT, threshold, promotion)
        lines.append(Line.of(UNITS.title, name, threshold, [run.n_promotions], bound))
    return lines


def total_bound(n: int, variant: Variant) -> int | float | Fraction:
    """Bound all mistakes for α = 2 and θ = N."""
    bound = winnow2_bound if variant == "positive" else winnow1_bound
    return bound(n, RELEVANT, threshold=n, promotion=2)


WINNOW_BOUND = Experiment(
    name="winnow-bound",
    title="What a disjunction costs Winnow",
    statement="With α = 2, θ = N an OR of k costs Winnow2 at most 2 + 3k(1+log₂N) mistakes, Winnow1 1 + 2k(1+log₂N).",
    source=(("littlestone1988", "Winnow1 and Winnow2"),),
    hypotheses=(
        "the label is the OR of k of N variables; all weights 1 at first, threshold θ ≥ 1",
        "false negatives multiply active weights by α; false positives divide by α (Winnow2) or set to 0 (Winnow1)",
        "promotions are at most k⌈log_α θ⌉: a relevant weight is never demoted, nor promoted from θ on",
    ),
    bounds=(("promotions k⌈log_α θ⌉", "tight"), ("total of Winnow2", "loose"), ("total of Winnow1", "loose")),
    settings={"k": RELEVANT, "promotion": 2, "threshold": "N", "examples_random": EXAMPLES},
    panels=(ADVERSARY, RANDOM, PROMOTED, UNITS),
    conclusion="An adversary comes near both totals, random rows stay far below, and the promotions reach their bound.",
    trials=trials,
)
