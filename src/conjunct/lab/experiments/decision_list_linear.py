"""Statement: a decision list is linear over its conjunctions, each rule weighing twice the next."""

from __future__ import annotations

from functools import partial
from math import comb

import numpy as np

from conjunct.bits import BitMatrix, random_bits, random_permutation
from conjunct.bits.randomness import derived_seed
from conjunct.datasets.all_rows import all_rows
from conjunct.kernels import Conjunctions
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.lab.terms import random_terms, rows_of_terms
from conjunct.learners import KernelPerceptron
from conjunct.logic import DecisionList, Literal, Term
from conjunct.theory import perceptron_bound

__all__ = ["DECISION_LIST_LINEAR"]

WIDTH, LEARNED_WIDTH, MAX_PASSES = 10, 8, 100_000
SIZES = (1, 2, 3)

AGREEING_ROWS = Panel(
    f"Lists over n = {WIDTH}: rows with the list's sign", "r", "number of rules r", "rows", along="table"
)
LEARNED = Panel(f"Perceptron over conjunctions, n = {LEARNED_WIDTH}", "r", "number of rules r", x_log=False)


def trials(seed: int, quick: bool) -> list[Trial]:
    """Compare list and sign on all rows; run the kernel Perceptron over them until clean."""
    lengths = {1: (1, 2, 4, 8, 16), 2: (1, 2, 4, 8, 16, 32, 64), 3: (1, 2, 4, 8, 16, 32, 64, 128)}
    n_lists, orders = (2, 2) if quick else (10, 5)
    learned = (1, 2, 4, 6, 8) if quick else (1, 2, 3, 4, 5, 6, 7, 8)
    return [
        *(partial(compare, seed, r, k, n_lists) for k in SIZES for r in lengths[k]),
        *(partial(learn_random, seed, r, k, orders) for k in (1, 2) for r in learned),
        *(partial(learn_alternating, seed, r, orders) for r in learned),
    ]


def random_list(seed: int, n: int, r: int, k: int) -> DecisionList:
    """Draw r rules with different terms of 1 to k literals, and labels by fair coins."""
    *labels, default = random_bits(seed, r + 1).astype(bool).tolist()
    return DecisionList(zip(random_terms(seed, n, r, least=1, most=k), labels, strict=True), default)


def compare(seed: int, r: int, k: int, n_lists: int) -> list[Line]:
    """Count the rows on which the list and its threshold over all conjunctions agree."""
    rows = BitMatrix.of(all_rows(WIDTH))
    expanded = rows_of_terms(rows, k)
    counts = []
    for number in range(n_lists):
        decisions = random_list(derived_seed(seed, r, k, number), WIDTH, r, k)
        counts.append(int(np.count_nonzero(decisions.linear().evaluate(expanded) == decisions.evaluate(rows))))
    return [Line.of(AGREEING_ROWS.title, f"k = {k}", r, counts, 2**WIDTH, "==")]


def learn_random(seed: int, r: int, k: int, repetitions: int) -> list[Line]:
    """Learn random k-lists of r rules."""
    seeds = [derived_seed(seed, r, k, repetition, 1) for repetition in range(repetitions)]
    runs = [n_mistakes(list_seed, random_list(list_seed, LEARNED_WIDTH, r, k), k) for list_seed in seeds]
    return [Line.of(LEARNED.title, f"random, k = {k}", r, runs, bound(r, k))]


def learn_alternating(seed: int, r: int, repetitions: int) -> list[Line]:
    """Learn x_1 → +1, x_2 → -1, x_3 → +1, .., a list whose rules all matter."""
    decisions = DecisionList([(Term([Literal(f"x{i + 1}")]), i % 2 == 0) for i in range(r)], r % 2 == 0)
    runs = [n_mistakes(derived_seed(seed, r, repetition, 2), decisions, 1) for repetition in range(repetitions)]
    return [Line.of(LEARNED.title, "x₁→+, x₂→−, .., k = 1", r, runs, bound(r, 1))]


def n_mistakes(seed: int, decisions: DecisionList, k: int) -> int:
    """Run the Perceptron over the conjunctions of at most k literals on all rows, in random order, until clean."""
    rows = BitMatrix.of(all_rows(LEARNED_WIDTH)[random_permutation(seed, 2**LEARNED_WIDTH, stream=1)])
    labels = np.where(decisions.evaluate(rows), 1, -1)
    return KernelPerceptron(Conjunctions(max_size=k)).run(rows, labels, max_passes=MAX_PASSES).n_mistakes


def bound(r: int, k: int) -> int:
    """R^2 |u|^2 for margin 1: on every row as many conjunctions hold as there are subsets of at most k variables."""
    radius_sq = sum(comb(LEARNED_WIDTH, size) for size in range(k + 1))
    return int(perceptron_bound(radius_sq, 1 + sum(4**i for i in range(1, r + 1)), 1))


DECISION_LIST_LINEAR = Experiment(
    name="decision-list-linear",
    title="A decision list is linear over conjunctions",
    statement="The sign of b + Σ bᵢ 2^(r−i+1) mᵢ(x) is the decision list; its Perceptron bound grows like 4^r.",
    source=(("rivest1987", "k-decision lists"), ("novikoff1962", "the convergence theorem")),
    hypotheses=(
        "rules i = 1 .. r with different conjunctions mᵢ of 1 to k literals and labels bᵢ = ±1; b where none holds",
        "the sum is a whole number and never 0: a rule outweighs all below it and the default together, by 1 or more",
        "Perceptron: threshold 0, features all conjunctions of at most k literals, the empty one too; R² = Σ C(n, j), "
        "|u|² = 1 + 4 + .. + 4^r, ξ = 1; all rows in random order until a pass is clean",
    ),
    bounds=(("as many rows as there are", "tight"), ("R²|u|²/ξ²", "loose")),
    settings={"n": WIDTH, "n_learned": LEARNED_WIDTH, "examples": "all 2^n rows, until a pass is clean"},
    panels=(AGREEING_ROWS, LEARNED),
    conclusion=(
        "The sign is right on every row, also with weights past 2^64. The bound grows like 4^r, the mistakes far more "
        "slowly: with 8 rules less than a thousandth of what it allows, even where all rules matter."
    ),
    trials=trials,
)
