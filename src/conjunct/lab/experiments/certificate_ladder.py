"""Statement: every rung of the ladder of bounds, from a Perceptron to a linear program, stays below the best tree."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import ceil

from conjunct.bits.randomness import derived_seed
from conjunct.certificates.certify import certify_tree, checked
from conjunct.certificates.certify_bound import METHODS, BoundProblem, outputs_of
from conjunct.certificates.certify_linear import linear_bound
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.datasets import embedded, led
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.observed import Observed, Spread
from conjunct.lab.panel import Panel

__all__ = ["CERTIFICATE_LADDER"]

TABLES = {"led": (2, 3, 7), "tic-tac-toe": (1, 2), "monks-2": (1, 2, 3), "breast-cancer": (1, 2)}
QUICK = {"led": (3,), "tic-tac-toe": (1,), "monks-2": (2,), "breast-cancer": (1,)}
LED_ROWS = 500
GAP = 1e-3  # of each search: how far its value may be from its optimum, relatively
SLACK = Fraction(1002, 1000)  # two gaps
WITHOUT_PROGRAM = (("breast-cancer", 2),)  # the program takes longer there than all else together
UPDATES = 20_000  # of the Perceptron and of its maximal-margin sister

BOUNDS = {
    name: Panel(name, "depth", "most literals of a conjunction", "leaves + errors", x_log=False, y_log=False)
    for name in TABLES
}
ORDER = {
    name: Panel(f"{name}: each rung beside the next", "depth", "depth", "ratio of the two", along="table")
    for name in TABLES
}
ACCEPTED = Panel("certificates that the checker accepted", "depth", "depth", "certificates", along="table")
SHARES = {name: Spread(f"{name}: share of the optimum", "depth", "% of the best tree", "table") for name in TABLES}


def trials(seed: int, quick: bool) -> list[Trial]:
    """Take every table with several depths."""
    depths = QUICK if quick else TABLES
    return [partial(on_table, name, depth, seed) for name, own in depths.items() for depth in own]


def on_table(name: str, depth: int, seed: int) -> list[Line | Observed]:
    """Make every rung, and hold it against the next and against the best tree."""
    table = led(LED_ROWS, seed=derived_seed(seed, 0), two_classes=True) if name == "led" else embedded(name)
    optimum = certify_tree(*table, max_depth=depth, time_limit=None, check=False).bound
    problem = BoundProblem.of(LabelledRows.of(*table), Fraction(1), depth)
    values, n_accepted, lines = {}, 0, list[Line | Observed]()
    for method in METHODS:
        form, outputs, *_ = outputs_of(problem, method, max_iter=UPDATES if is_on_line(method) else None, tol=GAP)
        values[method] = outputs[0].value(problem, form)
        n_accepted += checked(problem.certificate(form, outputs)).certified
        lines += [
            Line.of(name, method, depth, [values[method]], optimum, "<="),
            Observed.of(SHARES[name].title, method, depth, [float(100 * values[method] / optimum)]),
        ]
    if (name, depth) not in WITHOUT_PROGRAM:
        program = linear_bound(problem, time_limit=None)
        values["lp"] = program.bound  # rounded up: no partition costs less, and the box is below the program
        n_accepted += checked(program).certified
        lines += [
            Line.of(name, "lp", depth, [program.bound], optimum, "<="),
            Observed.of(SHARES[name].title, "lp", depth, [float(100 * program.bound / optimum)]),
        ]
    lines.append(Line.of(ACCEPTED.title, name, depth, [n_accepted], len(values), "=="))
    rungs = [("perceptron", "svm"), ("margin", "svm"), ("svm", "ridge"), ("ridge", "box"), ("box", "lp")]
    for lower, upper in (rung for rung in rungs if rung[1] in values):
        ratio = Fraction(ceil(1000 * values[lower] / values[upper]), 1000)  # rounded up, to be read
        lines.append(Line.of(ORDER[name].title, f"{lower}/{upper}", depth, [ratio], SLACK, "<="))
    return lines


def is_on_line(method: str) -> bool:
    """Return whether a method makes updates one by one, which end late on rows that are not separable."""
    return method in ("perceptron", "margin")


CERTIFICATE_LADDER = Experiment(
    name="certificate-ladder",
    title="The ladder of bounds that need no search, beside the best tree",
    statement="What a Perceptron, a margin machine, ridge, box and a program prove is in this order, below every tree.",
    source=(
        ("kowalczyk2002", "Theorems 3, 4 and 5: t²/V from a Perceptron, 1/V from a maximal-margin machine"),
        ("lin2020", "leaves and errors as one cost"),
    ),
    hypotheses=(
        "a tree costs its leaves plus its errors on the rows (lam = 4); conjunctions have both literals and cost 1",
        "every bound is of partitions of the rows into conjunctions, and trees of that depth are some of them",
        "lp is the linear program over all conjunctions, solved to its end; the checker goes over those that matter",
        "perceptron and margin end after 20,000 updates at most; any weights are valid, so stopping early is sound",
        f"led is drawn from the seed, {LED_ROWS} rows, digits 0-4 against 5-9; the other tables are whole",
        "the checker of bounds runs in a process of its own, on the file and the rows alone",
    ),
    bounds=(
        ("bound ≤ leaves + errors of the best tree", "tight"),
        ("perceptron, margin ≤ svm ≤ ridge ≤ box ≤ lp, up to the gaps of the searches", "loose"),
        ("every certificate accepted", "tight"),
    ),
    settings={"lam": 4, "led_rows": LED_ROWS},
    panels=(*BOUNDS.values(), *ORDER.values(), ACCEPTED),
    spreads=tuple(SHARES.values()),
    remarks=(
        "values are as the weights prove them, before they are rounded up to what a tree can cost; that of lp is "
        "rounded up, and a tree costs a whole number",
        "lp is left out on breast-cancer at depth 2, where it takes longer than all else together",
    ),
    conclusion=(
        "On noisy rows the box comes near the best tree without a search, on clean ones it says little; the linear "
        "program comes near it on both."
    ),
    trials=trials,
)
