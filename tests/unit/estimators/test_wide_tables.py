"""Sparse tables of very many columns: the need is known before anything is made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from conjunct import (
    ConjunctionSVC,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
from conjunct.errors import MemoryLimitError


def wide(n_columns: int) -> Any:
    return csr_array((np.ones(2), np.array([0, n_columns - 1]), np.array([0, 1, 2])), shape=(2, n_columns))


@pytest.mark.parametrize("n_columns", [3_000_000, 2**31 - 1])
@pytest.mark.parametrize(
    "estimator",
    [
        PerceptronClassifier(),
        WinnowClassifier(),
        ExponentiatedGradientRegressor(),
        KernelPerceptronClassifier(),
        ConjunctionSVC(),
        MaskPerceptronClassifier(max_size=1),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_more_columns_than_there_is_memory_for_are_refused(
    monkeypatch: pytest.MonkeyPatch, estimator: Any, n_columns: int
) -> None:
    monkeypatch.setenv("CONJUNCT_MEMORY", "50MB")
    with pytest.raises(MemoryLimitError, match=r" needs .*, limit is 47\.6 MiB; "):
        estimator.fit(wide(n_columns), [0, 1])


def test_many_columns_are_learned_where_there_is_memory_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONJUNCT_MEMORY", "50MB")
    rows = wide(200_000)
    for estimator in (PerceptronClassifier(), WinnowClassifier()):
        assert estimator.fit(rows, [0, 1]).predict(rows).tolist() == [0, 1]
