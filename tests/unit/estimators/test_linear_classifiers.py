from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from conjunct import BitMatrix, PerceptronClassifier, WinnowClassifier
from conjunct.bits import SparseRows
from conjunct.errors import BitsError, BusyError, ConjunctError, SettingError
from conjunct.learners.online.linear_run import LinearRun

VARIANTS = ["balanced", "positive", "elimination", "normalised"]
BOTH = [PerceptronClassifier, WinnowClassifier]


def learners(**settings: Any) -> dict[str, Any]:
    settings = {"keep_transcript": True, "shuffle": False, **settings}
    return {
        "perceptron": PerceptronClassifier(**settings),
        "perceptron, all settings": PerceptronClassifier(
            threshold="1/3", constant="2/3", learning_rate="1/2", thickness="1/4", **settings
        ),
        **{variant: WinnowClassifier(variant=variant, **settings) for variant in VARIANTS},
        "positive, factors apart": WinnowClassifier(
            variant="positive", promotion=2, demotion="5/4", threshold=2, thickness=(1, "1/3"), **settings
        ),
    }


NAMES = list(learners())


def random_table(seed: int, n_rows: int = 60, n_variables: int = 6, n_classes: int = 2) -> tuple[Any, Any]:
    """Rows, and labels that follow a rule except for some noise."""
    random = np.random.RandomState(seed)
    rows = random.randint(0, 2, (n_rows, n_variables))
    codes = (rows[:, 0] + rows[:, 1] * rows[:, 2] + random.randint(0, 5, n_rows) // 4) % n_classes
    codes[:n_classes] = range(n_classes)
    return rows, codes


def by_name(rows: Any) -> list[set[str]]:
    return [{f"v{k}" for k in np.flatnonzero(row)} for row in rows]


def state_of(learner: Any) -> bytes:
    file: bytes = learner.__getstate__()["file"]
    return file


def updates_of(learner: Any) -> list[Any]:
    return [[(u.step, u.index, u.label, u.is_mistake, u.score) for u in t] for t in learner.transcripts_]


def predictions_of(name: str) -> list[str]:
    return ["final", "averaged", *["voted"] * name.startswith("perceptron")]


EACH = [(name, prediction) for name in NAMES for prediction in predictions_of(name)]


# What is read


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_every_kind_of_table_gives_the_same_model(name: str, n_classes: int) -> None:
    rows, codes = random_table(1, n_classes=n_classes)
    learner = learners(max_passes=4)[name].fit(rows, codes)
    expected, values = state_of(learner), learner.decision_function(rows)
    for make in (
        BitMatrix.of,
        sp.csr_array,
        sp.csc_matrix,
        sp.coo_array,
        SparseRows.of,
        np.asfortranarray,
        lambda t: t.tolist(),
        lambda t: t.astype(bool),
        lambda t: sp.csr_array(t.astype(np.float32)),
    ):
        other = learners(max_passes=4)[name].fit(make(rows), codes)
        assert state_of(other) == expected
        assert other.decision_function(make(rows)).tolist() == values.tolist()
    frame = pd.DataFrame(rows, columns=list("abcdef"))
    other = learners(max_passes=4)[name].fit(frame, codes)
    assert updates_of(other) == updates_of(learner)
    assert other.predict(frame).tolist() == learner.predict(rows).tolist()
    assert other.feature_names_in_.tolist() == list("abcdef")
    with pytest.raises(ValueError, match="feature names"):
        other.predict(frame.rename(columns={"a": "z"}))


@pytest.mark.parametrize(("name", "prediction"), EACH)
def test_names_are_learned_as_a_table_with_a_column_for_each(name: str, prediction: str) -> None:
    rows, codes = random_table(2, n_variables=9)
    rows[:, 6:] = 0
    rows[30:, 7] = 1  # a name that comes late
    seen = [k for k in range(9) if rows[:, k].any()]
    settings = {"max_passes": 3, "prediction": prediction}
    table = learners(**settings)[name]
    if name in ("positive", "elimination"):
        table.set_params(threshold=5)
    named = clone(table)
    columns = seen if name == "normalised" else list(range(9))  # it is normalised over the variables known
    table.fit(rows[:, columns], codes)
    named.fit(by_name(rows), codes)
    assert sorted(named.names_.names) == [f"v{k}" for k in seen]
    assert updates_of(named) == updates_of(table)
    later = np.random.RandomState(3).randint(0, 2, (80, 9))  # with v6 and v8, which were never seen
    assert named.predict(by_name(later)).tolist() == table.predict(later[:, columns]).tolist()
    ours, theirs = named.decision_function(by_name(later)), table.decision_function(later[:, columns])
    np.testing.assert_allclose(ours, theirs, atol=1e-9)
    dicts = [{f"v{k}": int(value) for k, value in enumerate(row)} for row in later]
    assert named.decision_function(dicts).tolist() == named.decision_function(by_name(later)).tolist()


@pytest.mark.parametrize("name", NAMES)
def test_conjunctions_are_learned_as_columns_for_every_pair(name: str) -> None:
    rows, codes = random_table(4, n_variables=5)
    pairs = [rows[:, i] * rows[:, j] for i in range(5) for j in range(i + 1, 5)]
    table = learners(max_passes=3)[name]
    if name in ("positive", "elimination"):
        table.set_params(threshold=5)
    named = clone(table).set_params(max_size=2).fit(by_name(rows), codes)
    table.fit(np.column_stack([rows, *pairs]), codes)
    assert named.names_.n_variables == 15
    assert updates_of(named) == updates_of(table)
    assert named.n_mistakes_ == table.n_mistakes_
    assert named.predict(by_name(rows)).tolist() == table.predict(np.column_stack([rows, *pairs])).tolist()


def test_values_of_names_are_learned_as_a_table_of_numbers() -> None:
    random = np.random.RandomState(5)
    rows, codes = random.randint(1, 9, (50, 4)) / 4, random.randint(0, 2, 50)
    table = PerceptronClassifier(max_passes=3, keep_transcript=True, shuffle=False).fit(rows, codes)
    examples = [{f"v{k}": value for k, value in enumerate(row.tolist())} for row in rows]
    named = PerceptronClassifier(max_passes=3, keep_transcript=True, shuffle=False).fit(examples, codes)
    assert (named.arithmetic_, named.names_.names) == ("float", ("v0", "v1", "v2", "v3"))
    assert updates_of(named) == updates_of(table)
    assert (
        named.decision_function([{"v1": 0.5, "new": 7.5}]).tolist()
        == table.decision_function([[0, 0.5, 0, 0]]).tolist()
    )


def test_binarize_reads_numbers_as_bits() -> None:
    random = np.random.RandomState(6)
    rows, codes = random.rand(40, 5), random.randint(0, 2, 40)
    expected = (
        WinnowClassifier(max_passes=3, shuffle=False).fit(rows > 0.5, codes).decision_function(rows > 0.5).tolist()
    )
    for make in (np.asarray, sp.csr_array):
        learner = WinnowClassifier(max_passes=3, binarize=0.5, shuffle=False).fit(make(rows), codes)
        assert learner.decision_function(make(rows)).tolist() == expected


def test_whole_numbers_while_rows_are_boolean_and_floats_from_then_on() -> None:
    rows, codes = random_table(7)
    learner = PerceptronClassifier(constant=1, keep_transcript=True, shuffle=False).partial_fit(
        rows, codes, classes=[0, 1]
    )
    assert learner.arithmetic_ == "exact"
    assert learner.model_.is_exact
    assert all(isinstance(u.score, Fraction) for u in learner.transcript_)
    learner.partial_fit(rows / 2, codes)
    assert learner.arithmetic_ == "float"
    learner.partial_fit(rows, codes)
    assert (learner.arithmetic_, learner.n_passes_) == ("float", 3)
    whole = PerceptronClassifier(constant=1, max_passes=1, keep_transcript=True, shuffle=False)
    whole.fit(np.vstack([rows, rows / 2, rows]), [*codes] * 3)
    assert learner.coef_.tolist() == whole.coef_.tolist()
    assert [u.score for u in learner.transcript_] == [u.score for u in whole.transcript_]
    assert PerceptronClassifier(shuffle=False).fit(rows / 2, codes).arithmetic_ == "float"


# Passes, batches, classes


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("name", "prediction"), EACH)
@pytest.mark.parametrize("is_named", [False, True])
def test_batches_learn_what_one_pass_learns(name: str, prediction: str, n_classes: int, is_named: bool) -> None:
    rows, codes = random_table(8, n_classes=n_classes)
    given: Any = by_name(rows) if is_named else rows
    settings = {"prediction": prediction, "max_passes": 1, "class_weight": {0: 2}}
    whole, parts = learners(**settings)[name], learners(**settings)[name]
    if name in ("positive", "elimination"):
        whole.set_params(threshold=7), parts.set_params(threshold=7)
    whole.fit(given, codes)
    for start, end in ((0, 3), (3, 4), (4, 31), (31, 60)):
        parts.partial_fit(given[start:end], codes[start:end], classes=range(n_classes) if start == 0 else None)
    assert parts.stopped_by_ == "end of batch"
    assert (parts.n_mistakes_, parts.n_updates_) == (whole.n_mistakes_, whole.n_updates_)
    assert [t.step.tolist() for t in parts.transcripts_] == [t.step.tolist() for t in whole.transcripts_]
    assert parts.predict(given).tolist() == whole.predict(given).tolist()
    assert parts.decision_function(given).tolist() == whole.decision_function(given).tolist()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prediction", ["final", "averaged"])
def test_several_classes_are_learned_one_against_the_rest(name: str, prediction: str) -> None:
    rows, codes = random_table(9, n_classes=3)
    learner = learners(max_passes=1, prediction=prediction)[name].fit(rows, np.array(["x", "y", "z"])[codes])
    singles = [learners(max_passes=1, prediction=prediction)[name].fit(rows, codes == k) for k in range(3)]
    assert updates_of(learner) == [updates_of(single)[0] for single in singles]
    values = np.column_stack([single.decision_function(rows) for single in singles])
    np.testing.assert_array_equal(learner.decision_function(rows), values)
    assert learner.classes_.tolist() == ["x", "y", "z"]
    assert learner.n_mistakes_ == sum(single.n_mistakes_ for single in singles)
    scores = [[m.scores(SparseRows.of(rows))[i][0] for m in (s.model_ for s in singles)] for i in range(60)]
    assert learner.predict(rows).tolist() == ["xyz"[s.index(max(s))] for s in scores]
    assert learner.coef_.shape == (3, 6)
    with pytest.raises(AttributeError, match="one transcript per class"):
        _ = learner.transcript_


@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("name", NAMES)
def test_threads_and_seeds_do_not_change_the_bytes_but_another_seed_does(
    name: str, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, codes = random_table(10, n_classes=3)
    monkeypatch.setenv("CONJUNCT_THREADS", threads)
    fits = [learners(max_passes=3, shuffle=True, random_state=seed)[name].fit(rows, codes) for seed in (5, 5, 6)]
    steps = [[t.index.tolist() for t in fit.transcripts_] for fit in fits]
    assert steps[0] == steps[1] != steps[2]
    assert state_of(fits[0]) == state_of(fits[1])
    plain = learners(max_passes=3)[name].fit(rows, codes)
    assert [t.index.tolist() for t in plain.transcripts_] != steps[0]


def test_class_weights_multiply_updates() -> None:
    rows, codes = random_table(11)
    settings: dict[str, Any] = {"max_passes": 2, "prediction": "final", "keep_transcript": True}
    learner = PerceptronClassifier(class_weight={0: "1/2", 1: 3}, **settings).fit(rows, codes)
    weights = sum((3 if u.label > 0 else -Fraction(1, 2)) * rows[u.index].astype(object) for u in learner.transcript_)
    assert learner.coef_[0].tolist() == [float(w) for w in weights]
    learner = WinnowClassifier(variant="positive", class_weight={1: 3}, promotion=2, threshold=3, **settings)
    learner.fit(rows, codes)
    powers = sum((3 if u.label > 0 else -1) * rows[u.index] for u in learner.transcript_)
    assert learner.coef_[0].tolist() == (2.0**powers).tolist()
    balanced = WinnowClassifier(class_weight="balanced", **settings).fit(rows[:9], [0] * 6 + [1] * 3)
    assert set(balanced.transcript_.rate[balanced.transcript_.label > 0].tolist()) == {2}


@pytest.mark.parametrize("name", NAMES)
def test_data_that_never_become_consistent_stop_and_say_so(name: str) -> None:
    rows, codes = [[1, 0], [1, 0], [0, 1]], [0, 1, 1]
    learner = learners(max_passes=7)[name].fit(rows, codes)
    assert (learner.stopped_by_, learner.n_passes_, learner.prediction_) == ("max_passes", 7, "averaged")
    assert learner.transcript_.n_steps == 21


@pytest.mark.parametrize("name", NAMES)
def test_data_that_become_consistent_stop_before(name: str) -> None:
    rows, codes = [[1, 0, 1], [0, 1, 1], [0, 1, 0]], [1, 0, 0]
    learner = learners(max_passes=200)[name].fit(rows, codes)
    assert (learner.stopped_by_, learner.prediction_) == ("consistent", "final")
    assert learner.n_passes_ < 200
    assert learner.predict(rows).tolist() == codes
    assert learner.transcript_.is_consistent


def test_updates_within_the_thickness_are_counted_apart() -> None:
    rows, codes = random_table(12)
    for learner in (
        PerceptronClassifier(thickness=2, max_passes=3, keep_transcript=True, shuffle=False),
        WinnowClassifier(thickness=(2, 0), max_passes=3, keep_transcript=True, shuffle=False),
        WinnowClassifier(thickness=(0, 2), max_passes=3, keep_transcript=True, shuffle=False),
    ):
        log = learner.fit(rows, codes).transcript_
        assert learner.n_updates_ == len(log) > learner.n_mistakes_ == int(log.is_mistake.sum()) > 0
        thin = set(log.label[~log.is_mistake].tolist())
        assert thin == {PerceptronClassifier: {1, -1}}.get(type(learner), {1} if learner.thickness == (2, 0) else {-1})


def test_fit_forgets_names_tables_and_doors() -> None:
    rows, codes = random_table(13)
    learner = PerceptronClassifier(max_passes=2, shuffle=False).fit(by_name(rows), codes)
    assert not hasattr(learner, "n_features_in_")
    assert learner.fit(rows, codes).names_ is None
    assert state_of(learner) == state_of(PerceptronClassifier(max_passes=2, shuffle=False).fit(rows, codes))
    learner.fit(by_name(rows[:30]), codes[:30])
    assert state_of(learner) == state_of(
        PerceptronClassifier(max_passes=2, shuffle=False).fit(by_name(rows[:30]), codes[:30])
    )


# Predictions


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize(("name", "prediction"), EACH)
def test_predicting_changes_nothing(name: str, prediction: str, is_named: bool, n_classes: int) -> None:
    rows, codes = random_table(14, n_classes=n_classes)
    given: Any = by_name(rows) if is_named else rows
    learner = learners(max_passes=2, prediction=prediction)[name].fit(given, codes)
    before, attributes = state_of(learner), dict(learner.__dict__)
    asked = [{"v0", "new"}, set(), {"newer": 1}] if is_named else rows
    first = learner.predict(asked).tolist(), learner.decision_function(asked).tolist()
    assert (learner.predict(asked).tolist(), learner.decision_function(asked).tolist()) == first
    assert learner.__dict__ == attributes
    assert state_of(learner) == before


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "prediction"), EACH)
def test_signs_of_decisions_are_those_of_predictions_also_at_ties(name: str, prediction: str, seed: int) -> None:
    rows, codes = random_table(seed, n_rows=20, n_variables=4)
    learner = learners(max_passes=2, prediction=prediction)[name].fit(rows, codes)
    asked = np.array(np.meshgrid(*[[0, 1]] * 4)).reshape(4, -1).T
    values = learner.decision_function(asked)
    assert np.isfinite(values).all()
    assert ((values > 0) == (learner.predict(asked) == 1)).all()
    assert (values != 0).all()


def test_a_tie_is_positive_with_the_smallest_value() -> None:
    learner = PerceptronClassifier(constant=0, shuffle=False).fit([[1, 0], [0, 1]], [1, 0])
    assert learner.decision_function([[0, 0]]).tolist() == [5e-324]
    learner = WinnowClassifier(variant="positive", threshold=2, promotion=2, shuffle=False).fit(
        [[1, 0], [0, 1]], [1, 0]
    )
    assert learner.predict([[1, 0]]).tolist() == [1]
    assert learner.decision_function([[1, 0]]).tolist() == [5e-324]
    assert WinnowClassifier(shuffle=False).fit([[1, 0], [0, 1]], [1, 0]).decision_function([[0, 0]]).shape == (1,)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(("name", "prediction"), [pair for pair in EACH if pair[1] != "voted"])
def test_coefficients_and_intercepts_make_the_decisions(name: str, prediction: str, n_classes: int) -> None:
    rows, codes = random_table(15, n_classes=n_classes)
    learner = learners(max_passes=3, prediction=prediction)[name].fit(rows, codes)
    n_outputs = 1 if n_classes == 2 else n_classes
    assert (learner.coef_.shape, learner.intercept_.shape) == ((n_outputs, 6), (n_outputs,))
    values = (rows @ learner.coef_.T + learner.intercept_).reshape(learner.decision_function(rows).shape)
    np.testing.assert_allclose(learner.decision_function(rows), values, rtol=1e-9, atol=1e-9)


def test_votes_have_no_coefficients() -> None:
    rows, codes = random_table(16)
    learner = PerceptronClassifier(prediction="voted", max_passes=2, shuffle=False).fit(rows, codes)
    for name in ("coef_", "intercept_"):
        with pytest.raises(AttributeError, match="voted predictions have no single"):
            getattr(learner, name)
    votes = learner.decision_function(rows)
    assert np.abs(votes).max() <= 120
    assert (votes[votes != 5e-324] % 2 == 0).all()


def test_attributes_of_an_unfitted_learner_are_missing() -> None:
    for make in BOTH:
        for name in ("coef_", "intercept_", "model_", "transcripts_", "transcript_"):
            assert not hasattr(make(), name)
        with pytest.raises(NotFittedError):
            make().predict([[0]])
    assert not hasattr(WinnowClassifier(shuffle=False), "threshold_")
    assert not hasattr(PerceptronClassifier(shuffle=False), "arithmetic_")


# What Winnow finds


def test_winnow_says_why_it_took_its_threshold() -> None:
    rows, codes = random_table(17)
    learner = WinnowClassifier(variant="positive", max_passes=2, shuffle=False).fit(rows, codes)
    assert learner.threshold_ == 6
    assert learner.reasons_["threshold"] == "6, the number of variables: mistakes grow with its logarithm"
    assert learner.reasons_["initial_weight"].startswith("1: ")
    wide = np.zeros((60, 50), int)
    wide[:, :6] = rows
    learner.fit(wide, codes)
    most = int(rows.sum(axis=1).max())
    assert learner.threshold_ == 4 * most
    assert learner.reasons_["threshold"].startswith(f"4 x {most}, the most variables a row has")
    assert learner.fit(by_name(rows), codes).threshold_ == 4 * most
    for variant in ("balanced", "normalised"):
        learner = WinnowClassifier(variant=variant, max_passes=2, shuffle=False).fit(rows, codes)
        assert (learner.threshold_, learner.initial_weight_) == (0, 1)
        assert learner.reasons_["threshold"] == "0: weights of both signs balance"
    learner = WinnowClassifier(
        variant="positive", threshold="7/2", initial_weight=0.5, max_passes=2, shuffle=False
    ).fit(rows, codes)
    assert (learner.threshold_, learner.initial_weight_, learner.reasons_) == (Fraction(7, 2), Fraction(1, 2), {})


def test_the_first_threshold_stays_in_later_batches() -> None:
    rows, codes = random_table(18)
    learner = WinnowClassifier(variant="positive", shuffle=False).partial_fit(
        by_name(rows[:10]), codes[:10], classes=[0, 1]
    )
    first = learner.threshold_
    learner.partial_fit([{f"n{k}" for k in range(40)}], [1])
    assert learner.threshold_ == first


# Bad input


def is_one_line(error: BaseException) -> bool:
    return "\n" not in str(error) and str(error).isprintable()


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"promotion": 1}, "promotion=1: expected a factor above 1"),
        ({"promotion": 0.5}, "promotion=1/2: expected a factor above 1"),
        ({"promotion": "x"}, "promotion="),
        ({"variant": "positive", "demotion": 1}, "demotion=1: expected a factor above 1"),
        ({"variant": "positive", "threshold": 0}, "threshold=0: positive weights need a positive threshold"),
        ({"variant": "elimination", "threshold": -2}, "threshold=-2: positive weights need a positive threshold"),
        ({"variant": "balanced", "demotion": 2}, "demotion=2 belongs to variant=\"positive\", not 'balanced'"),
        ({"variant": "winnow"}, "variant='winnow': expected one of"),
        ({"variant": None}, "variant=None: expected one of"),
        ({"thickness": -1}, "thickness="),
        ({"thickness": (0, -1)}, "thickness="),
        ({"thickness": (0, 1, 2)}, "thickness=.*expected a number or two"),
        ({"initial_weight": 0}, "initial_weight=0: expected a positive number"),
        ({"binarize": "x"}, "binarize='x'"),
        ({"prediction": "voted"}, "prediction='voted': expected"),
    ],
)
def test_settings_of_winnow_are_refused_by_name_and_leave_no_trace(settings: dict[str, Any], reason: str) -> None:
    learner = WinnowClassifier(**settings)
    before = dict(learner.__dict__)
    for learn in (learner.fit, lambda X, y: learner.partial_fit(X, y, classes=[0, 1])):
        with pytest.raises(SettingError, match=reason) as caught:
            learn([[0, 1], [1, 0]], [0, 1])
        assert is_one_line(caught.value)
        assert learner.__dict__ == before


@pytest.mark.parametrize("make", BOTH)
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"max_passes": 0}, "max_passes=0: expected a positive integer"),
        ({"max_passes": 1.5}, "max_passes=1.5"),
        ({"max_passes": True}, "max_passes=True"),
        ({"prediction": "mean"}, "prediction='mean'"),
        ({"shuffle": 1}, "shuffle=1"),
        ({"random_state": "x"}, "random_state='x'"),
        ({"thickness": -1}, "thickness="),
        ({"class_weight": {7: 1}}, "class_weight names 7"),
        ({"class_weight": {0: 0}}, "expected positive weights"),
        ({"class_weight": "even"}, "class_weight='even'"),
        ({"max_size": 2}, "max_size=2 is for examples given as sets or dicts of names"),
        ({"max_size": 0}, "max_size=0"),
    ],
)
def test_settings_of_both_are_refused_by_name_and_leave_no_trace(
    make: Any, settings: dict[str, Any], reason: str
) -> None:
    learner = make(**settings)
    before = dict(learner.__dict__)
    with pytest.raises(SettingError, match=reason) as caught:
        learner.fit([[0, 1], [1, 0]], [0, 1])
    assert is_one_line(caught.value)
    assert learner.__dict__ == before


def test_learning_rates_that_are_none_are_refused() -> None:
    for settings in ({"learning_rate": 0}, {"learning_rate": -1}, {"threshold": "x"}, {"constant": "x"}):
        with pytest.raises(SettingError, match=f"{next(iter(settings))}="):
            PerceptronClassifier(**settings).fit([[0], [1]], [0, 1])


@pytest.mark.parametrize("value", [0.5, 2, -1, np.nan, np.inf])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_winnow_refuses_values_other_than_0_and_1_by_place(make: Any, value: float) -> None:
    rows, codes = random_table(19)
    table = rows.astype(float)
    table[4, 2] = value
    learner = WinnowClassifier(shuffle=False)
    with pytest.raises(BitsError, match=r"column 2 has .* in row 4; .*0 and 1.*binarize"):
        learner.fit(make(table), codes)
    assert "classes_" not in learner.__dict__
    with pytest.raises(BitsError, match=r"example 1 has .* for 'b', expected 0 or 1"):
        learner.fit([{"a"}, {"b": value}], [0, 1])
    if np.isfinite(value):
        with pytest.raises(SettingError, match=r"Winnow multiplies the weights .* it needs Boolean rows"):
            learner.fit(SparseRows.of_real(table), codes)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array])
def test_the_perceptron_refuses_values_that_are_not_finite(make: Any, value: float) -> None:
    table = np.array([[0, 0.5], [value, 1]])
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        PerceptronClassifier(shuffle=False).fit(make(table), [0, 1])
    with pytest.raises(BitsError, match=f"example 1 has {value} for 'b', expected a finite number"):
        PerceptronClassifier(shuffle=False).fit([{"a"}, {"b": value}], [0, 1])
    learner = PerceptronClassifier(shuffle=False).fit([{"a"}, {"b": 0.5}], [0, 1])
    with pytest.raises(BitsError, match="expected a finite number"):
        learner.predict([{"b": value}])


@pytest.mark.parametrize("make", BOTH)
def test_a_broken_sparse_table_is_refused_without_following_its_indices(make: Any) -> None:
    for values in (np.ones(2), np.array([0.5, 2.0]) if make is PerceptronClassifier else np.ones(2)):
        table = sp.csr_array(np.eye(2) * values)
        table.indices[1] = 10**9
        with pytest.raises(ValueError, match="broken"):
            make().fit(table, [0, 1])


@pytest.mark.parametrize("make", BOTH)
@pytest.mark.parametrize(
    ("rows", "labels", "reason"),
    [
        ([[0], [1]], [1, 1], "one class only, 1; two are needed"),
        ([{"a"}, {"b"}], [1, 1], "one class only, 1; two are needed"),
        ([{"a"}, {"b"}], [0], "2 rows need as many labels, got 1"),
        ([[0], [1]], [0, np.nan], "NaN"),
        ([[0], [1]], None, "requires y to be passed"),
        ([{"a"}, 5], [0, 1], "example 1 is a int, expected a set or a dict of names"),
        ([{"a"}, "b"], [0, 1], "example 1 is a str, expected a set or a dict of names"),
        ([{"a"}, {"b": "1"}], [0, 1], "example 1 has '1' for 'b'"),
        (SparseRows.of(np.zeros((0, 3), int)), [], "0 rows"),
        ([], [], "array|rows"),
        (np.zeros((2, 0)), [0, 1], "feature"),
    ],
)
def test_bad_rows_and_labels_are_refused_and_leave_no_trace(make: Any, rows: Any, labels: Any, reason: str) -> None:
    learner = make()
    before = dict(learner.__dict__)
    with pytest.raises(ValueError, match=reason):
        learner.fit(rows, labels)
    assert learner.__dict__ == before


@pytest.mark.parametrize("make", BOTH)
def test_names_and_tables_do_not_mix(make: Any) -> None:
    rows, codes = random_table(20)
    named, table = make(max_passes=2).fit(by_name(rows), codes), make(max_passes=2).fit(rows, codes)
    before = state_of(named), state_of(table)
    for act in (named.predict, lambda X: named.partial_fit(X, codes)):
        with pytest.raises(BitsError, match="learned from examples given by name"):
            act(rows)
        with pytest.raises(BitsError, match="learned from examples given by name"):
            act(SparseRows.of(rows))
    for act in (table.predict, lambda X: table.partial_fit(X, codes)):
        with pytest.raises(BitsError, match="learned from a table; give rows of as many columns"):
            act(by_name(rows))
    assert (state_of(named), state_of(table)) == before


@pytest.mark.parametrize("make", BOTH)
def test_more_columns_than_learned_are_refused(make: Any) -> None:
    rows, codes = random_table(21)
    learner = make(max_passes=2).fit(rows, codes)
    before = state_of(learner)
    for wide in (np.hstack([rows, rows]), sp.csr_array(np.hstack([rows, rows])), BitMatrix.of(np.hstack([rows, rows]))):
        with pytest.raises(ValueError, match=r"X has 12 .* expecting 6"):
            learner.predict(wide)
        with pytest.raises(ValueError, match=r"X has 12 .* expecting 6"):
            learner.partial_fit(wide, codes)
    with pytest.raises(BitsError, match=r"X has 12 variables, but .* is expecting 6"):
        learner.predict(SparseRows.of(np.hstack([rows, rows])))
    assert state_of(learner) == before
    learner.partial_fit(SparseRows.of(np.hstack([rows, rows])), codes)  # rows of open width grow while learning
    assert (learner.n_features_in_, learner.coef_.shape) == (12, (1, 12))
    assert learner.predict(SparseRows.of([{0}, {1, 11}])).shape == (2,)


@pytest.mark.parametrize("make", BOTH)
def test_conjunctions_of_values_are_refused(make: Any) -> None:
    with pytest.raises(ConjunctError, match=r"max_size=2: conjunctions|expected 0 or 1"):
        make(max_size=2).fit([{"a": 0.5}, {"b": 1}], [0, 1])


GOING_ON: list[tuple[Any, dict[str, Any], Any, str]] = [
    (PerceptronClassifier, {"threshold": 1}, [0, 1], "settings and class weights it began with"),
    (PerceptronClassifier, {"learning_rate": 2}, [0, 1], "settings and class weights it began with"),
    (PerceptronClassifier, {"constant": 2}, [0, 1], "settings and class weights it began with"),
    (PerceptronClassifier, {"class_weight": {0: "1/2"}}, [0, 1], "settings and class weights it began with"),
    (PerceptronClassifier, {"max_size": 2}, [0, 1], "max_size=2"),
    (WinnowClassifier, {"promotion": 2}, [0, 1], "settings it began with"),
    (WinnowClassifier, {"threshold": 1}, [0, 1], "settings it began with"),
    (WinnowClassifier, {"variant": "positive"}, [0, 1], "settings it began with"),
    (WinnowClassifier, {"thickness": (0, 1)}, [0, 1], "settings it began with"),
    (WinnowClassifier, {"initial_weight": 2}, [0, 1], "settings it began with"),
    (WinnowClassifier, {"max_size": 2}, [0, 1], "max_size=2"),
    (PerceptronClassifier, {}, [0, 5], "label 5 is not among the classes"),
    (WinnowClassifier, {}, [0, 5], "label 5 is not among the classes"),
    (WinnowClassifier, {}, [0], "2 rows need as many labels"),
    (WinnowClassifier, {"class_weight": "balanced"}, [0, 1], "balanced"),
]


@pytest.mark.parametrize(("make", "settings", "labels", "reason"), GOING_ON)
def test_going_on_in_another_way_is_refused_and_leaves_the_model(
    make: Any, settings: dict[str, Any], labels: Any, reason: str
) -> None:
    learner = make().partial_fit([{"a"}, {"b"}], [0, 1], classes=[0, 1])
    before, params = state_of(learner), learner.get_params()
    learner.set_params(**settings)
    with pytest.raises(ConjunctError, match=reason) as caught:
        learner.partial_fit([{"a", "new"}, {"newer"}], labels)
    assert is_one_line(caught.value)
    learner.set_params(**params)
    assert state_of(learner) == before
    assert learner.names_.names == ("a", "b")
    learner.partial_fit([{"a"}, {"c"}], [0, 1])
    assert (learner.n_passes_, learner.names_.names) == (2, ("a", "b", "c"))


@pytest.mark.parametrize("make", BOTH)
def test_the_first_batch_needs_the_classes_and_later_ones_the_same(make: Any) -> None:
    with pytest.raises(SettingError, match="classes: the first call of partial_fit needs"):
        make().partial_fit([[0]], [1])
    with pytest.raises(BitsError, match="one class only"):
        make().partial_fit([[0]], [1], classes=[1])
    learner = make().partial_fit([[0]], [1], classes=[0, 1])
    assert learner.partial_fit([[1]], [0], classes=[1, 0]).n_passes_ == 2
    with pytest.raises(SettingError, match="not those of the first call"):
        learner.partial_fit([[0]], [1], classes=[0, 1, 2])


@pytest.mark.parametrize("make", BOTH)
def test_a_run_goes_on_only_with_what_it_kept_from_the_beginning(make: Any) -> None:
    rows, codes = random_table(22)
    learner = make(prediction="final").partial_fit(rows[:30], codes[:30], classes=[0, 1])
    for settings, reason in (
        ({"prediction": "averaged"}, r"^prediction='averaged': the run began without a mean of its hypotheses"),
        ({"prediction": "auto"}, r"^prediction='auto': the run began without a mean of its hypotheses"),
        ({"keep_transcript": True}, r"^keep_transcript=True: the run began without keeping its updates"),
    ):
        before = state_of(learner)
        with pytest.raises(SettingError, match=reason):
            learner.set_params(**settings).partial_fit(rows[30:], codes[30:])
        learner.set_params(prediction="final", keep_transcript=False)
        assert state_of(learner) == before
    mean = make(prediction="averaged").partial_fit(rows[:30], codes[:30], classes=[0, 1])
    mean.set_params(prediction="final").partial_fit(rows[30:], codes[30:])
    learner.partial_fit(rows[30:], codes[30:])
    assert mean.decision_function(rows).tolist() == learner.decision_function(rows).tolist()


@pytest.mark.parametrize("make", BOTH)
def test_a_transcript_that_was_not_asked_for_is_missing_and_its_option_named(make: Any) -> None:
    learner = make().fit(*random_table(23))
    for name in ("transcript_", "transcripts_"):
        assert not hasattr(learner, name)
        with pytest.raises(AttributeError, match=rf"^{name}: .* keep_transcript=True$"):
            getattr(learner, name)
    with pytest.raises(SettingError, match=r"^keep_transcript='yes': expected True or False$"):
        make(keep_transcript="yes").fit(*random_table(23))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("prediction", ["auto", "final"])
def test_a_transcript_changes_nothing_else(name: str, prediction: str) -> None:
    rows, codes = random_table(24, n_classes=3)
    settings = {"prediction": prediction, "max_passes": 4}
    kept, bare = (learners(keep_transcript=keeps, **settings)[name].fit(rows, codes) for keeps in (True, False))
    assert kept.decision_function(rows).tolist() == bare.decision_function(rows).tolist()
    assert (kept.n_mistakes_, kept.n_updates_, kept.n_passes_) == (bare.n_mistakes_, bare.n_updates_, bare.n_passes_)


@pytest.mark.parametrize("name", ["perceptron", "balanced", "positive", "elimination"])
def test_the_size_of_a_stream_does_not_grow_with_its_mistakes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows that contradict each other are mistaken for ever."""
    monkeypatch.setattr("conjunct.learners.online.winnow_run.MOST_LOGGED_BYTES", 1000)
    learner = learners(keep_transcript=False)[name]
    sizes, logged = [], []
    for _ in range(40):
        learner.partial_fit([[1, 0], [1, 0], [0, 1]] * 5, [0, 1, 1] * 5, classes=[0, 1])
        sizes.append(len(state_of(learner)))
        logged.append(sum(run.log.n_bytes for run in learner._model.runs))
    assert learner.n_mistakes_ > 100 or name == "elimination"
    assert sizes[-1] - sizes[5] < 200
    assert max(logged) <= 1000


# Interruptions and threads


def interrupt_after(n_calls: int, error: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let the passes of runs fail from a number on, after they changed the run."""
    original, calls = LinearRun._give_pass, []

    def interrupted(self: LinearRun, *args: Any) -> Any:
        answer = original(self, *args)
        calls.append(answer)
        if len(calls) >= n_calls:
            raise error
        return answer

    monkeypatch.setattr(LinearRun, "_give_pass", interrupted)
    return calls


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("is_named", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", NAMES)
def test_an_interrupted_fit_leaves_the_old_model_in_place(
    name: str, n_classes: int, is_named: bool, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, codes = random_table(23, n_classes=n_classes)
    given: Any = by_name(rows) if is_named else rows
    more: Any = [*by_name(rows[:20]), {"v0", "new"}, {"newer"}] if is_named else rows[:22]
    learner = learners(max_passes=2)[name].fit(given, codes)
    before, expected, asked = dict(learner.__dict__), state_of(learner), learner.decision_function(given).tolist()
    wrong = (codes[:22] + 1) % n_classes
    with monkeypatch.context() as patch:
        calls = interrupt_after(1 if n_classes == 2 else 2, error, patch)
        with pytest.raises(error):
            learner.partial_fit(more, wrong)
        assert sum(calls) > 0
        assert learner.__dict__ == before
        with pytest.raises(error):
            learner.fit(np.ones((4, 9), int), [0, 1, 1, 0])
        assert learner.__dict__ == before
    assert state_of(learner) == expected
    assert learner.decision_function(given).tolist() == asked
    fresh = learners(max_passes=2)[name].fit(given, codes)
    assert state_of(learner.partial_fit(more, wrong)) == state_of(fresh.partial_fit(more, wrong))
    assert learner.decision_function(given).tolist() == fresh.decision_function(given).tolist()


def test_an_interrupted_batch_of_numbers_leaves_whole_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, codes = random_table(24)
    learner = PerceptronClassifier(constant=1, shuffle=False).partial_fit(rows, codes, classes=[0, 1])
    expected = state_of(learner)
    with monkeypatch.context() as patch:
        interrupt_after(1, KeyboardInterrupt, patch)
        with pytest.raises(KeyboardInterrupt):
            learner.partial_fit(rows / 2, codes)
    assert learner.arithmetic_ == "exact"
    assert state_of(learner) == expected
    learner.partial_fit(rows, codes)
    assert state_of(learner) == state_of(
        PerceptronClassifier(constant=1, shuffle=False)
        .partial_fit(rows, codes, classes=[0, 1])
        .partial_fit(rows, codes)
    )


@pytest.mark.parametrize("make", BOTH)
def test_a_second_fit_at_the_same_time_is_refused_and_the_first_one_ends_well(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows, codes = random_table(25)
    expected = state_of(make(max_passes=3).fit(rows, codes))
    is_learning, go_on = threading.Event(), threading.Event()
    original = LinearRun._give_pass

    def slow(self: LinearRun, *args: Any) -> Any:
        is_learning.set()
        assert go_on.wait(60)
        return original(self, *args)

    monkeypatch.setattr(LinearRun, "_give_pass", slow)
    learner = make(max_passes=3)
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


@pytest.mark.parametrize(("name", "prediction"), EACH)
def test_predicting_from_many_threads_at_once_is_right(name: str, prediction: str) -> None:
    rows, codes = random_table(26, n_rows=300)
    learner = learners(max_passes=2, prediction=prediction)[name].fit(by_name(rows), codes)
    asked = [*by_name(rows), {"new", "v1"}]
    expected = clone(learner).fit(by_name(rows), codes).decision_function(asked).tolist()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda _: learner.decision_function(asked).tolist(), range(8)))
    assert all(answer == expected for answer in answers)


@pytest.mark.parametrize("rows", [[[0, 1], [1, 2.5]], sp.csr_array([[0, 1], [1, 2.5]])])
def test_winnow_says_why_it_refuses_a_real_value_and_where_it_is(rows):
    words = r"column 1 has 2\.5 in row 1; Winnow multiplies the weights .* binarize=0\.5 reads"
    with pytest.raises(BitsError, match=words):
        WinnowClassifier(shuffle=False).fit(rows, [0, 1])
