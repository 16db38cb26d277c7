"""The parts of the subset experiment: every subset, every concept, the subsets of the proof."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from conjunct.lab.experiments.subset_margin import Labelled, concepts, drawn, every_row
from conjunct.theory import conjunctions_kernel, minimum_norm_point


def errors_of(subset: tuple[int, ...], table: Labelled) -> int:
    """Count the errors of the polynomial of a subset, from its weights alone."""
    members = [table.rows[index] for index in subset]
    inner = [[y * z * conjunctions_kernel(x, w, 1) for w, z in members] for x, y in members]
    weights = minimum_norm_point(inner).weights
    n_errors = 0
    for (x, y), count in zip(table.rows, table.counts, strict=True):
        score = sum(a * z * conjunctions_kernel(x, w, 1) for a, (w, z) in zip(weights, members, strict=True))
        n_errors += count * (y * score <= 0)
    return n_errors


@pytest.mark.parametrize("n", [2, 3])
def test_the_best_subset_is_that_of_literally_all_subsets(n: int) -> None:
    table = drawn(3, n, 6, 1)
    indices = range(len(table.rows))
    assert sum(table.counts) == 6
    for most in range(1, len(indices) + 1):
        every = [errors_of(subset, table) for size in range(1, most + 1) for subset in combinations(indices, size)]
        assert table.least_errors(most) == min(every)
        assert table.least_subset(min(every)) <= most


def test_concepts_have_the_norms_of_their_leaves_and_terms() -> None:
    norms = [concept.norm_sq for concept in concepts(2)]
    assert norms[:6] == [1, 1, 2, 2, 2, 2]
    assert sorted(norms[6:]) == [1] + [5] * 4 + [9] * 6 + [13] * 4 + [17]
    for concept in concepts(3):
        assert min(abs(value) for value in concept.values.values()) >= 1


def test_an_or_of_two_variables_has_the_values_of_its_polynomial() -> None:
    values = [concept.values for concept in concepts(2) if concept.norm_sq == 9]
    assert {(0, 0): -1, (0, 1): 1, (1, 0): 1, (1, 1): 3} in values


def test_one_row_makes_a_polynomial_of_one_sign() -> None:
    table = Labelled.of([(row, 1 if sum(row) == 3 else -1) for row in every_row(3)])
    assert table.least_errors(1) == 1
    assert {table.n_errors(point.scores) for point in table.points if len(point.support) == 1} == {1, 7}


def test_the_proof_ends_with_a_subset_that_has_right_all_that_the_concept_has_right() -> None:
    longest = 0
    for number in range(3):
        table = drawn(7, 3, 10, number)
        for concept in concepts(3):
            points = table.collected(concept)
            margins = table.margins(concept)
            right = [score for score, margin in zip(points[-1].scores, margins, strict=True) if margin > 0]
            assert min(right) > 0
            assert len(points) <= 4 * concept.norm_sq
            assert points[-1].norm_sq * concept.norm_sq >= 1
            longest = max(longest, len(points))
    assert longest >= 4


def test_a_concept_that_is_wrong_everywhere_collects_nothing() -> None:
    table = Labelled.of([((0, 0), 1), ((0, 1), 1)])
    never = next(concept for concept in concepts(2) if set(concept.values.values()) == {Fraction(-1)})
    assert table.collected(never) == []
