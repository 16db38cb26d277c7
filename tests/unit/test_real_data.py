"""Real tables, where CONJUNCT_DATA names the folder that holds them."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file

from conjunct import KernelPerceptronClassifier
from conjunct.kernels import Conjunctions, MonotoneConjunctions

FOLDER = os.environ.get("CONJUNCT_DATA", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="CONJUNCT_DATA is not set")


def test_one_pass_over_the_adult_census_is_as_accurate_as_a_linear_svm():
    """The linear SVM's accuracy on these test rows is 85.01 %; the majority class has 76.38 %."""
    tables = []
    for name in ("a9a.gz", "a9a.t.gz"):
        with gzip.open(Path(FOLDER) / "libsvm" / name) as file:
            tables.append(load_svmlight_file(file, n_features=123))
    (rows, labels), (test_rows, test_labels) = tables
    learner = KernelPerceptronClassifier(Conjunctions(max_size=2), max_passes=1).fit(rows, labels)
    assert learner.prediction_ == "averaged"
    assert learner.score(test_rows, test_labels) > 0.8501


@pytest.mark.parametrize(("name", "is_separable"), [("mushroom", True), ("kr-vs-kp", True), ("anneal", False)])
def test_conjunctions_of_three_fit_tables_without_forced_errors(name, is_separable):
    """Rows with two labels can never be fitted; the two tables without them are."""
    table = np.loadtxt(Path(FOLDER) / "cp4im" / f"{name}.txt.gz", dtype=np.uint8)
    learner = KernelPerceptronClassifier(MonotoneConjunctions(max_size=3), max_passes=200)
    learner.fit(table[:, 1:], table[:, 0])
    assert (learner.stopped_by_ == "consistent") == is_separable
    assert (learner.score(table[:, 1:], table[:, 0]) == 1.0) == is_separable
