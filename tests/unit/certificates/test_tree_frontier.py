from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise, product
from random import Random
from typing import Any

import numpy as np
import pytest

import conjunct
from conjunct import TreeCertificate, TreeFrontier, certify_tree, check, tree_frontier
from conjunct.bits import random_bits
from conjunct.certificates import certify_frontier
from conjunct.errors import CertificateError, SettingError
from conjunct.reports import draw_frontier
from conjunct.search import FrontierSearch
from conjunct.theory import least_errors
from reference.random_tables import random_table

MAJORITY = [f"{number:03b}" for number in range(8)]
VOTES = [int(row.count("1") >= 2) for row in MAJORITY]
NOISE = random_bits(8, (60, 7))


@pytest.mark.parametrize("seed", range(40))
def test_errors_are_the_least_over_all_trees_whatever_they_cost(seed: int) -> None:
    random = Random(seed)
    table = random_table(random)
    while len(set(table.labels)) < table.n_classes or not table.n_tests:
        table = random_table(random)
    depth = random.randint(0, 4)
    costs = table.costs or (Fraction(1),) * len(table.rows)
    penalties = [
        [cost * (table.matrix[y][k] if table.matrix else y != k) for k in range(table.n_classes)]
        for y, cost in zip(table.labels, costs, strict=True)
    ]
    found = tree_frontier(
        table.rows,
        table.labels,
        depth,
        sample_weight=table.costs,
        cost_matrix=table.matrix,
        min_samples_leaf=table.least_rows,
        check=seed < 4,
    )
    rows = [list(map(int, row)) for row in table.rows]
    truth = least_errors(rows, penalties, depth, None, table.least_rows)
    assert list(found.errors.values()) == truth
    assert list(found.errors) == list(range(1, 2**depth + 1))
    assert (found.exact, found.certified) == (True, seed < 4)
    for most_leaves in range(1, 2**depth + 2):
        nodes = found.tree_nodes(most_leaves)
        assert sum(node < 0 for node in nodes) <= most_leaves
        assert cost_of(nodes, rows, penalties) == truth[min(most_leaves, 2**depth) - 1]
    for value in {*truth, truth[0] + 1}:
        assert found.leaves(value) == next(n for n, errors in enumerate(truth, 1) if errors <= value)
    assert found.leaves(truth[-1] / 2) is (None if truth[-1] else found.leaves(0))


def cost_of(nodes: tuple[int, ...], rows: list[list[int]], penalties: list[list[Fraction]]) -> Fraction:
    todo, total = [list(range(len(rows)))], Fraction(0)
    for node in nodes:
        here = todo.pop()
        if node >= 0:
            todo += [[i for i in here if rows[i][node] == side] for side in (0, 1)]
        else:
            total += sum(penalties[i][-1 - node] for i in here)
    return total


def test_the_file_lists_all_bounds_and_announces_the_pairs() -> None:
    found = tree_frontier(MAJORITY, VOTES, check=False)
    first, end, last = found.text().split("\n")
    header = json.loads(first)
    assert (header["kind"], header["depth"], header["price"]) == ("frontier", 3, "1")
    assert (header["upper"], header["witness"]) == (None, None)
    assert header["lower"] == ["4", "2", "2", "1", "1", "0", "0", "0"]
    assert (end, last) == ("end 0 27 0", "")
    assert [tree_frontier(MAJORITY, VOTES, d, check=False).certificates[0].n_pairs for d in range(5)] == [
        0,
        0,
        9,
        27,
        81,
    ]


def test_equal_splits_count_once() -> None:
    rows = [row + row[0] + str(1 - int(row[1])) + "1" for row in MAJORITY]
    assert tree_frontier(rows, VOTES, check=False).certificates[0].n_pairs == 27


def test_a_frontier_is_checked_saved_and_loaded(tmp_path: Any) -> None:
    found = tree_frontier(MAJORITY, VOTES)
    assert found.certified
    assert found.check_seconds is not None
    assert found.save(tmp_path / "f.gz") == (str(tmp_path / "f.gz"),)
    again = TreeFrontier.load(tmp_path / "f.gz")
    assert (dict(again.errors), again.claim, again.certified) == (dict(found.errors), found.claim, False)
    assert again.text() == found.text()
    claim = check(tmp_path / "f.gz", MAJORITY, VOTES)
    assert claim == check(found, MAJORITY, VOTES) == check(again, tmp_path / "f.gz.rows.gz") == found.claim
    with pytest.raises(CertificateError, match="a frontier that was loaded has no trees"):
        again.tree(2)
    with pytest.raises(CertificateError, match=r"the claim is of the kind frontier, expected tree or partition"):
        TreeCertificate.load(tmp_path / "f.gz")
    certify_tree(MAJORITY, VOTES, check=False).save(tmp_path / "t")
    with pytest.raises(CertificateError, match="expected a frontier, this is the certificate of one price"):
        TreeFrontier.load(tmp_path / "t")


def test_a_frontier_of_other_rows_or_with_another_number_is_rejected(tmp_path: Any) -> None:
    found = tree_frontier(MAJORITY, VOTES, check=False)
    with pytest.raises(CertificateError, match="digest"):
        check(found, MAJORITY, [1 - vote for vote in VOTES])
    found.save(tmp_path / "f")
    for wrong in ('"2","2","2"', '"1","1","1"', '"2","2","0"'):
        (tmp_path / "g").write_text(found.text().replace('"2","2","1"', wrong))
        with pytest.raises(CertificateError, match="rejected"):
            check(tmp_path / "g", tmp_path / "f.rows.gz")


def test_a_frontier_prints_as_a_table() -> None:
    lines = str(tree_frontier(MAJORITY, VOTES, 2)).splitlines()
    assert lines[:5] == [
        "leaves  least errors",
        "     1             4",
        "     2             2",
        "     3             2",
        "     4             2",
    ]
    assert lines[-1] == "exact (certified)"
    with_costs = tree_frontier(MAJORITY, VOTES, 1, sample_weight=[0.5] * 8, check=False)
    assert with_costs.lines() == [
        "leaves  least cost of errors",
        "     1                     2",
        "     2                     1",
    ]


def test_trees_are_formulas_or_drawn() -> None:
    found = tree_frontier(MAJORITY, VOTES, check=False)
    assert str(found.tree(2)) == "x1 ? 1 : 0"
    tree = found.tree(8)
    assert tree is not None
    assert tree.n_leaves == 6  # no more than it takes
    assert [tree.value(dict(zip(("x1", "x2", "x3"), map(int, row), strict=True))) for row in MAJORITY] == VOTES
    assert found.tree_text(2).splitlines()[0] == "x1?"
    three = tree_frontier(["00", "01", "10", "11"], ["a", "b", "c", "c"], check=False)
    assert three.tree(3) is None
    assert "├── yes: c (2 rows)" in three.tree_text(3)


def test_forced_errors_are_named_and_no_leaves_avoid_them() -> None:
    found = tree_frontier(["0", "0", "0", "1"], [0, 0, 1, 1])
    assert (found.forced_errors, dict(found.errors)[2]) == (1, 1)
    assert (found.leaves(1), found.leaves(), found.leaves("1/2")) == (2, None, None)


def test_one_class_needs_one_leaf() -> None:
    found = tree_frontier(["01", "10"], [1, 1])
    assert set(found.errors.values()) == {0}
    assert (found.leaves(), found.certified) == (1, True)


@pytest.mark.parametrize("depth", [5, None])
def test_beyond_depth_4_there_are_bounds_by_prices(depth: int | None, tmp_path: Any) -> None:
    rows, labels = NOISE[:, 1:], NOISE[:, 0]
    found = tree_frontier(rows, labels, depth)
    assert (found.exact, found.certified, found.max_depth) == (False, True, depth)
    shallow, *bounds = found.certificates
    assert (shallow.kind, shallow.max_depth) == ("frontier", 3)
    assert all(isinstance(certificate, TreeCertificate) for certificate in bounds)
    prices = [Fraction(certificate.header["price"]) for certificate in bounds]
    ladder = [price for price in prices if (price.numerator * price.denominator).bit_count() == 1]
    assert all(b == 2 * a for a, b in pairwise(ladder))
    assert (prices, prices[-1]) == (sorted(prices), 4)
    penalties = np.stack([labels, 1 - labels], axis=1).tolist()
    truth = least_errors(rows.tolist(), penalties, 5 if depth else 6)
    tight = 0
    for n_leaves, bound in found.errors.items():
        assert bound <= truth[n_leaves - 1] <= found.known_errors(n_leaves)
        assert cost_of(found.tree_nodes(n_leaves), rows.tolist(), penalties) == found.known_errors(n_leaves)
        tight += bound == truth[n_leaves - 1]
    assert tight > 5  # beside the exact ones, the corners of the frontier that a price reaches
    assert [found.errors[n] for n in range(1, 5)] == truth[:4]
    for most in range(truth[0] + 1):
        least = next((n for n, errors in enumerate(truth, 1) if errors <= most), None)
        proved = found.leaves(most)
        assert (proved is None) == (most < found.forced_errors)
        assert proved is None or least is None or proved <= least
    assert "makes at least so many errors, by its number of leaves: 1: " in found.claim
    assert str(found).splitlines()[0] == "leaves  errors at least  best known tree"
    assert str(found).splitlines()[-1] == "bounds (certified)"
    assert check(found, rows, labels).count("has leaves + ") == len(prices)
    with pytest.raises(CertificateError, match=f"bounds are {len(prices) + 1} files"):
        found.text()
    files = found.save(tmp_path / "b.gz")
    assert files == tuple(str(tmp_path / f"b.{k + 1}.gz") for k in range(len(prices) + 1))
    assert TreeCertificate.load(files[2]).text() == found.certificates[2].text()


def test_prices_between_those_of_the_ladder_are_those_at_which_best_trees_cost_the_same() -> None:
    rows = [f"{number:05b}" for number in range(32)]
    labels = [int(row.count("1") >= 3) for row in rows]
    found = tree_frontier(rows, labels, None, check=False)
    truth = least_errors([list(map(int, row)) for row in rows], [[y, 1 - y] for y in labels], 5, None, 1)
    prices = [own.error_price for own in found.certificates if isinstance(own, TreeCertificate)]
    assert prices == sorted(set(prices))
    assert any(price.numerator != 1 and price.denominator != 1 for price in prices)
    # The exact points of the lower convex hull: every other number of leaves has at least what lies on its edges.
    points = list(enumerate(truth, start=1))
    hull = [points[0]]
    while hull[-1][1] > 0:
        leaves, errors = hull[-1]
        slopes = {(n, e): Fraction(e - errors, n - leaves) for n, e in points if n > leaves and e < errors}
        hull.append(max((slope, n, e) for (n, e), slope in slopes.items() if slope == min(slopes.values()))[1:])
    assert len(hull) > 3
    for leaves, errors in hull:
        assert found.errors[leaves] == errors
    assert all(value <= truth[n - 1] for n, value in found.errors.items())


def test_a_frontier_is_written_as_csv_and_drawn_the_same_each_time() -> None:
    exact = tree_frontier(MAJORITY, VOTES, 2, check=False)
    assert exact.to_csv() == "leaves,errors,known_errors\n1,4,4\n2,2,2\n3,2,2\n4,2,2\n"
    loaded = TreeFrontier(exact.certificates)
    assert loaded.to_csv().splitlines()[1] == "1,4,"
    for frontier in (exact, loaded, tree_frontier(MAJORITY, VOTES, None, check=False)):
        picture = draw_frontier(frontier)
        assert picture.startswith(b"<?xml")
        assert picture == draw_frontier(frontier)
        assert draw_frontier(frontier, "png").startswith(b"\x89PNG")


def test_more_leaves_than_the_bounds_are_about_may_have_fewer_errors() -> None:
    rows, labels = NOISE[:, 1:], NOISE[:, 0]
    shallow = tree_frontier(rows, labels, 3, check=False)
    for depth, least in [(None, 5), (10**9 - 1, 5), (2, None)]:
        weak = certify_tree(rows, labels, max_depth=depth, max_nodes=1, error_price="1/100", check=False)
        found = TreeFrontier((*shallow.certificates, weak))
        assert min(found.errors.values()) > shallow.errors[8]
        assert (len(found.errors), found.leaves(shallow.errors[8])) == (4, least)


@pytest.mark.parametrize("has_list", [False, True])
def test_where_the_exact_list_takes_too_long_there_are_bounds(monkeypatch: pytest.MonkeyPatch, has_list: bool) -> None:
    search, stopped = certify_frontier.search_frontier, FrontierSearch((), (), 30, "time", {})
    depths = (3,) if has_list else ()  # those that do not take too long
    monkeypatch.setattr(
        certify_frontier, "search_frontier", lambda p, **kw: search(p, **kw) if p.max_depth in depths else stopped
    )
    table = random_bits(5, (300, 31))
    found = tree_frontier(table[:, 1:], table[:, 0], 4, time_limit=2, check=False)
    assert not found.exact
    assert max(found.errors) <= 16
    assert found.certificates[0].max_depth == (3 if has_list else 4)
    monkeypatch.undo()
    truth = tree_frontier(table[:, 1:], table[:, 0], 4, check=False)
    assert found.errors[1] == truth.errors[1]
    assert found.errors[4] == truth.errors[4] or not has_list
    assert all(errors <= truth.errors[n] <= found.known_errors(n) for n, errors in found.errors.items())


def test_weights_too_far_apart_are_rounded_and_listed() -> None:
    weights = [Fraction(1, prime) for prime in (3, 5, 7, 11, 13, 10**5 + 3, 10**6 + 3, 10**9 + 7)]
    found = tree_frontier(MAJORITY, VOTES, sample_weight=weights)
    assert found.certified
    assert found.certificates[0].header["row_costs"] != list(map(str, weights))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"max_depth": -1}, "max_depth=-1"),
        ({"max_depth": 2.5}, "max_depth=2.5"),
        ({"time_limit": 0}, "time_limit=0"),
        ({"memory_limit": 0}, "memory_limit=0"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0"),
        ({"min_samples_leaf": 2**63}, "min_samples_leaf=9223372036854775808"),
        ({"check": "yes"}, "check="),
        ({"cost_matrix": [[0]]}, "cost_matrix: expected 2 lines"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingError, match=words):
        tree_frontier(MAJORITY, VOTES, **settings)


def test_numbers_that_make_no_sense_are_refused() -> None:
    found = tree_frontier(MAJORITY, VOTES, check=False)
    with pytest.raises(SettingError, match="max_errors"):
        found.leaves("many")
    with pytest.raises(SettingError, match="max_leaves=0"):
        found.tree(0)


def test_the_names_are_public() -> None:
    assert conjunct.tree_frontier is tree_frontier
    assert conjunct.TreeFrontier is TreeFrontier
    for rows, depth in product((MAJORITY, np.array([list(map(int, row)) for row in MAJORITY])), (0, 4)):
        assert len(tree_frontier(rows, VOTES, depth, check=False).errors) == 2**depth
