import pytest

from conjunct.errors import FormulaError
from conjunct.logic import DecisionList, Literal, Term
from conjunct.logic.linearisation import term_row
from reference.slow_rows import all_rows

NAMES = ["x1", "x2", "x3"]


def test_the_first_rule_that_holds_decides():
    rules = DecisionList([(Term.parse("x1 & ~x2"), True), (Term.parse("x1"), False)], True)
    for row in all_rows(NAMES).rows():
        assert rules.value(row) == (not (row["x1"] and row["x2"]))


def test_terms_that_are_empty_or_contradictory_are_kept_and_harmless():
    never = Term([Literal("x1"), ~Literal("x1")])
    rules = DecisionList([(never, True), (Term(), False), (Term.parse("x2"), True)], True)
    assert str(rules) == "x1 & ~x1 -> 1; 1 -> 0; x2 -> 1; 1"
    assert DecisionList.parse(str(rules)) == rules
    assert rules.table(NAMES) == 0
    assert rules.restricted("x3", True).constant is False
    assert DecisionList([(Term(), False)], True).constant is False
    assert DecisionList([], True).constant is True
    assert rules.constant is None
    with pytest.raises(FormulaError, match="no variable is called 'x1'"):
        rules.table(["x2", "x3"])


@pytest.mark.parametrize(
    "text", ["", "x1", "x1 -> 1", "x1 -> 1;", "x1 -> 2; 1", "0 -> 1; 1", "1; 0", "x1 | x2 -> 1; 0"]
)
def test_other_texts_are_refused_with_their_place(text):
    with pytest.raises(FormulaError, match=r"\(character \d+\)"):
        DecisionList.parse(text)


@pytest.mark.parametrize(("rules", "default"), [([("x1", True)], True), ([(Term(), 1)], True), ([], 0)])
def test_what_is_no_rule_is_refused(rules, default):
    with pytest.raises(FormulaError):
        DecisionList(rules, default)


def test_hundreds_of_rules_are_one_threshold_with_integers_of_any_size():
    names = [f"x{i}" for i in range(1, 301)]
    rules = DecisionList([(Term.parse(name), i % 3 == 0) for i, name in enumerate(names)], False)
    linear = rules.linear()
    assert max(abs(weight) for _, weight in linear.weights) == 2**300
    for first in range(301):
        row = {name: int(i >= first) for i, name in enumerate(names)}
        features = term_row([term for term, _ in rules.rules], row)
        assert linear.value(features) == rules.value(row)
        score = sum(weight * features[name] for name, weight in linear.weights) - linear.threshold
        assert score != 0
