"""What is no part of a formula is refused in words, whatever it is and wherever it comes in."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from conjunct.errors import FormulaError
from conjunct.logic import (
    CNF,
    DNF,
    Clause,
    DecisionList,
    DecisionTree,
    HalfspaceIntersection,
    Literal,
    Network,
    Polynomial,
    Term,
    Threshold,
    equivalence,
    parse,
)
from conjunct.logic.linearisation import complement_disjunction, complemented, k_dnf_threshold, term_row

LONG = 10**5000  # Python refuses to print it
FORMULAS = [
    parse("a | b"),
    CNF.parse("a & b"),
    Threshold({"a": 1}, 1),
    DecisionTree.parse("a ? 1 : 0"),
    DecisionList.parse("a -> 1; 0"),
    HalfspaceIntersection([Threshold({"a": 1}, 1)]),
    Network.parse("binary: (a >= 1) -> (u1 >= 1)"),
]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda: Term(None), r"^a term is made of literals, got None; give a list of them$"),
        (lambda: Term(Literal("a")), r"^a term is made of literals, got Literal\("),
        (lambda: Term([[]]), r"^a term is made of literals, got \[\]$"),
        (lambda: Clause(None), r"^a clause is made of literals, got None;"),
        (lambda: Clause([{}]), r"^a clause is made of literals, got {}$"),
        (lambda: DNF(Term()), r"^a DNF is made of terms, got Term"),
        (lambda: CNF(None), r"^a CNF is made of clauses, got None;"),
        (lambda: HalfspaceIntersection(Threshold({}, 1)), r"^an intersection is made of thresholds, got Threshold"),
        (lambda: DecisionList(None, True), r"^a decision list is made of rules, got None;"),
        (lambda: DecisionList([1], True), r"^a rule is a pair of a term and True or False, got 1$"),
        (lambda: DecisionList([(Term(), True, 3)], True), r"^a rule is a pair of a term and True or False, got \("),
        (lambda: DecisionTree(None), r"^a tree is made of nodes, got None;"),
        (lambda: DecisionTree.split("a", True, False), r"^a branch is a DecisionTree, got True; a leaf is"),
        (lambda: DecisionTree.of_conjunction("a"), r"^of_conjunction takes a term, got 'a'$"),
        (lambda: DecisionTree.from_polynomial(None), r"^expected a Polynomial, got None$"),
        (lambda: DNF.from_polynomial(parse("a")), r"^expected a Polynomial, got DNF.parse\('a'\)$"),
        (lambda: Threshold(None, 1), r"^weights are a mapping of names to numbers, got None$"),
        (lambda: Threshold("ab", 1), r"^weights are a mapping of names to numbers, got 'ab'$"),
        (lambda: Threshold.at_least(1, None), r"^at_least counts variables, got None;"),
        (lambda: Threshold.at_least(1, [[]]), r"^at_least counts variables by name, got \[\]$"),
        (lambda: Network(None, "signed"), r"^a network is made of layers, got None;"),
        (lambda: Network([Threshold({}, 1)], "signed"), r"^a layer is made of units, got Threshold"),
        (lambda: Polynomial([1]), r"^a polynomial is a mapping of terms to numbers, got \[1\]$"),
        (lambda: Polynomial({Term(): 1}).norm_sq(5), r"^costs are numbers, K_0 first, got 5;"),
        (lambda: k_dnf_threshold(None), r"^expected a DNF, got None$"),
        (lambda: complement_disjunction("a"), r"^expected a term, got 'a'$"),
        (lambda: complemented(None), r"^a row is a mapping of names to 0 and 1, got None;"),
        (lambda: term_row(None, {}), r"^features are terms, got None;"),
        (lambda: parse("a", names=5), r"^names are texts, got 5;"),
        (lambda: parse("a", names=["b", []]), r"^names are texts, got \[\]$"),
        (lambda: parse("a").table(5), r"^variables are a list of names, got 5$"),
        (lambda: parse("a").table([[], "a"]), r"^variables are a list of names, got \[\[\], 'a'\]$"),
        (lambda: parse("a").table(name for name in "a"), r"^variables are a list of names, got <gen"),
        (lambda: parse([0] * 100_000), r"^a formula is read from a text, got \[0[0, ]{38}\.\.\.$"),
        (lambda: parse(10**5000), r"^a formula is read from a text, got <int of 16610 bits>$"),
        (lambda: equivalence(parse("a"), parse("b"), budget="9"), r"^budget is '9'; expected a positive integer$"),
        (lambda: equivalence(parse("a"), parse("b"), budget=-1), r"^budget is -1; expected a positive integer$"),
        (lambda: Polynomial({Term(): 1}).norm_sq([-LONG]), r"^the cost of 0 literals is \(a fraction of 16610 and 1 b"),
        (lambda: DNF.from_polynomial(Polynomial({Term(): LONG})), r"^the constant is \(a fraction of 16610 and 1 bits"),
        (lambda: DecisionTree.from_polynomial(Polynomial({Term(): LONG})), r"^the coefficient of 1 is \(a fraction"),
    ],
)
def test_parts_of_another_kind_are_refused_on_one_short_line(made, message):
    with pytest.raises(FormulaError, match=message) as refused:
        made()
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: type(formula).__name__)
def test_what_is_no_bit_matrix_is_refused_and_the_way_to_one_shown(formula):
    for rows in ([[0, 1]], np.zeros((1, 2)), None, pd.DataFrame({"a": [1], "b": [0]})):
        with pytest.raises(
            FormulaError, match=r"^formulas are evaluated on a BitMatrix, got \w+; make one with BitMatr"
        ):
            formula.evaluate(rows)


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: type(formula).__name__)
def test_rows_that_are_no_mapping_and_values_that_are_no_bit_are_refused(formula):
    for row in (None, "ab", [0, 1]):
        with pytest.raises(FormulaError, match=r"^a row is a mapping of names to 0 and 1, got "):
            formula.value(row)
    for value in (np.array([0, 1]), pd.NA, None, "1", 2):
        with pytest.raises(FormulaError, match=r"^'a' is .* on the row, expected 0 or 1$"):
            formula.value({"a": value, "b": 0})
    assert formula.value(pd.Series({"a": 1, "b": 1}))


@pytest.mark.parametrize("formula", FORMULAS, ids=lambda formula: type(formula).__name__)
def test_every_formula_is_restricted_to_zero_and_one_and_to_nothing_else(formula):
    for value in (1, np.bool_(True), np.int8(1)):
        assert formula.restricted("a", value) == formula.restricted("a", True)
    for value in (None, 2, "0"):
        with pytest.raises(FormulaError, match=r"^'a' is restricted to .*, expected 0 or 1$"):
            formula.restricted("a", value)
    with pytest.raises(FormulaError, match=r"^a variable is a name, got \[\]$"):
        formula.restricted([], True)


def test_numbers_too_long_to_print_never_stop_a_repr():
    assert repr(Threshold({"a": LONG}, 1)) == "<Threshold of 1 variables>"
    assert repr(Polynomial({Term(): LONG})) == "<Polynomial (a fraction of 16610 and 1 bits)>"


def test_a_long_fraction_is_read_as_it_is_printed():
    formula = Threshold({"a": Fraction(10**3900 + 1, 10**3900)}, 1)
    assert Threshold.parse(str(formula)) == formula
    for text in ("9" * 4001, "1/" + "9" * 4001):
        with pytest.raises(FormulaError, match=r"^a number of more than 4000 digits is not read"):
            Threshold.parse(f"a >= {text}")


def test_floats_of_every_length_count_as_the_decimals_that_they_print():
    exact = Threshold({"a": Fraction(1, 10), "b": Fraction(1, 5)}, Fraction(3, 10))
    assert Threshold({"a": np.float32(0.1), "b": np.float16(0.2)}, 0.3) == exact
    assert Threshold({"a": "1/10", "b": "0.2"}, "3/10") == exact
    assert exact.value({"a": 1, "b": 1})
    assert Network([[({"a": 0.1, "b": 0.2}, -0.3)]], "signed").value({"a": 1, "b": 1})


def test_terms_are_compared_with_terms_only():
    with pytest.raises(TypeError, match="not supported between"):
        assert Term() <= 5
