"""Whatever prints as a formula is read back, and what is made of formulas by operators has their values."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from conjunct import BitMatrix
from conjunct.logic import Clause, Literal, Polynomial, Term, equivalence, parse
from strategies import all_rows, formulas, literals, polynomials, seeded, terms


@seeded
@given(formulas())
def test_every_class_of_formulas_is_read_back_as_it_prints(formula):
    kind = type(formula)
    assert str(formula).isprintable()
    assert kind.parse(str(formula)) == kind.parse(str(formula), formula.variables) == formula
    assert equivalence(parse(str(formula)), formula)


@seeded
@given(terms(), literals(), polynomials())
def test_terms_literals_and_polynomials_are_read_back_as_they_print(term, literal, polynomial):
    assert Term.parse(str(term)) == term
    assert Clause.parse(str(~term)) == ~term
    assert Literal.parse(str(literal)) == literal
    assert Polynomial.parse(str(polynomial)) == polynomial


@seeded
@given(formulas(), formulas())
def test_operators_have_the_values_of_what_they_join(first, second):
    names = sorted({*first.variables, *second.variables})
    assume(len(names) <= 6)
    for row in all_rows(names):
        one, other = first.value(row), second.value(row)
        assert (first & second).value(row) == (one and other)
        assert (first | second).value(row) == (one or other)
        assert (~first).value(row) is not one


@seeded
@given(formulas())
def test_two_layers_and_tables_have_the_values_of_the_formula(formula):
    names = list(formula.variables)
    assume(len(names) <= 6)
    values = [formula.value(row) for row in all_rows(names)]
    assert [value for _, value in formula.truth_table(names[::-1])] == values
    for layers in (formula.to_dnf(), formula.to_cnf()):
        assert [layers.value(row) for row in all_rows(names)] == values
    assert formula([*all_rows(names)]).tolist() == values
    if names:
        bits = [[int(row[name]) for name in names] for row in all_rows(names)]
        assert formula(BitMatrix.of(bits, names)).tolist() == values


@seeded
@given(st.lists(st.sampled_from(["&", "|", "^", "->"]), min_size=1, max_size=4), st.data())
def test_signs_bind_as_tightly_as_they_are_said_to(signs, data):
    negations = data.draw(st.lists(st.booleans(), min_size=len(signs) + 1, max_size=len(signs) + 1))
    operands = [f"{'~' * negation}x{k}" for k, negation in enumerate(negations, 1)]
    text = " ".join(part for pair in zip(operands, [*signs, ""], strict=True) for part in pair)
    words = text.replace("&", "and").replace("|", "or").replace("~", "not ")
    formula = parse(text)
    assert parse(words) == formula
    names = [f"x{k}" for k in range(1, len(operands) + 1)]
    for row in all_rows(names):
        assert formula.value(row) == value_of(text, row)


def value_of(text, row):
    """Evaluate by cutting at the weakest sign: the first ->, else the last of the others."""
    for sign, cut in (("->", text.partition), ("|", text.rpartition), ("^", text.rpartition), ("&", text.rpartition)):
        if f" {sign} " in text:
            left, _, right = cut(f" {sign} ")
            one, other = value_of(left, row), value_of(right, row)
            return {"->": not one or other, "|": one or other, "^": one != other, "&": one and other}[sign]
    return row[text.strip().lstrip("~")] != text.strip().startswith("~")


@pytest.mark.parametrize("n", [2, 5, 12])
def test_parity_is_read_from_its_signs(n):
    names = [f"x{k}" for k in range(n)]
    assert parse(" ^ ".join(names)).table(names) == sum((k.bit_count() & 1) << k for k in range(1 << n))
