from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.dummy import DummyClassifier

from conjunct import KernelPerceptronClassifier
from conjunct.bits import BitMatrix
from conjunct.cli.choice import CUTS_TRIED, FACTORS_TRIED, Choice
from conjunct.cli.comparison import Comparison, unbeaten
from conjunct.cli.fold_parts import Parts
from conjunct.errors import SettingError
from conjunct.estimators import ConjunctionSVC, ConjunctionSVCCV, PerceptronClassifier
from conjunct.evaluation.cross_validation import cross_validate
from conjunct.evaluation.figures_of_merit import interval
from conjunct.tables import Column, TableEncoding


def comparison_of(cells, labels, *, learner=None, has_baselines=True, **settings):
    labels = np.array(labels)
    if isinstance(cells, dict):
        cells = {name: Column.read(name, column) for name, column in cells.items()}
    settings = {"cuts": "auto", **settings}
    whole = TableEncoding.of(cells, labels, **settings)
    learner = learner or KernelPerceptronClassifier(max_passes=3)
    return Comparison(learner, whole, cells, labels, settings, has_baselines=has_baselines)


def validated(cells, labels, folds=2, **settings):
    return cross_validate(comparison_of(cells, labels, **settings), np.array(labels), n_folds=folds, seed=0)


def test_an_easy_table_is_learned_and_the_others_stand_beside() -> None:
    lines = validated({"a": ["u", "v"] * 10, "b": [1, 2, 3, 4] * 5}, ["no", "yes"] * 10)
    assert [line["learner"] for line in lines] == ["conjunct", "largest class", "logistic regression", "decision tree"]
    assert [line["accuracy"] for line in lines] == [1.0, 0.5, 1.0, 1.0]
    assert lines[0]["interval"] == interval(20, 20)
    assert all(line["fold_accuracies"] == [line["accuracy"]] * 2 and line["seconds"] >= 0 for line in lines)


def test_baselines_may_be_left_out() -> None:
    lines = validated({"a": ["u", "v"] * 10}, ["no", "yes"] * 10, has_baselines=False)
    assert [line["learner"] for line in lines] == ["conjunct"]


def test_the_time_of_a_baseline_is_its_own_and_one_that_took_too_long_sits_out_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0]  # a second for every prediction of a baseline, and for nothing else

    def slow(other: object, parts: Parts) -> NDArray[np.int64]:
        clock[0] += 1
        return parts.test_codes

    for room in ("comparison", "fold_parts"):
        monkeypatch.setattr(f"conjunct.cli.{room}.process_time", lambda: clock[0])
    monkeypatch.setattr("conjunct.cli.comparison.predictions", slow)
    monkeypatch.setattr("conjunct.cli.comparison.BASELINE_SECONDS", 1.5)
    monkeypatch.setattr("conjunct.cli.choice.fresh", lambda learner, n_variables: DummyClassifier())
    lines = validated(BitMatrix.of(["01", "10"] * 6), [1, 0] * 6, folds=4)
    assert [len(line["fold_accuracies"]) for line in lines] == [4, 2, 2, 2]
    assert [line["seconds"] for line in lines] == [0, 2, 2, 2]
    assert unbeaten(lines) == []  # they have not been in all folds


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"), [(0.5, 0.75, True), (0.75, 0.75, True), (0.75, 0.5, False), (1.0, 1.0, False)]
)
def test_who_is_at_least_as_good_is_not_beaten_unless_nobody_could_be_better(
    ours: float, theirs: float, expected: bool
) -> None:
    lines = [{"learner": n, "accuracy": a, "fold_accuracies": [a]} for n, a in (("conjunct", ours), ("tree", theirs))]
    assert [line["learner"] for line in unbeaten(lines)] == ["tree"] * expected


# What is chosen by inner folds


def test_cuts_are_chosen_by_inner_folds_where_numbers_are_cut() -> None:
    """Labels that change 24 times along a column are found by looking at them; those of a checkerboard are not."""
    numbers = np.arange(480)
    stripes = comparison_of({"a": numbers}, numbers // 20 % 2, learner=ConjunctionSVC(max_size=2))
    assert stripes.choice_for(numbers).cuts == "supervised"
    a, b = numbers % 20, numbers // 24
    board = comparison_of({"a": a, "b": b}, (a // 4 + b // 4) % 2, learner=ConjunctionSVC(max_size=2))
    assert board.choice_for(numbers).cuts == 4


def test_cuts_and_lam_are_chosen_in_turn_and_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the first lam 4 cuts are best, with these a lam of 4, with that 32 cuts, with these a lam of 2."""
    losses = {(4, 1): 8, (4, 4): 7, (32, 4): 6, (32, 2): 5, ("supervised", 2): 4}

    class KnownLosses:
        def __init__(self, learner: object, folds: object) -> None:
            pass

        def least(self, choices: list[Choice]) -> Choice:
            return min(choices, key=lambda choice: losses.get((choice.cuts, choice.factor), 9))

    monkeypatch.setattr("conjunct.cli.comparison.InnerLosses", KnownLosses)
    rows = np.arange(12)
    assert comparison_of({"a": rows}, rows % 2, learner=ConjunctionSVC()).choice_for(rows) == Choice(32, Fraction(2))


def test_cuts_that_were_asked_for_or_without_numbers_or_rows_are_not_chosen() -> None:
    rows = np.arange(12)
    assert comparison_of({"a": rows}, rows % 2, cuts=3).choice_for(rows).cuts == 3
    assert comparison_of({"a": ["u", "v"] * 6}, rows % 2).choice_for(rows).cuts == "auto"
    assert comparison_of({"a": rows}, [0] * 10 + [1] * 2).choice_for(rows) == Choice("auto", None)


def test_cuts_that_make_no_variable_are_no_candidate() -> None:
    rows = np.arange(40)
    assert comparison_of({"a": rows % 7}, rows % 2).choice_for(rows).cuts in CUTS_TRIED[:3]


def test_lam_is_chosen_small_for_a_rule_and_not_where_it_is_given_or_of_no_machine() -> None:
    random = np.random.RandomState(0)
    rows = random.randint(0, 2, (300, 8))
    table, numbers = BitMatrix.of(rows), np.arange(300)
    parity = rows[:, :3].sum(axis=1) % 2
    rule = comparison_of(table, parity, learner=ConjunctionSVC(literals="positive")).choice_for(numbers)
    assert rule.factor == Fraction(1, 8)
    noise = np.where(random.random_sample(300) < 0.35, 1 - rows[:, 0], rows[:, 0])
    assert comparison_of(table, noise, learner=ConjunctionSVC()).choice_for(numbers).factor == FACTORS_TRIED[-1]
    for learner in (ConjunctionSVC(lam=3), ConjunctionSVCCV(), PerceptronClassifier()):
        assert comparison_of(table, parity, learner=learner).choice_for(numbers).factor is None


# Rows of all kinds


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
