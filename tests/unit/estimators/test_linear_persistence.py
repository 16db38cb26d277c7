"""Perceptron and Winnow classifiers as files: what comes back is what was saved, and nothing else is let in."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from conjunct import PerceptronClassifier, WinnowClassifier
from conjunct.bits import SparseRows
from conjunct.errors import ConjunctError, ModelFileError

MAKERS: dict[str, Callable[..., Any]] = {
    "perceptron": PerceptronClassifier,
    "perceptron, all settings": lambda **more: PerceptronClassifier(
        threshold="1/3", constant=0.5, learning_rate=Fraction(1, 7), thickness=2, **more
    ),
    **{
        variant: lambda variant=variant, **more: WinnowClassifier(variant=variant, **more)
        for variant in ("balanced", "positive", "elimination", "normalised")
    },
    "positive, factors apart": lambda **more: WinnowClassifier(
        variant="positive", promotion=1.5, demotion="5/4", threshold=Fraction(9, 2), thickness=(1, "1/3"), **more
    ),
}
EACH = [
    (name, prediction)
    for name in MAKERS
    for prediction in ("auto", "final", "averaged", *["voted"] * name.startswith("perceptron"))
]
FORMS = ["table", "frame", "numbers", "text", "pairs", "real"]
# Each with each; two classes or three by turns, both in the long runs.
COMBINATIONS = [
    pytest.param(*each, n_classes, form, marks=[pytest.mark.long] * ((number + place) % 2 == n_classes % 2))
    for number, each in enumerate(EACH)
    for place, form in enumerate(FORMS)
    for n_classes in (2, 3)
]
KEPT = ("table", "pairs", "real")  # the forms whose updates are kept in these tests


def random_data(form: str, seed: int, n_classes: int = 2, n_rows: int = 50) -> tuple[Any, Any]:
    """Rows in one of the forms a classifier reads."""
    random = np.random.RandomState(seed)
    rows = random.randint(0, 2, (n_rows, 5))
    codes = (rows[:, 0] + rows[:, 1] * rows[:, 2] + random.randint(0, 4, n_rows) // 3) % n_classes
    codes[:n_classes] = range(n_classes)
    given: Any = {
        "table": rows,
        "frame": pd.DataFrame(rows, columns=["wet", "größe", "x y", "", "=1"]),
        "real": rows / 4 + random.randint(0, 2, (n_rows, 5)),
    }.get(form)
    if given is None:
        names: list[Any] = [3, -1, 0, 10**30, 7] if form == "numbers" else ["wet", "größe", "", "3", 3]
        given = [{names[k] for k in np.flatnonzero(row)} for row in rows]
    return given, codes


def fitted(name: str, form: str, prediction: str, n_classes: int, seed: int = 1) -> tuple[Any, Any, Any]:
    rows, codes = random_data(form, seed, n_classes)
    settings: dict[str, Any] = {"prediction": prediction, "max_passes": 3, "keep_transcript": form in KEPT}
    settings |= {"max_size": 2} if form == "pairs" else {}
    return MAKERS[name](**settings).fit(rows, codes), rows, codes


def can_read(name: str, form: str) -> bool:
    return form != "real" or name.startswith("perceptron")


def assert_alike(one: Any, other: Any, rows: Any) -> None:
    """Every attribute, every update that was kept with its score, every answer."""
    assert one.get_params() == other.get_params()
    assert one.__dict__.keys() == other.__dict__.keys()
    assert (one.classes_.tolist(), one.classes_.dtype) == (other.classes_.tolist(), other.classes_.dtype)
    for name in ("prediction_", "stopped_by_", "n_mistakes_", "n_updates_", "n_passes_", "reasons_", "n_features_in_"):
        assert getattr(one, name, None) == getattr(other, name, None)
    assert list(getattr(one, "feature_names_in_", ())) == list(getattr(other, "feature_names_in_", ()))
    assert (one.names_ is None) == (other.names_ is None)
    if one.names_ is not None:
        assert (one.names_.names, one.names_.max_size) == (other.names_.names, other.names_.max_size)
        assert [type(name) for name in one.names_.names] == [type(name) for name in other.names_.names]
    assert hasattr(one, "transcripts_") == hasattr(other, "transcripts_")
    for mine, yours in zip(getattr(one, "transcripts_", ()), getattr(other, "transcripts_", ()), strict=True):
        assert list(mine) == list(yours)
        for name in ("learner", "unit", "n_steps", "n_passes", "is_consistent"):
            assert getattr(mine, name) == getattr(yours, name)
    np.testing.assert_array_equal(one.predict(rows), other.predict(rows), strict=True)
    np.testing.assert_array_equal(one.decision_function(rows), other.decision_function(rows), strict=True)


def saved(learner: Any, path: Path) -> bytes:
    learner.save(path)
    return path.read_bytes()


# Round trips


@pytest.mark.parametrize(("name", "prediction", "n_classes", "form"), COMBINATIONS)
def test_a_saved_model_comes_back_whole(name: str, prediction: str, n_classes: int, form: str, tmp_path: Path) -> None:
    if not can_read(name, form):
        with pytest.raises(ConjunctError):
            fitted(name, form, prediction, n_classes)
        return
    learner, rows, codes = fitted(name, form, prediction, n_classes)
    data = saved(learner, tmp_path / "a.model")
    loaded = type(learner).load(tmp_path / "a.model")
    assert_alike(learner, loaded, rows)
    assert saved(loaded, tmp_path / "b.model") == data
    assert_alike(learner, pickle.loads(pickle.dumps(learner)), rows)
    assert_alike(learner, copy.deepcopy(learner), rows)
    assert_alike(learner, clone(learner).fit(rows, codes), rows)


@pytest.mark.parametrize(("name", "prediction", "n_classes", "form"), COMBINATIONS)
def test_learning_goes_on_after_loading_as_if_undisturbed(
    name: str, prediction: str, n_classes: int, form: str, tmp_path: Path
) -> None:
    if not can_read(name, form):
        return
    rows, codes = random_data(form, 2, n_classes)
    settings: dict[str, Any] = {"prediction": prediction, "class_weight": {0: 3}, "keep_transcript": form in KEPT}
    settings |= {"max_size": 2} if form == "pairs" else {}
    learner = MAKERS[name](**settings).partial_fit(rows[:15], codes[:15], classes=range(n_classes))
    learner.save(tmp_path / "a.model")
    loaded = type(learner).load(tmp_path / "a.model")
    for batch in (slice(15, 16), slice(16, 50)):
        learner.partial_fit(rows[batch], codes[batch])
        loaded.partial_fit(rows[batch], codes[batch])
    assert_alike(learner, loaded, rows)
    assert saved(learner, tmp_path / "a.model") == saved(loaded, tmp_path / "b.model")


def test_an_unfitted_estimator_is_pickled_with_its_parameters() -> None:
    for make in MAKERS.values():
        again = pickle.loads(pickle.dumps(make(max_passes=7)))
        assert again.get_params() == make(max_passes=7).get_params()
        assert "classes_" not in again.__dict__


def test_a_model_without_an_update_comes_back(tmp_path: Path) -> None:
    for make in MAKERS.values():
        for rows in ([[0, 0]], [set()], SparseRows.of([set()])):
            learner = make().set_params(thickness=0).partial_fit(rows, [1], classes=[0, 1])
            data = saved(learner, tmp_path / "a.model")
            loaded = type(learner).load(tmp_path / "a.model")
            assert saved(loaded, tmp_path / "a.model") == data
            assert loaded.predict(rows).tolist() == learner.predict(rows).tolist()
    real = PerceptronClassifier().partial_fit([[0.5]], [1], classes=[0, 1])
    assert pickle.loads(pickle.dumps(real)).arithmetic_ == real.arithmetic_ == "float"


def test_parameters_changed_after_the_fit_do_not_change_what_was_learned() -> None:
    rows, codes = random_data("pairs", 3)
    learner = WinnowClassifier(variant="positive", max_size=2, max_passes=2).fit(rows, codes)
    expected = learner.decision_function(rows)
    learner.set_params(variant="balanced", promotion=5, threshold=7, max_size=1, prediction="averaged")
    again = pickle.loads(pickle.dumps(learner))
    for each in (learner, again):
        assert each.get_params() == learner.get_params()
        np.testing.assert_array_equal(each.decision_function(rows), expected)


# What cannot be saved


@pytest.mark.parametrize(
    "name", [(1, 2), None, 2.5, True, frozenset({"a"}), b"x", "\ud800", 10**5000], ids=lambda name: type(name).__name__
)
def test_names_that_are_neither_text_nor_whole_numbers_are_learned_but_not_saved(name: Any, tmp_path: Path) -> None:
    learner = PerceptronClassifier().fit([{name}, {"b"}], [0, 1])
    assert learner.predict([{name}, {"b"}]).tolist() == [0, 1]
    with pytest.raises(ModelFileError, match="no place in a model file"):
        learner.save(tmp_path / "a.model")
    assert list(tmp_path.iterdir()) == []
