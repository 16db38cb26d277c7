from __future__ import annotations

import numpy as np
import pytest

from conjunct import KernelPerceptronClassifier
from conjunct.bits import BitMatrix
from conjunct.cli.comparison import comparison, fresh
from conjunct.errors import SettingError
from conjunct.estimators import ConjunctionSVC, PerceptronClassifier
from conjunct.evaluation.cross_validation import cross_validate
from conjunct.evaluation.figures_of_merit import interval
from conjunct.kernels import Geometric, MonotoneConjunctions
from conjunct.tables import Column, TableEncoding


def validated(cells, labels, folds=2, **settings):
    labels = np.array(labels)
    if isinstance(cells, dict):
        cells = {name: Column.read(name, column) for name, column in cells.items()}
    whole = TableEncoding.of(cells, labels, **settings)
    learner = KernelPerceptronClassifier(max_passes=3)
    fold = comparison(learner, whole, cells, labels, settings)
    return cross_validate(fold, labels, n_folds=folds, seed=0)


def test_an_easy_table_is_learned_and_the_others_stand_beside() -> None:
    lines = validated({"a": ["u", "v"] * 10, "b": [1, 2, 3, 4] * 5}, ["no", "yes"] * 10)
    assert [line["learner"] for line in lines] == ["conjunct", "largest class", "logistic regression", "decision tree"]
    assert [line["accuracy"] for line in lines] == [1.0, 0.5, 1.0, 1.0]
    assert lines[0]["interval"] == interval(20, 20)


def test_boolean_rows_are_validated_too() -> None:
    rows = BitMatrix.of(["01", "10"] * 6)
    assert validated(rows, [1, 0] * 6)[0]["accuracy"] == 1.0


def test_folds_that_lack_a_value_a_category_or_a_letter_of_the_whole_are_no_failure() -> None:
    """One row alone has a 2 among zeros and ones, a longer text, a category of its own."""
    cells = {
        "count": [0, 1] * 9 + [2, 0],
        "code": ["AC", "GT"] * 9 + ["ACGT", "GT"],
        "color": ["red", "blue"] * 9 + ["green", None],
    }
    lines = validated(cells, ["a", "b"] * 10, folds=5, letters=("code",))
    assert lines[0]["accuracy"] >= 0.9


def test_more_folds_than_rows_of_a_label_are_refused() -> None:
    with pytest.raises(SettingError, match="3 folds need as many rows of every label, and one has 2"):
        validated({"a": [1, 2, 3, 4, 5]}, [0, 0, 0, 1, 1], folds=3)


def test_a_fresh_learner_has_no_conjunctions_longer_than_its_rows() -> None:
    learner = ConjunctionSVC(MonotoneConjunctions(3, Geometric("1/2")), lam=2)
    copy = fresh(learner, 2)
    assert (copy.kernel, copy.lam) == (MonotoneConjunctions(2, Geometric("1/2")), 2)
    assert learner.kernel.max_size == 3
    assert fresh(learner, 3).kernel == learner.kernel
    assert fresh(PerceptronClassifier(), 1).get_params() == PerceptronClassifier().get_params()
