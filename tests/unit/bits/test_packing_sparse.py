import numpy as np
import pytest
import scipy.sparse as sp

from conjunct import BitMatrix
from conjunct.errors import BitsError

TABLE = np.random.default_rng(0).integers(0, 2, (9, 80), np.uint8)
PACKED = BitMatrix.of(TABLE)
FORMATS = ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"]


def with_indices(table, index_type):
    for attribute in ("indptr", "indices"):
        setattr(table, attribute, getattr(table, attribute).astype(index_type))
    return table


def snapshot(table):
    arrays = [getattr(table, name) for name in ("data", "indices", "indptr", "row", "col") if hasattr(table, name)]
    return [(id(array), array.dtype, array.tobytes()) for array in arrays]


def refused_place(table, names=None):
    with pytest.raises(BitsError) as caught:
        BitMatrix.of(table, names)
    message = str(caught.value)
    assert "binarize=" in message
    assert "Binarizer" in message
    return message.split(";")[0]


@pytest.mark.parametrize("kind", [sp.coo_array, sp.coo_matrix])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f4", "f8"])
def test_every_sparse_format_packs_as_its_dense_table(kind, form, dtype):
    table = kind(TABLE.astype(dtype)).asformat(form)
    assert BitMatrix.of(table) == PACKED
    assert np.array_equal(table.toarray(), TABLE)


@pytest.mark.parametrize("form", ["csr", "csc"])
@pytest.mark.parametrize("index_type", [np.int32, np.int64])
def test_indices_of_32_and_64_bits_pack_alike(form, index_type):
    table = with_indices(sp.coo_array(TABLE).asformat(form), index_type)
    before = snapshot(table)
    assert BitMatrix.from_csr(table) == PACKED
    assert snapshot(table) == before


def test_coordinates_of_64_bits_pack_alike():
    row, col = (index.astype(np.int64) for index in np.nonzero(TABLE))
    assert BitMatrix.from_csr(sp.coo_array((np.ones(len(row)), (row, col)), shape=TABLE.shape)) == PACKED


def test_unsorted_entries_pack_alike_and_stay_unsorted():
    table = sp.csr_array((np.ones(3), np.array([100, 2, 70]), np.array([0, 3])), shape=(1, 131))
    before = snapshot(table)
    assert np.flatnonzero(BitMatrix.of(table).to_array()[0]).tolist() == [2, 70, 100]
    assert snapshot(table) == before


def test_explicit_zeros_are_zeros():
    table = sp.csr_array((np.array([0, 1]), np.array([0, 2]), np.array([0, 2])), shape=(1, 3))
    before = snapshot(table)
    assert BitMatrix.of(table).to_array().tolist() == [[0, 0, 1]]
    assert snapshot(table) == before


def duplicates(values, form, dtype):
    places = np.full(len(values), 1)
    table = sp.coo_array((np.array(values, dtype), (places, places)), shape=(3, 2))
    if form == "csr":
        return sp.csr_array((table.data, table.col, np.array([0, 0, len(values), len(values)])), shape=(3, 2))
    return table


@pytest.mark.parametrize("form", ["csr", "coo"])
@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "f4", "f8", "?"])
def test_entries_at_one_place_add_up_so_that_one_and_zero_is_one(form, dtype):
    table = duplicates([1, 0], form, dtype)
    before = snapshot(table)
    assert BitMatrix.of(table).to_array().tolist() == [[0, 0], [0, 1], [0, 0]]
    assert snapshot(table) == before
    assert table.nnz == 2


@pytest.mark.parametrize("form", ["csr", "coo"])
@pytest.mark.parametrize("dtype", ["i1", "u1", "i8", "f4", "f8", "?"])
def test_entries_at_one_place_add_up_so_that_one_and_one_is_refused_as_two(form, dtype):
    table = duplicates([1, 1], form, dtype)
    before = snapshot(table)
    assert refused_place(table, ["a", "b"]).startswith("column 'b' has 2")
    assert snapshot(table) == before


def test_a_sum_of_entries_never_wraps_around():
    assert refused_place(duplicates([1] * 257, "csr", "u1")) == "column 1 has 257 in row 1"
    assert refused_place(duplicates([127, 127, 3], "coo", "i1")) == "column 1 has 257 in row 1"


def test_a_table_that_claims_to_have_no_duplicates_is_not_believed():
    table = duplicates([1, 1], "csr", "i8")
    table.has_canonical_format = True
    assert refused_place(table) == "column 1 has 2 in row 1"


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
@pytest.mark.parametrize(
    ("value", "text"), [(3.0, "3.0"), (-1.0, "-1.0"), (np.nan, "a missing value (NaN)"), (1 + 0j, "(1+0j)")]
)
def test_a_sparse_value_that_is_not_boolean_is_named_with_its_column_and_row(form, value, text):
    table = np.zeros((4, 70), type(value))
    table[2, 66] = value
    assert refused_place(sp.coo_array(table).asformat(form)) == f"column 66 has {text} in row 2"


def csr(indptr=(0, 1, 2), indices=(0, 1), shape=(2, 2)):
    table = sp.csr_array(np.eye(2))
    table.indptr, table.indices = np.array(indptr), np.array(indices)
    return table


BROKEN = {
    "an index past the columns": csr(indices=(0, 2)),
    "a huge index": csr(indices=(0, 1 << 60)),
    "a negative index": csr(indices=(0, -1)),
    "a decreasing indptr": csr(indptr=(0, 2, 1)),
    "an indptr past the entries": csr(indptr=(0, 1, 1 << 40)),
    "a negative indptr": csr(indptr=(0, -5, 2)),
    "an indptr that starts late": csr(indptr=(1, 1, 2)),
    "a short indptr": csr(indptr=(0, 2)),
    "a float indptr": csr(indptr=(0.0, 1.0, 2.0)),
    "too few indices": csr(indices=(0,)),
}


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("table", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_sparse_table_is_refused_without_following_its_indices(table, transposed):
    if transposed:
        by_columns = sp.csc_array(np.eye(2))
        by_columns.indptr, by_columns.indices = table.indptr, table.indices
        table = by_columns
    with pytest.raises(BitsError, match="the sparse table is broken: its indices lead outside its 2 x 2"):
        BitMatrix.of(table)


@pytest.mark.parametrize(("row", "col"), [([0, 9], [0, 1]), ([0, 1], [0, -3]), ([0], [0, 1])])
def test_broken_coordinates_are_refused(row, col):
    table = sp.coo_array(np.eye(2))
    table.coords = (np.array(row), np.array(col))
    with pytest.raises(BitsError, match="the sparse table is broken"):
        BitMatrix.of(table)


def test_broken_blocks_and_lists_are_refused():
    blocks = sp.bsr_array(np.eye(4), blocksize=(2, 2))
    blocks.indices = np.array([0, 2])
    with pytest.raises(BitsError, match="the sparse table is broken"):
        BitMatrix.of(blocks)
    lists = sp.lil_array(np.eye(2))
    lists.rows[1] = [7]
    with pytest.raises(BitsError, match="the sparse table is broken"):
        BitMatrix.of(lists)


def test_sparse_tables_without_rows_or_variables_follow_the_dense_rule():
    assert BitMatrix.of(sp.csr_array((0, 3))).shape == (0, 3)
    assert not BitMatrix.of(sp.csr_array((2, 70))).words.any()
    with pytest.raises(BitsError, match="3 rows and no variables"):
        BitMatrix.of(sp.csr_array((3, 0)))


@pytest.mark.parametrize("data", [np.eye(2), sp.coo_array(np.array([1, 0]))])
def test_what_is_not_a_sparse_table_is_refused_by_type(data):
    with pytest.raises(BitsError, match=f"expected a sparse table of rows and columns, got {type(data).__name__}"):
        BitMatrix.from_csr(data)
