"""A fitted Binarizer does to a table what its stored descriptions say, cell by cell."""

import json

import numpy as np
import pandas as pd
import polars as pl
from hypothesis import assume, given
from hypothesis import strategies as st

from conjunct import Binarizer
from conjunct.errors import BitsError
from strategies import seeded, times

NAMES = st.text(max_size=6) | st.sampled_from(["a", "a=b", "a<=1", "a is missing", 'say "hi"', " ", "größe", "x1", ""])
WORDS = st.sampled_from(["a", "b", "b=c", "", " ", "'", '"q"', "<=", "é", "NaN", "None", "1"])
NUMBERS = st.integers(-3, 3) | st.floats(-1e6, 1e6) | st.sampled_from([0.1, 0.2, 0.30000000000000004, 1e300, -1e-300])
KINDS = {"words": WORDS, "floats": NUMBERS.map(float), "integers": st.integers(-9, 9), "flags": st.booleans()}
KINDS["bits"] = st.integers(0, 1)


@st.composite
def columns_of_two_tables(draw):
    """Names, and for each column its cells in a table to fit and in a later one of the same types."""
    n_rows = draw(st.integers(1, 12))
    names = draw(st.lists(NAMES.filter(lambda name: name.isprintable()), min_size=1, max_size=4, unique=True))
    fitted, later = {}, {}
    for name in names:
        cells = KINDS[draw(st.sampled_from(sorted(KINDS)))]
        cells = st.none() | cells if draw(st.booleans()) else cells
        fitted[name] = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
        later[name] = draw(st.lists(st.none() | cells, min_size=4, max_size=4))
    return fitted, later


def fit_or_skip(binarizer, table, labels):
    """Fit; tables without a variable, or with two of one name, are refused elsewhere."""
    try:
        return binarizer.fit(table, labels)
    except BitsError as error:
        assume(not any(words in str(error) for words in ("gives no variable", "both give a variable")))
        raise


def by_hand(binarizer, table):
    """Apply the stored tests to the raw cells, one by one."""
    n_rows = len(next(iter(table.values())))
    return [[int(test.holds(table[test.column][row])) for test in binarizer.tests_] for row in range(n_rows)]


@times(3)
@given(columns_of_two_tables(), st.sampled_from([1, 2, 4, "all", "supervised"]), st.sampled_from(["pandas", "polars"]))
def test_transform_equals_the_stored_descriptions_applied_by_hand(tables, cuts, library):
    fitted, later = tables
    frame = pd.DataFrame if library == "pandas" else pl.DataFrame
    labels = [place // 4 % 2 for place in range(len(next(iter(fitted.values()))))]
    binarizer = fit_or_skip(Binarizer(cuts=cuts), frame(fitted), labels)
    assert binarizer.transform(frame(fitted)).tolist() == by_hand(binarizer, fitted)
    assert binarizer.count_unseen(frame(fitted)) == {}
    again = Binarizer.from_record(json.loads(json.dumps(binarizer.record())))
    assert again.pack(frame(fitted)) == binarizer.pack(frame(fitted))
    bits = binarizer.transform(frame(later)).tolist()
    assert bits == by_hand(again, later) == again.transform(frame(later)).tolist()


@seeded
@given(columns_of_two_tables(), st.sampled_from([1, 4, "all"]))
def test_arrays_of_mixed_cells_follow_their_descriptions_too(tables, cuts):
    fitted = {f"x{place + 1}": cells for place, cells in enumerate(tables[0].values())}
    table = np.array(list(zip(*fitted.values(), strict=True)), object)
    binarizer = fit_or_skip(Binarizer(cuts=cuts), table, None)
    assert binarizer.transform(table).tolist() == by_hand(binarizer, fitted)


@seeded
@given(st.lists(NUMBERS, min_size=2, max_size=30), NUMBERS)
def test_every_threshold_acts_on_the_rows_like_one_of_all_cuts(numbers, threshold):
    column = np.array(numbers, float)[:, None]
    assume(len(set(column[:, 0])) > 1 and not set(column[:, 0]) <= {0, 1})
    bits = Binarizer(cuts="all").fit_transform(column)
    wanted = (column[:, 0] <= threshold).tolist()
    assert len(set(wanted)) == 1 or wanted in bits.T.astype(bool).tolist()
