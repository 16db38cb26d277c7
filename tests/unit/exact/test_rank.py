from __future__ import annotations

import numpy as np
import pytest

from conjunct.bits import random_below
from conjunct.exact.rank import rank


@pytest.mark.parametrize("seed", range(10))
def test_a_product_of_matrices_has_the_rank_of_its_narrow_middle(seed: int) -> None:
    left, right = (random_below(seed, 7, 6 * 3, stream=stream) - 3 for stream in (0, 1))
    product = left.reshape(6, 3) @ right.reshape(3, 6)
    assert rank(product.tolist()) == np.linalg.matrix_rank(product.astype(float))
    assert rank(product.T.tolist()) == rank(product.tolist())


def test_zeros_have_rank_0_and_the_identity_is_full() -> None:
    assert rank([[0, 0], [0, 0]]) == 0
    assert rank(np.eye(5, dtype=int).tolist()) == 5
