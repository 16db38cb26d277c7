"""Numbers past floats, and past what Python prints, at every door: one clear refusal, or finite results."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from conjunct import (
    BitMatrix,
    ConjunctionFeatures,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
from conjunct.errors import ConjunctError
from conjunct.estimators import Binarizer
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions

HUGE: dict[str, Any] = {
    "10**400": 10**400,
    "-10**400": -(10**400),
    "10**5000": 10**5000,
    "1/10**400": Fraction(1, 10**400),
    "10**5000/3": Fraction(10**5000, 3),
    "text": "1" + "0" * 999,
    "ratio": "1/1" + "0" * 999,
    "1e308": 1e308,
}
X = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 0]] * 5)
Y = np.array([0, 1, 1, 0] * 5)
ESTIMATORS: list[Any] = [
    PerceptronClassifier(max_passes=3),
    PerceptronClassifier(max_passes=3, prediction="voted"),
    PerceptronClassifier(max_passes=3, prediction="averaged"),
    *(WinnowClassifier(variant=v, max_passes=3) for v in ("balanced", "positive", "elimination", "normalised")),
    KernelPerceptronClassifier(max_passes=3),
    KernelPerceptronClassifier(max_passes=3, prediction="voted"),
    ConjunctionSVC(MonotoneConjunctions(2)),
    ConjunctionSVC(MonotoneConjunctions(2), solver="margin"),
    ConjunctionSVC(MonotoneConjunctions(2), solver="perceptron"),
    ConjunctionSVCCV(max_sizes=(1,), lams=(1,), cv=2),
    MaskPerceptronClassifier(max_terms=3),
    ExponentiatedGradientRegressor(max_passes=3),
    ConjunctionFeatures(max_size=2),
    Binarizer(),
]


def shaped(name: str, number: Any) -> list[Any]:
    """Return the values of a parameter that hold a number."""
    if name == "class_weight":
        return [{0: number, 1: 1}, {0: number, 1: number}]
    if name in ("lams", "max_sizes"):
        return [number, (number,), (1, number)]
    return [number, (number, 1)] if name == "thickness" else [number]


def assert_refused_or_finite(use: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        said = ""
        try:
            for result in use():
                values = np.asarray(result)
                assert values.dtype.kind != "f" or np.all(np.isfinite(values))
        except (ConjunctError, ValueError, TypeError) as error:
            said = str(error)
    assert len(said) < 420
    assert "\n" not in said
    assert "integer string conversion" not in said


def used(estimator: Any, x: Any = X, **settings: Any) -> Any:
    estimator.fit(x, Y, **settings)
    for method in ("predict", "decision_function", "transform"):
        if hasattr(estimator, method):
            yield getattr(estimator, method)(x)
    for attribute in ("coef_", "intercept_"):
        if hasattr(estimator, attribute):
            yield getattr(estimator, attribute)


CASES = [
    (estimator, name)
    for estimator in ESTIMATORS
    for name in estimator.get_params(deep=False)
    if name not in ("verbose", "n_jobs")
]


@pytest.mark.parametrize(
    ("estimator", "name"), CASES, ids=[f"{place}-{type(e).__name__}-{name}" for place, (e, name) in enumerate(CASES)]
)
def test_a_huge_parameter_is_refused_in_one_line_or_leads_to_finite_results(estimator: Any, name: str) -> None:
    from sklearn.base import clone

    for number in HUGE.values():
        for value in shaped(name, number):
            assert_refused_or_finite(lambda value=value: used(clone(estimator).set_params(**{name: value})))


@pytest.mark.parametrize("estimator", ESTIMATORS[:15], ids=lambda estimator: type(estimator).__name__)
def test_a_huge_cell_target_or_weight_is_refused_in_one_line(estimator: Any) -> None:
    from sklearn.base import clone

    for number in HUGE.values():
        table = X.astype(object)
        table[2, 1] = number
        assert_refused_or_finite(lambda table=table: used(clone(estimator), table))
        assert_refused_or_finite(lambda table=table: used(clone(estimator), table.tolist()))
        targets = Y.astype(object)
        targets[1] = number
        assert_refused_or_finite(lambda targets=targets: [clone(estimator).fit(X, targets).predict(X)])
        if isinstance(estimator, ConjunctionSVC | ConjunctionSVCCV | MaskPerceptronClassifier):
            weights = np.ones(len(Y)).astype(object)
            weights[3] = number
            assert_refused_or_finite(lambda weights=weights: used(clone(estimator), sample_weight=weights))
            weights[:] = number
            assert_refused_or_finite(lambda weights=weights: used(clone(estimator), sample_weight=weights.tolist()))


@pytest.mark.parametrize("number", HUGE.values(), ids=HUGE)
def test_a_huge_number_in_kernels_and_tables_is_refused_in_one_line_or_exact(number: Any) -> None:
    for kind in (Conjunctions, MonotoneConjunctions):
        assert_refused_or_finite(lambda kind=kind: [kind(2, Geometric(number)).gram(X)])
        assert_refused_or_finite(lambda kind=kind: [kind(2, [1, 1, number]).gram(X)])
        assert_refused_or_finite(lambda kind=kind: [kind(number).gram(X)])
        assert_refused_or_finite(lambda kind=kind: used(KernelPerceptronClassifier(kind(2, Geometric(number)))))
        assert_refused_or_finite(lambda kind=kind: used(ConjunctionSVC(kernel=kind(2, [1, number, 1]))))
    assert_refused_or_finite(lambda: [BitMatrix.of([[number, 1]]).to_array()])
    assert_refused_or_finite(lambda: [BitMatrix.of(np.array([[number, 1]], object)).to_array()])
    assert_refused_or_finite(lambda: [Binarizer().fit_transform(np.array([[number, 1], [2, 3]], object))])


@pytest.mark.parametrize(
    ("name", "use"),
    [
        ("binarize", lambda: PerceptronClassifier().fit(X, Y) and WinnowClassifier(binarize=10**400).fit(X, Y)),
        ("column 0", lambda: BitMatrix.of(np.array([[10**5000, 1]], object))),
        ("max_passes", lambda: PerceptronClassifier(max_passes=-(10**5000)).fit(X, Y)),
    ],
)
def test_a_refusal_names_the_parameter_and_cuts_the_value_short(name: str, use: Any) -> None:
    with pytest.raises((ConjunctError, TypeError), match=name) as refused:
        use()
    assert "0" * 60 not in str(refused.value)


@pytest.mark.parametrize("prediction", ["final", "averaged"])
def test_normalised_weights_do_not_depend_on_how_large_the_first_ones_are(prediction: str) -> None:
    settings = {"variant": "normalised", "prediction": prediction, "thickness": 0.1, "max_passes": 4}
    settings["keep_transcript"] = True
    plain, huge = (WinnowClassifier(initial_weight=first, **settings).fit(X, Y) for first in (1, 10**500))
    assert plain.decision_function(X).tolist() == huge.decision_function(X).tolist()
    assert plain.transcript_.step.tolist() == huge.transcript_.step.tolist()


def test_a_huge_threshold_is_compared_exactly() -> None:
    learner = PerceptronClassifier(threshold=10**400, max_passes=3).fit(X, Y)
    assert set(learner.decision_function(X)) <= {-np.finfo(float).max}
