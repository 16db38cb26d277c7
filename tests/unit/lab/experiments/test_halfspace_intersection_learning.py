from __future__ import annotations

import pytest

from conjunct.bits import BitMatrix
from conjunct.datasets.all_rows import all_rows
from conjunct.lab.experiments.halfspace_intersection_learning import intersection


@pytest.mark.parametrize("k", [1, 2, 8])
def test_about_half_of_the_rows_lie_in_an_intersection_and_each_half_space_alone_has_more(k: int) -> None:
    target = intersection(5, 8, k)
    assert len(target.halfspaces) == k
    assert all(len(each.variables) == 8 for each in target.halfspaces)
    rows = BitMatrix.of(all_rows(8))
    n_inside = int(target.evaluate(rows).sum())
    assert 128 <= n_inside < 160
    assert all(int(each.evaluate(rows).sum()) >= n_inside for each in target.halfspaces)
