from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import conjunct
from conjunct import BitMatrix, Separation, separable
from conjunct.errors import BitsError, SettingError
from conjunct.logic import parse

ROWS = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
FRAME = pd.DataFrame(ROWS, columns=["rain", "wind"])


@pytest.mark.parametrize(
    "X", [ROWS, ROWS.tolist(), ROWS.astype(bool), ROWS.astype(float), csr_array(ROWS), FRAME, BitMatrix.of(ROWS)]
)
def test_every_kind_of_table_gets_the_same_answer(X):
    found = separable(X, ["no", "yes", "yes", "yes"])
    assert (found.is_separable, found.weights, found.threshold, found.labels) == (True, (1, 1), 1, ("no", "yes"))
    assert found.verify(X, ["no", "yes", "yes", "yes"])
    assert separable(X, [7, -7, -7, 7]).multipliers == (1, 1, 1, 1)


def test_features_are_named_after_their_variables():
    found = separable(FRAME, [0, 1, 1, 0], max_size=2)
    assert found.features == ("rain", "wind", "rain & wind")
    assert str(found) == "separable: rain + wind - 2*(rain & wind) >= 1 iff the label is 1"
    assert repr(found) == f"Separation({found})"


def test_the_positive_label_is_the_second_in_order():
    assert str(separable(ROWS, ["b", "a", "a", "a"])) == "separable: -x1 - x2 >= 0 iff the label is 'b'"


def test_long_answers_stay_on_a_readable_line():
    table = conjunct.datasets.half_space(40, n_rows=800, seed=1, noise="1/50")
    wide = separable(table.rows, table.labels)
    assert str(wide).startswith("not separable: 4")
    assert "rows cancel under multipliers of at most " in str(wide)
    majority = conjunct.datasets.majority(15, n_rows=3000, seed=0)
    assert str(separable(majority.rows, majority.labels)) == (
        "separable: a sum of 15 weights of at most 1 (see .formula) iff the label is 1"
    )
    huge = Separation(True, ("x1",), (0, 1), weights=(10**6000,), threshold=1)
    assert str(huge) == ("separable: a sum of 1 weight of at most a 19932-bit number (see .formula) iff the label is 1")
    assert huge.verify(["0", "1"], [0, 1])


@pytest.mark.parametrize(("labels", "max_size"), [([0, 1, 1, 1], 1), ([0, 1, 1, 0], 2), ([1, 0, 0, 0], 1)])
def test_the_printed_threshold_is_read_back_and_labels_the_rows(labels, max_size):
    names = ["rain <= 3", "and"]
    found = separable(pd.DataFrame(ROWS, columns=names), labels, max_size=max_size)
    text = str(found).removeprefix("separable: ").removesuffix(" iff the label is 1")
    assert parse(text) == found.formula
    assert found.formula.evaluate(BitMatrix.of(ROWS, names)).tolist() == [label == 1 for label in labels]


def test_a_long_threshold_is_read_from_its_formula():
    majority = conjunct.datasets.majority(15, n_rows=3000, seed=0)
    formula = separable(majority.rows, majority.labels).formula
    assert parse(str(formula)) == formula
    assert formula.evaluate(majority.rows).tolist() == (majority.labels == 1).tolist()
    with pytest.raises(
        AttributeError, match=r"^formula: there is no threshold to show, not separable: rows 0, 1, 2, 3"
    ):
        _ = separable(ROWS, [0, 1, 1, 0]).formula


def test_truth_is_that_of_the_answer_and_an_undecided_one_has_none():
    assert separable(ROWS, [0, 1, 1, 1])
    assert not separable(ROWS, [0, 1, 1, 0])
    undecided = Separation(None, ("x1", "x2"), (0, 1), reason="max_pivots=1 reached")
    with pytest.raises(ValueError, match="undecided: max_pivots=1 reached; an undecided answer"):
        bool(undecided)
    assert not undecided.verify(ROWS, [0, 1, 1, 0])


def test_verify_judges_from_the_data_alone():
    labels = [0, 1, 1, 0]
    found = separable(ROWS, labels)
    assert not found.verify(ROWS, [0, 1, 1, 1])
    assert not found.verify(ROWS[:3], labels[:3])
    for place in range(4):
        changed = tuple(number + (row == place) for row, number in enumerate(found.multipliers))
        assert not replace(found, multipliers=changed).verify(ROWS, labels)
    assert not replace(found, is_separable=True).verify(ROWS, labels)
    either = separable(ROWS, [0, 1, 1, 1])
    assert either.verify(ROWS[1:], [1, 1, 1])
    assert not replace(either, threshold=2).verify(ROWS, [0, 1, 1, 1])
    assert not replace(either, weights=(1, 0)).verify(ROWS, [0, 1, 1, 1])
    assert not replace(either, weights=(1,)).verify(ROWS, [0, 1, 1, 1])
    assert not replace(either, is_separable=False).verify(ROWS, [0, 1, 1, 1])
    with pytest.raises(FrozenInstanceError):
        either.threshold = 0


def test_verify_refuses_data_about_something_else():
    found = separable(FRAME, [0, 1, 1, 0])
    with pytest.raises(BitsError, match="X has 3 variables, 3 features"):
        found.verify(["000", "111"], [0, 1])
    with pytest.raises(BitsError, match="variable 'snow' where the answer has 'wind'"):
        found.verify(FRAME.rename(columns={"wind": "snow"}), [0, 1, 1, 0])
    with pytest.raises(BitsError, match="label 2 is not among those of the answer"):
        found.verify(FRAME, [0, 1, 2, 0])


@pytest.mark.parametrize(
    ("X", "y", "options", "error", "message"),
    [
        (ROWS, [1, 1, 1, 1], {}, BitsError, "one class only, 1; two are needed"),
        (ROWS, [0, 1, 2, 3], {}, BitsError, "4 classes, 0, 1, 2, 3; two are needed"),
        (ROWS, [0, 1], {}, BitsError, "4 rows need as many labels, got 2"),
        (ROWS, None, {}, SettingError, "requires y"),
        (2 * ROWS, [0, 1, 1, 0], {}, BitsError, "2"),
        (ROWS[:0], [], {}, BitsError, "0 rows"),
        (ROWS, [0, 1, 1, 0], {"max_size": 0}, SettingError, "max_size=0: expected 1 to 2"),
        (ROWS, [0, 1, 1, 0], {"max_size": 3}, SettingError, "max_size=3: expected 1 to 2"),
        (ROWS, [0, 1, 1, 0], {"max_size": True}, SettingError, "max_size=True"),
        (ROWS, [0, 1, 1, 0], {"max_size": 1.0}, SettingError, "max_size=1.0"),
        (ROWS, [0, 1, 1, 0], {"max_pivots": 0}, SettingError, "max_pivots=0: expected a positive integer"),
    ],
)
def test_wrong_input_is_refused_by_name(X, y, options, error, message):
    with pytest.raises(error, match=message):
        separable(X, y, **options)


def test_names_are_written_as_in_formulas():
    frame = pd.DataFrame([[0, 0], [0, 1], [1, 0], [1, 1]], columns=["a\x1b[31m", "b & c"])
    answer = separable(frame, [0, 1, 1, 0], max_size=2)
    assert answer.features == ('"a\\u{1b}[31m"', '"b & c"', '"a\\u{1b}[31m" & "b & c"')
    assert str(answer).startswith('separable: "a\\u{1b}[31m" + "b & c" - 2*("a\\u{1b}[31m" & "b & c") >= 1 iff')
    assert answer.verify(frame, [0, 1, 1, 0])


def test_verify_believes_whole_numbers_only():
    rows, labels = [[0, 0], [0, 1], [1, 1]], [0, 1, 1]
    answer = separable(rows, labels)
    assert answer.verify(rows, labels)
    assert not replace(answer, weights=tuple(weight + 0.5 for weight in answer.weights)).verify(rows, labels)
    assert not replace(answer, threshold=float(answer.threshold)).verify(rows, labels)
    balanced = Separation(False, answer.features, (0, 1), multipliers=(1e300, 1e300, 0.0))
    assert not balanced.verify([[0, 0], [0, 0], [1, 1]], labels)
    assert replace(balanced, multipliers=(1, 1, 0)).verify([[0, 0], [0, 0], [1, 1]], labels)


def test_labels_without_a_common_order_are_refused():
    with pytest.raises(BitsError, match=r"^labels of the types int, str have no common order; make them all str$"):
        separable([[0], [1]], np.array(["a", 1], object))
