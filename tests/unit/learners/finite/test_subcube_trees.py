"""The best tree over subcubes against every tree, and the greedy one above it."""

from __future__ import annotations

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.lab.experiments.cart_is_regularised_risk import trees_of_depth
from conjunct.lab.experiments.led_table import greedy_tree
from conjunct.learners.finite.subcube_trees import optimal_tree

NAMES = ("x1", "x2", "x3", "x4")


def table(seed: int, n_rows: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    rows = random_bits(seed, (n_rows, n))
    noise = random_below(seed, 5, n_rows, stream=1) == 0
    return rows, np.where(((rows[:, 0] ^ rows[:, 1]) | rows[:, -1]).astype(bool) ^ noise, 1, -1)


@pytest.mark.parametrize(
    ("n", "depth", "seed"),
    [
        pytest.param(3, 3, 0, marks=pytest.mark.long),
        *((n, depth, seed) for n, depth in ((3, 0), (3, 1), (4, 2)) for seed in range(6)),
    ],
)
def test_no_tree_of_the_depth_costs_less(n: int, depth: int, seed: int) -> None:
    rows, labels = table(seed, 30, n)
    packed = BitMatrix.from_array(rows, NAMES[:n])
    least = min(tree.risk(packed, labels, 4) for tree in trees_of_depth(depth, NAMES[:n]))
    found = optimal_tree(rows, labels, depth, NAMES[:n])
    assert found.risk(packed, labels, 4) == least
    assert found.depth <= depth


@pytest.mark.parametrize("depth", [1, 3])
def test_the_greedy_tree_keeps_the_depth_and_costs_no_less(depth: int) -> None:
    rows, labels = table(7, 80, 4)
    packed = BitMatrix.from_array(rows, NAMES)
    greedy, best = (make(rows, labels, depth, NAMES) for make in (greedy_tree, optimal_tree))
    assert greedy.depth <= depth
    assert greedy.risk(packed, labels, 4) >= best.risk(packed, labels, 4)


def test_the_greedy_tree_is_the_best_of_its_pruning_path() -> None:
    """A parity is not seen by greedy splits of depth 1: a single leaf is the least on the path."""
    rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 2, np.uint8)
    labels = np.array([-1, 1, 1, -1] * 2)
    assert greedy_tree(rows, labels, 1, NAMES[:2]).n_leaves == 1
    assert optimal_tree(np.repeat(rows, 4, axis=0), np.repeat(labels, 4), 2, NAMES[:2]).n_leaves == 4


def test_one_label_needs_one_leaf() -> None:
    rows = np.array([[0, 1], [1, 1]], np.uint8)
    assert optimal_tree(rows, np.array([1, 1]), 2, NAMES[:2]).constant is True
