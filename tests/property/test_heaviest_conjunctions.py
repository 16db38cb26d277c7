"""The search for the heaviest conjunctions against all of them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conjunct import BitMatrix
from conjunct.bits import random_below, random_bits
from conjunct.bits.limits import limiting_threads
from conjunct.search import search_conjunctions
from conjunct.theory import conjunction_weights, heaviest_conjunctions
from strategies import times

LARGE = 2**58
FAR = 10**40  # past 64 and 128 bits


@st.composite
def wild_scales(draw, n_sizes):
    """Factors of sizes that no machine word holds in whole numbers: powers, ties and near ties, zeros among them."""
    bases = [Fraction(20, 19), Fraction(19, 20), Fraction(10**30), Fraction(1, 10**30), Fraction(1, 3), Fraction(2**64)]
    base = draw(st.sampled_from(bases))
    near = st.sampled_from([1, FAR, 2 * FAR, 3 * FAR, 6 * FAR, 2 * FAR + 1, 3 * FAR - 1, Fraction(1, FAR)])
    wide = st.builds(Fraction, st.integers(0, 2**200), st.integers(1, 2**100))
    powers = [base**size for size in range(n_sizes)]
    listed = st.lists(draw(st.sampled_from([near, wide])), min_size=n_sizes, max_size=n_sizes)
    scales = draw(st.just(powers) | listed)
    zeros = draw(st.sets(st.integers(0, n_sizes - 1), max_size=2))
    return [Fraction(0 if size in zeros else scale) for size, scale in enumerate(scales)]


@st.composite
def problems(draw, any_scales=None):
    """Rows, whole weights with many ties or large ones, and the settings of a search."""
    width = draw(st.integers(1, 8))
    rows = draw(st.lists(st.lists(st.integers(0, 1), min_size=width, max_size=width), min_size=1, max_size=8))
    kind = draw(st.sampled_from([st.integers(-2, 2), st.integers(-9, 9), st.integers(-LARGE // 8, LARGE // 8)]))
    weights = draw(st.lists(kind, min_size=len(rows), max_size=len(rows)))
    max_size = draw(st.none() | st.integers(0, width))
    n_sizes = (width if max_size is None else max_size) + 1
    factors = st.builds(Fraction, st.integers(0, 4), st.integers(1, 3))
    small = st.none() | st.lists(factors, min_size=n_sizes, max_size=n_sizes)
    scales = draw(small if any_scales is None else any_scales(n_sizes))
    limits = st.builds(Fraction, st.integers(-9, 9), st.integers(1, 3))
    if scales is not None:
        limits = st.builds(Fraction.__mul__, limits, st.sampled_from([Fraction(1), *scales]))
    options = {
        "max_size": max_size,
        "scales": scales,
        "literals": draw(st.sampled_from(["both", "positive"])),
        "top": draw(st.none() | st.integers(1, 30)),
        "min_weight": draw(st.none() | limits),
        "signed": draw(st.booleans()),
        "sets": draw(st.sampled_from(["all", "shortest", "longest"])),
    }
    return rows, weights, options


def cells_of(rows, literals):
    """The rows on which a conjunction holds."""
    return frozenset(i for i, row in enumerate(rows) if all(row[own // 2] == own % 2 for own in literals))


def by_definition(rows, weights, options):
    """All conjunctions, weighed, ordered and cut off."""
    width, scales = len(rows[0]), options["scales"]
    totals = conjunction_weights(rows, weights, options["max_size"], positive=options["literals"] == "positive")
    sizes = [Fraction(1)] * (width + 1) if scales is None else scales
    weighed = {own: total * sizes[len(own)] for own, total in totals.items() if sizes[len(own)]}
    least = min(weighed.values(), default=0) if options["min_weight"] is None else options["min_weight"]
    heavy = heaviest_conjunctions(weighed, min_weight=least, signed=options["signed"])
    if options["sets"] != "all":
        first = {}
        for own, weight in heavy:
            first.setdefault(cells_of(rows, own), (own, weight))
        heavy = list(first.values())
    heavy = heavy[: options["top"]]
    if options["sets"] == "longest":
        lowest = 0 if options["literals"] == "both" else 1
        literals = [own for own in range(2 * width) if lowest == 0 or own % 2]
        closures = [[one for one in literals if cells_of(rows, own) <= cells_of(rows, [one])] for own, _ in heavy]
        heavy = [(tuple(closure), weight) for closure, (_, weight) in zip(closures, heavy, strict=True)]
    return heavy


@times(6)
@given(problems())
def test_the_search_lists_what_full_enumeration_lists_in_the_same_order(problem):
    rows, weights, options = problem
    result = search_conjunctions(BitMatrix.of(rows), weights, **options)
    assert [tuple(heavy) for heavy in result.found] == by_definition(rows, weights, options)
    assert (result.proved, result.bound, result.stopped_by) == (True, None, "closed")


@times(6)
@given(problems(wild_scales))
def test_scales_of_any_length_list_what_full_enumeration_lists(problem):
    rows, weights, options = problem
    result = search_conjunctions(BitMatrix.of(rows), weights, **options)
    assert [tuple(heavy) for heavy in result.found] == by_definition(rows, weights, options)
    assert (result.proved, result.bound, result.stopped_by) == (True, None, "closed")


@pytest.mark.parametrize("sets", ["all", "shortest"])
@pytest.mark.parametrize("signed", [False, True])
def test_more_cells_than_a_word_and_any_number_of_threads_list_the_same(sets, signed):
    for seed in range(4):
        bits = random_bits(seed, (40 + 60 * (seed % 4), 8))
        top = 1000 if seed % 3 else 2**40  # sums of 32 bits, and of 64
        weights = random_below(seed + 100, 2 * top + 1, len(bits)) - top
        rows = BitMatrix.of(bits)
        options = {"max_size": 4, "scales": None, "literals": "both", "top": 25, "min_weight": None}
        truth = by_definition(bits.tolist(), weights.tolist(), options | {"signed": signed, "sets": sets})
        for threads in (1, 2, 5):
            with limiting_threads(threads):
                result = search_conjunctions(rows, weights, max_size=4, top=25, signed=signed, sets=sets)
            assert [tuple(heavy) for heavy in result.found] == truth


@times(3)
@given(problems() | problems(wild_scales), st.integers(1, 60))
def test_what_a_search_cut_short_did_not_look_at_weighs_at_most_its_bound(problem, max_nodes):
    rows, weights, options = problem
    result = search_conjunctions(BitMatrix.of(rows), weights, max_nodes=max_nodes, **options)
    truth = by_definition(rows, weights, options)
    listed = [tuple(heavy) for heavy in result.found]
    assert result.n_nodes <= max_nodes
    if result.proved:
        assert listed == truth
        return
    assert result.stopped_by == "nodes"
    size = (lambda weight: weight) if options["signed"] else abs
    assert all(size(weight) <= result.bound for own, weight in truth if (own, weight) not in listed)


def test_weights_that_fill_their_range_are_added_without_overflow():
    rows = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    weights = [2**59, -(2**59), 2**59, -(2**59)]
    result = search_conjunctions(BitMatrix.of(rows), weights, top=2)
    assert [(heavy.literals, heavy.weight) for heavy in result.found] == [((0,), -(2**60)), ((1,), 2**60)]
