from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conjunct.cli.command import run

MIXED = "id,name,city,age,day,flag,same,code,y\n" + "".join(
    f"{100 + k},n{k},{'' if k % 9 == 0 else f'c{k % 3}'},{20 + k % 30},{1 + k % 28}.{1 + k % 12}.2020,{k % 2},x,"
    f"{'bad' if k == 40 else 2 * k},{'uv'[k % 3 == 0]}\n"
    for k in range(60)
)
Said = Callable[..., str]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(MIXED)
    return tmp_path


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], here: Path) -> Said:
    """Run a command and return what it printed; where it is refused, its one line."""

    def call(*arguments: str, code: int = 0, err: str = "") -> str:
        assert run(list(arguments)) == code
        out = capsys.readouterr()
        assert (out.err if code == 0 else out.out) == err
        return out.out if code == 0 else out.err.removeprefix("conjunct: ").removesuffix("\n")

    return call


def test_describe_says_how_each_column_is_read(said: Said) -> None:
    lines = said("describe", "t.csv", "--cuts", "4").splitlines()
    assert lines[0] == "t.csv: 60 rows, 8 columns; label y: u 40, v 20"
    assert lines[1].split() == ["column", "kind", "distinct", "missing"]
    assert [line[:2] for line in lines[1:-1]] == ["  "] * 9
    by_name = {line.split()[0]: line for line in lines[2:-1]}
    assert "whole numbers         60        0  100 to 159; cut at 111.5" in by_name["id"]
    assert by_name["id"].endswith("an identifier? all entries are different")
    assert "text                   3        7  c0, c1, c2" in by_name["city"]
    assert "written day/month/year; cut at 2020-" in by_name["day"]
    assert "zeros and ones" in by_name["flag"]
    assert by_name["same"].endswith("x; constant")
    assert "refused: has 60 different values, expected at most 50 (--drop name" in by_name["name"]
    assert by_name["code"].endswith("numbers with text among them: 1 of 60")
    assert lines[-1] == "To leave out what is refused: --drop name --drop code"


def test_describe_as_json_has_the_same(said: Said) -> None:
    told = json.loads(said("describe", "t.csv", "--json", "--cuts", "4"))
    assert (told["rows"], told["label"], told["labels"], told["label_counts"]) == (60, "y", ["u", "v"], [40, 20])
    day = next(column for column in told["columns"] if column["name"] == "day")
    assert (day["kind"], day["missing"], day["least"], day["notation"]) == ("dates", 0, "2020-01-01", "day/month/year")
    assert len(day["cuts"]) == 4
    assert [column["name"] for column in told["columns"] if column["refused"]] == ["name", "code"]


def test_describe_prints_what_is_refused_alone(said: Said) -> None:
    assert [line.split()[0] for line in said("describe", "t.csv", "--quiet").splitlines()[1:-1]] == ["name", "code"]
    assert said("describe", "t.csv", "--quiet", "--drop", "name", "--drop", "code") == ""


def test_describe_tells_what_was_left_out(here: Path, said: Said) -> None:
    (here / "r.csv").write_text('"","a","y"\n"1",5,"u"\n"2",6,\n"3",6,"v"\n')
    lines = said("describe", "r.csv", "--skip-unlabelled").splitlines()
    assert lines[1] == "  column 1 has no name in the header and tells all rows apart; it is left out"
    assert lines[2] == "  rows without a label are left out: 1 of 3"


def test_describe_takes_tables_that_are_boolean_already(here: Path, said: Said) -> None:
    (here / "s.txt").write_text("+1 1:1 3:1\n-1 2:1\n")
    assert said("describe", "s.txt") == "s.txt: 2 rows, 3 variables, Boolean already; label: -1 1, 1 1\n"
    assert json.loads(said("describe", "embedded:monks-1", "--json"))["columns"] is None


def test_fit_refuses_all_columns_at_once_in_the_words_of_the_command(said: Said) -> None:
    line = said("fit", "t.csv", "--no-validation", "-o", "m", code=2)
    assert line == (
        "t.csv:42: column 'code' has 'bad', expected a number like its other cells (--categorical code reads it as "
        "text); 2 columns are refused, --drop name --drop code leaves them out"
    )


def test_fit_says_how_the_table_was_read_with_the_cuts_of_its_model(said: Said) -> None:
    options = ("--drop", "name", "--drop", "code", "--no-validation")
    text = said("fit", "t.csv", *options, "--cuts", "1")
    assert "\n  column  kind " in text
    assert "; cut at 129.5; an identifier?" in text
    assert said("fit", "t.csv", *options, "--quiet") == ""
    assert json.loads(said("fit", "t.csv", *options, "--json"))["rows"] == 60


def test_fit_lists_the_first_of_very_many_columns(here: Path, said: Said) -> None:
    names = ",".join(f"c{k}" for k in range(500))
    rows = "".join(",".join("01"[(row * k) % 3 == 1] for k in range(499)) + f",{'uv'[row % 2]}\n" for row in range(6))
    (here / "wide.csv").write_text(f"{names}\n{rows}")
    text = said("fit", "wide.csv", "--no-validation", "--learner", "perceptron")
    assert "\n  ... and 459 more columns; 'conjunct describe' lists them all\n" in text
    assert len(said("describe", "wide.csv").splitlines()) == 501


EUROPEAN = "tag;preis;rate;y\n" + "".join(
    f"{1 + k % 28:02}.{1 + k % 12:02}.{2019 + k % 2};{'weg' if k == 3 else f'{k}.000,5 €'};{k} %;{'uv'[k % 2]}\n"
    for k in range(1, 25)
)


def test_a_model_reads_later_tables_as_it_read_its_own(here: Path, said: Said) -> None:
    (here / "eu.csv").write_text(EUROPEAN)
    said("fit", "eu.csv", "--missing", "weg", "--no-validation", "-o", "m", "--quiet")
    answers = said("predict", "m", "eu.csv", "--quiet")
    assert len(answers.splitlines()) >= 24
    rows = EUROPEAN.splitlines()
    few = [rows[0], rows[3], rows[1]]
    (here / "few.csv").write_text("\n".join(few).replace(";y", ";z") + "\n")  # 4.4.2020 reads both ways here
    told = [json.loads(line) for line in said("predict", "m", "eu.csv", "--json", "--quiet").splitlines()]
    later = [json.loads(line) for line in said("predict", "m", "few.csv", "--json", "--quiet").splitlines()]
    assert later == [told[2], told[0]]
    assert said("evaluate", "m", "eu.csv")


def test_a_later_table_in_another_notation_is_refused_by_its_line(here: Path, said: Said) -> None:
    (here / "eu.csv").write_text(EUROPEAN)
    said("fit", "eu.csv", "--missing", "weg", "--no-validation", "-o", "m", "--quiet")
    (here / "us.csv").write_text("tag,preis,rate\n2020-01-02,5 €,3 %\n")
    assert said("predict", "m", "us.csv", code=2) == (
        "us.csv:2: column 'tag' has '2020-01-02', expected a date written day/month/year"
    )
    (here / "us.csv").write_text("tag,preis,rate\n2.1.2020,5.25 €,3 %\n")
    assert said("predict", "m", "us.csv", code=2) == (
        "us.csv:2: column 'preis' has '5.25 €', expected a number written 1.234,5 €"
    )
    assert len(said("predict", "m", "us.csv", "--decimal", ".", "--quiet").splitlines()) >= 1


def test_a_repeated_header_is_reported_when_predicting(
    here: Path, said: Said, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.csv").write_text("a,y\n1,u\n2,v\na,y\n3,u\n4,v\n")
    said("fit", "a.csv", "--no-validation", "-o", "m", "--quiet")
    word = "conjunct: a.csv: lines that repeat the header are left out: 1\n"
    said("predict", "m", "a.csv", err=word)
    said("predict", "m", "a.csv", "--quiet")


def test_the_options_about_how_a_table_is_written_reach_the_reader(here: Path, said: Said) -> None:
    rows = "".join(f"{1 + k % 9}/{1 + k % 7}/2020;{k},125;{'' if k == 5 else 'uv'[k % 2]}\n" for k in range(1, 13))
    (here / "w.csv").write_bytes(f"när;värde;y\n{rows}".encode("utf-16"))
    assert said("fit", "w.csv", code=2).endswith("expected UTF-8 text (--encoding utf-16?)")
    options = ["--encoding", "utf-16"]
    assert said("fit", "w.csv", *options, code=2).endswith("(--skip-unlabelled leaves them out)")
    options.append("--skip-unlabelled")
    assert said("fit", "w.csv", *options, code=2) == (
        "w.csv:2: column 'när' has '2/2/2020', expected a date that reads one way (--dates dmy or --dates mdy); "
        "2 columns are refused, --drop 'när' --drop 'värde' leaves them out"
    )
    told = json.loads(said("describe", "w.csv", *options, "--dates", "mdy", "--decimal", ",", "--json"))
    assert [column["least"] for column in told["columns"]] == ["2020-01-03", 1.125]
    assert told["notes"] == ["rows without a label are left out: 1 of 12"]
    said("fit", "w.csv", *options, "--dates", "mdy", "--decimal", ",", "--no-validation", "--quiet", "-o", "m")
    assert said("predict", "m", "w.csv", "--encoding", "utf-16", "--quiet")
