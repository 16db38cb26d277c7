"""Statement: stopping after ln((M + 1)/δ)/ε examples without a mistake keeps δ; after ln(1/δ)/ε it does not."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np

from conjunct.bits import SparseRows, random_flips
from conjunct.bits.randomness import derived_seed
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line, Relation, number
from conjunct.lab.panel import Panel
from conjunct.learners import OnlineToPAC, Winnow
from conjunct.theory import pac_examples, pac_printed_length, pac_survival_length

__all__ = ["ONLINE_TO_PAC"]

EPSILON = DELTA = Fraction(1, 10)
ERROR = Fraction(201, 2000)  # of the bad hypotheses: just above EPSILON

FAILURES = Panel("Runs that stop at a hypothesis of error above ε", "M", "mistake bound M", "share of runs")
EXAMPLES = Panel("Examples until a hypothesis survived", "M", "mistake bound M", "examples")


def trials(seed: int, quick: bool) -> list[Trial]:
    """Stop learners that have M bad hypotheses, one after the other, before the right one."""
    bounds, n_runs, repetitions = ((2, 5, 20, 80), 2000, 3) if quick else ((2, 5, 20, 80, 320), 10_000, 10)
    return [
        *(partial(failures, seed, mistakes, n_runs) for mistakes in bounds),
        *(partial(examples, seed, mistakes, repetitions) for mistakes in bounds),
    ]


def failures(seed: int, mistakes: int, n_runs: int) -> list[Line]:
    """Calculate and draw how often a bad hypothesis survives the corrected and the printed length."""
    lengths: tuple[tuple[str, int, Relation], ...] = (
        ("corrected", pac_survival_length(mistakes, EPSILON, DELTA), "<="),
        ("printed", pac_printed_length(EPSILON, DELTA), ">="),
    )
    lines = []
    for name, length, relation in lengths:
        exactly = 1 - (1 - (1 - ERROR) ** length) ** mistakes
        simulated = drawn_share(derived_seed(seed, mistakes, length), mistakes, length, n_runs)
        for kind, share, runs in (("exact", exactly, 1), ("simulated", simulated, n_runs)):
            measured, bound = number(share), number(DELTA)
            series = f"{name}, {kind}"
            lines.append(Line(FAILURES.title, series, mistakes, measured, bound, relation, float(measured), runs))
    return lines


def drawn_share(seed: int, mistakes: int, length: int, n_runs: int) -> Fraction:
    """Show each bad hypothesis so many examples: a run without a mistake among them ends there, and has failed."""
    running = n_runs
    for hypothesis in range(mistakes):
        is_mistake = random_flips(seed, running * length, ERROR, stream=hypothesis).reshape(running, length)
        running = int(np.count_nonzero(is_mistake.any(axis=1)))
    return Fraction(n_runs - running, n_runs)


def stubborn(mistakes: int) -> Winnow:
    """Return a learner that is wrong on the row {0}, labelled −1, until it was shown so many times."""
    return Winnow(threshold=1, initial_weight=Fraction(2) ** (mistakes - 1))


def used(is_hard: np.ndarray[tuple[int], np.dtype[np.bool_]], mistakes: int) -> int:
    """Run the learner on {0} where it is hard and on the empty row elsewhere, and count the examples until it stops."""
    rows = SparseRows.of(is_hard.astype(np.uint8)[:, None])
    method = OnlineToPAC(stubborn(mistakes), EPSILON, DELTA)
    return method.run(rows, np.full(len(is_hard), -1), mistake_bound=mistakes).guarantee.n_examples


def examples(seed: int, mistakes: int, repetitions: int) -> list[Line]:
    """Take the stream with a mistake on every l-th example; and random streams."""
    bound, length = pac_examples(mistakes, EPSILON, DELTA), pac_survival_length(mistakes, EPSILON, DELTA)
    is_last = np.arange(1, bound + 1) % length == 0
    is_last[-1] = False
    seeds = [derived_seed(seed, mistakes, length, repetition) for repetition in range(repetitions)]
    lengths = [used(random_flips(run_seed, bound, ERROR), mistakes) for run_seed in seeds]
    return [
        Line.of(EXAMPLES.title, "longest stream", mistakes, [used(is_last, mistakes)], bound, "=="),
        Line.of(EXAMPLES.title, "random streams", mistakes, lengths, bound),
    ]


ONLINE_TO_PAC = Experiment(
    name="online-to-pac",
    title="How long a hypothesis must survive",
    statement="A hypothesis must survive ln((M + 1)/δ)/ε examples to be good but for δ; ln(1/δ)/ε are too few.",
    source=(("littlestone1989", "from on-line to batch learning"),),
    hypotheses=(
        "examples are drawn independently from one distribution",
        "the learner makes at most M mistakes, and changes its hypothesis on mistakes only",
        "corrected: stop after l = ⌈ln((M + 1)/δ)/ε⌉ examples in a row without a mistake",
        "printed: stop after ⌈ln(1/δ)/ε⌉, the length for a single hypothesis",
    ),
    bounds=(
        ("corrected length fails <= δ", "loose"),
        ("printed length fails >= δ from M = 2 on", "loose"),
        ("(M + 1) l examples", "tight"),
    ),
    settings={"epsilon": str(EPSILON), "delta": str(DELTA), "error of the bad hypotheses": str(ERROR)},
    panels=(FAILURES, EXAMPLES),
    conclusion="The length for a single hypothesis fails in nearly every run as M grows; with the union over all M + 1 "
    "hypotheses failures stay below δ, and (M + 1) l examples are enough and may be needed.",
    trials=trials,
)
