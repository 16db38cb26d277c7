"""A model file is made and read by either door: the command, and Python."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import conjunct
from conjunct import (
    Binarizer,
    BitMatrix,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
from conjunct.cli.command import run
from conjunct.errors import BitsError, ModelFileError

COLUMNS: dict[str, list[Any]] = {
    "color": ["red", "blue", "red", "green", None, "blue", "red", "blue"] * 2,
    "age": [21.5, 35, None, 44, 19, 51.5, 62, 28] * 2,
    "flag": [0, 1, 0, 1, 0, 1, 0, 1] * 2,
}
LABELS = ["no", "yes"] * 8
BITS = {"a": [0, 1, 1, 0, 1, 0], "b": [1, 1, 0, 0, 1, 1], "c": [0, 0, 1, 1, 1, 0]}
LEARNERS = {
    "kernel-perceptron": KernelPerceptronClassifier,
    "perceptron": PerceptronClassifier,
    "winnow": WinnowClassifier,
    "svc": ConjunctionSVC,
    "svc-cv": ConjunctionSVCCV,
    "mask": MaskPerceptronClassifier,
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    pd.DataFrame(COLUMNS | {"buys": LABELS}).to_csv("data.csv", index=False)
    return tmp_path


def labels_of_the_command(capsys: pytest.CaptureFixture[str], model: str, data: str, *options: str) -> list[Any]:
    assert run(["predict", model, data, "--json", "--quiet", *options]) == 0
    return [json.loads(line)["label"] for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("positive", ["no", "yes"])
def test_a_model_of_the_command_predicts_raw_frames_in_python(
    here: Path, capsys: pytest.CaptureFixture[str], learner: str, positive: str
) -> None:
    options = ["--no-validation", "--quiet", "--learner", learner, "--positive", positive]
    assert run(["fit", "data.csv", "-o", "m", *options]) == 0
    expected = labels_of_the_command(capsys, "m", "data.csv")
    model = conjunct.load("m")
    assert isinstance(model, LEARNERS[learner])
    assert model.classes_.tolist() == [label for label in ("no", "yes") if label != positive] + [positive]
    later = {name: [None, *column] for name, column in reversed(COLUMNS.items())}  # in another order
    for table in (pd.DataFrame(later | {"buys": "?"}), pl.DataFrame(later), later):
        assert model.predict(table).tolist()[1:] == expected
        assert ((model.decision_function(table) > 0) == (model.predict(table) == positive)).all()
    assert model.predict(pd.DataFrame(COLUMNS).to_numpy(object)).tolist() == expected
    assert model.predict(model.encoding_.rows(COLUMNS)).tolist() == expected


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_pipeline_is_saved_with_its_encoding_and_taken_by_the_command(
    here: Path, capsys: pytest.CaptureFixture[str], learner: str
) -> None:
    frame = pd.DataFrame(COLUMNS)
    pipeline = make_pipeline(Binarizer(cuts=2), LEARNERS[learner]()).fit(frame, LABELS)
    conjunct.save(pipeline, "m")
    expected = pipeline.predict(frame).tolist()
    model = conjunct.load("m")
    assert isinstance(model, LEARNERS[learner])
    assert model.predict(frame).tolist() == expected
    assert np.array_equal(model.decision_function(frame), pipeline.decision_function(frame))
    assert model.feature_names_in_.tolist() == pipeline[0].get_feature_names_out().tolist()
    assert labels_of_the_command(capsys, "m", "data.csv") == expected
    assert run(["evaluate", "m", "data.csv", "--quiet"]) == 0
    assert float(capsys.readouterr().out) == np.mean(np.array(expected) == LABELS)


@pytest.mark.parametrize(
    "labels", [[0, 1] * 8, [True, False] * 8, ["b", "a"] * 8, [3, 1, 2, 1] * 4, [-1.0, 1.0] * 8], ids=str
)
def test_labels_of_any_type_come_back_as_they_were(
    here: Path, capsys: pytest.CaptureFixture[str], labels: list[Any]
) -> None:
    pipeline = make_pipeline(Binarizer(), ConjunctionSVC()).fit(COLUMNS, labels)
    conjunct.save(pipeline, "m")
    model = conjunct.load("m")
    assert (model.classes_.dtype, model.classes_.tolist()) == (pipeline.classes_.dtype, pipeline.classes_.tolist())
    expected = pipeline.predict(COLUMNS).tolist()
    assert model.predict(COLUMNS).tolist() == expected
    assert [str(label) for label in labels_of_the_command(capsys, "m", "data.csv")] == [str(x) for x in expected]


@pytest.mark.parametrize("learner", LEARNERS)
def test_an_estimator_given_a_frame_of_zeros_and_ones_is_taken_by_the_command(
    here: Path, capsys: pytest.CaptureFixture[str], learner: str
) -> None:
    frame = pd.DataFrame(BITS).iloc[[0, 1, 2, 3, 4, 5] * 3]
    frame.assign(y=frame["a"]).to_csv("bits.csv", index=False)
    estimator = LEARNERS[learner]().fit(frame, frame["a"])
    conjunct.save(estimator, "m")
    assert labels_of_the_command(capsys, "m", "bits.csv") == estimator.predict(frame).tolist()
    assert run(["evaluate", "m", "bits.csv", "--quiet"]) == 0
    assert float(capsys.readouterr().out) == np.mean(estimator.predict(frame) == frame["a"])
    frame.to_csv("bare.csv", index=False)
    assert run(["evaluate", "m", "bare.csv"]) == 2
    assert "bare.csv: column 'c' is read by the model, expected --label NAME" in capsys.readouterr().err
    assert conjunct.load("m").predict(frame).tolist() == estimator.predict(frame).tolist()
    LEARNERS[learner]().fit(frame.to_numpy(), frame["a"]).save("m")
    frame.to_csv("bare.csv", index=False, header=False)
    assert labels_of_the_command(capsys, "m", "bare.csv", "--no-header") == estimator.predict(frame).tolist()


def test_arrays_are_raw_where_the_columns_had_no_names(here: Path) -> None:
    table = np.random.default_rng(0).normal(size=(40, 3))
    pipeline = make_pipeline(Binarizer(), ConjunctionSVC()).fit(table, table[:, 0] > 0)
    conjunct.save(pipeline, "m")
    model = conjunct.load("m")
    assert np.array_equal(model.predict(table), pipeline.predict(table))
    with pytest.raises(BitsError, match=r"^X has 2 columns, expected the 3 columns that the model was learned from$"):
        model.predict(table[:, :2])
    with pytest.raises(BitsError, match=r"^the table has no column 'x2', which the model was learned from$"):
        model.predict({"x1": [1.0], "x3": [2.0]})


def test_a_loaded_model_goes_on_learning_from_raw_tables_and_is_saved_again(here: Path) -> None:
    options = ["--no-validation", "--quiet", "--positive", "no", "--learner", "perceptron"]
    assert run(["fit", "data.csv", "-o", "m", *options]) == 0
    model = conjunct.load("m")
    model.save("again")
    assert Path("again").read_bytes() == Path("m").read_bytes()
    turned = ["yes" if label == "no" else "no" for label in LABELS]
    for _ in range(20):
        model.partial_fit(COLUMNS, turned)
    assert model.predict(COLUMNS).tolist() == turned
    copy = pickle.loads(pickle.dumps(model))
    assert copy.predict(COLUMNS).tolist() == turned
    model.fit(BitMatrix.of([[0, 1], [1, 0]]), ["a", "b"])  # other rows, which have no encoding
    assert not hasattr(model, "encoding_")


def test_what_no_table_leads_to_is_refused_by_the_command(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real = [[0.5, 2.0], [1.5, -1.0], [0.25, 3.0], [2.5, 0.0]]
    for model, reason in (
        (PerceptronClassifier().fit(real, [0, 1, 0, 1]), "was learned from numbers other than 0 and 1"),
        (ConjunctionSVC(binarize=1.0).fit(real, [0, 1, 0, 1]), "was learned from numbers other than 0 and 1"),
        (PerceptronClassifier().fit([{"a"}, {"b"}], [0, 1]), "was learned from examples by name"),
        (ExponentiatedGradientRegressor().fit(real, [1.0, 2.0, 1.0, 2.0]), "a regressor, expected a model of classes"),
    ):
        conjunct.save(model, "m")
        assert run(["predict", "m", "data.csv"]) == 2
        assert capsys.readouterr().err.startswith(f"conjunct: m: {reason}")
        assert type(conjunct.load("m")) is type(model)


def test_what_cannot_be_saved_is_refused_by_its_steps(here: Path) -> None:
    for model, shown in (
        (make_pipeline(StandardScaler(), ConjunctionSVC()), "StandardScaler, ConjunctionSVC"),
        (Binarizer(), "Binarizer"),
        (3, "int"),
    ):
        with pytest.raises(ModelFileError, match=f"or a pipeline of a Binarizer and one, got {shown}$"):
            conjunct.save(model, "m")
    regressor = make_pipeline(Binarizer(), ExponentiatedGradientRegressor()).fit([[1.5], [2.5]], [1.0, 2.0])
    with pytest.raises(ModelFileError, match="has no classes"):
        conjunct.save(regressor, "m")
    assert not Path("m").exists()
