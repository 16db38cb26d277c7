"""Sums of rational weights are exact however far apart the weights are."""

import random
from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.learners import Winnow
from conjunct.learners.online.lesson import Lesson
from conjunct.models import PowerThreshold, WeightPowers
from conjunct.models.rational_sums import RationalSums
from conjunct.models.weight_powers import floor_log2
from reference.on_line_classifiers import nearest

KINDS = {
    "net": {},
    "apart": {"demotion": Fraction(7, 5)},
    "eliminates": {"eliminates": True},
    "balanced": {"is_balanced": True},
}
THRESHOLDS = [Fraction(0), Fraction(1, 3), Fraction(10) ** 40, Fraction(-1, 10**40), Fraction(2) ** 1100]


def random_powers(draw, kind):
    promotion = draw.choice([Fraction(2), Fraction(3, 2), Fraction(1001, 1000)])
    rest = {"demotion": promotion} | KINDS[kind]
    return WeightPowers(draw.choice([Fraction(1), Fraction(1, 7), Fraction(10) ** 30]), promotion, **rest)


def expected(model, rows):
    out = []
    for i in range(rows.n_rows):
        on = [*rows.row(i).tolist(), *[model.promotions.shape[1] - 1] * model.has_constant]
        scores = []
        for output in range(model.n_outputs):
            counts = [(0, 0) if k < 0 else (model.promotions[output, k], model.demotions[output, k]) for k in on]
            weights = [model.powers.weight(int(p), int(d)) for p, d in counts]
            scores.append(sum(weights, Fraction(0)) / model.divisors[output])
        out.append(scores)
    return out


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("most", [3, 60, 1500])
def test_scores_choices_and_decision_values_are_exact_and_rounded_once(kind, most):
    draw = random.Random(most)
    for _ in range(60):
        n_outputs, n, has_constant = draw.choice([1, 1, 3]), draw.randint(1, 6), draw.random() < 0.5
        counts = np.array([[[draw.randint(0, most) for _ in range(n + has_constant)] for _ in range(n_outputs)]] * 2)
        if kind in ("apart", "balanced", "net"):
            counts[1] = [[draw.randint(0, most) for _ in row] for row in counts[1]]
        divisors = tuple(draw.choice([Fraction(1), Fraction(13, 2), Fraction(1, 3)]) for _ in range(n_outputs))
        threshold = draw.choice(THRESHOLDS)
        model = PowerThreshold(random_powers(draw, kind), *counts, threshold, has_constant, divisors)
        places = [sorted(draw.sample(range(-1, n), draw.randint(0, n))) for _ in range(8)]
        starts = np.cumsum([0, *map(len, places)])
        rows = SparseRows(starts, np.array([k for row in places for k in row], np.int32), n)
        exact = expected(model, rows)
        assert model.scores(rows) == exact
        values = model.decision_values(rows).reshape(8, -1).tolist()
        assert values == [[nearest(score - threshold) for score in scores] for scores in exact]
        choices = [int(s[0] >= threshold) if n_outputs == 1 else s.index(max(s)) for s in exact]
        assert model.choices(rows).tolist() == choices


def test_sums_that_nearly_tie_are_told_apart_by_fractions(monkeypatch):
    """Scores differ by 3**-200: no fixed point of 90 bits sees it."""
    powers = WeightPowers(Fraction(1), Fraction(3), Fraction(3))
    counts = np.array([[[1, 0, 0], [1, 0, 0]], [[0, 200, 0], [0, 200, 1]]])
    model = PowerThreshold(powers, *counts, Fraction(3))
    asked = []
    original = RationalSums.excess
    monkeypatch.setattr(RationalSums, "excess", lambda self, *of: asked.append(of) or original(self, *of))
    rows = SparseRows.of([{0, 1, 2}, {0, 1}, {2}])
    assert model.choices(rows).tolist() == [0, 0, 0]
    assert {row for _, row, _ in asked} == {1}
    one = PowerThreshold(powers, counts[0, :1], counts[1, :1], Fraction(3))
    assert one.choices(SparseRows.of([{0, 1}, {0}, {1}])).tolist() == [1, 1, 0]
    assert one.decision_values(SparseRows.of([{0, 1}, {0}])).tolist() == [3.0**-200, 5e-324]


@pytest.mark.parametrize("variant", ["positive", "balanced", "normalised", "elimination"])
def test_floats_of_a_mean_only_save_time(variant):
    draw = np.random.RandomState(7)
    rows, labels = SparseRows.of(draw.randint(0, 2, (80, 6))), draw.choice([-1, 1], 80)
    learner = Winnow(0 if variant in ("balanced", "normalised") else 4, "3/2", variant=variant, constant=True)
    kept, bare = learner.begin(), learner.begin(averages=False)
    for run in (kept, bare):
        run.learn(Lesson(rows, labels), max_passes=3)
    with_floats, without = (learner.model([run, run], "averaged") for run in (kept, bare))
    assert (with_floats.floats is None, without.floats is None) == (variant == "normalised", True)
    assert with_floats.choices(rows).tolist() == without.choices(rows).tolist() == [0] * 80
    one, other = learner.model([kept], "averaged"), learner.model([bare], "averaged")
    assert one.choices(rows).tolist() == other.choices(rows).tolist()
    assert one.coefficients.tolist() == other.coefficients.tolist()
    if one.floats is not None:
        exact = [one.means[0]().total(np.array([k], np.int32), 0) for k in range(7)]
        errors = [abs(Fraction(float(f)) - e) for f, e in zip(one.floats[0], exact, strict=True)]
        assert max(errors) <= Fraction(one.float_error)


def test_the_mean_so_far_does_not_change_when_the_run_goes_on():
    rows = SparseRows.of([{0, 1}, {1}, {0}])
    learner = Winnow(3, "3/2")
    run = learner.begin()
    run.learn(Lesson(rows, [1, -1, -1]))
    before, model = learner.model([run], "averaged").scores(rows), learner.model([run], "averaged")
    run.learn(Lesson(rows, [-1, 1, 1]), max_passes=3)
    assert model.scores(rows) == before != learner.model([run], "averaged").scores(rows)


def test_rows_of_other_widths_or_with_values_are_refused():
    run = Winnow(1).begin()
    run.learn(Lesson(SparseRows.of([{0}, {1}]), [1, -1]))
    model = Winnow(1).model([run], "averaged")
    for ask in (model.choices, model.decision_values, model.scores):
        with pytest.raises(BitsError, match="rows of 3 variables, but the model has 2"):
            ask(SparseRows.of([{2}]))
        with pytest.raises(BitsError, match="Boolean rows"):
            ask(SparseRows.of_real([[0.5, 1]]))


def test_logarithms_are_rounded_down():
    for value in [Fraction(n, d) * Fraction(2) ** k for n in range(1, 20) for d in range(1, 20) for k in (-99, 0, 99)]:
        assert Fraction(2) ** floor_log2(value) <= value < Fraction(2) ** (floor_log2(value) + 1)
