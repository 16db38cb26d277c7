"""What `rules` and `explain` print, and what they refuse."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

import conjunct
from conjunct.cli.command import run

TABLE = "color,age,note,buys\n" + "".join(
    f"{('red', 'blue', 'green')[row % 3]},{20 + row % 40},{'=1+1' if row % 7 else '<b>'},"
    f"{'yes' if row % 3 == 0 and row % 40 > 11 else 'no'}\n"
    for row in range(120)
)
Ended = Callable[..., tuple[int, str, str]]
Said = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("rules")
    (place / "data.csv").write_text(TABLE)
    assert run(["fit", str(place / "data.csv"), "-o", str(place / "m"), "--no-validation", "--quiet"]) == 0
    several = (place / "data.csv").read_text().replace("green", "teal").split("\n")
    lines = [several[0], *(f"{line.rsplit(',', 1)[0]},{'abc'[k % 3]}" for k, line in enumerate(several[1:-1]))]
    (place / "several.csv").write_text("\n".join(lines) + "\n")
    assert run(["fit", str(place / "several.csv"), "-o", str(place / "s"), "--no-validation", "--quiet"]) == 0
    return place


@pytest.fixture
def ended(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ended:
    """Run a command in the folder; return its exit code and what it wrote."""
    monkeypatch.chdir(folder)

    def call(*arguments: str) -> tuple[int, str, str]:
        capsys.readouterr()
        code = run(list(arguments))
        return (code, *capsys.readouterr())

    return call


@pytest.fixture
def said(ended: Ended) -> Said:
    def call(*arguments: str) -> str:
        code, out, _ = ended(*arguments)
        assert code == 0
        return out

    return call


@pytest.fixture
def refused(ended: Ended) -> Said:
    def call(*arguments: str) -> str:
        code, out, err = ended(*arguments)
        assert (code, out, err.count("\n")) == (2, "", 1)
        return err

    return call


def test_rules_are_a_table_with_what_was_proved_and_the_caution_below(said: Said) -> None:
    lines = said("rules", "m", "--data", "data.csv", "--top", "3").splitlines()
    assert lines[0].split() == ["weight", "size", "support", "precision", "label", "conjunction"]
    assert len(lines) == 6
    assert lines[4].startswith("Proved: ")
    assert lines[5].startswith("Heaviest does not mean relevant")
    assert said("rules", "m", "--top", "3").splitlines()[0].split() == ["weight", "size", "label", "conjunction"]


def test_rules_as_csv_and_as_json_hold_the_same_weights_the_heaviest_first(said: Said) -> None:
    records = list(csv.DictReader(said("rules", "m", "--top", "4", "--format", "csv").splitlines()))
    whole = json.loads(said("rules", "m", "--top", "4", "--format", "json"))
    assert whole["proved"]
    weights = [Fraction(rule["exact_weight"]) for rule in whole["rules"]]
    assert [float(record["weight"]) for record in records] == list(map(float, weights))
    assert list(map(abs, weights)) == sorted(map(abs, weights), reverse=True)


def test_names_that_are_formulas_or_markup_are_escaped_in_every_format(said: Said) -> None:
    table = said("rules", "m", "--top", "60", "--format", "csv")
    assert all(not entry.startswith(("=", "+", "@")) for row in csv.reader(table.splitlines()) for entry in row[:1])
    assert "<b>" not in said("rules", "m", "--top", "60", "--format", "json")


def test_a_dnf_and_a_score_table_say_how_faithful_they_are(said: Said) -> None:
    dnf = said("rules", "m", "--data", "data.csv", "--format", "dnf")
    assert dnf.startswith("yes if\n")
    assert "it agrees with the model on" in dnf
    score = said("rules", "m", "--data", "data.csv", "--format", "score", "--terms", "3")
    assert "risk of yes" in score
    assert "AUC" in score


def test_a_dnf_describes_the_class_asked_for_and_max_size_counts_in_every_format(said: Said) -> None:
    assert said("rules", "s", "--data", "several.csv", "--format", "dnf", "--class", "b").startswith("b if\n")
    assert said("rules", "m", "--data", "data.csv", "--format", "dnf", "--class", "no").startswith("no if\n")
    for form in ("table", "dnf", "score"):
        assert " & " in said("rules", "m", "--data", "data.csv", "--format", form)
        assert " & " not in said("rules", "m", "--data", "data.csv", "--format", form, "--max-size", "1")


def test_explanations_add_up_exactly_to_the_score_that_predict_prints(said: Said) -> None:
    answers = [
        json.loads(line) for line in said("explain", "m", "data.csv", "--json", "--row", "4", "--row", "1").splitlines()
    ]
    assert [answer["row"] for answer in answers] == [4, 1]
    scores = [float(row["score"]) for row in csv.DictReader(said("predict", "m", "data.csv").splitlines())]
    for answer in answers:
        parts = sum(Fraction(rule["weight"]) for rule in answer["conjunctions"]) + Fraction(answer["remainder"])
        assert parts == sum(Fraction(column["weight"]) for column in answer["columns"]) == Fraction(answer["score"])
        excess = Fraction(answer["score"]) - Fraction(answer["threshold"])
        assert float(excess) == scores[answer["row"] - 1]


def test_without_a_row_every_row_is_explained(said: Said) -> None:
    text = said("explain", "m", "data.csv", "--top", "1")
    assert [line.split(",")[0] for line in text.splitlines() if line.startswith("row ")] == [
        f"row {number}" for number in range(1, 121)
    ]


@pytest.mark.parametrize("name", ["figure.svg", "figure.png", "figure.pdf"])
@pytest.mark.parametrize("form", ["table", "score"])
def test_a_figure_is_written_whole_and_the_same_each_time(said: Said, name: str, form: str) -> None:
    pictures = []
    for _ in range(2):
        assert said("rules", "m", "--data", "data.csv", "--format", form, "-o", name) == ""
        pictures.append(Path(name).read_bytes())
    assert pictures[0] == pictures[1]
    assert pictures[0][:4] in (b"<?xm", b"\x89PNG", b"%PDF")


def test_fit_ends_with_the_five_heaviest_rules(said: Said) -> None:
    text = said("fit", "data.csv", "--no-validation")
    assert "\nIts heaviest conjunctions" in text
    result = json.loads(said("fit", "data.csv", "--no-validation", "--json"))
    assert len(result["rules"]) == 5
    assert result["rules"][0]["conjunction"] in text


def test_the_rules_of_a_mask_perceptron_are_all_its_terms(said: Said) -> None:
    said("fit", "data.csv", "--learner", "mask", "--max-terms", "4", "--no-validation", "-o", "mask", "--quiet")
    assert len(json.loads(said("rules", "mask", "--format", "json"))["rules"]) <= 4
    assert said("explain", "mask", "data.csv", "--row", "1").startswith("row 1, predicted: ")


def test_what_rules_cannot_do_is_refused_in_one_line(refused: Said) -> None:
    assert "--format dnf: is fitted to rows, expected --data DATA" in refused("rules", "m", "--format", "dnf")
    assert "--top" in refused("rules", "m", "--top", "0")
    figure = refused("rules", "m", "--data", "data.csv", "--format", "dnf", "-o", "x.svg")
    assert "a figure shows --format table or score" in figure
    assert "score table is about two" in refused("rules", "s", "--data", "several.csv", "--format", "score")
    assert "--row 500: data.csv has 120 rows" in refused("explain", "m", "data.csv", "--row", "1", "--row", "500")
    assert "--class: is of --format dnf only" in refused("rules", "s", "--class", "a")
    several = ("rules", "s", "--data", "several.csv", "--format", "dnf")
    assert "describes one class, expected --class with one of ['a', 'b', 'c']" in refused(*several)
    assert "label='d': expected one of ['a', 'b', 'c']" in refused(*several, "--class", "d")
    assert "nowhere" in refused("rules", "nowhere")


def test_rules_of_several_classes_come_class_by_class(said: Said) -> None:
    whole = json.loads(said("rules", "s", "--top", "2", "--format", "json"))
    labels = [rule["label"] for rule in whole["rules"]]
    assert labels == sorted(labels)
    assert set(labels) == set("abc")
    assert conjunct.load("s") is not None
