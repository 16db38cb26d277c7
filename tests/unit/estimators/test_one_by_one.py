"""Examples by name, one a call: the same model as from batches, and as fast as the core."""

from __future__ import annotations

import builtins
import random
import threading
from pathlib import Path

import numpy as np
import pytest

from conjunct import PerceptronClassifier, WinnowClassifier
from conjunct.errors import BitsError, BusyError, MemoryLimitError, SettingError
from conjunct.estimators.on_line_classifier import OnLineClassifier
from conjunct.learners.online.winnow_run import WinnowRun

BOTH = [PerceptronClassifier, WinnowClassifier]


def state_of(learner):
    return learner.__getstate__()["file"]


def some_examples(rng, n, n_names, *, n_classes=2, with_values=False):
    names = [f"n{k}" for k in range(n_names)]
    values = [0, 1, 0.5, -2] if with_values else [1]
    rows = [{rng.choice(names): rng.choice(values) for _ in range(rng.randint(0, 9))} for _ in range(n)]
    return rows, [rng.randrange(n_classes) for _ in rows]


def by_turns(all_settings):
    """Each with two classes or with three; with both in the long runs."""
    return [
        pytest.param(settings, n, marks=[pytest.mark.long] * (place % 2 == n % 2), id=f"{settings}-{n}")
        for place, settings in enumerate(all_settings)
        for n in (2, 3)
    ]


SETTINGS = [
    {},
    {"prediction": "final"},
    {"threshold": "1/3", "constant": "1/2", "thickness": 1, "learning_rate": "1/3"},
    {"max_size": 2, "class_weight": {0: 2, 1: "1/3"}},
    {"constant": 0, "threshold": 2},
]


@pytest.mark.parametrize(("settings", "n_classes"), by_turns(SETTINGS))
@pytest.mark.parametrize("with_values", [False, True])
def test_one_example_a_call_leads_to_the_bytes_of_batches_of_one(settings, n_classes, with_values):
    if with_values and "max_size" in settings:
        settings = {"thickness": "1/4"}
    require_bytes_of_batches(lambda: PerceptronClassifier(**settings), n_classes, with_values=with_values)


def require_bytes_of_batches(make, n_classes, *, with_values=False):
    rng = random.Random(n_classes)
    rows, labels = some_examples(rng, 150, 60, n_classes=n_classes, with_values=with_values)
    one, batches = make(), make()
    classes = list(range(n_classes))
    for row, label in zip(rows, labels, strict=True):
        one.learn_one(row, label, classes)
        OnLineClassifier.partial_fit(batches, [row], [label], classes)
        asked = {f"n{rng.randrange(70)}" for _ in range(5)}
        assert one.predict_one(asked) == one.predict([asked])[0] == batches.predict([asked])[0]
    assert state_of(one) == state_of(batches)
    assert (one.n_mistakes_, one.n_updates_, one.n_passes_) == (batches.n_mistakes_, batches.n_updates_, 150)
    assert one.stopped_by_ == "end of batch"
    assert type(one)._from_bytes(state_of(one), "file").predict_one(asked) == one.predict_one(asked)


WINNOW_SETTINGS = [
    {},
    {"prediction": "final", "thickness": ("1/3", "1/4")},
    {"variant": "positive", "promotion": 2},
    {"variant": "positive", "demotion": "7/5", "threshold": 5, "class_weight": {0: 2}},
    {"variant": "elimination", "promotion": 2, "max_size": 2},
    {"class_weight": {0: 40}},  # past the first tables
    {"promotion": 2, "class_weight": {1: 1000}},  # past the range of floats
]


@pytest.mark.parametrize(("settings", "n_classes"), by_turns(WINNOW_SETTINGS))
def test_one_example_a_call_leads_winnow_to_the_bytes_of_batches_of_one(settings, n_classes):
    require_bytes_of_batches(lambda: WinnowClassifier(**settings), n_classes)


@pytest.mark.parametrize("settings", [{}, {"variant": "positive"}, {"variant": "positive", "demotion": 2}], ids=str)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_winnow_learns_and_predicts_one_example_without_the_long_way(settings, n_classes, monkeypatch):
    rows, labels = some_examples(random.Random(1), 200, 60, n_classes=n_classes)
    rows = [{**row, "some": 1} for row in rows]  # without names several classes tie, for others to decide
    learner = WinnowClassifier(**settings).partial_fit(rows[:100], labels[:100], list(range(n_classes)))
    for name in ("partial_fit", "predict"):
        monkeypatch.setattr(OnLineClassifier, name, lambda *_: pytest.fail("not for one example"))
    for row, label in zip(rows[100:], labels[100:], strict=True):
        assert learner.predict_one(row) in range(n_classes)
        learner.learn_one(row, label)
    assert learner.n_passes_ == 101


@pytest.mark.parametrize("settings", [{"variant": "normalised"}, {"keep_transcript": True}], ids=str)
def test_what_needs_all_updates_goes_the_long_way_to_the_same_bytes(settings):
    require_bytes_of_batches(lambda: WinnowClassifier(**settings), 2)


@pytest.mark.parametrize("settings", [{}, {"variant": "positive", "demotion": 2}], ids=str)
def test_updates_made_one_by_one_are_counted_into_durations_from_time_to_time(settings, monkeypatch):
    monkeypatch.setattr("conjunct.learners.online.winnow_stream.EXAMPLES_BETWEEN_CHECKS", 7)
    monkeypatch.setattr("conjunct.learners.online.winnow_run.MOST_LOGGED_BYTES", 2000)
    require_bytes_of_batches(lambda: WinnowClassifier(**settings), 2)
    rows, labels = some_examples(random.Random(3), 200, 60)
    learner = WinnowClassifier(**settings)
    for row, label in zip(rows, labels, strict=True):
        learner.learn_one(row, label, [0, 1])
    (run,) = learner._model.runs
    assert run.n_updates > 60
    assert run.pending.n_updates <= 7
    assert sum(len(part.label) for part in run.log.parts) < 20


def test_an_interrupt_while_fractions_decide_leaves_all_classes_as_they_were(monkeypatch):
    learner = WinnowClassifier().learn_one({"a"}, 0, [0, 1, 2]).learn_one({"b"}, 1)
    before = state_of(learner)

    def interrupted(*_, **__):
        raise KeyboardInterrupt

    # The first class has a mistake to learn from, the weights of a and b cancel in the second.
    monkeypatch.setattr(OnLineClassifier, "partial_fit", lambda *_: pytest.fail("not for one example"))
    monkeypatch.setattr(WinnowRun, "verdict", interrupted)
    with pytest.raises(KeyboardInterrupt):
        learner.learn_one({"a", "b", "new"}, 0)
    monkeypatch.undo()
    assert state_of(learner) == before
    assert learner.names_.names == ("a", "b")
    assert learner.learn_one({"a", "b", "new"}, 0).n_passes_ == 3


def test_one_example_a_call_leads_to_the_hypothesis_of_one_batch():
    rows, labels = some_examples(random.Random(5), 300, 40)
    one, whole = PerceptronClassifier(), PerceptronClassifier().partial_fit(rows, labels, classes=[0, 1])
    for row, label in zip(rows, labels, strict=True):
        one.partial_fit([row], [label], classes=[0, 1])
    assert one.names_.names == whole.names_.names
    assert (one.n_mistakes_, one.n_updates_) == (whole.n_mistakes_, whole.n_updates_)
    assert np.array_equal(one.model_.weights, whole.model_.weights)
    assert np.array_equal(one.coef_, whole.coef_)


@pytest.mark.parametrize("make", BOTH)
def test_true_and_false_need_no_list_of_classes(make):
    learner = make()
    assert learner.predict_one({"red"}) is None
    for _ in range(3):
        assert learner.learn_one({"red", "round"}, True).learn_one({"round"}, False) is learner
    assert learner.classes_.tolist() == [False, True]
    assert [learner.predict_one({"red"}), learner.predict_one(["round"])] == [True, False]
    with pytest.raises(SettingError, match="classes: the first call of partial_fit needs"):
        make().learn_one({"red"}, "yes")
    assert make().learn_one({"red"}, "yes", ["no", "yes"]).predict_one({"red"}) == "yes"


@pytest.mark.parametrize("make", BOTH)
def test_tokens_are_examples_in_lists_and_generators(make):
    sets, labels = [{"red", "round"}, {"red"}, {"round"}, set()], [1, 1, 0, 0]
    expected = make(shuffle=False).fit(sets, labels)
    asked = [{"red", "flat"}, {"flat"}]
    for rows in (
        [["red", "round", "red"], ["red"], ["round"], []],
        [("red", "round"), ("red",), ("round",), ()],
        [(name for name in sorted(row)) for row in sets],
        (row for row in sets),
        [frozenset(row) for row in sets],
    ):
        learner = make(shuffle=False).fit(rows, labels)
        assert sorted(learner.names_.names) == ["red", "round"]
        assert learner.n_mistakes_ == expected.n_mistakes_
        for given in (asked, [sorted(row) for row in asked], (iter(row) for row in asked)):
            assert learner.predict(given).tolist() == expected.predict(asked).tolist()
    assert expected.predict_one(name for name in ("red", "flat")) == 1


@pytest.mark.parametrize("make", BOTH)
def test_what_is_no_example_is_refused_and_leaves_the_model(make):
    learner = make().learn_one({"a"}, True).learn_one({"b"}, False)
    before = state_of(learner)
    for example, label, message in [
        ("red", True, "learned from examples given by name"),
        (3, True, "learned from examples given by name"),
        ({"new": "x"}, True, "example 0 has 'x' for 'new', expected"),
        ({"new"}, 2, "label 2 is not among the classes"),
        ([["nested"]], True, "learned from examples given by name"),
    ]:
        with pytest.raises(BitsError, match=message):
            learner.learn_one(example, label)
        assert state_of(learner) == before
    with pytest.raises((BitsError, TypeError), match="unhashable"):
        learner.learn_one(iter([["nested"]]), True)
    assert state_of(learner) == before
    assert learner.names_.names == ("a", "b")


def test_settings_that_change_between_calls_are_looked_at():
    learner = PerceptronClassifier(class_weight={False: 1}).learn_one({"a"}, True).learn_one({"b"}, False)
    learner.set_params(threshold=3)
    with pytest.raises(SettingError, match="a run goes on only with the settings and class weights it began with"):
        learner.learn_one({"a"}, True)
    learner.set_params(threshold=0, prediction="final")
    assert learner.learn_one({"a"}, True).prediction_ == "final"
    assert learner.learn_one({"a"}, True).n_passes_ == 4
    learner.class_weight[False] = "1/7"
    with pytest.raises(SettingError, match="a run goes on only with"):
        learner.learn_one({"a"}, True)
    with pytest.raises(SettingError, match=r"classes=\[True\] are not those of the first call"):
        learner.learn_one({"a"}, True, [True])


@pytest.mark.parametrize("make", BOTH)
def test_batches_tables_and_single_examples_follow_each_other(make):
    rows, labels = some_examples(random.Random(7), 90, 30)
    mixed, batches = make(), make()
    for start in range(0, 90, 30):
        part = slice(start, start + 20)
        for learner in (mixed, batches):
            learner.partial_fit(rows[part], labels[part], classes=[0, 1])
        for row, label in zip(rows[start + 20 : start + 30], labels[start + 20 : start + 30], strict=True):
            mixed.partial_fit([row], np.array([label]))
            OnLineClassifier.partial_fit(batches, [row], [label])
    assert state_of(mixed) == state_of(batches)
    fitted = make(shuffle=False).fit(rows, labels)
    assert fitted.predict_one(rows[0]) == fitted.predict(rows[:1])[0]
    assert fitted.learn_one(rows[0], labels[0]).stopped_by_ == "end of batch"


@pytest.mark.parametrize("make", BOTH)
def test_a_single_example_starts_no_thread_and_reads_no_file(make, monkeypatch):
    learner = make()
    for label in (0, 1, 2, 0):
        learner.partial_fit([{"a": 1, f"b{label}": 1}], [label], classes=[0, 1, 2])

    def refuse(*_, **__):
        raise AssertionError("not for one example")

    for owner, name in ((threading.Thread, "start"), (builtins, "open"), (Path, "read_text")):
        monkeypatch.setattr(owner, name, refuse)
    for k in range(100):
        learner.partial_fit([{"a": 1, f"c{k}": 1}], [k % 3])
        learner.predict_one({"a", f"c{k}"})
    monkeypatch.undo()
    assert learner.names_.n_variables == 104


def test_a_row_of_several_classes_starts_no_thread(monkeypatch):
    learner = WinnowClassifier().partial_fit([{"a"}], [0], classes=[0, 1, 2])
    monkeypatch.setattr(threading.Thread, "start", lambda _: pytest.fail("not for one example"))
    learner.partial_fit([{"b"}], [1])


@pytest.mark.parametrize("make", BOTH)
def test_names_past_the_memory_limit_are_refused_one_by_one_too(make):
    learner = make().learn_one({"a"}, True)
    learner.names_.max_bytes = 200 * 50
    for k in range(49):
        learner.learn_one({f"b{k}"}, False)
    before = state_of(learner)
    with pytest.raises(MemoryLimitError, match="example 0 brings more than 50 variables"):
        learner.learn_one({"one too many"}, True)
    assert state_of(learner) == before
    assert learner.learn_one({"a"}, True).names_.n_variables == 50


def test_thousands_of_new_names_are_learned_one_by_one():
    one, batches = PerceptronClassifier(), PerceptronClassifier()
    rows = [{f"n{k}": 1, f"n{k + 1}": 1} for k in range(0, 12_000, 2)]
    labels = [k % 3 == 0 for k in range(6000)]
    for row, label in zip(rows, labels, strict=True):
        one.learn_one(row, label)
    batches.partial_fit(rows, labels, classes=[False, True])
    assert one.names_.n_variables == batches.names_.n_variables == 12_000
    assert np.array_equal(one.model_.weights, batches.model_.weights)


@pytest.mark.parametrize("prediction", ["final", "averaged"])
def test_thousands_of_new_names_lead_winnow_to_the_weights_of_one_batch(prediction):
    one, whole = WinnowClassifier(prediction=prediction), WinnowClassifier(prediction=prediction)
    rows = [{f"n{k}": 1, f"n{k + 1}": 1, f"n{k % 50}": 1} for k in range(0, 12_000, 2)]
    labels = [k % 3 == 0 for k in range(6000)]
    for row, label in zip(rows, labels, strict=True):
        one.learn_one(row, label)
    whole.partial_fit(rows, labels, classes=[False, True])
    assert one.names_.names == whole.names_.names
    assert (one.n_mistakes_, one.n_updates_) == (whole.n_mistakes_, whole.n_updates_)
    assert np.array_equal(one.coef_, whole.coef_)
    assert np.array_equal(one.intercept_, whole.intercept_)


def test_class_weights_that_change_count_from_then_on():
    rows, labels = some_examples(random.Random(8), 60, 30)
    one, batches = (WinnowClassifier(class_weight={0: 1}) for _ in range(2))
    for number, (row, label) in enumerate(zip(rows, labels, strict=True)):
        if number == 30:
            one.class_weight[0] = batches.class_weight[0] = 3
        one.learn_one(row, label, [0, 1])
        OnLineClassifier.partial_fit(batches, [row], [label], [0, 1])
    assert state_of(one) == state_of(batches)


class Reentrant:
    """A name that learns while it is compared."""

    def __init__(self, learner):
        self.learner = learner

    def __hash__(self):
        self.learner.learn_one({"inner"}, True)
        return hash("a")

    def __eq__(self, other):
        return self is other


def test_a_name_that_learns_while_it_is_read_does_no_harm():
    learner = PerceptronClassifier().learn_one({"a"}, True).learn_one({"b"}, False)
    learner.learn_one([Reentrant(learner)].__iter__(), True)
    assert "inner" in learner.names_.names
    assert learner.n_passes_ >= 3


def test_a_name_that_teaches_winnow_while_it_is_read_is_refused():
    learner = WinnowClassifier().learn_one({"a"}, True).learn_one({"b"}, False)
    with pytest.raises(BusyError):
        learner.learn_one(iter([Reentrant(learner)]), True)
    batches = WinnowClassifier().learn_one({"a"}, True).learn_one({"b"}, False)
    while batches.n_passes_ < learner.n_passes_:
        OnLineClassifier.partial_fit(batches, [{"inner"}], [True])
    assert learner.n_passes_ > 2
    for each in (learner, batches):
        each.learn_one({"a", "inner"}, False)
    asked = [{"a"}, {"b"}, {"inner"}, {"a", "b"}]
    assert learner.decision_function(asked).tolist() == batches.decision_function(asked).tolist()


@pytest.mark.parametrize("make", BOTH)
def test_whoever_learns_while_another_thread_fits_is_told_so(make):
    learner = make().learn_one({"a"}, True).learn_one({"b"}, False)
    learner.__dict__["_busy"] = object()
    with pytest.raises(BusyError):
        learner.learn_one({"a"}, True)
    assert learner.predict_one({"a"}) == learner.predict([{"a"}])[0]


@pytest.mark.parametrize("make", BOTH)
def test_top_names_the_heaviest_variables_and_their_conjunctions(make):
    rows = [["red", "not round"], ["red"], ["not round"], []] * 3
    learner = make(max_size=2, shuffle=False).fit(rows, [1, 0, 0, 0] * 3)
    top = learner.top(1)
    assert [name for name, _ in top] == ['"not round" & red']
    assert top[0][1] > 0
    assert len(learner.top()) <= 3
    several = make(shuffle=False).fit([["a"], ["b"], ["c"]] * 3, ["x", "y", "z"] * 3).top()
    highest = {label: max(top, key=lambda pair: pair[1])[0] for label, top in several.items()}
    assert highest == {"x": "a", "y": "b", "z": "c"}
    table = make(shuffle=False).fit([[0, 1], [1, 0], [1, 1], [0, 0]], [0, 1, 1, 0])
    assert table.top(1)[0][0] == "x1"
    with pytest.raises(SettingError, match="n=0"):
        table.top(0)


def test_a_transcript_is_checked_against_a_target_by_name():
    rows = [{"red", "x"}, {"blue", "x"}, {"x"}, {"red"}, {"y"}] * 4
    labels = [1, 1, 0, 1, 0] * 4
    for learner in (
        PerceptronClassifier(keep_transcript=True, shuffle=False),
        WinnowClassifier(variant="positive", promotion=2, keep_transcript=True, shuffle=False),
    ):
        transcript = learner.fit(rows, labels).transcript_
        numbers = {learner.names_.names.index(name) for name in ("red", "blue")}
        assert transcript.check({"red", "blue"}) == transcript.check(numbers)
        assert transcript.check({"red", "blue"}).holds
        with pytest.raises(SettingError, match="target has 'rad', which no variable is called; nearest: 'red'"):
            transcript.check({"rad"})
    perceptron = PerceptronClassifier(keep_transcript=True, shuffle=False, max_size=2, constant=1)
    transcript = perceptron.fit([["a", "b"], ["a"], ["b"], []] * 3, [1, 0, 0, 0] * 3).transcript_
    pair = [perceptron.names_.describe(k) for k in range(3)].index("a & b")
    assert transcript.check({"a & b": 2, "a": -1}) == transcript.check({pair: 2, 0: -1})
    by_number = PerceptronClassifier(keep_transcript=True, shuffle=False).fit([[0, 1], [1, 0]], [0, 1]).transcript_
    with pytest.raises(SettingError, match="the rows have no names; give variables by number"):
        by_number.check({"x1"})
