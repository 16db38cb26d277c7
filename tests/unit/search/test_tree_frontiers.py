from __future__ import annotations

import csv
import gzip
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from conjunct import BitMatrix
from conjunct.bits import random_bits
from conjunct.errors import SettingError
from conjunct.search import TreeProblem, search_frontier
from real_data import DATA, needs_data


def problem_of(rows, labels, max_depth):
    cells = BitMatrix.of(rows).pool(labels)
    counts = cells.counts.astype(np.int64)
    sizes = counts.sum(axis=1)
    return TreeProblem(cells.rows, sizes[:, None] - counts, sizes, sizes, 1, max_depth)


def random_problem(max_depth=4):
    table = random_bits(5, (300, 31))
    return problem_of(table[:, 1:], table[:, 0], max_depth)


@needs_data
@pytest.mark.parametrize("depth", [2, 3, pytest.param(4, marks=pytest.mark.long)])
def test_known_optima_of_real_tables_are_the_least_leaves_plus_errors(depth):
    with (DATA / "cp4im/optima.csv").open() as file:
        lines = [line for line in csv.DictReader(file) if line["max_depth"] == str(depth)]
    assert len(lines) >= 15
    for line in lines:
        with gzip.open(DATA / "cp4im" / f"{line['table']}.txt.gz") as file:
            table = np.loadtxt(file, dtype=np.uint8)
        errors = search_frontier(problem_of(table[:, 1:], table[:, 0], depth)).errors
        least = min(n_leaves + n_errors for n_leaves, n_errors in enumerate(errors, 1))
        assert least == int(line["leaves_plus_price_times_errors"]), line["table"]


def test_deeper_trees_have_no_more_errors_and_the_same_where_leaves_are_few():
    lists = [search_frontier(random_problem(depth)).errors for depth in range(5)]
    assert [len(errors) for errors in lists] == [1, 2, 4, 8, 16]
    for shallow, deep in pairwise(lists):
        assert shallow[:2] == deep[: len(shallow[:2])]
        assert all(a >= b for a, b in zip(shallow, deep, strict=False))
    assert lists[3][:4] == lists[4][:4]


def test_little_memory_finds_the_same():
    problem = random_problem()
    free = search_frontier(problem)
    tight = search_frontier(problem, memory_limit=1_300_000)
    assert tight.stats["n_forgotten"] > 0 == free.stats["n_forgotten"]
    assert tight.stats["n_memo_hits"] < free.stats["n_memo_hits"]
    assert (tight.errors, tight.trees) == (free.errors, free.trees)
    stopped = search_frontier(problem, memory_limit=1000)
    assert (stopped.stopped_by, stopped.errors, stopped.trees) == ("memory", (), ())


def test_a_limit_of_time_stops_without_a_claim():
    stopped = search_frontier(random_problem(), time_limit=1e-6)
    assert (stopped.stopped_by, stopped.errors, stopped.trees) == ("time", (), ())


def test_progress_is_told_and_its_errors_end_the_search():
    told = []
    search_frontier(random_problem(), progress=lambda done, n_tests: told.append((done, n_tests)))
    assert told
    assert all(0 <= done <= n_tests == 30 for done, n_tests in told)

    def refuse(done, n_tests):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        search_frontier(random_problem(), progress=refuse)


@pytest.mark.parametrize("depth", [5, None])
def test_depths_that_take_too_long_are_refused(depth):
    with pytest.raises(SettingError, match=f"max_depth={depth}: expected a depth from 0 to 4"):
        search_frontier(replace(random_problem(), max_depth=depth))


@pytest.mark.parametrize("limit", [{"time_limit": 0}, {"memory_limit": 0}], ids=lambda limit: next(iter(limit)))
def test_a_limit_that_makes_no_sense_is_refused(limit):
    with pytest.raises(SettingError, match=f"{next(iter(limit))}="):
        search_frontier(random_problem(1), **limit)
