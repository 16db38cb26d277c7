from __future__ import annotations

import gzip
import os
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import inf
from pathlib import Path

import numpy as np
import pytest

import conjunct
from conjunct import TreeCertificate, certify_tree, check
from conjunct.bits import random_bits
from conjunct.bits.limits import limiting_threads
from conjunct.certificates.certify import jobs_for
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.certificates.tree_costs import LARGEST_COST, TreeCosts
from conjunct.errors import BitsError, CertificateError, SettingError
from reference.plain_trees import PlainTable, PlainTrees

MAJORITY = [f"{number:03b}" for number in range(8)]
VOTES = [int(row.count("1") >= 2) for row in MAJORITY]


def random_table(seed: int, n_classes: int = 2) -> PlainTable:
    draw = np.random.default_rng(seed)
    n_tests, n_rows = draw.integers(1, 6), draw.integers(2, 16)
    rows = tuple("".join(map(str, draw.integers(0, 2, n_tests))) for _ in range(n_rows))
    labels = (*range(n_classes), *draw.integers(0, n_classes, n_rows).tolist())[:n_rows]
    return PlainTable(rows, tuple(labels), max(labels) + 1)


@pytest.mark.parametrize("depth", [0, 1, 2, 3, 4, None])
def test_the_cheapest_tree_is_certified_at_every_depth_and_price(depth: int | None) -> None:
    for seed, price in product(range(4), [Fraction(1, 4), 1, Fraction(5, 3), 8, None]):
        plain = random_table(seed, 2 + seed % 3)
        table = PlainTable(plain.rows, plain.labels, plain.n_classes, None if price is None else Fraction(price))
        cost, _ = PlainTrees(table).best(frozenset(range(len(table.rows))), inf if depth is None else depth)
        found = certify_tree(table.rows, table.labels, max_depth=depth, error_price=price, check=seed == 0)
        assert found.optimal
        assert found.certified == (seed == 0)
        assert found.bound == cost
        if price is None and cost > len(table.rows):
            assert found.is_impossible
            assert found.witness is None
            assert "is without errors" in found.claim
        else:
            assert found.upper == cost
            assert found.gap == 0


def test_the_witness_has_the_leaves_and_errors_of_the_claim() -> None:
    found = certify_tree(MAJORITY, VOTES, error_price=3, check=False)
    assert found.witness is not None
    assert found.witness.n_errors(conjunct.BitMatrix.of(MAJORITY), VOTES) == found.n_errors == 0
    assert found.witness.n_leaves == found.n_leaves == found.bound == 6
    lines = found.tree_text().splitlines()
    assert lines[0] == f"{found.tests[found.header['witness'][0]]}?"
    assert lines[2].endswith(("0 (2 rows)", "1 (2 rows)"))


def test_what_the_bound_says_about_leaves_and_errors() -> None:
    found = certify_tree(MAJORITY, VOTES, error_price=2, check=False)
    assert [found.min_leaves(errors) for errors in range(4)] == [6, 4, 2, 1]
    assert [found.min_errors(leaves) for leaves in range(1, 8)] == [3, 2, 2, 1, 1, 0, 0]
    none = certify_tree(MAJORITY, VOTES, error_price=None, check=False)
    assert (none.min_leaves(), none.min_leaves(1), none.min_errors(5), none.min_errors(6)) == (6, 1, 1, 0)


def test_without_errors_the_least_cost_of_one_is_that_of_the_cheapest_row() -> None:
    found = certify_tree(["0", "1", "1"], [0, 1, 1], error_price=None, sample_weight=["1/4", 2, 2])
    assert (found.min_errors(1), found.min_errors(2)) == (Fraction(1, 4), 0)  # a leaf of class 1 costs 1/4


def test_a_claim_can_be_quoted() -> None:
    rows = [*MAJORITY, "000"]
    found = certify_tree(rows, [*VOTES, 1], max_depth=2, check=False)
    assert found.n_leaves == 1
    assert found.claim.splitlines() == [
        "Every decision tree over these 3 yes/no tests, of depth at most 2, has leaves + errors >= 5 on these 9 rows.",
        f"The tree in the certificate has {found.n_leaves} leaves and costs 5: no such tree costs less.",
        "The rows are canonical rows, whose digest the certificate names; it does not name their table.",
        "No decision tree over these 3 yes/no tests, of depth at most 2 and with at most 1 leaf, "
        f"makes {found.n_errors - 1} errors or fewer on these 9 rows.",
    ]
    assert str(found).endswith("optimal (not certified)")


def test_saved_and_loaded_it_is_the_same_and_is_checked_from_its_files(tmp_path) -> None:
    for name in ("majority.certificate", "majority.certificate.gz"):
        found, path = certify_tree(MAJORITY, VOTES, error_price=2, check=False), tmp_path / name
        found.save(path)
        again = TreeCertificate.load(path)
        assert (again.header, again.lemmas, again.claim) == (found.header, found.lemmas, found.claim)
        assert (again.certified, again.rows) == (False, None)
        assert check(path, f"{path}.rows.gz").splitlines()[0] == found.claim.splitlines()[0]
        assert check(path, MAJORITY, VOTES) == check(again, MAJORITY, VOTES) == check(found, MAJORITY, VOTES, jobs=2)
    assert gzip.decompress(path.read_bytes()).decode() == found.text()


def test_a_certificate_is_loaded_from_a_pipe_with_all_its_lemmas() -> None:
    for depth in (2, 3, 4, None):
        table = random_bits(depth or 5, (40, 7))
        found = certify_tree(table[:, 1:], table[:, 0], max_depth=depth, check=False)
        assert found.lemmas
        reading, writing = os.pipe()
        os.write(writing, found.text().encode())  # shorter than what a pipe holds
        os.close(writing)
        assert TreeCertificate.load(f"/dev/fd/{reading}").text() == found.text()
        os.close(reading)


def test_more_processes_than_the_checker_takes_are_refused() -> None:
    found = certify_tree(MAJORITY, VOTES, check=False)
    with pytest.raises(SettingError, match="jobs=1001: expected an integer from 1 to 1000"):
        check(found, MAJORITY, VOTES, jobs=1001)


def test_more_classes_than_the_search_takes_are_named() -> None:
    rows = [f"{number:06b}" for number in range(64)]
    assert certify_tree(rows, [0, *range(63)], max_depth=2).certified
    with pytest.raises(SettingError, match="the labels are 64 classes; trees are found for at most 63"):
        certify_tree(rows, range(64), max_depth=2)


def test_other_rows_other_labels_and_other_names_are_rejected() -> None:
    found = certify_tree(MAJORITY, VOTES, error_price=2)
    for rows, labels in [
        (MAJORITY[::-1], VOTES),
        (MAJORITY, [1 - vote for vote in VOTES]),
        (conjunct.BitMatrix.of(MAJORITY, ["a", "b", "c"]), VOTES),
        (MAJORITY[1:], VOTES[1:]),
    ]:
        with pytest.raises(CertificateError, match="rejected") as refusal:
            check(found, rows, labels)
        assert refusal.value.code == 1
    with pytest.raises(CertificateError, match="X has 2 variables, the certificate is about 3 tests"):
        check(found, ["00", "11"], [0, 1])
    with pytest.raises(CertificateError, match="the label 'no' is no class"):
        check(found, MAJORITY, ["no"] * 8)


def test_a_check_dearer_than_its_limit_is_not_begun(tmp_path) -> None:
    found = certify_tree(MAJORITY, VOTES, error_price=2)
    dear = TreeCertificate(found.header, found.lemmas, 10**15, found.n_splits)
    with pytest.raises(CertificateError, match=r"not checked: about \d+ s predicted, the limit is 600") as refusal:
        check(dear, MAJORITY, VOTES)
    assert refusal.value.code == 3


def test_a_short_check_takes_one_process_and_a_long_one_all_threads() -> None:
    certificate = certify_tree(MAJORITY, VOTES, check=False)
    assert jobs_for(certificate) == 1
    with limiting_threads(3):
        assert jobs_for(replace(certificate, n_pairs=10**6)) == 3
    with limiting_threads(99):
        assert jobs_for(replace(certificate, n_pairs=10**6)) == 8


def test_a_certificate_cut_short_is_not_readable(tmp_path) -> None:
    text = certify_tree(MAJORITY, VOTES, check=False).text()
    for size in (0, 1, 40, len(text) - 1):
        (tmp_path / "cut").write_text(text[:size])
        with pytest.raises(CertificateError):
            TreeCertificate.load(tmp_path / "cut")


def test_weights_are_repetitions_and_weight_0_leaves_out() -> None:
    for seed in range(6):
        table = random_table(seed)
        weights = np.random.default_rng(seed).integers(0, 3, len(table.rows))
        if len(set(np.array(table.labels)[weights > 0].tolist())) < 2:
            continue
        repeated = np.repeat(np.arange(len(weights)), weights)
        rows, labels = np.array([list(map(int, row)) for row in table.rows]), np.array(table.labels)
        weighed = certify_tree(rows, labels, sample_weight=weights)
        assert weighed.bound == certify_tree(rows[repeated], labels[repeated], check=False).bound
        assert weighed.header["rows"] == np.count_nonzero(weights)


def test_a_certificate_of_weighted_rows_is_checked_against_these_rows(tmp_path: Path) -> None:
    rows, labels = ["00", "01", "10", "11", "11"], ["a", "a", "a", "b", "a"]
    weighed = certify_tree(rows, labels, sample_weight=[1, 2, "1/3", 4, 1])
    assert check(weighed, rows, labels) == "\n".join(weighed.claim.split("\n")[:3])
    weighed.save(tmp_path / "weighed")
    assert check(tmp_path / "weighed", rows, labels) == check(weighed, rows, labels)
    without = certify_tree(rows, labels, sample_weight=[1, 2, 0, 4, 1])
    assert check(without, rows[:2] + rows[3:], labels[:2] + labels[3:])
    with pytest.raises(CertificateError, match="X has 5 rows, the certificate is about 4, without those of weight 0"):
        check(without, rows, labels)
    with pytest.raises(CertificateError, match="other data"):
        check(weighed, rows[::-1], labels[::-1])


def test_balanced_classes_are_exact_and_a_matrix_charges_each_confusion() -> None:
    rows, labels = ["00", "01", "10", "11", "11"], ["a", "a", "a", "b", "c"]
    balanced = certify_tree(rows, labels, class_weight="balanced", error_price=3)
    assert balanced.header["row_costs"] == ["5/9", "5/9", "5/9", "5/3", "5/3"]
    assert balanced.bound == 3 + 3 * Fraction(5, 3)  # three leaves, and one of two equal rows wrong
    matrix = [[0, 1, 1], [1, 0, "1/4"], [2, 3, 0]]
    charged = certify_tree(rows, labels, cost_matrix=matrix, error_price=4)
    plain = PlainTable(
        tuple(rows), (0, 0, 0, 1, 2), 3, Fraction(4), None, tuple(tuple(map(Fraction, line)) for line in matrix)
    )
    assert charged.bound == PlainTrees(plain).best(frozenset(range(5)), 4)[0]


def test_costs_past_62_bits_are_rounded_and_listed() -> None:
    weights = [1 + k / 10**12 for k in range(8)]
    found = certify_tree(MAJORITY, VOTES, sample_weight=weights, error_price=Fraction(1, 10**6 + 3))
    costs = [Fraction(cost) for cost in found.header["row_costs"]]
    assert all(
        abs(cost - Fraction(str(weight))) < Fraction(1, 2**20) for cost, weight in zip(costs, weights, strict=True)
    )
    table = LabelledRows.of(MAJORITY, VOTES)
    with pytest.raises(SettingError, match="the costs are too far apart"):
        TreeCosts(Fraction(LARGEST_COST)).rounded(table)


@pytest.mark.parametrize("n_classes", [1, 2, 5])
@pytest.mark.parametrize("matrix", [None, "dear"])
@pytest.mark.parametrize("scale", [10**5, 10**8, 10**12])
def test_weights_of_many_digits_are_rounded_until_the_search_takes_them(
    n_classes: int, matrix: str | None, scale: int
) -> None:
    labels = [k % n_classes for k in range(8)]
    weights = [scale * Fraction(10**9 + k, 10**9 + 7 - k) for k in range(8)]
    costs = [[abs(a - b) ** 3 for a in range(n_classes)] for b in range(n_classes)] if matrix else None
    found = certify_tree(MAJORITY, labels, sample_weight=weights, cost_matrix=costs)
    rounded = [Fraction(cost) for cost in found.header["row_costs"]]
    assert found.certified
    assert rounded != weights
    assert all(abs(one - other) < 1 for one, other in zip(rounded, weights, strict=True))


def test_contradictory_rows_and_one_class_have_their_trivial_claims() -> None:
    found = certify_tree(["0", "0", "1"], [0, 1, 1], max_depth=None)
    assert (found.bound, found.lemmas, found.certified) == (2, (), True)
    impossible = certify_tree(["0", "0", "1"], [0, 1, 1], error_price=None)
    assert impossible.is_impossible
    assert impossible.claim.startswith(
        "No decision tree over these 1 yes/no tests, of depth at most 4, is without errors"
    )
    single = certify_tree(["01", "10"], ["yes", "yes"])
    assert (single.bound, single.n_leaves, single.lemmas) == (1, 1, ())


def test_a_depth_beyond_the_tests_is_any_depth() -> None:
    assert certify_tree(MAJORITY, VOTES, max_depth=50, error_price=None).bound == 6


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"error_price": 0}, "error_price=0: expected a positive number"),
        ({"error_price": -1}, "error_price=-1: expected a positive number"),
        ({"error_price": "x"}, "error_price='x': expected an int"),
        ({"max_depth": -1}, "max_depth=-1: expected"),
        ({"max_depth": 1.5}, "max_depth=1.5: expected"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0: expected an integer from 1 to 999999999"),
        ({"min_samples_leaf": 2**63}, "min_samples_leaf=9223372036854775808: expected an integer from 1"),
        ({"max_nodes": 0}, "max_nodes=0: expected a positive integer"),
        ({"time_limit": -1}, "time_limit=-1: expected a positive number"),
        ({"sample_weight": [1, 2]}, r"sample_weight has the shape \(2,\); expected one weight for each row"),
        ({"sample_weight": [-1] * 8}, "sample_weight: expected no weight below 0"),
        ({"class_weight": {7: 1}}, "class_weight names 7"),
        ({"class_weight": 3}, "class_weight=3: expected None"),
        ({"cost_matrix": [[0, 1]]}, "cost_matrix: expected 2 lines of 2 costs"),
        ({"cost_matrix": [[1, 1], [1, 0]]}, "cost_matrix: expected zeros on its diagonal"),
        ({"cost_matrix": [[0, 1], [1, 0]], "error_price": None}, "cost_matrix has no meaning"),
        ({"check": 2}, "check=2: expected True or False"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        certify_tree(MAJORITY, VOTES, **settings)


def test_rows_that_are_not_boolean_are_refused() -> None:
    with pytest.raises(BitsError):
        certify_tree([[0, 2], [1, 0]], [0, 1])
    with pytest.raises(SettingError, match="check takes rows and labels, or the path"):
        check("certificate", MAJORITY)


def test_a_run_cut_by_nodes_proves_its_bound_and_repeats_to_the_byte() -> None:
    draw = np.random.default_rng(0)
    rows, labels = draw.integers(0, 2, (200, 12)), draw.integers(0, 2, 200)
    cut = certify_tree(rows, labels, max_depth=5, max_nodes=20)
    assert cut.certified
    assert cut.stopped_by == "nodes"
    assert cut.bound < cut.upper
    assert "the best costs between" in cut.claim
    assert certify_tree(rows, labels, max_depth=5, max_nodes=20, check=False).text() == cut.text()


def test_little_memory_ends_the_search_with_a_certificate_that_holds() -> None:
    table = random_bits(3, (120, 17))
    rows, labels = table[:, 1:], table[:, 0]
    whole = certify_tree(rows, labels, max_depth=5, check=False)
    assert whole.optimal
    stopped = certify_tree(rows, labels, max_depth=5, memory_limit=1_500_000, method="lemmas")
    assert (stopped.stopped_by, stopped.optimal, stopped.certified) == ("memory", False, True)
    assert stopped.bound < whole.bound < stopped.upper
    forgetful = certify_tree(rows, labels, max_depth=5, memory_limit=2_000_000, method="lemmas")
    assert forgetful.n_nodes > whole.n_nodes  # bounds were forgotten and proved again
    assert forgetful.certified
    assert stopped.bound <= forgetful.bound <= whole.bound <= forgetful.upper


@pytest.mark.parametrize("size", [0, -1, 2.5, "8G"])
def test_a_memory_limit_that_is_no_number_of_bytes_is_refused(size: object) -> None:
    with pytest.raises(SettingError, match="memory_limit="):
        certify_tree(MAJORITY, VOTES, memory_limit=size)
