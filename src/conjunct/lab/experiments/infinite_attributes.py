"""Statement: on rows of at most σ ones, both Perceptron and Winnow learn a disjunction whatever the width."""

from __future__ import annotations

from functools import partial

from conjunct.bits.randomness import derived_seed
from conjunct.datasets.random_disjunctions import sparse_disjunction
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.lab.runs import run_perceptron, run_winnow
from conjunct.theory import perceptron_sparse_disjunction_bound, winnow_sparse_bound

__all__ = ["INFINITE_ATTRIBUTES"]

RELEVANT, ACTIVE, EXAMPLES = 3, 10, 6000

SPARSE = Panel(
    f"OR of k = {RELEVANT}, σ = {ACTIVE} ones to a row", "N", "number of variables N", y_log=False, is_fitted=True
)


def trials(seed: int, quick: bool) -> list[Trial]:
    """Run both learners on streams over 10^2 .. 10^5 variables."""
    repetitions = 1 if quick else 5
    return [partial(at_width, seed, 10**exponent, repetitions) for exponent in (2, 3, 4, 5)]


def at_width(seed: int, n: int, repetitions: int) -> list[Line]:
    """Run both learners on the same streams, once over."""
    perceptron, winnow = [], []
    for repetition in range(repetitions):
        rows, labels = sparse_disjunction(derived_seed(seed, n, repetition), n, RELEVANT, ACTIVE, EXAMPLES)
        perceptron.append(run_perceptron(rows, labels, constant=1).n_mistakes)
        winnow.append(run_winnow(rows, labels, threshold=4 * ACTIVE).n_mistakes)
    return [
        Line.of(SPARSE.title, "Perceptron", n, perceptron, perceptron_sparse_disjunction_bound(ACTIVE, RELEVANT)),
        Line.of(SPARSE.title, "Winnow2", n, winnow, winnow_sparse_bound(ACTIVE, RELEVANT)),
    ]


INFINITE_ATTRIBUTES = Experiment(
    name="infinite-attributes",
    title="Disjunctions over sparse rows of any width",
    statement="On rows of at most σ ones an OR of k costs Perceptron (σ+1)(4k+1) mistakes, Winnow2 6k⌈log₂4σ⌉.",
    source=(("blum1992", "the infinite attribute model"), ("littlestone1988", "Winnow2")),
    hypotheses=(
        "every row has at most σ ones; the label is the OR of k variables",
        "Perceptron: threshold 0 and a constant variable of value 1",
        "Winnow2: α = 2, θ = 4σ, weight 1 for a variable not seen before",
        "labels are drawn half and half: a positive row has one relevant variable, a negative one none",
    ),
    bounds=(("(σ+1)(4k+1)", "loose"), ("6k⌈log₂4σ⌉", "loose")),
    settings={"k": RELEVANT, "sigma": ACTIVE, "examples": EXAMPLES, "threshold": 4 * ACTIVE, "promotion": 2},
    panels=(SPARSE,),
    conclusion="Neither learner makes more mistakes when the width grows a thousandfold: both are free of N here.",
    trials=trials,
)
