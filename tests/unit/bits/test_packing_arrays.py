from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from conjunct import BitMatrix
from conjunct.errors import BitsError

TABLE = np.random.default_rng(0).integers(0, 2, (9, 131), np.uint8)
PACKED = BitMatrix.of(TABLE)
NUMBERS = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "g", "O"]


def refusal(data, names=None):
    with pytest.raises(BitsError) as caught:
        BitMatrix.of(data, names)
    message = str(caught.value)
    assert "\n" not in message
    return message


def refused_place(data, names=None):
    message = refusal(data, names)
    assert "binarize=" in message or "dates and times are no numbers" in message
    assert "Binarizer" in message
    return message.split(";")[0]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_every_type_of_number_packs_alike(dtype):
    assert BitMatrix.of(TABLE.astype(dtype)) == PACKED


@pytest.mark.parametrize("dtype", NUMBERS)
def test_every_layout_in_memory_packs_alike(dtype):
    table = TABLE.astype(dtype)
    frozen = table.copy()
    frozen.flags.writeable = False
    strided = np.zeros((18, 393), dtype)
    strided[::2, ::3] = table
    layouts = {
        "read-only": frozen,
        "strided": strided[::2, ::3],
        "negative strides": np.ascontiguousarray(table[::-1, ::-1])[::-1, ::-1],
        "Fortran": np.asfortranarray(table),
        "byte-swapped": table.astype(table.dtype.newbyteorder()),
    }
    for name, view in layouts.items():
        before = view.tobytes()
        assert BitMatrix.of(view) == PACKED, name
        assert view.tobytes() == before, name


@pytest.mark.parametrize("dtype", NUMBERS[:-1])
def test_unaligned_arrays_and_fields_of_records_pack_alike(dtype):
    table = TABLE.astype(dtype)
    unaligned = np.frombuffer(b"\0" + table.tobytes(), dtype, offset=1).reshape(table.shape)
    records = np.zeros(TABLE.shape, np.dtype([("before", "i1"), ("value", dtype), ("after", "i2")]))
    records["value"] = table
    assert BitMatrix.of(unaligned) == PACKED
    assert BitMatrix.of(records["value"]) == PACKED


def test_memory_mapped_arrays_pack_alike(tmp_path):
    np.save(tmp_path / "table.npy", TABLE.astype(np.int32))
    assert BitMatrix.of(np.load(tmp_path / "table.npy", mmap_mode="r")) == PACKED


def test_broadcast_rows_pack_as_if_they_were_written_out():
    assert BitMatrix.of(np.broadcast_to(TABLE[0], (3, 131))) == BitMatrix.of(TABLE[[0, 0, 0]])


def test_a_large_table_packed_by_threads_equals_its_parts(monkeypatch):
    table = np.random.default_rng(1).integers(0, 2, (4200, 1001), np.uint8)
    monkeypatch.setenv("CONJUNCT_THREADS", "3")
    whole = BitMatrix.of(table)
    assert np.array_equal(whole.words, np.vstack([BitMatrix.of(table[i : i + 600]).words for i in range(0, 4200, 600)]))
    table[4100, 7] = table[1500, 3] = 2
    assert refused_place(table).startswith("column 3 has 2 in row 1500")


def test_lists_and_digit_strings_pack_alike():
    strings = ["".join(map(str, row)) for row in TABLE.tolist()]
    for data in (TABLE.tolist(), tuple(map(tuple, TABLE.tolist())), strings, tuple(strings), list(TABLE)):
        assert BitMatrix.of(data) == PACKED


def test_objects_may_be_any_numbers_equal_to_0_or_1():
    data = [[True, np.False_, 1.0, Fraction(0), Decimal(1), np.float16(1), -0.0, np.longdouble(1)]]
    assert BitMatrix.of(np.array(data, object)).to_array().tolist() == [[1, 0, 1, 0, 1, 1, 0, 1]]


@pytest.mark.parametrize("dtype", NUMBERS[1:])
def test_a_value_that_is_not_boolean_is_named_with_its_column_and_row(dtype):
    table = TABLE.astype(dtype)
    table[4, 70] = table[6, 0] = 3
    place = refused_place(table)
    assert place.startswith("column 70 has ")
    assert "3" in place
    assert place.endswith(" in row 4")
    assert refused_place(table, [f"v{v}" for v in range(131)]).startswith("column 'v70' has ")


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", "O"])
def test_a_missing_value_is_named_with_its_column_and_row(dtype):
    table = TABLE.astype(dtype)
    table[8, 130] = np.nan
    assert refused_place(table) == "column 130 has a missing value (NaN) in row 8"


@pytest.mark.parametrize(
    ("data", "place"),
    [
        ([[0, -1]], "column 1 has -1 in row 0"),
        ([[0.5, 1]], "column 0 has 0.5 in row 0"),
        ([[1, np.inf]], "column 1 has inf in row 0"),
        ([[1, 256]], "column 1 has 256 in row 0"),
        (np.array([[0, 2**64 - 1]], np.uint64), "column 1 has 18446744073709551615 in row 0"),
        ([[0, 1], [0, None]], "column 1 has a missing value (NaN) in row 1"),
        ([[0, 1], [0, "1"]], "column 1 has '1' in row 1"),
        ([[0, 1], [0, "yes"]], "column 1 has 'yes' in row 1"),
        ([[0, Fraction(10**40 + 1, 10**40)]], "column 1 has 1000000000000000000000000000000000000000..."),
        ([[0, 10**400]], "column 1 has 1000000000000000000000000000000000000000... in row 0"),
        ([[1 + 0j]], "column 0 has (1+0j) in row 0"),
        (["10", "1a"], "column 1 has 'a' in row 1"),
        (["10", "1 "], "column 1 has ' ' in row 1"),
        ([["1", "0"]], "column 0 has '1' in row 0"),
        (np.array([[b"1"]]), "column 0 has b'1' in row 0"),
        (np.array([[1]], "m8[s]"), "column 0 has '1 seconds' in row 0"),
        (np.array([["2020-01-01"]], "M8[D]"), "column 0 has '2020-01-01' in row 0"),
        (np.ma.array([[1, 0]], mask=[[0, 1]]), "column 1 has a missing value (NaN) in row 0"),
    ],
)
def test_whatever_is_not_0_or_1_is_refused_by_place(data, place):
    assert refused_place(data).startswith(place)


def test_a_masked_array_without_masked_values_packs():
    assert BitMatrix.of(np.ma.array(TABLE)) == PACKED


@pytest.mark.parametrize("data", [[[1], [1, 0]], ["10", "1"], [[1], []]])
def test_ragged_rows_are_refused(data):
    assert refusal(data) == "the rows have different lengths; a table needs as many values in every row"


@pytest.mark.parametrize(
    ("data", "dimensions"), [([1, 0], 1), ([], 1), (np.zeros((2, 2, 2)), 3), (5, 0), (None, 0), ("10", 0)]
)
def test_data_of_other_than_two_dimensions_is_refused(data, dimensions):
    assert f"got {dimensions} dimension(s)" in refusal(data)


@pytest.mark.parametrize(("data", "n_rows"), [([[], []], 2), (np.zeros((0, 0)), 0), ([""], 1)])
def test_a_table_without_variables_is_refused(data, n_rows):
    assert refusal(data) == f"the table has {n_rows} rows and no variables; at least one variable is needed"


@pytest.mark.parametrize("dtype", [*NUMBERS, "U3"])
def test_a_table_without_rows_packs_to_no_rows(dtype):
    assert BitMatrix.of(np.zeros((0, 70), dtype)).words.shape == (0, 2)


def test_rows_without_ones_pack_to_zeros():
    assert not BitMatrix.of(np.zeros((2, 70))).words.any()
