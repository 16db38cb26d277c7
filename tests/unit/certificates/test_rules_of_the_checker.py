"""The rules of the checker, one by one, against their definitions on sets of rows."""

import tracemalloc
from fractions import Fraction
from math import inf
from random import Random

import pytest

from conjunct.certificates import checker
from reference.plain_trees import PlainTable, PlainTrees, canonical_text, certificate_text
from reference.random_tables import random_table


def prover_of(table, folder, lemmas=()):
    """A prover about canonical rows, and the set of the checker for a set of row numbers."""
    certificate, rows = folder / "certificate", folder / "rows"
    certificate.write_text(certificate_text(table, 0))
    rows.write_text(canonical_text(table))
    header = checker.read_certificate(str(certificate))[0]
    read = checker.read_rows(str(rows), header)
    prover = checker.Prover(header, list(lemmas), read, (10**9, 10**9))
    order = sorted(range(len(read)), key=lambda i: (read[i][2], read[i][1], read[i][0]))
    return prover, lambda numbers: sum(1 << order.index(i) for i in numbers)


def drawn(seed, n):
    random = Random(seed)
    for _ in range(n):
        table = random_table(random, most_tests=4, most_rows=10)
        cells = sorted(set(table.rows))
        chosen = random.sample(cells, random.randint(1, len(cells)))  # equal rows stay together, as tests leave them
        rows = frozenset(i for i, row in enumerate(table.rows) if row in chosen)
        yield random, table, rows, PlainTrees(table)


@pytest.mark.parametrize("depth", [2, inf])
def test_one_leaf_or_two_and_the_bound_by_shape_are_those_of_the_definition(tmp_path, depth):
    for _, table, rows, trees in drawn(1, 150):
        if table.n_classes > 1:
            prover, set_of = prover_of(table, tmp_path)
            own, kind = set_of(rows), checker.ANY if depth == inf else 2
            splits = prover.splits(own)
            kinds = [prover.wrong] if prover.is_plain and kind == 2 else [prover.sizes, *prover.called]
            counts = checker.counter(kinds, splits)(own)
            assert prover.two_levels(own, counts, kind) == trees.two_levels(rows, depth) * table.leaf_cost


@pytest.mark.parametrize("depth", [0, 3])
def test_the_parts_of_a_split_cost_a_leaf_or_two_leaves_and_the_forced_errors(tmp_path, depth):
    n_splits = 0
    for _, table, rows, trees in drawn(4, 150):
        prover, set_of = prover_of(table, tmp_path)
        for split, *costs in prover.parts(set_of(rows), prover.splits(set_of(rows)), depth):
            passed = frozenset(i for i in rows if table.rows[i][split[0]] == "1")
            for part, cost in zip((passed, rows - passed), costs, strict=True):
                leaf = trees.leaf(part)
                assert cost == table.leaf_cost * (min(leaf, 2 + trees.forced(part)) if depth else leaf)
            n_splits += 1
    assert n_splits > 100


def test_the_two_parts_of_every_split_have_the_least_errors_of_two_levels(tmp_path):
    n_plain = 0
    for _, table, rows, _ in drawn(2, 120):
        prover, set_of = prover_of(table, tmp_path)
        if prover.is_plain:
            own = set_of(rows)
            splits = prover.splits(own)
            parts = [[prover.least_errors(part, 2) for part in (one, own ^ one)] for _, one in splits]
            assert prover.both_parts(own, splits) == parts
            n_plain += bool(splits)
    assert n_plain > 15


def test_a_hint_is_worth_its_value_less_what_the_other_rows_cost_at_most(tmp_path):
    n_hints = 0
    for random, table, rows, trees in drawn(3, 150):
        value = 10**6 * table.leaf_cost
        lemma = checker.Lemma("E", 2, value, (random.randrange(2),) if random.random() < 0.7 else (), {})
        reached = [i for i, row in enumerate(table.rows) if all(row[:1] == str(side) for side in lemma.path)]
        if reached and table.n_tests:
            prover, set_of = prover_of(table, tmp_path, [lemma])
            lost = sum((max(table.penalties[i]) for i in reached if i not in rows), Fraction())
            worth = value - lost * table.leaf_cost
            least = int(trees.known(rows, 2) * table.leaf_cost)
            hinting = checker.Lemma("N", 3, 2, (), {5: 0})
            known = prover.known_cost(1, hinting, 5, set_of(rows), least)
            assert known == max(worth, least) or set_of(rows) == prover.row_sets[0]
            n_hints += lost > 0
    assert n_hints > 30


def test_each_part_of_a_split_takes_the_hint_of_its_literal(tmp_path, monkeypatch):
    table = PlainTable(tuple(f"{k:03b}" for k in range(8)), tuple(k.bit_count() % 2 for k in range(8)))
    prover, _ = prover_of(table, tmp_path)
    lemma = checker.Lemma("N", 3, 2, (), {literal: 100 + literal for literal in range(6)})
    asked = []
    monkeypatch.setattr(prover, "known_cost", lambda *own: asked.append(own[2:]) or 1)
    splits = prover.splits(prover.all_rows)
    assert prover.cheaper_by_lemmas(7, lemma, prover.all_rows, splits) is None
    sides = [((2 * test + 1, one, 2), (2 * test, prover.all_rows ^ one, 2)) for test, one in splits]
    assert asked == [part for pair in sides for part in pair]


def test_a_lemma_that_is_later_or_less_deep_is_not_known(tmp_path):
    table = PlainTable(("00", "01", "10", "11"), (0, 1, 1, 0), price=Fraction(3))
    lemmas = [checker.Lemma("E", depth, 50 + depth, (0,), {}) for depth in (1, 2, 3)]
    prover, _ = prover_of(table, tmp_path, lemmas)
    part = prover.row_sets[0]

    def known(number, depth):
        return prover.known_cost(number, checker.Lemma("N", depth + 1, 2, (), {}), 0, part, 3)

    assert [known(number, 2) for number in (1, 2, 3)] == [3, 52, 53]
    assert [known(number, 0) for number in (0, 1)] == [3, 51]
    assert known(3, 4) == 3


def test_what_is_not_proved_names_the_first_test_by_forty_letters(tmp_path):
    table = PlainTable(("00", "01", "10", "11"), (0, 1, 1, 0), price=Fraction(3), names=("n" * 50, "m"))
    prover, _ = prover_of(table, tmp_path, [checker.Lemma("E", 2, 5, (), {})])
    prover.header["tests"] = [[*test, 0, "=", "value"] for test in prover.header["tests"]]
    with pytest.raises(checker.CheckError) as caught:
        prover.prove(0)
    name = "n" * 40
    assert caught.value.args[1] == f"lemma 0 is not proved: a tree that tests '{name}' first may cost less"


def test_more_than_three_leaves_cost_four_and_the_forced_errors(tmp_path):
    table = PlainTable(
        tuple(f"{k:03b}" for k in range(8)), tuple(k.bit_count() % 2 for k in range(8)), price=Fraction(10)
    )
    prover, _ = prover_of(table, tmp_path)
    splits = prover.splits(prover.all_rows)
    counts = checker.counter([prover.sizes, *prover.called], splits)(prover.all_rows)
    assert prover.two_levels(prover.all_rows, counts, checker.ANY) == 4


def test_below_the_last_test_of_a_tree_there_are_only_leaves(tmp_path):
    table = PlainTable(("00", "01", "10", "11"), (0, 1, 1, 0), price=Fraction(3))
    lemmas = [checker.Lemma("N", 1, 7, (), {}), checker.Lemma("N", 2, 7, (), {})]
    prover, _ = prover_of(table, tmp_path, lemmas)
    prover.prove(0)
    with pytest.raises(checker.CheckError, match="lemma 1 is not proved"):
        prover.prove(1)


def test_a_lemma_about_one_test_takes_no_pairs_even_where_it_is_wrong(tmp_path):
    table = PlainTable(("0", "0", "1", "1"), (0, 0, 1, 1), price=Fraction(3))
    prover, _ = prover_of(table, tmp_path, [checker.Lemma("E", 1, 3, (), {})])
    prover.most_work = (0, 0)
    with pytest.raises(checker.CheckError, match="lemma 0 is not proved"):
        prover.prove(0)


@pytest.mark.parametrize("depth", [1, 2, inf])
def test_pair_counts_prove_the_two_parts_of_the_best_split_and_no_more(tmp_path, depth):
    for _, table, _, trees in drawn(5, 150):
        if table.n_classes > 1:
            bounds = [trees.leaf(trees.all_rows)]
            for _, *parts in trees.splits(trees.all_rows):
                bounds.append(sum(trees.leaf(own) if depth == 1 else trees.two_levels(own, depth) for own in parts))
            kind, value = checker.ANY if depth == inf else depth, int(min(bounds) * table.leaf_cost)
            prover, _ = prover_of(table, tmp_path, [checker.Lemma("E", kind, value + k, (), {}) for k in (0, 1)])
            prover.prove(0)
            with pytest.raises(checker.CheckError, match="lemma 1 is not proved"):
                prover.prove(1)


def test_many_different_rows_take_little_memory() -> None:
    rows = [(f"{number:016b}", number % 2, Fraction(1)) for number in range(40_000)]
    names = [[f"x{k}"] for k in range(16)]
    header = {"classes": ["0", "1"], "min_samples_leaf": 1, "price": "1", "cost_matrix": None, "tests": names}
    tracemalloc.start()
    prover = checker.Prover(header, [], rows, (0, 0))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert prover.errors(prover.all_rows) == 20_000
    assert most < 40_000_000  # a set of all rows for each of them takes 100 MB
