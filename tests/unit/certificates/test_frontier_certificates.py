"""Frontiers: the checker finds the least errors of every number of leaves, and accepts no other list."""

import json
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from conjunct.certificates import checker
from conjunct.certificates.explanation import explain, explanation_lines
from parts import parts
from reference.naive_checker import naive_check
from reference.plain_frontiers import frontier_text, least_errors
from reference.plain_trees import PlainTable, canonical_text
from reference.random_tables import function_of_three, random_table
from reference.tampering import changed_numbers, forged_frontiers, is_true, outcome, spoiled, truncated


def files_of(table, depth, /, **changes):
    return frontier_text(table, depth, **changes).encode(), canonical_text(table).encode()


def accepted(files):
    """Hold the checkers against each other and what they accept against all trees; return whether they accept."""
    code, said = outcome(checker, files)
    naive = naive_check(*files)
    assert naive.accepted == (code == 0), (files, code, said, naive)
    if code == 0:
        assert said.lower == naive.lower, files
        assert is_true(files), files
    return code == 0


def refusal(files):
    assert not naive_check(*files).accepted
    return outcome(checker, files)


@pytest.mark.parametrize("part", parts(16, quick=1))
def test_frontiers_of_all_functions_of_three_variables_are_those_of_all_trees(part):
    for number in range(part, 256, 16):
        for depth in range(5):
            assert accepted(files_of(function_of_three(number, Fraction(1)), depth)), (number, depth)


@pytest.mark.parametrize("part", parts(12, quick=1))
def test_frontiers_of_random_tables_are_those_of_all_trees(part):
    random, drawn = Random(part), set()
    for _ in range(100):
        table = replace(random_table(random), price=Fraction(1))
        assert accepted(files_of(table, random.choice([0, 1, 2, 3, 3, 4, 4]))), table
        drawn.add((table.n_classes == 2, table.least_rows == 1, table.costs is None, table.matrix is None))
    assert len(drawn) > 10


@pytest.mark.parametrize("n_groups", [0, 16])
@pytest.mark.parametrize("depth", [2, 3, 4])
def test_rows_of_many_costs_count_like_rows_of_few(monkeypatch, n_groups, depth):
    monkeypatch.setattr(checker, "MOST_COST_GROUPS", n_groups)
    random = Random(depth)
    for _ in range(12):
        table = replace(random_table(random, most_tests=4), price=Fraction(1))
        assert accepted(files_of(table, depth))


@pytest.mark.parametrize("part", parts(10, quick=1))
def test_no_forged_frontier_passes(part):
    verdicts = [accepted(files) for files in forged_frontiers(Random(part), 330)]
    assert 20 < sum(verdicts) < 160  # what is still true passes


@pytest.mark.parametrize("part", parts(6, quick=1))
@pytest.mark.parametrize("change", [truncated, changed_numbers, spoiled])
def test_no_changed_file_is_read_as_another_frontier(part, change):
    random = Random(part)
    table = replace(random_table(random, most_tests=3, most_rows=8), price=Fraction(1))
    files = files_of(table, random.choice([1, 2, 3]))
    assert accepted(files)
    verdicts = [accepted(own) for own in (change(files, random) if change is spoiled else change(files))]
    assert len(verdicts) > 100
    assert sum(verdicts) < len(verdicts) / 6


XOR = PlainTable(("00", "01", "10", "11"), (0, 1, 1, 0))


@pytest.mark.parametrize(
    ("changes", "code", "words"),
    [
        ({"lower": ["2", "2", "1", "1"]}, 1, "2, 2, 1, 0 is proved, not the 2, 2, 1, 1 of the header"),
        ({"lower": ["2", "2", "1"]}, 1, "2, 2, 1, 0 is proved, not the 2, 2, 1 of the header"),
        ({"lower": []}, 1, "2, 2, 1, 0 is proved, not the  of the header"),
        ({"lower": "0"}, 2, "the header's lower is not as the format says"),
        ({"kind": "tree"}, 2, "the header's lower is not as the format says"),
        ({"depth": 5}, 2, "the header's depth is not as the format says"),
        ({"depth": "any"}, 2, "the header's depth is not as the format says"),
        ({"price": "2"}, 2, "the header's price is not as the format says"),
        ({"price": None}, 2, "the header's price is not as the format says"),
        ({"upper": "0"}, 2, "the header's upper is not as the format says"),
        ({"witness": [-1]}, 2, "the header's witness is not as the format says"),
        ({"end": "end 0 3 0"}, 1, "its end line must be: end 0 4 0"),
        ({"end": "end 0 5 0"}, 1, "its end line must be: end 0 4 0"),
        ({"end": "end 0 4 1"}, 1, "its end line must be: end 0 4 0"),
        ({"lemmas": ("E 1 1",)}, 1, "its end line must be: end 0 4 0"),
    ],
)
def test_a_frontier_is_refused_with_its_reason(changes, code, words):
    assert outcome(checker, files_of(XOR, 2))[0] == 0
    assert refusal(files_of(XOR, 2, **changes)) == (code, words)


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4])
def test_the_end_line_announces_the_distinct_splits_to_the_power_of_the_depth(depth):
    function = function_of_three(150, Fraction(1))
    table = replace(
        function, rows=tuple(f"{row}{1 - int(row[1])}1" for row in function.rows)
    )  # three splits by five tests
    n_pairs = 3**depth if depth > 1 else 0
    assert outcome(checker, files_of(table, depth, end=f"end 0 {n_pairs} 0"))[0] == 0
    assert refusal(files_of(table, depth, end=f"end 0 {n_pairs + 1} 0"))[0] == 1


def test_too_few_rows_for_a_leaf_are_no_split():
    table = PlainTable(tuple(f"{k:03b}" for k in range(8)), (0, 0, 0, 1, 0, 1, 1, 1), least_rows=2)
    assert least_errors(table, 3)[-1] > 0 == least_errors(replace(table, least_rows=1), 3)[-1]
    assert accepted(files_of(table, 3))
    assert not accepted(files_of(table, 3, lower=list(map(str, least_errors(replace(table, least_rows=1), 3)))))


def test_processes_share_the_first_tests_of_a_frontier():
    random = Random(3)
    for depth in (2, 3, 4):
        for least_rows in (1, 2):
            table = replace(random_table(random, most_rows=12), price=Fraction(1), least_rows=least_rows)
            files = files_of(table, depth)
            assert outcome(checker, files, jobs=2)[0] == outcome(checker, files, jobs=7)[0] == 0
            header = json.loads(files[0].split(b"\n")[0])
            header["lower"][-1] = str(Fraction(header["lower"][-1]) + 1)
            assert outcome(checker, files_of(table, depth, lower=header["lower"]), jobs=2)[0] == 1


def test_a_frontier_is_said_in_sentences():
    [claim, rows] = checker.sentences(outcome(checker, files_of(XOR, 2))[1])
    assert claim == (
        "Every decision tree over these 2 yes/no tests, of depth at most 2, with at most L leaves has at least E errors"
        " on these 4 rows, for L: E = 1: 2, 2: 2, 3: 1, 4: 0."
    )
    assert rows.startswith("The rows are canonical rows")
    weighed = PlainTable(XOR.rows, XOR.labels, costs=(Fraction(1, 2),) * 4)
    [claim, _] = checker.sentences(outcome(checker, files_of(weighed, 1, min_samples_leaf=1))[1])
    assert claim.endswith("has at least E cost of errors on these 4 rows, for L: E = 1: 1, 2: 1.")


def test_a_frontier_is_explained_by_its_table(tmp_path):
    for table, errors in ((XOR, "errors"), (replace(XOR, costs=(Fraction(1),) * 4), "cost of errors")):
        certificate, rows = tmp_path / "certificate", tmp_path / "rows"
        certificate.write_text(frontier_text(table, 2))
        rows.write_text(canonical_text(table))
        header = checker.check(str(certificate), str(rows)).header
        tests = explain(checker.SHARED[0])
        assert tests == []
        lines = explanation_lines(tests, header)
        assert lines[1:] == [f"  leaves  {errors}", "       1  2", "       2  2", "       3  1", "       4  0"]
