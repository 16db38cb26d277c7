from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix
from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from conjunct.learners import ConjunctionSVM, LabelledCells, RegularizedPerceptron
from conjunct.theory.margin_bounds import perceptron_update_limit, perceptron_value_floor
from reference.margin_tables import AND, noisy


@pytest.mark.parametrize("lam", [0, -1, "-1/3", "one", float("nan"), True])
def test_lam_must_be_a_positive_number(lam):
    with pytest.raises(SettingError, match="lam="):
        RegularizedPerceptron(Conjunctions(2), lam)


@pytest.mark.parametrize("max_iter", [0, -1, 1.5, True, "3"])
def test_the_limit_must_be_a_positive_integer(max_iter):
    with pytest.raises(SettingError, match="max_iter="):
        RegularizedPerceptron(Conjunctions(2), max_iter=max_iter)


def test_the_conjunction_of_two_variables_takes_three_updates():
    found = RegularizedPerceptron(Conjunctions()).run(*AND)
    assert (found.n_iter, found.stopped_by) == (3, "no update")
    # a = (1, 1, 0, 1): a'Qa = 4 + 4 + 4 + 2 (2 - 1 - 2) = 10, a'a = 3, and t = 3.
    assert float(found.bound) == pytest.approx(9 / 13, rel=1e-8)
    assert np.count_nonzero(found.positive) == 1
    assert np.count_nonzero(found.negative) == 2


def test_the_model_is_at_the_scale_where_the_bound_is_attained():
    found = RegularizedPerceptron(Conjunctions(3), lam="1/2").run(*noisy(1))
    total = (int(found.positive.sum()) + int(found.negative.sum())) * found.unit
    assert float(total) == pytest.approx(float(found.bound), rel=1e-8)  # sum a = t * t/V


@pytest.mark.parametrize("kernel", [Conjunctions(2), Conjunctions(), MonotoneConjunctions(3)])
@pytest.mark.parametrize("lam", ["1/3", 1, 20])
def test_a_run_keeps_to_its_theorem(kernel, lam):
    rows, signs = noisy(2)
    found = RegularizedPerceptron(kernel, lam).run(rows, signs)
    radius_sq = max(kernel.value(row, row) for row in rows)
    assert found.stopped_by == "no update"
    assert found.n_iter <= perceptron_update_limit(radius_sq=radius_sq, lam=lam, n_rows=rows.n_rows)
    floor = perceptron_value_floor(n_updates=found.n_iter, radius_sq=radius_sq, lam=lam)
    assert found.bound >= floor * (1 - Fraction(1, 10**6))  # the weights are rounded
    assert found.bound <= ConjunctionSVM(kernel, lam, 1e-6).run(rows, signs).risk <= found.risk


def test_one_class_is_learned_by_its_first_row():
    rows, _ = noisy(3)
    for sign in (1, -1):
        found = RegularizedPerceptron(Conjunctions(2)).run(rows, [sign] * rows.n_rows)
        assert (found.n_iter, found.stopped_by) == (1, "no update")
        assert np.all(sign * (found.positive - found.negative) >= 0)
        assert found.bound <= found.risk


def test_equal_rows_are_one_group():
    found = RegularizedPerceptron(Conjunctions(), lam=3).run(BitMatrix.of(["011"] * 6), [1] * 6)
    assert found.n_iter == 1
    assert float(found.bound) == pytest.approx(1 / (8 + 3 / 6), rel=1e-8)


def test_contradictory_rows_end_with_equal_weights():
    found = RegularizedPerceptron(Conjunctions(), lam=1).run(BitMatrix.of(["01", "01"]), [1, -1])
    assert (found.n_iter, found.stopped_by) == (2, "no update")
    assert found.positive.tolist() == found.negative.tolist() != [0]
    assert found.norm_sq == 0
    assert found.bound == found.risk == 2


def test_the_limit_stops_after_so_many_updates_if_another_one_is_due():
    full = RegularizedPerceptron(Conjunctions(3)).run(*noisy(4))
    for limit in (1, 7, full.n_iter - 1):
        found = RegularizedPerceptron(Conjunctions(3), max_iter=limit).run(*noisy(4))
        assert (found.n_iter, found.stopped_by) == (limit, "max_iter")
        assert 0 < found.bound <= full.risk
    found = RegularizedPerceptron(Conjunctions(3), max_iter=full.n_iter).run(*noisy(4))
    assert (found.n_iter, found.stopped_by) == (full.n_iter, "no update")


def test_the_limit_does_not_stop_what_only_integers_see_to_be_finished():
    rows = BitMatrix.of(np.zeros((2, 200), np.uint8))
    found = RegularizedPerceptron(Conjunctions(), max_iter=2).run(rows, [1, -1])
    assert (found.n_iter, found.stopped_by) == (2, "no update")


def test_a_reason_to_stop_is_reported():
    cells, told = LabelledCells.of(*noisy(4)), []
    found = RegularizedPerceptron(Conjunctions(3)).solve(
        cells, is_stopped=lambda: "enough" if len(told) > 3 else "", watch=told.append
    )
    assert found.stopped_by == "enough"
    assert found.history == tuple(told)
    assert [stands.n_iter for stands in told] == [0, 1, 2, 4]


def test_a_stop_at_once_leaves_one_update():
    found = RegularizedPerceptron(Conjunctions(3)).solve(LabelledCells.of(*noisy(4)), is_stopped=lambda: "at once")
    assert (found.n_iter, found.stopped_by) == (1, "at once")
    assert 0 < found.bound <= found.risk


def test_history_ends_where_the_solution_stands():
    found = RegularizedPerceptron(Conjunctions(3), lam="1/2").run(*noisy(5))
    assert found.history[-1].n_iter == found.n_iter
    assert found.history[-1].bound == pytest.approx(float(found.bound), rel=1e-6)
    assert found.history[-1].risk == pytest.approx(float(found.risk), rel=1e-6)
    assert all(stands.bound <= stands.risk for stands in found.history)
