from __future__ import annotations

import gzip
import io
import lzma
import pickle
import random
import re
import sys
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from conjunct.datasets import RawTable, read_data, read_table
from conjunct.errors import BitsError, MemoryLimitError, OptionError, SettingError
from real_data import DATA, needs_data

GOOD = "age,color,y\n31,red,no\n?,blue,yes\n40,,no\n"
ROWS = [f"{age},red,{'no' if age % 2 else 'yes'}" for age in range(20, 40)]


@pytest.fixture
def saved(tmp_path):
    def save(text):
        path = tmp_path / "data.csv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return save


def test_a_table_has_names_typed_columns_labels_and_lines(saved):
    path = saved(GOOD)
    table = read_table(path)
    assert isinstance(table, RawTable)
    assert table.names == ("age", "color")
    assert table.columns == ([31, None, 40], ["red", "blue", None])
    assert table.labels.tolist() == ["no", "yes", "no"]
    assert (table.label_name, table.source) == ("y", str(path))
    assert table.lines.tolist() == [2, 3, 4]
    assert table.n_rows == 3
    assert table.to_frame_columns() == {"age": [31, None, 40], "color": ["red", "blue", None]}


def row_seven_has_text():
    rows = list(ROWS)
    rows[6] = "abc,red,no"
    return "\n".join(["age,color,y", *rows, ""])


BAD = {
    "unknown column": (GOOD, {"label": "colour"}, 1, "no column is named 'colour', expected one such as 'color'"),
    "unknown index": (GOOD, {"label": 3}, 1, "no column with index 3, expected a label column from 0 to 2"),
    "unknown categorical": (
        GOOD,
        {"categorical": ["agee"]},
        1,
        "no column is named 'agee', expected one such as 'age'",
    ),
    "two label columns": ("y,a,y\n1,2,3\n", {"label": "y"}, 1, "2 label columns named 'y', expected one"),
    "two last columns": ("y,a,y\n1,2,3\n", {}, 1, "2 label columns named 'y', expected one"),
    "two equal names": ("a,a,y\n1,2,3\n", {}, 1, "two columns are named 'a', expected different names (--no-header?)"),
    "text in row 7": (row_seven_has_text(), {}, 8, "column 'age' has 'abc', expected a number like its other cells"),
    "text in row 7 of 8": (
        "a,y\n1,u\n2,v\n3,u\n4,v\n5,u\n6,v\nx,u\n8,v\n",
        {},
        8,
        "column 'a' has 'x', expected a number",
    ),
    "huge integer": ("a,y\n1,u\n99999999999999999999,v\n", {}, 3, "column 'a' has '99999999999999999999', expected"),
    "huge float": ("a,y\n1.5,u\n1e999,v\n", {}, 3, "column 'a' has '1e999', expected numbers of 64 bits"),
    "few cells": (GOOD + "1,2\n", {}, 5, "2 cells, expected 3 as in the header"),
    "many cells": ("\n" + GOOD + "1,2,3,4\n", {}, 6, "4 cells, expected 3 as in the header"),
    "ragged without header": ("1 2 0\n\n1 2\n", {"header": False}, 3, "2 cells, expected 3 as in the first row"),
    "numbers for names": (
        "1,2,0\n1,1,1\n",
        {},
        1,
        "a header of numbers only, starting '1', expected names of columns (--no-header?)",
    ),
    "NUL": ("a,y\n1,\0\n", {}, 2, "a NUL byte at byte 3 of the line, expected UTF-8 text"),
    "no UTF-8": (
        b"a,y\n1,u\n2,caf\xe9\n",
        {},
        3,
        "byte 0xe9, which is not UTF-8, at byte 6 of the line, expected UTF-8 text",
    ),
    "empty file": ("", {}, 1, "the file is empty, expected a header and rows"),
    "blank lines only": ("\n  \n", {}, 1, "the file is empty, expected a header and rows"),
    "empty without header": ("", {"header": False}, 1, "no rows, expected some"),
    "only a mark": (b"\xef\xbb\xbf", {}, 1, "the file is empty"),
    "header only": ("a,b,y\n", {}, 2, "nothing after the header, expected at least one row"),
    "one class": ("a,y\n1,u\n2,u\n", {}, 2, "every row has the label 'u', expected at least 2 classes"),
    "missing label": ("a,y\n1,u\n2,?\n", {}, 3, "label column 'y' has '?', expected a label in every row"),
    "one column": ("a:y\n1:0\n", {}, 1, "one column only, expected columns separated by commas, tabs, semicolons"),
    "open quote": ('a,y\n"1,u\n2,v\n', {}, 2, "a quote is opened and not closed, expected a closing quote"),
    "text after quote": ('a,y\n"1"x,u\n', {}, 2, "'x' after a closing quote, expected ',' or the end of the line"),
    "ragged over lines": ('a,y\n1,u\n"1\n\n2",u,3\n', {}, 3, "3 cells, expected 2"),
    "escapes": ("a,y\n1,u\n2,v,\x1b\n", {"label": "\x1b[2J" + "z" * 50}, 1, r"no column is named '\x1b[2Jzzzz"),
}


@pytest.mark.parametrize(("text", "options", "line", "what"), BAD.values(), ids=BAD)
def test_bad_input_is_one_line_with_file_and_line_from_everywhere(saved, monkeypatch, text, options, line, what):
    data = text if isinstance(text, bytes) else text.encode()
    for packed in (data, gzip.compress(data), lzma.compress(data)):
        path = saved(packed)
        for read in (read_table, read_data):
            with pytest.raises(BitsError) as caught:
                read(path, **options)
            message = str(caught.value)
            assert message.startswith(f"{path}:{line}: {what}")
            assert message.isprintable()
            monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(packed)))
            with pytest.raises(BitsError) as caught:
                read("-", **options)
            assert str(caught.value) == message.replace(str(path), "stdin")


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gzip", "xz"])
def test_a_truncated_file_is_refused(saved, monkeypatch, pack):
    packed = pack("\n".join(["age,color,y", *ROWS * 500, ""]).encode())
    for length in (len(packed) - 1, len(packed) // 2, 20):
        path = saved(packed[:length])
        with pytest.raises(BitsError) as caught:
            read_table(path)
        message = str(caught.value)
        assert re.fullmatch(
            rf"{re.escape(str(path))}:[0-9]+: the (gzip|xz) data is truncated, expected [^\n]*", message
        )
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(packed[:length])))
        with pytest.raises(BitsError) as caught:
            read_table("-")
        assert str(caught.value) == message.replace(str(path), "stdin")


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        "\ufeff" + GOOD.replace("\n", "\r\n"),
        GOOD.rstrip("\n"),
        GOOD.replace(",", "\t"),
        GOOD.replace(",,", ",NA,").replace(",", "   "),
        GOOD.replace(",,", ",NA,").replace(",", " \t"),
        GOOD.replace(",", " , "),
        GOOD.replace("red", '"red"').replace("color", ' "color" '),
        "\n" + GOOD.replace("\n", "\n\n"),
    ],
)
def test_the_same_table_in_other_dress(saved, text):
    expected = read_table(saved(GOOD))
    table = read_table(saved(text))
    assert (table.names, table.columns, table.labels.tolist()) == (
        expected.names,
        expected.columns,
        expected.labels.tolist(),
    )


@pytest.mark.parametrize(
    ("label", "names", "labels"),
    [
        ("first", ("b", "c"), [1, 2]),
        ("last", ("a", "b"), ["p", "q"]),
        (-1, ("a", "b"), ["p", "q"]),
        ("b", ("a", "c"), ["u", "v"]),
        (1, ("a", "c"), ["u", "v"]),
        ("0", ("b", "c"), [1, 2]),
    ],
)
def test_the_label_by_name_index_or_end(saved, label, names, labels):
    table = read_table(saved("a,b,c\n1,u,p\n2,v,q\n"), label=label)
    assert table.names == names
    assert table.labels.tolist() == labels


def test_a_table_without_labels(saved):
    table = read_table(saved(GOOD), label=None)
    assert table.names == ("age", "color", "y")
    assert table.labels is None
    assert table.label_name is None
    assert read_table(saved("a\n1\n"), label=None).columns == ([1],)


def test_columns_without_header_are_numbered_from_one(saved):
    table = read_table(saved("0 1 0\n1 1 0\n"), header=False, label="first")
    assert table.names == ("x2", "x3")
    assert table.label_name == "x1"
    assert table.lines.tolist() == [1, 2]


def test_rows_of_one_class_can_be_asked_for(saved):
    assert read_table(saved("a,y\n1,u\n"), min_classes=1).labels.tolist() == ["u"]


def test_other_columns_than_the_chosen_ones_may_hold_anything(saved):
    path = saved("id,zip,age,y\n" + "".join(f"{i},0{i},{i},{i % 2}\n" for i in range(9)) + "x,y,9,1\n")
    table = read_table(path, columns={"age": "number"})
    assert (table.names, table.columns) == (("age",), (list(range(10)),))
    assert read_table(path, columns={"age": None, "zip": "text"}).names == ("zip", "age")
    assert read_table(path, drop=["id", "zip"]).names == ("age",)
    with pytest.raises(BitsError, match=r":11: column 'zip' has 'y', expected a number$"):
        read_table(path, columns={"zip": "number"})
    with pytest.raises(BitsError, match=r":1: no column is named 'aged', expected one such as 'age'"):
        read_table(path, columns={"aged": None})
    with pytest.raises(SettingError, match="columns has 'float' for 'age', expected 'text', 'number' or None"):
        read_table(path, columns={"age": "float"})


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1", "+2", "-03"], [1, 2, -3]),
        (["9223372036854775807", "-9223372036854775808", "0"], [2**63 - 1, -(2**63), 0]),
        (["1", "2.5", ".5e-1"], [1.0, 2.5, 0.05]),
        (["1", "NA", "NaN"], [1, None, None]),
        (["nan", "null", ""], [None, None, None]),
        (["1", "5more", "2"], ["1", "5more", "2"]),
        (["1_0", "0x1", "inf"], ["1_0", "0x1", "inf"]),
        (["١", "1", "²"], ["١", "1", "²"]),
        (["1 000", "1.2.3", "--1"], ["1 000", "1.2.3", "--1"]),
    ],
)
def test_cells_follow_our_own_grammar(saved, cells, values):
    text = "a,y\n" + "".join(f"{cell},{label}\n" for cell, label in zip(cells, "uvu", strict=True))
    (column,) = read_table(saved(text)).columns
    assert column == values
    assert [type(cell) for cell in column] == [type(value) for value in values]


def test_a_column_can_be_declared_text(saved):
    path = saved(row_seven_has_text())
    table = read_table(path, categorical=["age"])
    assert table.columns[0][5:8] == ["25", "abc", "27"]


def test_text_in_a_tenth_of_a_column_is_a_mistake_and_in_more_a_category(saved):
    def text(n_texts):
        cells = [*["7"] * (20 - n_texts), *["x"] * n_texts]
        return "a,y\n" + "".join(f"{cell},{place % 2}\n" for place, cell in enumerate(cells))

    with pytest.raises(BitsError, match=r":20: column 'a' has 'x', .* \(--categorical a reads it as text\)$"):
        read_table(saved(text(2)))
    assert read_table(saved(text(3))).columns[0][16:18] == ["7", "x"]


def test_quotes_hold_delimiters_line_ends_and_quotes(saved):
    path = saved('"a, b",c,y\n"1,5","say ""hi""\r\nthere",u\n 6" pipe , "  x  " ,v\n"","?",u\n')
    table = read_table(path)
    assert table.names == ("a, b", "c")
    assert table.columns == (["1,5", '6" pipe', None], ['say "hi"\nthere', "  x  ", None])
    assert table.lines.tolist() == [2, 4, 5]


@pytest.mark.parametrize(
    ("text", "delimiter", "names"),
    [
        ("a;b;y\n1;2;u\n3;4;v\n", ";", ("a", "b")),
        ("a b,y\n1 2,u\n3 4,v\n", None, ("a b",)),
        ("a b,y\n1 2,u\n3 4,v\n", " ", ("a",)),
        ("a,b\ty\n1,2\tu\n3\tv\n", None, ("a,b",)),
        ("a,b\tc,y\n1,2,u\n3,4,v\n", None, ("a", "b\tc")),
    ],
)
def test_the_delimiter_is_found_or_given(saved, text, delimiter, names):
    assert read_table(saved(text), delimiter=delimiter).names == names


@pytest.mark.parametrize("delimiter", ["", ",,", '"', "\n"])
def test_a_bad_delimiter_is_refused(saved, delimiter):
    with pytest.raises(SettingError, match="delimiter="):
        read_table(saved(GOOD), delimiter=delimiter)


def test_options_that_have_no_meaning_are_refused_by_name(saved):
    with pytest.raises(SettingError, match="option 'zero_based' has no meaning for delimited text"):
        read_data(saved(GOOD), zero_based=True)
    with pytest.raises(SettingError, match="option 'header' has no meaning for svmlight"):
        read_data(saved("+1 1:1\n-1 2:1\n"), header=False)
    with pytest.raises(SettingError, match="option 'label' has no meaning for an embedded table"):
        read_data("embedded:monks-1", label="first")


def test_the_option_without_meaning_is_an_attribute_of_the_refusal(saved):
    with pytest.raises(OptionError) as caught:
        read_data(saved(GOOD), zero_based=True)
    assert pickle.loads(pickle.dumps(caught.value)).option == "zero_based"


def test_data_is_dispatched_by_content(saved):
    assert read_data("embedded:led").name == "led"
    assert read_data(saved("# note\n\n+1 3:1\n-1 1:1\n")).rows.shape == (2, 3)
    assert read_data(saved("# note,y\n1,u\n2,v\n")).names == ("# note",)
    with pytest.raises(SettingError, match="option 'label' has no meaning for an embedded table"):
        read_data("embedded:monks-1", label="first")


def test_a_table_past_the_memory_limit_is_refused(saved, monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "100KB")
    with pytest.raises(MemoryLimitError, match="the table up to line 6002 needs"):
        read_table(saved("\n".join(["age,color,y", *ROWS * 300, ""])))


names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=6).map(lambda t: t.strip(" \t"))
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=6) | st.sampled_from(
    ["a,b", '"', '""', "x\ny", " a ", "1 2", "\t"]
)
integers = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def written_tables(draw):
    width, height = draw(st.integers(1, 4)), draw(st.integers(2, 6))
    header = draw(st.lists(names.filter(bool), min_size=width + 1, max_size=width + 1, unique=True))
    header[0] = "n" + header[0]
    kinds = [draw(st.sampled_from([texts, integers, floats])) for _ in range(width)]
    columns = [draw(st.lists(kind | st.none(), min_size=height, max_size=height)) for kind in kinds]
    labels = draw(st.lists(st.sampled_from(["no", "yes", "a b"]), min_size=height, max_size=height))
    return header, columns, labels


MISSING = {"", "?", "NA", "NaN", "nan", "null"}


@settings(deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(written_tables(), st.sampled_from([",", "\t", ";"]), st.sampled_from(["\n", "\r\n"]), st.randoms())
def test_a_table_that_was_written_is_read_back(tmp_path, table, delimiter, line_end, dice):
    header, columns, labels = table
    assume(len(set(header)) == len(header) and len(set(labels)) > 1)

    def quoted(cell):
        text = "" if cell is None else cell if isinstance(cell, str) else repr(cell)
        plain = text == text.strip(" \t") and not set(text) & {delimiter, '"', "\n"} and dice.random() < 0.7
        return text if plain and text else '"' + text.replace('"', '""') + '"'

    lines = [header, *([*row, label] for *row, label in zip(*columns, labels, strict=True))]
    path = tmp_path / "written"
    path.write_bytes("".join(delimiter.join(map(quoted, line)) + line_end for line in lines).encode())
    read = read_table(
        path,
        delimiter=delimiter,
        categorical=[n for n, c in zip(header, columns, strict=False) if any(isinstance(v, str) for v in c)],
    )
    assert read.names == tuple(header[:-1])
    assert read.labels.tolist() == labels
    for cells, column in zip(columns, read.columns, strict=True):
        expected = [None if isinstance(cell, str) and cell in MISSING else cell for cell in cells]
        assert column == expected
        assert len({type(cell) for cell in column} - {type(None)}) <= 1


@needs_data
@pytest.mark.parametrize(
    ("name", "options", "width", "counts"),
    [
        ("agaricus-lepiota.data.gz", {"label": "first"}, 22, {"e": 4208, "p": 3916}),
        ("car.data.gz", {"header": False}, 6, {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65}),
        ("kr-vs-kp.data.gz", {"header": False}, 36, {0: 1669, 1: 1527}),
        ("splice.csv.gz", {"label": "label"}, 2, {"EI": 767, "IE": 768, "N": 1655}),
    ],
)
def test_real_tables_straight_from_their_files(name, options, width, counts):
    path = DATA / "uci" / name
    table = read_data(path, **options)
    assert len(table.columns) == width
    assert Counter(table.labels.tolist()) == counts
    with gzip.open(path, "rt") as file:
        rows = [[cell.strip() for cell in line.split(",")] for line in file if line.strip()]
    rows = rows[options.get("header", True) :]
    place = 0 if "label" in options else width
    for row, *cells in zip(rows, *table.columns, strict=True):
        assert ["?" if cell is None else str(cell) for cell in cells] == row[:place] + row[place + 1 :]


@needs_data
def test_real_tables_with_their_header_misjudged_say_so():
    for name in ("car.data.gz", "kr-vs-kp.data.gz"):
        with pytest.raises(BitsError, match=r"gz:1: .*\(--no-header\?\)$"):
            read_data(DATA / "uci" / name)


def test_line_numbers_lead_back_to_the_cells(saved):
    dice = random.Random(0)
    lines = ["a,b"]
    for number in range(5000):
        lines.extend([""] * dice.randrange(2))
        lines.append(f"{number},{'uv'[number % 2]}")
    table = read_table(saved("\n".join(lines)))
    assert table.lines.dtype == np.int64
    assert all(lines[line - 1].startswith(f"{cell},") for line, cell in zip(table.lines, table.columns[0], strict=True))
