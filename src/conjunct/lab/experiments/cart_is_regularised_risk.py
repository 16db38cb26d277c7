"""Statement: CART's cost-complexity is alpha times the regularised risk at lam = 4 alpha m, tree by tree."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import partial

import numpy as np

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.bits.randomness import derived_seed
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel
from conjunct.logic import DecisionTree

__all__ = ["CART_IS_REGULARISED_RISK"]

N, M = 5, 60

EQUAL_COSTS = Panel(
    "trees whose cost is alpha times the risk", "leaf price", "leaf price alpha·m", "trees", along="table"
)
BEST_TREES = Panel(
    "the best tree of depth 2, cost in errors", "leaf price", "leaf price alpha·m", "alpha·m·risk", False, False
)


def trials(seed: int, quick: bool) -> list[Trial]:
    """Price leaves from a quarter of an error to eight errors."""
    prices = (Fraction(1, 2), Fraction(1), Fraction(4)) if quick else tuple(Fraction(2) ** k for k in range(-2, 4))
    return [partial(on_price, seed, price, 1 if quick else 4) for price in prices]


def on_price(seed: int, price: Fraction, repetitions: int) -> list[Line]:
    """Compare both costs on every tree of depth at most 2, and the two least ones."""
    alpha, lam = price / M, 4 * price
    names = tuple(f"x{index + 1}" for index in range(N))
    trees = list(trees_of_depth(2, names))
    equal, least = [], []
    for number in range(repetitions):
        rows, labels = noisy_rows(derived_seed(seed, int(price * 4), number), names)
        costs = [tree.cost_complexity(rows, labels, alpha) for tree in trees]
        risks = [tree.risk(rows, labels, lam) for tree in trees]
        equal.append(sum(cost == alpha * risk for cost, risk in zip(costs, risks, strict=True)))
        least.append((min(costs) * M, alpha * min(risks) * M))
    return [
        Line.of(EQUAL_COSTS.title, "equal", float(price), [min(equal)], len(trees), "=="),
        *(
            Line.of(BEST_TREES.title, f"table {number + 1}", float(price), [float(cost)], risk, "==")
            for number, (cost, risk) in enumerate(least)
        ),
    ]


def trees_of_depth(depth: int, names: tuple[str, ...]) -> Iterator[DecisionTree]:
    """List the trees of at most that depth that test no variable twice on a path."""
    yield DecisionTree.leaf(False)
    yield DecisionTree.leaf(True)
    if depth == 0:
        return
    for name in names:
        below = list(trees_of_depth(depth - 1, tuple(other for other in names if other != name)))
        for if_false in below:
            for if_true in below:
                yield DecisionTree.split(name, if_false, if_true)


def noisy_rows(seed: int, names: tuple[str, ...]) -> tuple[BitMatrix, np.ndarray]:
    """Draw rows labelled by x1 & x2 | x3, one label in eight turned round."""
    table = random_bits(seed, (M, len(names)))
    target = (table[:, 0] & table[:, 1]) | table[:, 2]
    flips = random_below(seed, 8, M, stream=1) == 0
    return BitMatrix.from_array(table, names), np.where(target.astype(bool) ^ flips, 1, -1)


CART_IS_REGULARISED_RISK = Experiment(
    name="cart-is-regularised-risk",
    title="CART's cost-complexity is a regularised risk",
    statement="CART's errors/m + alpha·leaves is alpha times the regularised risk of the tree at lam = 4·alpha·m.",
    source=(("breiman1984", "minimal cost-complexity pruning"), ("kowalczyk2002", "regularised risk of trees")),
    hypotheses=(
        "errors are counted, as in error-rate pruning, not impurities",
        "every conjunction costs 1, so the norm of a tree is its number of leaves",
    ),
    bounds=(("all trees", "tight"), ("alpha·m·min risk", "tight")),
    settings={"n": N, "rows": M, "depth": 2},
    panels=(EQUAL_COSTS, BEST_TREES),
    conclusion="Both orders of trees are the same, so a lower bound on the risk bounds what CART can reach by pruning.",
    trials=trials,
)
