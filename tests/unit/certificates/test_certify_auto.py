"""Choosing what proves a bound: a search that ends is enough, and where none does, what proves most is returned."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import conjunct
from conjunct.certificates import BoundCertificate, TreeCertificate, certify_auto
from conjunct.certificates.certify_bound import MOST_CELLS, BoundProblem
from conjunct.certificates.certify_lemmas import certify_rows
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.certificates.tree_costs import TreeCosts
from conjunct.errors import MemoryLimitError, SettingError

ROWS = [f"{number:04b}" for number in range(16)]
PARITY = [row.count("1") % 2 for row in ROWS]


@pytest.fixture
def a_search_that_does_not_end(monkeypatch):
    """Lemmas end after their first node, with little more than what is trivial."""

    def cut(table, costs, *, time_limit=None, **settings):
        found = certify_rows(table, costs, max_nodes=1, **settings)
        assert not found.optimal
        return replace(found, stopped_by="time")

    monkeypatch.setattr(certify_auto, "certify_rows", cut)


def noisy_table():
    """Return rows of which one test in twelve matters, a fifth of the labels flipped."""
    random = np.random.default_rng(5)
    rows = random.integers(0, 2, (300, 12))
    return rows, (rows[:, 0] ^ (random.random(300) < 0.2)).astype(int)


def test_a_search_that_ends_is_all_that_is_tried():
    found = conjunct.certify_tree(ROWS, PARITY, max_depth=None, check=False)
    assert type(found) is TreeCertificate
    assert found.optimal
    assert len(found.attempts) == 1
    assert found.attempts[0].startswith(f"lemmas proved {found.bound} in ")


def test_where_the_search_does_not_end_weights_that_prove_more_are_returned(a_search_that_does_not_end):
    rows, labels = noisy_table()
    found = conjunct.certify_tree(rows, labels, max_depth=2)
    assert type(found) is BoundCertificate
    assert found.certified
    assert [attempt.split()[0] for attempt in found.attempts] == ["lemmas", "lemmas", "box", "lp"]
    assert found.form == "lp"
    assert found.bound > found.beside.bound
    best = conjunct.certify_tree(rows, labels, max_depth=2, method="lemmas", check=False)
    assert found.bound <= best.bound


def test_lemmas_on_any_depth_that_prove_more_stand_with_the_tree_of_the_depth(monkeypatch):
    def cut(table, costs, *, max_depth=None, time_limit=None, **settings):
        return certify_rows(table, costs, max_depth=max_depth, max_nodes=1 if max_depth else None, **settings)

    monkeypatch.setattr(certify_auto, "certify_rows", cut)
    rows, labels = noisy_table()
    first = certify_rows(LabelledRows.of(rows, labels), TreeCosts(Fraction(1)), max_depth=2, max_nodes=1)
    found = conjunct.certify_tree(rows[:, :6], labels, max_depth=2)
    deeper = conjunct.certify_tree(rows[:, :6], labels, max_depth=None, check=False)
    assert found.attempts[1].startswith(f"lemmas on any depth proved {deeper.bound} in ")
    assert first.bound < found.bound == deeper.bound
    assert found.certified
    assert found.header["depth"] == 2
    assert found.tree_text().count("\n") <= 8


def test_the_best_tree_of_the_search_stands_beside_a_bound_by_weights(a_search_that_does_not_end):
    rows, labels = noisy_table()
    found = conjunct.certify_tree(rows, labels, max_depth=2, check=False)
    assert found.upper == found.beside.upper
    assert found.witness == found.beside.witness
    assert found.n_leaves == found.beside.n_leaves
    assert found.tree_text() == found.beside.tree_text()
    assert found.gap == found.upper - found.bound


def test_a_bound_by_weights_alone_has_no_tree():
    rows, labels = noisy_table()
    found = conjunct.certify_tree(rows, labels, max_depth=2, method="box", check=False)
    assert found.upper is None
    assert found.witness is None
    assert found.tree_text() == "no tree was looked for"
    assert found.attempts == ()


def test_the_file_of_a_bound_is_the_same_with_a_tree_beside_it_or_without(a_search_that_does_not_end):
    rows, labels = noisy_table()
    found = conjunct.certify_tree(rows, labels, max_depth=2, check=False)
    assert replace(found, beside=None).text() == found.text()


def test_weights_are_not_looked_for_where_they_cannot_be(a_search_that_does_not_end):
    rows, labels = noisy_table()
    for settings in ({"min_samples_leaf": 2}, {"cost_matrix": [[0, 1], [2, 0]]}):
        found = conjunct.certify_tree(rows, labels, max_depth=2, check=False, **settings)
        assert type(found) is TreeCertificate
        assert all(attempt.startswith("lemmas") for attempt in found.attempts)


def test_what_is_predicted_to_take_too_long_is_named_and_not_tried(a_search_that_does_not_end, monkeypatch):
    monkeypatch.setattr(certify_auto, "predicted_seconds", lambda problem, method: 1e6 if method == "lp" else 0.0)
    rows, labels = noisy_table()
    found = conjunct.certify_tree(rows, labels, max_depth=2, check=False)
    assert found.form == "box"
    assert found.attempts[3].startswith("lp was not tried: 1e+06 s predicted, ")


def test_more_cells_and_more_tests_are_predicted_to_take_longer():
    def problem(n_rows, n_tests, depth):
        rows = (np.arange(n_rows)[:, None] >> np.arange(n_tests)) & 1
        return BoundProblem.of(LabelledRows.of(rows, rows[:, 0]), Fraction(1), depth)

    small = problem(64, 20, 2)
    for method, larger in (("box", problem(128, 20, 2)), ("lp", problem(128, 20, 2)), ("lp", problem(64, 30, 2))):
        assert certify_auto.predicted_seconds(small, method) < certify_auto.predicted_seconds(larger, method)
    assert certify_auto.predicted_seconds(problem(MOST_CELLS + 1, 20, 2), "box") == float("inf")


def test_with_a_number_of_nodes_lemmas_are_all_that_is_tried():
    rows, labels = noisy_table()
    found = conjunct.certify_tree(rows, labels, max_depth=3, max_nodes=1, check=False)
    same = conjunct.certify_tree(rows, labels, max_depth=3, max_nodes=1, method="lemmas", check=False)
    assert found.attempts == ()
    assert found.text() == same.text()


def test_a_limit_of_no_time_is_refused():
    with pytest.raises(SettingError, match="time_limit"):
        conjunct.certify_tree(ROWS, PARITY, time_limit=0)


def test_costs_of_rows_are_those_of_weights_too(a_search_that_does_not_end):
    rows, labels = noisy_table()
    weights = [Fraction(1 + k % 3, 2) for k in range(len(labels))]
    found = conjunct.certify_tree(rows, labels, max_depth=2, sample_weight=weights)
    assert found.certified
    assert type(found) is BoundCertificate
    table = LabelledRows.of(rows, labels).with_costs(tuple(weights))
    assert found.bound <= certify_rows(table, TreeCosts(Fraction(1)), max_depth=2).bound


def test_weights_beyond_the_memory_leave_what_lemmas_proved(a_search_that_does_not_end, monkeypatch):
    def beyond(*parts, **settings):
        raise MemoryLimitError("the pairs need 9 GiB, limit is 8 GiB; use fewer rows")

    monkeypatch.setattr(certify_auto, "bound_of_rows", beyond)
    monkeypatch.setattr(certify_auto, "linear_bound", beyond)
    rows, labels = noisy_table()
    found = conjunct.certify_tree(rows, labels, max_depth=2, check=False)
    assert type(found) is TreeCertificate
    assert found.attempts[2] == "then memory ran out: the pairs need 9 GiB, limit is 8 GiB; use fewer rows"
