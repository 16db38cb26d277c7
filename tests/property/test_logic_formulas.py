"""Formulas against their definitions: all rows, all ways round, names that need every quote there is."""

import random
import re
from fractions import Fraction

import pytest

from conjunct import BitMatrix
from conjunct.errors import FormulaError
from conjunct.logic import CNF, DNF, Clause, Formula, Literal, Polynomial, Term, equivalence, parse
from conjunct.logic.tokenizer import Scanner
from strategies import NASTY_NAMES, all_rows, random_cnf, random_dnf, random_literals, random_text


def some_names(rng, most=6):
    return rng.sample(NASTY_NAMES, rng.randint(1, most))


def test_formulas_are_read_back_as_they_print_whatever_their_names():
    rng = random.Random(1)
    for _ in range(3000):
        names = some_names(rng)
        dnf, cnf = random_dnf(rng, names), random_cnf(rng, names)
        assert parse(str(dnf)) == DNF.parse(str(dnf), names) == dnf
        assert CNF.parse(str(cnf), names) == cnf
        assert str(dnf).isprintable()
        assert str(cnf).isprintable()
        assert eval(repr(dnf)) == dnf
        assert eval(repr(cnf)) == cnf


def test_literals_terms_and_clauses_are_read_back_as_they_print_whatever_their_names():
    rng = random.Random(2)
    for _ in range(3000):
        names = some_names(rng)
        literals = random_literals(rng, names, rng.randint(0, 4)) + random_literals(rng, names, rng.randint(0, 1))
        assert Term.parse(str(Term(literals)), names) == Term(literals) == eval(repr(Term(literals)))
        assert Clause.parse(str(Clause(literals)), names) == Clause(literals) == eval(repr(Clause(literals)))
        for each in literals:
            assert Literal.parse(str(each), names) == each


def test_any_string_is_a_name():
    rng = random.Random(3)
    for _ in range(3000):
        name = "".join(chr(rng.choice([rng.randrange(128), rng.randrange(0x110000)])) for _ in range(rng.randint(0, 5)))
        assert Literal.parse(str(Literal(name))) == Literal(name)


def test_values_in_bulk_are_those_of_the_rows():
    rng = random.Random(5)
    for _ in range(500):
        names = some_names(rng)
        rows = [row for row in all_rows(names) for _ in range(rng.randint(1, 3))]
        packed = BitMatrix.of([[int(row[name]) for name in names] for row in rows], names)
        for formula in (random_dnf(rng, names), random_cnf(rng, names)):
            assert formula.evaluate(packed).tolist() == [formula.value(row) for row in rows]


@pytest.mark.parametrize("text", ["x1", "1", "(x1 | x2) & (x2 | x3)"])
def test_a_table_of_too_many_variables_is_refused_with_the_way_round(text):
    names = [f"x{k}" for k in range(1, 41)]
    with pytest.raises(FormulaError, match=r"40 variables has 2\*\*40 rows; at most 28 .* equivalence"):
        parse(text).table(names)
    assert equivalence(parse(" | ".join(names)), parse(" & ".join(names))).witness


def test_nested_formulas_mean_what_they_say_as_either_class():
    rng = random.Random(4)
    for _ in range(1500):
        names = some_names(rng, 4)
        text, function = random_text(rng, names, rng.randint(0, 4))
        for read in (parse, DNF.parse, CNF.parse):
            formula = read(text, names)
            assert formula.table(names) == sum(function(row) << k for k, row in enumerate(all_rows(names)))


def test_tables_hold_the_values_row_by_row_and_restrictions_are_their_halves():
    rng = random.Random(5)
    for _ in range(600):
        names = some_names(rng, 5)
        for formula in (random_dnf(rng, names), random_cnf(rng, names)):
            table = formula.table(names)
            assert [bool(table >> k & 1) for k in range(1 << len(names))] == [*map(formula.value, all_rows(names))]
            variable, value = rng.choice(names), rng.random() < 0.5
            rest = formula.restricted(variable, value)
            assert variable not in rest.variables
            for row in all_rows(names):
                assert rest.value(row) == formula.value(row | {variable: value})
            if formula.constant is not None:
                assert {formula.constant} == set(map(formula.value, all_rows(names)))


def test_negation_turns_every_value_and_comes_back():
    rng = random.Random(6)
    for _ in range(1000):
        names = some_names(rng, 5)
        dnf, cnf = random_dnf(rng, names), random_cnf(rng, names)
        everywhere = (1 << (1 << len(names))) - 1
        for formula in (dnf, cnf):
            assert formula.negated().table(names) == formula.table(names) ^ everywhere
            assert formula.negated().negated() == formula


def test_a_polynomial_is_at_least_1_where_its_dnf_is_true_and_minus_1_elsewhere():
    rng = random.Random(7)
    for _ in range(2000):
        names = some_names(rng, 4)
        formula = random_dnf(rng, names)
        polynomial = formula.polynomial()
        assert DNF.from_polynomial(polynomial) == formula
        assert polynomial.norm_sq() == 1 + 4 * sum(term.size > 0 for term in formula.terms)
        for row in all_rows(names):
            n_true = sum(term.value(row) for term in formula.terms)
            assert polynomial.value(row) == 2 * n_true - 1
            assert (polynomial.value(row) >= 1) == formula.value(row)


def random_polynomial(rng, names):
    return Polynomial(
        {Term(random_literals(rng, names, rng.randint(0, 3))): Fraction(rng.randint(-3, 3), 2) for _ in range(4)}
    )


def test_sums_and_multiples_of_polynomials_are_those_of_their_values():
    rng = random.Random(8)
    for _ in range(400):
        names = some_names(rng, 4)
        first, second = random_polynomial(rng, names), random_polynomial(rng, names)
        factor = Fraction(rng.randint(-3, 3), 3)
        combined = first + second, first - second, -first, factor * first
        for row in all_rows(names):
            a, b = first.value(row), second.value(row)
            assert [each.value(row) for each in combined] == [a + b, a - b, -a, factor * a]
        assert first + second - second == first
        assert (first == second) == (not (first - second).coefficients)


def test_equivalence_up_to_20_variables_is_equality_of_tables():
    rng = random.Random(9)
    found = set()
    for _ in range(1500):
        names = some_names(rng, 3)
        first, second = (rng.choice([random_dnf, random_cnf])(rng, names, 3, 2) for _ in range(2))
        answer = equivalence(first, second)
        assert answer.is_equivalent == bool(answer) == (first.table(names) == second.table(names))
        if not answer:
            assert first.value(answer.witness) != second.value(answer.witness)
            assert {*answer.witness} == {*first.variables, *second.variables}
        found.add(answer.is_equivalent)
    assert found == {True, False}


def test_the_searches_beyond_20_variables_agree_with_tables(monkeypatch):
    monkeypatch.setattr("conjunct.logic.comparing.MOST_COMPARED_VARIABLES", -1)
    monkeypatch.setattr("conjunct.logic.comparing.MOST_COMPARED_IN_SEARCH", 1)
    rng = random.Random(10)
    found = set()
    for _ in range(1500):
        names = [f"x{k}" for k in range(rng.randint(1, 6))]
        first = rng.choice([random_dnf, random_cnf])(rng, names, 7, 3)
        kind = rng.choice([DNF, CNF])
        second = kind.parse(str(first)) if rng.random() < 0.5 else kind.parse(str(random_dnf(rng, names, 7, 3)))
        if rng.random() < 0.5:
            second = Opaque(second)
        answer = equivalence(first, second)
        assert answer.is_equivalent == (first.table(names) == second.table(names))
        if not answer:
            assert first.value(answer.witness) != second.value(answer.witness)
        found.add((answer.is_equivalent, type(first), type(second)))
    assert len(found) == 12


class Opaque(Formula):
    """A formula of no class that the search knows."""

    def __init__(self, inner):
        self.inner = inner

    variables = property(lambda self: self.inner.variables)
    constant = property(lambda self: self.inner.constant)

    def value(self, row):
        return self.inner.value(row)

    def evaluate(self, rows):
        return self.inner.evaluate(rows)

    def table(self, variables):
        return self.inner.table(variables)

    def restricted(self, variable, value):
        return Opaque(self.inner.restricted(variable, value))

    def __eq__(self, other):
        return isinstance(other, Opaque) and self.inner == other.inner

    def __hash__(self):
        return hash(self.inner)

    def __str__(self):
        return str(self.inner)

    @classmethod
    def parse(cls, text, names=None):
        return cls(parse(text, names))


def n_literals(formula):
    return sum(term.size for term in formula.terms)


@pytest.mark.parametrize(("most", "n_terms"), [(3, 5), (5, 10), (7, 16)])
def test_simplification_keeps_the_function_and_never_grows(most, n_terms):
    rng = random.Random(most)
    n_shorter = 0
    for _ in range(500):
        names = [f"x{k}" for k in range(rng.randint(1, most))]
        formula = random_dnf(rng, names, n_terms)
        simple = formula.simplified()
        assert simple.table(names) == formula.table(names)
        assert len(simple.terms) <= len(formula.terms)
        assert n_literals(simple) <= n_literals(formula)
        for k in range(len(simple.terms)):
            others = DNF(simple.terms[:k] + simple.terms[k + 1 :])
            assert others.table(names) != formula.table(names)
        n_shorter += simple != formula
    assert n_shorter > 100


def test_a_simplified_formula_is_made_of_prime_implicants():
    rng = random.Random(12)
    for _ in range(300):
        names = [f"x{k}" for k in range(rng.randint(1, 6))]
        formula = random_dnf(rng, names, 10)
        for term in formula.simplified().terms:
            for literal in term.literals:
                wider = DNF([*formula.terms, term.without(literal.variable)])
                assert wider.table(names) != formula.table(names)


def test_damaged_texts_are_read_or_refused_with_a_caret_under_them():
    rng = random.Random(13)
    n_refused = 0
    for _ in range(3000):
        signs = list(random_text(rng, some_names(rng, 3), 3)[0])
        for _ in range(rng.randint(1, 3)):
            place = rng.randrange(len(signs) + 1)
            signs[place : place + rng.randint(0, 2)] = rng.choice('()&|~!"\\ab01 ;->=/?é\x00')
        text = "".join(signs)
        for read in (parse, CNF.parse, Term.parse):
            refusal = refusal_of(read, text)
            if refusal:
                what, shown, caret = refusal.split("\n")
                assert re.search(r" \(character \d+\)$", what)
                assert shown.isprintable()
                assert caret.strip() == "^"
                n_refused += 1
    assert n_refused > 1000


def test_the_scanner_goes_through_any_text_in_order():
    rng = random.Random(14)
    for _ in range(3000):
        text = "".join(rng.choice('ab_.12/+-*>=?:;()~!&| "\\\n') for _ in range(rng.randint(0, 12)))
        refusal = refusal_of(require_order, text)
        assert refusal is None or refusal.count("\n") == 2


def require_order(text):
    scanner, place = Scanner(text), -1
    while not scanner.at("end"):
        token = scanner.advance()
        assert token.start > place
        place = token.start


def refusal_of(read, text):
    try:
        read(text)
    except FormulaError as error:
        return str(error)
    return None
