"""Statement: an intersection of half-spaces is a network with one hidden layer, or with more that copy."""

from __future__ import annotations

from functools import partial

from conjunct.bits import random_below
from conjunct.bits.randomness import derived_seed
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.logic import HalfspaceIntersection, Network, Threshold

__all__ = ["HALFSPACE_NETWORK"]

N = 8
LARGEST_WEIGHT = 4

EQUAL_ROWS = Panel("rows on which the network is the intersection", "k", "half-spaces k", "rows", along="table")
WRONG = Panel("rows lost where 0/1 units are copied with bias 0", "k", "half-spaces k", "rows", True, False)


def trials(seed: int, quick: bool) -> list[Trial]:
    """Intersect growing numbers of half-spaces."""
    return [partial(on_intersections, seed, k, 3 if quick else 12) for k in ((1, 2, 4) if quick else (1, 2, 4, 8, 16))]


def on_intersections(seed: int, k: int, repetitions: int) -> list[Line]:
    """Compare networks of both conventions and of one to three hidden layers with the intersection, on all rows."""
    names = [f"x{index + 1}" for index in range(N)]
    rows = 1 << N
    same: dict[str, list[int]] = {"outputs −1 and 1": [], "outputs 0 and 1": []}
    lost = []
    for number in range(repetitions):
        target = intersection(derived_seed(seed, k, number), k, names)
        expected = target.table(names)
        for series, convention in zip(same, ("signed", "binary"), strict=True):
            for depth in (1, 2, 3):
                table = target.network(convention, depth=depth).table(names)
                same[series].append(rows - (table ^ expected).bit_count())
        if expected != (1 << rows) - 1:
            lost.append((with_bias_zero(target.network("binary", depth=2)).table(names) ^ expected).bit_count())
    lines = [Line.of(EQUAL_ROWS.title, series, k, [min(counts)], rows, "==") for series, counts in same.items()]
    return [*lines, Line.of(WRONG.title, "outputs 0 and 1, bias 0", k, lost, 1, ">=")]


def intersection(seed: int, k: int, names: list[str]) -> HalfspaceIntersection:
    """Draw half-spaces with small whole weights, each false on some row: so that all rows are not in it."""
    halfspaces = []
    for number in range(k):
        weights = (random_below(seed, 2 * LARGEST_WEIGHT + 1, len(names), stream=number) - LARGEST_WEIGHT).tolist()
        weights[number % len(names)] = weights[number % len(names)] or 1
        lowest = sum(weight for weight in weights if weight < 0)
        span = sum(map(abs, weights))
        threshold = lowest + 1 + int(random_below(seed, max(1, span // 2), 1, stream=k + number)[0])
        halfspaces.append(Threshold(dict(zip(names, weights, strict=True)), threshold))
    return HalfspaceIntersection(halfspaces)


def with_bias_zero(network: Network) -> Network:
    """Return the network with bias 0 in the units that copy."""
    first, copies, *last = network.layers
    wrong = [Threshold(dict(unit.weights), 0) for unit in copies]
    return Network([first, wrong, *last], network.convention)


HALFSPACE_NETWORK = Experiment(
    name="halfspace-network",
    title="Intersections of half-spaces as networks",
    statement="An intersection of k half-spaces is a network of k hidden units, whether units say −1/1 or 0/1.",
    source=(("blumrivest1992", "the intersection of half-spaces as a network"),),
    hypotheses=(
        "whole weights and thresholds, so that no unit sees a tie: w·x − b − 1/2",
        "the output is positive iff the sum of the hidden units − k + 1/2 ≥ 0",
        "more layers copy with weight 1: bias 0 for −1/1, bias −1/2 for 0/1",
    ),
    bounds=(("2^n rows", "tight"), ("at least one row lost with bias 0", "tight")),
    settings={"n": N, "largest weight": LARGEST_WEIGHT, "hidden layers": "1 to 3"},
    panels=(EQUAL_ROWS, WRONG),
    conclusion="One output rule serves both conventions; copying does not: with bias 0 a unit turns 0 into 1.",
    trials=trials,
)
