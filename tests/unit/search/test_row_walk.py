from __future__ import annotations

import numpy as np
import pytest

from conjunct import BitMatrix
from conjunct.bits import random_bits
from conjunct.errors import SettingError
from conjunct.search import walk_by_rows

ROWS = BitMatrix.of(["10", "11"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": [1.5, 0]}, "weights of type float64 and shape (2,): expected one whole number for each cell"),
        ({"weights": [1]}, "weights of type int64 and shape (1,): expected one whole number for each cell"),
        (
            {"weights": [2**61, -1]},
            "weights: their sizes add up to 2305843009213693953, limit is 2**61; scale them down",
        ),
        ({"limit": -1}, "limit=-1: expected an integer from 0 to 2305843009213693952"),
        ({"literals": [0, 4]}, "literals=4: expected an integer from 0 to 3"),
        ({"literals": [0, 1, 0]}, "literals=[0, 1, 0]: expected each once"),
        ({"max_size": -1}, "max_size=-1: expected 0 or a positive integer"),
        ({"max_heavy": 0}, "max_heavy=0: expected a positive integer"),
        ({"max_nodes": 0}, "max_nodes=0: expected a positive integer"),
        ({"raise_limit": 1}, "raise_limit=1: expected True or False"),
        ({"time_limit": 0}, "time_limit=0: expected a positive number"),
    ],
)
def test_a_setting_it_cannot_take_is_refused_by_name(options, message):
    arguments = {"weights": [1, -1], "limit": 0, "literals": range(4)} | options
    with pytest.raises(SettingError) as refusal:
        walk_by_rows(ROWS, **arguments)
    assert str(refusal.value) == message


def test_without_charged_cells_the_empty_conjunction_is_the_heaviest():
    walk = walk_by_rows(ROWS, [1, 1], 1, literals=range(4))
    assert (walk.heavy, walk.n_nodes) == (((),), 1)
    assert walk_by_rows(ROWS, [1, 1], 2, literals=range(4)).is_within


def test_without_literals_all_cells_are_kept():
    walk = walk_by_rows(ROWS, [2, -1], 1, literals=[], keep_trace=True)
    assert (walk.n_nodes, walk.trace.tolist(), walk.is_within) == (1, [], True)


def test_a_cell_is_kept_where_that_costs_less_than_what_excludes_it():
    rows = BitMatrix.of(["110", "101", "011", "111"])  # a literal that is false on the last one leaves one other
    assert walk_by_rows(rows, [2, 2, 2, -1], 4, literals=range(6)).heavy == ((),)
    walk = walk_by_rows(rows, [2, 2, 2, -1], 5, literals=range(6), keep_trace=True)
    assert (walk.is_within, walk.n_nodes, walk.trace.tolist()) == (True, 7, [])  # all six literals close at once
    walk = walk_by_rows(rows, [2, 2, 2, -5], 1, literals=range(6), max_heavy=9, keep_trace=True)
    assert (walk.heavy, walk.trace.tolist()) == (((0,), (2,), (4,)), [3])


def test_a_time_limit_ends_a_walk():
    bits = random_bits(1, (4000, 200))
    weights = np.where(bits[:, 0] == 1, -4000, 1)
    walk = walk_by_rows(
        BitMatrix.of(bits[:, 1:]), weights, 1, literals=range(398), max_heavy=1, raise_limit=True, time_limit=0.1
    )
    assert not walk.is_complete
    assert walk.n_nodes > 0
