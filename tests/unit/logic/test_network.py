import pytest

from conjunct.errors import FormulaError
from conjunct.logic import HalfspaceIntersection, Network, Threshold
from reference.slow_rows import all_rows

NAMES = ["a", "b", "c"]


def test_bias_zero_in_a_copy_of_binary_outputs_is_wrong():
    formula = HalfspaceIntersection.parse("(a >= 1) & (b >= 1)")
    right = formula.network("binary", depth=2)
    first, copies, output = right.layers
    assert right.table(NAMES) == formula.table(NAMES)
    zero_bias = [(dict(unit.weights), 0) for unit in copies]
    assert Network([first, zero_bias, output], "binary").constant is True  # every 0 became 1
    assert Network([first, zero_bias, output], "signed").table(NAMES) == formula.table(NAMES)


def test_a_pair_of_weights_and_a_bias_fires_at_zero():
    network = Network([[({"a": 1, "b": 1}, -1)]], "signed")
    assert str(network) == "signed: (a + b >= 1)"
    assert [network.value(row) for row in all_rows(["a", "b"]).rows()] == [False, True, True, True]


def test_the_convention_changes_what_the_next_layer_sees():
    text = "(a >= 1) (b >= 1) -> (u1 + u2 >= 0)"
    assert format(Network.parse(f"signed: {text}").table(["a", "b"]), "04b") == "1110"
    assert format(Network.parse(f"binary: {text}").table(["a", "b"]), "04b") == "1111"


def test_weights_of_any_size_pass_through_every_layer():
    text = f"signed: (a >= 1) (b >= 1) (c >= 1) -> ({2**80}*u1 - {2**80}*u2 + 1/3*u3 >= 1/3)"
    network = Network.parse(text)
    expected = [network.value(row) for row in all_rows(NAMES).rows()]
    assert network.evaluate(all_rows(NAMES)).tolist() == expected
    assert [bool(network.table(NAMES) >> a & 1) for a in range(8)] == expected
    assert expected == [r["a"] > r["b"] or (r["a"] == r["b"] and r["c"] == 1) for r in all_rows(NAMES).rows()]


def test_constants_are_found_layer_by_layer():
    network = HalfspaceIntersection.parse("(a + b >= 1) & (c - a >= 0)").network("signed", depth=3)
    assert network.constant is None
    assert network.restricted("a", True).restricted("c", False).constant is False
    assert network.restricted("a", True).restricted("c", True).constant is True


@pytest.mark.parametrize(
    "text",
    ["", "(a >= 1)", "signed (a >= 1)", "signed:", "signed: (a >= 1) ->", "signed: (a >= 1) -> (u2 >= 0)",
     "signed: (a >= 1) -> (a >= 1)", "signed: (a >= 1) b"],
)  # fmt: skip
def test_other_texts_are_refused_with_their_place(text):
    with pytest.raises(FormulaError, match=r"\(character \d+\)"):
        Network.parse(text)


def test_variables_may_be_called_as_units_are():
    network = Network.parse("binary: (u7 >= 1) (a >= 1) -> (u1 + u2 >= 2)", names=["u7", "a"])
    assert network.variables == ("a", "u7")
    with pytest.raises(FormulaError, match="no variable is called 'b'"):
        Network.parse("binary: (b >= 1)", names=["a"])


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([], "needs a unit"),
        ([[], [({}, 1)]], "needs a unit"),
        ([[({"a": 1}, 0), ({"b": 1}, 0)]], "the last layer has 2 units"),
        ([[({"a": 1}, 0)], [({"u2": 1}, 0)]], "layer 2 has an input 'u2'; layer 1 has 1 units"),
        ([["a >= 1"]], "a unit is a Threshold or a pair"),
        ([[({"a": "x"}, 0)]], "the weight of 'a'"),
    ],
)
def test_what_is_no_network_is_refused(layers, message):
    with pytest.raises(FormulaError, match=message):
        Network(layers, "signed")


def test_the_constant_of_a_wide_network_builds_each_unit_a_few_times_and_not_once_for_every_settled_input(monkeypatch):
    built = []
    prepare = Threshold.__init__
    monkeypatch.setattr(Threshold, "__init__", lambda unit, *parts: (built.append(unit), prepare(unit, *parts))[1])
    units = [({"a": 1}, n) for n in range(1, 301)]
    later = [({f"u{n}": 1 for n in range(1, 301)}, -5)] * 300
    assert Network([units, later, [({"u7": 1}, -1)]], "signed").constant is True
    assert len(built) <= 3 * 601  # as given, over zeros and ones, and with what is settled
