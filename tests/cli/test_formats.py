from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from conjunct.cli.command import run
from conjunct.datasets import read_data
from conjunct.errors import OptionError, SettingError

SPARSE = "+1 1:1 3:1\n-1 2:1\n+1 1:1 4:1\n-1 2:1 4:1\n"
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Run a command in an empty folder; return its exit code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        return code, *capsys.readouterr()

    return command


@pytest.mark.parametrize(
    "first",
    ["+1\n", "-1\n-1\n+1\n", "1 \n", "# a comment\n\n+1 # none\n", "+1\r\n", "\ufeff+1\n", "1.0\n", "0\t\n"],
    ids=repr,
)
@pytest.mark.parametrize("packed", [False, True])
def test_rows_without_ids_before_the_first_id_are_svmlight(tmp_path: Path, first: str, packed: bool) -> None:
    content = (first + SPARSE).encode()
    (tmp_path / "data").write_bytes(gzip.compress(content) if packed else content)
    table = read_data(tmp_path / "data")
    n_first = sum(line.strip("\ufeff \r\t")[:1] in ("+", "-", "0", "1") for line in first.splitlines() if line)
    assert table.rows.n_rows == n_first + 4
    assert not table.rows.to_array()[:n_first].any()
    assert table.rows.to_array()[n_first:].tolist() == [[1, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 1], [0, 1, 0, 1]]


def test_fit_predict_and_evaluate_read_rows_without_ids(call: Call) -> None:
    Path("train").write_text("-1\n" + SPARSE)
    Path("empty").write_text("+1\n-1\n")
    assert call("fit", "train", "--no-validation", "-o", "m", "--quiet") == (0, "", "")
    assert call("predict", "--labels", "m", "train", "--quiet") == (0, "-1\n1\n-1\n1\n-1\n", "")
    assert call("predict", "--labels", "m", "empty", "--quiet") == (0, "-1\n-1\n", "")
    assert call("evaluate", "m", "empty", "--quiet") == (0, "0.500000\n", "")


def test_numbers_that_no_ids_follow_are_delimited_text_as_before(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("1\n2\n3\n")
    assert read_data(tmp_path / "data", label=None, header=False).to_frame_columns() == {"x1": [1, 2, 3]}
    (tmp_path / "data").write_text("7 8\n1 9\n")
    assert read_data(tmp_path / "data", label=None, header=False).to_frame_columns() == {"x1": [7, 1], "x2": [8, 9]}


def test_a_format_that_is_given_is_not_guessed(call: Call) -> None:
    Path("labels").write_text("+1\n-1\n")
    Path("colons").write_text("3 1:2\n4 5:6\n5 1:2\n6 5:6\n")
    Path("table.csv").write_text("a,buys\n1,yes\n0,no\n")
    assert call("fit", "labels", "--format", "svmlight", "--no-validation", "--quiet") == (0, "", "")
    read = ("--format", "csv", "--no-header", "--label", "first", "--no-validation", "--quiet", "-o", "m")
    assert call("fit", "colons", *read) == (0, "", "")
    again = ("--format", "csv", "--no-header")
    assert call("predict", "--labels", "m", "colons", *again, "--quiet")[0] == 0
    assert call("evaluate", "m", "colons", *again, "--quiet")[0] == 0
    for command in (
        ("fit", "table.csv", "--no-validation"),
        ("predict", "--labels", "m", "table.csv"),
        ("evaluate", "m", "table.csv"),
    ):
        code, out, err = call(*command, "--format", "parquet")
        assert (code, out) == (2, "")
        assert err.startswith("conjunct: table.csv: ")
        assert "Parquet" in err
    code, _, err = call("fit", "table.csv", "--format", "svmlight")
    assert code == 2
    assert err == "conjunct: table.csv:1: label 'a,buys', expected an integer such as +1 or -1\n"


def test_a_format_nobody_knows_is_refused(call: Call) -> None:
    Path("data").write_text(SPARSE)
    code, out, err = call("fit", "data", "--format", "xml")
    assert (code, out) == (2, "")
    assert "'csv', 'svmlight', 'parquet'" in err
    for wrong in ("xml", 3, ["csv"]):
        with pytest.raises(SettingError, match=r"^format=.* expected one of csv, svmlight, parquet"):
            read_data("data", format=wrong)
    with pytest.raises(OptionError, match="'format' has no meaning for an embedded table"):
        read_data("embedded:monks-1", format="csv")


def test_parquet_can_be_forced(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    parquet.write_table(arrow.table({"a": [0, 1], "y": ["no", "yes"]}), tmp_path / "t")
    assert read_data(tmp_path / "t", format="parquet").n_rows == read_data(tmp_path / "t").n_rows == 2
