"""Sums over pairs of rows, by kept counts, by counts made anew and in integers, are what the definition says."""

from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix
from conjunct.bits.randomness import random_below, random_bits
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions, PairSums

KERNELS = [
    Conjunctions(3),
    MonotoneConjunctions(2),
    Conjunctions(2, Geometric("1/3")),
    Conjunctions(2).on([0, 3]) + MonotoneConjunctions().on([1, 2]) * Conjunctions(1).on([4, 5, 6]),
]


def rows_of(n_rows, n_variables, seed=3):
    return BitMatrix.of(random_bits(seed, (n_rows, n_variables)))


def weights_of(n, bits, seed=5):
    return random_below(seed, 2 << bits, n) - (1 << bits)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize(("n_rows", "n_variables"), [(1, 7), (70, 64), (130, 200), (1100, 300)])
def test_sums_are_the_gram_matrix_times_the_weights(kernel, n_rows, n_variables):
    rows = rows_of(n_rows, n_variables)
    layout = kernel.layout(rows)
    chosen = np.arange(0, n_rows, 2)
    weights = weights_of(len(chosen), 5).astype(float)
    expected = kernel.gram(rows)[:, chosen] @ weights
    for most_cached in (0, 1 << 29):
        pairs, sums = PairSums(layout, rows, most_cached), np.ones(n_rows)
        pairs.add(layout.floats, chosen, weights, sums)
        np.testing.assert_allclose(sums, expected + 1, rtol=1e-12, atol=1e-6)


def test_kept_counts_and_counts_made_anew_give_the_same_bits():
    rows = rows_of(1500, 300)
    layout = Conjunctions(4).layout(rows)
    weights = np.sin(np.arange(1500.0))
    results = []
    for most_cached in (0, 1 << 29):
        pairs, sums = PairSums(layout, rows, most_cached), np.zeros(1500)
        assert pairs.is_cached == (most_cached > 0)
        pairs.add(layout.floats, np.arange(1500), weights, sums)
        results.append(sums.tobytes())
    assert results[0] == results[1]


def test_one_set_of_counts_serves_every_size_and_cost():
    rows = rows_of(90, 40)
    pairs = PairSums(Conjunctions(1).layout(rows), rows)
    for kernel in (Conjunctions(2), Conjunctions(), Conjunctions(3, Geometric(2))):
        sums = np.zeros(90)
        pairs.add(kernel.layout(rows).floats, np.array([7]), np.array([1.0]), sums)
        np.testing.assert_allclose(sums, kernel.gram(rows)[:, 7], rtol=1e-15)


@pytest.mark.parametrize("bits", [3, 20, 40])
@pytest.mark.parametrize("kernel", [*KERNELS, Conjunctions()])
def test_exact_sums_are_those_of_python_integers(kernel, bits):
    rows = rows_of(60, 75)
    weights = weights_of(60, bits)
    weights[::7] = 0
    layout = kernel.layout(rows)
    expected = [
        sum((int(w) * Fraction(kernel.value(x, z)) for w, z in zip(weights, rows, strict=True)), Fraction(0))
        for x in list(rows)[:12]
    ]
    found = PairSums(layout, rows).exact(kernel, weights)
    assert [Fraction(total, layout.denominator) for total in found.tolist()[:12]] == expected


def test_exact_sums_of_no_weight_are_zero():
    rows = rows_of(5, 4)
    found = PairSums(Conjunctions().layout(rows), rows).exact(Conjunctions(), np.zeros(5, np.int64))
    assert found.tolist() == [0] * 5
