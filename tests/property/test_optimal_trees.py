"""The search for the cheapest tree against its definition, and its lemmas against a naive reader."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conjunct import BitMatrix
from conjunct.bits import random_below, random_bits, random_permutation
from conjunct.certificates.checker import check
from conjunct.search import TreeProblem, search_tree
from conjunct.theory import cheapest_tree, tree_cost
from reference.plain_trees import PlainTable, write_certificate
from reference.tree_lemmas import ANY, LemmaReader, RefusedError
from strategies import seeded, tree_problems


def read_all(problem, found):
    """Check the lemmas of a result, and that the last one is what the result says."""
    reader = LemmaReader(
        problem.tests.to_array(),
        problem.penalties,
        problem.removals,
        problem.sizes,
        problem.leaf_cost,
        problem.min_samples_leaf,
    )
    for line in found.lemmas.lines():
        reader.read(line)
    assert len(reader.lemmas) == len(found.lemmas)
    assert reader.n_splits == found.n_splits
    assert reader.n_pairs <= found.n_pairs  # of parts that their whole's counts prove, equal splits are counted again
    cells = frozenset(range(problem.tests.n_rows))
    if reader.lemmas:
        assert reader.lemmas[-1][0] == cells
        assert reader.lemmas[-1][1] >= (ANY if problem.max_depth is None else min(problem.max_depth, ANY))
        assert reader.lemmas[-1][2] == found.lower
    else:
        assert found.lower == (reader.leaf(cells) if problem.max_depth == 0 else reader.trivial(cells))


@settings(seeded, max_examples=400)
@given(tree_problems())
def test_the_cheapest_tree_is_found_and_its_lemmas_hold(problem):
    found = search_tree(problem)
    rows, penalties = problem.tests.to_array().tolist(), problem.penalties.tolist()
    truth, _ = cheapest_tree(
        rows, penalties, problem.leaf_cost, problem.max_depth, problem.sizes.tolist(), problem.min_samples_leaf
    )
    assert (found.lower, found.upper, found.stopped_by) == (truth, truth, "closed")
    assert tree_cost(found.tree, rows, penalties, problem.leaf_cost) == truth
    read_all(problem, found)


@pytest.mark.parametrize("seed", range(24))
def test_functions_of_six_tests_whose_proofs_need_splits_and_similar_rows(seed):
    rows = np.array([[number >> j & 1 for j in range(6)] for number in range(64)])
    rows = rows[random_permutation(seed, 64)[: 24 + 8 * (seed % 6)]]
    labels = (random_bits(seed, len(rows)) | rows[:, 0]) if seed % 2 else random_bits(seed, len(rows)) & rows[:, 1]
    counts = 1 + random_below(seed, 3, len(rows)) * (seed % 3 == 0)
    price, depth = (1, 3)[seed % 5 > 2], (3, 4, None, None)[seed % 4]
    penalties = price * counts[:, None] * np.stack([labels, 1 - labels], axis=1).astype(np.int64)
    problem = TreeProblem(BitMatrix.of(rows), penalties, price * counts, counts, 1, depth)
    found = search_tree(problem)
    truth, _ = cheapest_tree(rows.tolist(), penalties.tolist(), 1, depth)
    assert (found.lower, found.upper) == (truth, truth)
    assert tree_cost(found.tree, rows.tolist(), penalties.tolist(), 1) == truth
    read_all(problem, found)


@pytest.mark.parametrize("is_weighted", [False, True])
@pytest.mark.parametrize("depth", [4, None])
def test_tests_that_are_nearly_alike_lend_each_other_their_lemmas(depth, is_weighted):
    table = random_bits(7, (90, 6))
    noise = random_below(8, 12, 450).reshape(90, 5) == 0
    rows = np.concatenate([table[:, 1:], table[:, 1:] ^ noise], axis=1)
    cells = BitMatrix.of(rows).pool((table[:, 1] & table[:, 2]) ^ (table[:, 0] & table[:, 3]))
    sizes = 1 + random_below(9, 2, cells.rows.n_rows) * is_weighted
    penalties = sizes[:, None] * np.eye(2, dtype=np.int64)[cells.counts.argmin(axis=1)]
    problem = TreeProblem(cells.rows, penalties, sizes, sizes, 1, depth)
    found = search_tree(problem)
    assert found.stats["n_similar_hits"] > 5
    assert b" | " in found.lemmas.text
    truth, _ = cheapest_tree(cells.rows.to_array().tolist(), problem.penalties.tolist(), 1, depth)
    assert (found.lower, found.upper) == (truth, truth)
    read_all(problem, found)


@pytest.mark.parametrize("least_rows", [1, 3])
@pytest.mark.parametrize("most_weight", [1, 2**10, 2**40])
@pytest.mark.parametrize("depth", [3, 4, None])
def test_pairs_of_a_part_are_those_of_the_whole_less_those_of_the_other_part(
    depth, most_weight, least_rows, monkeypatch
):
    rows = random_bits(11, (160, 9))
    rows[:, 7:] &= rows[:, :2]  # columns that a part loses
    labels = (rows[:, 0] & rows[:, 3]) ^ (random_below(12, 9, 160) == 0)
    cells = BitMatrix.of(rows).pool(labels)
    weights = cells.counts * (1 + random_below(13, most_weight, cells.counts.size).reshape(cells.counts.shape))
    sizes, penalties = cells.counts.sum(axis=1), np.ascontiguousarray(weights[:, ::-1])
    leaf_cost = int(2 * weights.mean())
    problem = TreeProblem(cells.rows, penalties, penalties.max(axis=1), sizes, leaf_cost, depth, least_rows)
    texts, n_rests = set(), []
    for words in (0, 2**40):
        monkeypatch.setattr("conjunct.search.optimal_trees.REST_WORDS", words)
        found = search_tree(problem)
        texts.add((found.lemmas.text, found.tree))
        n_rests.append(found.stats["n_rests"])
    assert len(texts) == 1
    assert n_rests[0] > 5 > n_rests[1] == 0


@settings(seeded, max_examples=100)
@given(tree_problems(), st.integers(1, 12))
def test_what_a_stopped_search_says_is_proved(problem, max_nodes):
    found = search_tree(problem, max_nodes=max_nodes)
    rows, penalties = problem.tests.to_array().tolist(), problem.penalties.tolist()
    truth, _ = cheapest_tree(
        rows, penalties, problem.leaf_cost, problem.max_depth, problem.sizes.tolist(), problem.min_samples_leaf
    )
    assert found.lower <= truth <= found.upper
    assert (found.stopped_by == "closed") == (found.lower == found.upper)
    assert tree_cost(found.tree, rows, penalties, problem.leaf_cost) == found.upper
    read_all(problem, found)


@settings(seeded, max_examples=60)
@given(st.data())
def test_the_checker_of_certificates_accepts_every_list(data):
    n_tests = data.draw(st.integers(1, 5))
    n_classes = data.draw(st.integers(2, 3))
    rows = data.draw(st.lists(st.integers(0, 2**n_tests - 1), min_size=2, max_size=20))
    labels = [data.draw(st.integers(0, n_classes - 1)) for _ in rows]
    price = data.draw(st.sampled_from([Fraction(1), Fraction(1, 4), Fraction(3, 2), Fraction(8)]))
    costs = data.draw(st.none() | st.lists(st.sampled_from([Fraction(1), Fraction(5, 3)]), min_size=20, max_size=20))
    depth = data.draw(st.none() | st.integers(0, n_tests))
    table = PlainTable(
        tuple(f"{row:0{n_tests}b}" for row in rows),
        tuple(labels),
        n_classes,
        price,
        None if costs is None else tuple(costs[: len(rows)]),
        None,
        data.draw(st.sampled_from([1, 1, 3])),
    )
    whole = [[int(cost * table.leaf_cost) for cost in line] for line in table.penalties]
    cells = sorted(set(table.rows))
    members = [[i for i, row in enumerate(table.rows) if row == cell] for cell in cells]
    problem = TreeProblem(
        BitMatrix.of(cells),
        np.array([[sum(whole[i][k] for i in cell) for k in range(n_classes)] for cell in members]),
        np.array([sum(max(whole[i]) for i in cell) for cell in members]),
        np.array([len(cell) for cell in members]),
        table.leaf_cost,
        depth,
        table.least_rows,
    )
    found = search_tree(problem, max_nodes=data.draw(st.sampled_from([3, 10**6])))
    ratio = {"lower": Fraction(found.lower, table.leaf_cost), "upper": Fraction(found.upper, table.leaf_cost)}
    with TemporaryDirectory() as folder:
        certificate, canonical = write_certificate(table, depth, Path(folder))
        header = json.loads(certificate.read_text().splitlines()[0])
        header |= {name: str(value) for name, value in ratio.items()} | {"witness": list(found.tree)}
        end = f"end {len(found.lemmas)} {found.n_pairs} {found.n_splits}"
        lines = [json.dumps(header, separators=(",", ":")), *found.lemmas.lines(), end]
        certificate.write_text("\n".join(lines) + "\n")
        verdict = check(str(certificate), str(canonical))
    assert (verdict.lower, verdict.upper, verdict.n_lemmas) == (*ratio.values(), len(found.lemmas))


def test_the_reader_of_lemmas_refuses_what_is_raised_or_redirected():
    rows = BitMatrix.of(np.array([[i >> j & 1 for j in range(5)] for i in range(32)]))
    labels = np.array([bin(i & 0b11010).count("1") % 2 for i in range(32)])
    penalties = np.stack([labels, 1 - labels], axis=1) * 3
    ones = np.ones(32, np.int64)
    problem = TreeProblem(rows, penalties, 3 * ones, ones, 1, None)
    found = search_tree(problem)
    assert found.lower == 8
    lines = list(found.lemmas.lines())
    for i, line in enumerate(lines):
        reader = LemmaReader(rows.to_array(), penalties, 3 * ones, ones, 1, 1)
        for before in lines[:i]:
            reader.read(before)
        kind, depth, value, *rest = line.split(" ")
        with pytest.raises(RefusedError):
            reader.read(" ".join([kind, depth, str(int(value) + 1), *rest]))
