"""The regularised Perceptron in whole numbers against the one in fractions."""

from __future__ import annotations

import pytest

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.kernels import Conjunctions
from conjunct.theory import regularised_risk, regularized_perceptron, svm_value
from conjunct.theory.row_perceptron import row_perceptron


def problem(seed: int, m: int) -> tuple[list[list[int]], list[int]]:
    gram = Conjunctions(2).gram(BitMatrix.of(random_bits(seed, (m, 4)))).astype(int).tolist()
    return gram, (1 - 2 * random_below(seed, 2, m, stream=1)).tolist()


@pytest.mark.parametrize("seed", range(5))
def test_updates_row_by_row_are_those_in_fractions(seed: int) -> None:
    gram, signs = problem(seed, 12)
    found = row_perceptron(gram, signs, 3)
    wanted = regularized_perceptron(gram, signs, 3)
    assert (found.weights, found.n_updates) == (wanted.weights, wanted.n_updates)
    assert found.bound == svm_value(gram, signs, wanted.weights, 3)
    scale = found.bound / found.n_updates
    net = [weight * sign for weight, sign in zip(wanted.weights, signs, strict=True)]
    scores = [scale * sum(w * k for w, k in zip(net, row, strict=True)) for row in gram]
    norm_sq = scale * sum(w * score for w, score in zip(net, scores, strict=True))
    assert found.risk == regularised_risk(scores, signs, norm_sq, 3)
