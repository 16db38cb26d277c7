from __future__ import annotations

import pickle
from copy import deepcopy
from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.errors import BitsError, KernelError
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from conjunct.models import KernelExpansion, VotedExpansion
from conjunct.theory import decision_value

ROWS = BitMatrix.of(["110", "011", "000"])


def expansion(weights, unit=Fraction(1), threshold=Fraction(0), kernel=None):
    return KernelExpansion(kernel or Conjunctions(), ROWS, np.array(weights), unit, threshold)


def test_several_outputs_compete_and_the_first_of_the_largest_wins():
    model = expansion([[1, 0, 0], [0, 1, 0], [0, 1, 0]])
    assert model.choices(ROWS).tolist() == [0, 1, 0]
    assert model.decision_values(ROWS).shape == (3, 3)


def test_an_empty_expansion_scores_zero_everywhere():
    model = KernelExpansion(Conjunctions(), ROWS[:0], np.empty((1, 0), np.int64), Fraction(1), Fraction(0))
    assert model.scores(ROWS) == [[0], [0], [0]]
    assert model.choices(ROWS).tolist() == [1, 1, 1]


def test_no_rows_give_no_predictions():
    assert expansion([[1, 2, 3]]).choices(ROWS[:0]).tolist() == []
    assert expansion([[1, 2, 3]]).decision_values(ROWS[:0]).shape == (0,)


@pytest.mark.parametrize("weights", [[[1, 2]], [1, 2, 3], np.empty((0, 3))])
def test_weights_of_another_shape_are_refused(weights):
    with pytest.raises(KernelError, match="weights"):
        expansion(weights)


def test_a_unit_that_is_not_positive_is_refused():
    with pytest.raises(KernelError, match="unit"):
        expansion([[1, 2, 3]], unit=Fraction(0))


def test_weights_that_could_overflow_are_refused():
    with pytest.raises(KernelError, match="2\\*\\*61"):
        expansion([[2**60, 2**60, 2**60]])


def test_large_weights_are_summed_exactly():
    model = expansion([[2**59, -(2**59), 1]])
    assert model.scores(BitMatrix.of(["010"])) == [[4]]


def test_rows_of_another_width_or_other_names_are_refused():
    with pytest.raises(BitsError, match="variables"):
        expansion([[1, 2, 3]]).choices(BitMatrix.of(["1111"]))
    named = KernelExpansion(Conjunctions(), ROWS.with_names("abc"), np.array([[1, 1, 1]]), Fraction(1), Fraction(0))
    with pytest.raises(BitsError, match="'c'"):
        named.choices(ROWS.with_names("abd"))


def test_a_vote_of_zero_is_a_tie_and_positive():
    updates = (np.array([0]), np.array([-1]), np.array([2, 2]))
    model = VotedExpansion(MonotoneConjunctions(), ROWS, (updates,), Fraction(1), Fraction(0))
    assert model.votes(ROWS).tolist() == [[0], [0], [0]]
    assert model.choices(ROWS).tolist() == [1, 1, 1]
    assert (model.decision_values(ROWS) > 0).all()


def test_scores_past_every_float_give_finite_decision_values():
    wide = BitMatrix.of(np.ones((1, 5000), int))
    model = KernelExpansion(Conjunctions(), wide, np.array([[-3]]), Fraction(1), Fraction(0))
    assert model.scores(wide) == [[-3 * 2**5000]]
    assert model.decision_values(wide).tolist() == [-(5000 + np.log2(3))]


@pytest.mark.parametrize("unit", [Fraction(1), Fraction(1, 3), Fraction(22, 7), Fraction(1, 2**60), Fraction(3**40)])
@pytest.mark.parametrize("threshold", [Fraction(0), Fraction(5), Fraction(-7, 9), Fraction(8, 3), Fraction(1, 10**20)])
@pytest.mark.parametrize("costs", [None, (1, 3, "1/7")])
def test_decision_values_are_the_correctly_rounded_excess_however_they_are_computed(unit, threshold, costs):
    model = expansion([[5, -2, 1], [0, -1, 3]], unit, threshold, Conjunctions(costs=costs))
    expected = [[decision_value(s - threshold, is_logarithmic=False) for s in row] for row in model.scores(ROWS)]
    assert model.decision_values(ROWS).tolist() == expected


def test_models_are_copied_and_pickled_with_their_predictions():
    updates = (np.array([0, 1]), np.array([-1, 2]), np.array([2, 2, 1]))
    for model in (expansion([[5, -2, 1]]), VotedExpansion(Conjunctions(), ROWS, (updates,), Fraction(1), Fraction(0))):
        for copy in (deepcopy(model), pickle.loads(pickle.dumps(model))):
            assert copy.decision_values(ROWS).tolist() == model.decision_values(ROWS).tolist()


def test_no_weight_in_a_huge_unit_scores_zero():
    model = KernelExpansion(Conjunctions(2), BitMatrix.of(["01"]), np.zeros((1, 1), np.int64), Fraction(2**700), 0)
    assert model.decision_values(BitMatrix.of(["01", "10"])).tolist() == [5e-324, 5e-324]


def wide_problem():
    """Enough pairs that floats are asked first."""
    rows = BitMatrix.of(random_bits(4, (90, 24))).pool().rows
    return rows, BitMatrix.of(random_bits(5, (100, 24)))


@pytest.mark.parametrize("costs", [[10**320, 10**330, 10**340], [Fraction(1, 10**320)] * 3, None])
@pytest.mark.parametrize("threshold", [Fraction(0), Fraction(10**400), Fraction(1, 10**400)])
def test_values_and_thresholds_beyond_floats_are_decided_all_the_same(costs, threshold):
    rows, x = wide_problem()
    weights = random_below(6, 2001, rows.n_rows)[None, :] - 1000
    model = KernelExpansion(Conjunctions(2, costs), rows, weights, Fraction(1), threshold)
    assert model.choices(x).tolist() == [int(score >= threshold) for (score,) in model.scores(x)]


def test_scores_one_apart_from_the_threshold_are_told_from_it():
    rows, x = wide_problem()
    weights = (random_below(7, 1 << 51, rows.n_rows) - (1 << 50))[None, :]
    scores = KernelExpansion(Conjunctions(3), rows, weights, Fraction(1), Fraction(0)).scores(x)
    assert max(abs(score) for (score,) in scores) > 1 << 53  # floats do not hold them
    for place in range(0, 100, 7):
        for apart in (-1, 0, 1):
            model = KernelExpansion(Conjunctions(3), rows, weights, Fraction(1), scores[place][0] + apart)
            assert model.choices(x)[place] == int(apart <= 0)
    two = np.concatenate([weights, weights])
    two[1, 0] += 1  # scores of the second output are larger by k(x, row 0) >= 1
    both = KernelExpansion(Conjunctions(3), rows, two, Fraction(1), Fraction(0))
    assert both.choices(x).tolist() == [1] * 100
    assert KernelExpansion(Conjunctions(3), rows, two[::-1], Fraction(1), Fraction(0)).choices(x).tolist() == [0] * 100
