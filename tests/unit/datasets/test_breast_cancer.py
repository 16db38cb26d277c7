from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from conjunct.datasets import breast_cancer


@pytest.fixture(scope="module")
def table():
    return breast_cancer()


def test_labels_are_scikit_learns_words(table):
    source = load_breast_cancer()
    assert Counter(table.labels.tolist()) == {"benign": 357, "malignant": 212}
    assert table.labels.tolist() == [source.target_names[code] for code in source.target]


def test_each_variable_is_the_comparison_its_name_states(table):
    source = load_breast_cancer()
    column = dict(zip(source.feature_names.tolist(), source.data.T.tolist(), strict=True))
    for name, bits in zip(table.rows.names, table.rows.to_array().T.tolist(), strict=True):
        measurement, cut = name.split("<=")
        assert repr(float(cut)) == cut
        assert bits == [int(value <= float(cut)) for value in column[measurement]]


def test_cuts_are_the_lower_quartiles_without_repeats(table):
    source = load_breast_cancer()
    expected = []
    for measurement, values in zip(source.feature_names, source.data.T, strict=True):
        cuts = np.quantile(values, [0.25, 0.5, 0.75], method="lower").tolist()
        assert set(cuts) <= set(values.tolist())
        expected += [f"{measurement}<={cut!r}" for cut in dict.fromkeys(cuts)]
    assert table.rows.names == tuple(expected)
    assert len(set(expected)) == len(expected)


def test_the_first_row_is_a_large_tumour(table):
    # mean radius 17.99 is above all three cuts, mean texture 10.38 below them
    assert table.rows.names[:6] == (
        *("mean radius<=11.7", "mean radius<=13.37", "mean radius<=15.78"),
        *("mean texture<=16.17", "mean texture<=18.84", "mean texture<=21.8"),
    )
    assert table.rows.to_array()[0, :6].tolist() == [0, 0, 0, 1, 1, 1]
    assert table.labels[0] == "malignant"
