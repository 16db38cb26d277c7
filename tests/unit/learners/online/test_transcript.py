from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_bits
from conjunct.errors import BitsError, KernelError
from conjunct.kernels import Conjunctions
from conjunct.learners import KernelPerceptron, Update


def a_run():
    table = random_bits(3, (40, 9))
    return KernelPerceptron(Conjunctions(2)).run(BitMatrix.of(table), 1 - 2 * table[:, 0].astype(int), max_passes=3)


def test_a_transcript_counts_promotions_and_demotions():
    run = a_run()
    assert run.n_mistakes == len(run) == run.n_promotions + run.n_demotions
    assert run.n_promotions == sum(mistake.label == 1 for mistake in run) > 0
    assert run.n_demotions > 0


def test_every_score_is_on_the_wrong_side_of_the_threshold():
    assert all((mistake.score >= 0) == (mistake.label == -1) for mistake in a_run())


def test_mistakes_name_step_and_index():
    run = a_run()
    for mistake in run:
        assert isinstance(mistake, Update)
        assert mistake.is_mistake
        assert mistake.index == mistake.step % 40


def test_survival_adds_up_to_the_rows_seen():
    run = a_run()
    assert len(run.survival()) == len(run) + 1
    assert run.survival().sum() == run.n_steps
    assert np.all(run.survival()[1:] > 0)


def test_a_transcript_does_not_change():
    run = a_run()
    with pytest.raises(ValueError, match="read-only"):
        run.slot[0] = 5
    with pytest.raises(AttributeError):
        run.n_steps = 3


@pytest.mark.parametrize(
    "change",
    [
        {"slot": [0, 99]},
        {"slot": [-1, 0]},
        {"slot": [0]},
        {"label": [1, 0]},
        {"rate": [1, 0]},
        {"step": [3, 3]},
        {"step": [-1, 2]},
        {"step": [0, 9]},
        {"index": [0, -1]},
        {"n_passes": -1},
    ],
)
def test_a_transcript_that_does_not_hold_together_is_refused(change):
    run = KernelPerceptron(Conjunctions()).run(BitMatrix.of(["0", "1"]), [-1, 1])
    assert len(run) == 2
    with pytest.raises(BitsError, match="transcript"):
        replace(run, **{name: np.array(v) if isinstance(v, list) else v for name, v in change.items()})


def test_averaged_weights_that_could_overflow_are_refused():
    run = replace(a_run(), n_steps=2**61)
    with pytest.raises(KernelError, match="2\\*\\*61"):
        run.averaged_weights()
