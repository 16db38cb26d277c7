"""Statement: taught "at least 3 of 7" by all rows, naive Bayes says "at least 2 of 7"; linear learners err nowhere."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from conjunct.bits import BitMatrix, random_permutation
from conjunct.bits.randomness import derived_seed
from conjunct.datasets.all_rows import all_rows
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.lab.runs import run_perceptron
from conjunct.logic import Threshold
from conjunct.theory import naive_bayes, naive_bayes_threshold_errors, perceptron_bound

__all__ = ["NAIVE_BAYES_THRESHOLD"]

LEAST_ONES, MAX_PASSES = 3, 10_000

ERROR = Panel("Naive Bayes, taught by all 2ᵐ rows", "m", "number of variables m", "error", x_log=False, y_log=False)
ROWS_RIGHT = Panel(
    f"“At least {LEAST_ONES} of m”: rows right", "m", "number of variables m", "rows right", along="table"
)
MISTAKES = Panel("Perceptron, all rows until clean", "m", "number of variables m", x_log=False)


def trials(seed: int, quick: bool) -> list[Trial]:
    """Teach and judge naive Bayes on all rows; run the Perceptron over them in random order."""
    sizes = range(3, 11 if quick else 16)
    orders = 2 if quick else 5
    return [
        partial(of_seven),
        *(partial(with_naive_bayes, m, k) for m in sizes for k in (2, LEAST_ONES)),
        *(partial(with_weights, seed, m, orders) for m in sizes),
    ]


def error(k: int, m: int) -> Fraction:
    """Let naive Bayes learn "at least k of m" from all rows, and count the rows it gets wrong."""
    rows = all_rows(m).tolist()
    labels = [1 if sum(row) >= k else -1 for row in rows]
    learned = naive_bayes(rows, labels)
    return Fraction(sum(learned.predict(row) != label for row, label in zip(rows, labels, strict=True)), len(rows))


def of_seven() -> list[Line]:
    """Take the case of the statement: 21 rows of 128, those with exactly two ones."""
    return [Line.of(ERROR.title, "at least 3 of 7: 21/128", 7, [error(3, 7)], Fraction(21, 128), "==")]


def with_naive_bayes(m: int, k: int) -> list[Line]:
    """Row by row, beside what the numbers of ones alone say."""
    expected = Fraction(naive_bayes_threshold_errors(k, m), 2**m)
    return [Line.of(ERROR.title, f"at least {k} of m", m, [error(k, m)], expected, "==")]


def with_weights(seed: int, m: int, orders: int) -> list[Line]:
    """Weights 1 and threshold 3, and those the Perceptron finds: u = (1, .., 1, -5/2) has margin 1/2."""
    rows = all_rows(m)
    is_positive = rows.sum(axis=1) >= LEAST_ONES
    packed = BitMatrix.of(rows)
    at_least = Threshold.at_least(LEAST_ONES, packed.names)
    unit_weights = int(np.count_nonzero(at_least.evaluate(packed) == is_positive))
    learned, counts = [], []
    for repetition in range(orders):
        order = random_permutation(derived_seed(seed, m, repetition), 2**m)
        labels = np.where(is_positive[order], 1, -1)
        run = run_perceptron(rows[order], labels, constant=1, max_passes=MAX_PASSES)
        weights = (run.label[:, None] * rows[order][run.index]).sum(axis=0)
        scores = rows.astype(np.int64) @ weights + int(run.label.sum(dtype=np.int64))
        learned.append(int(np.count_nonzero((scores >= 0) == is_positive)))
        counts.append(run.n_mistakes)
    bound = perceptron_bound(m + 1, m + Fraction(2 * LEAST_ONES - 1, 2) ** 2, Fraction(1, 2))
    return [
        Line.of(ROWS_RIGHT.title, f"weights 1, threshold {LEAST_ONES}", m, [unit_weights], 2**m, "=="),
        Line.of(ROWS_RIGHT.title, "Perceptron", m, learned, 2**m, "=="),
        Line.of(MISTAKES.title, "Perceptron", m, counts, bound),
    ]


NAIVE_BAYES_THRESHOLD = Experiment(
    name="naive-bayes-threshold",
    title="Naive Bayes on “at least 3 of 7”",
    statement="Naive Bayes that knows all of “at least 3 of 7” errs on 21/128 of the rows; the Perceptron on none.",
    source=(("domingos1997", "m-of-n concepts"), ("novikoff1962", "the convergence theorem")),
    hypotheses=(
        "all 2ᵐ rows are equally likely; the label says whether at least k variables are 1",
        "naive Bayes has the exact probabilities of that distribution and compares products of fractions; a tie is +1",
        "its expected error follows from numbers of ones alone: one probability per class, C(m, j) rows with j ones",
        "Perceptron: threshold 0, a constant variable of value 1, all rows in random order until a pass is clean",
    ),
    bounds=(("error of naive Bayes", "tight"), ("2ᵐ rows right", "tight"), ("4(m+1)(m+(k−1/2)²)", "loose")),
    settings={"k": LEAST_ONES, "examples": "all 2^m rows"},
    panels=(ERROR, ROWS_RIGHT, MISTAKES),
    conclusion=(
        "More data would not help naive Bayes: it has all of it, and still takes two ones of seven for three. Weights "
        "1 with threshold 3 are right on every row, and the Perceptron finds such weights within its bound."
    ),
    trials=trials,
)
