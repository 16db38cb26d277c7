from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from conjunct import BitMatrix, ConjunctionSVC, MaskPerceptronClassifier, load, save
from conjunct.bits import random_below, random_bits
from conjunct.datasets import led, tic_tac_toe
from conjunct.errors import BitsError, SettingError
from conjunct.learners import MaskPerceptron

TABLE = random_bits(3, (80, 6))
CLASSES = np.array(["blue", "green", "red"])[TABLE[:, :2].sum(axis=1)]


@pytest.mark.parametrize("literals", ["both", "positive"])
@pytest.mark.parametrize("lam", [1, 4])
def test_the_bound_of_the_margin_machine_is_never_above_the_risk(literals: str, lam: int) -> None:
    rows, labels = led(300, seed=lam, two_classes=True)
    machine = ConjunctionSVC(lam=lam, max_size=3, literals=literals, tol=1e-6).fit(rows, labels)
    for n_terms in (1, 4, 10, 40):
        masks = MaskPerceptronClassifier(n_terms, lam=lam, max_size=3, literals=literals).fit(rows, labels)
        assert machine.bound_ <= masks.risk_


def test_several_classes_are_learned_each_against_the_rest() -> None:
    estimator = MaskPerceptronClassifier(12, max_size=2, lam="1/10").fit(TABLE, CLASSES)
    rows = BitMatrix.of(TABLE)
    scores = []
    for label, risk, stop in zip(estimator.classes_, estimator.risk_, estimator.stopped_by_, strict=True):
        solution = MaskPerceptron(2, "1/10", 12).run(rows, np.where(label == CLASSES, 1, -1))
        assert (solution.risk, solution.stopped_by) == (risk, stop)
        scores.append([score for (score,) in solution.model().scores(rows)])
    assert [list(row) for row in zip(*scores, strict=True)] == estimator.model_.scores(rows)
    assert estimator.score(TABLE, CLASSES) > 0.95
    assert estimator.decision_function(TABLE).shape == (80, 3)


def test_a_weight_is_so_many_rows_and_a_class_weight_a_weight() -> None:
    labels = TABLE[:, 0] | TABLE[:, 3]
    counts = 1 + random_below(0, 3, 80).astype(int)
    weighted = MaskPerceptronClassifier(5).fit(TABLE, labels, sample_weight=counts)
    repeated = MaskPerceptronClassifier(5).fit(np.repeat(TABLE, counts, axis=0), np.repeat(labels, counts))
    assert weighted.risk_ == repeated.risk_
    assert weighted.model_.weights.tolist() == repeated.model_.weights.tolist()
    by_class = MaskPerceptronClassifier(5, class_weight={1: 3}).fit(TABLE, labels)
    assert by_class.risk_ == MaskPerceptronClassifier(5).fit(TABLE, labels, sample_weight=1 + 2 * labels).risk_


@pytest.mark.parametrize("labels", [TABLE[:, 0] ^ TABLE[:, 1], CLASSES])
def test_files_and_pickles_carry_the_model(labels: np.ndarray, tmp_path: Path) -> None:
    frame = pd.DataFrame(TABLE, columns=[f"test {j}" for j in range(6)])
    estimator = MaskPerceptronClassifier(6, min_gain="1/8", lam=Fraction(1, 3), n_jobs=1).fit(frame, labels)
    save(estimator, tmp_path / "masks.model")
    for copy in (load(tmp_path / "masks.model"), pickle.loads(pickle.dumps(estimator))):
        assert isinstance(copy, MaskPerceptronClassifier)
        assert copy.model_.conjunctions == estimator.model_.conjunctions
        assert copy.model_.scores(BitMatrix.of(TABLE)) == estimator.model_.scores(BitMatrix.of(TABLE))
        assert (copy.risk_, copy.stopped_by_) == (estimator.risk_, estimator.stopped_by_)
        assert copy.feature_names_in_.tolist() == list(frame.columns)
        assert copy.predict(frame).tolist() == estimator.predict(frame).tolist()
        assert {**copy.get_params(), "n_jobs": 1} == estimator.get_params()


@pytest.mark.parametrize("selection", ["exact", "beam"])
def test_threads_do_not_change_the_model(selection: str) -> None:
    rows, labels = tic_tac_toe()
    one, two = (MaskPerceptronClassifier(6, selection=selection, n_jobs=n).fit(rows, labels) for n in (1, 2))
    assert one.model_.conjunctions == two.model_.conjunctions
    assert one.model_.weights.tolist() == two.model_.weights.tolist()


def test_a_size_past_the_variables_is_every_size() -> None:
    labels = TABLE[:, 0] & TABLE[:, 1] & TABLE[:, 2]
    assert (
        MaskPerceptronClassifier(4, max_size=None).fit(TABLE, labels).model_.conjunctions
        == MaskPerceptronClassifier(4, max_size=50).fit(TABLE, labels).model_.conjunctions
    )


def test_one_class_and_bad_settings_are_refused() -> None:
    with pytest.raises(BitsError, match="the labels hold one class only, 1; two are needed"):
        MaskPerceptronClassifier().fit(TABLE, np.ones(80, int))
    with pytest.raises(BitsError, match="every row of class 1 has weight 0"):
        MaskPerceptronClassifier().fit(TABLE, TABLE[:, 0], sample_weight=1 - TABLE[:, 0])
    with pytest.raises(SettingError, match="min_gain=-1: expected 0 or a positive number"):
        MaskPerceptronClassifier(min_gain=-1).fit(TABLE, TABLE[:, 0])
