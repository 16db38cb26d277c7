"""Halving, elimination and the shortest conjunction do what their definitions say."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conjunct.errors import RowError
from conjunct.exact.set_cover import smallest_cover
from conjunct.learners import Elimination, Halving, shortest_conjunction
from conjunct.logic.dnf import DNF
from conjunct.logic.literal import Literal
from conjunct.logic.term import Term
from conjunct.theory import run_elimination, run_halving
from strategies import seeded, tables


@dataclass(frozen=True)
class RowByRow:
    """A formula evaluated one row at a time."""

    formula: DNF

    def evaluate(self, rows):
        values = rows.to_array().tolist()
        return np.array([self.formula.value(dict(zip(rows.names, row, strict=True))) for row in values], bool)


@st.composite
def formulas(draw, n):
    literals = st.builds(Literal, st.sampled_from([f"x{v + 1}" for v in range(n)]), st.booleans())
    return DNF(draw(st.lists(st.builds(Term, st.lists(literals, max_size=3)), max_size=3)))


@st.composite
def labelled_tables(draw, n=4, max_rows=12):
    table = draw(tables(n, max_rows=max_rows))
    labels = draw(st.lists(st.sampled_from([1, -1]), min_size=len(table), max_size=len(table)))
    return table, labels


def sets_of(table):
    return [frozenset(np.flatnonzero(row).tolist()) for row in table]


def signed(formula, n):
    return lambda active: 1 if formula.value({f"x{v + 1}": v in active for v in range(n)}) else -1


@seeded
@given(labelled_tables(), st.lists(formulas(4), min_size=1, max_size=9))
def test_halving_does_what_its_definition_says(examples, concepts):
    table, labels = examples
    run = Halving([RowByRow(each) for each in concepts]).run(table, labels)
    wanted = run_halving([signed(each, 4) for each in concepts], zip(sets_of(table), labels, strict=True))
    assert run.updates == wanted.updates
    assert run.n_steps == wanted.n_steps
    assert run.survivors == tuple(k for k in range(len(concepts)) if k not in wanted.weights)
    assert [each.formula for each in run.concepts] == [concepts[k] for k in run.survivors]
    assert (run.misfit is None) == run.is_consistent


@seeded
@given(labelled_tables(5, 20))
def test_elimination_over_variables_does_what_its_definition_says(examples):
    table, labels = examples
    run = Elimination().run(table, labels)
    wanted = run_elimination(zip(sets_of(table), labels, strict=True), range(5))
    assert [(u.step, u.label, u.score, u.is_mistake) for u in run.transcript] == [
        (u.step, u.label, u.score, u.is_mistake) for u in wanted.updates
    ]
    assert run.formula == DNF(Term([Literal(f"x{v + 1}")]) for v in range(5) if v not in wanted.weights)


@seeded
@given(labelled_tables(4, 20))
def test_elimination_over_literals_does_what_its_definition_says(examples):
    table, labels = examples
    run = Elimination(over_literals=True).run(table, labels)
    rows = [frozenset(enumerate(row)) for row in table.tolist()]
    literals = [(v, value) for v in range(4) for value in (0, 1)]
    wanted = run_elimination(zip(rows, labels, strict=True), literals)
    assert [(u.step, u.label, u.score) for u in run.transcript] == [(u.step, u.label, u.score) for u in wanted.updates]
    left = [literal for literal in literals if literal not in wanted.weights]
    assert run.formula == DNF(Term([Literal(f"x{v + 1}", value == 1)]) for v, value in left)
    falsely_negative = [u.index for u in wanted.updates if u.label > 0]
    assert run.misfit == (falsely_negative[0] if falsely_negative else None)


def fits(literals, table, labels):
    return all(all(row[v] == value for v, value in literals) == (y > 0) for row, y in zip(table, labels, strict=True))


def brute_force(table, labels):
    """The length of the shortest conjunction with these labels; None if none has them."""
    n = len(table[0])
    literals = [(v, value) for v in range(n) for value in (0, 1)]
    choices = chain.from_iterable(combinations(literals, size) for size in range(2 * n + 1))
    return next((len(choice) for choice in choices if fits(choice, table, labels)), None)


@seeded
@given(labelled_tables(5, 9), st.sampled_from([0, 1, 20, 10**6]), st.integers(0, 31))
def test_the_shortest_conjunction_is_as_short_as_brute_force_finds(examples, budget, positive):
    table, labels = examples
    labels = [1 if sum(int(b) << v for v, b in enumerate(row)) & positive == positive else -1 for row in table]
    truth = brute_force(table.tolist(), labels)
    assert truth is not None
    found = shortest_conjunction(table, labels, budget=budget)
    assert found.lower_bound <= truth <= found.term.size
    assert found.term.size <= (1 + np.log(max(1, found.n_negatives))) * truth
    assert found.is_minimal or budget < 10**6
    chosen = [(int(each.variable[1:]) - 1, int(each.is_positive)) for each in found.term.literals]
    assert fits(chosen, table.tolist(), labels)


@seeded
@given(labelled_tables(3, 8))
def test_labels_of_no_conjunction_are_refused_by_a_row_that_shows_it(examples):
    table, labels = examples
    truth = brute_force(table.tolist(), labels)
    if truth is not None:
        assert shortest_conjunction(table, labels).term.size == truth
        return
    with pytest.raises(RowError) as caught:
        shortest_conjunction(table, labels)
    positives = [row for row, y in zip(table.tolist(), labels, strict=True) if y > 0]
    always = [(v, value) for v in range(3) for value in (0, 1) if all(row[v] == value for row in positives)]
    witness = table[caught.value.row].tolist()
    assert labels[caught.value.row] == -1
    assert all(witness[v] == value for v, value in always)


@st.composite
def covers(draw):
    n_sets, n_elements = draw(st.integers(1, 7)), draw(st.integers(1, 9))
    rows = draw(st.lists(st.integers(0, 2**n_elements - 1), min_size=n_sets, max_size=n_sets))
    holds = np.array([[row >> e & 1 for e in range(n_elements)] for row in rows], bool)
    holds[draw(st.integers(0, n_sets - 1)), ~holds.any(axis=0)] = True
    return holds


@seeded
@given(covers(), st.sampled_from([0, 5, 30, 100, 10**6]))
def test_a_smallest_cover_is_as_small_as_brute_force_finds(holds, budget):
    choices = chain.from_iterable(combinations(range(len(holds)), size) for size in range(len(holds) + 1))
    truth = next(len(choice) for choice in choices if holds[list(choice)].any(axis=0).all())
    cover = smallest_cover(holds, budget)
    assert holds[list(cover.chosen)].any(axis=0).all()
    assert cover.lower_bound <= truth <= len(cover.chosen)
    assert cover.is_minimal or budget < 10**6


@seeded
@given(labelled_tables(), st.lists(formulas(4), min_size=1, max_size=9))
def test_halving_over_formulas_is_halving_over_their_values_row_by_row(examples, concepts):
    table, labels = examples
    run, slow = Halving(concepts).run(table, labels), Halving([RowByRow(each) for each in concepts]).run(table, labels)
    assert run.updates == slow.updates
    assert run.survivors == slow.survivors
    assert run.choices(table).tolist() == slow.choices(table).tolist()
