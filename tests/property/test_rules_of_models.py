"""What rules say of a model is what its definition says, whatever the kernel."""

from fractions import Fraction
from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from conjunct import BitMatrix, theory
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
from conjunct.kernels.costs import cost_function
from conjunct.models import KernelExpansion
from conjunct.rules import conjunctions, explain, polynomial
from conjunct.rules.named_model import NamedModel
from strategies import agreement_kernels, positive_ratios, seeded, tables


@st.composite
def expansions(draw, max_outputs=1):
    """Expansions over at most five variables, so that all conjunctions can be looked at."""
    rows = np.unique(draw(tables(draw(st.integers(1, 5)))), axis=0)
    n_outputs = draw(st.integers(1, max_outputs))
    numbers = st.lists(st.integers(-9, 9), min_size=len(rows), max_size=len(rows))
    weights = np.array([draw(numbers) for _ in range(n_outputs)])
    kernel = draw(agreement_kernels(max_size=5))
    return KernelExpansion(kernel, BitMatrix.of(rows), weights, draw(positive_ratios()), Fraction(0))


def all_weights(model, output=0):
    """Every conjunction of a model, by definition."""
    n = model.rows.n_variables
    cost = cost_function(model.kernel.exact_costs)
    sizes = range(n + 1 if model.kernel.largest_size is None else model.kernel.largest_size + 1)
    weights = theory.conjunction_weights(
        model.rows.to_array().tolist(),
        model.weights[output].tolist(),
        max(sizes),
        positive=isinstance(model.kernel, MonotoneConjunctions),
        costs=None if cost is None else [cost(size) for size in sizes],
    )
    return {own: model.unit * weight for own, weight in weights.items() if weight}


def numbered(literals):
    """The literals of a rule over x1, x2, ... as theory numbers them."""
    return tuple(2 * (int(literal.variable[1:]) - 1) + literal.is_positive for literal in literals)


def listed(rules):
    return [(numbered(rule.literals), rule.weight) for rule in rules]


@seeded
@given(expansions(max_outputs=3))
def test_the_polynomial_is_the_score_of_every_row(model):
    n = model.rows.n_variables
    every_row = BitMatrix.of(list(product([0, 1], repeat=n)))
    scores = model.scores(every_row)
    for output in range(model.n_outputs):
        found = polynomial(model, label=None if model.n_outputs == 1 else output)
        coefficients = {numbered(term.literals): weight for term, weight in found.coefficients}
        assert coefficients == all_weights(model, output)
        for row, own in zip(every_row.to_array().tolist(), scores, strict=True):
            assert found.value({f"x{j + 1}": bit for j, bit in enumerate(row)}) == own[output]


@seeded
@given(expansions(max_outputs=2), st.integers(1, 12), st.none() | positive_ratios())
def test_the_heaviest_conjunctions_are_those_of_the_definition(model, top, min_weight):
    table = conjunctions(model, top=top, min_weight=min_weight, distinct=False)
    expected = [
        own
        for output in range(model.n_outputs)
        for own in theory.heaviest_conjunctions(all_weights(model, output), top=top, min_weight=min_weight or 0)
    ]
    assert listed(table.rules) == expected
    assert table.proved
    assert all(rule.proved for rule in table.rules)


@seeded
@given(expansions(), st.integers(1, 12))
def test_of_conjunctions_on_the_same_rows_the_first_is_listed(model, top):
    rows, first = model.rows.to_array().tolist(), {}
    for literals, weight in theory.heaviest_conjunctions(all_weights(model)):
        holding = tuple(all(row[own // 2] == own % 2 for own in literals) for row in rows)
        first.setdefault(holding, (literals, weight))
    assert listed(conjunctions(model, top=top).rules) == list(first.values())[:top]


@seeded
@given(st.data(), st.integers(1, 12))
def test_of_readable_conjunctions_on_the_same_rows_the_first_is_listed_whatever_the_costs(data, top):
    people = st.tuples(st.integers(0, 3), st.sampled_from("abc"))
    rows = [
        [age <= 0, age <= 1, age <= 2, sky == "a", sky == "b", sky == "c"]
        for age, sky in data.draw(st.sets(people, min_size=1))
    ]
    names = ["age<=0", "age<=1", "age<=2", "sky=a", "sky=b", "sky=c"]
    numbers = data.draw(st.lists(st.integers(-9, 9), min_size=len(rows), max_size=len(rows)))
    kernel = Conjunctions(data.draw(st.integers(1, 4)), costs=Geometric(data.draw(positive_ratios())))
    model = KernelExpansion(kernel, BitMatrix.of(rows, names), np.array([numbers]), Fraction(1), Fraction(0))
    reader, first = NamedModel.of(model).reader, {}
    for literals, weight in theory.heaviest_conjunctions(all_weights(model)):
        if not reader.is_redundant(literals):
            first.setdefault(
                tuple(all(row[own // 2] == own % 2 for own in literals) for row in rows), (literals, weight)
            )
    table = conjunctions(model, top=top)
    found = [
        (tuple(2 * names.index(own.variable) + own.is_positive for own in rule.literals), rule.weight)
        for rule in table.rules
    ]
    assert (found, table.proved) == (list(first.values())[:top], True)


@seeded
@given(expansions(), st.integers(1, 8), st.integers(1, 12))
def test_what_a_search_that_was_stopped_left_out_stays_under_its_bound(model, max_nodes, top):
    table = conjunctions(model, top=top, max_nodes=max_nodes, distinct=False)
    found, weights = dict(listed(table.rules)), all_weights(model)
    assert all(weights[own] == weight for own, weight in found.items())
    limits = [table.bound] if table.bound is not None else []
    limits += [min(map(abs, found.values()))] if len(found) == top else []
    for own, weight in weights.items():
        assert own in found or abs(weight) <= max(limits)
    for rule in table.rules:
        if rule.proved:
            assert all(abs(w) <= abs(rule.weight) for own, w in weights.items() if own not in found)


@seeded
@given(expansions(), st.integers(0, 31), st.integers(1, 5))
def test_what_explains_a_row_adds_up_and_is_the_polynomial_there(model, number, top):
    n = model.rows.n_variables
    row = [number >> j & 1 for j in range(n)]
    weights = all_weights(model)
    on_row = {own: weight for own, weight in weights.items() if all(row[k // 2] == k % 2 for k in own)}
    whole = explain(model, row, top=None, distinct=False)
    assert listed(whole.contributions.rules) == theory.heaviest_conjunctions(on_row)
    assert whole.remainder == 0
    assert whole.score == sum(on_row.values()) == model.scores(BitMatrix.of([row]))[0][0]
    part = explain(model, row, top=top, distinct=False)
    assert listed(part.contributions.rules) == theory.heaviest_conjunctions(on_row, top=top)
    assert sum(rule.weight for rule in part.contributions.rules) + part.remainder == whole.score


@seeded
@given(expansions(), st.integers(0, 31))
def test_shares_of_literals_follow_from_agreement_counts(model, number):
    row = [number >> j & 1 for j in range(model.rows.n_variables)]
    empty, shares = theory.literal_shares(all_weights(model), row)
    said = {share.text: share.weight for share in explain(model, row).shares}
    expected = {
        f"{'' if bit else 'not '}x{j + 1}": share for j, (bit, share) in enumerate(zip(row, shares, strict=True))
    }
    expected["(always)"] = empty
    assert said == {text: share for text, share in expected.items() if share}
