"""Statement: elimination makes at most n − k mistakes on a disjunction of k of n variables, n + 1 over literals."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits.randomness import derived_seed
from conjunct.datasets.random_disjunctions import random_disjunction
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.lab.runs import run_winnow
from conjunct.theory import elimination_bound, elimination_literals_bound

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ELIMINATION"]

RELEVANT = 3

MONOTONE = Panel(f"n variables, target an OR of k = {RELEVANT}", "n", "number of variables n")
LITERALS = Panel("2n literals, target an OR of literals", "n", "number of variables n")


def trials(seed: int, quick: bool) -> list[Trial]:
    """Run the longest streams and random ones, of growing width."""
    sizes = (4, 8, 16, 32, 64) if quick else (4, 8, 16, 32, 64, 128, 256, 512)
    repetitions = 2 if quick else 5
    return [partial(piece, seed, n, repetitions) for n in sizes for piece in (on_variables, on_literals)]


def eliminate(rows: NDArray[np.uint8], labels: NDArray[np.int64]) -> int:
    """Drop what is active in a false positive: Winnow1 with threshold 1, whose weights stay 0 or 1."""
    return run_winnow(rows, labels, threshold=1, variant="elimination").n_mistakes


def on_variables(seed: int, n: int, repetitions: int) -> list[Line]:
    """Take the irrelevant unit vectors, each a mistake; and random rows with few ones."""
    bound = elimination_bound(n, RELEVANT)
    units = np.eye(n, dtype=np.uint8)[RELEVANT:]
    longest = eliminate(units, np.full(len(units), -1))
    random_counts = [eliminate(*random_rows(derived_seed(seed, n, r), n)) for r in range(repetitions)]
    return [
        Line.of(MONOTONE.title, "longest stream", n, [longest], bound, "=="),
        Line.of(MONOTONE.title, "random rows", n, random_counts, bound),
    ]


def on_literals(seed: int, n: int, repetitions: int) -> list[Line]:
    """Take 0^n and all unit vectors, labelled by the empty disjunction; and random rows."""
    bound = elimination_literals_bound(n)
    rows = np.vstack([np.zeros((1, n), dtype=np.uint8), np.eye(n, dtype=np.uint8)])
    longest = eliminate(literals(rows), np.full(n + 1, -1))
    random_counts = []
    for r in range(repetitions):
        random, labels = random_rows(derived_seed(seed, n, r, 1), n)
        random_counts.append(eliminate(literals(random), labels))
    return [
        Line.of(LITERALS.title, "longest stream", n, [longest], bound, "=="),
        Line.of(LITERALS.title, "random rows", n, random_counts, bound),
    ]


def random_rows(seed: int, n: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return rows with about two ones each."""
    return random_disjunction(seed, n, RELEVANT, 20 * n, rate_log2=max(1, n.bit_length() - 2))


def literals(rows: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Put the negation of every variable beside it."""
    return np.hstack([rows, 1 - rows])


ELIMINATION = Experiment(
    name="elimination",
    title="What a disjunction costs elimination",
    statement="Elimination makes at most n − k mistakes on an OR of k variables, n + 1 on an OR of literals.",
    source=(("littlestone1988", "the elimination algorithm"),),
    hypotheses=(
        "the labels are a disjunction: of k of n variables, or of any of 2n literals",
        "the hypothesis is the OR of all that never was active in a false positive",
    ),
    bounds=(("n − k", "tight"), ("n + 1", "tight")),
    settings={"k": RELEVANT, "examples": "20n"},
    panels=(MONOTONE, LITERALS),
    conclusion="Both bounds are reached at every n; random rows drop several variables at a mistake and stay below.",
    trials=trials,
)
