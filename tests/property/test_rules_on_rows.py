from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conjunct import BitMatrix
from conjunct.bits import bit_matrix, random_below, random_bits
from conjunct.logic.dnf import DNF
from conjunct.logic.literal import Literal
from conjunct.logic.term import Term
from strategies import seeded, tables

WIDTHS = (1, 7, 63, 64, 65, 130, 1000)
HEIGHTS = (0, 1, 63, 64, 65, 255, 256, 257, 1000)


def labels_by_the_definition(table, rules, labels, default):
    """Try the rules one after the other on whole columns of a dense table."""
    decided, is_open = np.full(len(table), default), np.ones(len(table), bool)
    for codes, label in zip(rules, labels, strict=True):
        holds = is_open.copy()
        for code in codes:
            holds &= table[:, code // 2] != code % 2
        decided[holds] = label
        is_open &= ~holds
    return decided


def decide(rows, rules, labels, default):
    starts = np.cumsum([0, *map(len, rules)], dtype=np.int64)
    return rows.decide(starts, np.array([code for codes in rules for code in codes], np.int32), labels, default)


def random_rules(seed, n_variables, n_rules):
    sizes = random_below(seed, 6, n_rules).tolist()
    return [random_below(100 * seed + t, 2 * n_variables, size).tolist() for t, size in enumerate(sizes)]


@pytest.mark.parametrize("n_rows", HEIGHTS)
@pytest.mark.parametrize("n_variables", WIDTHS)
def test_rules_decide_as_the_definition_at_every_shape(n_variables, n_rows):
    table = random_bits(n_variables, (n_rows, n_variables))
    rows = BitMatrix.of(table)
    for seed, n_rules in enumerate((0, 1, 2, 5, 40)):
        rules = random_rules(seed, n_variables, n_rules)
        rules = [codes or [0] for codes in rules[:-1]] + rules[-1:]  # the empty one, which always holds, at most last
        labels = random_below(seed, 2, n_rules).astype(bool)
        for default in (False, True):
            found = decide(rows, rules, labels, default)
            assert found.dtype == bool
            assert np.array_equal(found, labels_by_the_definition(table, rules, labels, default))


@seeded
@given(st.data(), tables(min_rows=0, max_rows=70), st.booleans())
def test_any_rules_decide_as_the_definition(data, table, default):
    codes = st.integers(0, 2 * table.shape[1] - 1)
    rules = data.draw(st.lists(st.lists(codes, max_size=20), max_size=8))
    labels = np.array(data.draw(st.lists(st.booleans(), min_size=len(rules), max_size=len(rules))), bool)
    found = decide(BitMatrix.of(table), rules, labels, default)
    assert np.array_equal(found, labels_by_the_definition(table, rules, labels, default))


def test_the_empty_rule_holds_on_every_row_and_a_contradiction_on_none():
    rows = BitMatrix.of(random_bits(1, (300, 70)))
    assert decide(rows, [[]], [True], False).all()
    assert not decide(rows, [[138, 139]], [True], False).any()
    assert not decide(rows, [[138, 139], [], [0]], [True, False, True], True).any()


def test_threads_and_blocks_do_not_change_an_answer(monkeypatch):
    table = random_bits(3, (3000, 130))
    rows, rules = BitMatrix.of(table), [codes or [1] for codes in random_rules(7, 130, 30)]
    work = partial(decide, rows, rules, np.arange(30) % 2 == 0, False)
    weights = random_below(5, 1000, 130) - 500
    expected, sums = work(), rows.weighted_sums(weights)
    assert np.array_equal(expected, labels_by_the_definition(table, rules, np.arange(30) % 2 == 0, False))
    monkeypatch.setattr(bit_matrix, "OPERATIONS_PER_CALL", 1)
    monkeypatch.setattr(bit_matrix, "WORDS_PER_CALL", 1)
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("CONJUNCT_THREADS", threads)
        assert np.array_equal(work(), expected)
        assert np.array_equal(rows.weighted_sums(weights), sums)


@pytest.mark.parametrize("n_rows", HEIGHTS)
@pytest.mark.parametrize("n_variables", WIDTHS)
def test_weighted_sums_are_the_product_with_the_weights(n_variables, n_rows):
    table = random_bits(n_variables, (n_rows, n_variables))
    for limit in (3, 2**50):
        weights = random_below(n_rows, 2 * limit, n_variables).astype(np.int64) - limit
        assert np.array_equal(BitMatrix.of(table).weighted_sums(weights), table.astype(np.int64) @ weights)


def test_weights_just_below_the_limit_are_added_exactly():
    rows = BitMatrix.of(["11", "10", "01"])
    big = 2**61
    assert rows.weighted_sums([big, big - 1]).tolist() == [2**62 - 1, big, big - 1]
    assert rows.weighted_sums([-big, 1 - big]).tolist() == [1 - 2**62, -big, 1 - big]


@seeded
@given(st.data(), tables(n_variables=12, max_rows=20))
def test_a_dnf_is_evaluated_in_bulk_as_row_by_row(data, table):
    names = [f"x{v + 1}" for v in range(12)]
    literals = st.builds(Literal, st.sampled_from(names), st.booleans())
    formula = DNF(data.draw(st.lists(st.builds(Term, st.lists(literals, max_size=4)), max_size=5)))
    expected = [formula.value(dict(zip(names, row, strict=True))) for row in table.tolist()]
    assert formula.evaluate(BitMatrix.of(table)).tolist() == expected
