from __future__ import annotations

import numpy as np
import pytest

from conjunct.lab.halfspace_intersection_learning import intersection, slack
from conjunct.lab.streams import all_rows


@pytest.mark.parametrize("k", [1, 2, 8])
def test_about_half_of_the_rows_lie_in_an_intersection_and_each_half_space_alone_has_more(k: int) -> None:
    half_spaces, cut = intersection(5, 8, k)
    assert half_spaces.shape == (k, 8)
    assert 0 not in half_spaces
    rows = all_rows(8)
    is_inside = slack(half_spaces, rows) >= cut
    assert 128 <= int(is_inside.sum()) < 160
    alone = [slack(half_spaces[j : j + 1], rows) >= cut for j in range(k)]
    assert np.array_equal(np.all(alone, axis=0), is_inside)
