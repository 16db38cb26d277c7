"""The fast linear learners do, update by update, what the definitions say."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conjunct.bits import SparseRows, random_below, random_flips
from conjunct.learners import Lesson, Perceptron, Winnow
from conjunct.models import PowerThreshold
from conjunct.models.weight_powers import nearest
from conjunct.theory import run_balanced_winnow, run_perceptron, run_winnow
from strategies import seeded, times

RATIOS = st.fractions(min_value=Fraction(1, 4), max_value=4, max_denominator=4)
NUMBERS = st.fractions(min_value=-4, max_value=4, max_denominator=3)
FACTORS = st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(3), Fraction(11, 10), Fraction(4, 3)])
THICK = st.sampled_from([Fraction(0), Fraction(0), Fraction(1), Fraction(1, 3)])


@st.composite
def streams(draw):
    n = draw(st.integers(1, 6))
    examples = st.tuples(st.frozensets(st.integers(0, n - 1)), st.sampled_from([1, -1]))
    return n, draw(st.lists(examples, min_size=1, max_size=40))


def updates(run):
    return [(u.step, u.index, u.label, u.score, u.is_mistake) for u in run]


def expected(run):
    return [(u.step, u.index, u.label, u.score, u.is_mistake) for u in run.updates]


def rows_of(n, examples):
    starts = np.cumsum([0, *(len(row) for row, _ in examples)], dtype=np.int64)
    return SparseRows(starts, np.array([v for row, _ in examples for v in sorted(row)], np.int32), n)


def labels_of(examples):
    return np.array([label for _, label in examples])


@seeded
@given(streams(), NUMBERS, RATIOS, NUMBERS, THICK)
def test_the_perceptron_does_what_its_definition_says(stream, threshold, rate, constant, thickness):
    n, examples = stream
    run = Perceptron(threshold, rate, constant, thickness).run(rows_of(n, examples), labels_of(examples))
    wanted = run_perceptron(examples, threshold=threshold, rate=rate, constant=constant, thickness=thickness)
    assert updates(run) == expected(wanted)


@seeded
@given(streams(), RATIOS, FACTORS, FACTORS, RATIOS, st.booleans(), THICK, THICK)
def test_winnow_does_what_its_definition_says(stream, threshold, up, down, initial, eliminates, above, below):
    n, examples = stream
    learner = Winnow(
        threshold,
        up,
        None if eliminates else down,
        initial,
        "elimination" if eliminates else "positive",
        (above, below),
    )
    run = learner.run(rows_of(n, examples), labels_of(examples))
    wanted = run_winnow(
        examples,
        threshold=threshold,
        promotion=up,
        demotion=None if eliminates else down,
        initial_weight=initial,
        elimination=eliminates,
        thickness=(above, below),
    )
    assert updates(run) == expected(wanted)


@seeded
@given(streams(), NUMBERS, FACTORS, RATIOS, THICK, THICK)
def test_balanced_winnow_does_what_its_definition_says(stream, threshold, up, initial, above, below):
    n, examples = stream
    learner = Winnow(threshold, up, None, initial, "balanced", (above, below))
    run = learner.run(rows_of(n, examples), labels_of(examples))
    wanted = run_balanced_winnow(
        examples, promotion=up, threshold=threshold, initial_weight=initial, thickness=(above, below)
    )
    assert updates(run) == expected(wanted)


@times(0.25)
@given(st.integers(0, 10**6), st.sampled_from([(2, None, "positive"), (2, None, "balanced"), ("3/2", 2, "positive")]))
def test_predictions_are_exact_where_sums_tie_with_the_threshold(seed, how):
    """Whole weights and thresholds make ties common."""
    promotion, demotion, variant = how
    table = random_flips(seed, 200 * 8, Fraction(1, 2)).reshape(200, 8)
    labels = 2 * random_below(seed, 2, 200, stream=1) - 1
    rows = SparseRows.of(table)
    learner = Winnow(0 if variant == "balanced" else 4, promotion, demotion, variant=variant)
    run = learner.begin()
    run.learn(Lesson(rows, labels))
    model = learner.model([run])
    exact = [score[0] >= learner.threshold for score in model.scores(rows)]
    assert model.choices(rows).tolist() == exact
    assert (model.decision_values(rows) > 0).tolist() == exact


def test_exponents_past_the_range_of_floats_still_decide_exactly():
    learner, rows = Winnow(threshold=2**1500 + 1), SparseRows.of([{0, 1}, {1}, {0}])
    run = learner.begin()
    run.learn(Lesson(SparseRows.of([{0}, {1}] * 1501), np.ones(3002)))
    model = learner.model([run])
    assert model.scores(rows) == [[2**1501 + 2**1501], [2**1501], [2**1501]]
    assert model.choices(rows).tolist() == [1, 1, 1]
    tied = PowerThreshold(model.powers, model.promotions - 1, model.demotions, Fraction(2**1500 + 1))
    assert tied.choices(rows).tolist() == [1, 0, 0]
    assert run.transcript().n_mistakes == 3002


@pytest.mark.parametrize("prediction", ["final", "averaged", "voted"])
def test_a_perceptron_predicts_with_its_last_its_mean_or_all_hypotheses(prediction):
    table = random_flips(3, 60 * 7, Fraction(1, 2)).reshape(60, 7).astype(int)
    labels = 2 * random_below(3, 2, 60, stream=1) - 1
    learner = Perceptron(threshold="1/2", constant="2/3")
    run = learner.begin()
    run.learn(Lesson(SparseRows.of(table), labels), max_passes=2)
    hypotheses, weights, bias = [], np.zeros(7, object), Fraction(0)
    log = {u.step: u for u in run.transcript()}
    for step in range(run.n_steps):
        if step in log:
            weights = weights + log[step].label * table[log[step].index]
            bias += log[step].label * Fraction(4, 9)
        hypotheses.append((weights, bias))
    for row in table:
        scores = [int(w @ row) + b for w, b in hypotheses]
        choice = {
            "final": scores[-1] >= Fraction(1, 2),
            "averaged": sum(scores) >= Fraction(1, 2) * len(scores),
            "voted": 2 * sum(score >= Fraction(1, 2) for score in scores) >= len(scores),
        }[prediction]
        assert bool(learner.model([run], prediction).choices(SparseRows.of(row[None]))[0]) == choice


@pytest.mark.parametrize("seed", range(40))
def test_tables_that_grow_amid_rows_that_fractions_decide_change_nothing(seed):
    """Two variables promoted once tie with the threshold, and no float sum says so; tables start with one entry."""
    n, m = 4, 300
    table = random_flips(seed, m * n, Fraction(1, 2)).reshape(m, n)
    labels = 2 * random_below(seed, 2, m, stream=1) - 1
    learner, rows = Winnow("8/3", "4/3"), SparseRows.of(table)
    run = learner.begin()
    run.weights = replace(run.weights, n_table=1)
    run.learn(Lesson(rows, labels))
    examples = [(frozenset(rows.row(k).tolist()), int(labels[k])) for k in range(m)]
    assert updates(run.transcript()) == expected(run_winnow(examples, threshold="8/3", promotion="4/3"))


@pytest.mark.parametrize(
    "learner",
    [Winnow(3), Winnow(3, "3/2", "7/4"), Winnow(1, "5/4", variant="balanced"), Winnow(2, thickness=(1, 1))],
    ids=["positive", "factors apart", "balanced", "thick"],
)
@pytest.mark.parametrize("largest_rate", [3, 400, 2000])
def test_rates_that_lead_past_the_range_of_floats_change_no_decision(learner, largest_rate):
    n, m = 6, 60
    table = random_flips(largest_rate, m * n, Fraction(1, 2)).reshape(m, n)
    labels = (2 * random_below(largest_rate, 2, m, stream=1) - 1).tolist()
    rates = (1 + random_below(largest_rate, largest_rate, m, stream=2)).tolist()
    run = learner.run(SparseRows.of(table), labels, rates=rates, max_passes=2)
    counts, found = np.zeros((2, n), np.int64), []
    for step in range(2 * m):
        active, label = np.flatnonzero(table[step % m]), labels[step % m]
        excess = learner.powers.total(*counts[:, active]) - learner.threshold
        is_mistake = (excess >= 0) != (label > 0)
        if is_mistake or (set(learner.thickness) != {0} and abs(excess) <= learner.thickness[label < 0]):
            found.append((step, is_mistake))
            counts[int(label < 0), active] += rates[step % m]
    assert list(zip(run.step.tolist(), run.is_mistake.tolist(), strict=True)) == found
    ends = np.array([nearest(learner.powers.weight(int(p), int(d))) for p, d in counts.T])
    assert largest_rate < 2000 or np.any((ends == 0) | np.isinf(ends))
