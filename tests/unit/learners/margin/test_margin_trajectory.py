"""The steps in floats against those of the theory in fractions."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.kernels import Conjunctions
from conjunct.learners.margin.margin_trajectory import margin_trajectory
from conjunct.theory import maximal_margin_steps


def problem(seed: int, m: int) -> tuple[list[list[int]], list[int]]:
    gram = Conjunctions(2).gram(BitMatrix.of(random_bits(seed, (m, 4)))).astype(int).tolist()
    return gram, (1 - 2 * random_below(seed, 2, m, stream=1)).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_steps_are_those_in_fractions(seed: int) -> None:
    gram, signs = problem(seed, 6)
    q = np.outer(signs, signs) * np.array(gram, float)
    wanted = list(islice(maximal_margin_steps(gram, signs, lam=2, eps="1/4"), 7))
    found = list(islice(margin_trajectory(q, 2.0, 0.25), 7))
    assert len(found) == len(wanted)
    for a, state in zip(found, wanted, strict=True):
        np.testing.assert_allclose(a, [float(each) for each in state.weights], atol=1e-12)


def test_weights_stay_on_the_simplex_until_every_score_is_high_enough() -> None:
    gram, signs = problem(9, 40)
    q = np.outer(signs, signs) * np.array(gram, float)
    for a in margin_trajectory(q, 1.0, 0.125):
        assert a.min() >= 0
        assert a.sum() == pytest.approx(1, abs=1e-12)
    form = a @ q @ a + a @ a
    assert np.all(q @ a + a > (1 - 0.125) * form * (1 - 1e-9))
