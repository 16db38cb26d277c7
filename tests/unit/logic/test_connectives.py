import numpy as np
import pandas as pd
import pytest

from conjunct import BitMatrix
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
    PolynomialThreshold,
    Term,
    Threshold,
    parse,
)

A, B, C = (Literal(name) for name in "abc")


@pytest.mark.parametrize(
    ("joined", "kind", "printed"),
    [
        (A & B, Term, "a & b"),
        (A & B & ~C, Term, "a & b & ~c"),
        (A | B, DNF, "a | b"),
        (A & B | C, DNF, "c | a & b"),
        ((A | B) & C, CNF, "c & (a | b)"),
        ((A | B) & (A | C) | C, DNF, "a | c | b & c"),
        (~(A & B), Clause, "~a | ~b"),
        (~(A & B | C), CNF, "~c & (~a | ~b)"),
        (A & True, DNF, "a"),
        (False | A, DNF, "a"),
        (True & parse("a | b"), CNF, "(a | b)"),
        (parse("a + b >= 1") & parse("c >= 1"), HalfspaceIntersection, "(a + b >= 1) & (c >= 1)"),
        (~parse("a + b >= 1"), Threshold, "-a - b >= 0"),
        (~parse("3/2*a + b >= 1/3"), Threshold, "-3*a - 2*b >= 0"),
        (~parse("(a >= 1) & (b >= 1)"), Network, "signed: (a >= 1/2) (b >= 1/2) -> (-u1 - u2 >= -1)"),
        (~DecisionTree.parse("a ? 1 : 0"), DecisionTree, "a ? 0 : 1"),
        (~DecisionList.parse("a -> 1; 0"), DecisionList, "a -> 0; 1"),
        (parse("a + b >= 1") | C, DNF, "a | c | ~a & b"),
        (parse("a ? (b ? 1 : 0) : 0") & C, DNF, "a & b & c"),
    ],
)
def test_operators_give_the_class_that_is_written_so(joined, kind, printed):
    assert type(joined) is kind
    assert str(joined) == printed


@pytest.mark.parametrize("other", ["a", 3, None, [A]])
def test_what_is_no_formula_is_refused_beside_an_operator(other):
    for join in (lambda: A & other, lambda: parse("a | b") | other):
        with pytest.raises(FormulaError, match=r"^expected a formula, a literal, True or False beside & or \|, got "):
            join()


def test_a_formula_is_called_on_a_row_or_on_rows():
    formula = parse("x1 & ~x3")
    assert formula({"x1": 1, "x3": 0}) is True
    assert formula([1, 0, 1]) is False
    assert formula(np.array([1, 0, 0])) is True
    assert formula([[1, 0, 0], [0, 0, 0]]).tolist() == [True, False]
    assert formula(np.array([[1, 0, 0], [1, 1, 1]])).tolist() == [True, False]
    assert formula([{"x1": 1, "x3": 1}]).tolist() == [False]
    assert formula([]).tolist() == []
    assert formula(BitMatrix.of(["100", "101"])).tolist() == [True, False]
    assert formula(pd.Series({"x1": 1, "x3": 0})) is True
    for part in (Literal("x1"), Term.parse("x1"), Clause.parse("x1")):
        assert part([1]) is True
        assert part(BitMatrix.of(["1", "0"])).tolist() == [True, False]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (pd.DataFrame({"x1": [1]}), "evaluated on a BitMatrix, got DataFrame; make one with BitMatrix.of"),
        ("1", "evaluated on a BitMatrix, got str"),
        (1, "evaluated on a BitMatrix, got int"),
        ([0], "the row has no value for 'x2'"),
        ([[1, 2]], "'x2' is 2 on the row, expected 0 or 1"),
        (["11"], "a row is a mapping of names to 0 and 1, or a list of them, got '11'"),
        ([[1, 1], 1], "a row is a mapping of names to 0 and 1, or a list of them, got 1"),
    ],
)
def test_what_is_no_row_is_refused(rows, message):
    with pytest.raises(FormulaError, match=message):
        parse("x2")(rows)


def test_a_formula_of_too_many_paths_is_not_written_out(monkeypatch):
    monkeypatch.setattr("conjunct.logic.connectives.MAX_TERMS", 100)
    with pytest.raises(
        FormulaError, match=r"^written out, the Threshold has more than 100 terms and clauses; evaluate"
    ):
        Threshold.at_least(10, [f"x{k}" for k in range(20)]).to_dnf()


def test_a_truth_table_lists_the_rows_as_one_counts():
    table = parse("a & ~b").truth_table()
    assert table.variables == ("a", "b")
    assert [value for _, value in table] == [False, False, True, False]
    assert str(parse('"a b"').truth_table()) == '"a b" |\n    0 | 0\n    1 | 1'
    assert len(parse("a").truth_table(["c", "a"])) == 4
    assert str(parse("1").truth_table()) == "|\n| 1"
    with pytest.raises(FormulaError, match="no variable is called 'a'"):
        parse("a").truth_table(["b"])
    with pytest.raises(FormulaError, match="17 variables has 2\\*\\*17 lines; at most 16"):
        parse("x1").truth_table([f"x{k}" for k in range(17)])
    with pytest.raises(FormulaError, match="variables of a truth table are different"):
        parse("a").truth_table(["a", "a"])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("a + 2*b >= 1", Threshold),
        ('"a & b" - c >= 1/2', Threshold),
        ("(a & b) - c >= 1/2", PolynomialThreshold),
        ("~a + ~b >= 1", PolynomialThreshold),
        ("(a + b >= 1) & (c >= 1)", HalfspaceIntersection),
        ("a ? 1 : (b ? 0 : 1)", DecisionTree),
        ("a & ~b -> 1; 0", DecisionList),
        ("binary: (a >= 1) (b >= 1) -> (u1 - u2 >= 1)", Network),
        ("a -> b", DNF),
    ],
)
def test_parse_finds_the_class_by_its_signs(text, kind):
    assert type(parse(text)) is kind
    assert parse(str(parse(text))) == parse(text)


def test_a_polynomial_is_read_from_what_it_prints():
    with pytest.raises(FormulaError, match=r"expected & or \), found '\|' \(character 6\)"):
        PolynomialThreshold.parse("2*(a | b) >= 1")
    with pytest.raises(FormulaError, match=r"expected \+, - or the end"):
        type(parse("~a >= 1").polynomial).parse("2*a 3")


def test_a_long_chain_of_signs_is_read():
    names = [f"x{k}" for k in range(20_000)]
    assert len(parse(" -> ".join(names)).terms) == 20_000
    with pytest.raises(FormulaError, match="more than 100,000 terms"):
        parse(" ^ ".join(names[:200]))
