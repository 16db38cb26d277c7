from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from conjunct import ConjunctionSVCCV, ExponentiatedGradientRegressor, PerceptronClassifier, WinnowClassifier
from every_estimator import ESTIMATORS

ROWS = pd.DataFrame([[0, 1], [1, 0], [1, 1], [0, 0]] * 5, columns=["a", "b"])
NAMES = [{"a"}, {"b"}] * 10
LABELS = np.array([0, 1] * 10)
LEARNERS = [kind(cv=2, max_sizes=(1, 2)) if kind is ConjunctionSVCCV else kind() for kind in ESTIMATORS]
FITS: dict[str, Callable[[Any, Any], Any]] = {
    "fit": lambda learner, y: learner.fit(ROWS, y),
    "partial_fit": lambda learner, y: learner.partial_fit(ROWS, y, **classes(learner)),
    "fit by name": lambda learner, y: learner.fit(NAMES, y),
    "partial_fit by name": lambda learner, y: learner.partial_fit(NAMES, y, **classes(learner)),
}
LINEAR = (PerceptronClassifier, WinnowClassifier)


def classes(learner: Any) -> dict[str, Any]:
    return {} if isinstance(learner, ExponentiatedGradientRegressor) else {"classes": [0, 1]}


def watch(learner: Any, X: Any, fit: Callable[[], Any]) -> list[Any]:
    """Fit, and before any attribute is set let another thread predict; return its answers, or what was raised."""
    answers: list[Any] = []

    def ask() -> None:
        for name in ("predict", "decision_function", "transform"):
            if hasattr(learner, name):
                try:
                    answers.append(getattr(learner, name)(X))
                except Exception as error:
                    answers.append(type(error))

    kind = type(learner)

    class Paused(kind):
        def __setattr__(self, name: str, value: object) -> None:
            thread = Thread(target=ask)
            thread.start()
            thread.join()
            super().__setattr__(name, value)

    learner.__class__ = Paused
    try:
        fit()
    finally:
        object.__setattr__(learner, "__class__", kind)  # without asking
    return answers


def ways() -> list[Any]:
    """Every estimator with every way it can learn."""
    return [
        pytest.param(estimator, how, id=f"{type(estimator).__name__}-{how}")
        for estimator in LEARNERS
        for how in FITS
        if (isinstance(estimator, LINEAR) or "name" not in how)
        and (hasattr(estimator, "partial_fit") or "partial" not in how)
    ]


@pytest.mark.parametrize(("estimator", "how"), ways())
def test_whoever_predicts_during_the_first_fit_is_told_that_it_is_not_fitted(estimator: Any, how: str) -> None:
    learner = type(estimator)(**estimator.get_params(deep=False))
    answers = watch(learner, NAMES if "name" in how else ROWS, lambda: FITS[how](learner, LABELS))
    assert answers
    assert set(answers) == {NotFittedError}
    (learner.transform if hasattr(learner, "transform") else learner.predict)(NAMES if "name" in how else ROWS)


@pytest.mark.parametrize("estimator", LEARNERS, ids=lambda estimator: type(estimator).__name__)
def test_whoever_predicts_during_a_second_fit_gets_the_answers_of_the_first(estimator: Any) -> None:
    learner = type(estimator)(**estimator.get_params(deep=False)).fit(ROWS, LABELS)
    names = [name for name in ("predict", "decision_function", "transform") if hasattr(learner, name)]
    before = [dense(getattr(learner, name)(ROWS)) for name in names]
    answers = watch(learner, ROWS, lambda: learner.fit(ROWS.assign(c=1 - ROWS["a"]), 1 - LABELS))
    assert answers
    for place, answer in enumerate(answers):
        assert np.array_equal(dense(answer), before[place % len(names)])


@pytest.mark.parametrize("estimator", LEARNERS, ids=lambda estimator: type(estimator).__name__)
def test_a_fit_that_fails_leaves_everything_as_it_was(estimator: Any) -> None:
    learner = type(estimator)(**estimator.get_params(deep=False)).fit(ROWS, LABELS)
    before = dict(vars(learner))
    for bad in (ROWS.rename(columns={"a": "z"}).head(0), ROWS.assign(z=np.inf)):
        with pytest.raises(ValueError, match=r"0 rows|0 sample|inf"):
            learner.fit(bad, LABELS[: len(bad)])
    assert vars(learner) == before


def dense(answer: Any) -> Any:
    return answer.toarray() if hasattr(answer, "toarray") else answer
