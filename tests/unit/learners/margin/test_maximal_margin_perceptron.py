from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_bits
from conjunct.errors import KernelError, SettingError
from conjunct.kernels import Conjunctions, MonotoneConjunctions, PairSums
from conjunct.learners import ConjunctionSVM, LabelledCells, MaximalMarginPerceptron
from conjunct.learners.margin.maximal_margin_perceptron import MarginSearch
from conjunct.theory.margin_bounds import margin_step_limit
from reference.margin_tables import AND, noisy


@pytest.mark.parametrize("lam", [0, -1, "-1/3", "one", float("nan"), True])
def test_lam_must_be_a_positive_number(lam):
    with pytest.raises(SettingError, match="lam="):
        MaximalMarginPerceptron(Conjunctions(2), lam)


@pytest.mark.parametrize("tol", [0, 1, -0.1, 2, True, "0.1", None, float("nan")])
def test_tol_must_be_between_0_and_1(tol):
    with pytest.raises(SettingError, match="tol="):
        MaximalMarginPerceptron(Conjunctions(2), tol=tol)


@pytest.mark.parametrize("max_iter", [0, -1, 1.5, True, "3"])
def test_the_limit_must_be_a_positive_integer(max_iter):
    with pytest.raises(SettingError, match="max_iter="):
        MaximalMarginPerceptron(Conjunctions(2), max_iter=max_iter)


def test_the_conjunction_of_two_variables_has_its_known_value():
    found = MaximalMarginPerceptron(Conjunctions(2), tol=1e-10).run(*AND)
    assert found.stopped_by == "gap"
    assert float(found.bound) == pytest.approx(1.1, rel=1e-9)
    assert float(found.risk) == pytest.approx(1.1, rel=1e-9)


@pytest.mark.parametrize("n_variables", [2, 4, 6])
def test_parity_has_its_known_value(n_variables):
    rows = BitMatrix.of([f"{number:0{n_variables}b}" for number in range(2**n_variables)])
    signs = [1 - 2 * (number.bit_count() % 2) for number in range(2**n_variables)]
    found = MaximalMarginPerceptron(Conjunctions(), lam=3, tol=1e-8).run(rows, signs)
    assert float(found.bound) == pytest.approx(2**n_variables / 4, rel=1e-7)


@pytest.mark.parametrize("kernel", [Conjunctions(2), Conjunctions(), MonotoneConjunctions(3)])
@pytest.mark.parametrize("lam", ["1/3", 1, 20])
@pytest.mark.parametrize("tol", [0.3, 1e-3, 1e-7])
def test_the_bound_is_as_near_to_the_optimum_as_asked(kernel, lam, tol):
    rows, signs = noisy(2)
    best = ConjunctionSVM(kernel, lam, 1e-8).run(rows, signs)
    found = MaximalMarginPerceptron(kernel, lam, tol).run(rows, signs)
    assert found.stopped_by == "gap"
    assert found.bound >= (1 - Fraction(tol)) * best.bound
    assert found.bound <= best.risk
    assert best.bound <= found.risk


def test_steps_keep_to_their_limit():
    rows, signs = noisy(2)
    squares = [Conjunctions(2).value(row, row) for row in rows]
    tol = 0.36
    found = MaximalMarginPerceptron(Conjunctions(2), tol=tol).run(rows, signs)
    limit = margin_step_limit(radius_sq=max(squares), least_sq=min(squares), lam=1, n_rows=60, eps=Fraction(1, 5))
    assert 0 < found.n_iter <= limit


def test_one_class_has_a_bound_below_its_risk():
    rows, _ = noisy(3)
    for sign in (1, -1):
        found = MaximalMarginPerceptron(Conjunctions(2)).run(rows, [sign] * rows.n_rows)
        assert found.stopped_by == "gap"
        assert np.all(sign * (found.positive - found.negative) >= 0)
        assert (1 - 2e-3) * found.risk <= found.bound <= found.risk


def test_equal_rows_need_no_step():
    found = MaximalMarginPerceptron(Conjunctions(), lam=3).run(BitMatrix.of(["011"] * 6), [1] * 6)
    assert (found.n_iter, found.stopped_by) == (0, "gap")
    assert float(found.bound) == float(found.risk) == pytest.approx(1 / (8 + 3 / 6), rel=1e-8)


def test_contradictory_rows_share_the_weight():
    found = MaximalMarginPerceptron(Conjunctions(), lam=1).run(BitMatrix.of(["01", "01"]), [1, -1])
    assert found.stopped_by == "gap"
    assert found.positive.tolist() == found.negative.tolist() != [0]
    assert found.norm_sq == 0
    assert found.bound == found.risk == 2


def test_the_limit_stops_after_so_many_steps():
    for limit in (1, 5, 8):
        found = MaximalMarginPerceptron(Conjunctions(3), tol=1e-6, max_iter=limit).run(*noisy(4))
        assert (found.n_iter, found.stopped_by) == (limit, "max_iter")
        assert 0 < found.bound <= found.risk
        assert found.history[-1].n_iter == limit


def test_a_reason_to_stop_is_reported():
    cells, told = LabelledCells.of(*noisy(4)), []
    found = MaximalMarginPerceptron(Conjunctions(3)).solve(
        cells, is_stopped=lambda: "enough" if len(told) > 3 else "", watch=told.append
    )
    assert (found.n_iter, found.stopped_by) == (4, "enough")
    assert found.history == tuple(told)
    assert [stands.n_iter for stands in told] == [0, 1, 2, 4]


def test_a_stop_at_once_leaves_one_step():
    found = MaximalMarginPerceptron(Conjunctions(3)).solve(LabelledCells.of(*noisy(4)), is_stopped=lambda: "at once")
    assert (found.n_iter, found.stopped_by) == (1, "at once")
    assert 0 < found.bound <= found.risk


def test_a_stop_is_believed_on_renewed_scores_only():
    cells, kernel = LabelledCells.of(*noisy(4)), Conjunctions(3)
    search = MarginSearch(kernel, cells, Fraction(1), PairSums(kernel.layout(cells.rows), cells.rows), 1 - 0.9**2)
    search.most_per_call = 5
    search.go_on(8)
    assert search.n_renewed < search.n_iter == 5
    search.state.form, search.scores[:] = -1.0, 0.0  # as if rounding had led W astray: every score is above it
    while not search.end:
        search.go_on(10**6)
    assert (search.end, search.n_renewed) == ("gap", search.n_iter)
    best = MaximalMarginPerceptron(kernel, tol=1e-6).solve(cells)
    assert 0.81 * float(best.bound) <= search.bound <= float(best.risk)


@pytest.mark.parametrize("seed", range(3))
def test_a_tolerance_past_floats_ends_all_the_same(seed):
    found = MaximalMarginPerceptron(Conjunctions(3), tol=1e-16).run(*noisy(seed))
    assert found.stopped_by in ("gap", "precision")
    assert found.bound <= found.risk
    assert found.gap < 1e-12


def test_the_bound_grows_with_the_steps():
    found = MaximalMarginPerceptron(Conjunctions(3), lam="1/2", tol=1e-6).run(*noisy(5))
    bounds = [stands.bound for stands in found.history]
    assert bounds == sorted(bounds)
    assert len(bounds) > 5
    assert all(stands.bound <= stands.risk * (1 + 1e-12) for stands in found.history)
    assert bounds[-1] == pytest.approx(float(found.bound), rel=1e-6)


def test_large_kernel_values_are_no_obstacle():
    rows = BitMatrix.of(random_bits(1, (30, 900)))
    signs = 2 * random_bits(2, 30).astype(int) - 1
    assert MaximalMarginPerceptron(Conjunctions(), 2**899).run(rows, signs).stopped_by == "gap"
    found = MaximalMarginPerceptron(Conjunctions()).run(rows, signs)
    assert found.stopped_by == "gap"
    # Values off the diagonal are next to nothing: every row for itself.
    assert float(found.bound * 2**895) == pytest.approx(30 / 32, rel=1e-3)
    with pytest.raises(KernelError, match=r"Conjunctions\(.*reaches about 2\*\*1100 on 1100 variables.*max_size"):
        MaximalMarginPerceptron(Conjunctions()).run(BitMatrix.of(random_bits(1, (3, 1100))), [1, -1, 1])


@pytest.mark.parametrize("learner", [ConjunctionSVM, MaximalMarginPerceptron])
def test_rows_on_which_nothing_beats_zero_have_their_bound_all_the_same(learner):
    rows = BitMatrix.of(["01", "01", "10", "10"])
    found = learner(Conjunctions(2), 1).run(rows, [-1, 1, -1, 1])
    assert found.stopped_by == "gap"
    assert float(found.bound) == pytest.approx(4, rel=1e-3)
    for most in range(1, 20):
        assert learner(Conjunctions(2), 1, max_iter=most).run(rows, [-1, 1, -1, 1]).bound > 0
