"""Separable rows: mistakes <= R^2 |u|^2 / xi^2 in the kernel's space, hence (4k + 1) 2^n for a k-term DNF.

For a k-term DNF, u has weight 1 on its terms and -1/2 on the empty conjunction: |u|^2 = k + 1/4, y u.x >= 1/2, and the
squared norm of a row is R^2 = 2^n. For any labelling, the u that gives every row margin 1 has |u|^2 = y'K^-1 y.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_bits
from conjunct.datasets import random_dnf
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from conjunct.learners import KernelPerceptron


@pytest.mark.parametrize("seed", range(40))
def test_mistakes_on_a_dnf_stay_under_the_bound(seed):
    n, k = 3 + seed % 5, 1 + seed % 3
    table = random_dnf(n, k, term_size=1 + seed % 2, n_rows=300, seed=seed)
    labels = 2 * table.labels.astype(int) - 1
    run = KernelPerceptron(Conjunctions()).run(table.rows, labels, max_passes=10_000)
    assert run.is_consistent
    assert len(run) <= (4 * k + 1) * 2**n


def all_rows(n: int) -> BitMatrix:
    return BitMatrix.of(np.array(list(product([0, 1], repeat=n))))


def norm_sq(gram: list[list[Fraction]], labels: tuple[int, ...]) -> Fraction:
    """y'K^-1 y, by elimination in fractions."""
    system = [[*row, Fraction(y)] for row, y in zip(gram, labels, strict=True)]
    for i in range(len(system)):
        pivot = next(r for r in range(i, len(system)) if system[r][i])
        system[i], system[pivot] = system[pivot], system[i]
        system[i] = [value / system[i][i] for value in system[i]]
        for r in range(len(system)):
            if r != i:
                system[r] = [a - system[r][i] * b for a, b in zip(system[r], system[i], strict=True)]
    return sum((y * row[-1] for y, row in zip(labels, system, strict=True)), Fraction(0))


def longest_sequence(gram: list[list[Fraction]], labels: tuple[int, ...]) -> list[int]:
    """The longest sequence of rows that are all mistakes, by searching every order."""
    best: dict[tuple[int, ...], list[int]] = {}

    def search(weights: tuple[int, ...]) -> list[int]:
        if weights not in best:
            sequences: list[list[int]] = [[]]
            for i, y in enumerate(labels):
                score = sum(w * k for w, k in zip(weights, gram[i], strict=True))
                if (score >= 0) != (y > 0):
                    after = (*weights[:i], weights[i] + y, *weights[i + 1 :])
                    sequences.append([i, *search(after)])
            best[weights] = max(sequences, key=len)
        return best[weights]

    return search((0,) * len(labels))


@pytest.mark.parametrize("kernel", [Conjunctions(), MonotoneConjunctions()])
@pytest.mark.parametrize("n", [1, 2])
def test_no_adversary_passes_the_bound_and_some_reach_it(kernel, n):
    rows = all_rows(n)
    gram = [[Fraction(kernel.value(rows[i], rows[j])) for j in range(2**n)] for i in range(2**n)]
    radius_sq = max(gram[i][i] for i in range(2**n))
    tightness = []
    for labels in product([-1, 1], repeat=2**n):
        sequence = longest_sequence(gram, labels)
        bound = radius_sq * norm_sq(gram, labels)
        assert len(sequence) <= bound
        tightness.append(Fraction(len(sequence), bound.numerator // bound.denominator))
        if sequence:
            shown = np.array(labels)[sequence]
            assert len(KernelPerceptron(kernel).run(rows[sequence], shown)) == len(sequence)
    if isinstance(kernel, Conjunctions):
        assert max(tightness) == 1  # every row negative: one mistake, on the tie


def test_parity_of_two_bits_takes_an_adversary_half_way_to_the_bound():
    rows, labels, kernel = all_rows(2), (-1, 1, 1, -1), Conjunctions()
    gram = [[Fraction(kernel.value(rows[i], rows[j])) for j in range(4)] for i in range(4)]
    assert 4 * norm_sq(gram, labels) == 16
    assert len(longest_sequence(gram, labels)) == 8


def test_any_labels_on_distinct_rows_become_consistent():
    """All conjunctions over literals separate any labelling of distinct rows: each row has its own conjunction."""
    table = np.unique(random_bits(3, (200, 10)), axis=0)
    labels = 1 - 2 * random_bits(4, (len(table),)).astype(int)
    assert KernelPerceptron(Conjunctions()).run(BitMatrix.of(table), labels, max_passes=10_000).is_consistent
