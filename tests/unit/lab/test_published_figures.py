"""The figures the theory page gives for the lab's streams, and the equalities."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from conjunct.lab import find_experiment, run, verdict
from conjunct.lab.experiments.naive_bayes_threshold import ERROR, ROWS_RIGHT
from conjunct.lab.experiments.non_realizable import ALTERNATING, BLOCKS
from conjunct.lab.experiments.online_to_pac import EXAMPLES, FAILURES
from conjunct.lab.experiments.perceptron_versus_winnow import DENSE, OR_OF_UNITS, SIGNS, UNITS
from conjunct.lab.experiments.winnow_bound import ADVERSARY, PROMOTED
from conjunct.lab.experiments.winnow_bound import UNITS as RELEVANT_UNITS


@cache
def result(name: str, quick: bool) -> dict[str, Any]:
    return run(find_experiment(name), quick=quick)


def column(of: dict[str, Any], panel: str, series: str, key: str = "measured") -> dict[int, Any]:
    return {line["x"]: line[key] for line in of["lines"] if (line["panel"], line["series"]) == (panel, series)}


def exponent(of: dict[str, Any], series: str) -> float:
    return next(each["exponent"] for each in of["series"] if each["series"] == series and "exponent" in each)


def test_the_perceptron_makes_exactly_n_mistakes_on_the_negative_unit_vectors() -> None:
    found = column(result("perceptron-bound", True), "V1: −e₁ .. −eₙ, all labelled −1", "Perceptron")
    assert len(found) == 5
    assert all(mistakes == n for n, mistakes in found.items())


def test_elimination_reaches_both_bounds() -> None:
    of = result("elimination", True)
    monotone, literals = (panel["title"] for panel in of["panels"])
    assert all(mistakes == n - 3 for n, mistakes in column(of, monotone, "longest stream").items())
    assert all(mistakes == n + 1 for n, mistakes in column(of, literals, "longest stream").items())


def test_promotions_reach_their_bound_on_unit_vectors_and_against_the_adversary() -> None:
    of = result("winnow-bound", True)
    for line in of["lines"]:
        if line["panel"] in (RELEVANT_UNITS.title, PROMOTED.title):
            assert line["measured"] == line["bound"]
    for series in ("Winnow1", "Winnow2"):
        measured = column(of, ADVERSARY.title, series)
        bound = column(of, ADVERSARY.title, series, "bound")
        assert measured[256] / bound[256] > 0.75


def test_sparse_bounds_are_free_of_the_width() -> None:
    of = result("infinite-attributes", True)
    title = of["panels"][0]["title"]
    for series, bound in (("Perceptron", 143), ("Winnow2", 108)):
        assert set(column(of, title, series, "bound").values()) == {bound}
        assert list(column(of, title, series)) == [10**2, 10**3, 10**4, 10**5]
        assert max(column(of, title, series).values()) <= bound


def test_unit_vectors_cost_both_learners_n_and_their_or_costs_winnow_more() -> None:
    of = result("perceptron-versus-winnow", True)
    for series in ("Perceptron", "normalised Winnow"):
        assert all(mistakes == n for n, mistakes in column(of, UNITS.title, series).items())
    assert column(of, OR_OF_UNITS.title, "Perceptron") == {4: 9, 16: 33, 64: 129}
    assert column(of, OR_OF_UNITS.title, "Winnow2") == {4: 8, 16: 64, 64: 384}


def test_on_line_to_pac_is_as_near_to_delta_as_printed_and_the_single_length_fails() -> None:
    of = result("online-to-pac", True)
    kept = column(of, FAILURES.title, "corrected, exact")
    assert kept[20] / 0.1 == pytest.approx(0.64, abs=0.005)
    broken = column(of, FAILURES.title, "printed, exact")
    assert broken[2] > 0.15
    assert broken[20] > 0.8
    assert broken[80] > 0.998
    for name, exact in (("corrected", kept), ("printed", broken)):
        simulated = column(of, FAILURES.title, f"{name}, simulated")
        assert simulated == pytest.approx(exact, abs=4 * (0.25 / 2000) ** 0.5)
    longest = column(of, EXAMPLES.title, "longest stream")
    assert longest == {2: 3 * 35, 5: 6 * 41, 20: 21 * 54, 80: 81 * 67}


def test_the_dense_stream_grows_as_printed_at_small_widths() -> None:
    of = result("perceptron-versus-winnow", True)
    assert column(of, DENSE.title, "Perceptron", "mean") == pytest.approx({64: 150, 128: 289, 256: 584}, rel=0.25)
    assert column(of, DENSE.title, "Winnow2", "mean") == pytest.approx({64: 28, 128: 30, 256: 33}, rel=0.25)
    assert 0.9 < exponent(of, "Perceptron") < 1.1


@pytest.mark.long
def test_the_full_dense_streams_and_the_first_extreme_case_are_as_printed() -> None:
    of = result("perceptron-versus-winnow", False)
    assert verdict(of).word == "holds"
    perceptron = {64: 150, 128: 289, 256: 584, 512: 1149, 1024: 2314}
    winnow = {64: 28, 128: 30, 256: 33, 512: 38, 1024: 45}
    assert column(of, DENSE.title, "Perceptron", "mean") == pytest.approx(perceptron, rel=0.25)
    assert column(of, DENSE.title, "Winnow2", "mean") == pytest.approx(winnow, rel=0.25)
    assert 0.9 < exponent(of, "Perceptron") < 1.1
    assert exponent(of, "Winnow2") < 0.3
    signs = {50: 83, 200: 291, 800: 975}
    assert column(of, SIGNS.title, "Perceptron", "mean") == pytest.approx(signs, rel=0.25)
    assert column(of, SIGNS.title, "normalised Winnow", "mean") == pytest.approx({50: 35, 200: 47, 800: 53}, rel=0.25)
    assert column(of, OR_OF_UNITS.title, "Perceptron")[100] == 201
    assert column(of, OR_OF_UNITS.title, "Winnow2")[100] == 700


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    ["perceptron-bound", "winnow-bound", "elimination", "eg-loss", "infinite-attributes", "online-to-pac"],
)
def test_the_full_experiments_hold(name: str) -> None:
    assert verdict(result(name, False)).word == "holds"


def test_naive_bayes_errs_on_21_of_128_rows_where_weights_of_1_err_on_none() -> None:
    of = result("naive-bayes-threshold", True)
    assert column(of, ERROR.title, "at least 3 of 7: 21/128") == {7: 21 / 128}
    assert column(of, ERROR.title, "at least 3 of m")[7] == 21 / 128
    assert (
        column(of, ROWS_RIGHT.title, "weights 1, threshold 3")[7]
        == column(of, ROWS_RIGHT.title, "Perceptron")[7]
        == 128
    )


def test_the_sum_of_best_mistakes_and_the_separable_bound_is_passed_as_printed() -> None:
    of = result("non-realizable", True)
    series = "at least M_best + M_p + 1"
    assert (column(of, ALTERNATING.title, series)[3], column(of, ALTERNATING.title, series, "bound")[3]) == (3, 2 + 1)
    assert (column(of, ALTERNATING.title, series)[4], column(of, ALTERNATING.title, series, "bound")[4]) == (4, 3 + 1)
    assert (column(of, BLOCKS.title, series)[100], column(of, BLOCKS.title, series, "bound")[100]) == (1100, 200 + 1)


def test_decision_lists_are_linear_also_past_64_bits() -> None:
    of = result("decision-list-linear", True)
    title = of["panels"][0]["title"]
    assert column(of, title, "k = 3")[128] == 1024


@pytest.mark.long
@pytest.mark.parametrize(
    "name",
    [
        "non-realizable",
        "naive-bayes-threshold",
        "k-dnf-linear",
        "decision-list-linear",
        "halfspace-intersection-learning",
        "led-table",
        "led-bounds",
        "margin-perceptron-convergence",
        "margin-on-hard-sequence",
        "subset-margin",
        "boosting-versus-margin",
    ],
)
def test_the_full_runs_hold(name: str) -> None:
    assert verdict(result(name, False)).word == "holds"
