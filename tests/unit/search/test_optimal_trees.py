from __future__ import annotations

import csv
import gzip

import numpy as np
import pytest

from conjunct import BitMatrix
from conjunct.bits import random_bits
from conjunct.datasets import monks
from conjunct.errors import SettingError
from conjunct.search import TreeProblem, optimal_trees, search_tree
from real_data import DATA, needs_data


def problem_of(rows, labels, *, price=1, leaf_cost=1, max_depth=None, **settings):
    cells = BitMatrix.of(rows).pool(labels)
    counts = cells.counts.astype(np.int64)
    sizes = counts.sum(axis=1)
    penalties = price * (sizes[:, None] - counts)
    return TreeProblem(cells.rows, penalties, price * sizes, sizes, leaf_cost, max_depth, **settings)


def random_problem(n_rows=200, n_tests=24, **settings):
    table = random_bits(3, (n_rows, n_tests + 1))
    return problem_of(table[:, 1:], table[:, 0], **settings)


@pytest.mark.parametrize(("problem", "n_leaves"), [(1, 7), (2, 41), (3, 5)])
def test_trees_without_errors_for_the_monks_problems_have_as_many_leaves_as_are_known(problem, n_leaves):
    rows, labels = monks(problem)
    found = search_tree(problem_of(rows, labels, price=433))
    assert found.lower == found.upper == n_leaves


@needs_data
@pytest.mark.parametrize("depth", [3, pytest.param(4, marks=pytest.mark.long), pytest.param(5, marks=pytest.mark.long)])
def test_known_optima_of_real_tables_are_found(depth):
    with (DATA / "cp4im/optima.csv").open() as file:
        lines = [line for line in csv.DictReader(file) if line["max_depth"] == str(depth)]
    assert len(lines) >= 15
    for line in lines:
        with gzip.open(DATA / "cp4im" / f"{line['table']}.txt.gz") as file:
            table = np.loadtxt(file, dtype=np.uint8)
        found = search_tree(problem_of(table[:, 1:], table[:, 0], max_depth=depth))
        assert found.lower == found.upper == int(line["leaves_plus_price_times_errors"]), line["table"]


def test_a_search_is_the_same_every_time_and_without_lemmas():
    problem = random_problem(max_depth=4)
    first, second, bare = (search_tree(problem, keep_lemmas=keep) for keep in (True, True, False))
    assert first.is_optimal
    assert first.lemmas.text == second.lemmas.text != bare.lemmas.text == b""
    assert (first.lower, first.tree, first.n_nodes) == (bare.lower, bare.tree, bare.n_nodes)
    assert list(first.lemmas.lines()) == first.lemmas.text.decode().splitlines()


def test_little_memory_costs_nodes_and_proves_the_same():
    problem = random_problem(max_depth=5)
    free = search_tree(problem, keep_lemmas=False)
    tight = search_tree(problem, memory_limit=1_600_000, keep_lemmas=False)
    assert tight.stats["n_forgotten"] > 0 == free.stats["n_forgotten"]
    assert tight.n_nodes > free.n_nodes
    assert tight.lower == tight.upper == free.lower
    stopped = search_tree(problem, memory_limit=1_300_000)
    assert stopped.stopped_by == "memory"
    assert stopped.lower <= free.lower <= stopped.upper


def test_a_limit_of_nodes_or_time_stops_with_what_is_proved():
    problem = random_problem(n_rows=2000, max_depth=None)
    by_nodes = search_tree(problem, max_nodes=500)
    assert (by_nodes.stopped_by, by_nodes.n_nodes) == ("nodes", 500)
    by_time = search_tree(problem, time_limit=0.01)
    assert by_time.stopped_by == "time"
    assert by_nodes.lower < by_nodes.upper
    assert by_time.lower < by_time.upper


def test_a_stopped_run_under_a_limit_of_depth_has_a_bound_and_a_better_tree_than_shallow_ones(monkeypatch):
    problem, shallow = random_problem(max_depth=6), search_tree(random_problem(max_depth=3))
    without = search_tree(problem, max_nodes=5000)
    monkeypatch.setattr(optimal_trees, "FIRST_PASS_WORK", 1 << 22)
    stopped = search_tree(problem, max_nodes=5000)
    optimum = search_tree(problem, keep_lemmas=False)
    assert without.lower < stopped.lower <= optimum.lower == optimum.upper < stopped.upper < shallow.upper
    assert stopped.lemmas.text.splitlines()[-1].split()[1] == b"any"


def test_pair_counts_of_a_set_prove_parts_that_are_not_looked_into():
    found = search_tree(random_problem(n_tests=10))
    assert found.is_optimal
    assert found.stats["n_counted"] > found.stats["n_shape_bounds"] / 4 > 0


def test_progress_is_told_and_its_errors_end_the_search():
    told = []
    search_tree(random_problem(max_depth=3), progress=lambda lower, upper: told.append((lower, upper)))
    assert told
    assert all(lower <= upper for lower, upper in told)

    def refuse(lower, upper):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        search_tree(random_problem(max_depth=3), progress=refuse)


def test_one_class_and_one_cell_need_one_leaf_and_no_lemma():
    for rows, labels, leaf in ((["01", "10"], [0, 0], -1), (["01", "01", "01"], [0, 1, 1], -2)):
        found = search_tree(problem_of(rows, labels))
        assert found.tree == (leaf,)
        assert len(found.lemmas) == found.n_pairs == found.n_splits == 0
        assert found.stopped_by == "closed"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"penalties": np.zeros((1, 2), int)}, "penalties: expected whole numbers, a row for each of 2 cells"),
        ({"penalties": np.array([[0, 1], [-1, 0]])}, "penalties: expected numbers from 0 on, got -1"),
        ({"penalties": np.zeros((2, 0), int)}, "penalties: expected 1 to 63 classes, got 0"),
        ({"penalties": np.zeros((2, 64), int)}, "penalties: expected 1 to 63 classes, got 64"),
        ({"penalties": np.full((2, 2), 2**61)}, "costs add up to 9.22e\\+18; expected less than 2\\*\\*62"),
        ({"removals": np.array([0.5, 1])}, "removals: expected whole numbers"),
        ({"sizes": np.array([0, 1])}, "sizes: expected numbers from 1 on, got 0"),
        ({"leaf_cost": 0}, "leaf_cost=0: expected a positive integer"),
        ({"max_depth": -1}, "max_depth=-1: expected 0 or a positive integer"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0: expected a positive integer"),
        ({"tests": BitMatrix.of(["01", "01"])}, "tests: two cells have the same row; pool them first"),
        ({"tests": BitMatrix(np.zeros((0, 1), np.uint64), 2)}, "tests: expected at least one cell"),
    ],
)
def test_a_problem_that_makes_no_sense_is_refused(changes, words):
    ones = np.ones(2, np.int64)
    problem = {
        "tests": BitMatrix.of(["01", "10"]),
        "penalties": np.array([[0, 1], [1, 0]]),
        "removals": ones,
        "sizes": ones,
        "leaf_cost": 1,
        "max_depth": 2,
    }
    with pytest.raises(SettingError, match=words):
        TreeProblem(**(problem | changes))


@pytest.mark.parametrize(
    "limit",
    [{"time_limit": 0}, {"max_nodes": 0}, {"memory_limit": 0}, {"keep_lemmas": 1}],
    ids=lambda limit: next(iter(limit)),
)
def test_a_limit_that_makes_no_sense_is_refused(limit):
    with pytest.raises(SettingError, match=f"{next(iter(limit))}="):
        search_tree(random_problem(n_rows=9, n_tests=2), **limit)
