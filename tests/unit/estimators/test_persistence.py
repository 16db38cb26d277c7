from __future__ import annotations

import copy
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from conjunct import KernelPerceptronClassifier
from conjunct.errors import ConjunctError, ModelFileError
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions

PREDICTIONS = ["auto", "final", "averaged", "voted"]
NAMES = ["wet", "größe", "x y", "", "=1"]
KERNELS = [
    None,
    Conjunctions(),
    MonotoneConjunctions(max_size=2),
    Conjunctions(max_size=2, costs=[1, "1/2", 0.25]),
    MonotoneConjunctions(costs=Geometric("2/3")),
    Conjunctions().on(["wet", "x y"]) + MonotoneConjunctions().on([1, 3, 4]),
    Conjunctions(max_size=1).on(["größe"]) * MonotoneConjunctions(max_size=2).on(["", "=1"]),
    (Conjunctions().on([0, 1]) + Conjunctions().on([2])) * MonotoneConjunctions(),
]


def random_table(seed: int, n_classes: int = 2) -> tuple[pd.DataFrame, Any]:
    random = np.random.RandomState(seed)
    rows = random.randint(0, 2, (40, 5))
    codes = (rows[:, 0] + rows[:, 1] * rows[:, 2] + random.randint(0, 4, 40) // 3) % n_classes
    codes[:n_classes] = range(n_classes)
    return pd.DataFrame(rows, columns=NAMES), codes


def assert_alike(one: KernelPerceptronClassifier, other: KernelPerceptronClassifier, rows: Any) -> None:
    """Every attribute, every mistake with its score, every answer."""
    assert one.get_params() == other.get_params()
    assert one.__dict__.keys() == other.__dict__.keys()
    assert (one.classes_.tolist(), one.classes_.dtype) == (other.classes_.tolist(), other.classes_.dtype)
    for name in ("n_features_in_", "prediction_", "stopped_by_", "n_mistakes_", "n_passes_"):
        assert getattr(one, name) == getattr(other, name)
        assert type(getattr(one, name)) is type(getattr(other, name))
    assert list(getattr(one, "feature_names_in_", ())) == list(getattr(other, "feature_names_in_", ()))
    assert hasattr(one, "transcripts_") == hasattr(other, "transcripts_")
    for mine, yours in zip(getattr(one, "transcripts_", ()), getattr(other, "transcripts_", ()), strict=True):
        assert list(mine) == list(yours)
        assert mine.rows == yours.rows
        for name in ("learner", "unit", "n_steps", "n_passes", "is_consistent"):
            assert getattr(mine, name) == getattr(yours, name)
    np.testing.assert_array_equal(one.predict(rows), other.predict(rows), strict=True)
    np.testing.assert_array_equal(one.decision_function(rows), other.decision_function(rows), strict=True)


def saved(learner: KernelPerceptronClassifier, path: Path) -> bytes:
    learner.save(path)
    return path.read_bytes()


# Round trips


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_a_saved_model_comes_back_whole(
    prediction: str, n_classes: int, kernel: Any, keeps: bool, tmp_path: Path
) -> None:
    rows, codes = random_table(1, n_classes)
    settings: dict[str, Any] = {"prediction": prediction, "threshold": "1/2", "keep_transcript": keeps}
    learner = KernelPerceptronClassifier(kernel, max_passes=4, **settings).fit(rows, codes)
    data = saved(learner, tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    assert_alike(learner, loaded, rows)
    assert saved(loaded, tmp_path / "b.model") == data


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["no", "yes", "é"]),
        np.array(["no", "yes", "maybe so"], object),
        np.array([False, True]),
        np.array([-5, 7, 2**62]),
        np.array([0, 2**64 - 1], np.uint64),
        np.array([1.0, 2.0, -3.0]),
        np.array([1, 2], ">i2"),
        np.array([1, 2], np.float16),
        np.array(["a", "b"], "<U9"),
    ],
    ids=lambda labels: labels.dtype.str,
)
def test_every_kind_of_label_comes_back(labels: Any, tmp_path: Path) -> None:
    rows, codes = random_table(2, len(labels))
    learner = KernelPerceptronClassifier(max_passes=3).fit(rows, labels[codes])
    data = saved(learner, tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(str(tmp_path / "a.model"))
    assert_alike(learner, loaded, rows)
    assert saved(loaded, tmp_path / "b.model") == data


@pytest.mark.parametrize(
    "settings",
    [
        {"threshold": Fraction(-7, 3), "learning_rate": 0.1},
        {"threshold": Fraction(10**1500, 3), "learning_rate": "1/7"},
        {"class_weight": {0: 2, 1: "1/3", 2: Fraction(1, 5)}, "max_passes": np.int64(3)},
        {"class_weight": {0: 0.5}, "binarize": 0.25},
        {"class_weight": "balanced", "shuffle": True, "random_state": 7},
        {"shuffle": np.True_, "random_state": np.int32(7)},
    ],
    ids=str,
)
def test_parameters_come_back_as_they_were_given(settings: dict[str, Any], tmp_path: Path) -> None:
    rows, codes = random_table(3, 3)
    learner = KernelPerceptronClassifier(**{"max_passes": 3, **settings}).fit(rows, codes)
    data = saved(learner, tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    assert_alike(learner, loaded, rows)
    assert saved(loaded, tmp_path / "b.model") == data
    assert_alike(learner.fit(rows, codes), loaded.fit(rows, codes), rows)


def test_names_come_back_and_so_does_their_absence(tmp_path: Path) -> None:
    rows, codes = random_table(4)
    KernelPerceptronClassifier(max_passes=2).fit(rows, codes).save(tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    assert loaded.feature_names_in_.tolist() == NAMES
    with pytest.raises(ValueError, match="dry"):
        loaded.predict(rows.rename(columns={"wet": "dry"}))
    KernelPerceptronClassifier(max_passes=2).fit(rows.to_numpy(), codes).save(tmp_path / "a.model")
    assert not hasattr(KernelPerceptronClassifier.load(tmp_path / "a.model"), "feature_names_in_")


@pytest.mark.parametrize("keeps", [False, True])
@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_learning_goes_on_after_loading_as_if_undisturbed(
    prediction: str, n_classes: int, keeps: bool, tmp_path: Path
) -> None:
    rows, codes = random_table(5, n_classes)
    learner = KernelPerceptronClassifier(prediction=prediction, class_weight={0: "1/2"}, keep_transcript=keeps)
    learner.partial_fit(rows[:15], codes[:15], classes=range(n_classes)).save(tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    for batch in (slice(15, 16), slice(16, 40)):
        learner.partial_fit(rows[batch], codes[batch])
        loaded.partial_fit(rows[batch], codes[batch])
    assert_alike(learner, loaded, rows)
    assert saved(learner, tmp_path / "a.model") == saved(loaded, tmp_path / "b.model")


def test_a_model_without_a_mistake_comes_back(tmp_path: Path) -> None:
    learner = KernelPerceptronClassifier().partial_fit(np.zeros((1, 70), int), [1], classes=[0, 1])
    learner.save(tmp_path / "a.model")
    loaded = KernelPerceptronClassifier.load(tmp_path / "a.model")
    assert_alike(learner, loaded, np.ones((1, 70), int))
    assert loaded.n_mistakes_ == 0


def test_parameters_changed_after_the_fit_do_not_change_what_was_learned(tmp_path: Path) -> None:
    rows, codes = random_table(6)
    learner = KernelPerceptronClassifier(MonotoneConjunctions(max_size=1), max_passes=3).fit(rows, codes)
    expected = learner.decision_function(rows)
    learner.set_params(kernel=Conjunctions(), threshold=50, learning_rate=9, prediction="voted")
    learner.save(tmp_path / "a.model")
    for back in (KernelPerceptronClassifier.load(tmp_path / "a.model"), pickle.loads(pickle.dumps(learner))):
        assert back.get_params() == learner.get_params()
        assert back.prediction_ == "averaged"
        np.testing.assert_array_equal(back.decision_function(rows), expected)


# Pickle


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("copied", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy])
def test_pickles_and_copies_carry_the_bytes_of_the_file(prediction: str, copied: Any, tmp_path: Path) -> None:
    rows, codes = random_table(7, 3)
    learner = KernelPerceptronClassifier(prediction=prediction, max_passes=3).fit(rows, codes)
    assert learner.__getstate__()["file"] == saved(learner, tmp_path / "a.model")
    again = copied(learner)
    assert again is not learner
    assert_alike(learner, again, rows)


def test_an_unfitted_estimator_is_pickled_with_its_parameters() -> None:
    learner = KernelPerceptronClassifier(Conjunctions(max_size=2), threshold="1/3")
    again = pickle.loads(pickle.dumps(learner))
    assert again.get_params() == learner.get_params()
    assert again.__dict__.keys() == learner.__dict__.keys()


def test_a_random_state_object_is_pickled_but_not_saved(tmp_path: Path) -> None:
    rows, codes = random_table(8)
    learner = KernelPerceptronClassifier(shuffle=True, random_state=np.random.RandomState(3), max_passes=2)
    learner.fit(rows, codes)
    again = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(again.predict(rows), learner.predict(rows))
    assert again.random_state.randint(1 << 31) == learner.random_state.randint(1 << 31)
    with pytest.raises(ModelFileError, match="random_state=RandomState"):
        learner.save(tmp_path / "a.model")
    assert list(tmp_path.iterdir()) == []


def test_a_pickle_with_a_changed_file_is_refused() -> None:
    rows, codes = random_table(9)
    state = KernelPerceptronClassifier(max_passes=2).fit(rows, codes).__getstate__()
    state["file"] = state["file"][:-1] + bytes([state["file"][-1] ^ 1])
    with pytest.raises(ModelFileError, match=r"^pickled model: "):
        KernelPerceptronClassifier().__setstate__(state)


# What cannot be saved


def test_saving_before_fitting_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFittedError):
        KernelPerceptronClassifier().save(tmp_path / "a.model")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"max_passes": 0}, "max_passes=0"),
        ({"kernel": "x"}, "kernel='x'"),
        ({"class_weight": {5: 1}}, "class_weight names 5"),
        ({"threshold": Fraction(1, 10**6000)}, "at most 4000 digits"),
        ({"random_state": [1, 2]}, "random_state="),
    ],
)
def test_what_would_not_load_is_not_saved_and_the_old_file_stays(
    settings: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    rows, codes = random_table(10)
    learner = KernelPerceptronClassifier(max_passes=2).fit(rows, codes)
    data = saved(learner, tmp_path / "a.model")
    with pytest.raises(ConjunctError, match=reason):
        learner.set_params(**settings).save(tmp_path / "a.model")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [data]


def test_labels_that_are_neither_text_nor_numbers_are_not_saved(tmp_path: Path) -> None:
    rows, codes = random_table(11)
    days = np.array(["2001-01-01", "2002-02-02"], "datetime64[D]")[codes]
    learner = KernelPerceptronClassifier(max_passes=2).fit(rows, days)
    assert learner.predict(rows).dtype == days.dtype
    with pytest.raises(ModelFileError, match="labels of type date have no place in a model file"):
        learner.save(tmp_path / "a.model")


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, codes = random_table(12)
    learner = KernelPerceptronClassifier(max_passes=2).fit(rows, codes)
    data = saved(learner, tmp_path / "a.model")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.write", full)
    with pytest.raises(OSError, match=r"a\.model"):
        learner.fit(rows[:20], codes[:20]).save(tmp_path / "a.model")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [data]
