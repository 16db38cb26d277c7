from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.datasets import tic_tac_toe
from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from conjunct.learners import ConjunctionSVM, LabelledCells, MaskPerceptron
from conjunct.learners.margin.mask_perceptron import columns_of, masks_on_one_scale
from conjunct.learners.margin.rounding import signed_rounding
from conjunct.learners.margin.squared_hinge import exact_risk, fit_squared_hinge


def noisy(seed: int, n: int = 4, n_rows: int = 60) -> tuple[BitMatrix, np.ndarray]:
    rows = random_bits(seed, (n_rows, n))
    noise = random_below(seed, 6, n_rows, stream=1) == 0
    return BitMatrix.of(rows), np.where(((rows[:, 0] & rows[:, 1]) | rows[:, 2]).astype(bool) ^ noise, 1, -1)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lam", [0.25, 4.0])
def test_the_fit_is_the_minimum(seed: int, lam: float) -> None:
    rows, labels = noisy(seed)
    cells = LabelledCells.of(rows, labels)
    columns = columns_of(cells, [(), (1,), (2,), (3, 5)])
    positive, negative = cells.floats()

    def risk(c: np.ndarray) -> float:
        f = c @ columns
        loss = positive @ np.maximum(0, 1 - f) ** 2 + negative @ np.maximum(0, 1 + f) ** 2
        return float(c @ c + loss / lam)

    c = fit_squared_hinge(columns, (positive, negative), lam, np.zeros(4))
    assert risk(c) == pytest.approx(minimize(risk, np.zeros(4)).fun, rel=1e-6)
    f = c @ columns
    slopes = columns @ (positive * np.maximum(0, 1 - f) - negative * np.maximum(0, 1 + f))
    np.testing.assert_allclose(slopes, lam * c, atol=1e-9)


@pytest.mark.parametrize("selection", ["exact", "beam"])
@pytest.mark.parametrize("literals", ["both", "positive"])
@pytest.mark.parametrize("max_size", [1, 2, None])
def test_every_term_is_new_the_risk_falls_and_stays_above_the_bound(
    max_size: int | None, literals: str, selection: str
) -> None:
    rows, labels = noisy(5)
    kernel = {"both": Conjunctions, "positive": MonotoneConjunctions}[literals](max_size)
    bound = ConjunctionSVM(kernel, 4, 1e-6).run(rows, labels).bound
    solution = MaskPerceptron(max_size, 4, 9, literals=literals, selection=selection).run(rows, labels)
    assert solution.conjunctions[0] == ()
    assert len(set(solution.conjunctions)) == len(solution.conjunctions) == len(solution.history)
    assert max(map(len, solution.conjunctions)) <= (max_size or 4)
    assert literals == "both" or all(literal % 2 for own in solution.conjunctions for literal in own)
    assert all(later < earlier for earlier, later in zip(solution.history, solution.history[1:], strict=False))
    assert bound <= solution.risk == solution.history[-1]


def test_the_risk_is_that_of_the_models_own_scores() -> None:
    rows, labels = noisy(7)
    weights = [Fraction(1 + i % 3, 2) for i in range(rows.n_rows)]
    solution = MaskPerceptron(2, "3/2", 6).run(rows, labels, weights)
    model = solution.model()
    scores = [score for (score,) in model.scores(rows)]
    norm_sq = sum((model.unit * weight) ** 2 for weight in model.weights[0].tolist())
    losses = (
        weight * max(0, 1 - int(y) * score) ** 2 for weight, y, score in zip(weights, labels, scores, strict=True)
    )
    assert solution.risk == norm_sq + sum(losses) / Fraction(3, 2)


def test_the_second_term_goes_along_with_the_residuals_most() -> None:
    rows = BitMatrix.of(["00", "01", "10", "11"] * 5)
    labels = np.where(rows.to_array()[:, 1] == 1, 1, -1)
    solution = MaskPerceptron(1, 1, 2).run(rows, labels)
    assert solution.conjunctions == ((), (2,))  # of x2 and its negation, as good, the negation has the lower number


def test_a_row_of_weight_k_is_k_rows() -> None:
    rows, labels = noisy(2, n_rows=30)
    counts = 1 + np.arange(30) % 3
    repeated = np.repeat(np.arange(30), counts)
    learner = MaskPerceptron(2, 1, 6)
    weighted, plain = learner.run(rows, labels, counts.tolist()), learner.run(rows[repeated], labels[repeated])
    assert weighted.conjunctions == plain.conjunctions
    assert weighted.weights.tolist() == plain.weights.tolist()
    assert weighted.risk == plain.risk


def test_what_costs_less_than_the_gain_is_dropped() -> None:
    rows, classes = tic_tac_toe()
    labels = np.where(classes == "positive", 1, -1)
    solution = MaskPerceptron(3, 4, 26, 1, "positive").run(rows, labels)
    lines = ["012", "345", "678", "036", "147", "258", "048", "246"]  # three squares, each of them x, o or blank
    expected = {tuple(2 * 3 * int(square) + 1 for square in line) for line in lines}
    assert set(solution.conjunctions) == {(), *expected}
    assert len(solution.history) > 9
    assert solution.stopped_by == "min_gain"
    assert solution.risk > solution.history[-1]
    cells = LabelledCells.of(rows, labels)
    for term in range(1, 9):
        columns = np.delete(columns_of(cells, solution.conjunctions), term, axis=0)
        weights, exponent = signed_rounding(fit_squared_hinge(columns, cells.floats(), 4.0, np.zeros(8)))
        assert exact_risk(columns, weights, exponent, cells, Fraction(4)) - solution.risk >= 1


def test_a_table_with_no_other_conjunction_keeps_the_constant() -> None:
    solution = MaskPerceptron(3, 4, 10).run(BitMatrix.of(["1", "1", "1"]), [1, 1, -1])
    assert (solution.conjunctions, solution.stopped_by) == (((),), "no conjunction left")
    dropped = MaskPerceptron(3, 4, 10, min_gain=10**6).run(*noisy(1))
    assert dropped.conjunctions == ((),)


@pytest.mark.parametrize("lam", ["1/1000000000000", 10**12])
def test_a_lam_far_from_1_gives_finite_weights(lam: Any) -> None:
    rows, labels = noisy(3)
    solution = MaskPerceptron(2, lam, 8).run(rows, labels)
    zero_risk = Fraction(rows.n_rows) / Fraction(lam)
    assert 0 < solution.risk < zero_risk


def test_solutions_on_one_scale_keep_their_coefficients() -> None:
    rows, labels = noisy(4)
    learner = MaskPerceptron(2, 4, 5)
    solutions = [learner.run(rows, labels), learner.run(rows, np.where(rows.to_array()[:, 3] == 1, 1, -1))]
    scaled = masks_on_one_scale(solutions)
    assert len({solution.exponent for solution in scaled}) == 1
    for before, after in zip(solutions, scaled, strict=True):
        assert [Fraction(2) ** before.exponent * w for w in before.weights.tolist()] == [
            Fraction(2) ** after.exponent * w for w in after.weights.tolist()
        ]
    coarse = solutions[0].at(solutions[0].exponent + 30)
    assert abs(coarse.risk / solutions[0].risk - 1) < Fraction(1, 100)
    assert coarse.risk != solutions[0].risk


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_terms": 0}, "max_terms=0: expected a positive integer"),
        ({"max_size": 0}, "max_size=0: expected a positive integer, or None for every size"),
        ({"min_gain": "-1/2"}, "min_gain='-1/2': expected 0 or a positive number"),
        ({"lam": 0}, "lam=0: expected a positive number"),
        ({"selection": "all"}, 'selection=\'all\': expected "exact" or "beam"'),
        ({"literals": "none"}, 'literals=\'none\': expected "both" or "positive"'),
    ],
)
def test_bad_settings_are_refused_by_name(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingError) as refusal:
        MaskPerceptron(**settings)
    assert str(refusal.value) == message
