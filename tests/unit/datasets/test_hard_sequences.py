from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

from conjunct.datasets.hard_sequences import (
    hard_family,
    negative_unit_vectors,
    unit_vectors_after_zero,
    winnow_sequence,
)
from conjunct.theory import run_winnow


def test_members_have_the_weight_and_share_few_ones() -> None:
    family = hard_family(3, 24, 8, 4, 16).astype(int)
    shared = family @ family.T
    assert np.all(np.diag(shared) == 8)
    assert np.all(shared[~np.eye(16, dtype=bool)] <= 4)


def test_the_first_members_stay_the_same_when_the_family_grows() -> None:
    np.testing.assert_array_equal(hard_family(3, 24, 8, 4, 8), hard_family(3, 24, 8, 4, 16)[:8])


def test_the_fixed_streams_are_what_they_are_called() -> None:
    vectors, labels = negative_unit_vectors(3)
    assert vectors.tolist() == [[-1, 0, 0], [0, -1, 0], [0, 0, -1]]
    assert labels.tolist() == [-1, -1, -1]
    rows, labels = unit_vectors_after_zero(2)
    assert rows.tolist() == [[0, 0], [1, 0], [0, 1]]
    assert labels.tolist() == [-1, 1, 1]


@pytest.mark.parametrize("variant", ["positive", "elimination"])
@pytest.mark.parametrize(("n", "k"), [(16, 1), (16, 3), (64, 3)])
def test_every_example_of_the_adversary_is_a_mistake(
    n: int, k: int, variant: Literal["positive", "elimination"]
) -> None:
    rows, labels = winnow_sequence(n, k, variant)
    assert np.array_equal(labels > 0, rows[:, :k].any(axis=1))
    examples = [(frozenset(np.flatnonzero(row).tolist()), int(label)) for row, label in zip(rows, labels, strict=True)]
    run = run_winnow(examples, threshold=n, elimination=variant == "elimination")
    assert run.n_mistakes == len(labels)
