"""What the optimal trees are held against: CART's cheapest pruning, and a checker that may say no."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from conjunct.datasets import led
from conjunct.errors import CertificateError
from conjunct.lab.experiments import optimal_trees
from conjunct.lab.experiments.optimal_trees import cart_cost, cheapest_pruning, grown_trees, of_depth, without_errors


def test_the_cheapest_pruning_is_that_of_all_sets_of_kept_nodes() -> None:
    table = led(60, seed=1, two_classes=True)
    rows, labels = table.rows.to_array(), table.labels
    least = []
    for grown in grown_trees(table, 3):
        tree = grown.tree_
        inner = [node for node in range(tree.node_count) if tree.children_left[node] >= 0]
        for kept in product([False, True], repeat=len(inner)):
            is_kept = dict(zip(inner, kept, strict=True))
            leaves = []
            for row in rows:
                node = 0
                while is_kept.get(node):
                    node = (tree.children_left, tree.children_right)[int(row[tree.feature[node]] > 0.5)][node]
                leaves.append(node)
            of_leaf = [labels[np.array(leaves) == leaf] for leaf in sorted(set(leaves))]
            n_errors = sum(len(part) - np.unique(part, return_counts=True)[1].max() for part in of_leaf)
            least.append(len(of_leaf) + int(n_errors))
    assert cart_cost(table, 3) == min(least)


def test_a_split_is_kept_only_where_it_saves_more_than_a_leaf() -> None:
    if_true, if_false = np.array([1, -1, -1]), np.array([2, -1, -1])
    counts = np.array([[5, 5], [5, 0], [0, 5]])
    assert cheapest_pruning(if_true, if_false, counts) == 2
    assert cheapest_pruning(if_true, if_false, np.array([[9, 1], [5, 1], [4, 0]])) == 2


def test_a_certificate_that_is_rejected_violates_the_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(*_: object, **__: object) -> None:
        raise CertificateError("rejected", 1)

    monkeypatch.setattr(optimal_trees, "checked", reject)
    for lines in (of_depth("monks-3", 2, 0), without_errors("monks-3")):
        accepted = [line for line in lines if getattr(line, "panel", "") == optimal_trees.ACCEPTED.title]
        assert [(line.measured, line.bound, line.relation) for line in accepted] == [(0, 1, "==")]
