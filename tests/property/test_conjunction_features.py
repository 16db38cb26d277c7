from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conjunct import BitMatrix, ConjunctionFeatures
from conjunct.bits import ConjunctionColumns, conjunction_columns, random_bits
from conjunct.logic.literal import Literal
from conjunct.logic.term import Term
from strategies import seeded, tables

NAMES = ("x2", "x10", "x1", "wet road", 'a"b', "b", "a", "y")


def conjunctions(n_variables, max_size, literals):
    """All conjunctions in the documented order, as tuples of 2 * variable + is_negated."""
    codes = range(2 * n_variables) if literals == "both" else range(0, 2 * n_variables, 2)
    return [
        chosen
        for size in range(1, max_size + 1)
        for chosen in combinations(codes, size)
        if len({code // 2 for code in chosen}) == size
    ]


def expanded(table, chosen):
    """The columns of these conjunctions, one after the other."""
    columns = [np.all([table[:, code // 2] != code % 2 for code in codes], axis=0) for codes in chosen]
    return np.array(columns, np.uint8).reshape(len(chosen), len(table)).T


@seeded
@given(st.data(), st.integers(1, 8), st.sampled_from(["positive", "both"]))
def test_the_columns_are_the_conjunctions_in_their_documented_order(data, n_variables, literals):
    table = data.draw(tables(n_variables=n_variables, max_rows=12))
    max_size = data.draw(st.integers(1, n_variables))
    features = ConjunctionFeatures(max_size, literals=literals).fit(table)
    chosen = conjunctions(n_variables, max_size, literals)
    found = features.transform(table)
    assert list(features.conjunctions_) == chosen
    assert features.n_features_out_ == len(chosen) == found.shape[1]
    assert np.array_equal(found.toarray(), expanded(table, chosen))
    assert found.dtype == np.uint8
    assert found.indices.dtype == np.int32
    assert all(np.all(np.diff(found.indices[a:b]) > 0) for a, b in pairwise(found.indptr))


@pytest.mark.parametrize("literals", ["positive", "both"])
def test_the_terms_that_name_the_columns_evaluate_to_them(literals):
    rows = BitMatrix.of(random_bits(1, (50, 8)), NAMES)
    features = ConjunctionFeatures(3, literals=literals).fit(rows)
    table, names = features.transform(rows).toarray(), features.get_feature_names_out()
    assert len(set(names)) == len(names) == table.shape[1]
    for column, codes in enumerate(conjunctions(8, 3, literals)):
        term = Term(Literal(NAMES[code // 2], code % 2 == 0) for code in codes)
        assert names[column] == str(term)
        value = [term.value(dict(zip(NAMES, row, strict=True))) for row in rows.to_array().tolist()]
        assert table[:, column].tolist() == value


@pytest.mark.parametrize(("n_variables", "max_size"), [(63, 2), (64, 3), (65, 2), (130, 2)])
@pytest.mark.parametrize("literals", ["positive", "both"])
def test_wide_rows_have_the_columns_of_their_conjunctions(n_variables, max_size, literals):
    table = random_bits(2, (4, n_variables))
    table[1], table[2] = 0, 1
    columns = ConjunctionColumns(n_variables, max_size, literals == "both")
    starts, active = columns.entries(BitMatrix.of(table))
    place = {codes: column for column, codes in enumerate(columns)}
    assert len(place) == columns.n_columns
    for row, (first, last) in zip(table, pairwise(starts), strict=True):
        true = [2 * v + (not one) for v, one in enumerate(row.tolist()) if one or literals == "both"]
        held = [place[codes] for size in range(1, max_size + 1) for codes in combinations(true, size)]
        assert active[first:last].tolist() == held


def test_columns_past_32_bits_are_numbered_without_error():
    n_variables, size = 3000, 5  # 2**50 columns and more
    table = np.zeros((2, n_variables), np.uint8)
    table[0, [0, 1, 2, 3, 4]] = 1
    table[1, [5, 70, 900, 2998, 2999]] = 1
    columns = ConjunctionColumns(n_variables, size, has_negations=False)
    starts, active = columns.entries(BitMatrix.of(table))
    assert active.dtype == np.int64
    assert starts.tolist() == [0, 31, 62]
    assert all(0 <= column < columns.n_columns for column in active.tolist())
    assert active[30] == columns.n_columns - len_of_size(n_variables, size)  # the first one of size 5
    assert np.all(np.diff(active[:31]) > 0)
    assert np.all(np.diff(active[31:]) > 0)
    table[:] = 0
    table[:, -size:] = 1
    assert columns.entries(BitMatrix.of(table))[1][-1] == columns.n_columns - 1


def len_of_size(n_variables, size):
    return ConjunctionColumns(n_variables, size, False).n_columns - (
        ConjunctionColumns(n_variables, size - 1, False).n_columns
    )


def test_threads_and_blocks_do_not_change_the_columns(monkeypatch):
    rows = BitMatrix.of(random_bits(3, (200, 20)))
    columns = ConjunctionColumns(20, 3, True)
    starts, active = columns.entries(rows)
    monkeypatch.setattr(conjunction_columns, "ENTRIES_PER_CALL", 1000)
    monkeypatch.setattr(conjunction_columns, "ROWS_PER_CALL", 7)
    for threads in ("1", "3"):
        monkeypatch.setenv("CONJUNCT_THREADS", threads)
        again = columns.entries(rows)
        assert np.array_equal(again[0], starts)
        assert np.array_equal(again[1], active)
