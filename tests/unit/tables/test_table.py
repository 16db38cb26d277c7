from __future__ import annotations

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from conjunct.bits import BitMatrix
from conjunct.datasets import Table
from conjunct.errors import BitsError


def make_table(labels):
    rows = BitMatrix.from_array(np.array([[0, 1], [1, 1]], dtype=np.uint8), ["x1", "x2"])
    return Table("two", rows, labels, "x1")


def test_a_table_unpacks_into_rows_and_labels():
    table = make_table(np.array([0, 1]))
    rows, labels = table
    assert rows is table.rows
    assert labels is table.labels


def test_labels_are_a_read_only_copy():
    given = np.array(["no", "yes"])
    table = make_table(given)
    given[0] = "yes"
    assert table.labels.tolist() == ["no", "yes"]
    with pytest.raises(ValueError, match="read-only"):
        table.labels[0] = "yes"


def test_a_table_is_frozen():
    table = make_table(np.array([0, 1]))
    with pytest.raises(FrozenInstanceError):
        table.name = "other"


@pytest.mark.parametrize("labels", [np.array([0, 1, 1]), np.array([[0, 1]])])
def test_labels_that_do_not_match_the_rows_are_refused(labels):
    with pytest.raises(BitsError, match="table 'two' has 2 rows"):
        make_table(labels)
