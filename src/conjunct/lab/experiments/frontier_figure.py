"""Statement: no pruning of a greedy tree has fewer errors than the exact frontier of trees allows for its leaves."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from conjunct.bits.randomness import derived_seed, random_permutation
from conjunct.certificates import tree_frontier
from conjunct.datasets import embedded
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel

__all__ = ["FRONTIER_FIGURE"]

TABLES = (("tic-tac-toe", 3), ("tic-tac-toe", 4), ("monks-2", 4), ("breast-cancer", 3))
GREEDY, BEST = "greedy tree, pruned", "best tree"

PANELS = {
    (table, depth): Panel(f"{table}, depth {depth}", "leaves", "leaves", "errors", x_log=False, y_log=False)
    for table, depth in TABLES
}


def trials(seed: int, quick: bool) -> list[Trial]:
    """Draw a part of the rows of each table: a third, or two thirds."""
    share = Fraction(1, 3) if quick else Fraction(2, 3)
    return [partial(on_table, seed, table, depth, share) for table, depth in TABLES]


def on_table(seed: int, name: str, depth: int, share: Fraction) -> list[Line]:
    """Count the errors of both kinds of trees for every number of leaves, on the same rows."""
    table = embedded(name)
    order = random_permutation(derived_seed(seed, table.rows.n_rows), table.rows.n_rows)
    own = np.sort(order[: int(share * len(order))])
    rows, labels = table.rows[own], np.asarray(table.labels)[own]
    is_second = labels == max(labels.tolist())
    frontier = tree_frontier(rows, is_second, depth, check=False)
    greedy = greedy_errors(rows.to_array().astype(bool), is_second, depth)
    lines = []
    for n_leaves, least in frontier.errors.items():
        tree = frontier.tree(n_leaves)
        if tree is None:
            raise AssertionError("trees of two classes have a formula")
        n_errors = int(np.count_nonzero(tree.evaluate(rows) != is_second))
        title = PANELS[name, depth].title
        lines += [
            Line.of(title, GREEDY, n_leaves, [greedy[min(n_leaves, len(greedy)) - 1]], least, ">="),
            Line.of(title, BEST, n_leaves, [n_errors], least, "=="),
        ]
    return lines


def greedy_errors(bits: NDArray[np.bool_], is_second: NDArray[np.bool_], depth: int) -> list[int]:
    """Grow a tree by Gini's index and return the least errors of its prunings with at most 1, 2, .. leaves."""
    n_second = int(np.count_nonzero(is_second))
    leaf = min(n_second, len(is_second) - n_second)
    best, choice = Fraction(len(is_second)), -1
    for test in range(bits.shape[1]) if depth and leaf else ():
        parts = [is_second[bits[:, test] == side] for side in (True, False)]
        if all(map(len, parts)):
            impurity = sum((gini(part) for part in parts), Fraction(0))
            if impurity < best:
                best, choice = impurity, test
    if choice < 0:
        return [leaf]
    sides = [bits[:, choice] == side for side in (True, False)]
    of_true, of_false = (greedy_errors(bits[side], is_second[side], depth - 1) for side in sides)
    least = [leaf] * (len(of_true) + len(of_false))
    for a, errors_a in enumerate(of_true, 1):
        for b, errors_b in enumerate(of_false, 1):
            least[a + b - 1 :] = [min(entry, errors_a + errors_b) for entry in least[a + b - 1 :]]
    return least


def gini(is_second: NDArray[np.bool_]) -> Fraction:
    """Return Gini's impurity of a part times its rows, halved."""
    n_second = int(np.count_nonzero(is_second))
    return Fraction(n_second * (len(is_second) - n_second), len(is_second))


FRONTIER_FIGURE = Experiment(
    name="frontier-figure",
    title="Greedy trees and the exact frontier of errors by leaves",
    statement="No pruned greedy tree of L leaves has fewer errors than the best tree of L leaves and the same depth.",
    source=(
        ("breiman1984", "trees grown by Gini's index, then pruned"),
        ("lin2020", "optimal trees by dynamic programming"),
    ),
    hypotheses=(
        "both kinds of trees are made of the same yes/no tests, and are of the same depth at most",
        "errors are counted on the rows that the trees were made from",
        "of the prunings of a greedy tree the best of every size is taken",
    ),
    bounds=(("least errors of a tree with L leaves", "tight"),),
    settings={"rows": "a random part of each table"},
    panels=tuple(PANELS.values()),
    conclusion="The best tree of each size is on the frontier; above it lies what a greedy choice of tests costs.",
    trials=trials,
)
