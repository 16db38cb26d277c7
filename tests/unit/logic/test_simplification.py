import random
from itertools import combinations

import pytest

from conjunct.logic import DNF, equivalence
from conjunct.logic.covering import Codes, absorbed
from conjunct.logic.simplification import prime_implicants
from strategies import all_rows, random_dnf


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("0", "0"),
        ("1 | a", "1"),
        ("a | ~a", "1"),
        ("a | a & b", "a"),
        ("a | ~a & b", "a | b"),
        ("a & b | a & ~b", "a"),
        ("a & b | ~a & c | b & c", "a & b | ~a & c"),
        ("a & b | ~b & c | ~c & ~a | b & ~c", "a & b | ~a & ~c | ~b & c"),
        ("a & ~b | ~a & b | b & ~c | ~b & c", "a & ~b | ~a & c | b & ~c"),
        ("a & b & c | a & b & ~c | a & ~b & c | a & ~b & ~c", "a"),
    ],
)
def test_known_formulas_become_as_short_as_they_are_known_to_be(text, simple):
    found = DNF.parse(text).simplified()
    expected = DNF.parse(simple)
    assert [term.size for term in found.terms] == [term.size for term in expected.terms]
    assert equivalence(found, DNF.parse(text))
    assert equivalence(found, expected)


def test_all_prime_implicants_are_found():
    rng = random.Random(1)
    names = ["a", "b", "c", "d"]
    codes = Codes(names)
    for _ in range(100):
        formula = random_dnf(rng, names)
        found = {codes.term(code) for code in prime_implicants(absorbed(map(codes.code, formula.terms)), codes)}
        assert found == primes_by_definition(formula, names)


def primes_by_definition(formula, names):
    """Of all 3**n terms, those that imply the formula and stop doing so without any one literal."""
    codes = Codes(names)
    terms = [
        codes.term(sum((each if each < 3 else 0) << 2 * k for k, each in enumerate(digits(code, len(names)))))
        for code in range(3 ** len(names))
    ]
    implying = {t for t in terms if all(formula.value(row) for row in all_rows(names) if t.value(row))}
    return {t for t in implying if not any(t.without(name) in implying for name in t.variables)}


def digits(code, n):
    return [code // 3**k % 3 for k in range(n)]


def test_formulas_of_many_variables_and_terms_are_simplified_within_the_budget():
    rng = random.Random(2)
    names = [f"x{k}" for k in range(60)]
    for _ in range(3):
        formula = random_dnf(rng, names, 300, 4)
        formula = DNF([*formula.terms, *(term & literal for term in formula.terms for literal in term.literals[:1])])
        simple = formula.simplified()
        assert equivalence(simple, formula)
        assert len(simple.terms) <= len(formula.terms)


@pytest.mark.parametrize(
    "setting",
    [
        "MAX_PAIRS",
        "MAX_VISITS",
        "NODES_PER_SEARCH",
        "MOST_COVER_IMPLICANTS",
        "MOST_COVERED_VARIABLES",
        "MOST_COVER_NODES",
    ],
)
def test_any_budget_keeps_the_function_and_never_grows(monkeypatch, setting):
    monkeypatch.setattr(f"conjunct.logic.simplification.{setting}", 2)
    rng = random.Random(3)
    names = [f"x{k}" for k in range(6)]
    for _ in range(200):
        formula = random_dnf(rng, names, 12)
        simple = formula.simplified()
        assert simple.table(names) == formula.table(names)
        assert len(simple.terms) <= len(formula.terms)
        assert sum(term.size for term in simple.terms) <= sum(term.size for term in formula.terms)


def test_formulas_of_few_variables_become_as_short_as_any_cover_by_prime_implicants():
    rng = random.Random(4)
    names = ["a", "b", "c"]
    for _ in range(150):
        formula = random_dnf(rng, names, 8, 3)
        primes = primes_by_definition(formula, names)
        covers = (DNF(some) for size in range(9) for some in combinations(primes, size))
        shortest = next(cover for cover in covers if cover.table(names) == formula.table(names))
        assert len(formula.simplified().terms) == len(shortest.terms)
