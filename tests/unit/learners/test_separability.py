from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from conjunct import BitMatrix, datasets
from conjunct.errors import BitsError, SettingError
from conjunct.exact.cancelling_program import CancellingProgram
from conjunct.exact.integer_systems import solve_exactly
from conjunct.exact.simplex import balance_or_weights
from conjunct.learners import separability
from conjunct.learners.separability import decide_separability, is_balanced, is_separating, monotone_features
from reference.threshold_functions import cube

XOR = BitMatrix.of(["00", "01", "10", "11"]), np.array([-1, 1, 1, -1])


def proves(rows, signs, evidence, max_size=1):
    features = monotone_features(rows, max_size)
    if evidence.weights is not None:
        assert evidence.multipliers is evidence.reason is None
        return is_separating(features, signs, evidence.weights, evidence.threshold)
    assert evidence.threshold is evidence.reason is None
    return is_balanced(features, signs, evidence.multipliers)


def alternating_list(n_variables, n_more=20, seed=0):
    """Rows labelled by the place of their first one, odd or even: weights must grow exponentially."""
    rng = np.random.default_rng(seed)
    rows, signs = [], []
    for first in range(n_variables):
        tails = rng.integers(0, 2, (2 + n_more, n_variables - first - 1))
        tails[0], tails[1:2] = 0, 1
        for tail in np.unique(tails, axis=0):
            rows.append([0] * first + [1, *tail.tolist()])
            signs.append(1 if first % 2 else -1)
    return BitMatrix.of(np.array(rows)), np.array(signs)


def test_exclusive_or_cancels_and_is_separated_by_pairs():
    rows, signs = XOR
    assert decide_separability(rows, signs).multipliers == (1, 1, 1, 1)
    pairs = decide_separability(rows, signs, max_size=2)
    assert (pairs.weights, pairs.threshold) == ((1, 1, -2), 1)


def test_at_least_three_of_seven_has_equal_weights():
    rows = cube(7)
    evidence = decide_separability(BitMatrix.of(rows), np.where(rows.sum(axis=1) >= 3, 1, -1))
    assert (evidence.weights, evidence.threshold) == ((1,) * 7, 3)


def test_one_variable_is_separable_unless_rows_contradict():
    rows = BitMatrix.of(["0", "1", "1"])
    rising, falling = (decide_separability(rows, np.array(signs)) for signs in ([-1, 1, 1], [1, -1, -1]))
    assert (rising.weights, rising.threshold) == ((1,), 1)
    assert (falling.weights, falling.threshold) == ((-1,), 0)
    assert decide_separability(rows, np.array([-1, 1, -1])).multipliers == (0, 1, 1)


def test_repeated_rows_keep_one_multiplier_each():
    rows, signs = XOR
    repeated = [3, 0, 0, 1, 3, 2, 1]
    evidence = decide_separability(rows[repeated], signs[repeated])
    assert evidence.multipliers == (1, 1, 0, 1, 0, 1, 0)
    assert proves(rows[repeated], signs[repeated], evidence)


@pytest.mark.parametrize("noise", [0, "1/100"])
def test_large_tables_are_decided(noise):
    table = datasets.half_space(60, n_rows=3000, seed=5, noise=noise)
    signs = np.where(np.asarray(table.labels) == 1, 1, -1)
    evidence = decide_separability(table.rows, signs)
    assert (evidence.weights is None) == bool(noise)
    assert proves(table.rows, signs, evidence)
    assert evidence.multipliers is None or sum(number > 0 for number in evidence.multipliers) <= 62


@pytest.mark.parametrize("n_variables", [12, 30, 60])
def test_margins_below_the_floats_are_decided_in_whole_numbers(n_variables):
    rows, signs = alternating_list(n_variables)
    evidence = decide_separability(rows, signs)
    assert evidence.weights is not None
    assert proves(rows, signs, evidence)


@pytest.mark.parametrize("flip", range(0, 200, 10))
def test_one_flipped_label_among_tiny_margins_is_decided(flip):
    rows, signs = alternating_list(24)
    signs[flip] *= -1
    assert proves(rows, signs, decide_separability(rows, signs))


def test_the_rational_simplex_takes_over_where_floats_fail(monkeypatch):
    monkeypatch.setattr(CancellingProgram, "exact_balance", lambda self: None)
    monkeypatch.setattr(CancellingProgram, "exact_weights", lambda self: None)
    assert decide_separability(*XOR).multipliers == (1, 1, 1, 1)
    monkeypatch.setattr(separability, "PERCEPTRON_PASSES", 0)
    monkeypatch.setattr(CancellingProgram, "solve", lambda self, max_pivots: False)
    monkeypatch.setattr(separability, "MOST_ROWS_AT_ONCE", 4)
    rows = cube(5)
    signs = np.where(rows @ [1, 2, 3, 4, 5] >= 8, 1, -1)
    assert proves(BitMatrix.of(rows), signs, decide_separability(BitMatrix.of(rows), signs))


def test_what_cannot_be_proved_is_undecided_with_a_reason(monkeypatch):
    table = datasets.parity(8)
    signs = np.where(np.asarray(table.labels) == 1, 1, -1)
    monkeypatch.setattr(separability, "MOST_TABLEAU_ENTRIES", 0)
    assert decide_separability(table.rows, signs, max_pivots=1).reason == "max_pivots=1 reached"
    monkeypatch.setattr(CancellingProgram, "exact_balance", lambda self: None)
    evidence = decide_separability(table.rows, signs)
    assert evidence.weights is evidence.multipliers is None
    too_large = "the problem is too large for the rational simplex"
    assert evidence.reason == f"floats found no basis that proves an answer, and {too_large}"


def test_wrong_numbers_of_a_solver_are_not_believed(monkeypatch):
    monkeypatch.setattr(CancellingProgram, "exact_balance", lambda self: {0: 1, 1: 1})
    assert decide_separability(*XOR).multipliers == (1, 1, 1, 1)  # by the rational simplex
    monkeypatch.setattr(separability, "PERCEPTRON_PASSES", 0)
    monkeypatch.setattr(CancellingProgram, "weights", lambda self: np.array([1.0, -1.0, 0.5]))
    rows, signs = BitMatrix.of(["00", "01", "10", "11"]), np.array([-1, 1, 1, 1])
    assert proves(rows, signs, decide_separability(rows, signs))


def test_tampered_evidence_is_refused():
    rows, signs = XOR
    features = monotone_features(rows, 1)
    assert is_balanced(features, signs, (1, 1, 1, 1))
    for wrong in [(2, 1, 1, 1), (0, 0, 0, 0), (-1, -1, -1, -1), (1, 0, 0, 1), (1, 1, 1), (0, 1, 1, 0), (1, 1, 1, 1, 0)]:
        assert not is_balanced(features, signs, wrong)
    either = np.array([-1, 1, 1, 1])
    assert is_separating(features, either, (1, 1), 1)
    for weights, threshold in [((1, 0), 1), ((1, 1), 2), ((1, 1), 0), ((2**70, -(2**70)), 1)]:
        assert not is_separating(features, either, weights, threshold)
    assert is_separating(features, either, (2**70, 2**70), 2**70)
    assert not is_separating(features, either, (2**70, 2**70), 2**70 + 1)


@pytest.mark.parametrize("signs", [[1, 1, 1, 1], [1, -1, 1], [1, -1, 0, 1]])
def test_signs_of_another_kind_are_refused(signs):
    with pytest.raises(BitsError, match="both of them"):
        decide_separability(XOR[0], np.array(signs))


@pytest.mark.parametrize("max_size", [0, 3])
def test_sizes_without_conjunctions_are_refused(max_size):
    with pytest.raises(SettingError, match="1 to 2, the number of variables"):
        monotone_features(XOR[0], max_size)


def test_conjunctions_come_by_size_and_then_in_the_order_of_variables():
    rows = BitMatrix.of(["110", "111", "011"])
    assert monotone_features(rows, 3).tolist() == [
        [1, 1, 0, 1, 0, 0, 0],
        [1, 1, 1, 1, 1, 1, 1],
        [0, 1, 1, 0, 0, 1, 0],
    ]


def test_systems_are_solved_exactly_or_found_singular():
    rng = np.random.default_rng(3)
    for size in (1, 2, 7, 40, 120):
        matrix = rng.integers(-1, 2, (size, size))
        matrix[np.arange(size), np.arange(size)] = 3
        right = rng.integers(-5, 6, size)
        numerators, denominator = solve_exactly(matrix, right)
        assert denominator > 0
        assert (matrix.astype(object) @ np.array(numerators, object) == denominator * right.astype(object)).all()
    matrix[0] = matrix[1] + matrix[2]
    assert solve_exactly(matrix, right) is None
    assert solve_exactly(np.array([[1 << 40]]), np.array([1])) is None


def test_the_rational_simplex_stops_at_its_limit():
    rows, signs = XOR
    signed = np.hstack((rows.to_array().astype(int), -np.ones((4, 1), int))) * signs[:, None]
    assert balance_or_weights(signed, 1) == (None, None, 1)
    assert balance_or_weights(signed, 50)[0] == [1, 1, 1, 1]


def test_a_program_of_thousands_of_features_takes_memory_for_its_rows_only():
    tracemalloc.start()
    try:
        program = CancellingProgram(4000)
        program.add(np.arange(2), np.ones((2, 4001), np.int64))
        assert tracemalloc.get_traced_memory()[1] < 20e6  # 500 MB where the unit columns were written out
    finally:
        tracemalloc.stop()
