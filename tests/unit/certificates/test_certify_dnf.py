"""Certificates of DNFs and CNFs: fewest terms of known tables, files, claims, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

from conjunct import FormulaCertificate, certify_dnf, check
from conjunct.datasets import monks, tic_tac_toe
from conjunct.errors import CertificateError, ConjunctError, SettingError
from conjunct.theory import cheapest_dnf

ROWS = [list(row) for row in product([0, 1], repeat=3)]
MAJORITY = [sum(row) >= 2 for row in ROWS]
PARITY = [sum(row) % 2 for row in ROWS]


@pytest.mark.parametrize(("problem", "n_terms"), [(1, 4), (2, 15), (3, 2)])
def test_the_fewest_terms_of_the_monks_problems_are_proved(problem: int, n_terms: int) -> None:
    data = monks(problem)
    found = certify_dnf(data.rows, data.labels, max_nodes=300)
    assert (found.bound, found.upper, found.n_terms, found.n_errors) == (n_terms, n_terms, n_terms, 0)
    assert (found.optimal, found.certified, found.gap) == (True, True, 0)


def test_tic_tac_toe_is_won_by_eight_terms() -> None:
    data = tic_tac_toe()
    found = certify_dnf(data.rows, data.labels, max_nodes=300)
    assert (found.bound, found.n_terms, found.certified) == (8, 8, True)
    assert {len(term) for term in found.header["witness"]} == {3}


def test_a_formula_is_true_on_the_rows_of_the_class_alone() -> None:
    for kind, labels in product(["dnf", "cnf"], [MAJORITY, PARITY]):
        found = certify_dnf(ROWS, labels, kind=kind, max_nodes=50)
        assert found.formula is not None
        values = [found.formula.value(dict(zip(found.tests, row, strict=True))) for row in ROWS]
        assert values == list(map(bool, labels))
        of_class = labels if kind == "dnf" else [not label for label in labels]
        assert found.bound == found.n_terms == cheapest_dnf(ROWS, of_class, None)


def test_the_same_rounds_give_the_same_bytes() -> None:
    data = monks(2)
    for method, price in product(["lp", "cover"], [None, Fraction(1, 2)]):
        options = {"method": method, "error_price": price, "max_term_size": 3, "max_nodes": 5, "check": False}
        first, second = (certify_dnf(data.rows, data.labels, **options) for _ in range(2))
        assert first.text() == second.text()


@pytest.mark.parametrize("method", ["lp", "cover"])
def test_a_saved_certificate_is_loaded_and_checked_by_path(method: str, tmp_path: Path) -> None:
    found = certify_dnf(ROWS, MAJORITY, method=method, max_nodes=50)
    found.save(tmp_path / "dnf.gz")
    loaded = FormulaCertificate.load(tmp_path / "dnf.gz")
    assert (loaded.text(), loaded.form, loaded.kind) == (found.text(), method, "dnf")
    assert str(loaded.formula) == str(found.formula)
    assert check(tmp_path / "dnf.gz", ROWS, MAJORITY) == check(loaded, ROWS, MAJORITY) == found.claim
    assert check(tmp_path / "dnf.gz", str(tmp_path / "dnf.gz.rows.gz")) == found.claim
    with pytest.raises(CertificateError, match="other data"):
        check(found, ROWS, [not label for label in MAJORITY])


def test_a_claim_says_what_is_counted() -> None:
    rows, labels = [*ROWS, [1, 1, 1]], [*MAJORITY, False]
    free = certify_dnf(ROWS, PARITY, kind="cnf", max_term_size=3)
    assert free.claim.split("\n")[:2] == [
        "Every CNF whose clauses have at most 3 literals of these 3 yes/no tests, if it tells class '1' from the rest "
        "of these 8 rows, has at least 4 clauses.",
        "The CNF in the certificate has 4 clauses and costs 4: none costs less.",
    ]
    priced = certify_dnf(rows, labels, error_price="1/2", sample_weight=[2] * 9, literals="positive")
    assert priced.claim.startswith(
        "Every DNF whose terms have positive literals of these 3 yes/no tests has terms + 1/2 * errors >= "
        f"{priced.bound} for class 'True' on these 9 rows; errors are the cost of rows of the class on which it is "
        "false, and others for each of its terms that hold."
    )
    none = certify_dnf(rows, labels)
    assert (none.is_impossible, none.optimal, none.formula, none.upper) == (True, True, None, None)
    assert none.claim.split("\n")[:2] == [
        "No DNF whose terms have literals of these 3 yes/no tests tells class 'True' from the rest of these 9 rows.",
        "This is trivial: by one term, or a few, and the errors that equal rows force.",
    ]
    short = certify_dnf(ROWS, PARITY, max_term_size=2)
    assert short.is_impossible
    weak = certify_dnf(ROWS, MAJORITY, method="cover", max_nodes=1, check=False)
    assert "the best costs between" in weak.claim or weak.optimal


def test_one_class_needs_no_term_or_the_empty_one() -> None:
    for kind, n_terms in [("dnf", 0), ("cnf", 1)]:
        for method, price in product(["lp", "cover"], [None, 1]):
            found = certify_dnf(ROWS, ["a"] * 8, kind=kind, method=method, error_price=price)
            assert (found.bound, found.certified) == (n_terms, True), (kind, method, price)


def test_terms_without_literals_are_the_empty_term() -> None:
    for method, price in product(["lp", "cover"], [None, "1/8", 3]):
        found = certify_dnf(ROWS, MAJORITY, max_term_size=0, method=method, error_price=price)
        best = cheapest_dnf(ROWS, MAJORITY, None if price is None else Fraction(price), max_size=0)
        assert (found.certified, found.upper) == (True, best)
        assert best is None or found.bound <= best
        assert method == "cover" or found.optimal


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"kind": "tree"}, "kind"),
        ({"kind": "cnf", "literals": "positive"}, 'literals="positive" goes with kind="dnf"'),
        ({"error_price": 0}, "error_price"),
        ({"error_price": -1}, "error_price"),
        ({"error_price": "x"}, "error_price"),
        ({"max_term_size": -1}, "max_term_size"),
        ({"max_term_size": 1.5}, "max_term_size"),
        ({"literals": "negative"}, "literals"),
        ({"method": "svm"}, "method"),
        ({"check": "yes"}, "check"),
        ({"y": [0, 1, 2, 0, 1, 2, 0, 1]}, "y has 3 classes; a DNF is about two"),
        ({"y": [0, 1]}, "2"),
        ({"X": [], "y": []}, "expected a table of rows and columns"),
        ({"X": [[]], "y": [0]}, "at least one variable is needed"),
        ({"X": [[0, 2]] * 8}, "2"),
        ({"sample_weight": [1] * 7, "error_price": 1}, "sample_weight"),
        ({"sample_weight": [-1] * 8, "error_price": 1}, "sample_weight"),
    ],
)
def test_what_cannot_be_asked_is_refused(options: dict[str, object], words: str) -> None:
    given: dict[str, object] = {"X": ROWS, "y": MAJORITY} | options
    with pytest.raises(ConjunctError, match=words):
        certify_dnf(**given)


def test_a_formula_has_no_leaves() -> None:
    found = certify_dnf(ROWS, MAJORITY, error_price=1)
    with pytest.raises(SettingError, match="min_terms"):
        found.min_leaves()
    with pytest.raises(SettingError, match="min_terms"):
        found.min_errors(3)
    assert (found.max_term_size, found.min_terms(), found.min_terms(missed=1)) == (None, 3, 2)
    assert found.min_terms(missed=2, false_alarms=1) == 1
    free = certify_dnf(ROWS, MAJORITY)
    assert (free.min_terms(), free.min_terms(missed=1), free.min_terms(false_alarms=1)) == (3, 0, 0)
