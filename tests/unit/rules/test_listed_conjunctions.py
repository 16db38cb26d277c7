"""Rules of a model that lists its conjunctions: the mask perceptron's."""

from __future__ import annotations

from fractions import Fraction

import pytest

from conjunct import MaskPerceptronClassifier
from conjunct.datasets import monks, tic_tac_toe
from conjunct.rules import conjunctions, explain, polynomial, score_table, to_dnf


@pytest.fixture(scope="module", params=[tic_tac_toe, lambda: monks(2)], ids=["tic-tac-toe", "monks-2"])
def learned(request):
    table = request.param()
    return MaskPerceptronClassifier(max_terms=8).fit(table.rows, table.labels), table


def test_its_rules_are_its_terms_the_heaviest_first(learned):
    machine, table = learned
    model = machine.model_
    rules = conjunctions(machine, table.rows, table.labels)
    assert rules.proved
    weights = [rule.weight for rule in rules.rules]
    assert sorted(weights) == sorted(model.unit * weight for weight in model.weights[0].tolist())
    assert list(map(abs, weights)) == sorted(map(abs, weights), reverse=True)
    assert [rule.weight for rule in conjunctions(machine, top=2).rules] == weights[:2]
    assert all(rule.size <= 1 for rule in conjunctions(machine, max_size=1).rules)


def test_explanations_and_the_polynomial_add_up_to_its_scores(learned):
    machine, table = learned
    terms = polynomial(machine)
    for number in range(0, table.rows.n_rows, 37):
        row = table.rows[number : number + 1]
        why = explain(machine, row)
        assert why.score == machine.model_.scores(row)[0][0]
        assert sum((rule.weight for rule in why.contributions.rules), why.remainder) == why.score
        assert sum((share.weight for share in why.shares), Fraction()) == why.score
        bits = dict(zip(table.rows.names, row.to_array()[0].tolist(), strict=True))
        assert terms.value(bits) == why.score


def test_formulas_and_score_tables_are_made_of_it(learned):
    machine, table = learned
    assert to_dnf(machine, table.rows, table.labels, max_terms=3).n_terms <= 3
    assert score_table(machine, table.rows, table.labels, 3).area > 0.5
