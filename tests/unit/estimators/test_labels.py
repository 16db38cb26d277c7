"""What a label may be."""

import datetime

import numpy as np
import pytest

from conjunct import (
    ConjunctionSVC,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)

CLASSIFIERS = [
    ConjunctionSVC,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
]
ROWS = [[0, 1], [1, 0], [1, 1]]


@pytest.mark.parametrize("make", CLASSIFIERS)
@pytest.mark.parametrize("labels", [["no", "yes", "no"], [1, 2, 1], [-1, 1, 1], [True, False, True], [0.0, 1.0, 1.0]])
def test_labels_are_text_whole_numbers_or_booleans(make, labels):
    learner = make().fit(ROWS, labels)
    assert learner.classes_.tolist() == sorted(set(labels))
    assert set(learner.predict(ROWS).tolist()) <= set(labels)


@pytest.mark.parametrize("make", CLASSIFIERS)
@pytest.mark.parametrize(
    "labels",
    [
        [0.5, 1.5, 0.5],
        [None, "a", "a"],
        [b"a", b"b", b"a"],
        [datetime.date(2020, 1, 1), datetime.date(2021, 1, 1), datetime.date(2020, 1, 1)],
        np.array([object(), object(), object()]),
        [1, float("nan"), 1],
    ],
)
def test_other_labels_are_refused_in_one_line(make, labels):
    with pytest.raises(ValueError, match=r"(?i)^[^\n]*(label|nan)[^\n]*$"):
        make().fit(ROWS, labels)
