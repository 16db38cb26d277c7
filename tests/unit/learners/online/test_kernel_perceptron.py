from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_bits
from conjunct.datasets import tic_tac_toe
from conjunct.errors import BitsError, KernelError, SettingError
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from conjunct.learners import KernelPerceptron

XOR = BitMatrix.of(["00", "01", "10", "11"])
XOR_LABELS = [-1, 1, 1, -1]


def test_a_run_stops_at_the_first_pass_without_mistakes():
    run = KernelPerceptron(Conjunctions()).run(XOR, XOR_LABELS, max_passes=100)
    assert run.is_consistent
    assert run.n_steps == 4 * run.n_passes
    assert run.step.max() < 4 * (run.n_passes - 1)


def test_a_run_on_contradictory_rows_stops_at_max_passes_and_says_so():
    run = KernelPerceptron(Conjunctions()).run(BitMatrix.of(["01", "01"]), [1, -1], max_passes=7)
    assert (run.n_passes, run.is_consistent) == (7, False)


def test_going_on_with_a_run_equals_one_run():
    rows, labels = tic_tac_toe()
    signs = np.where(labels == "positive", 1, -1)
    learner = KernelPerceptron(MonotoneConjunctions(2))
    whole = learner.run(rows, signs)
    parts = None
    for start in range(0, rows.n_rows, 100):
        parts = learner.run(rows[start : start + 100], signs[start : start + 100], after=parts)
    assert parts is not None
    assert parts.rows == whole.rows
    assert all(np.array_equal(getattr(parts, name), getattr(whole, name)) for name in ("slot", "label", "rate", "step"))
    assert parts.scores() == whole.scores()


def test_going_on_does_not_change_the_run_before():
    learner = KernelPerceptron(Conjunctions())
    first = learner.run(XOR, XOR_LABELS)
    before = (len(first), first.rows.n_rows, first.n_steps)
    learner.run(XOR, XOR_LABELS, after=first)
    assert (len(first), first.rows.n_rows, first.n_steps) == before


def test_going_on_with_another_kernel_or_rate_is_refused():
    first = KernelPerceptron(Conjunctions()).run(XOR, XOR_LABELS)
    for other in (KernelPerceptron(Conjunctions(1)), KernelPerceptron(Conjunctions(), learning_rate=2)):
        with pytest.raises(SettingError, match="it began with"):
            other.run(XOR, XOR_LABELS, after=first)


def test_equal_rows_share_one_slot_and_their_weights_add_up():
    rows = BitMatrix.of(["1", "1", "1", "0"])
    run = KernelPerceptron(Conjunctions()).run(rows, [-1, 1, -1, -1])
    assert run.slot.tolist() == [0, 0, 0]
    assert run.weight.tolist() == [-1, 1, -1]
    assert run.rows.n_rows == 1
    assert run.summed_weights().tolist() == [-1]


def test_rates_weigh_the_updates_and_their_unit_scales_the_scores():
    rows = BitMatrix.of(["10", "01", "10"])
    run = KernelPerceptron(Conjunctions(), learning_rate=2).run(
        rows, [-1, 1, 1], rates=[6, 3, 1], rate_unit=Fraction(1, 3)
    )
    assert [(m.index, m.label, m.score) for m in run] == [(0, -1, 0), (1, 1, -4), (2, 1, -16 + 2)]


def test_shuffled_passes_depend_on_the_seed_alone():
    table = random_bits(5, (60, 12))
    labels = np.where(table[:, 0] ^ table[:, 1], 1, -1)
    learner = KernelPerceptron(Conjunctions(2))
    runs = [learner.run(BitMatrix.of(table), labels, max_passes=9, seed=seed).index.tolist() for seed in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]


def test_a_cancelled_run_ends_as_an_interrupt():
    with pytest.raises(KeyboardInterrupt):
        KernelPerceptron(Conjunctions()).run(XOR, XOR_LABELS, is_cancelled=lambda: True)


def test_a_row_predicted_right_by_a_tie_is_no_mistake():
    run = KernelPerceptron(Conjunctions(), threshold=4).run(BitMatrix.of(["11", "11"]), [1, 1])
    assert [(m.step, m.score) for m in run] == [(0, 0)]


def test_the_averaged_model_is_the_mean_of_the_hypotheses_after_every_row():
    rows = BitMatrix.of(["10", "01", "11", "00"])
    learner = KernelPerceptron(Conjunctions(), threshold="1/3", learning_rate="1/5")
    run = learner.run(rows, [1, -1, -1, 1])
    prefixes = [learner.run(rows[:k], [1, -1, -1, 1][:k]) for k in range(1, 5)]
    means = [
        sum((learner.model([p]).scores(rows)[i][0] for p in prefixes), Fraction(0)) / 4 for i in range(rows.n_rows)
    ]
    assert [score for (score,) in learner.model([run], "averaged").scores(rows)] == means


def test_a_model_leaves_out_rows_whose_weights_cancelled():
    run = KernelPerceptron(Conjunctions()).run(BitMatrix.of(["1", "1"]), [-1, 1])
    assert run.summed_weights().tolist() == [0]
    assert KernelPerceptron(Conjunctions()).model([run]).rows.n_rows == 0


@pytest.mark.parametrize("labels", [[0, 1, 1, 0], [1, 1, 1], [[1], [1], [1], [1]], [1, 2, -1, 1], ["a", "b", "a", "b"]])
def test_labels_other_than_plus_and_minus_one_are_refused(labels):
    with pytest.raises(BitsError, match="labels"):
        KernelPerceptron(Conjunctions()).run(XOR, labels)


def test_no_rows_are_refused():
    with pytest.raises(BitsError, match="at least one"):
        KernelPerceptron(Conjunctions()).run(XOR[:0], [])


@pytest.mark.parametrize("rates", [[1, 1, 1, 0], [1, 1], [-1, 1, 1, 1]])
def test_rates_that_are_not_positive_are_refused(rates):
    with pytest.raises(SettingError, match="rates"):
        KernelPerceptron(Conjunctions()).run(XOR, XOR_LABELS, rates=rates)


def test_weights_that_could_overflow_are_refused_before_the_run():
    with pytest.raises(KernelError, match="2\\*\\*61"):
        KernelPerceptron(Conjunctions()).run(XOR, XOR_LABELS, rates=[2**60] * 4)


@pytest.mark.parametrize("rate", [0, -1, "x", float("nan"), True])
def test_a_learning_rate_that_is_not_positive_is_refused(rate):
    with pytest.raises(SettingError, match="learning_rate"):
        KernelPerceptron(Conjunctions(), learning_rate=rate)


def test_an_unknown_prediction_is_refused():
    learner = KernelPerceptron(Conjunctions())
    with pytest.raises(SettingError, match="'mean'"):
        learner.model([learner.run(XOR, XOR_LABELS)], "mean")
