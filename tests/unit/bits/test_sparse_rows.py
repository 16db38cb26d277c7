from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from conjunct import BitMatrix, _core
from conjunct.bits import SparseRows, sparse_rows
from conjunct.errors import BitsError

TABLE = np.random.default_rng(0).integers(0, 2, (9, 80), np.uint8)
REAL = TABLE * np.random.default_rng(1).normal(size=TABLE.shape)


def dense(rows):
    table = np.zeros((rows.n_rows, rows.n_variables))
    for i in range(rows.n_rows):
        values = 1 if rows.values is None else rows.values[rows.starts[i] : rows.starts[i + 1]]
        table[i, rows.row(i)] = values
    return table


def is_canonical(rows):
    """Every list of places is in increasing order."""
    return all(np.all(np.diff(rows.row(i)) > 0) for i in range(rows.n_rows))


def with_indices(table, index_type):
    for name in ("indptr", "indices"):
        setattr(table, name, getattr(table, name).astype(index_type))
    return table


def snapshot(table):
    arrays = [getattr(table, name) for name in ("data", "indices", "indptr", "row", "col") if hasattr(table, name)]
    return [(id(array), array.dtype, array.tobytes()) for array in arrays]


def random_rows(seed, n_rows=50, n_variables=30, with_values=False):
    """Rows with unseen places among them."""
    random = np.random.RandomState(seed)
    lists = [np.flatnonzero(random.rand(n_variables) < 0.2) for _ in range(n_rows)]
    lists = [np.concatenate([[-1] * random.randint(3), places]) for places in lists]
    starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
    places = np.concatenate(lists).astype(np.int32)
    return SparseRows(starts, places, n_variables, random.normal(size=len(places)) if with_values else None)


# Reading


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("index_type", [np.int32, np.int64])
@pytest.mark.parametrize("form", ["csr", "csc"])
def test_compressed_tables_of_every_type_read_alike(dtype, index_type, form):
    table = with_indices(sp.coo_array(TABLE.astype(dtype)).asformat(form), index_type)
    before = snapshot(table)
    rows = SparseRows.of(table)
    assert rows.values is None
    assert is_canonical(rows)
    assert np.array_equal(dense(rows), TABLE)
    assert snapshot(table) == before


@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_coordinates_in_any_order_read_alike(index_type):
    row, col = (index.astype(index_type) for index in np.nonzero(TABLE))
    order = np.random.RandomState(0).permutation(len(row))
    table = sp.coo_array((np.ones(len(row), np.int8), (row[order], col[order])), shape=TABLE.shape)
    before = snapshot(table)
    assert np.array_equal(dense(SparseRows.of(table)), TABLE)
    assert snapshot(table) == before


@pytest.mark.parametrize(
    "make",
    [np.asarray, np.asfortranarray, BitMatrix.of, lambda t: t.astype(bool), lambda t: t.tolist(), sp.lil_array],
)
def test_dense_packed_and_other_tables_read_alike(make):
    rows = SparseRows.of(make(TABLE))
    assert is_canonical(rows)
    assert np.array_equal(dense(rows), TABLE)


def test_sets_read_as_the_table_they_mean():
    rows = SparseRows.of([set(np.flatnonzero(row).tolist()) for row in TABLE] + [frozenset()])
    assert is_canonical(rows)
    assert np.array_equal(dense(rows)[:-1], TABLE[:, : rows.n_variables])
    assert rows.n_variables == 1 + np.flatnonzero(TABLE.any(axis=0))[-1]
    assert rows.row(9).tolist() == []


def test_packed_rows_read_in_blocks_are_the_same(monkeypatch):
    monkeypatch.setattr(sparse_rows, "ENTRIES_PER_CALL", 160)
    rows = SparseRows.of(BitMatrix.of(TABLE))
    assert np.array_equal(dense(rows), TABLE)
    assert SparseRows.of(BitMatrix.of(TABLE[:0])).n_rows == 0


@pytest.mark.parametrize("read", [SparseRows.of, SparseRows.of_real])
def test_unsorted_entries_are_sorted_and_the_table_stays(read):
    table = sp.csr_array((np.ones(3), np.array([100, 2, 70]), np.array([0, 3])), shape=(1, 131))
    before = snapshot(table)
    assert read(table).row(0).tolist() == [2, 70, 100]
    assert snapshot(table) == before


@pytest.mark.parametrize("dtype", ["?", "i1", "f8"])
def test_entries_at_one_place_add_up_and_two_is_refused(dtype):
    places, starts = np.array([5, 3, 5]), np.array([0, 3])
    ok = sp.csr_array((np.array([1, 1, 0], dtype), places, starts), shape=(1, 9))
    before = snapshot(ok)
    assert SparseRows.of(ok).row(0).tolist() == [3, 5]
    assert snapshot(ok) == before
    twice = sp.csr_array((np.ones(3, dtype), places, starts), shape=(1, 9))
    with pytest.raises(BitsError, match=r"column 5 has 2.* in row 0"):
        SparseRows.of(twice)


def test_entries_of_real_tables_add_up_to_finite_numbers():
    table = sp.csr_array((np.array([0.5, 2, 0.25]), np.array([5, 3, 5]), np.array([0, 3])), shape=(1, 9))
    before = snapshot(table)
    rows = SparseRows.of_real(table)
    assert (rows.row(0).tolist(), rows.values.tolist()) == ([3, 5], [2, 0.75])
    assert snapshot(table) == before
    table.data[:] = [1e308, 0, 1e308]
    with pytest.raises(BitsError, match="not finite"), np.errstate(over="ignore"):
        SparseRows.of_real(table)


def test_explicit_zeros_are_zeros():
    table = sp.csr_array((np.array([0, 1, 0, 1]), np.array([0, 1, 2, 0]), np.array([0, 3, 3, 4])), shape=(3, 4))
    rows = SparseRows.of(table)
    assert [rows.row(i).tolist() for i in range(3)] == [[1], [], [0]]
    assert rows.n_variables == 4


def test_entries_past_the_last_row_are_not_read():
    table = sp.csr_array(TABLE[:2])
    table.indices = np.append(table.indices, np.int32(999))
    table.data = np.append(table.data, np.uint8(7))
    assert np.array_equal(dense(SparseRows.of(table)), TABLE[:2])


@pytest.mark.parametrize("read", [SparseRows.of, SparseRows.of_real])
@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("indices", 0, 80),
        ("indices", 1, -1),
        ("indices", 2, 2**31 - 1),
        ("indptr", 1, 10**6),
        ("indptr", 3, 0),
        ("indptr", 0, 1),
        ("indptr", -1, -5),
    ],
)
def test_broken_indices_are_refused_and_not_followed(read, name, place, value):
    table = sp.csr_array(TABLE.astype(float) * 0.5 if read is SparseRows.of_real else TABLE.astype(float))
    getattr(table, name)[place] = value
    with pytest.raises(BitsError, match="broken"):
        read(table)


@pytest.mark.parametrize("value", [2, 0.5, -1, np.nan, np.inf])
@pytest.mark.parametrize("make", [sp.csr_array, sp.csc_array, np.asarray])
def test_other_values_are_refused_by_place(make, value):
    table = TABLE.astype(float)
    table[4, 17] = value
    with pytest.raises(BitsError, match=r"column 17 has .* in row 4"):
        SparseRows.of(make(table))


@pytest.mark.parametrize("strange", ["a", -1, 1.5, True, None, 2**31 - 1, 2**70])
def test_sets_of_anything_but_numbers_of_variables_are_refused_by_row(strange):
    with pytest.raises(BitsError, match="row 1 holds"):
        SparseRows.of([{0, 2}, {3, strange}])


def test_a_table_of_numbers_keeps_its_values():
    for make in (np.asarray, sp.csr_array, sp.csc_array, lambda t: with_indices(sp.csr_array(t), np.int64)):
        rows = SparseRows.of_real(make(REAL))
        assert np.array_equal(dense(rows), REAL)
    for value in (np.nan, np.inf):
        with pytest.raises(BitsError, match="finite"):
            SparseRows.of_real([[0, value]])


def test_rows_are_taken_as_they_are():
    rows = SparseRows.of(TABLE)
    assert SparseRows.of(rows) is rows
    assert len(rows) == 9
    assert rows.most_entries == TABLE.sum(axis=1).max()


@pytest.mark.parametrize(
    ("starts", "places", "values", "n_variables"),
    [
        ([0, 2], [0], None, 3),
        ([1, 1], [0], None, 3),
        ([0, 1, 0], [], None, 3),
        ([], [], None, 3),
        ([0, 1], [3], None, 3),
        ([0, 1], [0], [1.0, 2.0], 3),
        ([0, 0], [], None, -1),
        ([0, 0], [], None, 2**31),
    ],
)
def test_rows_that_do_not_hold_together_are_refused(starts, places, values, n_variables):
    given = None if values is None else np.array(values)
    with pytest.raises(ValueError, match=r"starts|places|values|variables"):
        SparseRows(np.array(starts, np.int64), np.array(places, np.int32), n_variables, given)


# Using


@pytest.mark.parametrize("with_values", [False, True])
def test_rows_are_taken_in_any_order_and_number(with_values):
    rows = random_rows(2, with_values=with_values)
    index = np.random.RandomState(3).randint(0, 50, 120)
    taken = rows.take(index)
    assert taken.n_variables == rows.n_variables
    assert [taken.row(k).tolist() for k in range(120)] == [rows.row(i).tolist() for i in index]
    if with_values:
        whole = [rows.values[rows.starts[i] : rows.starts[i + 1]] for i in index]
        assert np.array_equal(taken.values, np.concatenate(whole))
    assert rows.take(np.empty(0, np.int64)).n_rows == 0


def test_a_row_that_is_not_there_is_not_taken():
    rows = random_rows(2)
    for index in ([50], [-1], [-51]):
        with pytest.raises((ValueError, IndexError)):
            rows.take(np.array(index))


@pytest.mark.parametrize("size", [1, 16, 40, 10**6])
@pytest.mark.parametrize("is_ordered", [False, True])
def test_blocks_cover_every_row_once_and_are_short(size, is_ordered, monkeypatch):
    monkeypatch.setattr(sparse_rows, "ENTRIES_PER_CALL", size)
    monkeypatch.setattr(sparse_rows, "ROWS_PER_CALL", 17)
    rows = random_rows(4)
    order = np.random.RandomState(5).permutation(50) if is_ordered else np.arange(50)
    blocks = rows.blocks(order if is_ordered else None)
    assert [0, *(last for _, last in blocks)] == [*(first for first, _ in blocks), 50]
    lengths = np.diff(rows.starts)[order]
    assert max(int(lengths[first:last].sum()) for first, last in blocks) <= size + rows.most_entries
    assert max(last - first for first, last in blocks) <= 17
    assert SparseRows.of(np.zeros((0, 3), int)).blocks() == [(0, 0)]


@pytest.mark.parametrize("with_values", [False, True])
@pytest.mark.parametrize("kind", ["i4", "u1", "i8", "f8", "f4"])
def test_dots_are_the_sums_of_the_definition(with_values, kind, monkeypatch):
    monkeypatch.setattr(sparse_rows, "ENTRIES_PER_CALL", 64)
    rows, random = random_rows(6, with_values=with_values), np.random.RandomState(7)
    weights = random.randint(0, 200, 30).astype(kind) if kind[0] in "iu" else random.normal(size=30).astype(kind)
    for unseen in (0, 3, -2.5):
        expected = []
        for i in range(50):
            values = np.ones(50) if rows.values is None else rows.values[rows.starts[i] :]
            parts = zip(rows.row(i).tolist(), values.tolist(), strict=False)
            expected.append(sum((weights[p].item() if p >= 0 else unseen) * v for p, v in parts))
        dots = rows.dot(weights, unseen)
        is_whole = kind[0] in "iu" and not with_values and unseen != -2.5
        assert dots.dtype == (np.int64 if is_whole else np.float64)
        np.testing.assert_allclose(dots, expected, rtol=0 if is_whole else 1e-12, atol=0 if is_whole else 1e-12)


def test_dots_of_whole_numbers_do_not_round():
    assert SparseRows.of([{0, 1}]).dot(np.array([2**60 + 1, 2**60])).tolist() == [2**61 + 1]


def test_too_few_weights_are_refused():
    with pytest.raises(ValueError, match="weights"):
        random_rows(6).dot(np.zeros(29))


def test_values_may_be_written_out():
    rows = SparseRows.of(TABLE).with_values()
    assert rows.values.tolist() == [1] * int(TABLE.sum())
    assert np.array_equal(dense(rows), TABLE)


def test_the_core_finds_no_rows_past_the_last():
    native = SparseRows.of([{0}, {1}]).native
    for first in (2, 3, 2**64 - 1):
        with pytest.raises(ValueError, match="more rows than there are"):
            _core.sparse_dot(native, np.ones(2), 0.0, first, np.zeros(1))
