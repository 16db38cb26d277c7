import pytest

from conjunct.errors import FormulaError
from conjunct.logic import DNF, Literal, Term
from conjunct.logic.linearisation import complement_disjunction, conjunction_by_complement, k_dnf_threshold, term_row
from reference.slow_rows import all_rows

NAMES = ["x1", "x2", "x3", "x4"]


@pytest.mark.parametrize("text", ["0", "1", "x1", "x1 & ~x2 | x3", "x1 & x2 | ~x1 & ~x2 | x3 & x4"])
def test_a_dnf_is_a_threshold_over_its_terms(text):
    dnf = DNF.parse(text)
    linear = k_dnf_threshold(dnf)
    for row in all_rows(NAMES).rows():
        assert linear.value(term_row(dnf.terms, row)) == dnf.value(row)


@pytest.mark.parametrize("text", ["1", "x1", "~x2", "x1 & ~x2 & x4", "~x1 & ~x2 & ~x3 & ~x4"])
def test_a_conjunction_is_a_disjunction_of_the_complement_negated(text):
    term = Term.parse(text)
    for row in all_rows(NAMES).rows():
        assert conjunction_by_complement(term, row) == term.value(row)


def test_a_term_that_is_never_true_has_no_such_disjunction():
    with pytest.raises(FormulaError, match="never true"):
        complement_disjunction(Term([Literal("x1"), ~Literal("x1")]))
