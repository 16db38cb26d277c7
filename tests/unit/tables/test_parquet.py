from __future__ import annotations

import gzip
import io
import math
import sys
from datetime import date
from types import SimpleNamespace

import pytest

from conjunct.datasets import read_data, read_parquet
from conjunct.errors import BitsError

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

COLUMNS = {
    "age": [31, None, 40],
    "size": [1.5, math.nan, 2.0],
    "color": ["red", "blue", None],
    "smiles": [True, False, None],
    "y": ["no", "yes", "no"],
}


@pytest.fixture
def saved(tmp_path):
    def save(columns):
        path = tmp_path / "data"
        parquet.write_table(pyarrow.table(columns), path)
        return path

    return save


def test_a_parquet_file_reads_like_a_text_table(saved, monkeypatch):
    path = saved(COLUMNS)
    sources = [path, path.with_name("packed"), "-"]
    sources[1].write_bytes(gzip.compress(path.read_bytes()))
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(path.read_bytes())))
    for source in sources:
        table = read_data(source)
        assert table.names == ("age", "size", "color", "smiles")
        assert table.columns == ([31, None, 40], [1.5, None, 2.0], ["red", "blue", None], [1, 0, None])
        assert table.labels.tolist() == ["no", "yes", "no"]
        assert (table.lines.tolist(), table.has_lines) == ([1, 2, 3], False)
    assert read_parquet(path, categorical=["age"]).columns[0] == ["31", None, "40"]
    assert read_parquet(path, label=None).labels is None
    assert read_parquet(path, columns={"size": "number"}).columns == ([1.5, None, 2.0],)
    assert read_parquet(path, drop=["age", "size"]).names == ("color", "smiles")


@pytest.mark.parametrize(
    ("columns", "options", "what"),
    [
        (
            {"a": [date(2020, 1, 1), None], "y": [0, 1]},
            {},
            ": row 1: column 'a' holds date, expected numbers, text or bools",
        ),
        ({"a": [None, [1]], "y": [0, 1]}, {}, ": row 2: column 'a' holds list, expected"),
        (COLUMNS, {"label": "z"}, ": no column is named 'z', expected one such as"),
        (COLUMNS, {"label": "color"}, ": row 3: label column 'color' has '', expected a label in every row"),
        ({"a": [1, 2], "y": [1, 1]}, {}, ": every row has the label '1', expected at least 2 classes"),
        ({"a": pyarrow.array([], pyarrow.int64())}, {}, ": 1 columns and 0 rows, expected at least one of each"),
    ],
)
def test_bad_tables_are_refused_on_one_line(saved, columns, options, what):
    path = saved(columns)
    with pytest.raises(BitsError) as caught:
        read_data(path, **options)
    assert str(caught.value).startswith(f"{path}{what}")
    assert str(caught.value).isprintable()


def test_a_damaged_file_is_refused_on_one_line(saved):
    path = saved(COLUMNS)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(BitsError, match=r"data: no readable Parquet \(.*\), expected an intact file$"):
        read_data(path)


def test_without_its_package_the_extra_is_named(saved, monkeypatch):
    path = saved(COLUMNS)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(BitsError) as caught:
        read_data(path)
    assert str(caught.value).endswith(
        "data: a Parquet file, expected the package pyarrow to read it: pip install 'conjunct[parquet]'"
    )
