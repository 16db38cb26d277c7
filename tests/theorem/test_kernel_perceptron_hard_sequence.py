"""[khardon2005, Section 4]: the kernel Perceptron over monotone conjunctions makes exponentially many mistakes.

The target is the conjunction of all variables; the sequence is 0^n (-), 1^n (+), then negatives of weight w that share
at most c ones pairwise: the first 2^(w - c) of these are all mistakes.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_permutation
from conjunct.kernels import MonotoneConjunctions
from conjunct.learners import KernelPerceptron


def family(n: int, w: int, c: int, size: int, seed: int) -> list[int]:
    """Greedily chosen sets of w variables, pairwise sharing at most c; masks."""
    chosen: list[int] = []
    stream = 0
    while len(chosen) < size:
        candidate = sum(1 << int(v) for v in random_permutation(seed, n, stream=stream)[:w])
        stream += 1
        if all((candidate & other).bit_count() <= c for other in chosen):
            chosen.append(candidate)
    return chosen


def table(masks: list[int], n: int) -> BitMatrix:
    return BitMatrix.of(np.array([[mask >> v & 1 for v in range(n)] for mask in masks]))


def sequence(n: int, w: int, c: int, size: int) -> tuple[BitMatrix, list[int]]:
    return table([0, (1 << n) - 1, *family(n, w, c, size, seed=n)], n), [-1, 1, *[-1] * size]


@pytest.mark.parametrize(("n", "w", "c"), [(24, 8, 4), (40, 12, 6), (60, 16, 9)])
def test_the_first_negatives_are_all_mistakes(n, w, c):
    size = 2 ** (w - c)
    run = KernelPerceptron(MonotoneConjunctions()).run(*sequence(n, w, c, size))
    assert run.index.tolist() == list(range(size + 2))


@pytest.mark.parametrize(("n", "w", "c"), [(24, 8, 4), (40, 12, 6)])
def test_their_scores_are_as_the_proof_says(n, w, c):
    size = 2 ** (w - c)
    rows, labels = sequence(n, w, c, size)
    run = KernelPerceptron(MonotoneConjunctions()).run(rows, labels)
    shared = rows.to_array().astype(int) @ rows.to_array().astype(int).T
    for i, mistake in enumerate(list(run)[2:], start=2):
        assert mistake.score == 2**w - 1 - sum(2 ** int(shared[i, j]) for j in range(2, i))


def test_disjoint_negatives_reach_the_bound():
    """c = 0: exactly the first 2^w disjoint sets are mistakes, not one more."""
    w = 3
    size = 2**w + 4
    n = w * size
    blocks = [((1 << w) - 1) << (w * i) for i in range(size)]
    run = KernelPerceptron(MonotoneConjunctions()).run(table([0, (1 << n) - 1, *blocks], n), [-1, 1, *[-1] * size])
    assert run.index.tolist() == list(range(2**w + 2))


@pytest.mark.parametrize("ratio", [Fraction(1), Fraction(7, 2), Fraction(100)])
def test_a_positive_threshold_leaves_exponentially_many(ratio):
    """0 < theta <= 2^w r: the first floor((2^w - theta/r) / 2^c) + 1 negatives are mistakes; c = 0 reaches it."""
    w = 7
    guaranteed = (2**w - ratio) // 1 + 1
    size = int(guaranteed) + 3
    n = w * size
    blocks = [((1 << w) - 1) << (w * i) for i in range(size)]
    rows, labels = table([0, (1 << n) - 1, *blocks], n), [-1, 1, *[-1] * size]
    for rate in (Fraction(1), Fraction(1, 3)):
        run = KernelPerceptron(MonotoneConjunctions(), threshold=ratio * rate, learning_rate=rate).run(rows, labels)
        assert run.index.tolist() == [1, *range(2, 2 + int(guaranteed))]
