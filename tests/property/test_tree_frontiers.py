"""The least errors by number of leaves: the search against its definition."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conjunct import BitMatrix
from conjunct.bits import random_below, random_bits
from conjunct.search import TreeProblem, search_frontier
from conjunct.theory import least_errors, tree_cost
from strategies import seeded, tree_problems


def depth_of(tree):
    """Return the depth of a tree in preorder and its number of leaves."""
    levels, deepest, n_leaves = [0], 0, 0
    for node in tree:
        level = levels.pop()
        if node >= 0:
            levels += [level + 1] * 2
        else:
            deepest, n_leaves = max(deepest, level), n_leaves + 1
    assert not levels
    return deepest, n_leaves


def smallest_leaf(tree, rows, sizes):
    """Return the fewest rows of a leaf."""
    todo, smallest = [np.ones(len(rows), bool)], sum(sizes)
    for node in tree:
        members = todo.pop()
        if node >= 0:
            todo += [members & (rows[:, node] == 0), members & (rows[:, node] == 1)]
        else:
            smallest = min(smallest, int(sizes[members].sum()))
    return smallest


def require_the_definition(problem):
    """Compare the search with the slow recursion, and count the errors, leaves and levels of its trees."""
    found = search_frontier(problem)
    rows, penalties = problem.tests.to_array(), problem.penalties.tolist()
    truth = least_errors(rows.tolist(), penalties, problem.max_depth, problem.sizes.tolist(), problem.min_samples_leaf)
    assert list(found.errors) == truth
    assert len(found.trees) == len(truth) == 2**problem.max_depth
    for most_leaves, tree in enumerate(found.trees, 1):
        depth, n_leaves = depth_of(tree)
        assert depth <= problem.max_depth
        assert n_leaves <= most_leaves
        assert tree_cost(tree, rows.tolist(), penalties, 0) == truth[most_leaves - 1]
        if n_leaves > 1:
            assert smallest_leaf(tree, rows, problem.sizes) >= problem.min_samples_leaf
    return found


@settings(seeded, max_examples=400)
@given(tree_problems(), st.integers(0, 4))
def test_the_least_errors_for_every_number_of_leaves_are_found(problem, depth):
    require_the_definition(replace(problem, max_depth=depth))


def test_all_functions_of_three_variables():
    rows = np.array([[number >> j & 1 for j in range(3)] for number in range(8)])
    ones = np.ones(8, np.int64)
    for function in range(256):
        labels = np.array([function >> i & 1 for i in range(8)])
        penalties = np.stack([labels, 1 - labels], axis=1)
        require_the_definition(TreeProblem(BitMatrix.of(rows), penalties, ones, ones, 1, 3))


@pytest.mark.parametrize("seed", range(16))
def test_larger_tables_with_tests_that_are_alike_or_contradict(seed):
    random = Random(seed)
    n_rows, n_tests, n_classes = random.choice([40, 90, 150]), random.choice([5, 7, 8]), random.choice([2, 2, 3])
    rows = random_bits(seed, (n_rows, n_tests))
    rows[:, -1] = 1 - rows[:, 0]
    rows[:, -2] = rows[:, 1] & rows[:, 2]
    labels = (rows[:, 0] & rows[:, 1]) + random_below(seed, n_classes, n_rows) * (
        random_below(seed + 99, 4, n_rows) == 0
    )
    cells = BitMatrix.of(rows).pool(np.minimum(labels, n_classes - 1))
    counts = cells.counts.astype(np.int64) * random.choice([1, 5, 10**7])
    sizes = counts.sum(axis=1)
    penalties = sizes[:, None] - counts
    least = random.choice([1, 1, 3]) * int(sizes.min())
    found = require_the_definition(TreeProblem(cells.rows, penalties, sizes, sizes, 1, random.choice([3, 4]), least))
    assert found.stopped_by == "closed"
