import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from conjunct import BitMatrix
from conjunct.errors import BitsError

TABLE = np.random.default_rng(0).integers(0, 2, (6, 5))
NAMES = ["a", "b", "c", "d", "e"]
PACKED = BitMatrix.of(TABLE, NAMES)


def refused_place(frame):
    with pytest.raises(BitsError) as caught:
        BitMatrix.of(frame)
    message = str(caught.value)
    assert "binarize=" in message or "dates and times are no numbers" in message
    assert "Binarizer" in message
    return message.split(";")[0]


@pytest.mark.parametrize(
    "dtype",
    [
        "bool", "int8", "uint64", "float32", "float64", "object",
        "boolean", "Int8", "UInt16", "Float64", "int64[pyarrow]", "bool[pyarrow]", "Sparse[int64]",
    ],
)  # fmt: skip
def test_pandas_columns_of_every_numeric_type_pack_with_their_names(dtype):
    frame = pd.DataFrame(TABLE, columns=NAMES).astype(dtype)
    before = frame.copy()
    assert BitMatrix.of(frame) == BitMatrix.from_frame(frame) == PACKED
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    "dtype", [pl.Boolean, pl.Int8, pl.UInt8, pl.Int64, pl.UInt64, pl.Float32, pl.Float64, pl.Decimal(10, 2)]
)
def test_polars_columns_of_every_numeric_type_pack_with_their_names(dtype):
    frame = pl.DataFrame(TABLE, schema=NAMES).cast(dtype)
    assert BitMatrix.of(frame) == PACKED


def test_columns_of_different_types_pack_side_by_side():
    columns = {"a": [True, False], "b": [1.0, 0.0], "c": [0, 1], "d": [0, 0]}
    expected = BitMatrix.of([[1, 1, 0, 0], [0, 0, 1, 0]], list(columns))
    assert BitMatrix.of(pd.DataFrame(columns).astype({"d": object, "a": "boolean"})) == expected
    assert BitMatrix.of(pl.DataFrame(columns)) == expected
    assert BitMatrix.of(pa.table(columns)) == expected


def test_a_sliced_frame_packs_the_slice():
    frame = pd.DataFrame(TABLE, columns=NAMES)
    assert BitMatrix.of(frame.iloc[::-2]).to_array().tolist() == TABLE[::-2].tolist()
    assert BitMatrix.of(frame[["c", "a"]]).names == ("c", "a")


def test_given_names_replace_those_of_the_frame_and_numbered_columns_become_text():
    assert BitMatrix.of(pd.DataFrame(TABLE)).names == ("0", "1", "2", "3", "4")
    assert BitMatrix.of(pd.DataFrame(TABLE), NAMES).names == tuple(NAMES)


@pytest.mark.parametrize("library", [pd, pl])
@pytest.mark.parametrize(("value", "text"), [(2, "2"), (0.5, "0.5"), (-1, "-1")])
def test_a_value_that_is_not_boolean_is_named_with_its_column_and_row(library, value, text):
    assert (
        refused_place(library.DataFrame({"a": [0, 1], "b": [type(value)(1), value]}))
        == f"column 'b' has {text} in row 1"
    )


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": [0, 1], "b": [1, np.nan]}),
        pd.DataFrame({"a": [0, 1], "b": pd.array([1, None], "Int64")}),
        pd.DataFrame({"a": [0, 1], "b": pd.array([True, None], "boolean")}),
        pd.DataFrame({"a": [0, 1], "b": pd.array([True, None], "bool[pyarrow]")}),
        pd.DataFrame({"a": [0, 1], "b": np.array([1, None], object)}),
        pd.DataFrame({"a": [0, 1], "b": pd.Categorical(["u", None])}),
        pl.DataFrame({"a": [0, 1], "b": [1, None]}),
        pl.DataFrame({"a": [0, 1], "b": [1.0, float("nan")]}),
        pl.DataFrame({"a": [0, 1], "b": ["u", None]}),
    ],
)
def test_a_missing_value_is_named_with_its_column_and_row(frame):
    assert refused_place(frame) == "column 'b' has a missing value (NaN) in row 1"


@pytest.mark.parametrize(
    ("frame", "place"),
    [
        (pd.DataFrame({"a": [0, 1], "b": ["u", "v"]}), "column 'b' has 'u' of type String in row 0"),
        (pd.DataFrame({"b": pd.Categorical(["u", "v"])}), "column 'b' has 'u' of type Categorical in row 0"),
        (pd.DataFrame({"b": pd.Categorical([0, 1])}), "column 'b' has 0 of type Categorical in row 0"),
        (pd.DataFrame({"a": [0, 1], "b": np.array([0, "v"], object)}), "column 'b' has 'v' in row 1"),
        (pd.DataFrame({"b": pd.to_timedelta([1], "s")}), "column 'b' has '0 days 00:00:01' in row 0"),
        (pd.DataFrame({"b": pd.to_datetime(["2020-01-01", None])}), "column 'b' has '2020-01-01 00:00:00' in row 0"),
        (pl.DataFrame({"a": [0, 1], "b": ["u", "v"]}), "column 'b' has 'u' of type String in row 0"),
        (pl.DataFrame({"b": ["u"]}, {"b": pl.Categorical}), "column 'b' has 'u' of type Categorical in row 0"),
        (pl.DataFrame({"b": [[0], [1]]}), "column 'b' has [0] of type List(Int64) in row 0"),
    ],
)
def test_text_and_categories_are_refused_by_column_and_value(frame, place):
    assert refused_place(frame).startswith(place)


@pytest.mark.parametrize(
    "frame", [pd.DataFrame({"a": [], "b": []}), pl.DataFrame(schema={"a": pl.String, "b": pl.Int8})]
)
def test_a_frame_without_rows_packs_to_no_rows(frame):
    assert BitMatrix.of(frame).shape == (0, 2)


@pytest.mark.parametrize("library", [pd, pl])
def test_a_frame_without_columns_is_refused(library):
    with pytest.raises(BitsError, match="0 rows and no variables"):
        BitMatrix.of(library.DataFrame())


def test_a_frame_with_a_column_name_twice_is_refused_by_name():
    with pytest.raises(BitsError, match="unique column names, got: - 'a' 2 times"):
        BitMatrix.of(pd.DataFrame([[0, 1]], columns=["a", "a"]))
    with pytest.raises(BitsError, match="two variables are named '0'"):
        BitMatrix.of(pd.DataFrame([[0, 1]], columns=[0, "0"]))


@pytest.mark.parametrize("data", [np.eye(2), pl.LazyFrame({"a": [0, 1]}), pl.Series([0, 1])])
def test_what_is_not_a_frame_in_memory_is_refused_by_type(data):
    with pytest.raises(BitsError, match=f"expected a data frame held in memory, got {type(data).__name__}"):
        BitMatrix.from_frame(data)


def test_a_lazy_frame_is_refused_and_not_collected():
    with pytest.raises(BitsError, match="expected a data frame held in memory, got LazyFrame"):
        BitMatrix.of(pl.LazyFrame({"a": [0, 1]}))
