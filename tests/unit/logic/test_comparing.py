import random

import pytest

from conjunct.errors import FormulaError
from conjunct.logic import CNF, DNF, Equivalence, equivalence, parse
from conjunct.logic.covering import Codes, OutOfNodesError, Search
from strategies import random_dnf

NAMES = [f"x{k}" for k in range(40)]


def test_how_it_was_found_is_said():
    assert equivalence(parse("a | b"), parse("b | a")) == Equivalence(True, None, "written alike")
    assert equivalence(parse("a"), CNF.parse("a")).how == "truth tables over 1 variable"
    assert equivalence(True, False) == Equivalence(False, {}, "truth tables over 0 variables")


@pytest.mark.parametrize(
    ("text", "is_always_true", "is_never_true"),
    [
        ("a | ~a", True, False),
        ("1", True, False),
        ("(a | b) & ~a & ~b", False, True),
        ("0", False, True),
        ("a", False, False),
    ],
)
def test_a_constant_asks_for_a_tautology_or_a_contradiction(text, is_always_true, is_never_true):
    assert bool(equivalence(parse(text), True)) is is_always_true
    assert bool(equivalence(False, parse(text))) is is_never_true


def implications(n):
    """A cycle: all of n variables are equal, or not; written with the next variable, or the one before."""
    names = [f"x{k}" for k in range(n)]
    return [
        DNF.parse(" | ".join(f"{a} & ~{b}" for a, b in zip(names, names[step:] + names[:step], strict=True)))
        for step in (1, -1)
    ]


def test_formulas_of_many_variables_are_compared_by_search():
    forwards, backwards = implications(60)
    answer = equivalence(forwards, backwards)
    assert answer.is_equivalent
    assert answer.how.startswith("search of ")
    assert equivalence(forwards.negated(), backwards.negated()).is_equivalent
    assert equivalence(forwards, forwards.negated()).is_equivalent is False


def test_a_dnf_of_many_variables_is_compared_with_a_cnf():
    text = " | ".join(f"(a{k} & b{k})" for k in range(11))
    dnf, cnf = DNF.parse(text), CNF.parse(text)
    assert len(cnf.clauses) == 2**11
    assert equivalence(dnf, cnf).is_equivalent
    fewer = CNF(cnf.clauses[1:])
    answer = equivalence(fewer, dnf)
    assert fewer.value(answer.witness) > dnf.value(answer.witness)
    more = DNF(dnf.terms + parse("a0 & ~b1 & c").terms)
    answer = equivalence(more, cnf)
    assert more.value(answer.witness) > cnf.value(answer.witness)


def test_one_term_less_among_many_is_found_out():
    rng = random.Random(0)
    for _ in range(30):
        formula = random_dnf(rng, NAMES, 40, 5).simplified()
        if formula.constant is None:
            fewer = DNF(formula.terms[1:])
            answer = equivalence(formula, fewer)
            assert formula.value(answer.witness) > fewer.value(answer.witness)


def pigeons(n):
    """The holes of n + 1 pigeons: never true, and hard to see."""
    placed = " & ".join("(" + " | ".join(f"p{i}_{h}" for h in range(n)) + ")" for i in range(n + 1))
    apart = " & ".join(f"(~p{i}_{h} | ~p{j}_{h})" for h in range(n) for i in range(n + 1) for j in range(i))
    return parse(f"{placed} & {apart}")


def test_what_the_budget_does_not_settle_stays_open_and_is_neither_true_nor_false():
    assert equivalence(pigeons(4), False).is_equivalent
    assert equivalence(pigeons(6), False).is_equivalent
    answer = equivalence(pigeons(8), False, budget=50)
    assert answer == Equivalence(None, None, "undecided within 50 nodes")
    with pytest.raises(
        FormulaError, match=r"^whether the formulas are equivalent is undecided within 50 nodes; give a"
    ):
        bool(answer)


@pytest.mark.parametrize("given", ["a | b", 1, None])
def test_what_is_no_formula_is_refused(given):
    with pytest.raises(FormulaError, match=r"^expected a formula, True or False, got .*; read texts with parse$"):
        equivalence(given, parse("a"))


class Wrong(DNF):
    """A formula whose table and rows disagree."""

    def table(self, variables):
        return 0


def test_a_witness_that_is_none_is_never_returned():
    with pytest.raises(FormulaError, match=r"^Wrong and DNF have other values on a row than in tables"):
        equivalence(Wrong.parse("a | b"), parse("a | b"))


def test_a_search_counts_its_nodes_over_all_that_it_is_asked():
    codes = Codes(["a", "b"])
    search = Search(codes, 2)
    a = codes.code(parse("a").terms[0])
    assert search.uncovered(a, []) == a
    assert search.uncovered(a, [a]) is None
    with pytest.raises(OutOfNodesError, match=r"^undecided within 2 nodes$"):
        search.uncovered(a, [])


def test_answers_are_hashable_also_with_a_witness():
    assert len({equivalence(parse("a"), parse("b")), equivalence(parse("a"), parse("b"))}) == 1
