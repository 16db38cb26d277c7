"""The row-wise walk over pure conjunctions against its definition, and what it finds against all conjunctions."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from conjunct import BitMatrix
from conjunct.bits import random_below, random_bits
from conjunct.search import walk_pure
from conjunct.theory import walk_pure as plain_walk
from strategies import times


@st.composite
def problems(draw, max_rows=12):
    """Rows, weights, which rows are negative, a limit, an order of all literals or some, the most literals or None."""
    width = draw(st.integers(1, 6))
    rows = draw(st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=1, max_size=max_rows))
    is_negative = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    sizes = draw(st.sampled_from([st.just(1), st.integers(0, 3), st.integers(0, 2**57)]))
    weights = [0 if own else draw(sizes) for own in is_negative]
    limit = draw(st.just(0) | st.integers(0, max(1, sum(weights) // 2)))
    order = draw(st.permutations(range(2 * width)))
    order = order[: draw(st.just(len(order)) | st.integers(0, len(order)))]
    return rows, weights, is_negative, limit, order, draw(st.none() | st.integers(0, 2 * width + 1))


def pure_weights(rows, weights, is_negative, order, max_size):
    """The weight of every pure conjunction of the literals of an order."""
    totals = {}
    for size in range(min(max_size, len(order)) + 1):
        for own in combinations(sorted(order), size):
            holding = [i for i, row in enumerate(rows) if all(row[literal // 2] == literal % 2 for literal in own)]
            if not any(is_negative[i] for i in holding):
                totals[own] = sum(weights[i] for i in holding)
    return totals


@times(5)
@given(problems(), st.booleans())
def test_the_walk_goes_as_its_definition_does(problem, raise_limit):
    rows, weights, is_negative, limit, order, max_size = problem
    most = len(rows[0]) if max_size is None else max_size
    heavy, n_nodes, trace = plain_walk(rows, weights, is_negative, limit, order, most, raise_limit=raise_limit)
    walk = walk_pure(
        BitMatrix.of(rows),
        weights,
        is_negative,
        limit,
        order=order,
        max_size=max_size,
        max_heavy=10**6,
        raise_limit=raise_limit,
        keep_trace=True,
    )
    assert (list(walk.heavy), walk.n_nodes, walk.trace.tolist()) == (heavy, n_nodes, trace)
    assert walk.is_complete


@times(5)
@given(problems())
def test_what_is_heavy_is_pure_and_above_the_limit_and_nothing_is_where_nothing_was_found(problem):
    rows, weights, is_negative, limit, order, max_size = problem
    totals = pure_weights(rows, weights, is_negative, order, len(rows[0]) if max_size is None else max_size)
    walk = walk_pure(BitMatrix.of(rows), weights, is_negative, limit, order=order, max_size=max_size, max_heavy=10**6)
    assert all(totals[own] > limit for own in walk.heavy)
    assert len(set(walk.heavy)) == len(walk.heavy)
    assert walk.is_within == all(weight <= limit for weight in totals.values())
    # What is pure and heavy holds on no more cells than something found that is part of it.
    assert all(any(set(found) <= set(own) for found in walk.heavy) for own, weight in totals.items() if weight > limit)


@times(5)
@given(problems(), st.integers(1, 3))
def test_a_limit_that_rises_ends_at_the_heaviest(problem, max_heavy):
    rows, weights, is_negative, limit, order, max_size = problem
    totals = pure_weights(rows, weights, is_negative, order, len(rows[0]) if max_size is None else max_size)
    found = [
        walk_pure(
            BitMatrix.of(rows),
            weights,
            is_negative,
            limit,
            order=order,
            max_size=max_size,
            max_heavy=most,
            raise_limit=True,
        ).heavy
        for most in (max_heavy, 10**6)
    ]
    assert found[0] == found[1][-max_heavy:]
    reached = [totals[own] for own in found[1]]
    assert reached == sorted(set(reached))
    assert max([limit, *reached]) == max([limit, *totals.values()])


def test_sets_of_several_words_go_as_the_definition_does():
    for seed, (n_rows, width, max_size) in enumerate([(400, 5, 4), (150, 9, 3), (150, 40, 2), (70, 140, 1)]):
        bits = random_bits(seed, (n_rows, width))
        is_negative = (bits[:, 0] & bits[:, 1] | bits[:, 2]).astype(bool) ^ (random_below(seed + 9, 9, n_rows) == 0)
        for top in (1, 2**50):
            weights = (1 + random_below(seed + 20, top, n_rows)) * ~is_negative
            order, limit = list(range(2 * width))[::-1], int(weights.sum()) // 6
            twin = plain_walk(bits.tolist(), weights.tolist(), is_negative.tolist(), limit, order, max_size)
            walk = walk_pure(
                BitMatrix.of(bits),
                weights,
                is_negative,
                limit,
                order=order,
                max_size=max_size,
                max_heavy=10**6,
                keep_trace=True,
            )
            assert (list(walk.heavy), walk.n_nodes, walk.trace.tolist()) == twin


def test_the_walk_stops_at_its_limits():
    bits = random_bits(3, (200, 12))
    is_negative = bits[:, 0] == 1
    weights = 1 * ~is_negative
    problem = BitMatrix.of(bits[:, 1:]), weights, is_negative, 1
    whole = walk_pure(*problem, order=range(22), max_heavy=10**6, keep_trace=True)
    few = walk_pure(*problem, order=range(22), max_heavy=3)
    assert len(whole.heavy) > 3
    assert few.heavy == whole.heavy[:3]
    assert (few.is_complete, few.is_within, few.trace.size) == (False, False, 0)
    short = walk_pure(*problem, order=range(22), max_heavy=10**6, max_nodes=50, keep_trace=True)
    assert (short.n_nodes, short.is_complete) == (51, False)
    assert short.trace.tolist() == whole.trace[: short.trace.size].tolist()
    exact = walk_pure(*problem, order=range(22), max_heavy=10**6, max_nodes=whole.n_nodes)
    assert (exact.n_nodes, exact.is_complete) == (whole.n_nodes, True)
