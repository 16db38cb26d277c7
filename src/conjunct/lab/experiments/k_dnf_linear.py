"""Statement: a k-DNF is linear over conjunctions: as many of its terms hold as the sum says, and 1/2 parts 0 from 1."""

from __future__ import annotations

from functools import partial

import numpy as np

from conjunct.bits import BitMatrix, ConjunctionColumns, random_bits
from conjunct.bits.randomness import derived_seed
from conjunct.datasets.all_rows import all_rows
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.lab.runs import run_winnow
from conjunct.lab.terms import random_terms, rows_of_terms
from conjunct.logic import DNF
from conjunct.logic.linearisation import k_dnf_threshold
from conjunct.theory import winnow2_bound

__all__ = ["K_DNF_LINEAR"]

TERMS, SIZES, ROWS, EXAMPLES = 3, (1, 2, 3), 4096, 4000

AGREEING_ROWS = Panel(
    f"k-DNFs of {TERMS} terms: rows where both agree", "n", "number of variables n", "rows", along="table"
)
LEARNED = Panel(f"Winnow2 over conjunctions, {TERMS} terms", "n", "number of variables n", y_log=False)


def trials(seed: int, quick: bool) -> list[Trial]:
    """Compare formula and threshold row by row; run Winnow2 on streams of expanded rows."""
    n_formulas = 2 if quick else 10
    small = (4, 6, 8, 10) if quick else (4, 6, 8, 10, 12)
    large, widths = ((14,), (4, 6, 8, 10)) if quick else ((14, 16), (4, 6, 8, 10, 12, 16))
    repetitions = 1 if quick else 3
    return [
        *(partial(compare, seed, n, k, n_formulas) for k in SIZES for n in (*small, *large)),
        *(partial(learn, seed, n, k, repetitions) for k in SIZES[1:] for n in widths),
    ]


def compare(seed: int, n: int, k: int, n_formulas: int) -> list[Line]:
    """Count the rows on which the formula and its threshold over all conjunctions agree.

    All 2**n rows up to 12 variables, beyond them as many random ones as 12 variables have.
    """
    counts = []
    for number in range(n_formulas):
        formula_seed = derived_seed(seed, n, k, number)
        rows = BitMatrix.of(all_rows(n) if 2**n <= ROWS else random_bits(formula_seed, (ROWS, n), stream=1))
        formula = DNF(random_terms(formula_seed, n, TERMS, least=1, most=k))
        reached = k_dnf_threshold(formula).evaluate(rows_of_terms(rows, k))
        counts.append(int(np.count_nonzero(reached == formula.evaluate(rows))))
    return [Line.of(AGREEING_ROWS.title, f"k = {k}", n, counts, min(2**n, ROWS), "==")]


def learn(seed: int, n: int, k: int, repetitions: int) -> list[Line]:
    """Give Winnow2 every conjunction of 1 to k literals as a variable, N in all: the target is an OR of some."""
    n_columns = ConjunctionColumns(n, k, has_negations=True).n_columns
    counts = []
    for repetition in range(repetitions):
        run_seed = derived_seed(seed, n, k, repetition, 1)
        rows = BitMatrix.of(random_bits(run_seed, (EXAMPLES, n), stream=1))
        formula = DNF(random_terms(run_seed, n, TERMS, least=k, most=k))
        labels = np.where(formula.evaluate(rows), 1, -1)
        counts.append(run_winnow(rows_of_terms(rows, k), labels, threshold=n_columns).n_mistakes)
    return [Line.of(LEARNED.title, f"k = {k}", n, counts, winnow2_bound(n_columns, TERMS, threshold=n_columns))]


K_DNF_LINEAR = Experiment(
    name="k-dnf-linear",
    title="A k-DNF is linear over conjunctions",
    statement="A k-DNF is linear over conjunctions; t terms cost Winnow2 at most 2 + 3t(1+log₂N) mistakes.",
    source=(("littlestone1988", "Winnow2, and k-DNF by a transformation"),),
    hypotheses=(
        "features are the N conjunctions of 1 to k literals; those that are terms weigh 1, all others 0, threshold 1/2",
        f"rows: all 2ⁿ up to n = 12, beyond that {ROWS} random ones; {TERMS} different terms, of 1 to k literals",
        "Winnow2: α = 2, θ = N, terms of exactly k literals, uniform random rows once over",
    ),
    bounds=(("as many rows as there are", "tight"), ("2 + 3t(1+log₂N)", "loose")),
    settings={"terms": TERMS, "rows": ROWS, "examples": EXAMPLES, "promotion": 2, "threshold": "N"},
    panels=(AGREEING_ROWS, LEARNED),
    conclusion=(
        "Formula and threshold agree on every row. Winnow2 pays for thousands of conjunctions by their logarithm only, "
        "and comes to little more than half of its bound."
    ),
    trials=trials,
)
