"""Examples by name, whatever their number, are learned as rows of a table with a column for every name."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from conjunct.bits import NameTable, SparseRows
from conjunct.errors import BitsError, SettingError
from conjunct.learners import Lesson, Perceptron, Winnow
from conjunct.learners.online.linear_run import LinearRun
from conjunct.saving.on_line_model import OnLineModel
from conjunct.saving.saved_model import kind_of

LEARNERS = {
    "perceptron": Perceptron(),
    "perceptron, all settings": Perceptron("1/3", "1/2", "2/3", "1/5"),
    "positive": Winnow(4),
    "positive, factors apart": Winnow("9/2", "3/2", "5/4", "1/2", "positive", (1, "1/3")),
    "elimination": Winnow(3, 2, variant="elimination"),
    "balanced": Winnow(0, "3/2", variant="balanced", constant=True),
    "balanced, thick": Winnow("1/2", "11/10", None, 2, "balanced", ("1/2", 1), True),
    "normalised": Winnow(0, "3/2", variant="normalised", constant=True),
}
PREDICTIONS = {name: ["final", "averaged", *["voted"] * (name[:4] == "perc")] for name in LEARNERS}
EACH = [(name, prediction) for name in LEARNERS for prediction in PREDICTIONS[name]]


def random_examples(seed, n_examples=80, n_names=12, chance=0.3):
    """Sets of names, and labels that follow a rule except for some noise."""
    random = np.random.RandomState(seed)
    table = random.rand(n_examples, n_names) < chance
    labels = np.where((table[:, 0] | table[:, 1]) ^ (random.rand(n_examples) < 0.1), 1, -1)
    return [{f"w{k}" for k in np.flatnonzero(row)} for row in table], labels


def expanded(example, max_size):
    return {frozenset(c) for size in range(1, max_size + 1) for c in combinations(sorted(example), size)}


def one_hot(examples, names):
    return np.array([[name in example for name in names] for example in examples], int).reshape(len(examples), -1)


def reloaded(run):
    """Return the run as a model file brings it back."""
    kind = kind_of(f"{type(run.learner).__name__.lower()}-classifier")
    record, arrays = kind.describe(OnLineModel(run.learner, (run,), np.array([0, 1]), "final", "end of batch"))
    return kind.read(record, dict(arrays)).runs[0]


def updates(run):
    """Each update; scores of normalised weights are left out, as they depend on how many variables there are."""
    is_relative = getattr(run.learner, "variant", "") == "normalised"
    log = run.transcript()
    return [(u.step, u.index, u.label, u.is_mistake, None if is_relative else u.score) for u in log]


@pytest.mark.parametrize("max_size", [1, 2])
@pytest.mark.parametrize(("name", "prediction"), EACH)
def test_names_are_learned_and_predicted_as_a_dense_table_of_any_width(name, prediction, max_size):
    learner, (examples, labels) = LEARNERS[name], random_examples(1)
    later, _ = random_examples(2, n_names=18)  # six names are new
    is_normalised = name == "normalised"  # over the variables known: a column never seen would count
    known = examples if is_normalised else examples + later
    features = sorted(set().union(*(expanded(e, max_size) for e in known)), key=sorted)
    features += [] if is_normalised else [frozenset({f"never {k}"}) for k in range(70)]
    dense = SparseRows.of(one_hot([expanded(e, max_size) for e in examples], features))
    table, by_name, by_column = NameTable(max_size), learner.begin(), learner.begin()
    for start in (0, 13, 40, 41):
        batch = slice(start, {0: 13, 13: 40, 40: 41, 41: 80}[start])
        by_name.learn(Lesson(table.rows(examples[batch]), labels[batch]))
        by_column.learn(Lesson(dense.take(np.arange(80)[batch]), labels[batch]))
    assert by_name.n_updates > 5
    assert updates(by_name) == updates(by_column)
    by_name, by_column = learner.model([by_name], prediction), learner.model([by_column], prediction)
    for asked in (examples, later, [{"never 5"}, {"never 1", "never 2", "w0"}, set()]):
        rows = table.rows(asked, grows=False)
        columns = SparseRows.of(one_hot([expanded(e, max_size) for e in asked], features))
        if max_size == 2 and "never 5" in asked[0]:
            columns = None  # their pairs have no columns
        if columns is None:
            continue
        assert by_name.choices(rows).tolist() == by_column.choices(columns).tolist()
        ours, theirs = by_name.decision_values(rows), by_column.decision_values(columns)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)
        if prediction == "final" and hasattr(by_name, "scores"):
            assert by_name.scores(rows) == by_column.scores(columns)


@pytest.mark.parametrize("name", LEARNERS)
def test_one_row_at_a_time_is_one_pass(name):
    learner, (examples, labels) = LEARNERS[name], random_examples(3)
    rows = NameTable().rows(examples)
    whole, parts = learner.begin(), learner.begin()
    whole.learn(Lesson(rows, labels))
    for i in range(80):
        parts.learn(Lesson(rows.take(np.array([i])), labels[[i]]))
    assert whole.n_steps == parts.n_steps == 80
    assert [(u.step, u.label, u.score) for u in whole.transcript()] == [
        (u.step, u.label, u.score) for u in parts.transcript()
    ]


@pytest.mark.parametrize("name", LEARNERS)
def test_a_run_that_was_saved_goes_on_as_the_run_itself(name):
    learner, (examples, labels) = LEARNERS[name], random_examples(4)
    rows = NameTable().rows(examples)
    run = learner.begin()
    run.learn(Lesson(rows, labels, np.where(labels > 0, 3, 1)), max_passes=3)
    again = reloaded(run)
    assert updates(again) == updates(run)
    lesson = Lesson(rows.take(np.arange(79, -1, -1)), labels[::-1])
    for each in (run, again):
        each.learn(lesson, max_passes=2)
    assert updates(again) == updates(run)
    for prediction in PREDICTIONS[name]:
        ours, theirs = (learner.model([each], prediction).decision_values(rows) for each in (run, again))
        assert ours.tolist() == theirs.tolist()


def state(run):
    """Everything a run knows, in bytes."""
    parts = {k: v for k, v in run.__dict__.items() if k not in ("log", "learner", "powers")}
    arrays = {k: v.tobytes() if isinstance(v, np.ndarray) else v for k, v in parts.items()}
    log = run.transcript()
    return arrays, [log.rows.places.tobytes(), log.step.tobytes(), log.rows.values is None, len(run.log.parts)]


@pytest.mark.parametrize("is_wider", [False, True])
@pytest.mark.parametrize("is_long", [False, True])
@pytest.mark.parametrize("name", LEARNERS)
def test_an_interrupted_lesson_leaves_the_run_as_it_was(name, is_long, is_wider, monkeypatch):
    examples, labels = random_examples(5, n_names=60)
    table = NameTable()
    rows = table.rows(examples)
    run = LEARNERS[name].begin()
    run.learn(Lesson(rows, labels))
    before, n_calls = state(run), []
    chosen = examples if is_long else [{"w1"}] * 4
    if is_wider:
        chosen = [*chosen[:-1], chosen[-1] | {"new", "newer"}]
    lesson = Lesson(table.rows(chosen), -labels if is_long else [1, -1, 1, -1])
    original = LinearRun._give_pass

    def interrupted(self, *args):
        answer = original(self, *args)
        n_calls.append(answer)
        if len(n_calls) == 2:
            raise KeyboardInterrupt
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(LinearRun, "_give_pass", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run.learn(lesson, max_passes=5)
    assert n_calls[0] > 0
    assert state(run) == before
    run.learn(lesson)
    assert state(run) != before


def test_a_run_that_is_cancelled_stops_and_forgets(monkeypatch):
    monkeypatch.setattr("conjunct.bits.sparse_rows.ENTRIES_PER_CALL", 64)
    examples, labels = random_examples(6)
    run, n_asked = Perceptron().begin(), []

    def is_cancelled():
        n_asked.append(True)
        return len(n_asked) == 3

    with pytest.raises(KeyboardInterrupt):
        run.learn(Lesson(NameTable().rows(examples), labels), is_cancelled=is_cancelled)
    assert (run.n_steps, run.n_updates, len(run.transcript())) == (0, 0, 0)
    assert not run.weights.any()


@pytest.mark.parametrize("name", LEARNERS)
def test_blocks_do_not_change_a_run(name, monkeypatch):
    examples, labels = random_examples(7)
    rows = NameTable().rows(examples)
    whole = LEARNERS[name].run(rows, labels, max_passes=3, seed=5)
    monkeypatch.setattr("conjunct.bits.sparse_rows.ENTRIES_PER_CALL", 50)
    parts = LEARNERS[name].run(rows, labels, max_passes=3, seed=5)
    assert list(parts) == list(whole)


def test_a_run_in_whole_numbers_goes_on_in_floats():
    random = np.random.RandomState(8)
    first, then = random.randint(0, 2, (40, 5)), random.randint(0, 8, (40, 5)) / 4
    labels = np.where(random.rand(80) < 0.5, 1, -1)
    run, wanted = Perceptron("1/4", constant="1/2").begin(), Perceptron("1/4", constant="1/2").begin(is_real=True)
    for table, batch in ((first, slice(0, 40)), (then, slice(40, 80)), (first, slice(0, 40))):
        rows = SparseRows.of(table) if table is first else SparseRows.of_real(table)
        run.learn(Lesson(rows, labels[batch]))
        wanted.learn(Lesson(SparseRows.of_real(table), labels[batch]))
    assert run.is_real
    assert [float(u.score) for u in run.transcript()] == [u.score for u in wanted.transcript()]
    assert run.weights.tolist() == wanted.weights.tolist()


@pytest.mark.parametrize(
    ("labels", "rates", "reason"),
    [
        ([1], None, "2 rows need as many labels"),
        ([1, 0], None, r"\+1 and -1"),
        ([1, -1], [1, 0], "rates: expected 2 positive"),
        ([1, -1], [1], "rates: expected 2 positive"),
        ([[1, -1]], None, "2 rows need as many labels"),
    ],
)
def test_lessons_of_other_labels_or_rates_are_refused(labels, rates, reason):
    with pytest.raises((BitsError, SettingError), match=reason):
        Lesson(SparseRows.of([{0}, {1}]), labels, rates)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"promotion": 1}, "promotion=1: expected a factor above 1"),
        ({"promotion": "1/2"}, "promotion=1/2: expected a factor above 1"),
        ({"demotion": 1}, "demotion=1: expected a factor above 1"),
        ({"demotion": 2, "variant": "balanced"}, 'demotion=2 belongs to variant="positive"'),
        ({"demotion": 2, "variant": "elimination"}, 'demotion=2 belongs to variant="positive"'),
        ({"threshold": 0}, "threshold=0: positive weights need a positive threshold"),
        ({"threshold": -1, "variant": "elimination"}, "threshold=-1: positive weights need a positive threshold"),
        ({"initial_weight": 0}, "initial_weight=0"),
        ({"thickness": (0, -1)}, "thickness="),
        ({"variant": "negative"}, "variant='negative': expected one of 'positive'"),
    ],
)
def test_settings_of_winnow_are_refused_by_name(settings, reason):
    with pytest.raises(SettingError, match=reason):
        Winnow(**{"threshold": 1, **settings})


def test_settings_of_the_perceptron_are_refused_by_name():
    for name, value in (("learning_rate", 0), ("thickness", -1)):
        with pytest.raises(SettingError, match=f"{name}={value}"):
            Perceptron(**{name: value})


def test_winnow_refuses_real_rows_and_says_why():
    with pytest.raises(SettingError, match="multiplies the weights of a row's variables: it needs Boolean rows"):
        Winnow(1).run(SparseRows.of_real([[0.5], [1]]), [1, -1])


def test_rates_that_could_overflow_are_refused():
    rows = SparseRows.of([{0}, {1}])
    with pytest.raises(SettingError, match="past 2"):
        Perceptron().run(rows, [1, -1], rates=[1 << 60, 1], max_passes=10)
    with pytest.raises(SettingError, match="at most 1048576 times"):
        Winnow(1).run(rows, [1, -1], rates=[1 << 21, 1])


def test_updates_within_the_thickness_are_no_mistakes():
    rows = SparseRows.of([{0}] * 6)
    run = Perceptron(thickness=3).run(rows, [1] * 6)
    assert [(u.score, u.is_mistake) for u in run] == [(k, False) for k in range(4)]
    assert (run.n_updates, run.n_mistakes, run.is_consistent) == (4, 0, False)  # the last pass updated
    assert Perceptron(thickness=3).run(rows, [1] * 6, max_passes=2).is_consistent
    run = Winnow(1, 2, thickness=(3, 0)).run(rows, [1] * 6)
    assert [(u.score, u.is_mistake) for u in run] == [(1, False), (2, False), (4, False)]


def test_promotions_and_demotions_are_mistakes_of_each_kind():
    examples, labels = random_examples(9)
    run = Winnow(4).run(NameTable().rows(examples), labels, max_passes=2)
    signs = [u.label for u in run if u.is_mistake]
    assert (run.n_promotions, run.n_demotions) == (signs.count(1), signs.count(-1))
    assert sum(run.survival().tolist()) == run.n_steps == 160


def test_weights_with_factors_apart_stay_right_for_thousands_of_updates():
    """The same two rows contradict each other for ever."""
    rows, labels = SparseRows.of([{0}, {0}, {0, 1}]), [1, -1, 1]
    learner = Winnow(1, "11/10", "12/10")
    run = learner.begin()
    run.learn(Lesson(rows, labels), max_passes=1500)
    log = run.transcript()
    assert log.n_mistakes > 1500
    p, d = run.weights.pairs[0].tolist()
    weight = Fraction(11, 10) ** p / Fraction(12, 10) ** d
    assert learner.model([run]).scores(rows)[0] == [weight]
    assert abs(weight - 1) < Fraction(1, 2)


def test_whole_weights_past_32_bits_stay_exact():
    """They begin with 32 bits, and go on with 64 where rates could need it."""
    rows, labels = SparseRows.of([{0, 1}, {0}, {1, 2}, {0, 2}]), [1, -1, -1, 1]
    run = Perceptron().begin()
    run.learn(Lesson(rows, labels), max_passes=3)
    run.learn(Lesson(rows, labels, [2**31, 2**33, 5, 2**40]), max_passes=3)
    log = run.transcript()
    weights = [0, 0, 0]
    for update, places in zip(log, (log.rows.row(k).tolist() for k in range(log.n_updates)), strict=True):
        assert update.score == sum(weights[place] for place in places)
        for place in places:
            weights[place] += update.label * int(log.rate[log.step.tolist().index(update.step)])
    assert max(map(abs, weights)) > 2**33
    assert run.weights.tolist() == [*weights, sum(log.label * log.rate)]
    assert Perceptron().begin().weights.dtype == np.int32


@pytest.mark.parametrize("rate", [3, 2000])
def test_normalised_weights_compared_with_0_predict_as_balanced_ones(rate):
    """The sum of all weights passes the range of floats with the larger rate."""
    rows, labels, rates = SparseRows.of([{0}, {1}, {2}, {1}, {0, 1}]), [-1, -1, 1, 1, 1], [rate, 1, 1, 1, rate]
    logs = [Winnow(0, variant=variant).run(rows, labels, rates=rates) for variant in ("balanced", "normalised")]
    assert logs[0].step.tolist() == logs[1].step.tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize(
    "learner",
    [
        Winnow(1, "11/10"),
        Winnow(0, "11/10", variant="balanced", constant=True),
        Winnow(1, "11/10", variant="elimination"),
        Winnow(1, "11/10", "12/10"),
    ],
)
@pytest.mark.parametrize("rate", [100, 9000])
def test_a_resumed_run_knows_how_long_large_weights_lasted(learner, rate):
    """Weights that came back are within the first tables again; those before were not. Or past the range of floats."""
    rows, labels = SparseRows.of([{0}, {1}, {2}, {0}, {1}, {0}, {1}]), [1, -1, 1, -1, 1, 1, -1]
    run = learner.begin()
    run.learn(Lesson(rows, labels, [rate, rate, 1, rate, rate, 1, 1]), max_passes=2)
    resumed = reloaded(run)
    assert resumed.reach == run.reach
    rows = SparseRows.of([{0}, {1}, {0, 2}, {1, 2}, set()])
    ours, theirs = (learner.model([each], "averaged") for each in (run, resumed))
    assert ours.scores(rows) == theirs.scores(rows)
    assert ours.choices(rows).tolist() == [int(score >= learner.threshold) for (score,) in ours.scores(rows)]


def test_a_mean_past_the_range_of_floats_is_exact():
    rows = SparseRows.of([{0}, {0}, {1}])
    learner = Winnow(0, variant="balanced")
    run = learner.begin()
    run.learn(Lesson(rows, [-1, 1, 1], [2000, 4000, 1]))
    model = learner.model([run], "averaged")
    down, up = (Fraction(2) ** k - Fraction(2) ** -k for k in (-2000, 2000))
    assert model.scores(rows) == [[(down + 2 * up) / 3]] * 2 + [[0]]
    assert model.choices(SparseRows.of([{0}, {1}, {0, 1}])).tolist() == [1, 1, 1]
    assert model.decision_values(rows).tolist() == [1.7976931348623157e308] * 2 + [5e-324]
    assert np.isinf(model.coefficients[0, 0])


@pytest.mark.parametrize(
    "rates", [[1.5, 1, 1], [1.0, 2.0, 1.0], [np.nan, 1, 1], ["a", "b", "c"], [0, 1, 1], [True] * 3]
)
def test_rates_that_are_not_whole_are_refused(rates):
    with pytest.raises(SettingError, match=r"^rates: expected 3 positive integers$"):
        Winnow(3).run(SparseRows.of([{0}, {1}, {2}]), [1, -1, 1], rates=rates)


def test_rates_past_all_weights_are_refused():
    with pytest.raises(SettingError, match=r"^rates: expected integers up to 2\*\*62$"):
        Perceptron().run(SparseRows.of([{0}]), [-1], rates=np.array([2**63], np.uint64))


@pytest.mark.parametrize("thickness", [1, (1, 2, 3), None, "12"])
def test_a_thickness_of_other_than_two_numbers_is_refused(thickness):
    with pytest.raises(SettingError, match=r"^thickness=.*: expected two numbers"):
        Winnow(3, thickness=thickness)
