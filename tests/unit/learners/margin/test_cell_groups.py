"""Groups of equal rows and equal labels, and what the core refuses to take for the state of a search over them."""

import numpy as np
import pytest

from conjunct import _core
from conjunct.bits import BitMatrix
from conjunct.kernels import Conjunctions, PairSums

ROWS = BitMatrix.of(["00", "01", "11"])
CELL, SIGN, LAM = np.array([0, 1, 1, 2]), np.array([1.0, 1.0, -1.0, 1.0]), np.ones(4)
WHOLE, FLAGS, THREE = np.ones(4, np.int64), np.ones(4, np.uint8), np.zeros(3)


def groups(cell=CELL, sign=SIGN, lam=LAM):
    layout = Conjunctions().layout(ROWS)
    return _core.CellGroups(PairSums(layout, ROWS).source(layout.floats), cell, sign, lam)


def margin(diagonal=LAM, weights=LAM, scores=THREE):
    return _core.MarginState(groups(), diagonal, weights, scores)


def regularized(counts=WHOLE, steps=WHOLE, flags=FLAGS, updates=WHOLE, scores=THREE, errors=THREE):
    return _core.RegularizedState(groups(), counts, steps, flags, 2.0**-52, updates, scores, errors)


@pytest.mark.parametrize("cell", [[0, 1, 1, 3], [-1, 1, 1, 2]])
def test_groups_of_no_cell_are_refused(cell):
    with pytest.raises(ValueError, match="cell: out of range"):
        groups(cell=np.array(cell))


@pytest.mark.parametrize("name", ["sign", "lam"])
def test_groups_without_sign_or_lam_are_refused(name):
    with pytest.raises(ValueError, match="one per group expected"):
        groups(**{name: np.ones(3)})


@pytest.mark.parametrize(
    ("make", "name", "value"),
    [
        (margin, "diagonal", np.ones(5)),
        (margin, "weights", np.ones(3)),
        (margin, "scores", np.ones(4)),
        *((regularized, name, np.ones(3, np.int64)) for name in ("counts", "steps", "updates")),
        (regularized, "flags", np.ones(5, np.uint8)),
        (regularized, "scores", np.ones(2)),
        (regularized, "errors", np.ones(4)),
    ],
)
def test_a_state_of_other_lengths_than_its_groups_is_refused(make, name, value):
    with pytest.raises(ValueError, match="expected"):
        make(**{name: value})


def test_a_group_of_no_rows_is_refused():
    with pytest.raises(ValueError, match="counts: positive numbers expected"):
        regularized(counts=np.array([1, 1, 0, 1]))


def test_a_state_keeps_alive_what_it_writes():
    weights, scores = np.array([1.0, 0.0, 0.0, 0.0]), Conjunctions().gram(ROWS)[0].copy()
    state = margin(np.full(4, 5.0), weights, scores)
    state.form = 5.0
    assert _core.margin_steps(state, 0.5, 1) == 1
    assert (state.n_steps, weights.sum()) == (1, pytest.approx(1.0))
