"""Scores of the on-line classifiers are exact, and their floats never contradict them."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from conjunct import PerceptronClassifier, WinnowClassifier
from conjunct.bits import SparseRows


def test_normalised_weights_are_divided_by_their_sum_before_the_mean_is_taken() -> None:
    learner = WinnowClassifier(variant="normalised", promotion=2, max_passes=1, prediction="averaged", shuffle=False)
    learner.fit([[0, 0], [1, 1]], [0, 1])
    # On 01 the two hypotheses score -3/13 and 3/14.
    assert learner.model_.scores(SparseRows.of([{1}])) == [[Fraction(-3, 364)]]
    assert (learner.predict([[0, 1]]).tolist(), learner.decision_function([[0, 1]]).tolist()) == ([0], [-3 / 364])
    last = learner.set_params(prediction="final").fit([[0, 0], [1, 1]], [0, 1])
    assert last.decision_function([[0, 1]]).tolist() == [3 / 14]
    assert last.coef_.tolist() == [[3 / 14, 3 / 14]]
    assert last.intercept_.tolist() == [0]


def test_normalised_outputs_compete_after_each_is_divided_by_its_own_sum() -> None:
    rows, labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]], [0, 1, 2, 0]
    learner = WinnowClassifier(variant="normalised", prediction="final", max_passes=2, shuffle=False).fit(rows, labels)
    plain = WinnowClassifier(variant="balanced", prediction="final", max_passes=2, shuffle=False).fit(rows, labels)
    model, powers = plain.model_, plain.model_.powers
    sums = [
        sum(powers.size(int(p), int(d)) for p, d in zip(*of, strict=True))
        for of in zip(model.promotions, model.demotions, strict=True)
    ]
    assert len(set(sums)) > 1
    asked = SparseRows.of(rows)
    divided = [[score / total for score, total in zip(scores, sums, strict=True)] for scores in model.scores(asked)]
    assert learner.model_.scores(asked) == divided
    assert learner.predict(rows).tolist() == [scores.index(max(scores)) for scores in divided]


def test_a_thick_learner_that_still_updates_is_not_consistent() -> None:
    learner = PerceptronClassifier(thickness=0.5, max_passes=2, prediction="final", shuffle=False).fit(
        [[1], [0]], [0, 1]
    )
    assert (learner.stopped_by_, learner.score([[1], [0]], [0, 1])) == ("max_passes", 0.5)
    learner = PerceptronClassifier(thickness=0.5, keep_transcript=True, shuffle=False).fit([[1], [0]], [0, 1])
    assert (learner.stopped_by_, learner.score([[1], [0]], [0, 1])) == ("consistent", 1)
    assert learner.transcript_.step[-1] < learner.transcript_.n_steps - 2


@pytest.mark.parametrize("variant", ["positive", "balanced", "normalised"])
@pytest.mark.parametrize("prediction", ["final", "averaged"])
def test_decision_functions_never_fall_while_the_exact_score_rises(variant: str, prediction: str) -> None:
    """Weights far apart: sums of floats round, each in its own order."""
    draw = np.random.RandomState(5)
    rows, labels = draw.randint(0, 2, (60, 12)), draw.randint(0, 2, 60)
    learner = WinnowClassifier(
        variant=variant,
        promotion="3/2",
        class_weight={0: 1, 1: 300},
        max_passes=3,
        prediction=prediction,
        shuffle=False,
    )
    learner.fit(rows, labels)
    asked = draw.randint(0, 2, (40 if variant == "normalised" else 400, 12))
    exact = [score for (score,) in learner.model_.scores(SparseRows.of(asked))]
    values = learner.decision_function(asked).tolist()
    assert max(exact) > 2**60 or variant == "normalised"
    assert values == [float(score - learner.threshold_) for score in exact]
    order = sorted(range(len(asked)), key=exact.__getitem__)
    assert all(values[i] <= values[j] for i, j in pairwise(order))


def test_a_mean_that_ties_with_the_threshold_is_positive() -> None:
    """A sum of floats made it -5.6e-17."""
    rows, labels = [[0, 1, 0], [1, 0, 0], [0, 0, 1], [1, 1, 0], [0, 0, 1]], [0, 1, 1, 0, 0]
    learner = WinnowClassifier(prediction="averaged", max_passes=2, shuffle=False).fit(rows, labels)
    assert learner.model_.scores(SparseRows.of([{0, 2}])) == [[0]]
    assert learner.predict([[1, 0, 1]]).tolist() == [1]
    assert learner.decision_function([[1, 0, 1]]).tolist() == [5e-324]
