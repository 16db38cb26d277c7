from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction
from math import exp

import pytest

from conjunct.bits import random_below, random_bits
from conjunct.datasets.random_disjunctions import random_labels, random_signs
from conjunct.errors import SettingError
from conjunct.theory import (
    Update,
    exponentiated_gradient,
    exponentiated_gradient_plus_minus,
    run_balanced_winnow,
    run_elimination,
    run_halving,
    run_normalised_winnow,
    run_perceptron,
    run_perceptron_on_vectors,
    run_winnow,
)

A, AB, NONE = frozenset("a"), frozenset("ab"), frozenset()


def stream(seed, n=8, length=200):
    table = random_bits(seed, (length, n)).tolist()
    labels = (1 - 2 * random_bits(seed, length, stream=1).astype(int)).tolist()
    return [(frozenset(v for v in range(n) if row[v]), y) for row, y in zip(table, labels, strict=True)]


def test_a_tie_predicts_plus_one():
    assert run_perceptron([(A, 1)]).n_updates == 0
    assert run_perceptron([(A, -1)]).n_mistakes == 1
    assert run_winnow([(AB, 1)], threshold=2).n_updates == 0
    assert run_winnow([(AB, -1)], threshold=2).n_mistakes == 1
    assert run_balanced_winnow([(A, 1)]).n_updates == 0
    assert run_balanced_winnow([(A, -1)]).n_mistakes == 1
    assert run_halving([lambda x: 1, lambda x: -1], [(A, 1)]).n_mistakes == 0
    assert run_perceptron_on_vectors([[1]], [1]).n_updates == 0
    assert run_normalised_winnow([[1]], [1], 0.1).n_updates == 0


def test_an_update_names_step_label_and_the_score_before():
    run = run_perceptron([(A, 1), (A, -1), (AB, 1)], threshold="1/2", rate=3)
    assert run.updates == (
        Update(0, 0, 1, Fraction(0), True),
        Update(1, 1, -1, Fraction(3), True),
        Update(2, 2, 1, Fraction(0), True),
    )
    assert run.weights == {"a": 3, "b": 3}
    assert run.n_steps == 3
    assert (run.n_updates, run.n_mistakes, run.n_promotions, run.n_demotions) == (3, 3, 2, 1)
    with pytest.raises(FrozenInstanceError):
        run.n_steps = 4


def test_any_iterable_is_seen_once_and_none_at_all_is_a_run():
    rows = stream(1)
    assert run_winnow(iter(rows), threshold=4) == run_winnow(rows, threshold=4)
    for empty in (run_perceptron([]), run_winnow([], threshold=1), run_balanced_winnow([]), run_elimination([], "ab")):
        assert (empty.n_steps, empty.updates, empty.weights) == (0, (), {})
    assert run_halving([], []).n_steps == run_perceptron_on_vectors([], []).n_steps == 0
    assert run_normalised_winnow([], [], 1.0).n_steps == 0
    assert exponentiated_gradient([], [], 1.0).loss == exponentiated_gradient_plus_minus([], [], 1.0, 1.0).loss == 0


def test_variables_never_updated_are_absent():
    run = run_winnow([(A, 1), (frozenset("cd"), 1)], threshold=2)
    assert run.weights == {"a": 2}


def test_a_constant_of_value_c_counts_c_squared():
    run = run_perceptron([(NONE, -1), (NONE, 1)], constant=3, rate=2)
    assert [update.score for update in run.updates] == [0, -18]
    assert run.intercept == 0
    padded = [(row | {"constant"}, y) for row, y in stream(2)]
    plain, with_constant = run_perceptron(padded), run_perceptron(stream(2), constant=1)
    assert plain.updates == with_constant.updates
    assert plain.weights["constant"] == with_constant.intercept


def test_a_constant_of_value_c_is_one_more_coordinate_c():
    rows, value = stream(3), Fraction(3, 2)
    vectors = [[*(int(v in row) for v in range(8)), value] for row, _ in rows]
    run = run_perceptron(rows, constant=value)
    assert run.updates == run_perceptron_on_vectors(vectors, [y for _, y in rows]).updates


@pytest.mark.parametrize("rate", [2, Fraction(1, 3)])
def test_only_theta_over_the_rate_matters_to_the_perceptron(rate):
    for theta in (0, 1, -2):
        base = run_perceptron(stream(4), threshold=theta)
        scaled = run_perceptron(stream(4), threshold=theta * rate, rate=rate)
        assert [update.index for update in scaled.updates] == [update.index for update in base.updates]


@pytest.mark.parametrize("start", [5, Fraction(1, 3)])
@pytest.mark.parametrize("elimination", [False, True])
def test_only_theta_over_the_initial_weight_matters_to_winnow(start, elimination):
    base = run_winnow(stream(5), threshold=4, elimination=elimination)
    scaled = run_winnow(stream(5), threshold=4 * start, initial_weight=start, elimination=elimination)
    assert [update.index for update in scaled.updates] == [update.index for update in base.updates]


def test_winnow_promotes_and_demotes_by_factors_set_apart():
    rows = [(A, 1), (AB, -1), (frozenset("b"), 1)]
    run = run_winnow(rows, threshold=3, promotion="7/2", demotion=3)
    assert run.weights == {"a": Fraction(7, 6), "b": Fraction(7, 6)}
    assert run_winnow(rows[:2], threshold=3, promotion="7/2").weights == {"a": 1, "b": Fraction(2, 7)}


def test_winnow1_sets_demoted_weights_to_zero_for_good():
    run = run_winnow([(AB, -1), (A, 1), (A, 1)], threshold=2, elimination=True)
    assert run.weights == {"a": 0, "b": 0}
    assert (run.n_demotions, run.n_promotions) == (1, 2)


@pytest.mark.parametrize(
    ("label", "score", "tau", "is_update"),
    [
        (1, 3, 0, True),
        (1, 4, 0, False),
        (1, 4, 1, True),
        (1, 5, 1, True),
        (1, 6, 1, False),
        (-1, 5, 0, True),
        (-1, 4, 0, True),
        (-1, 3, 0, False),
        (-1, 3, 1, True),
        (-1, 2, 1, False),
    ],
)
def test_a_thick_separator_updates_up_to_and_including_its_edge(label, score, tau, is_update):
    row = frozenset(range(score))
    thickness = (tau, 0) if label > 0 else (0, tau)
    run = run_winnow([(row, label)], threshold=4, thickness=thickness)
    assert run.n_updates == is_update
    assert run.n_mistakes == ((score >= 4) != (label > 0))
    assert run_winnow([(row, label)], threshold=4, thickness=thickness[::-1]).n_updates == run.n_mistakes


@pytest.mark.parametrize("label", [-1, 1])
def test_a_thick_perceptron_and_a_thick_balanced_winnow_update_at_a_tie(label):
    assert run_perceptron([(A, label)], thickness=1).n_updates == 1
    assert run_perceptron([(A, label)] * 3, thickness=1).n_updates == 2  # y score = 1 <= tau, then 2
    assert run_perceptron([(A, label)] * 3, thickness=1).n_mistakes == (label < 0)
    thickness = (Fraction(3, 2), 0) if label > 0 else (0, Fraction(3, 2))
    assert run_balanced_winnow([(A, label)] * 3, thickness=thickness).n_updates == 2  # y score = 3/2, then 15/4


def test_balanced_winnow_keeps_the_product_of_its_two_weights():
    start = Fraction(3)
    run = run_balanced_winnow(stream(6), initial_weight=start, promotion=3)
    exponents = dict.fromkeys(range(8), 0)
    rows = stream(6)
    for update in run.updates:
        for v in rows[update.index][0]:
            exponents[v] += update.label
    assert run.weights == {v: start * Fraction(3) ** e - start / Fraction(3) ** e for v, e in exponents.items()}
    assert run.n_mistakes > 20


def test_elimination_drops_what_was_active_and_counts_false_negatives():
    run = run_elimination([(AB, -1), (A, 1), (frozenset("c"), 1), (frozenset("x"), 1)], "abc")
    assert run.weights == {"a": 0, "b": 0}
    assert [(update.index, update.label, update.score) for update in run.updates] == [(0, -1, 2), (1, 1, 0), (3, 1, 0)]


def test_halving_drops_the_wrong_concepts_at_every_example():
    concepts = [lambda x, size=size: 1 if len(x) >= size else -1 for size in range(4)]
    run = run_halving(concepts, [(AB, 1), (A, -1), (A, -1)])
    assert [(update.index, update.is_mistake, update.score) for update in run.updates] == [(0, False, 2), (1, True, 1)]
    assert run.weights == {3: 0, 0: 0, 1: 0}
    assert run_halving(concepts, [(NONE, 1), (frozenset("abc"), -1), (A, -1)]).n_mistakes == 3  # none is left


def test_the_perceptron_over_vectors_of_fractions_and_floats_is_exact():
    tenth = Fraction(1, 10)
    run = run_perceptron_on_vectors([[tenth, 0], [tenth, -1]], [-1, -1])
    assert run.weights == {0: -tenth}
    assert run.updates[0].score == 0
    assert run_perceptron_on_vectors([[0.1]], [-1]).weights == {0: -Fraction(0.1)}
    assert run_perceptron_on_vectors([[0.1], [tenth]], [-1, 1]).updates[1].score == -tenth * Fraction(0.1)


def test_normalised_winnow_is_its_definition():
    run = run_normalised_winnow([[1.0, 0.0], [1.0, 2.0]], [-1, 1], 0.5)
    up, down = exp(0.5), exp(-0.5)
    first = (down - up) / (up + down + 2)
    assert run.updates[1].score == pytest.approx(first)
    total = down * up + up * down + exp(1) + exp(-1)
    assert run.weights[0] == pytest.approx(0, abs=1e-15)
    assert run.weights[1] == pytest.approx((exp(1) - exp(-1)) / total)
    assert run.n_mistakes == 2


@pytest.mark.parametrize("seed", range(5))
def test_normalised_winnow_makes_the_mistakes_of_products_in_floats(seed):
    vectors, labels = random_signs(seed, 200, 11).tolist(), random_labels(seed, 200, stream=7).tolist()
    run = run_normalised_winnow(vectors, labels, 1 / 3)
    mistakes = {update.step: update.score for update in run.updates}
    plus, minus = [1 / 22] * 11, [1 / 22] * 11
    for step, (x, y) in enumerate(zip(vectors, labels, strict=True)):
        score = sum((p - m) * value for p, m, value in zip(plus, minus, x, strict=True))
        if abs(score) > 1e-9:  # nearer to 0 their rounding decides
            assert (step in mistakes) == ((score >= 0) != (y > 0))
        if step in mistakes:
            assert mistakes[step] == pytest.approx(score, abs=1e-12)
            plus, minus = (
                [w * exp(sign * y * value / 3) for w, value in zip(side, x, strict=True)]
                for side, sign in ((plus, 1), (minus, -1))
            )
            total = sum(plus) + sum(minus)
            plus, minus = [w / total for w in plus], [w / total for w in minus]


def test_what_cancels_in_normalised_winnow_is_a_tie():
    """After -(1, .., 1) all weights are equal: (1, .., 1, -6) scores 0, which predicts +1; added one by one -3e-17."""
    run = run_normalised_winnow([[1] * 7, [1] * 6 + [-6]], [-1, 1], 0.3)
    assert [update.step for update in run.updates] == [0]


def test_eg_is_its_definition():
    run = exponentiated_gradient([[1.0, 0.0, -1.0], [2.0, 1.0, 0.0]], [1.0, 0.5], 0.25)
    factors = [exp(0.5), 1.0, exp(-0.5)]
    weights = [factor / sum(factors) for factor in factors]
    assert run.predictions == pytest.approx((0.0, 2 * weights[0] + weights[1]))
    assert run.losses == pytest.approx((1.0, (run.predictions[1] - 0.5) ** 2))
    assert run.loss == sum(run.losses)
    assert sum(run.weights) == pytest.approx(1)


def test_eg_plus_minus_is_its_definition():
    norm, eta = 2.0, 0.125
    run = exponentiated_gradient_plus_minus([[1.0, 0.0], [1.0, 0.5]], [1.0, -1.0], eta, norm)
    plus, minus = [exp(2 * eta * norm), 1.0], [exp(-2 * eta * norm), 1.0]
    weights = [norm * (p - m) / (sum(plus) + sum(minus)) for p, m in zip(plus, minus, strict=True)]
    assert run.predictions == pytest.approx((0.0, weights[0]))
    assert sum(map(abs, run.weights)) <= norm


def test_eg_survives_exponents_past_the_range_of_a_float():
    run = exponentiated_gradient([[1.0, -1.0]] * 3, [1000.0] * 3, 10.0)
    assert run.predictions == pytest.approx((0.0, 1.0, 1.0))


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: run_perceptron([], rate=0), "rate=0"),
        (lambda: run_perceptron([], thickness=-1), "thickness=-1"),
        (lambda: run_winnow([], threshold=0), "threshold=0"),
        (lambda: run_winnow([], threshold=1, promotion=1), "promotion=1"),
        (lambda: run_winnow([], threshold=1, demotion="1/2"), "demotion='1/2'"),
        (lambda: run_winnow([], threshold=1, initial_weight=0), "initial_weight=0"),
        (lambda: run_winnow([], threshold=1, thickness=(0, -1)), "thickness="),
        (lambda: run_winnow([], threshold="x"), "threshold='x'"),
        (lambda: run_balanced_winnow([], promotion=1), "promotion=1"),
        (lambda: run_balanced_winnow([], initial_weight=-1), "initial_weight=-1"),
        (lambda: run_perceptron([(A, 1), (A, 0)]), "example 1 has the label 0"),
        (lambda: run_elimination([(A, 2)], "a"), "example 0 has the label 2"),
        (lambda: run_normalised_winnow([[1]], [1], 0), "eta=0"),
        (lambda: exponentiated_gradient([[1]], [1], -1), "eta=-1"),
        (lambda: exponentiated_gradient_plus_minus([[1]], [1], 1, 0), "norm=0"),
    ],
)
def test_a_setting_that_makes_no_learner_is_refused_by_name(call, name):
    with pytest.raises(SettingError, match=name):
        call()


def test_names_of_any_kind_are_variables():
    draws = random_below(7, 3, 40).tolist()
    names = [("pair", 1), "word", 3]
    rows = [(frozenset({names[d]}), 1 if d else -1) for d in draws]
    numbered = [(frozenset({d}), y) for (_, y), d in zip(rows, draws, strict=True)]
    assert run_winnow(rows, threshold=5).updates == run_winnow(numbered, threshold=5).updates
