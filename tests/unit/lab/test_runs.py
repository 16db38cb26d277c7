"""The learners as the lab runs them make the mistakes of the reference learners."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from conjunct import theory
from conjunct.datasets.hard_sequences import negative_unit_vectors
from conjunct.datasets.random_disjunctions import random_disjunction, random_labels, random_signs
from conjunct.lab.runs import run_perceptron, run_perceptron_on_vectors, run_winnow


def examples(rows: Any, labels: Any, passes: int = 1) -> list[tuple[frozenset[Any], int]]:
    once = [(frozenset(np.flatnonzero(row).tolist()), int(y)) for row, y in zip(rows, labels, strict=True)]
    return once * passes


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("constant", [0, 1, 2])
def test_the_perceptron_makes_the_mistakes_of_the_reference(seed: int, constant: int) -> None:
    rows, _ = random_disjunction(seed, 9, 3, 60)
    labels = random_labels(seed, 60, stream=9)
    found = run_perceptron(rows, labels, constant=constant, max_passes=3)
    wanted = theory.run_perceptron(examples(rows, labels, 3), constant=constant)
    assert (found.n_mistakes, found.n_promotions) == (wanted.n_mistakes, wanted.n_promotions)
    assert (
        run_perceptron(sparse.csr_matrix(rows), labels, constant=constant, max_passes=3).n_mistakes == found.n_mistakes
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("promotion", [2, Fraction(3, 2)])
@pytest.mark.parametrize("variant", ["positive", "elimination"])
def test_winnow_makes_the_mistakes_of_the_reference(seed: int, promotion: Any, variant: Any) -> None:
    rows, labels = random_disjunction(seed, 12, 3, 80)
    found = run_winnow(rows, labels, threshold=6, promotion=promotion, variant=variant)
    wanted = theory.run_winnow(
        examples(rows, labels), threshold=6, promotion=promotion, elimination=variant == "elimination"
    )
    assert (found.n_mistakes, found.n_promotions) == (wanted.n_mistakes, wanted.n_promotions)


def test_winnow_stops_after_a_clean_pass() -> None:
    rows, labels = np.eye(3, dtype=np.uint8), np.ones(3, dtype=np.int64)
    assert run_winnow(rows, labels, threshold=8, max_passes=100).n_promotions == 9
    assert run_winnow(rows, labels, threshold=8, max_passes=2).n_promotions == 6


@pytest.mark.parametrize("seed", range(5))
def test_the_perceptron_over_vectors_makes_the_mistakes_of_the_reference(seed: int) -> None:
    vectors = random_signs(seed, 200, 11)
    labels = np.where(vectors[:, :3].sum(axis=1) > 0, 1, -1)
    wanted = theory.run_perceptron_on_vectors(vectors.tolist(), labels.tolist())
    assert run_perceptron_on_vectors(vectors, labels) == wanted.n_mistakes


def test_noisy_vectors_are_repeated_as_often_as_allowed() -> None:
    vectors, labels = random_signs(1, 30, 4), random_labels(1, 30, stream=5)
    found = [run_perceptron_on_vectors(vectors, labels, max_passes=passes) for passes in (1, 2, 3)]
    wanted = [
        theory.run_perceptron_on_vectors(vectors.tolist() * passes, labels.tolist() * passes).n_mistakes
        for passes in (1, 2, 3)
    ]
    assert found == wanted


def test_the_negative_unit_vectors_cost_both_exactly_n() -> None:
    for n in (1, 2, 7, 30):
        vectors, labels = negative_unit_vectors(n)
        assert run_perceptron_on_vectors(vectors, labels, max_passes=10) == n
        assert theory.run_normalised_winnow(vectors.tolist() * 10, labels.tolist() * 10, 1 / n).n_mistakes == n
