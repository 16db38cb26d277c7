from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from conjunct.evaluation.figures_of_merit import figures, interval


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [(0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0), (5, 10, 0.236593, 0.763407), (1, 1, 0.206549, 1.0)],
)
def test_the_interval_is_wilsons(right: int, total: int, low: float, high: float) -> None:
    assert interval(right, total) == pytest.approx((low, high), abs=1e-6)


@pytest.mark.parametrize(("right", "total"), [(1, 7), (90, 100), (999, 1000)])
def test_the_ends_of_the_interval_solve_its_equation(right: int, total: int) -> None:
    """An end p is as far from the share as 1.96 standard deviations at p."""
    for end in interval(right, total):
        distance = abs(end - right / total) / sqrt(end * (1 - end) / total)
        assert distance == pytest.approx(1.959963984540054)


def test_figures_count_by_hand() -> None:
    codes = np.array([0, 0, 0, 1, 1, 2])
    predicted = np.array([0, 0, 1, 1, 0, 1])
    result = figures(predicted, codes, ["a", "b", "c"])
    assert result["confusion"] == [[2, 1, 0], [1, 1, 0], [0, 1, 0]]
    assert (result["rows"], result["accuracy"]) == (6, 0.5)
    assert result["classes"] == [
        {"label": "a", "rows": 3, "precision": 2 / 3, "recall": 2 / 3},
        {"label": "b", "rows": 2, "precision": 1 / 3, "recall": 1 / 2},
        {"label": "c", "rows": 1, "precision": None, "recall": 0.0},
    ]


def test_a_label_without_rows_has_no_recall() -> None:
    result = figures(np.array([1, 0]), np.array([0, 0]), [7, 8])
    assert [line["recall"] for line in result["classes"]] == [0.5, None]
    assert [line["precision"] for line in result["classes"]] == [1.0, 0.0]
