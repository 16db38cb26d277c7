from __future__ import annotations

import numpy as np
import pytest

from conjunct.bits import BitMatrix, random_bits, row_order


@pytest.mark.parametrize("n_rows", [0, 1, 7, 8, 9, 100, 129, 1000])
def test_rows_sorted_in_blocks_and_merged_are_in_the_order_of_their_digit_strings(n_rows, monkeypatch):
    monkeypatch.setattr(row_order, "ROWS_PER_BLOCK", 8)
    table = random_bits(n_rows, (n_rows, 70))[:, [0, 1, 2, 66, 67]]
    rows = BitMatrix.of(np.hstack([table, np.zeros((n_rows, 64), int), table]))
    expected = sorted(range(n_rows), key=lambda i: (table[i].tolist(), i))
    assert row_order.row_order(rows.words).tolist() == expected
