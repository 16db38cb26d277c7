from __future__ import annotations

import gzip
import io
import lzma
import sys
import tracemalloc
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from conjunct.datasets import read_data, read_svmlight
from conjunct.errors import BitsError, MemoryLimitError, SettingError
from real_data import DATA, needs_data

GOOD = "# a comment\n\n+1 3:1 1:1 # note\n-1\n  -1\t2:0  4:1.0\r\n1.0 2:1e0\n"


@pytest.fixture
def saved(tmp_path):
    def save(text):
        path = tmp_path / "data.svm"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return save


def test_rows_and_labels_follow_the_policy(saved):
    rows, labels = read_svmlight(saved(GOOD))
    assert labels.tolist() == [1, -1, -1, 1]
    assert rows.to_array().tolist() == [[1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]]


def test_the_width_can_be_given(saved):
    path = saved("+1 2:1\n-1 1:1\n")
    assert read_svmlight(path, n_variables=70).rows.n_variables == 70
    with pytest.raises(BitsError, match=":1: id '2', expected 1 to 1"):
        read_svmlight(path, n_variables=1)
    with pytest.raises(SettingError, match="n_variables=0"):
        read_svmlight(path, n_variables=0)


def test_ids_from_zero_need_to_be_asked_for(saved):
    path = saved("+1 0:1\n-1 2:1\n")
    assert read_svmlight(path, zero_based=True).rows.to_array().tolist() == [[1, 0, 0], [0, 0, 1]]
    with pytest.raises(BitsError, match=r":1: id '0', expected 1 to 2147483647 \(--zero-based\?\)$"):
        read_svmlight(path)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("1 2:1 2:1", "id 2 twice in one row, expected each id once"),
        ("1 2:1 02:0", "id 2 twice in one row"),
        ("1 2:2", "'2:2', expected a value of 0 or 1"),
        ("1 2:-1", "'2:-1', expected a value of 0 or 1"),
        ("1 2:0.5", "'2:0.5', expected a value of 0 or 1"),
        ("1 2:nan", "'2:nan', expected a value of 0 or 1"),
        ("1 2:1_0", "'2:1_0', expected a value"),
        ("1 2:", "'2:', expected id:value"),
        ("1 2", "'2', expected id:value"),
        ("1 -2:1", "'-2:1', expected id:value"),
        ("1 ²:1", "'²:1', expected id:value"),
        ("1 2147483648:1", "id '2147483648', expected 1 to 2147483647"),
        ("1 " + "9" * 5000 + ":1", "id '" + "9" * 37 + "...', expected 1 to 2147483647"),
        ("1 qid:3 2:1", "'qid:3', expected no qid"),
        ("a 2:1", "label 'a', expected an integer"),
        ("0.5 2:1", "label '0.5', expected an integer"),
        ("1,2 2:1", "label '1,2', expected an integer"),
        ("9" * 30 + " 2:1", "label '" + "9" * 30 + "', expected an integer"),
        ("1 2:1 \x1b[2J", r"'\x1b[2J', expected id:value"),
    ],
)
def test_a_bad_line_is_refused_by_file_and_line(saved, monkeypatch, line, what):
    data = f"+1 1:1\n-1 2:1\n{line}\n+1 x\n".encode()
    for packed in (data, gzip.compress(data), lzma.compress(data)):
        path = saved(packed)
        with pytest.raises(BitsError) as caught:
            read_svmlight(path)
        message = str(caught.value)
        assert message.startswith(f"{path}:3: {what}")
        assert "\n" not in message
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(packed)))
        with pytest.raises(BitsError) as caught:
            read_svmlight("-")
        assert str(caught.value) == message.replace(str(path), "stdin")


def test_no_rows_and_one_class_are_refused(saved):
    with pytest.raises(BitsError, match=":1: no rows, expected lines such as"):
        read_svmlight(saved("# nothing\n"))
    path = saved("\n+1 1:1\n1 2:1\n")
    with pytest.raises(BitsError, match=":2: every row has the label '1', expected at least 2 classes"):
        read_svmlight(path)
    assert read_svmlight(path, min_classes=1).rows.n_rows == 2


def test_a_wide_id_costs_no_memory_before_it_is_refused(saved, monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "100MB")
    path = saved("+1 2147483647:1\n-1 1:1\n" * 10)
    tracemalloc.start()
    with pytest.raises(MemoryLimitError, match="limit is"):
        read_svmlight(path)
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()


@needs_data
@pytest.mark.parametrize(
    ("name", "shape", "n_ones"), [("a9a.gz", (32561, 123), 451_592), ("farm-ads.svm.xz", (4143, 54877), 817_141)]
)
def test_real_files_read_as_scikit_learn_reads_them(name, shape, n_ones, tmp_path):
    path = DATA / "libsvm" / name
    rows, labels = read_data(path)
    assert rows.shape == shape
    plain = tmp_path / "plain"
    plain.write_bytes((gzip if name.endswith("gz") else lzma).open(path).read())
    table, expected = load_svmlight_file(str(plain), n_features=shape[1])
    assert labels.tolist() == expected.tolist()
    assert int(np.bitwise_count(rows.words).sum()) == n_ones == table.nnz
    for start in range(0, shape[0], 1000):
        part = slice(start, start + 1000)
        assert np.array_equal(rows[part].to_array(), table[part].toarray())
