"""Literals, terms, clauses, and the two classes made of them."""

import copy
import pickle
from itertools import pairwise

import numpy as np
import pytest

from conjunct.errors import FormulaError
from conjunct.logic import CNF, DNF, Clause, Literal, Term, parse
from conjunct.logic.formula import natural_order

A, B, C = Literal("a"), Literal("b"), Literal("c")


class FewRows:
    """What a BitMatrix offers formulas, on lists, the slow way."""

    def __init__(self, names, rows):
        self.names, self.rows = names, rows

    def decide(self, starts, literals, labels, default):
        assert (starts.dtype, literals.dtype, labels.dtype) == (np.int64, np.int32, np.bool_)
        terms = [literals[low:high].tolist() for low, high in pairwise(starts)]
        return np.array([self.label(row, zip(terms, labels, strict=True), default) for row in self.rows], bool)

    def label(self, row, rules, default):
        held = (label for term, label in rules if all(row[code // 2] != code % 2 for code in term))
        return next(held, default)


ROWS = FewRows(("c", "a", "b"), [[k & 1, k >> 1 & 1, k >> 2 & 1] for k in range(8)])


@pytest.mark.parametrize("text", ["a & ~b | c", "(a | ~b) & c", "0", "1", "1 | a", "0 & (a | b)", "~a", "(a | c) & ~b"])
def test_bulk_values_are_those_of_the_rows_with_variables_found_by_name(text):
    formula = parse(text)
    expected = [formula.value(dict(zip(ROWS.names, row, strict=True))) for row in ROWS.rows]
    assert formula.evaluate(ROWS).tolist() == expected


@pytest.mark.parametrize("formula", [DNF.parse("a & bb"), CNF.parse("a & bb")])
def test_rows_without_a_variable_are_refused_and_the_nearest_is_named(formula):
    with pytest.raises(FormulaError, match=r"^no variable is called 'bb'; did you mean 'b'\?$"):
        formula.evaluate(ROWS)
    with pytest.raises(FormulaError, match=r"^no variable is called 'bb'"):
        formula.table(["a", "b"])


@pytest.mark.parametrize("formula", [DNF.parse("a | b"), CNF.parse("~a & b"), Term([~A, B]), Clause([A, B])])
def test_every_variable_needs_a_value_of_0_or_1_even_where_it_does_not_matter(formula):
    assert formula.value({"a": 1, "b": np.int64(0), "other": 7}) in (True, False)
    with pytest.raises(FormulaError, match=r"^the row has no value for 'b'$"):
        formula.value({"a": 1})
    with pytest.raises(FormulaError, match=r"^'b' is 2 on the row, expected 0 or 1$"):
        formula.value({"a": 1, "b": 2})


def test_terms_and_clauses_keep_each_literal_once_and_in_natural_order():
    x2, x10 = Literal("x2"), Literal("x10")
    assert Term([x10, x2, x10]).literals == Clause([x10, x2]).literals == (x2, x10)
    assert natural_order(["x10", "x9a", "x9", "10", "x", "9", "b", ""]) == ["", "9", "10", "b", "x", "x9", "x9a", "x10"]
    assert Term([A, ~A]).is_contradictory
    assert Clause([A, ~A]).is_tautological
    assert (Term().size, Clause().size, str(Term()), str(Clause())) == (0, 0, "1", "0")


def test_a_term_implies_those_whose_literals_it_has_and_grows_by_and():
    assert Term([A, B]) <= Term([A]) <= Term()
    assert not Term([A]) <= Term([A, B])
    assert Term([A, ~A]) <= Term([C])
    assert Term([A]) & ~B & Term([C]) == Term([A, ~B, C])


def test_repetitions_and_empty_meanings_are_dropped():
    assert DNF([Term([A, B]), Term([B, A]), Term([A, ~A])]) == DNF([Term([A, B])])
    assert CNF([Clause([A, B]), Clause([B, A]), Clause([A, ~A])]) == CNF([Clause([A, B])])
    assert hash(DNF.parse("a | b & c")) == hash(DNF.parse("c & b | a"))
    assert DNF.parse("a | b") != CNF.parse("a | b")


@pytest.mark.parametrize(
    ("formula", "constant"),
    [
        (DNF(), False),
        (DNF([Term(), Term([A])]), True),
        (DNF.parse("a | ~a"), None),
        (CNF(), True),
        (CNF([Clause(), Clause([A])]), False),
        (CNF.parse("a & ~a"), None),
    ],
)
def test_a_formula_is_constant_where_it_is_written_so(formula, constant):
    assert formula.constant is constant


def test_restriction_leaves_constants_alone():
    assert DNF.parse("a & b | c").restricted("c", True) == DNF([Term()])
    assert CNF.parse("(a | b) & c").restricted("c", False) == CNF([Clause()])
    assert DNF.parse("a & b | c").restricted("other", True) == DNF.parse("a & b | c")


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Literal(3), r"^a literal is a name and True or False, got 3 and True$"),
        (lambda: Literal("a", 1), r"^a literal is a name and True or False, got 'a' and 1$"),
        (lambda: Term(["a"]), r"^a term is made of literals, got 'a'$"),
        (lambda: Clause(["a"]), r"^a clause is made of literals, got 'a'$"),
        (lambda: DNF([A]), r"^a DNF is made of terms, got Literal\("),
        (lambda: CNF([Term([A])]), r"^a CNF is made of clauses, got Term.parse\('a'\)$"),
    ],
)
def test_parts_of_another_kind_are_refused(make, message):
    with pytest.raises(FormulaError, match=message):
        make()


@pytest.mark.parametrize(
    ("value", "name"),
    [(A, "variable"), (Term([A]), "literals"), (Clause([A]), "literals"), (DNF(), "terms"), (CNF(), "clauses")],
)
def test_formulas_and_their_parts_cannot_be_changed(value, name):
    with pytest.raises(AttributeError):
        setattr(value, name, ())


@pytest.mark.parametrize("text", ["a & ~b | c", "(a | ~b) & c", "0"])
def test_copies_and_pickles_are_equal(text):
    formula = parse(text)
    assert pickle.loads(pickle.dumps(formula)) == copy.deepcopy(formula) == formula
    polynomial = DNF.parse(text).polynomial()
    assert pickle.loads(pickle.dumps(polynomial)) == copy.deepcopy(polynomial) == polynomial
