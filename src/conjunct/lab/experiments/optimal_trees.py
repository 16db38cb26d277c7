"""Statement: no tree that CART grows, however it is pruned, costs less than the optimum that a certificate proves."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits.randomness import derived_seed
from conjunct.certificates.certify import certify_tree, checked
from conjunct.datasets import embedded, led
from conjunct.errors import CertificateError
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.observed import Observed, Spread
from conjunct.lab.panel import Panel

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from sklearn.tree import DecisionTreeClassifier

    from conjunct.certificates import TreeCertificate
    from conjunct.datasets import Table

__all__ = ["OPTIMAL_TREES"]

TABLES = ("breast-cancer", "tic-tac-toe", "monks-1", "monks-2", "monks-3", "led")
LED_ROWS = 500
CRITERIA = ("gini", "entropy")
CHECK_LIMIT = 3600
SEARCH_SECONDS, CHECK_SECONDS = "seconds, search", "seconds, check"

COSTS = {
    name: Panel(name, "depth", "most tests on a path", "leaves + errors", x_log=False, y_log=False) for name in TABLES
}
ACCEPTED = Panel("certificates that the checker accepted", "depth", "depth", "certificates", along="table")
CONSISTENT = Panel("leaves of CART's tree without errors", "depth", "depth", "leaves", along="table")
PROOFS = {name: Spread(f"{name}: tree and proof", "depth", "", "table") for name in TABLES}


def trials(seed: int, quick: bool) -> list[Trial]:
    """Take every table with depths from 2, then trees without errors of any depth."""
    depths = {name: (2, 3) if quick else (2, 3, 4) if name == "breast-cancer" else (2, 3, 4, 5) for name in TABLES}
    consistent = ("monks-1", "monks-3") if quick else ("tic-tac-toe", "monks-1", "monks-2", "monks-3")
    return [
        *(partial(of_depth, name, depth, seed) for name in TABLES for depth in depths[name]),
        *(partial(without_errors, name) for name in consistent),
    ]


def of_depth(name: str, depth: int, seed: int) -> list[Line | Observed]:
    """Hold CART's cost against the optimum, and the optimum against its certificate and its tree."""
    table = drawn(name, seed)
    certificate = certified(table, depth, 1)
    optimum = int(certificate.bound)
    n_leaves, n_errors = counted_again(table, certificate)
    seen = {
        "leaves": n_leaves,
        "errors": n_errors,
        "lemmas": len(certificate.lemmas),
        "kB of proof": len(certificate.text()) / 1000,
        SEARCH_SECONDS: certificate.seconds or 0.0,
        CHECK_SECONDS: certificate.check_seconds or 0.0,
    }
    return [
        Line.of(name, "CART", depth, [cart_cost(table, depth)], optimum, ">="),
        Line.of(name, "optimal tree", depth, [n_leaves + n_errors], optimum, "=="),
        Line.of(ACCEPTED.title, name, depth, [int(certificate.certified)], 1, "=="),
        *(Observed.of(PROOFS[name].title, series, depth, [value]) for series, value in seen.items()),
    ]


def without_errors(name: str) -> list[Line]:
    """Hold the leaves of CART's tree without errors against the fewest that a certificate allows."""
    table = embedded(name)
    certificate = certified(table, None, None)
    n_leaves = min(int(grown.get_n_leaves()) for grown in grown_trees(table, None))
    any_depth = table.rows.n_variables
    return [
        Line.of(CONSISTENT.title, name, any_depth, [n_leaves], int(certificate.bound), ">="),
        Line.of(ACCEPTED.title, name, any_depth, [int(certificate.certified)], 1, "=="),
    ]


def drawn(name: str, seed: int) -> Table:
    """Return the table of that name; the display is drawn anew for every seed."""
    return led(LED_ROWS, seed=derived_seed(seed, 0), two_classes=True) if name == "led" else embedded(name)


def certified(table: Table, depth: int | None, price: int | None) -> TreeCertificate:
    """Search until the tree is proved to be the cheapest, and let the checker prove it again."""
    certificate = certify_tree(*table, max_depth=depth, error_price=price, time_limit=None, check=False)
    try:
        return checked(certificate, limit=CHECK_LIMIT)
    except CertificateError:
        return certificate  # rejected: not certified, which the verdict looks at


def counted_again(table: Table, certificate: TreeCertificate) -> tuple[int, int]:
    """Return the leaves and errors of the tree in a certificate, from its answers on the rows."""
    tree = certificate.witness
    if tree is None:
        return 0, 0
    answers = np.array(certificate.classes)[tree.evaluate(table.rows).astype(np.intp)]
    return tree.n_leaves, int(np.count_nonzero(answers != table.labels.astype(str)))


def grown_trees(table: Table, max_depth: int | None) -> list[DecisionTreeClassifier]:
    """Return what CART grows by either of its impurities."""
    from sklearn.tree import DecisionTreeClassifier

    rows = table.rows.to_array()
    return [
        DecisionTreeClassifier(criterion=criterion, max_depth=max_depth, random_state=0).fit(rows, table.labels)
        for criterion in CRITERIA
    ]


def cart_cost(table: Table, max_depth: int) -> int:
    """Return the least leaves + errors of all prunings of the trees that CART grows."""
    _, codes = np.unique(table.labels, return_inverse=True)
    rows, is_of_class = table.rows.to_array(), np.eye(codes.max() + 1, dtype=np.int64)[codes]
    return min(
        cheapest_pruning(
            grown.tree_.children_left,
            grown.tree_.children_right,
            grown.decision_path(rows).T.astype(np.int64) @ is_of_class,
        )
        for grown in grown_trees(table, max_depth)
    )


def cheapest_pruning(if_true: NDArray[np.intp], if_false: NDArray[np.intp], counts: NDArray[np.int64]) -> int:
    """Return the least leaves + errors of a tree and its prunings, from the rows of each class at every node.

    Parents stand before their children; a leaf has children -1. Whether a node stays or becomes a leaf is decided for
    each by itself, the children first, since costs add up.
    """
    as_leaf = 1 + counts.sum(axis=1) - counts.max(axis=1)
    costs = [int(cost) for cost in as_leaf]
    for node in reversed(range(len(costs))):
        if if_true[node] >= 0:
            costs[node] = min(costs[node], costs[if_true[node]] + costs[if_false[node]])
    return costs[0]


OPTIMAL_TREES = Experiment(
    name="optimal-trees",
    title="Trees that are optimal, with proof, beside CART's",
    statement="No tree that CART grows, however pruned, costs less than the optimum that a checked certificate proves.",
    source=(
        ("lin2020", "leaves and errors as one cost"),
        ("breiman1984", "growing by impurity, pruning"),
    ),
    hypotheses=(
        "a tree costs its leaves plus its errors on the rows it was made from; both kinds of trees ask the same tests",
        "CART is scikit-learn's, by Gini impurity and by entropy, with the same limit of depth; of all prunings of "
        "both trees the cheapest counts",
        f"led is drawn from the seed, {LED_ROWS} rows, digits 0-4 against 5-9; the other tables are whole",
        "the checker runs in processes of its own, on the certificate and the rows alone",
        "trees without errors may have any depth, which is as many tests on a path as there are",
    ),
    bounds=(
        ("certified optimum ≤ CART", "tight"),
        ("every certificate accepted", "tight"),
        ("leaves + errors of its tree, counted again", "tight"),
    ),
    settings={"error_price": 1, "led_rows": LED_ROWS},
    panels=(*COSTS.values(), CONSISTENT, ACCEPTED),
    spreads=tuple(PROOFS.values()),
    remarks=(
        "costs are of the training rows: a cheaper tree is not thereby a better one on other rows",
        "seconds are of this run and this machine, and no verdict looks at them",
    ),
    timings=(SEARCH_SECONDS, CHECK_SECONDS),
    conclusion=(
        "What CART's greedy choice costs is known to the last leaf: the optimum is a theorem about these rows, "
        "which the checker proved in this run."
    ),
    trials=trials,
)
