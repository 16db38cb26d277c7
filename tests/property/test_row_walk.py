"""The walk row by row against its definition, and what it finds against all conjunctions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from conjunct import BitMatrix
from conjunct.bits import random_below, random_bits
from conjunct.search import walk_by_rows
from conjunct.theory import walk_by_rows as plain_walk
from strategies import times


@st.composite
def problems(draw, max_rows=12):
    """Rows, weights of both signs, a limit, an order of all literals or some, the most literals or None."""
    width = draw(st.integers(1, 6))
    rows = draw(st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=1, max_size=max_rows))
    sizes = draw(st.sampled_from([st.just(1), st.integers(0, 3), st.integers(0, 2**57)]))
    charges = draw(st.sampled_from([sizes, st.just(2**57), st.integers(0, 1)]))
    weights = [-draw(charges) if draw(st.booleans()) else draw(sizes) for _ in rows]
    limit = draw(st.just(0) | st.integers(0, max(1, sum(map(abs, weights)) // 4)))
    order = draw(st.permutations(range(2 * width)))
    order = order[: draw(st.just(len(order)) | st.integers(0, len(order)))]
    return rows, weights, limit, order, draw(st.none() | st.integers(0, 2 * width + 1))


def all_weights(rows, weights, order, max_size):
    """The weight of every conjunction of the literals of an order."""
    totals = {}
    for size in range(min(max_size, len(order)) + 1):
        for own in combinations(sorted(order), size):
            holding = [i for i, row in enumerate(rows) if all(row[literal // 2] == literal % 2 for literal in own)]
            totals[own] = sum(weights[i] for i in holding)
    return totals


def walk_of(rows, weights, limit, order, max_size, **options):
    return walk_by_rows(BitMatrix.of(rows), weights, limit, literals=order, max_size=max_size, **options)


@times(5)
@given(problems(), st.booleans())
def test_the_walk_goes_as_its_definition_does(problem, raise_limit):
    rows, weights, limit, order, max_size = problem
    most = len(rows[0]) if max_size is None else max_size
    heavy, n_nodes, trace = plain_walk(rows, weights, limit, order, most, raise_limit=raise_limit)
    walk = walk_of(*problem, max_heavy=10**6, raise_limit=raise_limit, keep_trace=True)
    assert (list(walk.heavy), walk.n_nodes, walk.trace.tolist()) == (heavy, n_nodes, trace)
    assert walk.is_complete


@times(5)
@given(problems())
def test_what_is_heavy_is_above_the_limit_and_nothing_is_where_nothing_was_found(problem):
    rows, weights, limit, order, max_size = problem
    totals = all_weights(rows, weights, order, len(rows[0]) if max_size is None else max_size)
    walk = walk_of(*problem, max_heavy=10**6)
    assert all(totals[own] > limit for own in walk.heavy)
    assert len(set(walk.heavy)) == len(walk.heavy)
    assert walk.is_within == all(weight <= limit for weight in totals.values())


@times(5)
@given(problems())
def test_where_charges_exceed_the_rest_every_pure_heavy_conjunction_holds_within_one_that_was_met(problem):
    rows, weights, limit, order, max_size = problem
    most = sum(own for own in weights if own > 0)
    weights = [-most if own < 0 else own for own in weights]
    totals = all_weights(rows, weights, order, len(rows[0]) if max_size is None else max_size)
    walk = walk_of(rows, weights, limit, order, max_size, max_heavy=10**6)

    def members(conjunction):
        return {i for i, row in enumerate(rows) if all(row[own // 2] == own % 2 for own in conjunction) and weights[i]}

    met = [members(own) for own in walk.heavy]
    assert all(any(members(own) <= found for found in met) for own, weight in totals.items() if weight > limit)


@times(5)
@given(problems(), st.integers(1, 3))
def test_a_limit_that_rises_ends_at_the_heaviest(problem, max_heavy):
    rows, weights, limit, order, max_size = problem
    totals = all_weights(rows, weights, order, len(rows[0]) if max_size is None else max_size)
    found = [walk_of(*problem, max_heavy=most, raise_limit=True).heavy for most in (max_heavy, 10**6)]
    assert found[0] == found[1][-max_heavy:]
    reached = [totals[own] for own in found[1]]
    assert reached == sorted(set(reached))
    assert max([limit, *reached]) == max([limit, *totals.values()])


def test_sets_of_several_words_go_as_the_definition_does():
    for seed, (n_rows, width, max_size) in enumerate([(400, 5, 4), (150, 9, 3), (150, 40, 2), (70, 140, 1)]):
        bits = random_bits(seed, (n_rows, width))
        is_charged = (bits[:, 0] & bits[:, 1] | bits[:, 2]).astype(bool) ^ (random_below(seed + 9, 9, n_rows) == 0)
        for top in (1, 2**40):
            sizes = 1 + random_below(seed + 20, top, n_rows)
            for charges in (sizes.sum(), 1, sizes):  # of the first no pure conjunction keeps a row
                weights = np.where(is_charged, -charges, sizes)
                order, limit = list(range(2 * width))[::-1], int(sizes[~is_charged].sum()) // 6
                twin = plain_walk(bits.tolist(), weights.tolist(), limit, order, max_size)
                walk = walk_of(bits, weights, limit, order, max_size, max_heavy=10**6, keep_trace=True)
                assert (list(walk.heavy), walk.n_nodes, walk.trace.tolist()) == twin


def test_the_walk_stops_at_its_limits():
    bits = random_bits(3, (200, 12))
    weights = np.where(bits[:, 0] == 1, -200, 1)
    problem = BitMatrix.of(bits[:, 1:]), weights, 1
    whole = walk_by_rows(*problem, literals=range(22), max_heavy=10**6, keep_trace=True)
    few = walk_by_rows(*problem, literals=range(22), max_heavy=3)
    assert len(whole.heavy) > 3
    assert few.heavy == whole.heavy[:3]
    assert (few.is_complete, few.is_within, few.trace.size) == (False, False, 0)
    short = walk_by_rows(*problem, literals=range(22), max_heavy=10**6, max_nodes=50, keep_trace=True)
    assert 50 < short.n_nodes <= 50 + 22
    assert not short.is_complete
    assert short.trace.tolist() == whole.trace[: short.trace.size].tolist()
    exact = walk_by_rows(*problem, literals=range(22), max_heavy=10**6, max_nodes=whole.n_nodes)
    assert (exact.n_nodes, exact.is_complete) == (whole.n_nodes, True)
