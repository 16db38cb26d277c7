"""The checker of certificates: its lines are those of tables, its bounds are below every tree."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conjunct.certificates import checker
from conjunct.errors import ConjunctError
from conjunct.tables.records import records
from reference.plain_trees import PlainTrees, canonical_text, certificate_text
from reference.random_tables import random_table
from reference.tampering import outcome
from strategies import seeded


@seeded
@given(st.text(st.sampled_from('ab"" \t,;|\u00a0'), max_size=12), st.sampled_from(",;|\t "))
def test_a_line_is_split_as_tables_define_or_refused_for_its_quotes(line, delimiter):
    try:
        expected = next((entries for _, entries in records("table", [(1, line)], delimiter)), [])
    except ConjunctError:
        with pytest.raises(checker.CheckError, match="quotes that are not read here"):
            checker.split_line(line, delimiter, 1)
        return
    if '"' in line and delimiter == " ":
        with pytest.raises(checker.CheckError, match="line 7: quotes"):
            checker.split_line(line, delimiter, 7)
        return
    assert checker.split_line(line, delimiter, 1) == expected


def random_tree(random, trees, rows, depth):
    """Draw a tree; return what it costs."""
    splits = trees.splits(rows) if depth else []
    if not splits or random.random() < 0.2:
        label = random.randrange(trees.table.n_classes)
        return 1 + sum((trees.table.penalties[i][label] for i in rows), Fraction())
    _, one, rest = random.choice(splits)
    return random_tree(random, trees, one, depth - 1) + random_tree(random, trees, rest, depth - 1)


@seeded
@given(st.randoms(use_true_random=False).map(lambda random: random.random()), st.sampled_from([None, 1, 2, 3, 4]))
def test_no_tree_costs_less_than_the_bound_of_a_certificate(seed, depth):
    random = Random(seed)
    table = random_table(random, most_tests=6, most_rows=14)
    files = certificate_text(table, depth, with_chains=seed < 0.5).encode(), canonical_text(table).encode()
    code, verdict = outcome(checker, files)
    assert code == 0
    trees = PlainTrees(table)
    for _ in range(20):
        cost = random_tree(random, trees, trees.all_rows, table.n_tests if depth is None else depth)
        assert verdict.lower <= cost
