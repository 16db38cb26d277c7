from __future__ import annotations

import pytest

from conjunct.datasets.one_hot import one_hot

COLUMNS = {"size": ("small", "large"), "color": ("red", "green", "blue")}


def test_each_row_has_one_variable_per_column():
    rows = [("small", "blue"), ("large", "red"), ("large", "green")]
    bits = one_hot(rows, COLUMNS)
    assert bits.names == ("size=small", "size=large", "color=red", "color=green", "color=blue")
    assert bits.to_array().tolist() == [[1, 0, 0, 0, 1], [0, 1, 1, 0, 0], [0, 1, 0, 1, 0]]


def test_no_rows_keep_the_variables():
    bits = one_hot([], COLUMNS)
    assert (bits.n_rows, bits.n_variables) == (0, 5)


def test_a_row_of_another_length_is_refused():
    with pytest.raises(ValueError, match="longer"):
        one_hot([("small",)], COLUMNS)
