from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.utils.estimator_checks import parametrize_with_checks

from conjunct import (
    Binarizer,
    ConjunctionFeatures,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
from conjunct.errors import BitsError
from every_estimator import ESTIMATORS


@parametrize_with_checks(
    [
        KernelPerceptronClassifier(binarize=0.0),
        PerceptronClassifier(),
        WinnowClassifier(binarize=0.0),
        ExponentiatedGradientRegressor(),
        ConjunctionSVC(binarize=0.0),
        ConjunctionSVCCV(binarize=0.0, cv=2),
        MaskPerceptronClassifier(binarize=0.0),
        Binarizer(),
        ConjunctionFeatures(binarize=0.0),
    ]
)
def test_scikit_learns_estimator_checks_pass(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.long
@parametrize_with_checks(
    [
        KernelPerceptronClassifier(binarize=0.0, prediction="averaged"),
        KernelPerceptronClassifier(binarize=0.0, prediction="voted"),
        PerceptronClassifier(prediction="voted"),
        WinnowClassifier(binarize=0.0, variant="normalised"),
        WinnowClassifier(binarize=0.0, variant="positive"),
        WinnowClassifier(binarize=0.0, variant="elimination"),
        ExponentiatedGradientRegressor(prediction="final", shuffle=True, random_state=0),
        ExponentiatedGradientRegressor(signed=False),
        ConjunctionSVC(binarize=0.0, solver="margin", multiclass="ovo"),
        ConjunctionSVC(binarize=0.0, solver="perceptron"),
        ConjunctionSVC(binarize=0.0, calibrate=True),
        MaskPerceptronClassifier(binarize=0.0, min_gain=0.1, selection="beam"),
        Binarizer(cuts="all"),
        ConjunctionFeatures(literals="both", binarize=0.0),
    ]
)
def test_scikit_learns_estimator_checks_pass_with_other_settings(estimator: Any, check: Any) -> None:
    check(estimator)


def test_every_estimator_is_checked() -> None:
    (marks,) = (mark for mark in test_scikit_learns_estimator_checks_pass.pytestmark if mark.name == "parametrize")
    assert {type(each.values[0] if hasattr(each, "values") else each[0]) for each in marks.args[1]} == set(ESTIMATORS)


@pytest.mark.parametrize(
    ("table", "place"),
    [
        (np.array([[0, 1], [1, 2.5]]), "column 1 has 2.5 in row 1"),
        (pd.DataFrame({"wet": [0, 1], "age": [1, 74]}), "column 'age' has 74 in row 1"),
    ],
)
def test_the_default_refuses_other_values_by_column_and_value_and_offers_two_ways_out(table: Any, place: str) -> None:
    with pytest.raises(BitsError) as caught:
        KernelPerceptronClassifier().fit(table, [0, 1])
    assert place in str(caught.value)
    assert "binarize=" in str(caught.value)
    assert "Binarizer" in str(caught.value)


def test_binarize_reads_greater_values_as_ones_in_dense_and_sparse_tables() -> None:
    table = np.array([[-2.0, 0.5, 3], [0, 2, -1], [1, 0, 0.5]])
    for cut in (-1.5, 0, 0.5):
        expected = KernelPerceptronClassifier(keep_transcript=True).fit((table > cut).astype(int), [0, 1, 1])
        for given in (table, csr_array(table), csr_array(table).tocsc()):
            learner = KernelPerceptronClassifier(binarize=cut, keep_transcript=True).fit(given, [0, 1, 1])
            assert learner.transcript_.rows == expected.transcript_.rows


@pytest.mark.parametrize("cut", [True, "0", float("nan"), float("inf"), [0]])
def test_a_cut_that_is_no_number_is_refused_by_name(cut: object) -> None:
    with pytest.raises(ValueError, match=r"^binarize="):
        KernelPerceptronClassifier(binarize=cut).fit([[0], [1]], [0, 1])
