import copy
import pickle

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, train_test_split

from conjunct import BitMatrix
from conjunct.errors import BitsError, MemoryLimitError

WIDTHS = [1, 63, 64, 65, 128, 1000]


def random_table(n_rows, n_variables, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (n_rows, n_variables), np.uint8)


def digit_strings(table):
    return ["".join(map(str, row)) for row in table.tolist()]


@pytest.mark.parametrize("n_variables", WIDTHS)
def test_unpacking_gives_back_what_was_packed(n_variables):
    table = random_table(7, n_variables)
    rows = BitMatrix.from_array(table)
    assert rows.shape == (len(rows), rows.n_variables) == (7, n_variables)
    assert rows.to_array().dtype == np.uint8
    assert np.array_equal(rows.to_array(), table)


@pytest.mark.parametrize("n_variables", WIDTHS)
def test_variable_v_is_bit_v_modulo_64_of_word_v_over_64_and_tail_bits_are_zero(n_variables):
    table = np.ones((2, n_variables), np.uint8)
    table[1, ::2] = 0
    for words, row in zip(BitMatrix.of(table).words.tolist(), table.tolist(), strict=True):
        number = sum(word << 64 * w for w, word in enumerate(words))
        assert number == sum(bit << v for v, bit in enumerate(row))


def test_numpy_sees_a_bit_matrix_as_its_table():
    rows = BitMatrix.of(["101", "010"])
    assert np.asarray(rows).tolist() == [[1, 0, 1], [0, 1, 0]]
    assert np.asarray(rows, np.float32).dtype == np.float32
    assert np.array(rows, copy=True).tolist() == rows.to_array().tolist()
    with pytest.raises(ValueError, match="copy=False"):
        np.array(rows, copy=False)


def test_variables_without_names_are_x1_x2_and_so_on():
    rows = BitMatrix.of(["101"])
    assert not rows.is_named
    assert rows.names == ("x1", "x2", "x3")
    assert rows.with_names(["a", "b", "c"]).names == ("a", "b", "c")
    assert BitMatrix.of(["101"], ["a", "b", "c"]).is_named
    assert BitMatrix.of(rows) is rows
    assert BitMatrix.of(rows, ["a", "b", "c"]).names == ("a", "b", "c")


def test_names_of_another_number_or_given_twice_are_refused():
    with pytest.raises(BitsError, match="3 variables need as many names, got 2"):
        BitMatrix.of(["101"], ["a", "b"])
    with pytest.raises(BitsError, match="two variables are named 'b'"):
        BitMatrix.of(["101"], ["b", "a", "b"])
    with pytest.raises(BitsError, match="column 2 has 7 in row 0"):
        BitMatrix.of([[0, 1, 7]], ["a", "b"])


def test_words_cannot_be_written_nor_attributes_set_or_deleted():
    given = np.array([[5]], np.uint64)
    rows = BitMatrix(given, 3)
    given[0, 0] = 0
    assert rows.to_array().tolist() == [[1, 0, 1]]
    with pytest.raises(ValueError, match="read-only"):
        rows.words[0, 0] = 0
    with pytest.raises(ValueError, match="WRITEABLE"):
        rows.words.flags.writeable = True
    for name in ("words", "n_variables", "_names"):
        with pytest.raises(AttributeError, match="does not change"):
            setattr(rows, name, None)
        with pytest.raises(AttributeError, match="does not change"):
            delattr(rows, name)
    with pytest.raises(AttributeError):
        rows.other = 1


@pytest.mark.parametrize(
    ("words", "n_variables", "message"),
    [
        ([[1]], 65, "65 variables need 2 words per row"),
        ([1], 1, r"got shape \(1,\)"),
        ([[2]], 1, "bits set past its last variable, number 1"),
        (np.array([[1, 1 << 63]], np.uint64), 127, "bits set past its last variable"),
        ([[0.5]], 1, "got values of type float64"),
        ([["a"]], 1, "got values of type <U1"),
        ([[1]], 0, "n_variables=0"),
        ([[1]], "1", "n_variables='1'"),
        ([[1]], True, "n_variables=True"),
    ],
)
def test_words_that_do_not_fit_are_refused(words, n_variables, message):
    with pytest.raises(BitsError, match=message):
        BitMatrix(np.array(words), n_variables)


def test_equal_rows_of_equal_names_are_equal_and_hash_alike():
    rows = BitMatrix.of(["101", "010"])
    assert rows == BitMatrix.of(rows.to_array())
    assert hash(rows) == hash(BitMatrix.of(rows.to_array()))
    assert rows != BitMatrix.of(["101", "011"])
    assert rows != BitMatrix.of(["101"])
    assert rows != BitMatrix.of(["1010", "0100"])
    assert rows != rows.with_names(["a", "b", "c"])
    assert rows != "101"
    assert repr(rows) == "BitMatrix(2 rows x 3 variables)"


@pytest.mark.parametrize("names", [None, ("a", "b", "c")])
def test_copies_and_pickles_are_equal_and_as_immutable(names):
    rows = BitMatrix.of(["101", "010"], names)
    for twin in (copy.copy(rows), copy.deepcopy(rows), pickle.loads(pickle.dumps(rows))):
        assert twin == rows
        assert twin.is_named == rows.is_named
        assert not twin.words.flags.writeable


@pytest.mark.parametrize(
    "index",
    [
        slice(1, 4),
        slice(None, None, -2),
        slice(3, 3),
        [0, 0, 4],
        [-1, -5],
        [],
        np.array([3, 1], np.int32),
        np.array([], bool),
        np.array([True, False, True, False, False]),
        [True, False, False, False, True],
        range(2),
    ],
)
def test_rows_are_selected_as_numpy_selects_them(index):
    table = random_table(5, 70)
    rows = BitMatrix.of(table, [f"v{v}" for v in range(70)])
    expected = table[:0] if not isinstance(index, slice) and len(index) == 0 else table[index]
    assert np.array_equal(rows[index].to_array(), expected)
    assert rows[index] == rows[index, ...]
    assert rows[index].names == rows.names


@pytest.mark.parametrize("index", [0, 3, -1, np.int64(2), np.array(2)])
def test_one_index_selects_a_table_of_one_row(index):
    table = random_table(5, 70)
    assert BitMatrix.of(table)[index].to_array().tolist() == [table[int(index)].tolist()]


def test_rows_that_are_not_there_and_columns_are_refused():
    rows = BitMatrix.of(random_table(5, 3))
    for index in (5, -6, [0, 9], [True, False], "a", [0.5]):
        with pytest.raises(IndexError):
            rows[index]
    for index in ((0, 1), (slice(None), 0), (0, ..., 0)):
        with pytest.raises(BitsError, match="by rows only"):
            rows[index]
    assert len(list(rows)) == 5


@pytest.mark.parametrize("n_variables", [*WIDTHS, 32, 96])
def test_negations_stand_after_the_variables(n_variables):
    table = random_table(6, n_variables)
    doubled = BitMatrix.of(table).with_negations()
    assert np.array_equal(doubled.to_array(), np.hstack([table, 1 - table]))
    assert doubled == BitMatrix.of(np.hstack([table, 1 - table]), doubled.names)


def test_negations_are_named_with_a_tilde():
    assert BitMatrix.of(["10"], ["a", "b"]).with_negations().names == ("a", "b", "~a", "~b")
    assert BitMatrix.of(["10"]).with_negations().names == ("x1", "x2", "~x1", "~x2")
    with pytest.raises(BitsError, match="two variables are named '~a'"):
        BitMatrix.of(["1"], ["a"]).with_negations().with_negations()


@pytest.mark.parametrize("n_variables", [1, 3, 64, 65, 130])
def test_cells_come_in_the_order_of_their_digit_strings_with_counts_per_label(n_variables):
    table = random_table(60, n_variables)
    table[:, : max(0, n_variables - 3)] = 0
    labels = np.random.default_rng(1).choice(["c", "a", "b"], 60)
    strings = digit_strings(table)
    cells = BitMatrix.of(table).pool(labels)
    assert digit_strings(cells.rows.to_array()) == sorted(set(strings))
    assert cells.labels.tolist() == ["a", "b", "c"]
    expected = [
        [sum((s, y) == (cell, label) for s, y in zip(strings, labels, strict=True)) for label in "abc"]
        for cell in sorted(set(strings))
    ]
    assert cells.counts.tolist() == expected
    assert [sorted(set(strings))[c] for c in cells.cell_of] == strings


def test_the_first_variable_weighs_most_in_the_order_of_cells():
    table = np.zeros((3, 130), np.uint8)
    table[0, 0] = table[1, 64] = table[2, 129] = 1
    assert BitMatrix.of(table).pool().cell_of.tolist() == [2, 1, 0]


def test_pooling_without_labels_counts_rows():
    cells = BitMatrix.of(["11", "00", "11"], ["a", "b"]).pool()
    assert cells.counts.tolist() == [[1], [2]]
    assert cells.rows.names == ("a", "b")
    assert BitMatrix.of(["11"])[:0].pool().rows.n_rows == 0
    assert BitMatrix.of(["11"])[:0].pool([]).counts.shape == (0, 0)


@pytest.mark.parametrize(
    ("labels", "distinct"),
    [
        ([10**30, -(10**30), 10**30], [-(10**30), 10**30]),
        ([True, False, True], [False, True]),
        ([2.5, -1.0, 2.5], [-1.0, 2.5]),
        (np.array(["u", "t", "u"], object), ["t", "u"]),
        (np.array([1, 0, 1], ">i2"), [0, 1]),
        (np.array(["2020-02-02", "2020-01-01", "2020-02-02"], "M8[D]"), None),
    ],
)
def test_labels_may_be_whatever_can_be_sorted(labels, distinct):
    cells = BitMatrix.of(["1", "0", "1"]).pool(labels)
    assert cells.counts.tolist() == [[1, 0], [0, 2]]
    assert distinct is None or cells.labels.tolist() == distinct


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([1, 2], r"3 rows need as many labels, got an array of shape \(2,\)"),
        ([[1], [2], [3]], r"shape \(3, 1\)"),
        ([[1], [2, 3], [4]], "different lengths"),
        (np.array([None, 1, "a"], object), "cannot be put in order"),
    ],
)
def test_labels_that_cannot_be_counted_are_refused(labels, message):
    with pytest.raises(BitsError, match=message):
        BitMatrix.of(["1", "0", "1"]).pool(labels)


def test_counts_past_the_memory_limit_are_refused(monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "1KB")
    table = ((np.arange(64)[:, None] >> np.arange(6)) & 1).astype(np.uint8)
    with pytest.raises(MemoryLimitError, match=r"counts per cell and label needs 32.0 KiB, limit is 1000 B"):
        BitMatrix.of(table).pool(np.arange(64))


def test_scikit_learn_splits_and_cross_validates_a_bit_matrix():
    table = random_table(40, 5)
    labels = table[:, 0]
    rows = BitMatrix.of(table)
    parts = train_test_split(rows, labels, random_state=0)
    expected = train_test_split(table, labels, random_state=0)
    for part, other in zip(parts, expected, strict=True):
        assert np.array_equal(np.asarray(part), other)
    assert isinstance(parts[0], BitMatrix)
    model = LogisticRegression()
    assert cross_val_score(model, rows, labels).tolist() == cross_val_score(model, table, labels).tolist()
