from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.learners import MaskPerceptron
from conjunct.theory import conjunction_weights, mask_perceptron

NEAR = Fraction(1, 10**8)


def problem(seed: int) -> tuple[list[list[int]], list[int]]:
    """Return rows of no symmetry, each of another number of copies, so that few weights are equal."""
    n = 2 + seed % 4
    distinct = random_bits(seed, (12, n))
    copies = 1 + random_below(seed, 9, 12, stream=1)
    rows = np.repeat(distinct, copies, axis=0)
    flips = random_below(seed, 4, len(rows), stream=2) == 0
    return rows.tolist(), np.where((rows[:, 0] == rows[:, -1]) ^ flips, 1, -1).tolist()


def near(first: Fraction, second: Fraction) -> bool:
    return abs(first - second) <= NEAR * max(abs(second), 1)


@pytest.mark.parametrize("seed", range(24))
def test_terms_risks_and_coefficients_are_those_of_the_definition(seed: int) -> None:
    rows, labels = problem(seed)
    lam, gain = Fraction([1, 4, 30, 1][seed % 4], [1, 1, 1, 3][seed % 4]), Fraction(seed % 3, 20)
    size, is_positive = [1, 2, 3, None][seed // 4 % 4], seed % 5 == 0
    expected, risks, coefficients = mask_perceptron(
        rows, labels, lam, max_size=size, max_terms=8, min_gain=gain, positive=is_positive
    )
    literals = "positive" if is_positive else "both"
    solution = MaskPerceptron(size, lam, 8, gain, literals).run(BitMatrix.of(rows), labels)
    assert solution.conjunctions == tuple(expected)
    assert len(solution.history) == len(risks)
    assert all(near(*pair) for pair in zip(solution.history, risks, strict=True))
    unit = Fraction(2) ** solution.exponent
    assert all(near(unit * w, c) for w, c in zip(solution.weights.tolist(), coefficients, strict=True))


@pytest.mark.parametrize("selection", ["exact", "beam"])
@pytest.mark.parametrize("seed", range(8))
def test_where_many_weigh_the_same_a_heaviest_one_is_added(seed: int, selection: str) -> None:
    rows = random_bits(seed, (20, 4))
    labels = np.where(rows.sum(axis=1) % 2 == 1, 1, -1)
    solution = MaskPerceptron(3, 1, 5, selection=selection).run(BitMatrix.of(rows), labels)
    for n_terms in range(1, len(solution.conjunctions)):
        model = MaskPerceptron(3, 1, n_terms, selection=selection).run(BitMatrix.of(rows), labels).model()
        scores = [score for (score,) in model.scores(BitMatrix.of(rows))]
        residuals = [int(y) * max(Fraction(0), 1 - int(y) * f) for y, f in zip(labels, scores, strict=True)]
        weights = conjunction_weights(rows.tolist(), residuals, 3)

        def held(conjunction: tuple[int, ...]) -> tuple[bool, ...]:
            return tuple(all(row[lit // 2] == lit % 2 for lit in conjunction) for row in rows.tolist())

        chosen = {held(conjunction) for conjunction in model.conjunctions}
        heaviest = max(abs(weight) for conjunction, weight in weights.items() if held(conjunction) not in chosen)
        added = solution.conjunctions[n_terms]
        assert held(added) not in chosen
        assert selection == "beam" or near(abs(weights[added]), heaviest)
