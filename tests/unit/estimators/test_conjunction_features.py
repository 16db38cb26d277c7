import pickle

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csc_array, csr_array
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline

from conjunct import BitMatrix, ConjunctionFeatures, PerceptronClassifier, _core
from conjunct.bits import ConjunctionColumns, random_bits
from conjunct.errors import BitsError, MemoryLimitError, SettingError

TABLE = random_bits(1, (40, 6))


def test_every_kind_of_table_is_expanded_alike():
    frame = pd.DataFrame(TABLE, columns=list("abcdef"))
    expected = ConjunctionFeatures().fit_transform(TABLE).toarray()
    for table in (TABLE.tolist(), TABLE.astype(float), TABLE.astype(bool), csr_array(TABLE), csc_array(TABLE), frame):
        assert np.array_equal(ConjunctionFeatures().fit_transform(table).toarray(), expected)
    assert np.array_equal(ConjunctionFeatures().fit_transform(BitMatrix.of(TABLE)).toarray(), expected)
    assert np.array_equal(ConjunctionFeatures(binarize=0.5).fit_transform(TABLE * 3.0).toarray(), expected)
    names = ConjunctionFeatures().fit(frame).get_feature_names_out()
    assert names.dtype == object
    assert names[:8].tolist() == ["a", "b", "c", "d", "e", "f", "a & b", "a & c"]


def test_names_may_be_given_where_fit_had_none():
    features = ConjunctionFeatures().fit([[0, 1]])
    assert features.get_feature_names_out().tolist() == ["x1", "x2", "x1 & x2"]
    assert features.get_feature_names_out(["wet", "cold day"]).tolist() == ["wet", '"cold day"', '"cold day" & wet']
    with pytest.raises(ValueError, match="input_features"):
        features.get_feature_names_out(["wet"])


@pytest.mark.parametrize("max_size", [0, -1, True, 2.0, "2", None])
def test_sizes_that_are_none_are_refused_by_name(max_size):
    with pytest.raises(SettingError, match=r"^max_size=.*expected a positive integer"):
        ConjunctionFeatures(max_size).fit(TABLE)


def test_a_size_beyond_the_variables_is_refused_with_both():
    with pytest.raises(SettingError, match=r"max_size=7.*n_features=6; use max_size=6 or less"):
        ConjunctionFeatures(7).fit(TABLE)
    assert ConjunctionFeatures(np.int64(6)).fit(TABLE).n_features_out_ == 63
    assert ConjunctionFeatures(6, literals="both").fit(TABLE).n_features_out_ == 3**6 - 1
    for size in (0, 7):
        with pytest.raises(BitsError, match=f"max_size={size}: expected 1 to the number of variables, 6"):
            ConjunctionColumns(6, size, False)


@pytest.mark.parametrize("literals", ["negative", None, ["both"]])
def test_other_literals_are_refused_by_name(literals):
    with pytest.raises(SettingError, match=r'^literals=.*expected "positive" or "both"'):
        ConjunctionFeatures(literals=literals).fit(TABLE)


def test_more_columns_than_can_be_numbered_are_refused():
    assert ConjunctionColumns(62, 62, False).n_columns == 2**62 - 1
    for n_variables, max_size, has_negations in ((63, 63, False), (100_000, 50_000, False), (62, 62, True)):
        with pytest.raises(BitsError, match=rf"up to {max_size} of {n_variables} variables are more than 2\*\*62"):
            ConjunctionColumns(n_variables, max_size, has_negations)
    with pytest.raises(BitsError, match=r"more than 2\*\*62"):
        ConjunctionFeatures(50).fit(np.zeros((1, 100)))


def test_all_of_many_columns_are_numbered_up_to_the_limit():
    columns = ConjunctionColumns(62, 62, False)
    row = np.zeros((1, 62), np.uint8)
    row[0, -3:] = 1
    assert columns.entries(BitMatrix.of(row))[1].tolist()[:3] == [59, 60, 61]


def test_rows_of_another_width_are_refused():
    features = ConjunctionFeatures().fit(TABLE)
    with pytest.raises(ValueError, match="X has 5 features, but ConjunctionFeatures is expecting 6"):
        features.transform(TABLE[:, :5])
    with pytest.raises(BitsError, match="X has 5 variables, but ConjunctionFeatures is expecting 6"):
        features.transform(BitMatrix.of(TABLE[:, :5]))
    with pytest.raises(BitsError, match="the rows have 5 variables, expected 6"):
        ConjunctionColumns(6, 2, False).entries(BitMatrix.of(TABLE[:, :5]))


def test_nothing_is_said_before_fit():
    for ask in (
        lambda f: f.transform(TABLE),
        lambda f: f.get_feature_names_out(),
        lambda f: f.n_features_out_,
    ):
        with pytest.raises(NotFittedError):
            ask(ConjunctionFeatures())


def test_tables_and_names_past_the_memory_limit_are_refused_before_they_are_made(monkeypatch):
    features = ConjunctionFeatures(6, literals="both").fit(np.ones((10, 200)))
    monkeypatch.setenv("CONJUNCT_MEMORY", "1MB")
    with pytest.raises(MemoryLimitError, match=r"the table of .* conjunctions that hold needs"):
        features.transform(np.ones((10, 200)))
    with pytest.raises(MemoryLimitError, match=r"the list of .* names needs"):
        features.get_feature_names_out()


def test_copies_and_pickles_expand_alike():
    features = ConjunctionFeatures(3, literals="both", binarize=0.0).fit(TABLE)
    assert clone(features).get_params() == {
        "max_size": 3,
        "literals": "both",
        "binarize": 0.0,
        "sparse_output": True,
    }
    again = pickle.loads(pickle.dumps(features))
    assert again.conjunctions_ == features.conjunctions_
    assert np.array_equal(again.transform(TABLE).toarray(), features.transform(TABLE).toarray())


def test_a_perceptron_learns_parity_from_conjunctions():
    rows = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    labels = rows.sum(axis=1) % 2
    learner = make_pipeline(ConjunctionFeatures(3), PerceptronClassifier(max_passes=1000)).fit(rows, labels)
    assert learner.score(rows, labels) == 1
    assert learner[-1].arithmetic_ == PerceptronClassifier().fit(rows, labels).arithmetic_


def test_a_frame_cannot_hold_the_sparse_columns_and_the_error_says_so():
    features = ConjunctionFeatures().set_output(transform="pandas")
    with pytest.raises(ValueError, match="sparse"):
        features.fit_transform(TABLE)
    assert ConjunctionFeatures().set_output(transform="default").fit_transform(TABLE).shape == (40, 21)


def test_the_core_refuses_shapes_that_would_lead_it_astray():
    words = BitMatrix.of(["110", "011"]).words
    shares, bases = np.zeros((1, 3), np.int64), np.zeros(1, np.int64)

    def fill(starts, *, n_variables=3, shares=shares, bases=bases, n_columns=4):
        out = np.empty(n_columns, np.uint32)
        _core.conjunction_rows(words, n_variables, False, bases, shares, np.array(starts), 1, out)

    fill([0, 2, 4])
    for starts, n_columns in (([0, 1, 4], 4), ([0, 3, 4], 4), ([0, 2, 4], 5), ([0, 2], 2), ([0, 5, 4], 4)):
        with pytest.raises(ValueError, match=r"^starts:"):
            fill(starts, n_columns=n_columns)
    for wrong in ({"shares": np.zeros((1, 6), np.int64)}, {"bases": np.zeros(0, np.int64)}):
        with pytest.raises(ValueError, match=r"^shares:"):
            fill([0, 2, 4], **wrong)
    with pytest.raises(ValueError, match=r"^words:"):
        fill([0, 2, 4], n_variables=65)
