from __future__ import annotations

from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix, SparseRows, random_flips
from conjunct.errors import BitsError, SettingError
from conjunct.kernels import Conjunctions
from conjunct.learners import Guarantee, KernelPerceptron, Lesson, OnlineToPAC, Perceptron, Winnow
from conjunct.theory import pac_survival_error, pac_survival_length, winnow2_bound

N = 12
LEARNERS = [Perceptron(constant=1), Winnow(threshold=N), Winnow(threshold=4, variant="elimination")]
EVERY_ROW = SparseRows.of([{v for v in range(6) if mask >> v & 1} for mask in range(64)] + [{11}])


def examples(seed, n_rows=3000):
    """Rows labelled by the OR of the first two variables, one row in four positive."""
    table = random_flips(seed, n_rows * N, Fraction(1, 8)).reshape(n_rows, N)
    return SparseRows.of(table), np.where(table[:, :2].any(axis=1), 1, -1)


def row_by_row(learner, rows, labels, length):
    """The slow truth: one row at a time until a hypothesis survived; its rows, and how many were shown."""
    run, survived = learner.begin(), 0
    for row in range(rows.n_rows):
        before = run.n_mistakes
        run.learn(Lesson(rows.take(np.array([row])), labels[row : row + 1]))
        survived = survived + 1 if run.n_mistakes == before else 0
        if survived == length:
            break
    return run, survived


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("seed", range(4))
def test_it_stops_where_showing_one_row_at_a_time_does(learner, seed):
    rows, labels = examples(seed)
    method = OnlineToPAC(learner, epsilon="1/20", delta="1/10")
    length = pac_survival_length(150, "1/20", "1/10")
    slow, survived = row_by_row(learner, rows, labels, length)
    assert survived == length
    assert slow.n_steps < 3000
    found = method.run(rows, labels, mistake_bound=150)
    assert (found.guarantee.survival, found.guarantee.n_examples) == (length, slow.n_steps)
    assert found.guarantee.n_mistakes == found.transcript.n_mistakes == slow.n_mistakes
    assert found.transcript.n_steps == slow.n_steps
    assert found.transcript.index.tolist() == found.transcript.step.tolist() == slow.transcript().step.tolist()
    assert found.hypothesis.scores(EVERY_ROW) == learner.model([slow]).scores(EVERY_ROW)


def test_rows_after_the_survival_are_not_learned_from():
    """The row that comes next would change the hypothesis."""
    method = OnlineToPAC(Perceptron(), "1/2", "1/2")
    length = pac_survival_length(3, "1/2", "1/2")
    rows = SparseRows.of([{0}] + [{1}] * length + [{1}] * 5)
    found = method.run(rows, [-1] + [1] * length + [-1] * 5, mistake_bound=3)
    assert found.guarantee.n_examples == 1 + length
    assert found.hypothesis.choices(SparseRows.of([{0}, {1}])).tolist() == [0, 1]
    assert found.hypothesis.weights.tolist() == [[-1, 0]]


def test_a_survival_that_ends_with_the_last_row_is_enough_and_one_less_is_not():
    method = OnlineToPAC(Perceptron(), "1/2", "1/2")
    length = pac_survival_length(0, "1/2", "1/2")
    found = method.run(SparseRows.of([{0}] * length), [1] * length, mistake_bound=0)
    assert (found.guarantee.n_examples, found.guarantee.n_mistakes) == (length, 0)
    with pytest.raises(
        BitsError, match=rf"no hypothesis survived {length} of these {length - 1} examples.*give {length}"
    ):
        method.run(SparseRows.of([{0}] * (length - 1)), [1] * (length - 1), mistake_bound=0)


def test_long_survivals_go_on_over_the_blocks_of_a_pass(monkeypatch):
    monkeypatch.setattr("conjunct.bits.sparse_rows.ROWS_PER_CALL", 7)
    rows, labels = examples(1)
    for learner in LEARNERS:
        found = OnlineToPAC(learner, "1/20", "1/10").run(rows, labels, mistake_bound=150)
        slow, _ = row_by_row(learner, rows, labels, found.guarantee.survival)
        assert found.guarantee.n_examples == slow.n_steps
        assert found.transcript.step.tolist() == slow.transcript().step.tolist()


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("seed", range(4))
def test_the_longest_survivor_is_the_hypothesis_before_the_longest_gap_of_mistakes(learner, seed):
    rows, labels = examples(seed, 150)
    found = OnlineToPAC(learner, "1/20", "1/10").longest_survivor(rows, labels, mistake_bound=60)
    run, best, survived, at = learner.begin(), (-1, None), 0, 0
    for row in range(150):
        before, hypothesis = run.n_mistakes, learner.model([run]) if run.n_variables else None
        run.learn(Lesson(rows.take(np.array([row])), labels[row : row + 1]))
        if run.n_mistakes > before:
            survived, at = 0, row + 1
        else:
            survived += 1
            hypothesis = learner.model([run])
            best = max(best, (survived, hypothesis), key=lambda pair: pair[0])
    assert found.guarantee.survival == best[0]
    assert found.hypothesis.scores(EVERY_ROW) == best[1].scores(EVERY_ROW)
    assert found.guarantee.epsilon == pac_survival_error(60, best[0], "1/10")
    assert found.guarantee.n_examples == found.transcript.n_steps == 150
    assert found.guarantee.survival * 61 >= 150 - 60
    assert at <= 150


def test_the_first_hypothesis_can_be_the_longest_survivor():
    found = OnlineToPAC(Winnow(threshold=2), 0.1, 0.1).longest_survivor(
        SparseRows.of([{0}] * 9 + [{1}]), [-1] * 9 + [1], mistake_bound=3
    )
    assert (found.guarantee.survival, found.guarantee.n_mistakes) == (9, 1)
    assert found.hypothesis.scores(SparseRows.of([{0, 1}])) == [[2]]


def test_the_longest_survivor_may_have_survived_nothing():
    found = OnlineToPAC(Perceptron(), 0.1, 0.1).longest_survivor(SparseRows.of([{0}]), [-1], mistake_bound=1)
    assert (found.guarantee.survival, found.guarantee.epsilon) == (0, 1)


def test_a_longer_run_of_the_same_kind_keeps_what_was_promised():
    bound = winnow2_bound(N, 2, N)
    rows, labels = examples(7, 6000)
    method = OnlineToPAC(Winnow(threshold=N), epsilon=0.05, delta=0.05)
    found = method.run(rows, labels, mistake_bound=int(bound))
    assert found.guarantee.n_examples <= method.n_examples(int(bound))
    fresh, truth = examples(8, 20_000)
    assert np.mean(found.hypothesis.choices(fresh) != (truth > 0)) <= 0.05


def test_rows_with_values_and_tables_of_bits_are_learned_from():
    values = np.array([[0.5, 0.0], [0.0, 2.0]] * 30)
    found = OnlineToPAC(Perceptron(), 0.2, 0.1).run(SparseRows.of_real(values), [1, -1] * 30, mistake_bound=3)
    assert found.hypothesis.choices(SparseRows.of_real(values[:2])).tolist() == [1, 0]
    longest = OnlineToPAC(Perceptron(), 0.2, 0.1).longest_survivor(
        SparseRows.of_real(values), [1, -1] * 30, mistake_bound=3
    )
    assert longest.hypothesis.choices(SparseRows.of_real(values[:2])).tolist() == [1, 0]
    packed = BitMatrix.of((values > 0).astype(int))
    assert OnlineToPAC(Perceptron(), 0.2, 0.1).run(packed, [1, -1] * 30, mistake_bound=3).guarantee.n_mistakes == 1


def test_a_guarantee_says_what_it_rests_on_and_rounds_up():
    guarantee = Guarantee(Fraction(1, 3), Fraction(1, 20), 61, 90, 3, 20)
    assert str(guarantee) == guarantee.statement
    assert (
        guarantee.statement == "with probability at least 1 - 0.05 over i.i.d. examples the error is at most 0.333334"
    )
    assert str(Guarantee(Fraction(1), Fraction(1, 10**7), 0, 1, 1, 1)).endswith("at most 1")
    assert "1 - 0.0000001 over" in str(Guarantee(Fraction(1), Fraction(1, 10**7), 0, 1, 1, 1))
    with pytest.raises(FrozenInstanceError):
        guarantee.epsilon = 0


def test_more_mistakes_than_the_bound_are_refused_by_the_row():
    rows, labels = SparseRows.of([{0}] * 6), [1, -1, -1, 1, -1, 1]
    for run in (OnlineToPAC(Perceptron(), 0.1, 0.1).run, OnlineToPAC(Perceptron(), 0.1, 0.1).longest_survivor):
        with pytest.raises(BitsError, match="example 3 is mistake number 2, but mistake_bound=1"):
            run(rows, labels, mistake_bound=1)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: OnlineToPAC(Perceptron(), 0, 0.1), SettingError, "epsilon=0"),
        (lambda: OnlineToPAC(Perceptron(), 0.1, 1), SettingError, "delta=1"),
        (lambda: OnlineToPAC(Perceptron(), "x", 0.1), SettingError, "epsilon='x'"),
        (lambda: OnlineToPAC(Perceptron(thickness=1), 0.1, 0.1), SettingError, "thick"),
        (lambda: OnlineToPAC(Winnow(2, thickness=(0, 1)), 0.1, 0.1), SettingError, "thick"),
        (lambda: OnlineToPAC(KernelPerceptron(Conjunctions()), 0.1, 0.1), SettingError, "expected a Perceptron"),
    ],
)
def test_what_cannot_be_guaranteed_is_refused_at_once(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("name", ["run", "longest_survivor"])
def test_bad_examples_are_refused(name):
    run = getattr(OnlineToPAC(Perceptron(), 0.1, 0.1), name)
    with pytest.raises(SettingError, match="mistake_bound=-1"):
        run(SparseRows.of([{0}]), [1], mistake_bound=-1)
    with pytest.raises(BitsError, match=r"labels are \+1 and -1"):
        run(SparseRows.of([{0}]), [0], mistake_bound=1)
    with pytest.raises(BitsError, match="at least one"):
        run(BitMatrix.of(np.zeros((0, 3), int)), [], mistake_bound=1)
    with pytest.raises(BitsError, match="as many labels"):
        run(SparseRows.of([{0}]), [1, 1], mistake_bound=1)


@pytest.mark.parametrize("bound", [-1, True, 1.0, "1", None])
def test_a_mistake_bound_that_counts_nothing_is_refused_by_its_name(bound):
    pac, rows = OnlineToPAC(Perceptron(), 0.1, 0.1), SparseRows.of([{0}])
    for ask in (
        lambda: pac.n_examples(bound),
        lambda: pac.run(rows, [1], mistake_bound=bound),
        lambda: pac.longest_survivor(rows, [1], mistake_bound=bound),
    ):
        with pytest.raises(SettingError, match=r"^mistake_bound=.*: expected 0 or a positive integer$"):
            ask()
