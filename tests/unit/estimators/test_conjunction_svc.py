"""ConjunctionSVC does what its docstring says, on good input and on bad."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csc_array, csr_array
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

from conjunct import BitMatrix, ConjunctionSVC
from conjunct.errors import BitsError, ConjunctError, KernelError, MemoryLimitError, SettingError
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
from conjunct.models import KernelExpansion, PairwiseExpansion

SOLVERS = ["exact", "margin", "perceptron"]
MULTICLASS = ["ovr", "ovo"]
SHOWN = ("bound_", "risk_", "gap_", "n_support_", "n_iter_", "stopped_by_", "history_", "lam_")


def random_table(seed: int, n_rows: int = 60, n_variables: int = 6, n_classes: int = 2) -> tuple[Any, Any]:
    """Rows, and labels that follow a rule except for some noise."""
    random = np.random.RandomState(seed)
    rows = random.randint(0, 2, (n_rows, n_variables))
    codes = (rows[:, 0] + rows[:, 1] * rows[:, 2] + random.randint(0, 5, n_rows) // 4) % n_classes
    codes[:n_classes] = range(n_classes)
    return rows, codes


def file_of(learner: Any) -> bytes:
    file: bytes = learner.__getstate__()["file"]
    return file


def told(machine: Any) -> list[Any]:
    """What a run ended with, but for the reason why it ended: what a file holds of it."""
    record, arrays = machine._learned().describe()
    for output in record["outputs"]:
        del output["stopped_by"]
    return [record, {name: array.tobytes() for name, array in arrays.items()}]


def exact_values(
    kernel: Any, lam: Fraction, rows: Any, signs: Any, weights: list[Fraction], dual: list[Fraction]
) -> tuple[Fraction, Fraction]:
    """Return (sum a)^2 / V(a) and R+ of f, row by row, by definition."""
    table = [tuple(row) for row in np.asarray(rows).tolist()]
    known = {(x, z): Fraction(kernel.value(x, z)) for x in set(table) for z in set(table)}
    support = [(z, y * a) for z, y, a in zip(table, signs, dual, strict=True) if a]
    score = {x: sum((b * known[x, z] for z, b in support), Fraction(0)) for x in set(table)}
    norm_sq = sum((b * score[z] for z, b in support), Fraction(0))
    penalty = lam * sum((a * a / q for a, q in zip(dual, weights, strict=True) if a), Fraction(0))
    charge = sum(q * max(Fraction(0), 1 - y * score[x]) ** 2 for x, y, q in zip(table, signs, weights, strict=True))
    return sum(dual) ** 2 / (norm_sq + penalty), norm_sq + charge / lam


# What it shows


@pytest.mark.parametrize("solver", SOLVERS)
def test_bound_and_risk_are_those_of_the_weights_of_the_rows(solver: str) -> None:
    rows, labels = random_table(1, n_rows=30, n_variables=4)
    weights = np.random.RandomState(1).choice([0, 1, 2, 4, 0.5], 30)
    kernel, lam = Conjunctions(2, Geometric("2/3")), Fraction(5, 2)
    machine = ConjunctionSVC(kernel, lam, solver=solver).fit(rows, labels, weights)
    q, a = [Fraction(w) for w in weights.tolist()], [Fraction(w) for w in machine.dual_.tolist()]
    bound, risk = exact_values(kernel, lam, rows, np.where(labels, 1, -1).tolist(), q, a)
    # The weight of a cell is an integer; the shares of its rows are floats.
    assert float(machine.bound_) == pytest.approx(float(bound), rel=1e-12)
    assert float(machine.risk_) == pytest.approx(float(risk), rel=1e-12)
    assert type(machine.bound_) is type(machine.risk_) is type(machine.lam_) is Fraction
    assert machine.bound_ <= machine.risk_
    assert machine.gap_ == float(1 - machine.bound_ / machine.risk_)
    assert np.all(machine.dual_ >= 0)
    assert not np.any(machine.dual_[weights == 0])
    assert machine.n_support_ == np.count_nonzero(machine.dual_)
    assert machine.dual_.shape == (30,)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_model_scores_rows_as_the_dual_does_and_keeps_cells_with_weight_only(solver: str) -> None:
    rows, labels = random_table(2, n_rows=80)
    kernel = MonotoneConjunctions(2)
    machine = ConjunctionSVC(kernel, 3, solver=solver).fit(rows, labels)
    scores = kernel.gram(rows) @ (machine.dual_ * np.where(labels, 1, -1))
    np.testing.assert_allclose(machine.decision_function(rows), scores, rtol=1e-9, atol=1e-12)
    assert isinstance(machine.model_, KernelExpansion)
    assert np.all(machine.model_.weights != 0)
    support = {tuple(row) for row in rows[machine.dual_ > 0].tolist()}
    assert {tuple(row) for row in machine.model_.rows.to_array().tolist()} <= support
    unit = machine.model_.unit
    assert unit.numerator & (unit.numerator - 1) == unit.denominator & (unit.denominator - 1) == 0
    assert np.max(np.abs(machine.model_.weights)) < 1 << 41


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_risk_is_that_of_the_model_without_rounding(solver: str) -> None:
    rows, labels = random_table(3, n_rows=25, n_variables=4)
    kernel = Conjunctions(2)
    machine = ConjunctionSVC(kernel, "7/2", solver=solver).fit(rows, labels)
    model, lam = machine.model_, machine.lam_
    cells = [tuple(row) for row in model.rows.to_array().tolist()]
    b = [model.unit * int(weight) for weight in model.weights[0]]
    norm_sq = sum(
        p * q * kernel.value(x, z) for x, p in zip(cells, b, strict=True) for z, q in zip(cells, b, strict=True)
    )
    scores = [score for [score] in model.scores(BitMatrix.of(rows))]
    charge = sum(max(Fraction(0), 1 - (2 * y - 1) * f) ** 2 for f, y in zip(scores, labels.tolist(), strict=True))
    assert machine.risk_ == norm_sq + charge / lam


@pytest.mark.parametrize("kernel", [Conjunctions(3), MonotoneConjunctions(2), Conjunctions(2).on([0, 1, 2])])
def test_the_three_solvers_have_one_objective(kernel: Any) -> None:
    rows, labels = random_table(4)
    exact, margin, perceptron = (
        ConjunctionSVC(kernel, 2, solver=solver, tol=1e-6).fit(rows, labels) for solver in SOLVERS
    )
    assert exact.stopped_by_ == margin.stopped_by_ == "gap"
    assert perceptron.stopped_by_ == "no update"
    for one in (exact, margin, perceptron):
        for other in (exact, margin, perceptron):
            assert one.bound_ <= other.risk_
    assert exact.gap_ <= 1e-6
    assert margin.gap_ <= 1e-6
    assert float(exact.risk_) == pytest.approx(float(margin.risk_), rel=2e-6)


@pytest.mark.parametrize("solver", SOLVERS)
def test_history_counts_up_to_n_iter_and_bounds_stay_below_risks(solver: str) -> None:
    rows, labels = random_table(5)
    machine = ConjunctionSVC(lam=1, solver=solver).fit(rows, labels)
    counts = [stands.n_iter for stands in machine.history_]
    assert counts == sorted(counts)
    assert counts[-1] == machine.n_iter_ > 0
    assert all(0 <= stands.bound <= stands.risk * (1 + 1e-12) for stands in machine.history_)
    assert machine.history_[-1].bound == pytest.approx(float(machine.bound_), rel=1e-3)
    assert machine.history_[-1].bound >= machine.history_[0].bound


def test_lam_is_half_the_mean_of_the_kernel_by_weight_unless_given() -> None:
    rows, labels = random_table(6)
    weights = np.random.RandomState(6).randint(0, 4, 60)
    weights[:2] = 1
    for kernel in (Conjunctions(2), MonotoneConjunctions(costs=Geometric("1/3"))):
        own = [Fraction(kernel.value(row, row)) for row in rows.tolist()]
        assert ConjunctionSVC(kernel).fit(rows, labels).lam_ == sum(own) / 60 / 2
        mean = sum(k * int(w) for k, w in zip(own, weights, strict=True)) / int(weights.sum())
        assert ConjunctionSVC(kernel).fit(rows, labels, weights).lam_ == mean / 2


@pytest.mark.parametrize("multiclass", MULTICLASS)
def test_lam_is_half_the_mean_over_the_rows_of_all_classes(multiclass: str) -> None:
    rows, labels = random_table(6, n_classes=4)
    rows[labels == 3] = 1  # the last class has the largest values of the kernel
    kernel, weights = MonotoneConjunctions(2), np.arange(60) % 5 + (labels == 3)
    weights[:4] = 1
    own = [Fraction(kernel.value(row, row)) for row in rows.tolist()]
    assert ConjunctionSVC(kernel, multiclass=multiclass).fit(rows, labels).lam_ == sum(own) / 60 / 2
    mean = sum(k * int(w) for k, w in zip(own, weights, strict=True)) / int(weights.sum())
    assert ConjunctionSVC(kernel, multiclass=multiclass).fit(rows, labels, weights).lam_ == mean / 2


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("solver", SOLVERS)
def test_weights_mean_their_decimals_and_may_be_fractions(solver: str, n_classes: int) -> None:
    rows, labels = random_table(8, n_classes=n_classes)
    tenths = np.random.RandomState(8).randint(1, 9, 60)
    spellings = [
        [Fraction(int(w), 10) for w in tenths],
        [f"{w}/10" for w in tenths],
        (tenths / 10).tolist(),
        tenths / 10,
        (tenths / 10).astype(np.float32),
        (tenths / 10).astype(np.float16),
        [f"{w}/10" if w % 2 else Fraction(int(w), 10) for w in tenths],
    ]
    machines = [ConjunctionSVC(lam=1, solver=solver).fit(rows, labels, weights) for weights in spellings]
    assert len({file_of(machine) for machine in machines}) == 1
    # A weight of 1/10 under lam = 1 is a weight of 1 under lam = 10.
    repeated = ConjunctionSVC(lam=10, solver=solver).fit(np.repeat(rows, tenths, axis=0), np.repeat(labels, tenths))
    np.testing.assert_array_equal(np.ravel([machines[0].bound_]), np.ravel([repeated.bound_]))
    np.testing.assert_array_equal(np.ravel([machines[0].risk_]), np.ravel([repeated.risk_]))


@pytest.mark.parametrize("multiclass", MULTICLASS)
def test_large_weights_that_cancel_stay_positive_beside_outputs_of_small_ones(multiclass: str) -> None:
    random = np.random.RandomState(3)
    rows, labels = random.randint(0, 2, (8, 3)), random.randint(0, 3, 8)
    labels[:3] = range(3)
    kernel = Conjunctions(costs=Geometric(10**7))
    machine = ConjunctionSVC(kernel, 0.1, multiclass=multiclass).fit(rows, labels)
    assert np.all(machine.dual_ >= 0)
    assert pickle.loads(pickle.dumps(machine)).bound_ == machine.bound_


def test_exact_numbers_may_be_given_in_any_form() -> None:
    rows, labels = random_table(7)
    halves = [Fraction(1, 2), "1/2", 0.5, np.float64(0.5)]
    assert len({file_of(ConjunctionSVC(lam=half).fit(rows, labels).set_params(lam=None)) for half in halves}) == 1
    assert ConjunctionSVC(lam=0.1).fit(rows, labels).lam_ == Fraction(1, 10)
    assert ConjunctionSVC(lam=np.int64(3)).fit(rows, labels).lam_ == ConjunctionSVC(lam=3).fit(rows, labels).lam_ == 3
    by_costs = [
        ConjunctionSVC(kernel, 2).fit(rows, labels)
        for kernel in (
            *(Conjunctions(2, Geometric(half)) for half in halves[:3]),
            *(Conjunctions(2, costs) for costs in ([1, 2, 4], ["1", "2/1", 4.0], [Fraction(1), 2, Fraction(4)])),
        )
    ]
    assert len({(machine.bound_, machine.risk_) for machine in by_costs}) == 1
    assert ConjunctionSVC(lam="1/2").fit(rows, labels).get_params()["lam"] == "1/2"


def test_the_default_kernel_gives_way_to_few_variables_and_only_the_default() -> None:
    assert ConjunctionSVC().fit([[0], [1]], [0, 1]).model_.kernel == Conjunctions(1)
    assert ConjunctionSVC().fit(*random_table(8)).model_.kernel == Conjunctions(3)
    with pytest.raises(SettingError, match="up to 3 literals; the rows have 1 variables"):
        ConjunctionSVC(Conjunctions(3)).fit([[0], [1]], [0, 1])


# Weights


@pytest.mark.parametrize("multiclass", MULTICLASS)
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("solver", SOLVERS)
def test_weights_are_repetitions_bit_for_bit(solver: str, n_classes: int, multiclass: str) -> None:
    rows, labels = random_table(9, n_classes=n_classes)
    weights = np.random.RandomState(9).randint(0, 4, 60)
    weights[:n_classes] = 1
    again = np.repeat(np.arange(60), weights)
    machine = ConjunctionSVC(solver=solver, multiclass=multiclass)
    one, other = clone(machine).fit(rows, labels, weights), clone(machine).fit(rows[again], labels[again])
    for name in ("bound_", "risk_", "lam_", "history_", "stopped_by_"):
        assert getattr(one, name) == getattr(other, name)
    assert one.decision_function(rows).tobytes() == other.decision_function(rows).tobytes()
    assert one.predict(rows).tolist() == other.predict(rows).tolist()
    sums = np.array([other.dual_[..., again == row].sum(axis=-1) for row in range(60)]).T
    np.testing.assert_allclose(one.dual_, sums, rtol=1e-12)
    assert not np.any(one.dual_[..., weights == 0])


def test_class_weights_are_sample_weights() -> None:
    rows, labels = random_table(10, n_classes=3)
    given = {0: 2, 1: "1/2", 2: 0.25}
    by_class = ConjunctionSVC(class_weight=given).fit(rows, labels)
    by_row = ConjunctionSVC().fit(rows, labels, np.array([2, 0.5, 0.25])[labels])
    assert (by_class.bound_, by_class.risk_) == (by_row.bound_, by_row.risk_)
    weights = np.random.RandomState(10).randint(1, 4, 60)
    both = ConjunctionSVC(class_weight=given).fit(rows, labels, weights)
    product = ConjunctionSVC().fit(rows, labels, weights * np.array([2, 0.5, 0.25])[labels])
    assert (both.bound_, both.risk_) == (product.bound_, product.risk_)


def test_balanced_weights_give_every_class_the_same_mass() -> None:
    rows, labels = random_table(11)
    counts = np.bincount(labels)
    balanced = ConjunctionSVC(class_weight="balanced").fit(rows, labels)
    by_hand = ConjunctionSVC(class_weight={k: Fraction(60, 2 * int(counts[k])) for k in (0, 1)}).fit(rows, labels)
    assert balanced.bound_ == by_hand.bound_
    weights = np.random.RandomState(11).randint(0, 4, 60)
    again = np.repeat(np.arange(60), weights)
    weighed = ConjunctionSVC(class_weight="balanced").fit(rows, labels, weights)
    repeated = ConjunctionSVC(class_weight="balanced").fit(rows[again], labels[again])
    assert (weighed.bound_, weighed.risk_) == (repeated.bound_, repeated.risk_)


def test_one_number_weighs_every_row() -> None:
    rows, labels = random_table(12)
    assert ConjunctionSVC().fit(rows, labels, 2).bound_ == ConjunctionSVC().fit(rows, labels, np.full(60, 2)).bound_


# Labels, input, several classes


@pytest.mark.parametrize("pair", [("no", "yes"), (3, 7), (False, True), (-1.0, 2.0), (np.uint8(0), np.uint8(255))])
def test_any_two_labels_are_learned_and_the_greater_one_is_positive(pair: tuple[Any, Any]) -> None:
    rows, codes = random_table(13)
    labels = np.array(pair)[codes]
    machine = ConjunctionSVC().fit(rows, labels)
    assert machine.classes_.tolist() == np.array(pair).tolist()
    predicted = machine.predict(rows)
    assert predicted.dtype == labels.dtype
    np.testing.assert_array_equal(predicted == np.array(pair)[1], machine.decision_function(rows) > 0)
    np.testing.assert_array_equal(predicted, np.array(pair)[ConjunctionSVC().fit(rows, codes).predict(rows)])


def test_an_exact_tie_is_positive() -> None:
    machine = ConjunctionSVC().fit([[1, 1]] * 4, [0, 1, 0, 1])
    assert machine.predict([[1, 1], [0, 0]]).tolist() == [1, 1]
    assert machine.decision_function([[1, 1], [0, 0]]).tolist() == [5e-324, 5e-324]
    # No polynomial does better than 0, which costs each of four rows 1 / lam.
    assert machine.bound_ == machine.risk_ == 4 / machine.lam_
    assert machine.gap_ == 0


def test_every_kind_of_input_gives_the_same_machine() -> None:
    rows, labels = random_table(14)
    names = [f"x{v}" for v in range(6)]
    plain = ConjunctionSVC().fit(rows, labels)
    for given in (BitMatrix.of(rows), csr_array(rows), csc_array(rows), rows.astype(bool), rows.astype(float)):
        assert file_of(ConjunctionSVC().fit(given, labels)) == file_of(plain)
        assert plain.decision_function(given).tobytes() == plain.decision_function(rows).tobytes()
    frames = [pd.DataFrame(rows, columns=names), pl.DataFrame(rows, schema=names), BitMatrix.of(rows, names)]
    files = set()
    for frame in frames:
        machine = ConjunctionSVC().fit(frame, labels)
        assert machine.feature_names_in_.tolist() == names
        assert machine.bound_ == plain.bound_
        assert machine.predict(frame).tolist() == plain.predict(rows).tolist()
        files.add(file_of(machine))
    assert len(files) == 1
    assert ConjunctionSVC(binarize=0.5).fit(rows * 3.0, labels).bound_ == plain.bound_


@pytest.mark.parametrize("n_classes", [3, 4])
def test_the_first_largest_score_wins(n_classes: int) -> None:
    rows, labels = random_table(15, n_classes=n_classes)
    machine = ConjunctionSVC().fit(rows, labels)
    scores = machine.model_.scores(BitMatrix.of(rows))
    assert machine.predict(rows).tolist() == [max(range(n_classes), key=lambda k: (row[k], -k)) for row in scores]
    values = machine.decision_function(rows)
    assert values.shape == (60, n_classes)
    np.testing.assert_array_equal(np.argmax(values, axis=1), machine.predict(rows))
    for name in ("bound_", "risk_", "gap_", "n_support_", "n_iter_", "stopped_by_", "history_", "dual_"):
        assert len(getattr(machine, name)) == n_classes
    for k in range(n_classes):
        own = ConjunctionSVC(lam=machine.lam_).fit(rows, labels == k)
        assert (own.bound_, own.risk_) == (machine.bound_[k], machine.risk_[k])


@pytest.mark.parametrize("n_classes", [3, 4])
def test_the_first_class_of_most_votes_wins(n_classes: int) -> None:
    rows, labels = random_table(16, n_classes=n_classes)
    machine = ConjunctionSVC(lam=2, multiclass="ovo").fit(rows, labels)
    assert isinstance(machine.model_, PairwiseExpansion)
    pairs = [(a, b) for a in range(n_classes) for b in range(a + 1, n_classes)]
    votes = np.zeros((60, n_classes))
    for place, (a, b) in enumerate(pairs):
        chosen = np.isin(labels, (a, b))
        own = ConjunctionSVC(lam=2).fit(rows[chosen], labels[chosen])
        assert own.bound_ <= machine.risk_[place]
        assert machine.bound_[place] <= own.risk_
        assert machine.gap_[place] <= 1e-3
        assert not np.any(machine.dual_[place, ~chosen])
        scores = machine.model_.parts[place].scores(BitMatrix.of(rows))
        votes[np.arange(60), [b if score >= 0 else a for [score] in scores]] += 1
    np.testing.assert_array_equal(machine.decision_function(rows), votes)
    np.testing.assert_array_equal(machine.predict(rows), np.argmax(votes, axis=1))
    assert len(machine.stopped_by_) == len(machine.dual_) == len(pairs)


def test_two_classes_are_one_output_however_several_would_be_learned() -> None:
    rows, labels = random_table(17)
    ovr, ovo = (ConjunctionSVC(multiclass=word).fit(rows, labels) for word in MULTICLASS)
    assert ovr.bound_ == ovo.bound_
    assert ovo.decision_function(rows).shape == (60,)


# As part of scikit-learn


def test_calibration_gives_probabilities() -> None:
    rows, labels = random_table(18, n_rows=150)
    calibrated = CalibratedClassifierCV(ConjunctionSVC(), cv=3).fit(rows, labels)
    chances = calibrated.predict_proba(rows)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert np.all((chances >= 0) & (chances <= 1))
    assert np.mean(chances[labels == 1, 1]) > np.mean(chances[labels == 0, 1])


def test_sizes_and_regularisations_are_searched() -> None:
    rows, labels = random_table(19)
    grid = {"kernel__max_size": [1, 2], "lam": [1, "1/2"]}
    search = GridSearchCV(ConjunctionSVC(Conjunctions(3)), grid, cv=2).fit(rows, labels)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_estimator_.model_.kernel.max_size == search.best_params_["kernel__max_size"]


def test_a_clone_is_unfitted_with_the_same_parameters() -> None:
    machine = ConjunctionSVC(Conjunctions(2), "1/3", solver="margin", class_weight={0: 2}).fit(*random_table(20))
    copy = clone(machine)
    assert copy.get_params() == machine.get_params()
    with pytest.raises(NotFittedError):
        copy.predict([[0] * 6])
    assert file_of(copy.fit(*random_table(20))) == file_of(machine)


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(("n_classes", "multiclass"), [(2, "ovr"), (3, "ovr"), (3, "ovo")])
def test_files_and_pickles_keep_everything(solver: str, n_classes: int, multiclass: str, tmp_path: Path) -> None:
    rows, labels = random_table(21, n_classes=n_classes)
    table = BitMatrix.of(rows, [f"v{v}" for v in range(6)])
    machine = ConjunctionSVC(solver=solver, multiclass=multiclass, lam="7/2").fit(table, np.array(list("abc"))[labels])
    machine.save(tmp_path / "a.model")
    for other in (ConjunctionSVC.load(tmp_path / "a.model"), pickle.loads(pickle.dumps(machine))):
        assert other.get_params() == machine.get_params()
        for name in (*SHOWN, "dual_", "classes_", "n_features_in_", "feature_names_in_"):
            ours, theirs = getattr(machine, name), getattr(other, name)
            assert type(ours) is type(theirs)
            np.testing.assert_array_equal(np.asarray(ours, object), np.asarray(theirs, object))
        assert {name for name in vars(other) if name.endswith("_")} == {
            name for name in vars(machine) if name.endswith("_")
        }
        assert other.decision_function(table).tobytes() == machine.decision_function(table).tobytes()
        assert other.predict(table).tolist() == machine.predict(table).tolist()
        assert file_of(other) == file_of(machine)


# Stopping


@pytest.mark.parametrize("solver", SOLVERS)
def test_few_iterations_stop_with_the_true_gap(solver: str) -> None:
    rows, labels = random_table(22, n_rows=200, n_variables=10)
    for most in (1, 2, 3):
        machine = ConjunctionSVC(lam="1/1000", solver=solver, tol=1e-12, max_iter=most).fit(rows, labels)
        assert (machine.n_iter_, machine.stopped_by_) == (most, "max_iter")
        assert 0 <= machine.bound_ <= machine.risk_
        assert machine.gap_ == float(1 - machine.bound_ / machine.risk_) > 1e-12


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_cut_by_time_is_reproduced_by_its_number_of_iterations(solver: str) -> None:
    random = np.random.RandomState(23)
    rows, labels = random.randint(0, 2, (3000, 30)), random.randint(0, 2, 3000)
    for limit in (1e-9, 0.05):
        cut = ConjunctionSVC(lam="1/1000", solver=solver, tol=1e-9, time_limit=limit).fit(rows, labels)
        assert cut.stopped_by_ == "time_limit"
        assert cut.bound_ <= cut.risk_
        assert cut.n_iter_ >= 1
        again = ConjunctionSVC(lam="1/1000", solver=solver, tol=1e-9, max_iter=cut.n_iter_).fit(rows, labels)
        assert told(again) == told(cut)
        assert again.decision_function(rows[:50]).tobytes() == cut.decision_function(rows[:50]).tobytes()


@pytest.mark.parametrize("multiclass", MULTICLASS)
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_run_of_several_classes_without_time_is_reproduced_too(solver: str, multiclass: str) -> None:
    rows, labels = random_table(24, n_classes=4)
    settings: dict[str, Any] = {"lam": "1/50", "solver": solver, "multiclass": multiclass, "tol": 1e-6}
    cut = ConjunctionSVC(**settings, time_limit=1e-12).fit(rows, labels)
    assert cut.predict(rows).shape == (60,)
    assert pickle.loads(pickle.dumps(cut)).bound_ == cut.bound_
    again = ConjunctionSVC(**settings, max_iter=cut.n_iter_).fit(rows, labels)
    assert told(again) == told(cut)
    assert told(pickle.loads(pickle.dumps(again))) == told(cut)
    few = ConjunctionSVC(**settings, max_iter=[5, 0, 7, 2] if multiclass == "ovr" else [5, 0, 7, 2, 9, 1])
    assert few.fit(rows, labels).n_iter_.tolist() != cut.n_iter_.tolist()


def test_limits_of_iterations_are_as_many_as_there_are_outputs() -> None:
    rows, labels = random_table(24, n_classes=4)
    with pytest.raises(SettingError, match=r"max_iter=\[3, 4\]: expected one number, or 6 for the outputs"):
        ConjunctionSVC(multiclass="ovo", max_iter=[3, 4]).fit(rows, labels)
    with pytest.raises(SettingError, match=r"max_iter=True: expected a positive integer"):
        ConjunctionSVC(max_iter=[3, 4, True, 5]).fit(rows, labels)


def test_a_time_limit_may_be_any_positive_number() -> None:
    rows, labels = random_table(25)
    for limit in (np.int64(30), np.float32(30), 10**400, float("inf")):
        assert ConjunctionSVC(time_limit=limit).fit(rows, labels).stopped_by_ == "gap"


INTERRUPTED = """
import os, signal, sys, threading
import numpy as np
from conjunct import ConjunctionSVC
solver = sys.argv[1]
random = np.random.RandomState(1)
width = 12 if solver == "perceptron" else 40  # which is slow on contradictory rows only
rows, labels = random.randint(0, 2, (9000, width)), random.randint(0, 2, 9000)
for keeps, is_fitted in ((True, False), (False, False), (False, True)):
    machine = ConjunctionSVC(lam="1/100000", solver=solver, tol=1e-13, keep_interrupted=keeps)
    if is_fitted:
        machine.fit(rows[:20], labels[:20])
    before = dict(vars(machine))
    threading.Timer(1.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        machine.fit(rows, labels)
        assert keeps and machine.stopped_by_ == "interrupted", machine.stopped_by_
        assert 0 < machine.bound_ <= machine.risk_ and machine.gap_ == float(1 - machine.bound_ / machine.risk_)
        assert machine.n_support_ == np.count_nonzero(machine.dual_) > 0 and len(machine.predict(rows)) == 9000
    except KeyboardInterrupt:
        assert not keeps
        assert vars(machine).keys() == before.keys() and all(vars(machine)[name] is before[name] for name in before)
"""


@pytest.mark.parametrize("solver", SOLVERS)
def test_an_interrupt_keeps_the_best_so_far_or_leaves_all_as_it_was(solver: str) -> None:
    command = [sys.executable, "-W", "error", "-c", INTERRUPTED, solver]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.stderr, done.returncode) == ("", 0)


# Bad input

ROWS, LABELS = random_table(26, n_rows=20)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        *(({"lam": lam}, f"lam={lam}: expected a positive number") for lam in (0, -1, -0.5)),
        *(
            ({"lam": lam}, "lam=.*: expected an int, a Fraction")
            for lam in (float("nan"), float("inf"), "x", True, [1])
        ),
        *(({"tol": tol}, "tol=.*: expected a relative gap between 0 and 1") for tol in (0, 1, -1, "x", None, np.nan)),
        ({"kernel": 3}, "kernel=3: expected a kernel of conjunct.kernels"),
        ({"kernel": Conjunctions}, "kernel=.*: expected a kernel"),
        ({"kernel": Conjunctions(7)}, "up to 7 literals; the rows have 6 variables. Use a smaller max_size"),
        ({"kernel": MonotoneConjunctions(costs=[1] * 9)}, "up to 8 literals; the rows have 6 variables"),
        ({"kernel": Conjunctions(1).on([0, 6])}, "column 6, which is not among the 6"),
        ({"kernel": Conjunctions(1).on(["z"])}, "column 'z', which is not among the 6"),
        ({"solver": "x"}, 'solver=\'x\': expected "exact", "margin" or "perceptron"'),
        ({"solver": None}, "solver=None: expected"),
        ({"multiclass": "x"}, 'multiclass=\'x\': expected "ovr" or "ovo"'),
        ({"multiclass": ["ovr"]}, "multiclass=.*: expected"),
        *(({"max_iter": n}, "max_iter=.*: expected a positive integer") for n in (0, -1, 1.5, True, "3")),
        *(({"time_limit": t}, "time_limit=.*: expected a positive number") for t in (0, -1, True, "3", float("nan"))),
        ({"class_weight": {5: 1}}, "class_weight names 5, which is not among the classes"),
        ({"class_weight": "x"}, "class_weight='x': expected None"),
        ({"class_weight": {0: 0}}, "expected positive weights"),
        ({"keep_interrupted": 1}, "keep_interrupted=1: expected True or False"),
        ({"binarize": "x"}, "binarize='x': expected None"),
        ({"lam": 10**400}, r"lam is about 2\*\*1329, too far for floats"),
        ({"lam": Fraction(1, 10**400)}, r"lam is about 2\*\*-1329, too far for floats"),
    ],
)
def test_settings_without_meaning_are_refused_in_one_line(settings: dict[str, Any], message: str) -> None:
    machine = ConjunctionSVC(**settings)
    with pytest.raises(ConjunctError, match=message) as caught:
        machine.fit(ROWS, LABELS)
    assert "\n" not in str(caught.value)
    assert not hasattr(machine, "classes_")


def test_a_size_below_one_is_refused() -> None:
    with pytest.raises(KernelError, match="max_size=0: expected a positive integer"):
        ConjunctionSVC().set_params(kernel__max_size=0)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (-np.ones(20), "sample_weight has -1.0 in row 0"),
        (np.where(np.arange(20) == 3, np.nan, 1), "sample_weight has nan in row 3"),
        (np.where(np.arange(20) == 4, np.inf, 1), "sample_weight has inf in row 4"),
        (np.ones(19), r"expected 20 numbers, got type float64 and shape \(19,\)"),
        (np.ones((20, 1)), r"expected 20 numbers, got .* shape \(20, 1\)"),
        (["a"] * 20, "sample_weight has 'a' in row 0; expected a finite number"),
        (["1", *["-1/2"] * 19], "sample_weight has '-1/2' in row 1; expected a finite number"),
        ([None] * 20, "sample_weight has None in row 0; expected a finite number"),
        (np.zeros(20), "every row has weight zero"),
        (LABELS, "every row of class 0 has weight 0"),
        (np.full(20, 1e-300), r"the rows weigh from about 2\*\*-997 to .* Divide all weights"),
        (np.full(20, 1e300), r"the rows weigh from about 2\*\*997 to"),
        (np.where(LABELS, 1e-300, 1e300), r"the rows weigh from about 2\*\*-997 to"),
    ],
)
@pytest.mark.parametrize("solver", SOLVERS)
def test_weights_without_meaning_are_refused_in_one_line(solver: str, weights: Any, message: str) -> None:
    with pytest.raises(BitsError, match=message) as caught:
        ConjunctionSVC(solver=solver).fit(ROWS, LABELS, weights)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("multiclass", MULTICLASS)
def test_a_class_without_weight_is_named(multiclass: str) -> None:
    rows, labels = random_table(27, n_classes=3)
    with pytest.raises(BitsError, match="every row of class 'c' has weight 0"):
        ConjunctionSVC(multiclass=multiclass).fit(rows, np.array(list("abc"))[labels], labels != 2)


@pytest.mark.parametrize(
    ("rows", "labels", "message"),
    [
        (ROWS, LABELS * 0, "one class only, 0; two are needed"),
        (ROWS, None, "requires y to be passed"),
        (ROWS, LABELS[:3], "20 rows need as many labels, got 3"),
        (ROWS[:0], LABELS[:0], "0 sample"),
        (BitMatrix.of(ROWS)[:0], LABELS[:0], "X has 0 rows"),
        (ROWS * 2, LABELS, "has 2 in row"),
        (ROWS, np.where(LABELS, np.nan, 1), "y contains NaN"),
        (ROWS, np.random.RandomState(0).rand(20), "Unknown label type: continuous"),
    ],
)
def test_tables_without_meaning_are_refused(rows: Any, labels: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ConjunctionSVC().fit(rows, labels)


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_kernel_past_floats_is_refused_by_name_with_a_way_out(solver: str) -> None:
    rows = np.random.RandomState(28).randint(0, 2, (30, 1100))
    with pytest.raises(KernelError, match=r"Conjunctions\(.*about 2\*\*1100 on 1100 variables.*smaller max_size"):
        ConjunctionSVC(Conjunctions(), solver=solver).fit(rows, rows[:, 0])
    assert ConjunctionSVC(Conjunctions(2), solver=solver).fit(rows, rows[:, 0]).score(rows, rows[:, 0]) == 1
    assert ConjunctionSVC(Conjunctions(), solver=solver, max_iter=9999).fit(rows[:, :800], rows[:, 0]).bound_ > 0


def test_a_fit_that_fails_leaves_the_earlier_machine() -> None:
    machine = ConjunctionSVC().fit(ROWS, LABELS)
    before = file_of(machine)
    for bad in ((ROWS[:, :2], LABELS * 0), (ROWS * 3, LABELS), (ROWS, None)):
        with pytest.raises(ConjunctError):
            machine.fit(*bad)
        assert file_of(machine) == before


def test_little_memory_is_respected_and_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.RandomState(29)
    rows, labels = random.randint(0, 2, (900, 12)), random.randint(0, 2, 900)
    plain = file_of(ConjunctionSVC(max_iter=20).fit(rows, labels))
    monkeypatch.setenv("CONJUNCT_MEMORY", "100K")
    assert file_of(ConjunctionSVC(max_iter=20).fit(rows, labels)) == plain
    wide = random.randint(0, 2, (20, 3000))
    with pytest.raises(MemoryLimitError, match=r"the kernel's table over 3000 variables needs .* smaller max_size"):
        ConjunctionSVC(Conjunctions(2000)).fit(wide, wide[:, 0])


# Extremes that are no errors


@pytest.mark.parametrize("solver", SOLVERS)
def test_extreme_problems_have_true_gaps(solver: str) -> None:
    rows, labels = random_table(30)
    for settings, weights in (
        ({"lam": 10**15}, None),
        ({"lam": "1/1000000000000", "max_iter": 5000}, None),
        ({"class_weight": {0: 1000, 1: 0.0001}, "max_iter": 50_000}, None),
        ({"max_iter": 5000}, np.where(labels, 1e-30, 1e30)),
        ({"max_iter": 5000}, np.full(60, 1e-200)),
        ({"max_iter": 5000}, np.full(60, 1e200)),
    ):
        machine = ConjunctionSVC(solver=solver, **settings).fit(rows, labels, weights)
        assert 0 < machine.bound_ <= machine.risk_
        assert machine.gap_ <= 1e-3 or machine.stopped_by_ != "gap"
        assert np.all(np.isfinite(machine.dual_))
        assert np.all(np.isfinite(machine.decision_function(rows)))


@pytest.mark.parametrize("solver", SOLVERS)
def test_small_and_equal_and_contradictory_rows_are_problems_like_others(solver: str) -> None:
    for rows, labels in (
        ([[0, 1], [1, 1]], [0, 1]),
        ([[0], [1], [1]], [0, 1, 1]),
        ([[1, 1, 1]] * 6, [0, 1, 1, 0, 1, 1]),
        ([[1, 1, 1]] * 6, [0, 1, 2, 0, 1, 2]),
        ([[0, 1], [0, 1], [1, 0], [1, 0]], [0, 1, 0, 1]),
    ):
        for multiclass in MULTICLASS:
            machine = ConjunctionSVC(solver=solver, multiclass=multiclass).fit(rows, labels)
            assert machine.predict(rows).shape == (len(rows),)
            assert np.all(np.array(machine.gap_) < 1)


def test_many_equal_rows_are_few_cells() -> None:
    rows = np.random.RandomState(31).randint(0, 2, (100_000, 4))
    labels = rows[:, 0] & rows[:, 1]
    machine = ConjunctionSVC().fit(rows, labels)
    assert machine.score(rows, labels) == 1
    assert machine.model_.rows.n_rows <= 16


def test_two_fits_at_once_on_one_object_are_refused() -> None:
    random = np.random.RandomState(32)
    rows, labels = random.randint(0, 2, (4000, 30)), random.randint(0, 2, 4000)
    machine, errors = ConjunctionSVC(lam="1/1000", tol=1e-12, time_limit=1.0), []

    def fit() -> None:
        try:
            machine.fit(rows, labels)
        except ConjunctError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=fit) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(errors) == 1
    assert "being fitted in another thread" in errors[0]
    assert machine.stopped_by_ == "time_limit"
