import pytest

from conjunct.errors import FormulaError
from conjunct.logic import HalfspaceIntersection, Threshold
from reference.slow_rows import all_rows

NAMES = ["a", "b", "c"]
SOME = HalfspaceIntersection.parse("(a + b >= 1) & (c - a >= 0) & (1/2*a + 1/3*b - c >= -1/2)")


def test_all_thresholds_must_be_reached():
    for row in all_rows(NAMES).rows():
        a, b, c = row.values()
        assert SOME.value(row) == (a + b >= 1 and c >= a and 3 * a + 2 * b - 6 * c >= -3)


def test_of_none_it_is_always_true():
    none = HalfspaceIntersection([])
    assert (str(none), none.constant, none.table(NAMES)) == ("1", True, 255)
    assert HalfspaceIntersection.parse("1") == none
    assert none.evaluate(all_rows(NAMES)).all()
    for convention in ("signed", "binary"):
        assert none.network(convention, depth=3).table(NAMES) == 255


def test_restriction_drops_what_holds_and_keeps_what_never_does():
    assert str(SOME.restricted("a", True)) == "(c >= 1)"  # the third is 1/3*b - c >= -1
    never = SOME.restricted("a", True).restricted("c", False)
    assert never.constant is False
    assert HalfspaceIntersection.parse(str(never)) == never


@pytest.mark.parametrize("text", ["", "a >= 1", "(a >= 1", "(a >= 1) &", "(a >= 1) (b >= 1)", "0", "1 & (a >= 1)"])
def test_other_texts_are_refused_with_their_place(text):
    with pytest.raises(FormulaError, match=r"\(character \d+\)"):
        HalfspaceIntersection.parse(text)


@pytest.mark.parametrize("convention", ["signed", "binary"])
@pytest.mark.parametrize("depth", [1, 2, 3, 6])
def test_the_network_is_the_same_function_at_every_depth(convention, depth):
    network = SOME.network(convention, depth)
    assert len(network.layers) == depth + 1
    assert network.table(NAMES) == SOME.table(NAMES)
    assert network.evaluate(all_rows(NAMES)).tolist() == SOME.evaluate(all_rows(NAMES)).tolist()
    assert [network.value(row) for row in all_rows(NAMES).rows()] == SOME.evaluate(all_rows(NAMES)).tolist()


def test_no_unit_of_the_network_meets_its_threshold_exactly():
    network = SOME.network("signed")
    for unit in network.layers[0]:
        for row in all_rows(NAMES).rows():
            assert sum(weight * row[name] for name, weight in unit.weights) != unit.threshold


@pytest.mark.parametrize("depth", [0, -1, 1.0, True])
def test_a_network_without_a_hidden_layer_is_refused(depth):
    with pytest.raises(FormulaError, match="depth is"):
        SOME.network("signed", depth)


def test_what_is_no_threshold_or_convention_is_refused():
    with pytest.raises(FormulaError, match="made of thresholds"):
        HalfspaceIntersection(["a >= 1"])
    with pytest.raises(FormulaError, match="convention is 'unary'"):
        HalfspaceIntersection([Threshold({}, 1)]).network("unary")
