from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from conjunct.datasets import majority, multiplexer, parity
from conjunct.errors import SettingError


def multiplexer_label(row, n_address):
    address = int("".join(map(str, row[:n_address])), base=2)
    return row[n_address + address]


RULES = {
    parity: lambda row, _: sum(row) % 2,
    majority: lambda row, _: int(row.count(1) >= row.count(0)),
    multiplexer: multiplexer_label,
}
SMALL = (
    [(parity, n) for n in range(1, 8)] + [(majority, n) for n in range(1, 8)] + [(multiplexer, n) for n in (1, 2, 3)]
)


@pytest.mark.parametrize(("make", "size"), SMALL)
def test_all_rows_come_in_counting_order_with_the_right_labels(make, size):
    table = make(size)
    rows = [tuple(row) for row in table.rows.to_array().tolist()]
    assert rows == list(product((0, 1), repeat=table.rows.n_variables))
    assert table.labels.dtype == np.int64
    assert table.labels.tolist() == [RULES[make](row, size) for row in rows]


@pytest.mark.parametrize(("make", "size"), [(parity, 70), (majority, 65), (majority, 64), (multiplexer, 6)])
def test_random_rows_follow_the_same_rule(make, size):
    table = make(size, n_rows=300, seed=5)
    rows = [tuple(row) for row in table.rows.to_array().tolist()]
    assert len(rows) == 300
    assert len(set(rows)) == 300
    assert table.labels.tolist() == [RULES[make](row, size) for row in rows]
    assert 90 < table.labels.sum() < 210


def test_a_tie_of_an_even_number_of_variables_is_positive():
    table = majority(4)
    by_row = {tuple(row): label for row, label in zip(table.rows.to_array().tolist(), table.labels, strict=True)}
    assert by_row[0, 1, 1, 0] == 1
    assert by_row[0, 1, 0, 0] == 0
    assert table.target == "x1 + x2 + x3 + x4 >= 2"
    assert majority(5).target == "x1 + x2 + x3 + x4 + x5 >= 3"


def test_variables_are_named_in_order():
    assert parity(3).rows.names == ("x1", "x2", "x3")
    assert multiplexer(2).rows.names == ("a0", "a1", "d0", "d1", "d2", "d3")


def test_the_target_of_the_multiplexer_lists_one_term_per_address():
    assert multiplexer(2).target == "~a0 & ~a1 & d0 | ~a0 & a1 & d1 | a0 & ~a1 & d2 | a0 & a1 & d3"


@pytest.mark.parametrize("make", [parity, majority, multiplexer])
def test_a_seed_reproduces_its_rows_and_another_gives_others(make):
    first, again, other = (make(5, n_rows=200, seed=seed).rows.to_array() for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_all_rows_of_twenty_variables_are_given():
    assert parity(20).rows.n_rows == 2**20


@pytest.mark.parametrize(
    ("make", "size", "n_variables"), [(parity, 21, 21), (majority, 1000, 1000), (multiplexer, 5, 37)]
)
def test_too_many_rows_are_refused_and_random_ones_offered(make, size, n_variables):
    with pytest.raises(SettingError) as caught:
        make(size)
    assert f"2**{n_variables} rows" in str(caught.value)
    assert "n_rows=" in str(caught.value)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: parity(0), "n_variables=0"),
        (lambda: parity(2.5), "n_variables=2.5"),
        (lambda: majority(-3), "n_variables=-3"),
        (lambda: multiplexer(0), "n_address=0"),
        (lambda: multiplexer(17, n_rows=1), "n_address=17"),
        (lambda: parity(3, n_rows=0), "n_rows=0"),
        (lambda: majority(3, n_rows="many"), "n_rows='many'"),
        (lambda: parity(3, n_rows=2, seed=0.5), "seed=0.5"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, message):
    with pytest.raises(SettingError) as caught:
        call()
    assert message in str(caught.value)
