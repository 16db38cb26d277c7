from fractions import Fraction

import pytest
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

from conjunct import Binarizer, ConjunctionSVC
from conjunct.datasets import breast_cancer, monks, tic_tac_toe
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
from conjunct.rules import explain
from conjunct.rules.named_model import NamedModel
from parts import parts


def add_up(why, model, row):
    """Require that both lists add up to the score, and that every conjunction holds on the row."""
    rules = why.contributions.rules
    assert sum((rule.weight for rule in rules), Fraction()) + why.remainder == why.score
    assert sum((share.weight for share in why.shares), Fraction()) == why.score
    assert not any("never seen" in share.text for share in why.shares)
    assert why.score in model.scores(row)[0]
    entries = dict(zip(row.names, row.to_array()[0].tolist(), strict=True))
    assert all(literal.holds(entries[literal.variable]) for rule in rules for literal in rule.literals)


def test_every_conjunction_that_holds_is_listed_where_they_are_few():
    table = monks(1)
    machine = ConjunctionSVC(max_size=3, literals="positive", lam=1).fit(table.rows, table.labels)
    named = NamedModel.of(machine)
    for number in range(0, 432, 5):
        why = explain(named, table.rows[number], top=None, distinct=False)
        add_up(why, machine.model_, table.rows[number])
        assert why.remainder == 0
        assert why.label == table.labels[number]


@pytest.mark.parametrize("part", parts(4))
@pytest.mark.parametrize(
    ("table", "kernel"),
    [(tic_tac_toe(), MonotoneConjunctions(3)), (breast_cancer(), Conjunctions(2, costs=Geometric("1/2")))],
    ids=["tic-tac-toe", "breast-cancer"],
)
def test_every_row_of_a_real_table_is_explained_exactly(table, kernel, part):
    machine = ConjunctionSVC(kernel=kernel, lam=1).fit(table.rows, table.labels)
    named, predicted = NamedModel.of(machine), machine.predict(table.rows)
    for number in range(part, table.rows.n_rows, 4):
        why = explain(named, table.rows[number], top=3)
        add_up(why, machine.model_, table.rows[number])
        assert why.label == predicted[number]


def test_every_row_of_a_table_of_several_classes_is_explained_exactly():
    table = load_iris(as_frame=True)
    names = table.target_names[table.target]
    pipeline = make_pipeline(Binarizer(), ConjunctionSVC(max_size=2)).fit(table.data, names)
    rows, predicted = NamedModel.of(pipeline).rows(table.data), pipeline.predict(table.data)
    for number in range(len(table.data)):
        why = explain(pipeline, table.data[number : number + 1], top=4)
        add_up(why, pipeline[-1].model_, rows[number])
        assert why.label == why.speaks_for == predicted[number]
        assert why.threshold is None
    others = [explain(pipeline, table.data[:1], label=name).score for name in table.target_names]
    assert max(others) == others[0] == explain(pipeline, table.data[:1]).score


def test_reasons_are_a_few_columns_that_speak_for_the_label():
    table = monks(1)
    machine = ConjunctionSVC(max_size=2, literals="positive", lam=1).fit(table.rows, table.labels)
    reds = explain(machine, table.rows[0])
    assert {"jacket_color=red", "head_shape=round", "body_shape=round"} <= {share.text for share in reds.reasons}
    for number in (0, 100, 300):
        why = explain(machine, table.rows[number])
        sign = 1 if why.label == 1 else -1
        assert 1 <= len(why.reasons) <= 4
        assert all(sign * share.weight > 0 for share in why.reasons)
    assert "jacket_color=red" in str(reds)
    assert str(reds).startswith("predicted: 1\n")
    assert "(1 other)" in str(explain(machine, table.rows[0], top=6))
