"""Labels that a spreadsheet would take for formulas."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from conjunct.cli.command import run
from conjunct.tables.csv_text import spreadsheet_text

FORMULAS = [
    "=1+1",
    "+x",
    "-x",
    "@sum",
    "=cmd|' /C calc'!A0",
    "-1+1",
    "--1",
    "+",
    "-",
    "=",
    "-inf",
    "-1e",
    "+1,5",
    "-\u0661",
]
PLAIN = ["yes", "a=b", "1", "-1", "+1", "-1.5e3", "+.5", "0", "'x", "x-", "", "x@y"]


@pytest.mark.parametrize("text", [*FORMULAS, "\tx", "\rx", "\t=1"])
def test_what_begins_like_a_formula_gets_an_apostrophe(text: str) -> None:
    written = spreadsheet_text(text)
    assert written.startswith("'")
    assert written.isprintable()


@pytest.mark.parametrize("text", PLAIN)
def test_numbers_and_other_text_stay_as_they_are(text: str) -> None:
    assert spreadsheet_text(text) == text


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A model whose labels are formulas, and one whose labels are signed numbers."""
    monkeypatch.chdir(tmp_path)
    for name, labels in (("formulas", FORMULAS[:5]), ("numbers", ["-1", "+1"])):
        with Path(f"{name}.csv").open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["a", "b"])
            writer.writerows([f"v{place % len(labels)}", labels[place % len(labels)]] for place in range(20))
        assert run(["fit", f"{name}.csv", "--no-validation", "-o", f"{name}.model", "--quiet"]) == 0
    return tmp_path


def test_predict_escapes_formulas_in_files_and_on_standard_output(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    escaped = "".join(f"'{label}\n" for label in FORMULAS[:5] * 4)
    assert run(["predict", "--labels", "formulas.model", "formulas.csv"]) == 0
    assert capsys.readouterr().out == escaped
    assert run(["predict", "--labels", "formulas.model", "formulas.csv", "-o", "out.csv"]) == 0
    assert Path("out.csv").read_text() == escaped


def test_raw_and_json_have_the_labels_as_they_are(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", "--labels", "formulas.model", "formulas.csv", "--raw"]) == 0
    assert capsys.readouterr().out.splitlines() == FORMULAS[:5] * 4
    assert run(["predict", "--labels", "formulas.model", "formulas.csv", "--raw", "-o", "out.csv"]) == 0
    assert Path("out.csv").read_text().splitlines() == FORMULAS[:5] * 4
    assert run(["predict", "formulas.model", "formulas.csv", "--json"]) == 0
    assert [json.loads(line)["label"] for line in capsys.readouterr().out.splitlines()] == FORMULAS[:5] * 4


def test_signed_numbers_are_never_escaped(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["predict", "--labels", "numbers.model", "numbers.csv"]) == 0
    assert {line.lstrip("+") for line in capsys.readouterr().out.splitlines()} == {"-1", "1"}


def test_evaluate_reads_the_labels_of_the_table_not_of_predictions(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["evaluate", "formulas.model", "formulas.csv", "--quiet"]) == 0
    assert capsys.readouterr().out == "1.000000\n"
