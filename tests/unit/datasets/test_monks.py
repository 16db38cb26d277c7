from __future__ import annotations

import gzip

import numpy as np
import pytest

from conjunct.datasets import monks
from conjunct.errors import SettingError
from conjunct.logic import parse
from real_data import DATA, needs_data

SIZES = (3, 3, 2, 3, 4, 2)


def codes(table):
    """Value of each column, counted from 1 as the published files do."""
    parts = np.split(table.rows.to_array(), np.cumsum(SIZES)[:-1], axis=1)
    assert all((part.sum(axis=1) == 1).all() for part in parts)
    return [tuple(row) for row in np.column_stack([part.argmax(axis=1) + 1 for part in parts]).tolist()]


@pytest.mark.parametrize(("problem", "n_positive"), [(1, 216), (2, 142), (3, 228)])
def test_each_problem_has_its_number_of_positives(problem, n_positive):
    table = monks(problem)
    assert table.name == f"monks-{problem}"
    assert (table.rows.n_rows, table.rows.n_variables) == (432, 17)
    assert table.labels.dtype == np.int64
    assert table.labels.sum() == n_positive


def test_variables_have_the_published_names():
    assert monks(1).rows.names == (
        *("head_shape=round", "head_shape=square", "head_shape=octagon"),
        *("body_shape=round", "body_shape=square", "body_shape=octagon"),
        *("is_smiling=yes", "is_smiling=no"),
        *("holding=sword", "holding=balloon", "holding=flag"),
        *("jacket_color=red", "jacket_color=yellow", "jacket_color=green", "jacket_color=blue"),
        *("has_tie=yes", "has_tie=no"),
    )


def test_rows_run_through_all_robots_with_the_last_column_fastest():
    rows = codes(monks(1))
    assert rows == sorted(set(rows))
    assert rows[:2] == [(1, 1, 1, 1, 1, 1), (1, 1, 1, 1, 1, 2)]
    assert rows[-1] == (3, 3, 2, 3, 4, 2)


def test_labels_follow_the_published_rules():
    for problem in (1, 2, 3):
        table = monks(problem)
        for (head, body, smile, holding, jacket, tie), label in zip(codes(table), table.labels.tolist(), strict=True):
            expected = {
                1: head == body or jacket == 1,
                2: [head, body, smile, holding, jacket, tie].count(1) == 2,
                3: (jacket == 3 and holding == 1) or (jacket != 4 and body != 3),
            }[problem]
            assert label == expected


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_target_formulas_give_the_labels(problem):
    table = monks(problem)
    assert parse(table.target, table.rows.names).evaluate(table.rows).tolist() == (table.labels == 1).tolist()


@needs_data
@pytest.mark.parametrize("problem", [1, 2])
def test_the_published_test_file_is_the_same_table(problem):
    with gzip.open(DATA / "uci" / f"monks-{problem}.test.arff.gz", "rt") as file:
        published = [tuple(map(int, line.split(","))) for line in file if line[0].isdigit()]
    table = monks(problem)
    assert [(label, *row) for label, row in zip(table.labels.tolist(), codes(table), strict=True)] == published


@pytest.mark.parametrize("problem", [0, 4, "1", 1.0])
def test_another_problem_is_refused(problem):
    with pytest.raises(SettingError) as caught:
        monks(problem)
    assert f"problem={problem!r}" in str(caught.value)
