"""Kernel Perceptrons under random combinations of their options: mistakes and predictions of the definition."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

from conjunct import BitMatrix, KernelPerceptronClassifier
from parts import parts
from reference import margin_machine as truth
from reference.random_settings import Table, check_values, exact, kernels
from reference.reference_one_vs_rest import OneVsRest

N_SETTINGS = 250


@pytest.mark.parametrize("part", parts(4))
def test_a_kernel_perceptron_learns_and_predicts_by_definition_whatever_its_options(part: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(N_SETTINGS):
        random = Random(f"kernel Perceptron {part} {number}")
        table = Table(random)
        kernel, slow = kernels(random, table.n)
        threshold, rate = random.choice([0, 0, 1, 0.1, "-2/7", 2.5]), random.choice([1, 1, 0.1, "7/3", 3])
        learner = KernelPerceptronClassifier(
            kernel,
            threshold=threshold,
            learning_rate=rate,
            max_passes=random.choice([1, 2, 2, 6]),
            prediction=random.choice(["auto", "final", "averaged", "voted"]),
            class_weight=table.class_weight,
            keep_transcript=True,
            binarize=table.binarize,
            shuffle=False,
        )
        learner.fit(table.x, table.y)
        by_class: Any = table.class_weight
        if isinstance(by_class, dict):
            by_class = {table.labels.index(label): exact(weight) for label, weight in by_class.items()}
        of_rows = truth.weights_of(None, by_class, table.codes, table.n_classes)
        rates = [exact(rate) * of_rows[table.codes.index(code)] for code in range(table.n_classes)]
        expected = OneVsRest(kernel_at_width(slow, kernel, table.n), exact(threshold))
        positive = [1] if table.n_classes == 2 else range(table.n_classes)
        expected.learn(table.rows, table.codes, rates, positive, learner.max_passes)
        seen[check(learner, table, expected, slow, random)] += 1
    assert seen.total() == N_SETTINGS
    assert set(seen) == {"final", "averaged", "voted"}


def kernel_at_width(slow: truth.Kernel, kernel: Any, n: int) -> truth.Kernel:
    """The default of this learner has three literals, also on fewer variables: there are no longer conjunctions."""
    return truth.conjunctions(3, lambda j: Fraction(1), negated=True) if kernel is None else slow


def check(learner: Any, table: Table, expected: OneVsRest, slow: truth.Kernel, random: Random) -> str:
    """Hold mistakes, scores, predictions and decisions against the definition; return how it predicts."""
    steps = [[step for step, _, _ in run] for run in expected.runs]
    assert [transcript.step.tolist() for transcript in learner.transcripts_] == steps
    assert learner.n_mistakes_ == sum(map(len, steps))
    is_consistent = all(
        (expected.score(run, x) >= expected.threshold) == (code == positive)
        for run, positive in zip(expected.runs, [1] if table.n_classes == 2 else range(table.n_classes), strict=True)
        for x, code in zip(table.rows, table.codes, strict=True)
    )
    assert learner.stopped_by_ != "consistent" or is_consistent
    if learner.prediction == "auto":
        assert learner.prediction_ == ("final" if learner.stopped_by_ == "consistent" else "averaged")
    else:
        assert learner.prediction_ == learner.prediction
    everything = [tuple(int(bit) for bit in f"{number:0{table.n}b}") for number in range(2**table.n)]
    scores = [expected.scores(x, learner.prediction_) for x in everything]
    goal = Fraction(0) if learner.prediction_ == "voted" else expected.threshold
    if learner.prediction_ != "voted":
        assert learner.model_.scores(BitMatrix.of(everything)) == scores
    if table.n_classes == 2:
        choices = [int(score >= goal) for [score] in scores]
    else:
        choices = [own.index(max(own)) for own in scores]
    x = table.spelled(random, everything)
    assert learner.predict(x).tolist() == [table.labels[code] for code in choices]
    values = np.atleast_2d(learner.decision_function(x).T).tolist()
    check_values(values, [[score - goal for score in own] for own in zip(*scores, strict=True)], slow, everything)
    return str(learner.prediction_)
