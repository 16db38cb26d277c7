from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from threading import Event
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csc_array, csr_array, csr_matrix
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

from conjunct import BitMatrix, KernelPerceptronClassifier, theory
from conjunct.datasets import tic_tac_toe
from conjunct.errors import BitsError, BusyError, ConjunctError, KernelError, SettingError
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
from conjunct.learners import KernelPerceptron
from conjunct.learners.online.kernel_perceptron_run import KernelPerceptronRun
from reference.reference_one_vs_rest import OneVsRest

PREDICTIONS = ["final", "averaged", "voted"]


def random_table(seed: int, n_rows: int = 60, n_variables: int = 6, n_classes: int = 2) -> tuple[Any, Any]:
    """Rows, and labels that follow a rule except for some noise."""
    random = np.random.RandomState(seed)
    rows = random.randint(0, 2, (n_rows, n_variables))
    codes = (rows[:, 0] + rows[:, 1] * rows[:, 2] + random.randint(0, 5, n_rows) // 4) % n_classes
    codes[:n_classes] = range(n_classes)
    return rows, codes


def state_of(learner: KernelPerceptronClassifier) -> bytes:
    file: bytes = learner.__getstate__()["file"]
    return file


def updates_of(learner: KernelPerceptronClassifier) -> list[Any]:
    return [
        (t.rows.to_array().tolist(), t.slot.tolist(), t.weight.tolist(), t.step.tolist(), t.index.tolist(), t.n_steps)
        for t in learner.transcripts_
    ]


def arrays_of(learner: KernelPerceptronClassifier) -> list[Any]:
    model = learner.model_
    own = [model.weights] if hasattr(model, "weights") else [array for update in model.updates for array in update]
    return [*own, model.rows.words, *(getattr(t, name) for t in learner.transcripts_ for name in ("slot", "rate"))]


def with_transcript(*args: Any, **settings: Any) -> KernelPerceptronClassifier:
    """A learner that keeps its transcript."""
    return KernelPerceptronClassifier(*args, keep_transcript=True, **{"shuffle": False, **settings})


# Labels and ties


@pytest.mark.parametrize(
    "pair", [("no", "yes"), (3, 7), (False, True), (-1.0, 2.0), (np.uint8(0), np.uint8(255)), ("", "ü")]
)
def test_any_two_labels_are_learned_and_the_greater_one_is_positive(pair: tuple[Any, Any]) -> None:
    rows, codes = random_table(1)
    labels = np.array(pair)[codes]
    learner = KernelPerceptronClassifier(shuffle=False).fit(rows, labels)
    assert learner.classes_.tolist() == list(np.array(pair).tolist())
    predicted = learner.predict(rows)
    assert predicted.dtype == labels.dtype
    np.testing.assert_array_equal(predicted == np.array(pair)[1], learner.decision_function(rows) > 0)
    same = KernelPerceptronClassifier(shuffle=False).fit(rows, codes)
    np.testing.assert_array_equal(predicted, np.array(pair)[same.predict(rows)])


def test_labels_may_be_a_list_or_a_series_of_text() -> None:
    rows, codes = random_table(2)
    text = ["no" if code == 0 else "yes" for code in codes]
    for labels in (text, pd.Series(text), pd.Series(text, dtype="category"), np.array(text, object)):
        assert KernelPerceptronClassifier(shuffle=False).fit(rows, labels).classes_.tolist() == ["no", "yes"]


def test_an_exact_tie_is_positive_and_its_decision_the_smallest_positive_float() -> None:
    # The demotion of 00 weighs K = 1 on 11; so does the promotion of 10 on 01, and so on: 00 minus 10 is 0 on x2.
    learner = KernelPerceptronClassifier(MonotoneConjunctions(), max_passes=1, prediction="final", shuffle=False)
    learner.fit([[0, 0], [1, 0]], ["a", "b"])
    scores = [score for [score] in learner.model_.scores(BitMatrix.of([[0, 0], [0, 1], [1, 0], [1, 1]]))]
    assert scores == [0, 0, 1, 1]
    rows = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert learner.predict(rows).tolist() == ["b"] * 4
    assert learner.decision_function(rows).tolist() == [5e-324, 5e-324, 1.0, 1.0]


@pytest.mark.parametrize("n", [5, 64, 4096])
@pytest.mark.parametrize("prediction", PREDICTIONS)
def test_decisions_are_finite_and_positive_exactly_where_the_second_class_is_predicted(n: int, prediction: str) -> None:
    random = np.random.RandomState(n)
    rows, labels = random.randint(0, 2, (50, n)), random.randint(0, 2, 50)
    learner = KernelPerceptronClassifier(Conjunctions(), max_passes=2, prediction=prediction, shuffle=False).fit(
        rows[:40], labels[:40]
    )
    decisions = learner.decision_function(rows)
    assert np.all(np.isfinite(decisions))
    np.testing.assert_array_equal(decisions > 0, learner.predict(rows) == 1)
    if prediction != "voted":
        exact = [score for [score] in learner.model_.scores(BitMatrix.of(rows))]
        assert (decisions > 0).tolist() == [score >= 0 for score in exact]
        expected = [theory.decision_value(score, is_logarithmic=n > 53) for score in exact]
        assert decisions.tolist() == expected


def test_a_tie_at_4096_variables_is_exact() -> None:
    row = np.random.RandomState(0).randint(0, 2, (1, 4096))
    other = 1 - row
    learner = KernelPerceptronClassifier(Conjunctions(), max_passes=1, prediction="final", shuffle=False)
    learner.fit(np.vstack([row, other]), [0, 1])  # minus the first, plus the second
    half = np.concatenate([row[:, :2048], other[:, 2048:]], axis=1)
    nearly = np.concatenate([row[:, :2049], other[:, 2049:]], axis=1)
    assert learner.decision_function(np.vstack([half, nearly])).tolist()[0] == 5e-324
    assert learner.predict(np.vstack([half, nearly])).tolist() == [1, 0]


def test_the_area_under_the_curve_at_4096_variables_is_that_of_the_exact_scores() -> None:
    random = np.random.RandomState(7)
    rows, labels = random.randint(0, 2, (80, 4096)), random.randint(0, 2, 80)
    learner = KernelPerceptronClassifier(Conjunctions(), max_passes=1, shuffle=False).fit(rows[:50], labels[:50])
    exact = [score for [score] in learner.model_.scores(BitMatrix.of(rows))]
    pairs = [(p, q) for p, a in zip(exact, labels, strict=True) for q, b in zip(exact, labels, strict=True) if a > b]
    area = Fraction(sum(2 * (p > q) + (p == q) for p, q in pairs), 2 * len(pairs))
    assert max(abs(score) for score in exact) > 2**1100
    assert 0 < area < 1
    assert roc_auc_score(labels, learner.decision_function(rows)) == pytest.approx(float(area), abs=1e-12)


# Training


def test_tic_tac_toe_is_learned_until_consistent_and_every_board_is_right() -> None:
    rows, labels = tic_tac_toe()
    learner = with_transcript(MonotoneConjunctions(max_size=3)).fit(rows, labels)
    assert (learner.stopped_by_, learner.prediction_) == ("consistent", "final")
    assert rows.n_rows == 958
    np.testing.assert_array_equal(learner.predict(rows), labels)
    assert learner.n_passes_ == learner.transcript_.n_passes <= 100
    assert learner.n_mistakes_ == len(learner.transcript_) == len(list(learner.transcript_))


def test_contradictory_rows_stop_at_max_passes_and_predict_with_the_mean() -> None:
    learner = with_transcript(max_passes=7).fit([[0, 1], [0, 1], [1, 0]], [0, 1, 1])
    assert (learner.stopped_by_, learner.prediction_, learner.n_passes_) == ("max_passes", "averaged", 7)
    assert learner.n_mistakes_ >= 7
    (only,) = learner.transcripts_
    assert list(only) == list(learner.transcript_)


def test_several_classes_have_a_transcript_each_and_no_single_one() -> None:
    rows, codes = random_table(3, n_classes=3)
    learner = with_transcript(max_passes=5).fit(rows, codes)
    assert len(learner.transcripts_) == 3
    assert learner.n_mistakes_ == sum(t.n_mistakes for t in learner.transcripts_)
    with pytest.raises(AttributeError, match="transcripts_"):
        _ = learner.transcript_


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_one_row_at_a_time_learns_what_one_pass_learns(prediction: str, n_classes: int) -> None:
    rows, codes = random_table(4, n_classes=n_classes)
    whole = with_transcript(prediction=prediction, max_passes=1).fit(rows, codes)
    parts = with_transcript(prediction=prediction)
    for row, code in zip(rows, codes, strict=True):
        parts.partial_fit([row], [code], classes=range(n_classes))
    assert parts.stopped_by_ == "end of batch"
    for one, other in zip(parts.transcripts_, whole.transcripts_, strict=True):
        assert one.rows == other.rows
        assert one.step.tolist() == other.step.tolist()
        assert one.weight.tolist() == other.weight.tolist()
        assert one.n_steps == other.n_steps == 60
    everything = [[int(bit) for bit in f"{number:06b}"] for number in range(64)]
    np.testing.assert_array_equal(parts.decision_function(everything), whole.decision_function(everything))
    np.testing.assert_array_equal(parts.predict(everything), whole.predict(everything))


def test_a_batch_of_one_class_only_is_enough_once_the_classes_are_known() -> None:
    learner = KernelPerceptronClassifier(shuffle=False).partial_fit([[0, 1]], ["yes"], classes=["no", "yes", "yes"])
    assert learner.n_mistakes_ == 0  # the zero hypothesis ties, and a tie is positive
    assert learner.predict([[1, 1]]).tolist() == ["yes"]
    learner.partial_fit([[1, 1]], ["no"])
    assert learner.n_mistakes_ == 1


def test_fit_forgets_and_partial_fit_goes_on() -> None:
    rows, codes = random_table(5)
    learner = KernelPerceptronClassifier(prediction="final", max_passes=3, shuffle=False).fit(rows, codes)
    before = state_of(learner)
    learner.partial_fit(rows, codes)
    assert learner.n_passes_ == 4
    assert state_of(learner.fit(rows, codes)) == before


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("class_weight", [None, {0: 2, 2: "1/3"}, "balanced", {1: 0.1}])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_classes_compete_by_exact_scores_as_the_definition_says(
    prediction: str, class_weight: Any, n_classes: int
) -> None:
    for seed in range(4):
        rows, codes = random_table(seed, 24, 5, n_classes)
        weights = (
            {label: w for label, w in class_weight.items() if label < n_classes}
            if (isinstance(class_weight, dict))
            else class_weight
        )
        learner = with_transcript(
            MonotoneConjunctions(max_size=2), prediction=prediction, max_passes=6, class_weight=weights, threshold=1
        ).fit(rows, codes)
        counts = [int(np.sum(codes == code)) for code in range(n_classes)]
        if weights == "balanced":
            rates = [Fraction(24, n_classes * count) for count in counts]
        else:
            rates = [theory.exact((weights or {}).get(code, 1), "weight") for code in range(n_classes)]
        truth = OneVsRest(lambda x, z: theory.monotone_conjunctions_kernel(x, z, 2), Fraction(1))
        positive = [1] if n_classes == 2 else range(n_classes)
        truth.learn([tuple(row) for row in rows.tolist()], codes.tolist(), rates, positive, 6)
        assert [[step for step, _, _ in run] for run in truth.runs] == [t.step.tolist() for t in learner.transcripts_]
        everything = [tuple(int(bit) for bit in f"{number:05b}") for number in range(32)]
        scores = [truth.scores(row, prediction) for row in everything]
        if prediction == "voted":
            assert learner.model_.votes(BitMatrix.of(everything)).tolist() == scores
            limit = Fraction(0)
        else:
            assert learner.model_.scores(BitMatrix.of(everything)) == scores
            limit = Fraction(1)
        if n_classes == 2:
            expected = [int(score >= limit) for [score] in scores]
        else:
            expected = [outputs.index(max(outputs)) for outputs in scores]
        assert learner.predict(everything).tolist() == expected


def test_a_run_that_became_consistent_waits_for_the_others_before_scores_are_compared() -> None:
    random = np.random.RandomState(0)
    rows = random.randint(0, 2, (60, 5))
    codes = np.where(rows[:, 0] == 1, 2, random.randint(0, 2, 60))  # class 2 is learned at once, 0 and 1 never
    learner = with_transcript(Conjunctions(max_size=2), max_passes=50).fit(rows, codes)
    assert [t.is_consistent for t in learner.transcripts_] == [False, False, True]
    assert learner.prediction_ == "averaged"
    assert {t.n_steps for t in learner.transcripts_} == {3000}
    np.testing.assert_array_equal(learner.predict(rows)[codes == 2], 2)


def test_ties_of_several_classes_go_to_the_first() -> None:
    learner = KernelPerceptronClassifier(MonotoneConjunctions(), threshold=2, prediction="final", shuffle=False)
    learner.partial_fit([[1, 0], [0, 1]], ["b", "c"], classes=["a", "b", "c"])  # one promotion each
    assert learner.model_.scores(BitMatrix.of([[1, 1], [0, 1]])) == [[0, 2, 2], [0, 1, 2]]
    assert learner.predict([[1, 1], [0, 1]]).tolist() == ["b", "c"]


# Exact settings


@pytest.mark.parametrize("spellings", [(0.1, "1/10", Fraction(1, 10), "0.1"), (2, 2.0, "2", Fraction(2))])
@pytest.mark.parametrize("name", ["threshold", "learning_rate"])
def test_the_spellings_of_an_exact_number_learn_the_same(spellings: tuple[Any, ...], name: str) -> None:
    rows, codes = random_table(6)
    learned = []
    for spelling in spellings:
        learner = with_transcript(max_passes=4, **{name: spelling}).fit(rows, codes)
        assert learner.get_params()[name] is spelling
        learned.append((updates_of(learner), learner.model_.unit, learner.model_.threshold))
    assert all(each == learned[0] for each in learned)


def test_only_the_ratio_of_threshold_and_learning_rate_matters() -> None:
    rows, codes = random_table(7)
    one = with_transcript(threshold="3/2", learning_rate=1, max_passes=5).fit(rows, codes)
    three = with_transcript(threshold="9/2", learning_rate=3, max_passes=5).fit(rows, codes)
    other = with_transcript(threshold=30, learning_rate=1, max_passes=5).fit(rows, codes)
    assert updates_of(one) == updates_of(three) != updates_of(other)
    np.testing.assert_array_equal(one.predict(rows), three.predict(rows))
    assert [[3 * s for s in scores] for scores in one.model_.scores(BitMatrix.of(rows))] == three.model_.scores(
        BitMatrix.of(rows)
    )


def test_without_a_threshold_the_learning_rate_only_scales() -> None:
    rows, codes = random_table(8)
    one, small = (with_transcript(learning_rate=r, max_passes=3).fit(rows, codes) for r in (1, 0.001))
    assert updates_of(one) == updates_of(small)


# Repeatability


@pytest.mark.parametrize("n_classes", [2, 4])
def test_the_same_seed_gives_the_same_bytes_and_another_seed_another_order(n_classes: int) -> None:
    rows, codes = random_table(9, n_classes=n_classes)
    learners = [
        with_transcript(shuffle=True, random_state=seed, max_passes=3).fit(rows, codes)
        for seed in (5, 5, 6, np.random.RandomState(5))
    ]
    assert state_of(learners[0]) == state_of(learners[1])
    assert updates_of(learners[0]) == updates_of(learners[3]) != updates_of(learners[2])
    assert updates_of(learners[0]) != updates_of(with_transcript(max_passes=3).fit(rows, codes))


@pytest.mark.parametrize("n_classes", [2, 4])
def test_one_thread_or_two_give_the_same_bytes(n_classes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, codes = random_table(10, n_rows=300, n_variables=130, n_classes=n_classes)
    files, decisions = [], []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("CONJUNCT_THREADS", threads)
        learner = KernelPerceptronClassifier(Conjunctions(), max_passes=4, prediction="averaged", shuffle=False).fit(
            rows, codes
        )
        files.append(state_of(learner))
        decisions.append(learner.decision_function(rows).tolist())
    assert files[0] == files[1] == files[2]
    assert decisions[0] == decisions[1] == decisions[2]


@pytest.mark.parametrize("prediction", PREDICTIONS)
def test_predicting_changes_nothing(prediction: str) -> None:
    rows, codes = random_table(11, n_classes=3)
    learner = with_transcript(prediction=prediction, max_passes=3).fit(rows, codes)
    before, file = dict(learner.__dict__), state_of(learner)
    model = [np.copy(array) for array in arrays_of(learner)]
    learner.predict(rows)
    learner.decision_function(rows)
    learner.score(rows, codes)
    assert learner.__dict__.keys() == before.keys()
    assert all(learner.__dict__[name] is value for name, value in before.items())
    assert state_of(learner) == file
    for array, kept in zip(arrays_of(learner), model, strict=True):
        np.testing.assert_array_equal(array, kept)


def test_predicting_from_many_threads_at_once_is_right() -> None:
    rows, codes = random_table(12, n_rows=200, n_variables=70, n_classes=3)
    learner = KernelPerceptronClassifier(Conjunctions(), max_passes=2, shuffle=False).fit(rows, codes)
    expected, decisions = learner.predict(rows).tolist(), learner.decision_function(rows).tolist()
    start = threading.Barrier(8)

    def ask(which: int) -> Any:
        start.wait()
        return [(learner.predict(rows) if which % 2 else learner.decision_function(rows)).tolist() for _ in range(10)]

    with ThreadPoolExecutor(8) as pool:
        for which, answers in enumerate(pool.map(ask, range(8))):
            assert answers == [expected if which % 2 else decisions] * 10


# What goes in


def test_every_kind_of_table_gives_the_same_model() -> None:
    table, codes = random_table(13)
    expected = updates_of(with_transcript(max_passes=3).fit(table, codes))
    names = [f"v{v}" for v in range(6)]
    wide = np.zeros((120, 12), np.int16)
    wide[::2, ::2] = table
    unsorted = csr_matrix((table[:, ::-1] == 1).astype(float))[:, ::-1]
    frozen = table.copy()
    frozen.flags.writeable = False
    for given in (
        table.tolist(),
        table.astype(bool),
        table.astype(np.float32),
        table.astype(">i4"),
        table.astype(object),
        np.asfortranarray(table),
        wide[::2, ::2],
        frozen,
        csr_array(table),
        csc_array(table),
        unsorted,
        pd.DataFrame(table, columns=names),
        pd.DataFrame(table, columns=names).astype(bool),
        pl.DataFrame(table, schema=names),
        BitMatrix.of(table),
        BitMatrix.of(table, names),
    ):
        learner = with_transcript(max_passes=3).fit(given, codes)
        assert updates_of(learner) == expected
        assert learner.n_features_in_ == 6
        assert learner.predict(given).tolist() == learner.predict(given).tolist()


@pytest.mark.parametrize(
    "make", [pd.DataFrame, pl.DataFrame, lambda columns: BitMatrix.from_frame(pd.DataFrame(columns))]
)
def test_renamed_or_reordered_columns_are_refused_by_name(make: Any) -> None:
    learner = KernelPerceptronClassifier(shuffle=False).fit(make({"a": [0, 1], "b": [1, 1]}), [0, 1])
    assert learner.feature_names_in_.tolist() == ["a", "b"]
    assert learner.predict(make({"a": [0], "b": [1]})).tolist() == [0]
    with pytest.raises(ValueError, match="c"):
        learner.predict(make({"a": [0], "c": [1]}))
    with pytest.raises(ValueError, match=r"order|variable 0 of X is 'b'; in fit it was 'a'"):
        learner.predict(make({"b": [0], "a": [1]}))
    with pytest.raises(ValueError, match="c"):
        learner.partial_fit(make({"a": [0], "c": [1]}), [0])


def test_a_bit_matrix_without_names_is_taken_as_it_stands() -> None:
    learner = KernelPerceptronClassifier(shuffle=False).fit(BitMatrix.of([[0, 1], [1, 1]], ["a", "b"]), [0, 1])
    assert learner.predict(BitMatrix.of([[0, 1], [1, 1]])).tolist() == [0, 1]
    learner.fit(BitMatrix.of([[0, 1], [1, 1]]), [0, 1])
    assert not hasattr(learner, "feature_names_in_")


@pytest.mark.parametrize("make", [np.array, csr_array, BitMatrix.of])
def test_another_width_is_refused_with_both_numbers(make: Any) -> None:
    learner = KernelPerceptronClassifier(shuffle=False).fit(make([[0, 1], [1, 0]]), [0, 1])
    for ask in (learner.predict, learner.decision_function, lambda x: learner.partial_fit(x, [1])):
        with pytest.raises(ValueError, match=r"3 .*2"):
            ask(make([[0, 1, 1]]))


@pytest.mark.parametrize("make", [np.array, csr_array, lambda table: pd.DataFrame(table, columns=["a", "b"])])
@pytest.mark.parametrize(("value", "shown"), [(np.nan, r"a missing value \(NaN\)"), (-np.inf, "-inf")])
def test_numbers_that_are_not_finite_are_refused_by_place_when_binarizing(make: Any, value: float, shown: str) -> None:
    table = make(np.array([[0.5, 2.0], [1.5, value], [value, 0.0]]))
    with pytest.raises(BitsError, match=rf"column (1|'b') has {shown} in row 1; binarize=1.0 needs finite numbers"):
        KernelPerceptronClassifier(binarize=1, shuffle=False).fit(table, [0, 1, 1])


@pytest.mark.parametrize(
    ("rows", "labels", "reason"),
    [
        ([[0, 1], [1, 0]], [1, 1], "one class only, 1; two are needed"),
        ([[0, 1], [1, 0]], ["a", "a"], "one class only, 'a'"),
        ([[0, float("nan")], [1, 0]], [0, 1], r"column 1 has a missing value \(NaN\) in row 0"),
        ([[0, 1], [float("inf"), 0]], [0, 1], "column 0 has inf in row 1"),
        ([[0, None], [1, 0]], [0, 1], r"column 1 has a missing value \(NaN\) in row 0"),
        ([[0, "x"], [1, 0]], [0, 1], "column 1 has .x. in row 0; expected numbers"),
        (np.empty((0, 2)), [], "0 sample"),
        (np.empty((2, 0)), [0, 1], "0 feature"),
        (BitMatrix.of([[0, 1]])[:0], [], "X has 0 rows; at least one is needed"),
        ([[0, 1], [1, 0]], [0, 1, 1], "2 rows need as many labels, got 3"),
        ([[0, 1], [1, 0]], [0.5, float("nan")], "y contains NaN"),
        ([[0, 1], [1, 0]], [0.5, 1.25], "Unknown label type"),
        ([[0, 1], [1, 0]], None, "requires y to be passed"),
        ([0, 1], [0, 1], "2D array"),
    ],
)
def test_bad_rows_and_labels_are_refused_and_leave_no_trace(rows: Any, labels: Any, reason: str) -> None:
    learner = KernelPerceptronClassifier(shuffle=False)
    with pytest.raises(ValueError, match=reason):
        learner.fit(rows, labels)
    assert learner.__dict__.keys() == KernelPerceptronClassifier(shuffle=False).__dict__.keys()
    with pytest.raises(NotFittedError):
        learner.predict([[0, 1]])


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"kernel": "conjunctions"}, "kernel='conjunctions': expected a kernel"),
        ({"kernel": Conjunctions}, "kernel=<class"),
        ({"max_passes": 0}, "max_passes=0: expected a positive integer"),
        ({"max_passes": True}, "max_passes=True"),
        ({"max_passes": 2.0}, "max_passes=2.0"),
        ({"learning_rate": 0}, "learning_rate=0: expected a positive"),
        ({"learning_rate": -1}, "learning_rate=-1: expected a positive"),
        ({"learning_rate": "x"}, "learning_rate='x'"),
        ({"threshold": float("nan")}, "threshold=nan"),
        ({"threshold": "1/0"}, "threshold='1/0'"),
        ({"prediction": "x"}, "prediction='x': expected \"auto\""),
        ({"prediction": ["final"]}, "prediction="),
        ({"shuffle": "yes"}, "shuffle='yes'"),
        ({"random_state": "x"}, "random_state='x'"),
        ({"random_state": -1}, "random_state=-1"),
        ({"class_weight": "equal"}, "class_weight='equal'"),
        ({"class_weight": {7: 1}}, "class_weight names 7"),
        ({"class_weight": {1: 0}}, "expected positive weights"),
        ({"class_weight": {1: "a"}}, r"class_weight\[1\]='a'"),
        ({"class_weight": {1: Fraction(1, 2**50)}}, r"2\*\*40"),
        ({"class_weight": np.array([1, 2])}, "class_weight=array"),
    ],
)
def test_settings_are_refused_by_name_before_learning_and_leave_no_trace(
    settings: dict[str, Any], reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(KernelPerceptron, "run", lambda *_, **__: pytest.fail("it was learning already"))
    for ask in ("fit", "partial_fit"):
        learner = KernelPerceptronClassifier(**settings)
        known = {} if ask == "fit" else {"classes": [0, 1]}
        with pytest.raises(SettingError, match=reason):
            getattr(learner, ask)([[0, 1], [1, 0]], [0, 1], **known)
        assert learner.__dict__.keys() == KernelPerceptronClassifier(shuffle=False).__dict__.keys()


def test_a_kernel_on_a_column_the_table_lacks_is_refused_by_name() -> None:
    with pytest.raises(KernelError, match="'rain'"):
        KernelPerceptronClassifier(Conjunctions().on(["rain"]), shuffle=False).fit([[0, 1], [1, 0]], [0, 1])


@pytest.mark.parametrize(
    ("settings", "labels", "classes", "reason"),
    [
        ({}, [0, 1], [0, 1, 2], r"classes=\[0, 1, 2\] are not those of the first call, \[0, 1\]"),
        ({}, [0, 7], None, r"label 7 is not among the classes \[0, 1\]"),
        ({"class_weight": "balanced"}, [0, 1], None, 'class_weight="balanced" needs all rows at once'),
        ({"learning_rate": 2}, [0, 1], None, "learning rate"),
        ({"kernel": Conjunctions(max_size=1)}, [0, 1], None, "kernel"),
        ({"class_weight": {0: "1/2"}}, [0, 1], None, "class weights"),
    ],
)
def test_going_on_in_another_way_is_refused_and_leaves_the_model(
    settings: dict[str, Any], labels: list[int], classes: Any, reason: str
) -> None:
    rows = [[0, 1], [1, 0]]
    learner = KernelPerceptronClassifier(shuffle=False).partial_fit(rows, [0, 1], classes=[0, 1])
    before = state_of(learner)
    learner.set_params(**settings)
    with pytest.raises(ConjunctError, match=reason):
        learner.partial_fit(rows, labels, classes=classes)
    learner.set_params(kernel=None, learning_rate=1, class_weight=None)
    assert state_of(learner) == before
    learner.partial_fit(rows, [0, 1])
    assert learner.n_passes_ == 2


def test_the_first_batch_needs_the_classes() -> None:
    with pytest.raises(SettingError, match="classes: the first call of partial_fit needs"):
        KernelPerceptronClassifier(shuffle=False).partial_fit([[0]], [1])
    with pytest.raises(BitsError, match="one class only"):
        KernelPerceptronClassifier(shuffle=False).partial_fit([[0]], [1], classes=[1])


# Interruptions and threads


def test_a_second_fit_at_the_same_time_is_refused_and_the_first_one_ends_well(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, codes = random_table(14)
    expected = state_of(KernelPerceptronClassifier(max_passes=3, shuffle=False).fit(rows, codes))
    is_learning, go_on = threading.Event(), threading.Event()
    learn = KernelPerceptronRun.learn

    def slowly(self: KernelPerceptronRun, *args: Any, **options: Any) -> None:
        is_learning.set()
        assert go_on.wait(60)
        learn(self, *args, **options)

    monkeypatch.setattr(KernelPerceptronRun, "learn", slowly)
    learner = KernelPerceptronClassifier(max_passes=3, shuffle=False)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(learner.fit, rows, codes)
        assert is_learning.wait(60)
        try:
            with pytest.raises(BusyError, match="clone"):
                learner.fit(rows, codes)
            with pytest.raises(BusyError, match="clone"):
                learner.partial_fit(rows, codes, classes=[0, 1])
        finally:
            go_on.set()
        first.result(60)
    assert state_of(learner) == expected
    assert state_of(learner.fit(rows, codes)) == expected


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize(("owner", "where"), [(KernelPerceptronRun, "learn"), (KernelPerceptron, "model")])
def test_an_interrupted_fit_leaves_the_old_model_in_place(
    n_classes: int, error: type[BaseException], owner: Any, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, codes = random_table(15, n_classes=n_classes)
    learner = KernelPerceptronClassifier(max_passes=2, shuffle=False).fit(
        pd.DataFrame(rows, columns=list("abcdef")), codes
    )
    before, expected = dict(learner.__dict__), state_of(learner)
    original = getattr(owner, where)

    def interrupted(self: Any, *args: Any, **options: Any) -> Any:
        original(self, *args, **options)
        raise error

    other = np.ones((4, 9), int)
    with monkeypatch.context() as patch:
        patch.setattr(owner, where, interrupted)
        with pytest.raises(error):
            learner.partial_fit(pd.DataFrame(rows, columns=list("abcdef")), codes)
        assert learner.__dict__ == before
        with pytest.raises(error):
            learner.fit(other, [0, 1, 1, 0])
        assert learner.__dict__ == before
    assert state_of(learner) == expected
    learner.partial_fit(pd.DataFrame(rows, columns=list("abcdef")), codes)
    assert learner.n_passes_ == 3


def test_an_interrupt_stops_the_runs_of_all_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, codes = random_table(16, n_classes=4)
    monkeypatch.setenv("CONJUNCT_THREADS", "2")
    learn, ended, begun = KernelPerceptronRun.learn, [], Event()

    def first_fails(self: KernelPerceptronRun, lesson: Any, **options: Any) -> None:
        if np.array_equal(lesson.label == 1, codes == 0):
            begun.wait()
            raise MemoryError
        begun.set()
        try:
            while True:  # a run that would never end by itself
                learn(self, lesson, **options)
        except KeyboardInterrupt:
            ended.append(True)
            raise

    monkeypatch.setattr(KernelPerceptronRun, "learn", first_fails)
    with pytest.raises(MemoryError):
        KernelPerceptronClassifier(max_passes=1, shuffle=False).fit(rows, codes)
    assert ended


# Parameters


def test_get_params_returns_what_was_given() -> None:
    kernel = MonotoneConjunctions(max_size=2, costs=[1, "1/2", 0.25])
    given = {
        "kernel": kernel,
        "max_size": 3,
        "literals": "both",
        "threshold": "1/3",
        "learning_rate": 0.1,
        "max_passes": 5,
        "prediction": "voted",
        "class_weight": {"a": 2},
        "shuffle": True,
        "random_state": 3,
        "keep_transcript": True,
        "binarize": 0.5,
        "n_jobs": 2,
    }
    learner = KernelPerceptronClassifier(**given)
    assert learner.get_params(deep=False) == given
    assert learner.get_params()["kernel__max_size"] == 2
    copied = clone(learner)
    assert copied.get_params() == learner.get_params()
    assert copied is not learner


def test_setting_a_field_replaces_the_kernel_and_leaves_a_shared_one() -> None:
    kernel = MonotoneConjunctions(max_size=3)
    one, other = KernelPerceptronClassifier(kernel, shuffle=False), KernelPerceptronClassifier(kernel, shuffle=False)
    assert one.set_params(kernel__max_size=2, threshold=1) is one
    assert one.kernel == MonotoneConjunctions(max_size=2)
    assert one.threshold == 1
    assert other.kernel is kernel
    assert kernel.max_size == 3
    one.set_params(kernel=Conjunctions(), kernel__costs=Geometric("1/2"))
    assert one.kernel == Conjunctions(costs=Geometric("1/2"))
    assert KernelPerceptronClassifier(shuffle=False).set_params(kernel__max_size=1).kernel == Conjunctions(max_size=1)


def test_unknown_parameters_are_refused_by_name() -> None:
    with pytest.raises(SettingError, match="Conjunctions has no parameter 'depth'"):
        KernelPerceptronClassifier(Conjunctions(), shuffle=False).set_params(kernel__depth=2)
    with pytest.raises(KernelError, match="max_size=0"):
        KernelPerceptronClassifier(Conjunctions(), shuffle=False).set_params(kernel__max_size=0)
    with pytest.raises(ValueError, match="'depth'"):
        KernelPerceptronClassifier(shuffle=False).set_params(depth=2)


def test_a_grid_search_runs_over_sizes_and_over_kernels() -> None:
    rows, codes = random_table(17)
    sizes = GridSearchCV(
        KernelPerceptronClassifier(MonotoneConjunctions(), shuffle=False), {"kernel__max_size": [1, 2, None]}, cv=3
    )
    sizes.fit(rows, codes)
    assert sizes.best_estimator_.kernel == MonotoneConjunctions(sizes.best_params_["kernel__max_size"])
    choices = [Conjunctions(max_size=1), MonotoneConjunctions(max_size=2)]
    kernels = GridSearchCV(KernelPerceptronClassifier(shuffle=False), {"kernel": choices}, cv=3, n_jobs=2).fit(
        rows, codes
    )
    assert kernels.best_params_["kernel"] in choices
    one = GridSearchCV(KernelPerceptronClassifier(shuffle=False), {"kernel": choices[:1]}, cv=3).fit(rows, codes)
    assert one.cv_results_["mean_test_score"][0] == kernels.cv_results_["mean_test_score"][0]


def test_it_works_in_a_pipeline_and_under_cross_validation_on_packed_rows() -> None:
    rows, codes = random_table(18)
    pipeline = Pipeline(
        [("cut", FunctionTransformer(lambda x: x > 0)), ("learn", KernelPerceptronClassifier(shuffle=False))]
    )
    assert pipeline.set_params(learn__kernel__max_size=2).fit(rows * 5, codes).score(rows * 5, codes) > 0.6
    dense = cross_val_score(KernelPerceptronClassifier(shuffle=False), rows, codes, cv=4)
    packed = cross_val_score(KernelPerceptronClassifier(shuffle=False), BitMatrix.of(rows), codes, cv=4)
    assert dense.tolist() == packed.tolist()
    assert dense.mean() > 0.6


def test_predicting_before_fitting_is_refused() -> None:
    for ask in (
        KernelPerceptronClassifier(shuffle=False).predict,
        KernelPerceptronClassifier(shuffle=False).decision_function,
    ):
        with pytest.raises(NotFittedError):
            ask([[0, 1]])
