from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conjunct.bits.randomness import derived_seed
from conjunct.datasets.random_disjunctions import (
    dense_disjunction,
    random_disjunction,
    random_signs,
    sparse_disjunction,
)


def dense(rows: Any) -> Any:
    return rows.toarray() if hasattr(rows, "toarray") else rows


@pytest.mark.parametrize("draw", [sparse_disjunction, dense_disjunction])
@pytest.mark.parametrize(("n", "k", "n_active"), [(20, 3, 8), (100, 3, 10), (16, 1, 2), (64, 5, 32)])
def test_rows_have_as_many_ones_as_asked_for_and_the_labels_of_a_disjunction(
    draw: Any, n: int, k: int, n_active: int
) -> None:
    found, labels = draw(7, n, k, n_active, 3000)
    rows = dense(found)
    assert rows.shape == (3000, n)
    assert rows.max() == 1
    assert set(rows.sum(axis=1).tolist()) == {n_active}
    assert np.array_equal(labels, np.where(rows[:, :k].any(axis=1), 1, -1))
    assert abs(int(labels.sum())) < 300  # five standard deviations of fair coins


@pytest.mark.parametrize("draw", [sparse_disjunction, dense_disjunction])
def test_every_variable_is_drawn_as_often_as_the_others_of_its_kind(draw: Any) -> None:
    n, k, n_active, n_rows = 24, 3, 8, 20_000
    found, labels = draw(3, n, k, n_active, n_rows)
    rows = dense(found)
    negative, positive = rows[labels < 0].mean(axis=0), rows[labels > 0].mean(axis=0)
    assert negative[:k].max() == 0
    assert negative[k:] == pytest.approx(n_active / (n - k), abs=0.03)
    # One of the relevant is there for sure, any other with the chance of a random one.
    chance = (n_active - 1) / (n - 1)
    assert positive[:k] == pytest.approx(1 / k + (1 - 1 / k) * chance, abs=0.03)
    assert positive[k:] == pytest.approx(chance, abs=0.03)


def test_streams_depend_on_the_seed_alone() -> None:
    first, again, other = (sparse_disjunction(seed, 50, 3, 5, 100) for seed in (1, 1, 2))
    assert np.array_equal(first[0].toarray(), again[0].toarray())
    assert not np.array_equal(first[0].toarray(), other[0].toarray())
    assert len({derived_seed(0, n, r) for n in range(50) for r in range(50)}) == 2500


def test_random_rows_have_the_rate_asked_for() -> None:
    rows, labels = random_disjunction(5, 40, 3, 5000, rate_log2=2)
    assert rows.mean() == pytest.approx(0.25, abs=0.01)
    assert np.array_equal(labels > 0, rows[:, :3].any(axis=1))
    signs = random_signs(5, 1000, 20)
    assert set(np.unique(signs).tolist()) == {-1, 1}
    assert abs(signs.mean()) < 0.05
