"""Wherever a search is stopped from outside, as many iterations allowed stop another one there: the same bytes."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_below, random_bits
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
from conjunct.learners import ConjunctionSVM, LabelledCells, MaximalMarginPerceptron, RegularizedPerceptron

LEARNERS = [ConjunctionSVM, MaximalMarginPerceptron, RegularizedPerceptron]


def noisy(seed, n_rows, n_variables):
    rows = random_bits(seed, (n_rows, n_variables))
    noise = random_below(seed, 4, n_rows, stream=1) == 0
    signs = np.where((rows[:, 0] & rows[:, 1]).astype(bool) ^ noise, 1, -1)
    return LabelledCells.of(BitMatrix.of(rows), signs)


def told(found):
    return found.positive.tobytes(), found.negative.tobytes(), found.exponent, found.bound, found.risk, found.history


def is_reproduced(make, cells, patience):
    """Stop at the question after so many, and run again; return the number of iterations, 0 if it ended before."""
    found = make().solve(cells, is_stopped=partial(next, iter([""] * patience), "time"))
    if found.stopped_by != "time":
        return 0
    assert found.n_iter >= 1
    again = make(max_iter=found.n_iter).solve(cells)
    assert again.n_iter == found.n_iter
    assert told(again) == told(found)
    return found.n_iter


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(
    ("kernel", "lam"),
    [(Conjunctions(2), Fraction(1, 50)), (MonotoneConjunctions(), 1), (Conjunctions(3, Geometric("10000000")), 3)],
)
def test_a_stop_at_any_question_is_that_of_a_number_of_iterations(learner, kernel, lam):
    make = partial(learner, kernel, lam) if learner is RegularizedPerceptron else partial(learner, kernel, lam, 1e-9)
    counts = [
        is_reproduced(make, noisy(seed, 40, 6), patience) for seed in range(3) for patience in (0, 1, 2, 5, 11, 30)
    ]
    assert max(counts) >= 1


def test_a_stop_of_several_blocks_within_shrinking_and_after_accelerations_is_reproduced():
    cells, make = noisy(9, 600, 12), partial(ConjunctionSVM, Conjunctions(3), Fraction(1, 200), 1e-10)
    counts = [is_reproduced(make, cells, patience) for patience in (0, 1, 3, 8, 14, 21, 34)]
    assert len(set(counts)) > 4
