from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from conjunct import MaskPerceptronClassifier, load
from conjunct.cli.command import run

LINES = ["fit", "embedded:tic-tac-toe", "--learner", "mask", "--literals", "positive", "--no-validation"]


def test_the_command_learns_the_winning_lines_and_saves_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*LINES, "--max-terms", "26", "--min-gain", "1", "-o", "m"]) == 0
    said = capsys.readouterr().out.splitlines()
    end = said.index("") + 4
    assert [*said[end - 3 : end], said[-1]] == [
        "Learning on all rows, lam 4: 100.00 % of them are right.",
        "  output           risk    terms  stopped by",
        "  positive      28.5228        9  --min-gain",
        "Saved m",
    ]
    model = load("m")
    assert isinstance(model, MaskPerceptronClassifier)
    assert [len(conjunction) for conjunction in model.model_.conjunctions] == [0, *[3] * 8]
    assert run(["evaluate", "m", "embedded:tic-tac-toe", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == 1


def test_json_has_the_exact_risk_of_every_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*LINES, "--max-terms", "3", "--max-size", "2", "--lam", "1/2", "--selection", "beam", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    (output,) = result["masks"]
    assert (result["lam"], output["label"], output["terms"], output["stopped_by"]) == (
        "1/2",
        "positive",
        3,
        "max_terms",
    )
    assert 0 < Fraction(output["risk"]) < 2 * 958


def test_labels_have_an_output_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a,b,kind\n" + "x,x,one\nx,y,two\ny,y,three\n" * 4)
    assert run(["fit", str(table), "--learner", "mask", "--all-sizes", "--no-validation", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [output["label"] for output in result["masks"]] == ["one", "three", "two"]
    assert result["training_accuracy"] == 1


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--min-gain=-1"], "min_gain='-1': expected 0 or a positive number"),
        (["--lam", "0"], "lam=0: expected a positive number"),
        (["--costs", "2"], "--costs belongs to --learner svc or svc-cv or kernel-perceptron, not mask"),
        (["--calibrate"], "--calibrate belongs to --learner svc or svc-cv, not mask"),
    ],
)
def test_what_is_refused_is_refused_in_one_line(
    options: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*LINES, *options]) == 2
    assert capsys.readouterr().err == f"conjunct: {reason}\n"
