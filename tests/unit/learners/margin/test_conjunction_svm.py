"""The exact machine: its optimum is the one an independent solver finds, its bound and risk are exact."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_below, random_bits
from conjunct.errors import BitsError, KernelError, SettingError
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions, PairSums
from conjunct.learners import (
    CellDescent,
    ConjunctionSVM,
    LabelledCells,
    MaximalMarginPerceptron,
    RegularizedPerceptron,
)
from conjunct.learners.margin.dual_forms import Svm

KERNELS = [Conjunctions(1), Conjunctions(2), MonotoneConjunctions(3), Conjunctions(3, Geometric("1/2")), Conjunctions()]


def problem(seed, n_rows=40, n_variables=6):
    rows = random_bits(seed, (n_rows, n_variables))
    noise = random_below(seed, 5, n_rows, stream=1) == 0
    signs = np.where((rows[:, 0] & rows[:, 1] | rows[:, 2]).astype(bool) ^ noise, 1, -1)
    return BitMatrix.of(rows), signs


def dual_optimum(kernel, rows, signs, lam):
    """Maximise 2 sum a - a'(Q + lam I)a over a >= 0, row by row, with SciPy."""
    form = kernel.gram(rows) * np.outer(signs, signs) + lam * np.eye(rows.n_rows)

    def loss(a):
        image = form @ a
        return a @ image - 2 * a.sum(), 2 * image - 2

    scale = 1 / form.sum(axis=1).max()
    found = minimize(
        loss,
        np.full(rows.n_rows, scale),
        jac=True,
        bounds=[(0, None)] * rows.n_rows,
        method="L-BFGS-B",
        options={"maxiter": 100_000, "maxfun": 1_000_000, "ftol": 1e-15, "gtol": 1e-12, "maxcor": 60},
    )
    return -found.fun


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kernel", KERNELS)
def test_the_optimum_is_that_of_an_independent_solver(kernel, seed):
    rows, signs = problem(seed)
    for lam in (Fraction(1, 4), 4, 100):
        found = ConjunctionSVM(kernel, lam, tol=1e-9).run(rows, signs)
        assert found.gap <= 1e-9
        assert float(found.bound) == pytest.approx(dual_optimum(kernel, rows, signs, float(lam)), rel=1e-6)


def test_bound_and_risk_are_the_exact_ones_of_the_integers():
    rows, signs = problem(3, n_rows=60)
    kernel, lam = Conjunctions(2, Geometric("2/3")), Fraction(5, 2)
    weights = [Fraction(int(w), 3) for w in random_below(9, 4, 60)]
    found = ConjunctionSVM(kernel, lam).run(rows, signs, weights)
    mass: dict = {}
    for row, sign, weight in zip(rows.to_array().tolist(), signs.tolist(), weights, strict=True):
        mass[tuple(row), sign] = mass.get((tuple(row), sign), 0) + weight
    cells = [tuple(cell) for cell in found.cells.rows.to_array().tolist()]
    unit = Fraction(2) ** found.exponent
    dual = {
        (cell, sign): int(group[place]) * unit
        for place, cell in enumerate(cells)
        for sign, group in ((1, found.positive), (-1, found.negative))
        if group[place]
    }
    value = {(x, z): Fraction(kernel.value(x, z)) for x in cells for z in cells}
    score = {x: sum(y * a * value[x, z] for (z, y), a in dual.items()) for x in cells}
    norm_sq = sum(y * a * score[x] for (x, y), a in dual.items())
    assert norm_sq == found.norm_sq
    penalty = lam * sum(a * a / mass[key] for key, a in dual.items())
    assert found.bound == sum(dual.values()) ** 2 / (norm_sq + penalty)
    charge = sum(q * max(0, 1 - y * score[x]) ** 2 for (x, y), q in mass.items() if q)
    assert found.risk == norm_sq + charge / lam
    assert found.bound <= found.risk


def test_every_polynomial_has_at_least_the_risk_of_the_bound():
    rows, signs = problem(5)
    kernel, lam = Conjunctions(2), 4
    bound = ConjunctionSVM(kernel, lam, tol=1e-8).run(rows, signs).bound
    gram = kernel.gram(rows)
    for seed in range(200):
        weights = (random_below(seed, 2001, rows.n_rows) - 1000) / 1e5
        scores = gram @ weights
        risk = weights @ scores + (np.maximum(0, 1 - signs * scores) ** 2).sum() / lam
        assert risk >= float(bound) * (1 - 1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("lam", [Fraction(1, 3), 1, 7])
def test_parity_is_worth_two_to_the_n_over_one_plus_lam(n, lam):
    rows = BitMatrix.of(np.array(list(product((0, 1), repeat=n))))
    signs = np.where(rows.to_array().sum(axis=1) % 2, 1, -1)
    found = ConjunctionSVM(Conjunctions(), lam, tol=1e-12).run(rows, signs)
    assert found.bound == Fraction(2**n) / (1 + lam)


def test_and_of_two_variables_is_worth_eleven_tenths():
    rows = BitMatrix.of(["00", "01", "10", "11"])
    found = ConjunctionSVM(Conjunctions(2), 1, tol=1e-13).run(rows, [-1, -1, -1, 1])
    assert abs(found.bound - Fraction(11, 10)) < Fraction(1, 10**11)
    assert found.bound <= Fraction(11, 10) <= found.risk


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_weight_is_a_repetition_bit_for_bit(kernel):
    rows, signs = problem(11)
    weights = random_below(4, 4, 40)
    repeated = np.repeat(np.arange(40), weights)
    one = ConjunctionSVM(kernel, 2).run(rows, signs, [int(w) for w in weights])
    other = ConjunctionSVM(kernel, 2).run(rows[repeated], signs[repeated])
    assert one.bound == other.bound
    assert one.risk == other.risk
    assert one.exponent == other.exponent
    assert one.positive.tolist() == other.positive.tolist()
    assert one.negative.tolist() == other.negative.tolist()
    assert one.cells.rows.words.tolist() == other.cells.rows.words.tolist()


def test_the_weight_of_a_cell_is_shared_among_its_rows():
    rows, signs = problem(2, n_rows=80, n_variables=4)
    found = ConjunctionSVM(Conjunctions(2), 1).run(rows, signs)
    shares = found.row_weights(signs)
    assert np.all(shares >= 0)
    assert shares.sum() == pytest.approx(float((found.positive.sum() + found.negative.sum()) * found.unit))


def test_weights_have_at_most_forty_bits():
    rows, signs = problem(2)
    for tol in (1e-1, 1e-3, 1e-12):
        found = ConjunctionSVM(Conjunctions(), 1, tol).run(rows, signs)
        assert max(int(found.positive.max()), int(found.negative.max())) <= 1 << 40


@pytest.mark.parametrize("kernel", [Conjunctions(1), MonotoneConjunctions(2), Conjunctions(2)])
@pytest.mark.parametrize("lam", ["1/10000", "1/100", 1])
def test_few_features_and_little_regularisation_are_no_obstacle(kernel, lam):
    rows, signs = problem(8, n_rows=600, n_variables=9)
    found = ConjunctionSVM(kernel, lam, tol=1e-7).run(rows, signs)
    assert found.stopped_by == "gap"
    assert found.gap <= 1e-7


def test_cells_far_from_the_margin_are_left_aside_without_changing_the_answer(monkeypatch):
    rows = random_bits(5, (6000, 23))
    excess = rows.sum(axis=1) - 11.5
    kept = (np.abs(excess) > 3) | (np.arange(6000) < 200)
    problem = BitMatrix.of(rows[kept]), np.where(excess[kept] > 0, 1, -1)
    alone, solved = CellDescent._solve_working_set, []
    monkeypatch.setattr(CellDescent, "_solve_working_set", lambda *given: solved.append(alone(*given)))
    quick = ConjunctionSVM(Conjunctions(2), 1, tol=1e-6).run(*problem)
    assert solved
    assert np.count_nonzero(quick.positive - quick.negative) < quick.cells.n_cells / 3
    monkeypatch.setattr("conjunct.learners.margin.cell_descent.SWEEPS_BEFORE_SHRINKING", 10**9)
    plain = ConjunctionSVM(Conjunctions(2), 1, tol=1e-6).run(*problem)
    assert quick.gap <= 1e-6
    assert plain.gap <= 1e-6
    assert float(quick.bound) == pytest.approx(float(plain.bound), rel=2e-6)


class InterruptedSums(PairSums):
    """Sums that are interrupted once they have been added so many times."""

    n_left = 4

    def add(self, *arguments):
        super().add(*arguments)
        self.n_left -= 1
        if self.n_left == 0:
            raise KeyboardInterrupt


def test_an_interrupt_leaves_weights_and_scores_that_belong_together():
    cells, kernel = LabelledCells.of(*problem(1, n_rows=1500, n_variables=12)), Conjunctions(3)
    layout = kernel.layout(cells.rows)
    search = CellDescent(Svm(), InterruptedSums(layout, cells.rows), layout.floats, *cells.floats(), 1.0)
    with pytest.raises(KeyboardInterrupt):
        list(search.rounds(1e-9, lambda n_blocks: False))
    assert np.any(search.state.weights)
    np.testing.assert_allclose(
        search.state.scores, kernel.gram(cells.rows) @ search.state.weights, rtol=1e-9, atol=1e-9
    )
    solution = ConjunctionSVM(kernel, 1, tol=1e-9).solve(
        cells, InterruptedSums(layout, cells.rows), keeps_interrupted=True
    )
    assert solution.stopped_by == "interrupted"
    assert solution.history[-1].n_iter == solution.n_iter == search.n_blocks
    assert solution.gap == pytest.approx(solution.history[-1].gap, rel=1e-3)


def test_the_search_stops_where_it_is_told_and_reports_the_true_gap():
    rows, signs = problem(1, n_rows=500, n_variables=12)
    found = ConjunctionSVM(Conjunctions(3), 1, tol=1e-6, max_iter=1).run(rows, signs)
    assert found.stopped_by == "max_iter"
    assert found.n_iter == 1
    assert 1e-6 < found.gap < 1
    cells = LabelledCells.of(rows, signs)
    asked = iter(["", "time", "late"])
    cut = ConjunctionSVM(Conjunctions(3), 1, tol=1e-6).solve(cells, is_stopped=lambda: next(asked, "late"))
    assert cut.stopped_by in ("time", "late")
    assert cut.gap > 1e-6


def test_one_class_and_equal_rows_are_problems_like_others():
    one_class = ConjunctionSVM(Conjunctions(2), 1, tol=1e-9).run(BitMatrix.of(["01", "11"]), [1, 1])
    assert one_class.model().choices(BitMatrix.of(["01", "10"])).tolist() == [1, 1]
    equal = ConjunctionSVM(Conjunctions(), 1, tol=1e-9).run(BitMatrix.of(["01"] * 5), [1, 1, 1, -1, -1])
    # One cell, k = 4: (p, n) = (3, 2); b + f/4 = 0 in f = 4 b and b = 3 (1 - f) - 2 (1 + f).
    assert float(equal.model().scores(BitMatrix.of(["01"]))[0][0]) == pytest.approx(4 / 21, rel=1e-8)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lam": 0}, "lam=0"),
        ({"lam": -1.5}, "lam=-1.5"),
        ({"tol": 0}, "tol=0"),
        ({"tol": 1.0}, "tol=1.0"),
        ({"tol": "small"}, "tol='small'"),
        ({"max_iter": 0}, "max_iter=0"),
        ({"max_iter": 2.5}, "max_iter=2.5"),
    ],
)
def test_settings_without_meaning_are_refused(settings, message):
    with pytest.raises(SettingError, match=message.replace(".", r"\.")):
        ConjunctionSVM(Conjunctions(2), **settings)


def test_rows_without_weight_do_not_count_and_none_at_all_is_refused():
    rows = BitMatrix.of(["00", "01", "11"])
    found = ConjunctionSVM(Conjunctions(), 1).run(rows, [1, -1, 1], [1, 1, 0])
    assert found.cells.n_cells == 2
    assert found.cells.cell_of.tolist() == [0, 1, -1]
    assert found.row_weights(np.array([1, -1, 1]))[2] == 0
    with pytest.raises(BitsError, match="every row has weight zero"):
        LabelledCells.of(rows, [1, -1, 1], [0, 0, 0])
    with pytest.raises(BitsError, match="row 1: expected no negative weight"):
        LabelledCells.of(rows, [1, -1, 1], [1, -2, 0])
    with pytest.raises(BitsError, match="3 rows need as many labels"):
        LabelledCells.of(rows, [1, 0, 1])


@pytest.mark.parametrize("tol", [1e-9, 1e-13, 1e-16])
@pytest.mark.parametrize("kernel", [Conjunctions(1), MonotoneConjunctions()])
def test_a_search_that_floats_cannot_finish_ends_and_says_so(kernel, tol):
    rows, signs = problem(7, n_rows=300, n_variables=8)
    found = ConjunctionSVM(kernel, "1/1000000000", tol=tol).run(rows, signs)
    assert found.stopped_by == ("gap" if found.gap <= tol else "precision")
    assert found.stopped_by == "precision"
    assert found.n_iter < 10_000


@pytest.mark.parametrize("learner", [ConjunctionSVM, MaximalMarginPerceptron])
def test_what_floats_took_for_the_optimum_is_judged_by_its_true_gap(learner):
    rows, signs = problem(7, n_rows=300, n_variables=8)
    for lam in ("1/1000000000", "1/1000", 1):
        for tol in (1e-3, 1e-9, 1e-15):
            found = learner(Conjunctions(3), lam, tol=tol, max_iter=20_000).run(rows, signs)
            assert (found.stopped_by == "gap") == (found.gap <= tol) or found.stopped_by == "max_iter"


@pytest.mark.parametrize("n_variables", [300, 600, 890])
def test_squares_of_large_kernel_values_may_leave_the_range_of_floats(n_variables):
    rows = BitMatrix.of(random_bits(1, (30, n_variables)))
    signs = 2 * random_bits(2, 30).astype(int) - 1
    lam = Fraction(2) ** (n_variables - 1)
    found = ConjunctionSVM(Conjunctions(), lam, max_iter=1000).run(rows, signs)
    assert found.stopped_by == "gap"
    assert float(found.bound * 2**n_variables) == pytest.approx(30 / 1.5, rel=1e-3)


@pytest.mark.parametrize("learner", [ConjunctionSVM, MaximalMarginPerceptron, RegularizedPerceptron])
@pytest.mark.parametrize(
    ("kernel", "lam", "weight", "error", "message"),
    [
        (Conjunctions(1, [10**400] * 2), 1, 1, KernelError, r"kernel=Conj.*\.\.\. reaches about 2\*\*-13"),
        (
            Conjunctions(1, [Fraction(1, 10**400)] * 2),
            1,
            1,
            KernelError,
            r"reaches about 2\*\*13.. on 6 variables.*costs",
        ),
        (Conjunctions(2), 10**400, 1, SettingError, r"lam is about 2\*\*1329, too far"),
        (Conjunctions(2), Fraction(1, 10**400), 1, SettingError, r"lam is about 2\*\*-1329, too far"),
        (Conjunctions(2), 1, 10**300, BitsError, r"the rows weigh from about 2\*\*997 .* Divide all weights"),
        (Conjunctions(2), 1, Fraction(1, 10**300), BitsError, r"the rows weigh from about 2\*\*-997"),
        (Conjunctions(2), Fraction(1, 10**200), 10**200, SettingError, r"lam is about 2\*\*-664, .* 2\*\*664 to"),
    ],
)
def test_numbers_past_the_range_of_floats_are_refused(learner, kernel, lam, weight, error, message):
    rows, signs = problem(1)
    with pytest.raises(error, match=message) as caught:
        learner(kernel, lam).run(rows, signs, [weight] * rows.n_rows)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
