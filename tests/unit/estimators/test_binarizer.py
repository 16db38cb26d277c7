from __future__ import annotations

import pickle
import subprocess
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone

from conjunct import Binarizer, BitMatrix
from conjunct.errors import BitsError, RowError, SettingError
from conjunct.tables import VariableTest

DATA: dict[str, list[Any]] = {
    "wet": [0, 1, 1, 0, 1],
    "sky": ["grey", "clear", None, "snow", "grey"],
    "wind": ["calm", "gale", "calm", "calm", "gale"],
    "degrees": [4.5, 21.0, None, -3.0, 4.5],
    "lamp": [True, None, False, True, True],
}
NAMES = [
    *("wet", "sky=clear", "sky=grey", "sky=snow", "sky is missing", "wind=gale"),
    *("degrees<=0", "degrees<=10", "degrees is missing", "lamp=False", "lamp=True", "lamp is missing"),
]
BITS = ["001000010010", "110001000001", "100010001100", "000100110010", "101001010010"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_every_kind_of_column_becomes_its_variables(frame: Any) -> None:
    table = frame(DATA)
    binarizer = Binarizer()
    bits = binarizer.fit_transform(table)
    assert binarizer.get_feature_names_out().tolist() == NAMES
    assert bits.dtype == np.uint8
    assert ["".join(map(str, row)) for row in bits.tolist()] == BITS
    assert binarizer.pack(table) == BitMatrix.of(BITS, NAMES)
    assert binarizer.count_unseen(table) == {}


def test_an_array_of_mixed_cells_gives_the_same_variables_named_by_position() -> None:
    table = np.array(list(zip(*DATA.values(), strict=True)), object)
    binarizer = Binarizer().fit(table)
    expected = [name.replace("sky", "x2").replace("degrees", "x4") for name in NAMES]
    assert [name for name in binarizer.get_feature_names_out() if name[:2] in ("x2", "x4")] == [
        name for name in expected if name[:2] in ("x2", "x4")
    ]
    assert np.array_equal(binarizer.transform(table), binarizer.transform(table.tolist()))
    assert np.array_equal(binarizer.transform(table), Binarizer().fit_transform(pd.DataFrame(DATA)))


def test_tests_say_which_column_and_which_test_each_variable_is() -> None:
    tests = Binarizer().fit(pd.DataFrame(DATA)).tests_
    assert [test.name for test in tests] == NAMES
    assert tests[0] == VariableTest("wet", "is one", None)
    assert tests[1] == VariableTest("sky", "equals", "clear")
    assert tests[6] == VariableTest("degrees", "at most", 0)
    assert tests[8] == VariableTest("degrees", "is missing", None)
    assert tests[10].value is True


@pytest.mark.parametrize("cell", [None, float("nan"), np.float32("nan"), pd.NA, pd.NaT, Decimal("sNaN")])
def test_on_a_missing_cell_only_its_own_test_holds(cell: object) -> None:
    assert VariableTest("a", "is missing").holds(cell)
    for test in (VariableTest("a", "is one"), VariableTest("a", "equals", "nan"), VariableTest("a", "at most", 3)):
        assert not test.holds(cell)


def test_categories_of_pandas_are_values_even_if_they_are_numbers() -> None:
    table = pd.DataFrame({"size": pd.Categorical([10, 9, 10, 11]), "on": pd.Categorical(["b", "a", None, "a"])})
    binarizer = Binarizer().fit(table)
    assert binarizer.get_feature_names_out().tolist() == [
        *("size=9", "size=10", "size=11"),
        *("on=a", "on=b", "on is missing"),
    ]
    assert binarizer.transform(table).tolist() == [
        [0, 1, 0, 0, 1, 0],
        [1, 0, 0, 1, 0, 0],
        [0, 1, 0, 0, 0, 1],
        [0, 0, 1, 1, 0, 0],
    ]


@pytest.mark.parametrize(
    "column",
    [
        pl.Series([1, None, 7, 9], dtype=pl.Int16),
        pd.Series([1, None, 7, 9], dtype="Int64"),
        pd.Series([1, None, 7, 9], dtype=object),
        pd.Series([Decimal(1), None, Decimal(7), Decimal(9)]),
        pl.Series([Decimal(1), None, Decimal(7), Decimal(9)]),
        np.ma.masked_array([1, 5, 7, 9], [0, 1, 0, 0]),
        np.array([1, np.nan, 7, 9], ">f4"),
    ],
)
def test_numbers_of_every_type_are_cut_alike(column: Any) -> None:
    is_frame = not isinstance(column, np.ndarray)
    table = column[:, None] if not is_frame else type(column)(column).to_frame("x1")
    binarizer = Binarizer().fit(table)
    assert binarizer.get_feature_names_out().tolist() == ["x1<=4", "x1<=8", "x1 is missing"]
    assert binarizer.transform(table).tolist() == [[1, 1, 0], [0, 0, 1], [0, 1, 0], [0, 0, 0]]


def test_a_column_of_missing_values_only_has_one_variable() -> None:
    binarizer = Binarizer().fit(pl.DataFrame({"a": [None, None]}))
    assert binarizer.get_feature_names_out().tolist() == ["a is missing"]
    assert binarizer.transform(pl.DataFrame({"a": ["new", None]})).tolist() == [[0], [1]]
    assert binarizer.count_unseen(pl.DataFrame({"a": ["new", None]})) == {"a": (1, 0, 0)}


def test_unseen_cells_set_nothing_and_are_counted_without_a_trace() -> None:
    binarizer = Binarizer().fit(pd.DataFrame({"sky": ["a", "b"], "n": [1.0, 2.0], "on": [0, 1]}))
    before = pickle.dumps(binarizer)
    later = pd.DataFrame({"sky": ["c", "b", None], "n": [np.nan, 1.0, 5.0], "on": [1.0, np.nan, np.nan]})
    assert binarizer.transform(later).tolist() == [[0, 0, 1], [1, 1, 0], [0, 0, 0]]
    assert binarizer.count_unseen(later) == {"sky": (1, 0, 1), "n": (0, 0, 1), "on": (0, 0, 2)}
    assert pickle.dumps(binarizer) == before


def test_columns_left_out_pass_through_and_must_be_boolean() -> None:
    table = pd.DataFrame({"age": [20, 30, 40], "wet": [0, 1, 1]})
    for columns in (["age"], [0], ("age", np.int64(0)), pd.Index(["age"])):
        names = Binarizer(columns, cuts=1).fit(table).get_feature_names_out().tolist()
        assert names == ["age<=35", "wet"]
    with pytest.raises(BitsError, match=r"^column 'age' has 20.0 in row 0; it is not among columns="):
        Binarizer(["wet"]).fit(table)
    with pytest.raises(BitsError, match=r"^column 'b' has a missing value in row 1"):
        Binarizer(["a"]).fit(pd.DataFrame({"a": [1, 2], "b": [1, None]}))
    with pytest.raises(BitsError, match=r"^column 'b' has 'no' in row 0"):
        Binarizer(["a"]).fit(pd.DataFrame({"a": [1, 2], "b": ["no", "1"]}))


@pytest.mark.parametrize("columns", ["age", 3, ["ages"], [2], [-1], [True], [None], [1.0]])
def test_columns_that_do_not_exist_are_refused_by_name(columns: object) -> None:
    with pytest.raises(SettingError, match=r"^columns"):
        Binarizer(columns).fit(pd.DataFrame({"age": [1, 2], "b": [0, 1]}))


@pytest.mark.parametrize("cuts", [0, -1, True, 2.0, None, "most", [4]])
def test_cuts_that_mean_nothing_are_refused(cuts: object) -> None:
    with pytest.raises(SettingError, match=r"^cuts="):
        Binarizer(cuts=cuts).fit([[1], [2]])


@pytest.mark.parametrize("max_values", [0, True, 2.0, None, "2"])
def test_a_limit_on_values_that_means_nothing_is_refused(max_values: object) -> None:
    with pytest.raises(SettingError, match=r"^max_values="):
        Binarizer(max_values=max_values).fit([["a"], ["b"]])


def test_too_many_values_are_refused_by_column_and_count() -> None:
    table = pd.DataFrame({"city": [f"c{place}" for place in range(74)]})
    with pytest.raises(BitsError, match=r"^column 'city' has 74 distinct values, more than max_values=50; .*raise"):
        Binarizer().fit(table)
    assert len(Binarizer(max_values=74).fit(table).tests_) == 74


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([1.5, 2, 3, 4, 5, 6, 7, "x"], r"^column 'a' has 'x' in row 7; not a number as in row 0"),
        (["x", None, 2.5], r"^column 'a' has 2.5 in row 2; not a text"),
        ([True, 2], r"^column 'a' has 2 in row 1; not a bool"),
        ([1.0, float("inf")], r"^column 'a' has inf in row 1; expected finite"),
        ([None, 10**400], r"^column 'a' has 1000.*\.\.\. in row 1; expected finite"),
        ([pd.Timestamp("2020-01-01")], r"^column 'a' has '2020-01-01 00:00:00' in row 0; dates and times"),
        ([b"x"], r"^column 'a' has b'x' in row 0"),
        ([[1], [2]], r"^column 'a' has \[1\] in row 0; expected text or numbers"),
        ([7, 7], r"gives no variable"),
        ([], r"^X has 0 rows"),
        (["\ud800", "b"], r"expected values of one type"),
    ],
)
def test_cells_that_cannot_be_binarized_are_refused_by_their_place(cells: list[Any], message: str) -> None:
    with pytest.raises(BitsError, match=message):
        Binarizer().fit(pd.DataFrame({"a": pd.Series(cells, dtype=None if cells == [7, 7] else object)}))


@pytest.mark.parametrize(
    ("fitted", "given", "message"),
    [
        ([1.5, 2.5], ["x", "y"], r"^column 'a' has 'x' in row 0; in fit its entries were of type number"),
        (["1", "2"], [1, 2], r"^column 'a' has 1.0 in row 0; in fit its entries were of type text"),
        ([0, 1], ["1", "0"], r"^column 'a' has '1' in row 0; in fit its entries were 0 or 1"),
    ],
)
def test_cells_of_another_type_than_in_fit_are_refused(fitted: list[Any], given: list[Any], message: str) -> None:
    binarizer = Binarizer().fit(pd.DataFrame({"a": fitted}))
    for ask in (binarizer.transform, binarizer.pack, binarizer.count_unseen):
        with pytest.raises(BitsError, match=message):
            ask(pd.DataFrame({"a": given}))


def test_a_missing_column_is_refused_by_name() -> None:
    binarizer = Binarizer().fit(pl.DataFrame({"age": [1, 2, 3], "b": [0, 1, 0]}))
    with pytest.raises(ValueError, match="age"):
        binarizer.transform(pl.DataFrame({"b": [0, 1, 0]}))


def test_two_variables_of_one_name_are_refused() -> None:
    with pytest.raises(BitsError, match=r"^columns 'a' and 'a=b' both give a variable named 'a=b=c'; rename"):
        Binarizer().fit(pd.DataFrame({"a": ["b=c", "x", "y"], "a=b": ["c", "d", "e"]}))
    with pytest.raises(BitsError, match="unique column names"):
        Binarizer().fit(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]))


def test_columns_given_by_name_are_read_like_those_of_a_frame() -> None:
    binarizer = Binarizer().fit(DATA)
    assert binarizer.get_feature_names_out().tolist() == NAMES
    assert np.array_equal(binarizer.transform(DATA), binarizer.transform(pd.DataFrame(DATA)))
    with pytest.raises(BitsError, match=r"^column 'a' has 'x' in row 1; not a number"):
        Binarizer().fit({"a": [1, "x"]})


def test_sparse_and_ragged_tables_are_refused() -> None:
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        Binarizer().fit(csr_array(np.eye(3)))
    with pytest.raises(BitsError, match="different lengths"):
        Binarizer().fit([[1, 2], [3]])
    with pytest.raises(BitsError, match="held in memory"):
        Binarizer().fit(pl.DataFrame({"a": [1, 2]}).lazy())


def test_the_output_can_be_a_frame_and_the_settings_survive_cloning() -> None:
    table = pd.DataFrame(DATA)
    binarizer = Binarizer(cuts="all", max_values=3)
    assert clone(binarizer).get_params() == {"columns": None, "cuts": "all", "max_values": 3, "unseen": "ignore"}
    for kind, frame in (("pandas", pd.DataFrame), ("polars", pl.DataFrame)):
        out = clone(binarizer).set_output(transform=kind).fit_transform(table)
        assert isinstance(out, frame)
        assert list(out.columns) == NAMES


def test_packing_some_rows_at_a_time_gives_the_same_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    table = np.random.default_rng(3).normal(size=(500, 3))
    binarizer = Binarizer(cuts=7).fit(table)
    at_once = binarizer.pack(table)
    monkeypatch.setattr("conjunct.tables.binarization.WORDS_PER_STEP", 100)
    assert binarizer.pack(table) == at_once


def test_other_numbers_in_a_column_of_zeros_and_ones_are_cut_between_the_two_and_counted() -> None:
    binarizer = Binarizer().fit({"flag": [0, 1, 0]})
    table = {"flag": [2, 0.5, 0.75, -3, 1, None]}
    assert binarizer.transform(table)[:, 0].tolist() == [1, 0, 1, 0, 1, 0]
    assert [binarizer.tests_[0].holds(entry) for entry in table["flag"]] == [True, False, True, False, True, False]
    assert binarizer.count_unseen(table) == {"flag": (0, 4, 1)}


def test_the_table_given_is_not_changed() -> None:
    table = pd.DataFrame(DATA)
    Binarizer().fit_transform(table)
    pd.testing.assert_frame_equal(table, pd.DataFrame(DATA))


def test_bits_are_imported_without_scikit_learn() -> None:
    program = "import sys, conjunct, conjunct.bits; conjunct.BitMatrix; print('sklearn' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert shown.stdout == "False\n"


def test_a_refused_cell_carries_its_row_as_a_number() -> None:
    binarizer = Binarizer().fit({"age": [1.5, 2.5, 3.5], "flag": [0, 1, 0]})
    with pytest.raises(RowError) as caught:
        binarizer.transform({"age": [1, 2, 3], "flag": [None, None, "x"]})
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        assert (error.what, error.row) == ("column 'flag' has 'x'", 2)
        assert str(error) == "column 'flag' has 'x' in row 2; in fit its entries were 0 or 1"
