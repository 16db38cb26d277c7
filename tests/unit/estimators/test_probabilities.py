"""Probabilities learned on held-out rows."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold

import conjunct
from conjunct import Binarizer, ConjunctionSVC, ConjunctionSVCCV
from conjunct.errors import BitsError, SettingError
from conjunct.kernels import Conjunctions
from conjunct.learners import fitted_sigmoid

X, Y = load_breast_cancer(return_X_y=True)
ROWS = Binarizer(cuts=2).fit(X).pack(X)
LEARNED, HELD_OUT = np.arange(0, 569, 2), np.arange(1, 569, 2)
FLOWERS, KINDS = load_iris(return_X_y=True)


def test_probabilities_of_held_out_rows_are_no_worse_than_those_of_scikit_learn() -> None:
    ours = ConjunctionSVC(calibrate=True).fit(ROWS[LEARNED], Y[LEARNED])
    theirs = CalibratedClassifierCV(ConjunctionSVC(), cv=5).fit(ROWS[LEARNED].to_array(), Y[LEARNED])
    loss, other = (
        log_loss(Y[HELD_OUT], m.predict_proba(r))
        for m, r in ((ours, ROWS[HELD_OUT]), (theirs, ROWS[HELD_OUT].to_array()))
    )
    assert loss < other + 0.02
    assert loss < 0.5 * log_loss(Y[HELD_OUT], np.tile([1 - Y.mean(), Y.mean()], (len(HELD_OUT), 1)))


@pytest.mark.parametrize(
    "estimator", [ConjunctionSVC(calibrate=True), ConjunctionSVCCV(max_sizes=(1,), calibrate=True)]
)
def test_probabilities_of_every_class_sum_to_one_and_rise_with_the_score(estimator: Any) -> None:
    for rows, labels in ((ROWS, Y), (Binarizer(cuts=3).fit(FLOWERS).pack(FLOWERS), KINDS)):
        shares = estimator.fit(rows, labels).predict_proba(rows)
        assert shares.shape == (rows.n_rows, len(estimator.classes_))
        assert np.allclose(shares.sum(axis=1), 1)
        assert np.all((shares >= 0) & (shares <= 1))
        assert log_loss(labels, shares) < 0.3
    order = np.argsort(estimator.fit(ROWS, Y).decision_function(ROWS))
    assert np.all(np.diff(estimator.predict_proba(ROWS)[order, 1]) >= 0)


def test_calibration_changes_no_prediction_and_is_off_by_default() -> None:
    plain, calibrated = ConjunctionSVC().fit(ROWS, Y), ConjunctionSVC(calibrate=True).fit(ROWS, Y)
    assert np.array_equal(plain.decision_function(ROWS), calibrated.decision_function(ROWS))
    assert not hasattr(plain, "predict_proba")
    with pytest.raises(SettingError, match="set after fit"):
        plain.set_params(calibrate=True).predict_proba(ROWS)


def test_probabilities_are_kept_in_files_and_pickles(tmp_path: Path) -> None:
    for estimator in (ConjunctionSVC(calibrate=True), ConjunctionSVCCV(max_sizes=(1,), cv=3, calibrate=True)):
        estimator.fit(ROWS[LEARNED], Y[LEARNED]).save(tmp_path / "m")
        for back in (conjunct.load(tmp_path / "m"), pickle.loads(pickle.dumps(estimator))):
            assert np.array_equal(back.predict_proba(ROWS), estimator.predict_proba(ROWS))


def test_a_search_calibrates_on_its_own_folds() -> None:
    splits = list(KFold(3, shuffle=True, random_state=1).split(Y))
    search = ConjunctionSVCCV(max_sizes=(1,), cv=iter(splits), calibrate=True).fit(ROWS, Y)
    again = ConjunctionSVCCV(max_sizes=(1,), cv=splits, calibrate=True).fit(ROWS, Y)
    other = ConjunctionSVCCV(max_sizes=(1,), cv=4, calibrate=True).fit(ROWS, Y)
    assert np.array_equal(search.calibration_.lines, again.calibration_.lines)
    assert not np.array_equal(search.calibration_.lines, other.calibration_.lines)


def test_a_row_of_weight_two_counts_as_two_rows() -> None:
    values, is_positive = np.array([-1.0, 0.5, 2.0, 1.0]), np.array([False, False, True, True])
    weighted = fitted_sigmoid(values, is_positive, np.array([1.0, 2.0, 1.0, 3.0]))
    repeated = np.repeat(np.arange(4), [1, 2, 1, 3])
    assert weighted == pytest.approx(fitted_sigmoid(values[repeated], is_positive[repeated], np.ones(7)))
    weights = np.where(np.arange(569) % 7 == 0, 0, 1)
    machine = ConjunctionSVC(calibrate=True).fit(ROWS, Y, sample_weight=weights)
    assert machine.predict_proba(ROWS).shape == (569, 2)


def test_probabilities_learned_from_weights_are_those_learned_from_rows_that_repeat_in_any_order() -> None:
    random = np.random.default_rng(0)
    rows = random.integers(0, 2, (60, 4), np.uint8)  # some of them equal, with both labels
    labels, weights = (rows[:, 0] & rows[:, 1]) ^ (random.random(60) < 0.2), random.integers(0, 4, 60)
    repeated = random.permutation(np.repeat(np.arange(60), weights))
    weighted = ConjunctionSVC(calibrate=True).fit(rows, labels, sample_weight=weights)
    plain = ConjunctionSVC(calibrate=True).fit(rows[repeated], labels[repeated])
    assert weighted.calibration_.lines[0, 0] > 0
    assert weighted.calibration_.lines == pytest.approx(plain.calibration_.lines)


def test_weights_of_parts_of_rows_are_held_out_by_their_mass() -> None:
    weights = np.random.default_rng(0).random(569)
    machine = ConjunctionSVC(calibrate=True).fit(ROWS, Y, sample_weight=weights)
    assert log_loss(Y, machine.predict_proba(ROWS)) < 0.3
    little = ConjunctionSVC(calibrate=True).fit(ROWS, Y, sample_weight=1e-6 * weights)  # less than one row in all
    assert little.calibration_.lines[0, 0] > 0
    assert np.allclose(little.predict_proba(ROWS), 0.5, atol=0.01)


def test_the_sigmoid_is_where_the_gradient_vanishes() -> None:
    random = np.random.default_rng(0)
    values = random.normal(size=300) * 1e6
    is_positive = random.random(300) < 1 / (1 + np.exp(-2e-6 * values + 0.3))
    slope, offset = fitted_sigmoid(values, is_positive, np.ones(300))
    n_positive = is_positive.sum()
    targets = np.where(is_positive, (n_positive + 1) / (n_positive + 2), 1 / (300 - n_positive + 2))
    errors = 1 / (1 + np.exp(-slope * values - offset)) - targets
    assert abs(errors.sum()) < 1e-5
    assert abs((errors * values / 1e6).sum()) < 1e-5


def test_scores_that_say_nothing_give_every_row_the_share_of_its_label() -> None:
    slope, offset = fitted_sigmoid(np.array([2.0, 1.0, -1.0]), np.array([False, False, True]), np.ones(3))
    assert (slope, round(1 / (1 + np.exp(-offset)), 12)) == (0, 0.4)


def test_kernels_past_floats_are_calibrated_on_logarithms() -> None:
    random = np.random.default_rng(1)
    rows = random.integers(0, 2, (60, 70), np.uint8)
    machine = ConjunctionSVC(Conjunctions(), lam=2**60, calibrate=True).fit(rows, rows[:, 0])
    assert machine.model_.is_logarithmic
    assert np.all(np.isfinite(machine.predict_proba(rows)))


@pytest.mark.parametrize(
    ("settings", "labels", "reason"),
    [
        ({"calibrate": 1}, Y, "^calibrate=1: expected True or False"),
        ({"solver": "perceptron"}, Y, 'calibrate=True needs solver="exact" or "margin"'),
        ({"multiclass": "ovo"}, np.arange(569) % 3, 'calibrate=True needs multiclass="ovr"'),
        ({}, np.arange(569) == 0, "calibrate=True needs two rows of every class"),
    ],
)
def test_what_has_no_probabilities_is_refused(settings: dict[str, Any], labels: Any, reason: str) -> None:
    with pytest.raises((SettingError, BitsError), match=reason):
        ConjunctionSVC(**{"calibrate": True} | settings).fit(ROWS, labels)
