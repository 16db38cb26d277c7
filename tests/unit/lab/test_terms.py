from __future__ import annotations

from math import comb

import pytest

from conjunct.bits import BitMatrix
from conjunct.datasets.all_rows import all_rows
from conjunct.lab.terms import random_terms, rows_of_terms
from conjunct.logic import Term


@pytest.mark.parametrize(("n", "k"), [(1, 1), (4, 1), (4, 2), (5, 3), (11, 2)])
def test_rows_have_the_value_of_every_term_under_its_name(n: int, k: int) -> None:
    rows = BitMatrix.of(all_rows(n))
    found = rows_of_terms(rows, k)
    terms = [Term.parse(name) for name in found.names]
    assert [str(term) for term in terms] == list(found.names)
    assert len(set(terms)) == found.n_variables == sum(comb(n, size) * 2**size for size in range(1, k + 1))
    for row, values in list(zip(rows.to_array(), found.to_array(), strict=True))[:: max(1, 2**n // 32)]:
        named = dict(zip(rows.names, row.tolist(), strict=True))
        assert values.tolist() == [term.value(named) for term in terms]


def test_terms_are_different_and_of_the_sizes_asked_for() -> None:
    drawn = random_terms(3, 6, 40, least=1, most=3)
    assert len(set(drawn)) == 40
    assert {each.size for each in drawn} == {1, 2, 3}
    assert not any(each.is_contradictory for each in drawn)
    assert {each.size for each in random_terms(3, 6, 20, least=2, most=2)} == {2}
    assert random_terms(3, 6, 5, least=1, most=3) == drawn[:5] != random_terms(4, 6, 5, least=1, most=3)
