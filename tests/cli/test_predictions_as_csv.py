"""What `predict` and `evaluate` print: CSV that joins, probabilities, figures of merit."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import log_loss as log_loss_by_sklearn
from sklearn.metrics import roc_auc_score

import conjunct
from conjunct.cli.command import run
from conjunct.evaluation.figures_of_merit import log_loss
from conjunct.theory import area_under_curve

TABLE = "id,color,age,buys\n" + "".join(
    f"{row:03d},{'red' if row % 3 else 'blue'},{20 + row},{'yes' if row % 3 or row % 5 == 0 else 'no'}\n"
    for row in range(30)
)
SEVERAL = "color,age,kind\n" + "".join(
    f"{'rgb'[row % 3]},{row % 7},{'xyz'[(row + row // 9) % 3]}\n" for row in range(45)
)
Said = Callable[..., str]


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a command that must succeed in a folder with two tables and their models; return what it printed."""
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text(TABLE)
    Path("several.csv").write_text(SEVERAL)
    quick = ("--no-validation", "--quiet", "--learner", "svc")

    def call(*arguments: str) -> str:
        assert run(list(arguments)) == 0
        return capsys.readouterr().out

    call("fit", "data.csv", "-o", "m", "--drop", "id", *quick)
    call("fit", "data.csv", "-o", "calibrated", "--drop", "id", "--calibrate", *quick)
    call("fit", "several.csv", "-o", "several", "--calibrate", *quick)
    return call


def records(text: str) -> list[list[str]]:
    return list(csv.reader(text.splitlines()))


def test_labels_and_scores_are_csv_with_a_header(said: Said) -> None:
    header, *rows = records(said("predict", "m", "data.csv"))
    assert header == ["label", "score"]
    assert [label for label, _ in rows] == said("predict", "m", "data.csv", "--labels").splitlines()
    model, frame = conjunct.load("m"), pd.read_csv("data.csv")
    assert [float(score) for _, score in rows] == model.decision_function(frame).tolist()
    assert [label for label, _ in rows] == model.predict(frame).tolist()


def test_the_score_of_several_labels_is_that_of_the_one_predicted(said: Said) -> None:
    _, *rows = records(said("predict", "several", "several.csv"))
    values = conjunct.load("several").decision_function(pd.read_csv("several.csv"))
    assert [float(score) for _, score in rows] == values.max(axis=1).tolist()


def test_kept_columns_make_predictions_joinable(said: Said) -> None:
    text = said("predict", "m", "data.csv", "--keep", "id", "--keep", "buys", "--keep", "age", "--keep", "id")
    header, *rows = records(text)
    assert header == ["id", "buys", "age", "label", "score"]
    assert [row[:3] for row in rows] == [[line[0], line[3], line[2]] for line in records(TABLE)[1:]]
    lines = said("predict", "m", "data.csv", "--json", "--keep", "id").splitlines()
    assert [json.loads(line)["keep"] for line in lines] == [{"id": f"{row:03d}"} for row in range(30)]


def test_a_file_of_predictions_is_the_same_csv(said: Said) -> None:
    assert said("predict", "m", "data.csv", "--keep", "id", "-o", "out.csv") == ""
    assert Path("out.csv").read_text() == said("predict", "m", "data.csv", "--keep", "id")


def test_kept_entries_are_quoted_and_are_no_formulas(said: Said) -> None:
    hostile = ["=1+1", 'say "hi"', "a,b", "@x", "-1", "", "two\nlines", "plain"]
    pd.DataFrame({"=name": hostile, "color": "red", "age": 3}).to_csv("new.csv", index=False)
    header, *rows = records(said("predict", "m", "new.csv", "--keep", "=name"))
    assert header[0] == "'=name"
    assert [row[0] for row in rows] == ["'=1+1", 'say "hi"', "a,b", "'@x", "-1", "", "two\\nlines", "plain"]
    _, *raw = records(said("predict", "m", "new.csv", "--keep", "=name", "--raw"))
    assert [row[0] for row in raw][:2] == ["=1+1", 'say "hi"']


@pytest.mark.parametrize("name", ["data", "several"])
def test_probabilities_are_those_of_python(said: Said, name: str) -> None:
    model = conjunct.load("calibrated" if name == "data" else "several")
    path = "calibrated" if name == "data" else "several"
    header, *rows = records(said("predict", path, f"{name}.csv", "--proba"))
    assert header == ["label", "score", *(f"p_{label}" for label in model.classes_)]
    frame = pd.read_csv(f"{name}.csv")
    assert [[float(share) for share in row[2:]] for row in rows] == model.predict_proba(frame).tolist()
    lines = [json.loads(line) for line in said("predict", path, f"{name}.csv", "--proba", "--json").splitlines()]
    assert [list(line["probabilities"].values()) for line in lines] == model.predict_proba(frame).tolist()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--proba"], "m: has no probabilities, expected a model of 'conjunct fit --calibrate'"),
        (["--keep", "zip"], "data.csv:1: no column is named 'zip'"),
        (["--keep", "label"], "--keep label: the output has a column 'label' of its own; use --json"),
        (["--labels", "--json"], "--labels prints labels alone"),
        (["--labels", "--keep", "id"], "--labels prints labels alone"),
    ],
)
def test_what_cannot_be_printed_is_refused_in_one_line(
    said: Said, capsys: pytest.CaptureFixture[str], options: list[str], reason: str
) -> None:
    assert run(["predict", "m", "data.csv", *options]) == 2
    assert capsys.readouterr().err.startswith(f"conjunct: {reason}")


def test_rows_without_columns_have_none_to_keep(said: Said, capsys: pytest.CaptureFixture[str]) -> None:
    Path("s.txt").write_text("+1 1:1\n-1 2:1\n")
    said("fit", "s.txt", "-o", "s", "--no-validation", "--quiet", "--learner", "perceptron")
    assert run(["predict", "s", "s.txt", "--keep", "x1"]) == 2
    assert capsys.readouterr().err == "conjunct: s.txt: --keep has no meaning for rows without columns\n"


def test_evaluate_has_the_area_under_the_curve_and_the_log_loss_where_there_are_probabilities(said: Said) -> None:
    frame = pd.read_csv("data.csv")
    model = conjunct.load("calibrated")
    result = json.loads(said("evaluate", "calibrated", "data.csv", "--json"))
    assert result["auc"] == pytest.approx(roc_auc_score(frame["buys"] == "yes", model.decision_function(frame)))
    assert result["log_loss"] == pytest.approx(log_loss_by_sklearn(frame["buys"], model.predict_proba(frame)))
    text = said("evaluate", "calibrated", "data.csv")
    assert f"area under the ROC curve {result['auc']:.4f}\nlog loss {result['log_loss']:.4f}\n" in text
    assert json.loads(said("evaluate", "m", "data.csv", "--json"))["log_loss"] is None
    assert "log loss" not in said("evaluate", "m", "data.csv")


def test_of_several_labels_the_areas_are_those_of_each_against_the_rest(said: Said) -> None:
    frame, model = pd.read_csv("several.csv"), conjunct.load("several")
    result = json.loads(said("evaluate", "several", "several.csv", "--json"))
    values = model.decision_function(frame)
    each = [roc_auc_score(frame["kind"] == label, values[:, number]) for number, label in enumerate(model.classes_)]
    assert result["auc_of_classes"] == pytest.approx(each)
    assert result["auc"] == pytest.approx(np.mean(each))
    assert result["log_loss"] == pytest.approx(log_loss_by_sklearn(frame["kind"], model.predict_proba(frame)))
    assert "(mean over the labels, each against the rest)" in said("evaluate", "several", "several.csv")


def test_areas_count_ties_as_half_and_are_none_for_rows_of_one_kind() -> None:
    random = np.random.default_rng(0)
    values, is_positive = random.integers(0, 5, 200).astype(float), random.random(200) < 0.4
    assert area_under_curve(values, is_positive) == pytest.approx(roc_auc_score(is_positive, values), abs=1e-15)
    assert area_under_curve(values, np.ones(200, bool)) is None
    assert log_loss(np.array([[1.0, 0.0]]), np.array([1])) == pytest.approx(36.04, abs=0.01)
