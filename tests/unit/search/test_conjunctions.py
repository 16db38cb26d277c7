from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct import BitMatrix
from conjunct.bits import random_below, random_bits
from conjunct.errors import SettingError
from conjunct.search import search_conjunctions

ROWS = BitMatrix.of(["10", "11"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weights": [1.5, 2]}, "weights of type float64 and shape (2,): expected one whole number for each cell"),
        ({"weights": [1]}, "weights of type int64 and shape (1,): expected one whole number for each cell"),
        (
            {"weights": [2**61, 1]},
            "weights: their sizes add up to 2305843009213693953, limit is 2**61; scale them down",
        ),
        ({"top": 0}, "top=0: expected a positive integer"),
        ({"max_size": -1}, "max_size=-1: expected 0 or a positive integer"),
        ({"literals": "negative"}, 'literals=\'negative\': expected "positive" or "both"'),
        ({"sets": "some"}, 'sets=\'some\': expected "all", "shortest" or "longest"'),
        ({"scales": [1, 1]}, "scales=[1, 1]: expected 3 numbers of at least 0, from size 0 up"),
        ({"scales": [1, 1, -1]}, "scales=[1, 1, -1]: expected 3 numbers of at least 0, from size 0 up"),
        ({"time_limit": 0}, "time_limit=0: expected a positive number"),
        ({"max_nodes": 0}, "max_nodes=0: expected a positive integer"),
        ({"min_weight": "x"}, "min_weight='x': expected an int, a Fraction, a string \"p/q\" or a finite float"),
    ],
)
def test_a_setting_it_cannot_take_is_refused_by_name(options, message):
    arguments = {"weights": [1, 2]} | options
    with pytest.raises(SettingError) as refusal:
        search_conjunctions(ROWS, **arguments)
    assert str(refusal.value) == message


@pytest.mark.parametrize("far", [2**62, 2**64 - 1, 2**64, 10**1000])
def test_scales_any_far_apart_are_compared_to_the_last_digit(far):
    rows, weights = BitMatrix.of(["10", "11", "01"]), [1, 1, -2]
    for scales, first in (([1, far, far + 1], (1,)), ([1, far, 2 * far + 1], (1, 2)), ([2 * far, far, 0], (1,))):
        result = search_conjunctions(rows, weights, scales=scales, literals="both", signed=True, top=1)
        assert [heavy.literals for heavy in result.found] == [first]
    least = search_conjunctions(rows, weights, scales=[1, far, far], min_weight=2 * far, signed=True, top=None)
    assert [(heavy.literals, heavy.weight) for heavy in least.found] == [((1,), 2 * far)]
    everything = search_conjunctions(rows, weights, scales=[1, far, far], signed=True, top=None)
    assert everything.found[-1] == ((0, 3), -2 * far)


def test_nothing_is_weighed_of_sizes_that_cannot_reach_the_list():
    rows, weights = BitMatrix.of(["10", "11", "01"]), [1, 1, 2]
    assert search_conjunctions(rows, weights, scales=[1, Fraction(1, 10**30), Fraction(1, 2**64)], top=1).n_nodes == 0
    assert search_conjunctions(rows, weights, scales=[0, 10**30, 1], top=2).n_nodes == 4  # as many as literals


def test_a_time_limit_ends_a_search_and_leaves_a_bound():
    rows = BitMatrix.of(random_bits(1, (20_000, 300)))
    weights = random_below(2, 2001, 20_000) - 1000
    result = search_conjunctions(rows, weights, max_size=6, time_limit=0.2)
    assert result.stopped_by == "time"
    assert not result.proved
    assert result.bound >= abs(result.found[0].weight)
    assert len(result.found) == 20


def test_a_search_for_all_ends_where_there_are_too_many(monkeypatch):
    monkeypatch.setattr("conjunct.search.conjunctions.MOST_FOUND", 1000)
    rows = BitMatrix.of(random_bits(1, (300, 40)))
    result = search_conjunctions(rows, np.arange(300), max_size=6, top=None)
    assert (result.stopped_by, len(result.found)) == ("found", 1000)
    assert not result.proved
