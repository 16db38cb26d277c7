from __future__ import annotations

import re
from functools import partial

import numpy as np
import pytest

from conjunct.datasets import half_space, random_decision_list, random_threshold, random_tree
from conjunct.errors import SettingError
from conjunct.logic import parse

MAKERS = {
    "tree": partial(random_tree, 7, 12),
    "list": partial(random_decision_list, 7, 5),
    "list of pairs": partial(random_decision_list, 7, 5, term_size=2),
    "threshold": partial(random_threshold, 7, 5),
    "monotone threshold": partial(random_threshold, 7, 4, threshold=3, monotone=True),
    "half-space": partial(half_space, 7),
    "half-space of signs": partial(half_space, 7, max_weight=1),
}
each = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@each
@pytest.mark.parametrize("seed", range(5))
def test_labels_are_the_value_of_the_printed_target(make, seed):
    table = make(n_rows=300, seed=seed)
    assert table.rows.names == tuple(f"x{i}" for i in range(1, 8))
    assert table.labels.tolist() == parse(table.target)(table.rows.to_array()).astype(int).tolist()
    assert 0 < table.labels.sum() < 300


@each
def test_noise_flips_labels_at_its_rate_and_nothing_else(make):
    clean, noisy = make(n_rows=20_000, seed=3), make(n_rows=20_000, seed=3, noise=0.1)
    assert clean.target == noisy.target
    assert clean.rows == noisy.rows
    assert abs((clean.labels != noisy.labels).mean() - 0.1) < 0.011
    assert np.array_equal(make(n_rows=50, seed=3, noise=1).labels, 1 - clean.labels[:50])
    assert make(n_rows=50, seed=3).rows == clean.rows[:50]


@each
def test_another_seed_gives_another_rule_and_other_rows(make):
    first, again, other = make(n_rows=50, seed=1), make(n_rows=50, seed=1), make(n_rows=50, seed=2)
    assert first.target == again.target != other.target
    assert first.rows == again.rows != other.rows


@pytest.mark.parametrize("n_leaves", [2, 3, 8, 16])
def test_a_tree_has_the_leaves_asked_for_and_no_equal_siblings(n_leaves):
    for seed in range(10):
        target = random_tree(4, n_leaves, n_rows=1, seed=seed).target
        assert len(re.findall(r"\b[01]\b", target)) == n_leaves
        assert not re.search(r"\? ([01]) : \1", target)


def test_no_path_of_a_full_tree_tests_a_variable_twice():
    target = random_tree(3, 8, n_rows=1, seed=0).target
    assert target.count("?") == 7


def test_rules_of_a_list_test_different_variables_and_end_in_a_change():
    for seed in range(10):
        target = random_decision_list(6, 6, n_rows=1, seed=seed).target
        assert sorted(re.findall(r"x\d", target)) == [f"x{i}" for i in range(1, 7)]
        outputs = re.findall(r"(?:->|;) ([01])", target)
        assert outputs[-1] != outputs[-2]


def test_weights_are_not_zero_and_reach_both_ends():
    sizes = re.findall(r"(\d*)\*?x\d+", half_space(200, n_rows=1, seed=0, max_weight=3).target)
    assert {int(size or 1) for size in sizes} == {1, 2, 3}


def test_about_half_of_the_rows_lie_on_each_side_of_a_half_space():
    shares = [half_space(20, n_rows=2000, seed=seed).labels.mean() for seed in range(10)]
    assert 0.4 < min(shares) < max(shares) < 0.6


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (partial(random_tree, n_variables=3, n_leaves=4), "n_variables", 0),
        (partial(random_tree, n_variables=3, n_leaves=4), "n_leaves", 1),
        (partial(random_tree, n_variables=3, n_leaves=4), "n_leaves", 9),
        (partial(random_tree, n_variables=3, n_leaves=4), "n_rows", 0),
        (partial(random_tree, n_variables=3, n_leaves=4), "noise", 2),
        (partial(random_decision_list, n_variables=3, n_rules=2), "n_rules", 4),
        (partial(random_decision_list, n_variables=3, n_rules=2), "term_size", 4),
        (partial(random_threshold, n_variables=3, n_literals=2), "n_literals", 4),
        (partial(random_threshold, n_variables=3, n_literals=2), "threshold", 3),
        (partial(half_space, n_variables=3), "max_weight", 0),
        (partial(half_space, n_variables=3), "seed", "x"),
    ],
)
def test_bad_arguments_are_refused_by_name(make, name, value):
    with pytest.raises(SettingError, match=f"{name}="):
        make(**{"n_rows": 5, "seed": 0, name: value})
