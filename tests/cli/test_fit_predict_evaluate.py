from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conjunct import PerceptronClassifier
from conjunct.cli.command import run
from conjunct.cli.learners import LEARNERS, spelled
from conjunct.estimators import load
from conjunct.evaluation.figures_of_merit import interval
from real_data import DATA, needs_data

TABLE = """\
color,age,flag,buys
red,21.5,0,no
blue,35,1,yes
red,?,0,no
green,44,1,yes
,19,0,no
blue,51.5,1,yes
red,62,0,no
blue,28,1,yes
"""
SPARSE = "+1 1:1 3:1\n-1 2:1\n+1 1:1 4:1\n-1 2:1 4:1\n"
QUICK = ("--no-validation",)
FIVE_PASSES = ("--learner", "kernel-perceptron", "--max-passes", "5")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.csv").write_text(TABLE)
    return tmp_path


Said = Callable[..., str]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    """Run a command that must succeed and return what it printed."""

    def call(*arguments: str, err: str = "") -> str:
        code = run(list(arguments))
        out = capsys.readouterr()
        assert (code, out.err) == (0, err)
        return out.out

    return call


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str], here: Path) -> Said:
    """Run a command that must be refused in one line and leave every file as it was; return the line."""

    def call(*arguments: str) -> str:
        before = {path: path.read_bytes() for path in here.iterdir()}
        code = run(list(arguments))
        out = capsys.readouterr()
        assert (code, out.out) == (2, "")
        assert out.err.startswith("conjunct: ")
        assert out.err.endswith("\n")
        assert out.err[:-1].isprintable()
        assert "bug" not in out.err
        assert {path: path.read_bytes() for path in here.iterdir()} == before
        return out.err[len("conjunct: ") : -1]

    return call


def rows_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))


# fit


def test_fit_says_what_it_learned_and_the_model_remembers_the_table(here: Path, said: Said) -> None:
    text = said("fit", "data.csv", "-o", "m", "--folds", "2")
    assert text.startswith("data.csv: 8 rows, labels no, yes; positive: yes\n")
    assert "variables: color=blue, color=green, color=red, color is missing, ...\n" in text
    assert "accuracy, 2 folds" in text
    assert all(name in text for name in ("conjunct", "largest class", "logistic regression", "decision tree"))
    assert "100.00 % of them are right." in text
    assert text.endswith("\nSaved m\n")
    encoding = load("m").encoding_
    assert (encoding.names, encoding.label_name, encoding.labels) == (("color", "age", "flag"), "buys", ("no", "yes"))
    assert {"age is missing", "flag"} < {test.name for test in encoding.tests}


def test_fit_as_json(here: Path, said: Said) -> None:
    result = json.loads(said("fit", "data.csv", "--json", "--folds", "2", "--quiet"))
    assert (result["rows"], result["labels"], result["positive"]) == (8, ["no", "yes"], "yes")
    assert (result["folds"], result["model"], result["learner"]) == (2, None, "svc")
    assert result["training_accuracy"] == 1.0
    ours = result["validation"][0]
    assert ours["learner"] == "conjunct"
    assert ours["interval"] == list(interval(round(8 * ours["accuracy"]), 8))
    result = json.loads(said("fit", "data.csv", "--json", *QUICK))
    assert (result["folds"], result["validation"]) == (None, [])


def test_the_same_fit_writes_the_same_bytes(here: Path, said: Said) -> None:
    fixed = ("--cuts", "4", "--lam", "3")
    assert said("fit", "data.csv", "-o", "a", *QUICK, "--quiet", *fixed) == ""
    assert said("fit", "data.csv", "-o", "b", "--folds", "2", "--quiet", *fixed) == ""
    assert (here / "a").read_bytes() == (here / "b").read_bytes()


@pytest.mark.parametrize(
    "options",
    [
        ["--max-size", "1"],
        ["--all-sizes"],
        ["--literals", "positive"],
        ["--threshold", "1/2", "--learning-rate", "0.5"],
        ["--prediction", "voted"],
        ["--prediction", "averaged", "--max-passes", "2"],
        ["--no-shuffle"],
    ],
    ids=" ".join,
)
def test_options_of_the_learner_reach_it(here: Path, said: Said, options: list[str]) -> None:
    learner = ("--learner", "kernel-perceptron")
    said("fit", "data.csv", "-o", "m", *QUICK, *learner, *options)
    said("fit", "data.csv", "-o", "plain", *QUICK, *learner)
    assert (here / "m").read_bytes() != (here / "plain").read_bytes()
    assert float(said("evaluate", "m", "data.csv", "--quiet")) >= 0.5


@pytest.mark.parametrize(("cuts", "n_cuts"), [("1", 1), ("3", 3), ("all", 6), ("supervised", 0)])
def test_cuts(here: Path, said: Said, cuts: str, n_cuts: int) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK, "--cuts", cuts)
    tests = load("m").encoding_.tests
    assert sum(test.kind == "at most" for test in tests) == n_cuts
    assert said("predict", "--labels", "m", "data.csv").split() == ["no", "yes"] * 4


def test_supervised_cuts_are_where_the_labels_change(here: Path, said: Said) -> None:
    (here / "ages.csv").write_text("age,old\n" + "".join(f"{age},{age > 40}\n" for age in range(20, 61)))
    said("fit", "ages.csv", "-o", "m", "--cuts", "supervised", "--folds", "3", "--no-baselines")
    (test,) = load("m").encoding_.tests
    assert 40 <= test.value < 41
    assert said("evaluate", "m", "ages.csv", "--quiet") == "1.000000\n"


def test_cuts_are_chosen_where_the_command_validates_and_the_choice_is_said(here: Path, said: Said) -> None:
    (here / "ages.csv").write_text("age,old\n" + "".join(f"{age},{age // 7 % 2}\n" for age in range(20, 98)))
    text = said("fit", "ages.csv", "-o", "m", "--folds", "3", "--no-baselines")
    result = json.loads(said("fit", "ages.csv", "--folds", "3", "--no-baselines", "--json"))
    cuts = result["cuts"]
    assert cuts in (16, 32)  # of a label that changes eleven times
    lines = text.splitlines()
    chosen, variables = lines[lines.index("") - 2 : lines.index("")]
    assert chosen.startswith(f"Chosen in 5 inner folds: --cuts {cuts} of 4, 16, 32, supervised; lam ")
    assert chosen.endswith(" of 1/8, 1/2, 1, 2, 4 times the mean of k(x, x)")
    assert variables.startswith(f"{cuts} variables: ")
    assert len(load("m").encoding_.tests) == cuts
    assert result["lam"] == str(load("m").lam_)
    assert "Chosen" not in said("fit", "ages.csv", "-o", "m", *QUICK)
    assert (len(load("m").encoding_.tests), load("m").lam) == (16, None)


def test_a_model_that_beats_no_other_is_warned_of_in_one_line(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "noise.csv").write_text("a,y\n" + "u,yes\nu,no\nv,yes\nv,no\nu,no\nv,no\n" * 5)
    assert run(["fit", "noise.csv", "--folds", "5"]) == 0
    out = capsys.readouterr()
    assert out.err == (
        "conjunct: the model, 66.67 % right on held-out rows, does not beat largest class (66.67 %) and logistic "
        "regression (66.67 %) and decision tree (66.67 %); try --learner svc-cv\n"
    )
    assert run(["fit", "noise.csv", "--folds", "5", "--json"]) == 0
    out = capsys.readouterr()
    assert json.loads(out.out)["unbeaten"] == ["largest class", "logistic regression", "decision tree"]
    assert out.err.count("\n") == 1
    for silent in ("--quiet", "--no-baselines", "--no-validation"):
        assert run(["fit", "noise.csv", silent, *(["--folds", "5"] if silent != "--no-validation" else [])]) == 0
        assert capsys.readouterr().err == ""


def test_the_header_is_printed_before_anything_is_learned(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fit(self: object, X: object, y: object) -> None:
        raise MemoryError("while learning")

    monkeypatch.setattr("conjunct.estimators.ConjunctionSVC.fit", fit)
    assert run(["fit", "data.csv", "--folds", "2", "--cuts", "4"]) == 3
    out = capsys.readouterr()
    assert out.out.startswith("data.csv: 8 rows, labels no, yes; positive: yes\n  column  kind ")
    assert "\n10 variables: " in out.out
    assert out.err == "conjunct: while learning\n"


def test_every_learner_says_its_own_time(here: Path, said: Said) -> None:
    text = said("fit", "data.csv", "--folds", "2", "--cuts", "4")
    lines = text.splitlines()
    assert lines[lines.index("") + 1].split() == ["accuracy,", "2", "folds", "95", "%", "interval", "CPU", "seconds"]
    lines = json.loads(said("fit", "data.csv", "--folds", "2", "--cuts", "4", "--json"))["validation"]
    assert all(line["seconds"] > 0 and len(line["fold_accuracies"]) == 2 for line in lines)


# predict


def test_predict_reads_columns_by_name(here: Path, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    expected = said("predict", "--labels", "m", "data.csv")
    assert expected.split() == ["no", "yes"] * 4
    cells = [line.split(",") for line in TABLE.splitlines()]
    (here / "bare.csv").write_text("".join(",".join(row[:3]) + "\n" for row in cells))
    (here / "turned.tsv").write_text("".join("\t".join(["more", *row[::-1]]) + "\n" for row in cells))
    with gzip.open(here / "packed", "wt") as file:
        file.write(TABLE)
    for name in ("bare.csv", "turned.tsv", "packed"):
        assert said("predict", "--labels", "m", name) == expected
    assert said("evaluate", "m", "turned.tsv", "--quiet") == "1.000000\n"


def test_predict_as_json_agrees_with_the_labels(here: Path, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    lines = rows_of(said("predict", "m", "data.csv", "--json"))
    assert [line["label"] for line in lines] == ["no", "yes"] * 4
    assert all((line["decision"] >= 0) == (line["label"] == "yes") for line in lines)
    assert {line["positive"] for line in lines} == {"yes"}


def test_predict_writes_a_file_whole(here: Path, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (here / "out").write_text("old")
    assert said("predict", "--labels", "m", "data.csv", "-o", "out") == ""
    assert (here / "out").read_text() == "no\nyes\n" * 4
    assert sorted(path.name for path in here.iterdir()) == ["data.csv", "m", "out"]


def test_standard_input(here: Path, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    stdin(monkeypatch, TABLE.encode())
    assert said("fit", "-", "-o", "m", *QUICK).startswith("stdin: 8 rows")
    stdin(monkeypatch, gzip.compress(TABLE.encode()))
    assert said("predict", "--labels", "m", "-").split() == ["no", "yes"] * 4
    stdin(monkeypatch, TABLE.encode())
    assert said("evaluate", "m", "-", "--quiet") == "1.000000\n"


def test_unseen_cells_are_counted_once_on_standard_error(here: Path, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (here / "new.csv").write_text("color,age,flag,buys\npink,1,0,no\npink,?,1,yes\nblack,3,?,no\n")
    word = (
        "conjunct: entries unlike any learned from, all their variables are 0: 'color' 3\n"
        "conjunct: missing entries in columns learned from without any, all their variables are 0: 'flag' 1\n"
    )
    labels = said("predict", "--labels", "m", "new.csv", err=word)
    assert len(labels.splitlines()) == 3
    assert said("predict", "--labels", "m", "new.csv", "--quiet") == labels
    assert said("evaluate", "m", "new.csv", err=word).startswith("accuracy ")
    assert len(said("evaluate", "m", "new.csv", "--quiet").splitlines()) == 1


def test_unseen_entries_are_refused_by_their_line_where_that_is_asked_for(
    here: Path, said: Said, refused: Said
) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    expected = "expected one like those learned from; unseen='warn' answers, and counts them"
    for row, what in (
        ("red,1,2", "'flag' has 2.0"),
        ("pink,1,0", "'color' has 'pink'"),
        ("red,1,?", "'flag' has a missing value"),
    ):
        (here / "new.csv").write_text(f"color,age,flag\nred,,1\n{row}\n")
        assert refused("predict", "m", "new.csv", "--unseen", "refuse") == f"new.csv:3: column {what}, {expected}"
    said("predict", "m", "data.csv", "--unseen", "refuse")
    (here / "s.txt").write_text(SPARSE)
    said("fit", "s.txt", "-o", "s", *QUICK, "--learner", "perceptron")
    (here / "new.txt").write_text("+1 1:1\n-1 2:1 9:1\n")
    assert refused("predict", "s", "new.txt", "--unseen", "refuse") == f"new.txt:2: id 9, {expected}"


def test_many_columns_of_unseen_cells_are_summed_up(here: Path, said: Said) -> None:
    names = ",".join("abcdefg")
    (here / "wide.csv").write_text(f"{names},y\n" + "u,u,u,u,u,u,u,0\nv,v,v,v,v,v,v,1\n")
    said("fit", "wide.csv", "-o", "m", *QUICK)
    (here / "new.csv").write_text(f"{names}\nw,w,w,w,w,w,w\n")
    columns = ", ".join(f"'{name}' 1" for name in "abcde")
    word = f"conjunct: entries unlike any learned from, all their variables are 0: {columns} and 2 more\n"
    said("predict", "--labels", "m", "new.csv", err=word)


def test_columns_of_text_stay_text_where_only_numbers_are_left(here: Path, said: Said) -> None:
    (here / "doors.csv").write_text("doors,y\n2,no\n3,no\n4,yes\nmore,yes\n")
    said("fit", "doors.csv", "-o", "m", *QUICK)
    (here / "new.csv").write_text("doors\n2\n4\n")
    assert said("predict", "--labels", "m", "new.csv") == "no\nyes\n"


# evaluate


def test_evaluate_counts_by_hand(here: Path, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    # Of the eight rows, all predicted right, three change their label.
    changed = (
        TABLE.replace("red,21.5,0,no", "red,21.5,0,yes").replace("35,1,yes", "35,1,no").replace("44,1,yes", "44,1,no")
    )
    (here / "test.csv").write_text(changed)
    result = json.loads(said("evaluate", "m", "test.csv", "--json"))
    assert result["confusion"] == [[3, 2], [1, 2]]
    assert (result["rows"], result["accuracy"], result["positive"]) == (8, 0.625, "yes")
    assert result["classes"] == [
        {"label": "no", "rows": 5, "precision": 0.75, "recall": 0.6},
        {"label": "yes", "rows": 3, "precision": 0.5, "recall": 2 / 3},
    ]
    assert result["interval"] == pytest.approx([0.305742, 0.863156], abs=1e-6)
    assert said("evaluate", "m", "test.csv", "--quiet") == "0.625000\n"
    assert said("evaluate", "m", "test.csv") == (
        "accuracy 62.50 % of 8 rows (95 % interval 30.57 to 86.32)\n"
        "positive class: yes\n"
        "area under the ROC curve 0.6667\n"
        "\n"
        "label         rows precision    recall called no called yes\n"
        "no               5   75.00 %   60.00 %         3          2\n"
        "yes              3   50.00 %   66.67 %         1          2\n"
    )


def test_evaluate_takes_rows_of_one_class_and_a_label_column_of_another_name(here: Path, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (here / "one.csv").write_text("truth,flag,age,color\nyes,1,35,blue\n")
    result = json.loads(said("evaluate", "m", "one.csv", "--json", "--label", "truth"))
    assert result["confusion"] == [[0, 0], [0, 1]]
    assert result["classes"][0] == {"label": "no", "rows": 0, "precision": None, "recall": None}
    assert "        -         -" in said("evaluate", "m", "one.csv", "--label", "first")


# The positive class


@pytest.mark.parametrize("positive", ["no", "yes"])
def test_every_output_names_the_positive_class(here: Path, said: Said, positive: str) -> None:
    text = said("fit", "data.csv", "-o", "m", *QUICK, "--positive", positive)
    assert f"; positive: {positive}\n" in text
    assert json.loads(said("fit", "data.csv", *QUICK, "--json", "--positive", positive))["positive"] == positive
    assert f"positive class: {positive}\n" in said("evaluate", "m", "data.csv")
    result = json.loads(said("evaluate", "m", "data.csv", "--json"))
    assert (result["positive"], result["classes"][1]["label"], result["accuracy"]) == (positive, positive, 1.0)
    lines = rows_of(said("predict", "m", "data.csv", "--json"))
    assert [line["label"] for line in lines] == ["no", "yes"] * 4
    assert all((line["decision"] >= 0) == (line["label"] == positive) for line in lines)


@pytest.mark.parametrize(("positive", "known"), [("+1", 1), ("1", 1), ("-1", -1)])
def test_integers_are_positive_in_any_spelling(here: Path, said: Said, positive: str, known: int) -> None:
    (here / "s.txt").write_text(SPARSE)
    assert f"positive: {known}\n" in said("fit", "s.txt", *QUICK, "--positive", positive)


def test_several_classes_have_no_positive_one(here: Path, said: Said) -> None:
    (here / "three.csv").write_text("a,b,y\n" + "u,1,k\nv,1,l\nw,0,m\n" * 4)
    text = said("fit", "three.csv", "-o", "m", "--folds", "2")
    assert "labels k, l, m\n" in text
    assert "positive" not in text
    assert "positive" not in said("evaluate", "m", "three.csv")
    result = json.loads(said("evaluate", "m", "three.csv", "--json"))
    assert (result["positive"], result["confusion"]) == (None, [[4, 0, 0], [0, 4, 0], [0, 0, 4]])
    line = rows_of(said("predict", "m", "three.csv", "--json"))[0]
    assert (line["label"], line["positive"], len(line["decision"])) == ("k", None, 3)


# Other kinds of tables


@pytest.mark.parametrize("name", ["breast-cancer", "tic-tac-toe", "monks-1", "led"])
def test_embedded_tables(here: Path, said: Said, name: str) -> None:
    text = said("fit", f"embedded:{name}", "-o", "m", *QUICK, *FIVE_PASSES)
    assert text.startswith(f"embedded:{name}: ")
    known = json.loads(said("fit", f"embedded:{name}", *QUICK, *FIVE_PASSES, "--json"))["training_accuracy"]
    assert json.loads(said("evaluate", "m", f"embedded:{name}", "--json"))["accuracy"] == known
    assert len(said("predict", "--labels", "m", f"embedded:{name}").splitlines()) > 400


def test_sparse_rows_with_fewer_columns_in_the_test_file(here: Path, said: Said, refused: Said) -> None:
    (here / "s.txt").write_text(SPARSE)
    (here / "t.txt").write_text("-1 2:1\n+1 1:1\n")
    said("fit", "s.txt", "-o", "m", "--folds", "2")
    assert said("predict", "--labels", "m", "t.txt") == "-1\n1\n"
    assert said("evaluate", "m", "t.txt", "--quiet") == "1.000000\n"
    (here / "wide.txt").write_text("-1 2:1 5:1\n")
    assert said("predict", "--labels", "m", "wide.txt", "--quiet") == "-1\n"
    (here / "zero.txt").write_text("-1 1:1\n+1 0:1\n")
    assert said("predict", "--labels", "m", "zero.txt", "--zero-based") == "-1\n1\n"
    assert refused("predict", "--labels", "m", "zero.txt").startswith("zero.txt:2: id '0'")
    another = "is a table of another kind than the model was learned from"
    assert refused("predict", "--labels", "m", "data.csv") == f"data.csv: {another}"
    said("fit", "data.csv", "-o", "cells", *QUICK)
    assert refused("evaluate", "cells", "s.txt") == f"s.txt: {another}"
    assert "this table is Boolean rows" in refused("evaluate", "cells", "embedded:monks-1")
    assert "has 17 variables, the model 4" in refused("evaluate", "m", "embedded:monks-1")


def test_the_kind_of_a_table_is_not_taken_from_the_words_of_a_refusal(here: Path, refused: Said, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    name = "option 'label' has no meaning"
    (here / name).write_text(TABLE)
    line = refused("predict", "--labels", "m", name, "--zero-based")
    assert line.startswith(f"{name}: option 'zero_based' has no meaning for delimited text")


@pytest.mark.parametrize("label", ["first", "0", "x1"])
def test_tables_without_a_header(here: Path, said: Said, label: str) -> None:
    rows = [line.split(",") for line in TABLE.splitlines()[1:]]
    (here / "first").write_text("".join(",".join([row[-1], *row[:-1]]) + "\n" for row in rows))
    said("fit", "first", "-o", "m", *QUICK, "--no-header", "--label", label)
    assert load("m").encoding_.names == ("x2", "x3", "x4")
    assert said("evaluate", "m", "first", "--no-header", "--quiet") == "1.000000\n"
    assert said("predict", "--labels", "m", "first", "--no-header").split() == ["no", "yes"] * 4


def test_a_label_in_the_last_column_may_be_left_out(here: Path, said: Said) -> None:
    rows = TABLE.splitlines(keepends=True)[1:]
    (here / "rows").write_text("".join(rows))
    (here / "bare").write_text("".join(row.rpartition(",")[0] + "\n" for row in rows))
    said("fit", "rows", "-o", "m", *QUICK, "--no-header", "--label", "last")
    assert said("predict", "--labels", "m", "bare", "--no-header").split() == ["no", "yes"] * 4


def test_a_column_named_by_digits_is_found_by_its_name(here: Path, said: Said) -> None:
    (here / "digits.csv").write_text("0,y,1\nu,5,no\nv,6,yes\n")
    assert "labels no, yes" in said("fit", "digits.csv", *QUICK, "--label", "1")
    assert "labels 5, 6" in said("fit", "digits.csv", *QUICK, "--label", "y")


def test_delimiters_by_name(here: Path, said: Said) -> None:
    (here / "semi").write_text(TABLE.replace(",", ";"))
    (here / "tabs").write_text(TABLE.replace(",", "\t"))
    said("fit", "semi", "-o", "m", *QUICK, "--delimiter", ";")
    assert said("predict", "--labels", "m", "tabs", "--delimiter", "tab").split() == ["no", "yes"] * 4
    assert said("predict", "--labels", "m", "data.csv", "--delimiter", "comma").split() == ["no", "yes"] * 4


def test_dropped_columns_are_not_asked_for_again(here: Path, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK, "--drop", "age", "--drop", "flag")
    assert load("m").encoding_.names == ("color",)
    (here / "new.csv").write_text("color\nblue\nred\n")
    assert said("predict", "--labels", "m", "new.csv") == "yes\nno\n"


def test_letters(here: Path, said: Said, refused: Said) -> None:
    genes = ["ACGT", "ACGA", "TCG", "TCGA", "AC", "TT"] * 2
    (here / "genes.csv").write_text("gene,y\n" + "".join(f"  {gene},{gene[0] == 'T'}\n" for gene in genes))
    text = said("fit", "genes.csv", "-o", "m", "--letters", "gene", "--folds", "2", "--no-baselines")
    assert "gene[1]=T, gene[2]=T, gene[3]=G, gene[3] is missing" in text
    (here / "new.csv").write_text("gene\nT\nA\n")
    word = "conjunct: missing entries in columns learned from without any, all their variables are 0: 'gene[2]' 2\n"
    assert said("predict", "--labels", "m", "new.csv", err=word) == "True\nFalse\n"
    (here / "long.csv").write_text("gene\nACGTA\nTCGA\n")
    word = "conjunct: texts with more letters than any learned from, those past them are left out: 'gene' 1\n"
    assert said("predict", "--labels", "m", "long.csv", err=word) == "False\nTrue\n"
    refusal = "long.csv:2: column 'gene' has 5 letters, in fit at most 4"
    assert refused("predict", "m", "long.csv", "--unseen", "refuse") == refusal
    assert "no column is named 'x'" in refused("fit", "genes.csv", "--letters", "x")
    assert "embedded:led" in refused("fit", "embedded:led", "--letters", "x", *QUICK)


def test_letters_that_are_digits_keep_their_zeros(here: Path, said: Said) -> None:
    (here / "codes.csv").write_text("code,y\n0010,a\n1010,b\n0111,a\n1101,b\n")
    said("fit", "codes.csv", "-o", "m", "--letters", "code", "--folds", "2", "--no-baselines")
    assert load("m").encoding_.letters == {"code": 4}
    assert said("predict", "--labels", "m", "codes.csv").split() == ["a", "b", "a", "b"]


def test_numbers_as_categories(here: Path, said: Said) -> None:
    (here / "zip.csv").write_text("zip,y\n101,a\n202,b\n303,a\n")
    said("fit", "zip.csv", "-o", "m", *QUICK, "--categorical", "zip")
    assert [test.name for test in load("m").encoding_.tests] == ["zip=101", "zip=202", "zip=303"]
    assert said("predict", "--labels", "m", "zip.csv") == "a\nb\na\n"
    assert said("evaluate", "m", "zip.csv", "--quiet") == "1.000000\n"


def test_control_characters_of_cells_do_not_reach_the_terminal(here: Path, said: Said) -> None:
    (here / "odd.csv").write_text('a\x1b,y\nu,"x\x1b[2J\ny"\nv,z\n')
    texts = [said("fit", "odd.csv", "-o", "m", *QUICK), said("evaluate", "m", "odd.csv")]
    assert said("predict", "--labels", "m", "odd.csv") == "x\\x1b[2J\\ny\nz\n"
    assert all(line.isprintable() for text in texts for line in text.splitlines())
    assert rows_of(said("predict", "m", "odd.csv", "--json"))[0]["label"] == "x\x1b[2J\ny"


# Refusals


RAGGED = TABLE.replace("green,44,1,yes", "green,44,yes")
TEXT_IN_ROW_7 = TABLE.replace("red,62,", "red,old,")


@pytest.mark.parametrize(
    ("content", "options", "reason"),
    [
        (TABLE, ["--label", "bought"], "t.csv:1: no column is named 'bought', expected one such as 'buys'"),
        (TABLE, ["--label", "9"], "t.csv:1: no column with index 9"),
        (TABLE, ["--label", "9" * 5000], "t.csv:1: no column"),
        (TABLE, ["--drop", "size"], "t.csv:1: no column is named 'size', expected one such as "),
        (TABLE, ["--drop", "buys"], "t.csv:1: column 'buys' is the label, expected other columns to drop"),
        (TABLE, ["--label", "age", "--label", "buys"], "t.csv: 2 label columns given, 'age', 'buys', expected one"),
        (TABLE, ["--drop", "color", "--drop", "age", "--drop", "flag"], "t.csv: "),
        (TABLE, ["--categorical", "size"], "t.csv:1: no column is named 'size'"),
        (
            TABLE,
            ["--max-values", "2"],
            "t.csv: column 'color' has 3 different values, expected at most 2 (--drop color",
        ),
        (TABLE, ["--positive", "maybe"], "positive='maybe' is not among the labels ['no', 'yes']"),
        (TABLE, ["--cuts", "many"], "cuts='many': expected a positive number"),
        (TABLE, ["--cuts", "0"], "cuts=0: expected a positive number"),
        (TABLE, ["--cuts", "9" * 5000], "cuts='999"),
        (TABLE, ["--folds", "5"], "5 folds need as many rows of every label, and one has 4; use fewer folds"),
        (TABLE, ["--learner", "winnow", "--threshold", "x"], "threshold='x'"),
        (
            TABLE,
            ["--learner", "perceptron", "--learning-rate", "-1"],
            "learning_rate='-1': expected a positive number",
        ),
        (TABLE, ["--delimiter", "||"], "delimiter='||': expected one character"),
        (TABLE, ["--learner", "x"], "'--learner': 'x'"),
        (TABLE, ["--zero-based"], "option 'zero_based' has no meaning for delimited text"),
        (TABLE.replace("yes", "no"), [], "t.csv:2: every row has the label 'no', expected at least 2 classes"),
        (RAGGED, [], "t.csv:5: 3 cells, expected 4 as in the header"),
        (TEXT_IN_ROW_7, [], "t.csv:8: column 'age' has 'old', expected a number like its other cells"),
        ("", [], "t.csv:1: the file is empty"),
        ("a,y\n", [], "t.csv:2: nothing after the header"),
        ("1,2\n3,4\n", [], "(--no-header?)"),
        ("a,y\n3,0\n3,1\n", [], "t.csv: the table gives no variable"),
        (SPARSE, ["--drop", "x1"], "t.csv: option 'drop' has no meaning for svmlight"),
        (SPARSE, ["--label", "first"], "option 'label' has no meaning for svmlight"),
        (SPARSE, ["--positive", "9" * 5000], "is not among the labels [-1, 1]"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_fit_refuses_bad_input_in_one_line(
    here: Path, refused: Said, content: str, options: list[str], reason: str
) -> None:
    (here / "t.csv").write_text(content)
    (here / "m").write_text("an older file")
    assert reason in refused("fit", "t.csv", "-o", "m", *options)


def test_what_is_not_there_is_refused(here: Path, refused: Said, said: Said) -> None:
    assert (
        refused("fit", "nothing.csv") == "nothing.csv: No such file or directory, expected a file, - or embedded:NAME"
    )
    assert refused("fit", "/").startswith("/: Is a directory, ")
    assert "no embedded table is called 'leds'; did you mean 'led'?" in refused("fit", "embedded:leds")
    assert "m: No such file or directory, expected a model" in refused("predict", "--labels", "m", "data.csv")
    said("fit", "data.csv", "-o", "m", *QUICK)
    assert "nothing.csv: No such file" in refused("evaluate", "m", "nothing.csv")


def test_the_input_is_never_the_output(here: Path, refused: Said, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    expected = "is read from, expected another file to write to"
    assert refused("fit", "data.csv", "-o", str(here / "data.csv")) == f"{here / 'data.csv'}: {expected}"
    assert refused("predict", "--labels", "m", "data.csv", "-o", "data.csv") == f"data.csv: {expected}"
    assert refused("predict", "--labels", "m", "data.csv", "-o", "./m") == f"./m: {expected}"


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_another_table_is_refused_by_the_name_of_its_column(
    here: Path, refused: Said, said: Said, command: str
) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    for name in ("color", "age", "flag"):
        (here / "t.csv").write_text(TABLE.replace(name, "other", 1))
        line = refused(command, "m", "t.csv")
        assert line.startswith("t.csv:")
        assert f"'{name}'" in line
    (here / "t.csv").write_text("color,age,flag,buys\nred,old,1,no\nred,young,1,no\n")
    assert refused(command, "m", "t.csv") == "t.csv:2: column 'age' has 'old', expected a number"
    (here / "t.csv").write_text(RAGGED)
    assert refused(command, "m", "t.csv").startswith("t.csv:5: 3 cells, expected 4")


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_text_in_a_column_of_numbers_is_named_by_its_line_however_much_there_is_of_it(
    here: Path, refused: Said, said: Said, command: str
) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (here / "t.csv").write_text(TABLE.replace("51.5", "fifty").replace("62", "old").replace("28", "young"))
    assert refused(command, "m", "t.csv") == "t.csv:7: column 'age' has 'fifty', expected a number"
    (here / "t.csv").write_text(TABLE.replace("51.5,1", "51.5,x").replace("62,0", "62,x").replace("28,1", "28,x"))
    assert refused(command, "m", "t.csv") == "t.csv:7: column 'flag' has 'x', expected a number"


def test_a_row_is_named_by_the_line_it_starts_on(here: Path, refused: Said, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", "--letters", "color", *QUICK)
    (here / "t.csv").write_text('color,age,flag,buys\n\n"\n\nred",1,0,no\nmauves,2,0,no\n')
    refusal = "t.csv:6: column 'color' has 6 letters, in fit at most 5"
    assert refused("predict", "m", "t.csv", "--unseen", "refuse") == refusal


def test_other_numbers_than_0_and_1_are_cut_between_them_and_reported(here: Path, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (here / "t.csv").write_text(TABLE.replace(",1,", ",7,"))
    unseen = "conjunct: entries other than the 0 and 1 learned from, above 1/2 counts as 1: 'flag' 4\n"
    assert said("predict", "--labels", "m", "t.csv", err=unseen) == said("predict", "--labels", "m", "data.csv")


def test_rows_that_are_no_lines_are_named_by_their_number(here: Path, refused: Said, said: Said) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    columns = {"age": [1, 2, 3, 4], "flag": [0, 1, 0, 1], "y": ["no", "no", "yes", "yes"]}
    parquet.write_table(pyarrow.table(columns), here / "data")
    said("fit", "data", "-o", "m", *QUICK)
    parquet.write_table(pyarrow.table(columns | {"age": [None, "2", "3", "4"]}), here / "t")
    assert refused("predict", "--labels", "m", "t") == "t: row 2: column 'age' holds str, expected numbers"
    parquet.write_table(pyarrow.table(columns | {"y": ["no", "perhaps", "yes", "yes"]}), here / "t")
    assert refused("evaluate", "m", "t").startswith("t: row 2: label 'perhaps', expected one of those of the model")


def test_an_unknown_label_of_sparse_rows_is_named_by_its_line(
    here: Path, refused: Said, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "s.txt").write_text(SPARSE)
    said("fit", "s.txt", "-o", "m", *QUICK)
    (here / "t.txt").write_text("-1 2:1\n# note\n7 1:1\n")
    assert refused("evaluate", "m", "t.txt") == "t.txt:3: label '7', expected one of those of the model, [-1, 1]"
    stdin(monkeypatch, b"7 1:1\n")
    assert refused("evaluate", "m", "-").startswith("stdin:1: label '7', ")


@pytest.mark.parametrize("labels", ["1,2,x,4,5,6,7,8", ",?,NA,x,1,2,3,4", "1e999,2,3,4,5,6,7,8"])
def test_predict_does_not_look_at_the_label_column(here: Path, said: Said, labels: str) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    header, *rows = TABLE.splitlines()
    bodies = (row.rpartition(",")[0] for row in rows)
    lines = [f"{body},{label}\n" for body, label in zip(bodies, labels.split(","), strict=True)]
    (here / "t.csv").write_text("".join([header + "\n", *lines]))
    assert said("predict", "--labels", "m", "t.csv").split() == ["no", "yes"] * 4


def test_a_dropped_column_may_hold_anything(here: Path, said: Said) -> None:
    (here / "t.csv").write_text("id,a,y\n" + "".join(f"{i},{'uv'[i % 2]},{i % 2}\n" for i in range(20)) + "x,u,0\n")
    said("fit", "t.csv", *QUICK, "--drop", "id")


@pytest.mark.parametrize(("name", "other"), [("first", "last"), ("last", "first")])
def test_a_label_column_named_like_a_position_is_found_by_its_name(
    here: Path, said: Said, name: str, other: str
) -> None:
    (here / "t.csv").write_text(f"a,{name},b\nu,no,1\nv,yes,2\nu,no,3\nv,yes,4\n")
    assert "labels no, yes" in said("fit", "t.csv", "-o", "m", *QUICK, "--label", name)
    assert said("evaluate", "m", "t.csv", "--quiet") == "1.000000\n"
    assert f"labels {'u, v' if other == 'first' else '1, 2, 3, 4'}" in said("fit", "t.csv", *QUICK, "--label", other)
    assert "labels 1, 2, 3, 4" in said("fit", "t.csv", *QUICK)


@pytest.mark.parametrize(
    ("labels", "known"),
    [
        (("01", "1"), ["01", "1"]),
        (("1", "1.0"), ["1", "1.0"]),
        (("0", "-0"), ["-0", "0"]),
        (("007", "8"), ["007", "8"]),
        (("2", "10"), [2, 10]),
        (("-1", "+1"), [-1, 1]),
        (("+1", "1"), ["+1", "1"]),
        (("9", "9223372036854775808"), ["9", "9223372036854775808"]),
    ],
)
def test_labels_stay_as_written_unless_all_are_plain_integers(
    here: Path, said: Said, labels: tuple[str, str], known: list[str | int]
) -> None:
    (here / "t.csv").write_text(f"a,y\nu,{labels[0]}\nv,{labels[1]}\n")
    result = json.loads(said("fit", "t.csv", "-o", "m", *QUICK, "--json"))
    assert (result["labels"], result["positive"]) == (known, known[1])
    printed = [str(type(known[0])(label)) for label in labels]
    assert said("predict", "--labels", "m", "t.csv").split() == printed
    assert said("evaluate", "m", "t.csv", "--quiet") == "1.000000\n"


@pytest.mark.parametrize("target", ["nowhere/m", "data.csv/m", "new/", "/dev/null", "m" * 240, "folder"])
@pytest.mark.parametrize("command", ["fit nothing.csv", "predict m nothing.csv"])
def test_an_output_that_cannot_be_written_is_refused_before_anything_is_read(
    tmp_path: Path, refused: Said, said: Said, command: str, target: str
) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (tmp_path.parent / f"{tmp_path.name} folder").mkdir()
    place = f"../{tmp_path.name} folder" if target == "folder" else target
    line = refused(*command.split(), "-o", place)
    assert place in line
    assert "nothing.csv" not in line


def test_an_output_in_a_folder_without_permission_is_refused(refused: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    def deny(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "touch", deny)
    assert refused("fit", "nothing.csv", "-o", "m") == "m: Permission denied, expected a file that can be written"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (TABLE.encode().replace(b"red,62", b"r\0d,62"), "t.csv:8: a NUL byte"),
        (TABLE.encode().replace(b"red,62", b"r\xe9d,62"), "t.csv:8: byte 0xe9, which is not UTF-8"),
        (gzip.compress(TABLE.encode(), mtime=0)[:-5], "t.csv:10: the gzip data is truncated"),
        (b"", "t.csv:1: the file is empty"),
        (b"color,age,flag,buys\n", "t.csv:2: nothing after the header"),
        (RAGGED.encode(), "t.csv:5: 3 cells, expected 4 as in the header"),
    ],
    ids=["nul", "latin", "truncated", "empty", "header only", "ragged"],
)
@pytest.mark.parametrize("command", ["fit", "predict", "evaluate"])
def test_a_damaged_file_is_refused_by_its_line(
    here: Path, refused: Said, said: Said, command: str, content: bytes, line: str
) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (here / "t.csv").write_bytes(content)
    model = () if command == "fit" else ("m",)
    output = () if command == "evaluate" else ("-o", "out")
    assert refused(command, *model, "t.csv", *output).startswith(line)


def test_a_byte_order_mark_and_carriage_returns_change_nothing(here: Path, said: Said) -> None:
    (here / "t.csv").write_bytes(b"\xef\xbb\xbf" + TABLE.replace("\n", "\r\n").encode())
    said("fit", "t.csv", "-o", "a", *QUICK)
    said("fit", "data.csv", "-o", "b", *QUICK)
    assert (here / "a").read_bytes() == (here / "b").read_bytes()
    assert said("predict", "--labels", "a", "t.csv") == said("predict", "--labels", "b", "data.csv")
    assert said("evaluate", "a", "t.csv", "--quiet") == "1.000000\n"


def test_evaluate_refuses_labels_the_model_does_not_know(here: Path, refused: Said, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (here / "t.csv").write_text(TABLE.replace("44,1,yes", "44,1,perhaps"))
    expected = "expected one of those of the model, ['no', 'yes']"
    assert refused("evaluate", "m", "t.csv") == f"t.csv:5: label 'perhaps', {expected}"
    (here / "t.csv").write_text(TABLE.replace("buys", "bought"))
    assert refused("evaluate", "m", "t.csv").startswith("t.csv:1: no column is named 'buys'")
    (here / "t.csv").write_text(TABLE.replace("44,1,yes", "44,1,?"))
    assert refused("evaluate", "m", "t.csv").startswith("t.csv:5: label column 'buys' has '?'")


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_a_damaged_model_is_refused(here: Path, refused: Said, said: Said, command: str) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    whole = (here / "m").read_bytes()
    for data in (b"", whole[:20], whole[:-1], whole + b"\0", whole[:-40] + bytes(40), TABLE.encode()):
        (here / "m").write_bytes(data)
        assert refused(command, "m", "data.csv").startswith("m: ")


def test_a_model_without_columns_is_refused(here: Path, refused: Said, said: Said) -> None:
    PerceptronClassifier().fit([{"red"}, {"blue"}], [0, 1]).save("m")
    reason = "m: was learned from examples by name, expected a model of a table's columns"
    assert refused("predict", "--labels", "m", "data.csv") == reason


def test_a_failed_prediction_leaves_the_old_output(here: Path, refused: Said, said: Said) -> None:
    said("fit", "data.csv", "-o", "m", *QUICK)
    (here / "t.csv").write_text(RAGGED)
    (here / "out").write_text("old")
    refused("predict", "--labels", "m", "t.csv", "-o", "out")
    assert (here / "out").read_text() == "old"


# The installed command


def conjunct(*arguments: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "conjunct", *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=120)


def test_the_commands_follow_each_other(here: Path) -> None:
    done = conjunct("fit", "-", "-o", "m", "--folds", "2", stdin=TABLE.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    done = conjunct("predict", "--labels", "m", "data.csv")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"no\nyes\n" * 4, b"")
    done = conjunct("evaluate", "m", "-", "--quiet", stdin=gzip.compress(TABLE.encode()))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"1.000000\n", b"")
    done = conjunct("evaluate", "m", "-", stdin=gzip.compress(TABLE.encode())[:-5])
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    done = conjunct("fit", "data.csv", *QUICK, "-o", "nowhere/m")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("command", ["fit", "predict", "evaluate"])
def test_the_help_has_an_example(command: str) -> None:
    done = conjunct(command, "--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"Example: conjunct {command} ".encode() in done.stdout
    assert all(option in done.stdout for option in (b"--json", b"--quiet", b"--label", b"--help"))


def test_the_help_of_fit_explains_every_option_once_with_the_first_learner_that_has_it() -> None:
    text = conjunct("fit", "--help").stdout.decode()
    general, *sections = text.split("\nOptions of --learner ")
    assert [section.split(":")[0] for section in sections] == list(LEARNERS)
    assert "--cuts" in general
    assert "--lam " not in general
    svc, search, *_, winnow = sections
    assert "--max-size N" in svc
    assert "--lams" in search
    assert "and, as above," in search
    assert "--literals, --costs, --tol" in search
    assert "--promotion" in winnow
    for option in {option for options in LEARNERS.values() for option in options}:
        assert text.count(f"\n  {spelled(option)} ") + text.count(f"\n  {spelled(option)}\n") == 1


# Real tables


@needs_data
@pytest.mark.parametrize(
    ("name", "how", "options", "variable", "largest"),
    [
        ("agaricus-lepiota.data.gz", [], ["--label", "first"], "c_sh=b, c_sh=c", 4208 / 8124),
        ("car.data.gz", ["--no-header"], [], "x1=high", 1210 / 1728),
        ("kr-vs-kp.data.gz", ["--no-header"], [], "x1, x2, x3", 1669 / 3196),
        (
            "splice.csv.gz",
            [],
            ["--label", "first", "--drop", "instance_name", "--letters", "sequence"],
            "sequence[1]=A",
            1655 / 3190,
        ),
    ],
)
def test_real_tables_straight_from_their_files(
    here: Path, said: Said, name: str, how: list[str], options: list[str], variable: str, largest: float
) -> None:
    path = str(DATA / "uci" / name)
    text = said("fit", path, "-o", "m", *QUICK, *FIVE_PASSES, *how, *options)
    assert f"variables: {variable}" in text
    assert float(said("evaluate", "m", path, *how, "--quiet")) > largest
    assert f" % of {len(said('predict', '--labels', 'm', path, *how).splitlines())} rows" in said(
        "evaluate", "m", path, *how
    )


@pytest.mark.parametrize("option", [["--cuts", "4"], ["--max-values", "50"]])
def test_an_option_about_columns_is_refused_for_boolean_rows(option: list[str], refused: Said) -> None:
    assert f"{option[0]} has no meaning for rows that are Boolean already" in refused(
        "fit", "embedded:monks-1", *option
    )


@pytest.mark.parametrize(
    "options",
    [
        ["--learner", "perceptron", "--constant", "2", "--thickness", "1/2", "--learning-rate", "1/3"],
        ["--learner", "winnow", "--promotion", "6/5", "--thickness", "1", "--prediction", "averaged"],
        [
            "--learner",
            "winnow",
            "--variant",
            "positive",
            "--demotion",
            "3",
            "--initial-weight",
            "2",
            "--threshold",
            "5",
        ],
        ["--learner", "kernel-perceptron", "--literals", "both", "--all-sizes"],
    ],
)
@pytest.mark.usefixtures("here")
def test_every_learner_is_fitted_saved_and_applied_with_its_options(said: Said, options: list[str]) -> None:
    result = json.loads(said("fit", "embedded:monks-1", "-o", "m", "--folds", "2", "--json", "--quiet", *options))
    assert result["learner"] == options[1]
    assert float(said("evaluate", "m", "embedded:monks-1", "--quiet")) == pytest.approx(
        result["training_accuracy"], abs=1e-6
    )
    assert len(said("predict", "--labels", "m", "embedded:monks-1").split()) == result["rows"]


@pytest.mark.parametrize("learner", ["kernel-perceptron", "perceptron", "winnow"])
@pytest.mark.usefixtures("here")
def test_a_model_has_its_transcript_only_where_it_was_asked_for(said: Said, learner: str) -> None:
    said("fit", "data.csv", "-o", "plain", *QUICK, "--learner", learner)
    said("fit", "data.csv", "-o", "kept", *QUICK, "--learner", learner, "--transcript")
    plain, kept = load("plain"), load("kept")
    assert not hasattr(plain, "transcript_")
    assert kept.transcript_.n_mistakes == kept.n_mistakes_ == plain.n_mistakes_ > 0
    assert said("predict", "--labels", "plain", "data.csv") == said("predict", "--labels", "kept", "data.csv")


def test_an_option_of_another_learner_is_refused_by_name(refused: Said) -> None:
    line = refused("fit", "embedded:monks-1", "--learner", "svc", "--transcript")
    assert line == "--transcript belongs to --learner kernel-perceptron or perceptron or winnow, not svc"
    line = refused("fit", "embedded:monks-1", "--learner", "perceptron", "--promotion", "2")
    assert line == "--promotion belongs to --learner winnow, not perceptron"
    assert "perceptron or winnow" in refused("fit", "embedded:monks-1", "--thickness", "2")
