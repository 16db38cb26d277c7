import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array

from conjunct import BitMatrix
from conjunct.errors import BitsError
from strategies import seeded, tables


@seeded
@given(tables(min_rows=0))
def test_packing_equals_numpy_packbits(table):
    n_words = (table.shape[1] + 63) // 64
    padded = np.zeros((len(table), 64 * n_words), np.uint8)
    padded[:, : table.shape[1]] = table
    expected = np.packbits(padded, axis=1, bitorder="little").view("<u8")
    assert np.array_equal(BitMatrix.of(table).words, expected)


@seeded
@given(tables(min_rows=0), st.sampled_from(["?", "i1", "i4", ">i8", "f2", "f4", ">f8", "g", "O"]), st.booleans())
def test_every_type_and_order_packs_alike(table, dtype, is_fortran):
    given_table = np.array(table.astype(dtype), order="F" if is_fortran else "C")
    assert BitMatrix.of(given_table) == BitMatrix.of(table)
    assert np.array_equal(BitMatrix.of(given_table).to_array(), table)


@seeded
@given(tables(), st.sampled_from(["csr", "csc", "coo"]))
def test_sparse_tables_pack_as_dense_ones(table, form):
    assert BitMatrix.of(coo_array(table).asformat(form)) == BitMatrix.of(table)


@seeded
@given(tables(), st.data())
def test_the_first_stray_value_is_the_one_named(table, data):
    strays = data.draw(
        st.lists(
            st.tuples(st.integers(0, table.shape[0] - 1), st.integers(0, table.shape[1] - 1), st.integers(2, 255)),
            min_size=1,
            max_size=3,
            unique_by=lambda stray: stray[:2],
        )
    )
    for row, column, value in strays:
        table[row, column] = value
    row, column, value = min(strays)
    with pytest.raises(BitsError, match=f"^column {column} has {value} in row {row};"):
        BitMatrix.of(table)


@seeded
@given(tables(min_rows=0))
def test_negations_equal_one_minus_the_table(table):
    assert np.array_equal(BitMatrix.of(table).with_negations().to_array(), np.hstack([table, 1 - table]))


@seeded
@given(tables(min_rows=0, max_rows=12), st.data())
def test_pooling_equals_sorting_digit_strings(table, data):
    labels = data.draw(st.lists(st.integers(-2, 2), min_size=len(table), max_size=len(table)))
    strings = ["".join(map(str, row)) for row in table.tolist()]
    cells = BitMatrix.of(table).pool(labels)
    order = sorted(set(strings))
    assert ["".join(map(str, row)) for row in cells.rows.to_array().tolist()] == order
    assert cells.cell_of.tolist() == [order.index(string) for string in strings]
    assert cells.labels.tolist() == sorted(set(labels))
    for cell, string in enumerate(order):
        for place, label in enumerate(cells.labels):
            expected = sum(pair == (string, label) for pair in zip(strings, labels, strict=True))
            assert cells.counts[cell, place] == expected
