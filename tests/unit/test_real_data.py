"""Real tables, where CONJUNCT_DATA names the folder that holds them."""

from __future__ import annotations

import gzip
import lzma

import numpy as np
import pytest
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import SGDClassifier

from conjunct import KernelPerceptronClassifier, PerceptronClassifier, WinnowClassifier
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from real_data import DATA, needs_data

pytestmark = needs_data


def census():
    """Return a9a: rows and labels to learn from and to test with."""
    tables = []
    for name in ("a9a.gz", "a9a.t.gz"):
        with gzip.open(DATA / "libsvm" / name) as file:
            rows, labels = load_svmlight_file(file, n_features=123)
        rows.indices, rows.indptr = rows.indices.astype(np.int32), rows.indptr.astype(np.int32)  # SGD takes no others
        tables.append((rows, labels))
    return tables


def farm_ads():
    """Return farm-ads, every fifth row to test with."""
    with lzma.open(DATA / "libsvm" / "farm-ads.svm.xz") as file:
        rows, labels = load_svmlight_file(file)
    is_test = np.arange(len(labels)) % 5 == 4
    return (rows[~is_test], labels[~is_test]), (rows[is_test], labels[is_test])


def accuracy(learners, data):
    """Return the mean accuracy in percent."""
    (rows, labels), (test_rows, test_labels) = data
    return 100 * np.mean([learner.fit(rows, labels).score(test_rows, test_labels) for learner in learners])


@pytest.mark.parametrize("data", [census, farm_ads])
def test_averaged_learners_are_as_accurate_as_stochastic_gradients_and_elimination_is_not(data):
    """Ten shuffles. Elimination loses a variable for good at the first wrong label on it, and noisy data have many."""
    table, shuffles = data(), [{"shuffle": True, "random_state": seed} for seed in range(10)]
    peer = accuracy([SGDClassifier(random_state=seed) for seed in range(10)], table)
    averaged = {"max_passes": 5, "prediction": "averaged"}
    perceptron = accuracy([PerceptronClassifier(**averaged, **s) for s in shuffles], table)
    winnow = accuracy([WinnowClassifier(promotion="6/5", thickness=1, **averaged, **s) for s in shuffles], table)
    plain = accuracy([WinnowClassifier(promotion=2, max_passes=5, prediction="final", **s) for s in shuffles], table)
    elimination = {"variant": "elimination", "promotion": 2, "max_passes": 5, "prediction": "final"}
    eliminated = accuracy([WinnowClassifier(**elimination, **s) for s in shuffles], table)
    print(f"{peer=:.2f} {perceptron=:.2f} {winnow=:.2f} {plain=:.2f} {eliminated=:.2f}")
    assert perceptron > peer - 1
    assert winnow > peer - 1
    assert eliminated < peer - 5


def test_one_pass_over_the_adult_census_is_as_accurate_as_a_linear_svm():
    """The linear SVM's accuracy on these test rows is 85.01 %; the majority class has 76.38 %."""
    (rows, labels), (test_rows, test_labels) = census()
    learner = KernelPerceptronClassifier(Conjunctions(max_size=2), max_passes=1).fit(rows, labels)
    assert learner.prediction_ == "averaged"
    assert learner.score(test_rows, test_labels) > 0.8501


@pytest.mark.parametrize(("name", "is_separable"), [("mushroom", True), ("kr-vs-kp", True), ("anneal", False)])
def test_conjunctions_of_three_fit_tables_without_forced_errors(name, is_separable):
    """Rows with two labels can never be fitted; the two tables without them are."""
    table = np.loadtxt(DATA / "cp4im" / f"{name}.txt.gz", dtype=np.uint8)
    learner = KernelPerceptronClassifier(MonotoneConjunctions(max_size=3), max_passes=200)
    learner.fit(table[:, 1:], table[:, 0])
    assert (learner.stopped_by_ == "consistent") == is_separable
    assert (learner.score(table[:, 1:], table[:, 0]) == 1.0) == is_separable
