"""[littlestone1988]: elimination makes at most n - k mistakes, n + 1 over literals; halving at most floor(log2 |C|)."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from conjunct.bits import random_below, random_words
from conjunct.theory import (
    elimination_bound,
    elimination_literals_bound,
    halving_bound,
    run_elimination,
    run_halving,
)


def longest(rows, left, target):
    """The longest sequence of mistakes of elimination on a disjunction, by searching every order of the rows."""
    best = {}

    def search(left):
        if left not in best:
            found = []
            for row in rows:
                if (len(row & left) > 0) != (len(row & target) > 0):
                    found = max(found, [(row, 1 if row & target else -1), *search(left - row)], key=len)
            best[left] = found
        return best[left]

    return search(frozenset(left))


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_longest_sequence_of_mistakes_over_variables_is_n_minus_k(n):
    rows = [frozenset(row) for size in range(n + 1) for row in combinations(range(n), size)]
    for target in rows:
        sequence = longest(rows, range(n), target)
        assert run_elimination(sequence, range(n)).n_mistakes == len(sequence)
        assert len(sequence) == elimination_bound(n, len(target)) == n - len(target)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_longest_sequence_of_mistakes_over_literals_is_n_plus_1(n):
    """A literal is (variable, value); reached by the empty disjunction only, one less for each literal of another."""
    literals = frozenset(product(range(n), [0, 1]))
    rows = [frozenset(enumerate(values)) for values in product([0, 1], repeat=n)]
    lengths = {}
    for choice in product([None, 0, 1], repeat=n):
        target = frozenset((v, value) for v, value in enumerate(choice) if value is not None)
        sequence = longest(rows, literals, target)
        run = run_elimination(sequence, literals)
        assert run.n_mistakes == run.n_demotions == len(sequence) <= elimination_literals_bound(n)
        lengths.setdefault(len(target), set()).add(len(sequence))
    assert lengths == {k: {n + 1 - k} for k in range(n + 1)}


def test_mistakes_on_random_streams_stay_under_the_bound_and_are_never_false_negatives():
    reached = 0
    for seed in range(1000):
        n, k = 1 + seed % 12, seed % 5
        k = min(k, n)
        masks = [word & word >> 32 for word in random_words(seed, 60).tolist()]  # a quarter of the variables active
        rows = [frozenset(v for v in range(n) if mask >> v & 1) for mask in masks]
        target = frozenset(range(k))
        run = run_elimination([(row, 1 if row & target else -1) for row in rows], range(n))
        assert run.n_promotions == 0
        assert run.n_mistakes <= elimination_bound(n, k)
        assert not target & set(run.weights)
        reached += run.n_mistakes == elimination_bound(n, k) > 0
    assert reached > 100


def test_mistakes_over_literals_stay_under_the_bound_on_random_streams():
    most = 0
    for seed in range(500):
        n = 2 + seed % 9
        literals = list(product(range(n), [0, 1]))
        target = frozenset(literals[i] for i in random_below(seed, 2 * n, 1 + seed % 3, stream=1).tolist())
        masks = random_below(seed, 2**n, 60).tolist()
        rows = [frozenset((v, mask >> v & 1) for v in range(n)) for mask in masks]
        run = run_elimination([(row, 1 if row & target else -1) for row in rows], literals)
        assert run.n_promotions == 0
        assert run.n_mistakes <= elimination_literals_bound(n)
        most = max(most, run.n_mistakes / elimination_literals_bound(n))
    assert most > 0.6


def test_a_lost_relevant_variable_never_returns():
    """Noise: one false label makes every later positive a mistake, so no bound with attribute errors exists."""
    sequence = [(frozenset("a"), -1), *[(frozenset("a"), 1)] * 50]
    assert run_elimination(sequence, "ab").n_mistakes == 51


@pytest.mark.parametrize("n_points", [1, 2, 5, 9])
def test_halving_over_all_labellings_of_some_points_reaches_its_bound(n_points):
    points = [frozenset({v}) for v in range(n_points)]
    concepts = [dict(zip(points, labels, strict=True)).__getitem__ for labels in product([-1, 1], repeat=n_points)]
    run = run_halving(concepts, [(point, -1) for point in points])  # every vote is a tie, which predicts +1
    assert run.n_mistakes == halving_bound(len(concepts)) == n_points


def test_halving_stays_under_its_bound_on_random_classes():
    tightness = []
    for seed in range(1000):
        n_points, n_concepts = 2 + seed % 7, 1 + seed % 40
        points = [frozenset({v}) for v in range(n_points)]
        labellings = [
            [1 - 2 * (word >> v & 1) for v in range(n_points)] for word in random_words(seed, n_concepts).tolist()
        ]
        concepts = [dict(zip(points, labels, strict=True)).__getitem__ for labels in labellings]
        target = concepts[seed % n_concepts]
        run = run_halving(concepts, [(points[i], target(points[i])) for i in random_below(seed, n_points, 30).tolist()])
        assert run.n_mistakes <= halving_bound(n_concepts)
        assert seed % n_concepts not in run.weights
        tightness.append(run.n_mistakes / max(1, halving_bound(n_concepts)))
    assert max(tightness) == 1
