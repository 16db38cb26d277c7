from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_below, random_bits
from conjunct.errors import BitsError
from conjunct.models import ConjunctionSum

TERMS = ((), (1,), (2,), (0, 3), (1, 4, 129), (128,))


def drawn(n_outputs: int) -> tuple[ConjunctionSum, BitMatrix]:
    weights = random_below(1, 1 << 40, 6 * n_outputs).reshape(n_outputs, 6).astype(np.int64) - (1 << 39)
    return ConjunctionSum(70, TERMS, weights, Fraction(1, 1 << 39)), BitMatrix.of(random_bits(2, (300, 70)))


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_scores_are_the_sums_of_the_terms_that_hold(n_outputs: int) -> None:
    model, rows = drawn(n_outputs)
    for row, scores in zip(rows.to_array().tolist(), model.scores(rows), strict=True):
        held = [all(row[literal // 2] == literal % 2 for literal in term) for term in TERMS]
        for score, weights in zip(scores, model.weights.tolist(), strict=True):
            assert score == sum(model.unit * weight for weight, holds in zip(weights, held, strict=True) if holds)


@pytest.mark.parametrize("n_outputs", [1, 3])
def test_choices_and_decision_values_follow_the_scores(n_outputs: int) -> None:
    model, rows = drawn(n_outputs)
    scores = model.scores(rows)
    expected = [int(row[0] >= 0) if n_outputs == 1 else row.index(max(row)) for row in scores]
    assert model.choices(rows).tolist() == expected
    values = model.decision_values(rows).reshape(300, n_outputs)
    assert values.tolist() == [[float(score) for score in row] for row in scores]


def test_a_tie_is_positive() -> None:
    model = ConjunctionSum(1, ((), (1,)), np.array([[-1, 1]]), Fraction(1))
    rows = BitMatrix.of(["1", "0"])
    assert model.choices(rows).tolist() == [1, 0]
    assert model.decision_values(rows).tolist() == [5e-324, -1.0]


@pytest.mark.parametrize(
    ("terms", "weights", "message"),
    [
        (((), (1,)), [[1]], "a sum of 2 conjunctions needs as many weights per output and a positive unit"),
        (((1,), (1,)), [[1, 1]], "a conjunction stands twice in a sum; add its weights"),
        (((0, 1),), [[1]], "conjunction (0, 1): expected rising literals, one of a variable at most, of 2 variables"),
        (((3, 0),), [[1]], "conjunction (3, 0): expected rising literals, one of a variable at most, of 2 variables"),
        (((4,),), [[1]], "conjunction (4,): expected rising literals, one of a variable at most, of 2 variables"),
        (
            ((), (1,)),
            [[1 << 61, -(1 << 61)]],
            "the sizes of the weights of an output add up to 2**62 or more; use smaller weights",
        ),
    ],
)
def test_what_is_no_sum_of_conjunctions_is_refused(terms: Any, weights: Any, message: str) -> None:
    with pytest.raises(BitsError) as refusal:
        ConjunctionSum(2, terms, np.array(weights, np.int64), Fraction(1))
    assert str(refusal.value) == message


def test_rows_of_another_width_are_refused() -> None:
    model, _ = drawn(1)
    with pytest.raises(BitsError, match="rows of 3 variables, but the model has 70"):
        model.scores(BitMatrix.of(["111"]))
