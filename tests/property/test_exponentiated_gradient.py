"""The fast exponentiated gradient predicts, step by step, what the definitions say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from conjunct.bits import SparseRows
from conjunct.learners import ExponentiatedGradient
from conjunct.learners.online.exponentiated_gradient import largest_size, largest_spread
from conjunct.theory import exponentiated_gradient, exponentiated_gradient_plus_minus, exponentiated_gradient_rate
from strategies import seeded

SHAPES = [(1, 20), (3, 40), (17, 200), (200, 300)]


def random_data(seed, n, m, density=1.0):
    random = np.random.RandomState(seed)
    x = random.randn(m, n) * (random.rand(m, n) < density)
    return x, x @ (random.randn(n) * (random.rand(n) < 0.5)) + 0.3 * random.randn(m)


def slow(x, y, rate, norm, is_signed):
    given = x.tolist(), y.tolist(), rate
    return exponentiated_gradient_plus_minus(*given, norm) if is_signed else exponentiated_gradient(*given)


def slow_mean(x, y, rate, norm, is_signed):
    """The mean of the weights after 1, 2, ... rows."""
    return np.mean([slow(x[:k], y[:k], rate, norm, is_signed).weights for k in range(1, len(x) + 1)], axis=0)


def assert_close(found, wanted, scale):
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9 * scale)


def setting(x, is_signed):
    norm = 5.0 if is_signed else 1.0
    radius = 2 * norm * np.abs(x).max() if is_signed else np.ptp(x, axis=1).max()
    return exponentiated_gradient_rate(radius or 1.0, 1), norm


@pytest.mark.parametrize("is_signed", [True, False])
@pytest.mark.parametrize("density", [1.0, 0.3, 0.05])
@pytest.mark.parametrize(("n", "m"), SHAPES)
def test_a_run_is_that_of_the_definition(n, m, density, is_signed):
    x, y = random_data(n + m, n, m, density)
    rate, norm = setting(x, is_signed)
    wanted = slow(x, y, rate, norm, is_signed)
    scale = norm * np.abs(x).max()
    for table in (x, csr_array(x)):
        run = ExponentiatedGradient(rate, norm, is_signed).run(SparseRows.of_real(table), y)
        assert_close(run.predictions, wanted.predictions, scale)
        assert_close(run.losses, wanted.losses, scale)
        assert_close(run.weights, wanted.weights, norm)
        assert run.loss == pytest.approx(wanted.loss, rel=1e-9)


@seeded
@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 12), st.booleans(), st.sampled_from([0.2, 1, 5, 40]))
def test_small_runs_are_those_of_the_definition_at_any_rate(seed, n, m, is_signed, times):
    x, y = random_data(seed, n, m, 0.6)
    rate, norm = setting(x, is_signed)
    wanted = slow(x, y, rate * times, norm, is_signed)
    run = ExponentiatedGradient(rate * times, norm, is_signed).run(SparseRows.of_real(x), y)
    np.testing.assert_allclose(run.predictions, wanted.predictions, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(run.averaged, slow_mean(x, y, rate * times, norm, is_signed), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("is_signed", [True, False])
def test_the_mean_is_that_of_the_weights_after_every_row(is_signed):
    x, y = random_data(3, 12, 90, 0.4)
    rate, norm = setting(x, is_signed)
    run = ExponentiatedGradient(rate, norm, is_signed).run(SparseRows.of_real(x), y)
    assert_close(run.averaged, slow_mean(x, y, rate, norm, is_signed), norm)


@pytest.mark.parametrize("is_signed", [True, False])
def test_many_passes_over_one_row_are_many_rows(is_signed):
    x, y = np.array([[0.5, -2.0, 0, 1.0]]), np.array([0.7])
    rate, norm = setting(x, is_signed)
    wanted = slow(np.repeat(x, 50, axis=0), np.repeat(y, 50), rate, norm, is_signed)
    run = ExponentiatedGradient(rate, norm, is_signed).run(SparseRows.of_real(x), y, max_passes=50)
    assert_close(run.predictions, wanted.predictions, norm * 2)
    assert_close(run.weights, wanted.weights, norm)
    assert run.index.tolist() == [0] * 50


@pytest.mark.parametrize("is_signed", [True, False])
def test_boolean_rows_are_rows_of_ones(is_signed):
    bits = np.random.RandomState(0).randint(0, 2, (60, 9))
    y = bits[:, 0] * 1.0
    rate, norm = setting(bits, is_signed)
    learner = ExponentiatedGradient(rate, norm, is_signed)
    assert SparseRows.of(bits).values is None
    one, other = learner.run(SparseRows.of(bits), y), learner.run(SparseRows.of_real(bits), y)
    np.testing.assert_array_equal(one.predictions, other.predictions)
    assert_close(one.predictions, slow(bits, y, rate, norm, is_signed).predictions, norm)


@pytest.mark.parametrize("is_signed", [True, False])
def test_factors_past_the_range_of_floats_are_made_in_parts(is_signed):
    x, y = np.array([[1.0, 0.99, 0], [0.5, 1, 1]]), np.array([40.0, 0])
    rate, norm = 12.0, 2.0 if is_signed else 1.0
    run = ExponentiatedGradient(rate, norm, is_signed).run(SparseRows.of_real(x[:1]), y[:1])
    assert 2 * rate * norm * 40 > 710  # exp of it is infinite
    assert_close(run.weights, slow(x[:1], y[:1], rate, norm, is_signed).weights, norm)
    both = ExponentiatedGradient(rate, norm, is_signed).run(SparseRows.of_real(x), y)
    assert np.all(np.isfinite(both.weights))


def test_a_weight_that_all_but_vanished_comes_back():
    x, y = np.array([[1.0, 0.0]] * 400 + [[0.0, 1.0]] * 4000), np.array([3.0] * 400 + [1.0] * 4000)
    run = ExponentiatedGradient(1.0, 1.0, False).run(SparseRows.of_real(x), y)  # 3 is out of reach: one takes all
    assert run.predictions[399] == pytest.approx(1)
    assert run.predictions[400] < 1e-100
    assert run.predictions[-1] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("is_signed", [True, False])
@pytest.mark.parametrize("piece", [1, 7, 64])
def test_pieces_are_one_pass_to_the_last_bit(piece, is_signed):
    x, y = random_data(5, 30, 200, 0.3)
    rate, norm = setting(x, is_signed)
    learner, rows = ExponentiatedGradient(rate * 10, norm, is_signed), SparseRows.of_real(x)
    whole, run = learner.run(rows, y), learner.begin(30)
    parts = [
        run.give_pass(rows.take(np.arange(first, last)), y[first:last], np.arange(last - first))
        for first in range(0, 200, piece)
        for last in [min(200, first + piece)]
    ]
    np.testing.assert_array_equal(np.concatenate(parts), whole.predictions)
    np.testing.assert_array_equal(run.weights, whole.weights)
    np.testing.assert_array_equal(run.averaged, whole.averaged)
    assert run.n_steps == 200


def test_blocks_are_one_pass_to_the_last_bit(monkeypatch):
    x, y = random_data(6, 30, 200, 0.3)
    learner = ExponentiatedGradient(0.01, 5.0)
    whole = learner.run(SparseRows.of_real(x), y, seed=3, max_passes=2)
    monkeypatch.setattr("conjunct.bits.sparse_rows.ENTRIES_PER_CALL", 50)
    rows = SparseRows.of_real(x)
    assert len(rows.blocks()) > 10
    cut = learner.run(rows, y, seed=3, max_passes=2)
    np.testing.assert_array_equal(cut.predictions, whole.predictions)
    np.testing.assert_array_equal(cut.averaged, whole.averaged)
    np.testing.assert_array_equal(sorted(cut.index[:200]), np.arange(200))
    assert cut.index[:200].tolist() != cut.index[200:].tolist()


def test_long_runs_do_not_drift_from_the_definition():
    x, y = random_data(7, 4, 70_000, 0.7)  # past one normalisation
    rate, norm = setting(x, True)
    wanted = slow(x, y, rate, norm, is_signed=True)
    run = ExponentiatedGradient(rate, norm).run(SparseRows.of_real(x), y)
    assert_close(run.predictions, wanted.predictions, norm * np.abs(x).max())


def test_an_interrupted_pass_changes_nothing(monkeypatch):
    x, y = random_data(8, 10, 100)
    run, rows = ExponentiatedGradient(0.01, 5.0).begin(10), SparseRows.of_real(x)
    run.give_pass(rows, y, np.arange(100))
    before = run.weights, run.averaged, run.loss, run.n_steps, run.n_passes
    monkeypatch.setattr("conjunct.bits.sparse_rows.ENTRIES_PER_CALL", 50)
    calls = iter([False, False, True])
    with pytest.raises(KeyboardInterrupt):
        run.give_pass(rows, y, np.arange(100), lambda: next(calls))
    for old, new in zip(before, (run.weights, run.averaged, run.loss, run.n_steps, run.n_passes), strict=True):
        np.testing.assert_array_equal(old, new)


@seeded
@given(st.integers(0, 10**6), st.integers(1, 5), st.integers(1, 6))
def test_size_and_spread_are_those_of_the_full_table(seed, n, m):
    random = np.random.RandomState(seed)
    real = random.randn(m, n) * (random.rand(m, n) < 0.5)
    for table, rows in [(real, SparseRows.of_real(real)), (real > 0, SparseRows.of((real > 0).astype(int)))]:
        assert largest_size(rows) == np.abs(table * 1.0).max()
        assert largest_spread(rows) == np.ptp(table * 1.0, axis=1).max()


def test_pieces_are_normalised_where_one_pass_is():
    x, y = random_data(9, 5, 66_000, 0.5)  # past one normalisation
    learner, rows = ExponentiatedGradient(0.01, 3.0), SparseRows.of_real(x)
    whole, run = learner.run(rows, y), learner.begin(5)
    for first in range(0, 66_000, 1000):
        run.give_pass(rows.take(np.arange(first, first + 1000)), y[first : first + 1000], np.arange(1000))
    np.testing.assert_array_equal(run.weights, whole.weights)
    np.testing.assert_array_equal(run.averaged, whole.averaged)
