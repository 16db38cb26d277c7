"""What the Binarizer does about entries unlike any in fit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline

from conjunct import Binarizer, ConjunctionSVC
from conjunct.errors import RowError, SettingError, UnseenWarning

FITTED = {"sky": ["grey", "clear", "grey"], "wet": [0, 1, 1], "degrees": [1.5, 2.5, 9.0]}
LATER = {"sky": ["fog", None, "grey"], "wet": [2, None, 1], "degrees": [-40.0, None, 3.0]}


def test_every_fold_of_digits_has_an_answer() -> None:
    X, y = load_digits(return_X_y=True)
    few = np.arange(0, len(X), 9)
    X, y = X[few], y[few]
    folds = cross_validate(
        make_pipeline(Binarizer(cuts=1), ConjunctionSVC(lam=1)), X, y, cv=4, return_indices=True, error_score="raise"
    )
    met_others = [
        any(counts.numbers for counts in Binarizer().fit(X[train]).count_unseen(X[test]).values())
        for train, test in zip(folds["indices"]["train"], folds["indices"]["test"], strict=True)
    ]
    assert any(met_others)  # a pixel that was 0 or 1 in fit, and is not
    assert np.all(folds["test_score"] > 0.6)


def test_cross_validation_has_no_nan_where_warnings_are_errors() -> None:
    X = pd.DataFrame({"a": [0, 1, 0, 1, 2, 0, 1, 1], "b": list("xyxyzyxy"), "c": [1, 2, None, 4, 5, 6, 7, 8]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = cross_val_score(make_pipeline(Binarizer(), ConjunctionSVC()), X, [0, 1, 0, 1, 0, 1, 0, 1], cv=4)
    assert not np.isnan(scores).any()


def test_unseen_entries_are_counted_by_column_and_kind() -> None:
    counts = Binarizer().fit(FITTED).count_unseen(LATER)
    assert counts == {"sky": (1, 0, 1), "wet": (0, 1, 1), "degrees": (0, 0, 1)}
    assert counts["wet"].numbers == counts["wet"].missing == counts["sky"].values == 1


def test_a_binarizer_that_is_to_warn_counts_them_in_one_line() -> None:
    binarizer = Binarizer(unseen="warn").fit(FITTED)
    with pytest.warns(
        UnseenWarning, match=r"^entries unlike any learned from, by column: 'sky' 2, 'wet' 2, 'degrees' 1$"
    ):
        warned = binarizer.transform(LATER)
    assert np.array_equal(warned, Binarizer().fit(FITTED).transform(LATER))
    assert binarizer.transform(FITTED).shape == (3, 4)


@pytest.mark.parametrize(
    ("column", "entry", "shown"), [("sky", "fog", "'fog'"), ("wet", 2, "2.0"), ("degrees", None, "a missing value")]
)
def test_a_binarizer_that_is_to_refuse_names_column_value_and_row(column: str, entry: Any, shown: str) -> None:
    binarizer = Binarizer(unseen="refuse").fit(FITTED)
    assert binarizer.transform(FITTED).shape == (3, 4)
    later = FITTED | {column: [FITTED[column][0], entry, FITTED[column][1]]}
    with pytest.raises(RowError, match=rf"^column '{column}' has {shown} in row 1; expected one like those learned"):
        binarizer.transform(later)
    assert binarizer.count_unseen(later).keys() == {column}


@pytest.mark.parametrize("unseen", ["error", None, True, 1])
def test_another_word_for_unseen_is_refused(unseen: Any) -> None:
    with pytest.raises(SettingError, match=r"^unseen="):
        Binarizer(unseen=unseen).fit(FITTED)


def test_what_is_done_about_unseen_entries_is_part_of_the_record() -> None:
    again = Binarizer.from_record(Binarizer(unseen="refuse").fit(FITTED).record())
    with pytest.raises(RowError, match="expected one like those learned from"):
        again.transform(LATER)


def test_false_and_true_are_the_numbers_0_and_1_whichever_was_in_fit() -> None:
    learned = Binarizer().fit({"on": [True, None, False]})
    assert learned.transform({"on": [1, 0, 2]}).tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert learned.count_unseen({"on": [1, 0, 2]}) == {"on": (1, 0, 0)}
