from __future__ import annotations

import pytest

from conjunct import BitMatrix
from conjunct.bits import random_bits
from conjunct.errors import SettingError
from conjunct.search import walk_pure

ROWS = BitMatrix.of(["10", "11"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": [1.5, 0]}, "weights of type float64 and shape (2,): expected one whole number for each cell"),
        ({"weights": [1]}, "weights of type int64 and shape (1,): expected one whole number for each cell"),
        ({"weights": [-1, 0]}, "weights[0]=-1: expected 0 or more"),
        ({"weights": [1, 2]}, "weights[1]=2: expected 0 on a negative cell"),
        (
            {"is_negative": [True]},
            "is_negative of type bool and shape (1,): expected True or False for each cell",
        ),
        (
            {"is_negative": [0, 1]},
            "is_negative of type int64 and shape (2,): expected True or False for each cell",
        ),
        ({"limit": -1}, "limit=-1: expected an integer from 0 to 2305843009213693952"),
        ({"order": [0, 4]}, "order=4: expected an integer from 0 to 3"),
        ({"order": [0, 1, 0]}, "order=[0, 1, 0]: expected each literal once"),
        ({"max_size": -1}, "max_size=-1: expected 0 or a positive integer"),
        ({"max_heavy": 0}, "max_heavy=0: expected a positive integer"),
        ({"max_nodes": 0}, "max_nodes=0: expected a positive integer"),
        ({"raise_limit": 1}, "raise_limit=1: expected True or False"),
        ({"time_limit": 0}, "time_limit=0: expected a positive number"),
    ],
)
def test_a_setting_it_cannot_take_is_refused_by_name(options, message):
    arguments = {"weights": [1, 0], "is_negative": [False, True], "limit": 0, "order": range(4)} | options
    with pytest.raises(SettingError) as refusal:
        walk_pure(ROWS, **arguments)
    assert str(refusal.value) == message


def test_without_negative_cells_the_empty_conjunction_is_pure():
    walk = walk_pure(ROWS, [1, 1], [False, False], 1, order=range(4))
    assert (walk.heavy, walk.n_nodes) == (((),), 1)
    assert walk_pure(ROWS, [1, 1], [False, False], 2, order=range(4)).is_within


def test_without_literals_one_cell_is_picked_and_nothing_tried():
    walk = walk_pure(ROWS, [1, 0], [False, True], 0, order=[], keep_trace=True)
    assert (walk.n_nodes, walk.trace.tolist(), walk.is_within) == (1, [1], True)


def test_a_time_limit_ends_a_walk():
    bits = random_bits(1, (4000, 200))
    is_negative = bits[:, 0] == 1
    walk = walk_pure(
        BitMatrix.of(bits[:, 1:]),
        1 * ~is_negative,
        is_negative,
        1,
        order=range(398),
        max_heavy=1,
        raise_limit=True,
        time_limit=0.1,
    )
    assert not walk.is_complete
    assert walk.n_nodes > 0
