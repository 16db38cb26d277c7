"""ConjunctionSVCCV finds size and regularisation as its docstring says."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

from conjunct import BitMatrix, ConjunctionSVC, ConjunctionSVCCV
from conjunct.errors import ConjunctError, SettingError
from conjunct.estimators import conjunction_svc_cv
from conjunct.estimators.margin_problems import MarginProblems
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
from conjunct.learners.margin.cell_descent import CellDescent


def random_table(seed: int, n_rows: int = 60, n_variables: int = 6, n_classes: int = 2) -> tuple[Any, Any]:
    """Rows, and labels that follow a rule except for some noise."""
    random = np.random.RandomState(seed)
    rows = random.randint(0, 2, (n_rows, n_variables))
    codes = (rows[:, 0] + rows[:, 1] * rows[:, 2] + random.randint(0, 5, n_rows) // 4) % n_classes
    codes[: 2 * n_classes] = [*range(n_classes)] * 2
    return rows, codes


def file_of(learner: Any) -> bytes:
    file: bytes = learner.__getstate__()["file"]
    return file


def test_the_results_name_every_candidate_and_the_best_is_shown() -> None:
    rows, labels = random_table(1)
    search = ConjunctionSVCCV(max_sizes=(2, 1), lams=(1, "1/2", 8), cv=3).fit(rows, labels)
    results = search.cv_results_
    assert results["max_size"] == [1, 1, 1, 2, 2, 2]
    assert results["lam"] == [8, 1, Fraction(1, 2)] * 2
    assert results["accuracy"].shape == (6, 3)
    np.testing.assert_allclose(results["mean_accuracy"], results["accuracy"].mean(axis=1), rtol=1e-15)
    best = int(np.argmax(results["mean_accuracy"]))
    assert search.best_score_ == results["mean_accuracy"].max()
    assert (search.max_size_, search.lam_) == (results["max_size"][best], results["lam"][best])
    assert search.model_.kernel == Conjunctions(search.max_size_)


def test_the_final_machine_is_the_one_of_all_rows() -> None:
    rows, labels = random_table(2)
    search = ConjunctionSVCCV(cv=3).fit(rows, labels)
    machine = ConjunctionSVC(Conjunctions(search.max_size_), search.lam_).fit(rows, labels)
    for name in ("bound_", "risk_", "gap_", "n_support_", "n_iter_", "stopped_by_", "history_"):
        assert getattr(search, name) == getattr(machine, name)
    assert search.dual_.tobytes() == machine.dual_.tobytes()
    assert search.decision_function(rows).tobytes() == machine.decision_function(rows).tobytes()


def test_the_grid_is_made_of_the_mean_over_the_rows_of_all_classes() -> None:
    rows, labels = random_table(3, n_classes=3)
    rows[labels == 2] = 1
    for multiclass in ("ovr", "ovo"):
        search = ConjunctionSVCCV(MonotoneConjunctions(), max_sizes=(2,), cv=3, multiclass=multiclass).fit(rows, labels)
        mean = sum(Fraction(MonotoneConjunctions(2).value(row, row)) for row in rows.tolist()) / len(rows)
        tried = search.cv_results_["lam"]
        assert tried == [mean * Fraction(4) ** power for power in range(1, -6, -1)][: len(tried)]


def test_accuracies_are_compared_as_fractions_and_a_file_keeps_the_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels = random_table(4)
    shares = [["1/10", "2/10", "3/10"], ["2/10", "2/10", "2/10"], ["0", "3/10", "3/10"]]
    ties = [[Fraction(share) for share in own] for own in shares]
    assert np.mean([float(share) for share in ties[0]]) != np.mean([float(share) for share in ties[2]])
    for order in permutations(ties):
        tried = [(Conjunctions(2), Fraction(lam)) for lam in (8, 4, 2)]
        monkeypatch.setattr(ConjunctionSVCCV, "_search", lambda *_, order=order, tried=tried: (tried, list(order)))
        search = ConjunctionSVCCV(max_sizes=(2,), lams=(8, 4, 2), cv=3).fit(rows, labels)
        assert (search.lam_, search.best_score_) == (8, 0.2)
        assert search.cv_results_["mean_accuracy"].tolist() == [0.2] * 3
        again = pickle.loads(pickle.dumps(search))
        assert (again.lam_, again.best_score_) == (8, 0.2)


def test_a_path_ends_once_accuracy_has_fallen_twice_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, labels = random_table(4)
    shares = [[4, 5, 4, 3, 9, 9, 9], [4, 3, 3, 2, 4, 3, 4], [1, 2, 3, 4, 5, 6, 7]]  # of ten, size by size
    wanted = iter([share for along in ([4, 5, 4, 3], shares[1], shares[2]) for share in along for _ in range(3)])
    monkeypatch.setattr(MarginProblems, "accuracy", lambda *_: Fraction(next(wanted), 10))
    search = ConjunctionSVCCV(cv=3).fit(rows, labels)
    results = search.cv_results_
    assert [results["max_size"].count(size) for size in (1, 2, 3)] == [4, 7, 7]
    assert results["accuracy"][:4, 0].tolist() == [0.4, 0.5, 0.4, 0.3]
    assert (search.max_size_, search.lam_, search.best_score_) == (3, results["lam"][-1], 0.7)


def test_folds_are_solved_in_a_few_sweeps_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[CellDescent] = []

    class Kept(CellDescent):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            searches.append(self)

    monkeypatch.setattr("conjunct.learners.margin.path.CellDescent", Kept)
    monkeypatch.setattr(conjunction_svc_cv, "SEARCH_TOL", 1e-12)
    monkeypatch.setattr(conjunction_svc_cv, "SEARCH_SWEEPS", 1)
    ConjunctionSVCCV(cv=3).fit(*random_table(4))
    assert {search.n_blocks for search in searches} == {1}


@pytest.mark.parametrize("multiclass", ["ovr", "ovo"])
def test_a_fold_may_miss_classes(multiclass: str) -> None:
    rows, labels = random_table(5, n_classes=4)
    first, second = np.flatnonzero(labels <= 1), np.flatnonzero(labels == 0)
    search = ConjunctionSVCCV(lams=(1, 2), cv=[(first, second), (second, first)], multiclass=multiclass)
    assert search.fit(rows, labels).cv_results_["accuracy"].shape == (6, 2)


def test_of_equal_accuracies_the_smaller_size_wins_and_then_the_larger_lam() -> None:
    rows = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], 10, axis=0)
    search = ConjunctionSVCCV(max_sizes=(2, 1), lams=(1, 2, "1/2")).fit(rows, rows[:, 0])
    assert np.all(search.cv_results_["accuracy"] == 1)
    assert (search.max_size_, search.lam_) == (1, 2)


def test_the_regularisations_follow_the_kernel_unless_given() -> None:
    rows, labels = random_table(3)
    for kernel in (None, MonotoneConjunctions(costs=Geometric("1/2"))):
        search = ConjunctionSVCCV(kernel, cv=2).fit(rows, labels)
        for size in (1, 2, 3):
            family = Conjunctions(size) if kernel is None else MonotoneConjunctions(size, Geometric("1/2"))
            mean = sum(Fraction(family.value(row, row)) for row in rows.tolist()) / 60
            own = [
                lam
                for s, lam in zip(search.cv_results_["max_size"], search.cv_results_["lam"], strict=True)
                if s == size
            ]
            assert own == [mean * Fraction(4) ** power for power in (1, 0, -1, -2, -3, -4, -5)][: len(own)]


def test_sizes_beyond_the_variables_are_left_out() -> None:
    rows, labels = random_table(4, n_variables=3)
    search = ConjunctionSVCCV(max_sizes=(3, 4, 99), cv=2).fit(rows, labels)
    assert set(search.cv_results_["max_size"]) == {3}
    with pytest.raises(SettingError, match=r"max_sizes=\(4, 99\): none fits rows of 3 variables"):
        ConjunctionSVCCV(max_sizes=(4, 99)).fit(rows, labels)


@pytest.mark.parametrize("multiclass", ["ovr", "ovo"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("weighed", [False, True])
def test_held_out_accuracies_are_those_of_a_machine_per_fold(
    weighed: bool, n_classes: int, multiclass: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conjunction_svc_cv, "SEARCH_TOL", 1e-10)
    monkeypatch.setattr(conjunction_svc_cv, "SEARCH_SWEEPS", None)
    rows, labels = random_table(5, n_rows=90, n_classes=n_classes)
    weights = np.random.RandomState(5).randint(1, 4, 90) if weighed else None
    folds = list(StratifiedKFold(3, shuffle=True, random_state=7).split(rows, labels))
    settings: dict[str, Any] = {"multiclass": multiclass}
    search = ConjunctionSVCCV(max_sizes=(1, 3), lams=(20, "1/3"), cv=folds, **settings).fit(rows, labels, weights)
    results = search.cv_results_
    for place, (size, lam) in enumerate(zip(results["max_size"], results["lam"], strict=True)):
        for fold, (train, test) in enumerate(folds):
            machine = ConjunctionSVC(Conjunctions(size), lam, tol=1e-10, **settings)
            machine.fit(rows[train], labels[train], None if weights is None else weights[train])
            score = machine.score(rows[test], labels[test], None if weights is None else weights[test])
            assert results["accuracy"][place, fold] == pytest.approx(score, abs=1e-12)


def test_folds_come_as_a_number_a_splitter_or_pairs_of_rows() -> None:
    rows, labels = random_table(6)
    given = StratifiedKFold(4, shuffle=True, random_state=0)
    by_number, by_splitter = (ConjunctionSVCCV(cv=cv).fit(rows, labels) for cv in (4, given))
    pairs = list(given.split(rows, labels))
    masks = [tuple(np.isin(np.arange(60), part) for part in pair) for pair in pairs]
    lists = [tuple(part.tolist() for part in pair) for pair in pairs]
    for cv in (pairs, iter(pairs), masks, lists, np.int64(4)):
        other = ConjunctionSVCCV(cv=cv).fit(rows, labels)
        np.testing.assert_array_equal(other.cv_results_["accuracy"], by_number.cv_results_["accuracy"])
    np.testing.assert_array_equal(by_splitter.cv_results_["accuracy"], by_number.cv_results_["accuracy"])
    assert ConjunctionSVCCV(cv=KFold(2)).fit(rows, labels).cv_results_["accuracy"].shape[1] == 2
    assert ConjunctionSVCCV(cv=ShuffleSplit(3, random_state=1)).fit(rows, labels).best_score_ <= 1
    assert ConjunctionSVCCV(cv=None).fit(rows, labels).cv_results_["accuracy"].shape[1] == 5


def test_a_fold_without_one_of_the_classes_is_learned_from_all_the_same() -> None:
    rows, labels = random_table(7)
    order = np.argsort(labels, kind="stable")
    search = ConjunctionSVCCV(cv=[(order[:20], order[20:])]).fit(rows, labels)
    assert 0 <= search.best_score_ <= 1


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        *(({"max_sizes": sizes}, "max_sizes=.*: expected") for sizes in ((), "12", 3, (0,), (1.5,), (True,), None)),
        *(({"lams": lams}, "lams=.*: expected a sequence of positive numbers") for lams in ((), "1", 3)),
        ({"lams": (0,)}, "lam=0: expected a positive number"),
        ({"lams": ("x",)}, "lam='x': expected an int"),
        ({"lams": (10**400,)}, r"lam is about 2\*\*1329, too far for floats"),
        ({"kernel": 3}, "kernel=3: expected a kernel"),
        ({"kernel": Conjunctions(costs=[1, 2])}, "to search sizes it must be Conjunctions"),
        ({"kernel": Conjunctions(2).on([0])}, "to search sizes it must be Conjunctions"),
        ({"tol": 0}, "tol=0: expected a relative gap"),
        ({"multiclass": "x"}, "multiclass='x': expected"),
        ({"verbose": "x"}, "verbose='x': expected True or False"),
        ({"class_weight": {5: 2}}, "class_weight names 5"),
        ({"cv": []}, r"cv=\[\]: expected at least one fold"),
        ({"cv": [([0, 1], [99])]}, "cv: fold 0: expected numbers of rows below 60"),
        ({"cv": [([0, 1], [0.5])]}, "cv: fold 0: expected numbers of rows below 60"),
        ({"cv": [([0, 1], [2]), ([], [2])]}, "cv: fold 1 has no training row with weight"),
        ({"cv": [([0, 1], [])]}, "cv: fold 0 has no held-out row with weight"),
    ],
)
def test_settings_without_meaning_are_refused_in_one_line(settings: dict[str, Any], message: str) -> None:
    search = ConjunctionSVCCV(**settings)
    with pytest.raises(ConjunctError, match=message) as caught:
        search.fit(*random_table(8))
    assert "\n" not in str(caught.value)
    assert not hasattr(search, "classes_")


@pytest.mark.parametrize("cv", [0, 1, True, "x", 3.5, 61])
def test_folds_that_scikit_learn_refuses_are_refused(cv: Any) -> None:
    with pytest.raises(ValueError, match="split"):
        ConjunctionSVCCV(cv=cv).fit(*random_table(9))


def test_a_search_ends_where_floats_cannot_reach_the_gap() -> None:
    rows, labels = random_table(10, n_rows=200, n_variables=8)
    search = ConjunctionSVCCV(max_sizes=(1, 3), lams=("1/1000000000000",), cv=2).fit(rows, labels)
    assert search.bound_ <= search.risk_


def test_a_kernel_past_floats_is_refused_by_name() -> None:
    rows = np.random.RandomState(11).randint(0, 2, (30, 1100))
    with pytest.raises(ConjunctError, match=r"max_size=1100.*about 2\*\*1100 on 1100 variables.*smaller max_size"):
        ConjunctionSVCCV(max_sizes=(1, 1100)).fit(rows, rows[:, 0])


@pytest.mark.parametrize(("n_classes", "multiclass"), [(2, "ovr"), (3, "ovr"), (3, "ovo")])
def test_files_and_pickles_keep_everything(n_classes: int, multiclass: str, tmp_path: Path) -> None:
    rows, labels = random_table(12, n_classes=n_classes)
    table = BitMatrix.of(rows, [f"v{v}" for v in range(6)])
    search = ConjunctionSVCCV(multiclass=multiclass, lams=("1/2", 3), cv=2).fit(table, np.array(list("abc"))[labels])
    search.save(tmp_path / "a.model")
    for other in (ConjunctionSVCCV.load(tmp_path / "a.model"), pickle.loads(pickle.dumps(search))):
        for name in ("max_size_", "best_score_", "lam_", "bound_", "risk_", "stopped_by_", "history_"):
            assert getattr(other, name) == getattr(search, name)
        assert other.cv_results_.keys() == search.cv_results_.keys()
        for name, values in search.cv_results_.items():
            assert type(other.cv_results_[name]) is type(values)
            np.testing.assert_array_equal(other.cv_results_[name], values)
        assert {name for name in vars(other) if name.endswith("_")} == {
            name for name in vars(search) if name.endswith("_")
        }
        assert other.decision_function(table).tobytes() == search.decision_function(table).tobytes()
        assert file_of(other) == file_of(search)
    assert file_of(clone(search).fit(table, np.array(list("abc"))[labels])) == file_of(search)


def test_a_splitter_has_no_place_in_a_file_and_is_named() -> None:
    search = ConjunctionSVCCV(cv=KFold(2)).fit(*random_table(13))
    with pytest.raises(ConjunctError, match=r"cv=KFold.* has no place in a model file; set it to None"):
        search.save("never written")
    search.cv = None
    assert file_of(search)


def test_weights_are_repetitions_for_the_final_machine() -> None:
    rows, labels = random_table(14)
    search = ConjunctionSVCCV(lams=(1,), max_sizes=(2,), cv=2).fit(rows, labels, np.full(60, 2))
    again = ConjunctionSVCCV(lams=(1,), max_sizes=(2,), cv=2).fit(np.tile(rows, (2, 1)), np.tile(labels, 2))
    assert (search.bound_, search.risk_) == (again.bound_, again.risk_)
