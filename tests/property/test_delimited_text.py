"""Text is split, typed and coded by the core as plain Python defines it."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from hypothesis import assume, example, given
from hypothesis import strategies as st

from conjunct import _core
from conjunct.errors import BitsError
from conjunct.tables import Column, TableEncoding, delimited, entry_reading
from conjunct.tables.number_grammar import MISSING, int64, is_integer, is_number
from conjunct.tables.typed_columns import INFINITE, INTEGER, LARGE_INTEGER, NUMBER, TEXT, WORD
from strategies import times

SIGNS = st.sampled_from(["a", "1", "2.5", ",", ",", "\t", " ", '"', '"', '""', "\n", "\n", "\r\n", "\r", "é", "?", "-"])
TEXTS = st.lists(SIGNS, max_size=60).map("".join)
NUMBERS = st.text("0123456789+-.eE", max_size=12) | st.floats().map(repr) | st.integers().map(str)


def read(path: Path, **options: object) -> object:
    """Return what a table holds, or how it is refused."""
    try:
        table = delimited.read_table(path, **options)
    except BitsError as error:
        return str(error)
    return table.names, table.columns, None if table.labels is None else table.labels.tolist(), table.lines.tolist()


@times(6)
@given(TEXTS, st.sampled_from([None, ",", "\t", " ", ";"]), st.booleans(), st.sampled_from([None, -1]))
@example("a,b\n1,2\n\n 3 , 4 \r\n", ",", True, None)
@example('a,b\n"x\r\ny" ,"say ""hi"""\n', ",", True, None)
@example('a,b\n"x"y,2\n', ",", True, None)
@example('a,b\n1,2\n"x', ",", True, None)
@example("a\tb\n \t \n", "\t", True, None)
@example("a b\n 1\t2 \r\n3 4", " ", True, None)
@example('"a" b\n"1 ""x"" 2"\t2 \n"u\r\nv" "4"', " ", True, None)
@example('a b\n"1"2 3\n', " ", True, None)
def test_the_core_splits_text_as_plain_python_does(text, delimiter, header, label):
    with TemporaryDirectory() as folder:
        path = Path(folder, "t.csv")
        path.write_bytes(text.encode())
        options = {"delimiter": delimiter, "header": header, "label": label, "min_classes": 1}
        by_core = read(path, **options)
        splits, entry_reading._read_blocks = entry_reading._read_blocks, lambda *_: False
        try:
            assert by_core == read(path, **options)
        finally:
            entry_reading._read_blocks = splits


@times(10)
@given(NUMBERS)
@example("9007199254740992")
@example("9007199254740993")
@example("-9007199254740993.0")
@example("1e400")
@example("-1e-400")
@example("0." + 400 * "0" + "1e5")
@example(400 * "1" + "e-390")
@example("4.9e-324")
def test_a_number_is_read_as_its_grammar_says_and_rounded_once(text):
    reader = _core.EntryReader([1], sorted(MISSING))
    reader.append([[text]], [1])
    kinds, values = np.empty(1, np.uint8), np.empty(1)
    reader.copy_kinds(0, kinds)
    reader.copy_values(0, values)
    if text in MISSING:
        return
    if not is_number(text):
        assert kinds[0] == (WORD if text[0] in "eEin" else TEXT)
    elif is_integer(text):
        assert kinds[0] == (INTEGER if abs(int(text)) <= 2**53 else LARGE_INTEGER)
        assert kinds[0] == LARGE_INTEGER or values[0] == int64(text)
    else:
        assert kinds[0] == (NUMBER if isfinite(float(text)) else INFINITE)
        assert kinds[0] == INFINITE or repr(values[0].item()) == repr(float(text))


def test_a_column_of_numbers_that_turns_to_text_keeps_its_spellings(tmp_path):
    entries = [f"{k}.50" for k in range(6000)] + ["x"] * 3000
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["a", *entries, ""]))
    assert delimited.read_table(path, label=None).columns == (entries,)


def test_many_numbers_are_kept_as_they_are_spelled(tmp_path):
    integers = [*range(-3000, 3000), None, 2**53]
    floats = [k / 8 for k in range(6000)] + [None, 1e300]
    rows = [f"{'' if a is None else a},{'NA' if b is None else b}" for a, b in zip(integers, floats, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b", *rows, ""]))
    table = delimited.read_table(tmp_path / "t.csv", label=None)
    assert table.columns == (integers, floats)
    assert [column.codes for column in table.typed_columns] == [None, None]


def test_integers_past_53_bits_among_many_numbers_are_exact(tmp_path):
    integers = [*range(6000), 2**62 + 1, -(2**63)]
    (tmp_path / "t.csv").write_text("\n".join(["a", *map(str, integers), ""]))
    assert delimited.read_table(tmp_path / "t.csv", label=None).columns == (integers,)


ENTRIES = st.lists(st.none() | st.sampled_from(["u", "v", "w"]), min_size=1, max_size=40) | st.lists(
    st.none() | st.integers(-3, 9) | st.floats(-5, 5), min_size=1, max_size=40
)


@times(3)
@given(ENTRIES, ENTRIES, st.sampled_from([1, 3, 30, "all"]))
def test_packed_bits_are_the_tests_applied_one_by_one(entries, later, cuts):
    """On columns of codes and of numbers alike, whatever the words they share."""
    names = ["a", "b"]
    columns = {name: Column.read(name, entries) for name in names}
    try:
        encoding = TableEncoding.of(columns, np.zeros(len(entries), int), cuts=cuts)
        rows = encoding.rows({name: Column.read(name, later) for name in names})
    except BitsError as error:
        assume(not any(words in str(error) for words in ("gives no variable", "in fit its entries were")))
        raise
    by_hand = [[int(test.holds(entry)) for test in encoding.tests] for entry in later]
    assert rows.to_array().tolist() == by_hand
