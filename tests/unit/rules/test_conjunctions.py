import csv
import io
import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from rich.console import Console
from sklearn.datasets import load_iris
from sklearn.pipeline import make_pipeline

import conjunct
from conjunct import Binarizer, BitMatrix, ConjunctionSVC, KernelPerceptronClassifier, PerceptronClassifier
from conjunct.bits import holds_on, random_bits
from conjunct.datasets import monks, tic_tac_toe
from conjunct.errors import BitsError, ConjunctError, SettingError
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
from conjunct.models import KernelExpansion
from conjunct.rules import conjunctions, explain, polynomial, to_dnf
from conjunct.saving import TableModel
from parts import case

SQUARES = [f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")]


@pytest.fixture(scope="module")
def people():
    """A table whose rule is an interval and a category, with the pipeline that learned it."""
    rng = np.random.default_rng(3)
    age, sky = rng.integers(18, 50, 300), rng.choice(["grey", "clear", "snow"], 300)
    frame = pd.DataFrame({"age": age, "sky": sky})
    labels = np.where((age > 24) & (age <= 31) & (sky == "clear"), "out", "in")
    return frame, labels, make_pipeline(Binarizer(cuts=8), ConjunctionSVC(max_size=3, lam=1)).fit(frame, labels)


@pytest.mark.parametrize("lam", [1, 4])
def test_the_heaviest_rules_of_tic_tac_toe_are_the_lines_of_x(lam):
    boards = tic_tac_toe()
    machine = ConjunctionSVC(kernel=MonotoneConjunctions(3), lam=lam).fit(boards.rows, boards.labels)
    table = conjunctions(machine, boards.rows, boards.labels, top=100, distinct=False)
    grid = np.array(SQUARES).reshape(3, 3)
    lines = [*grid, *grid.T, grid.diagonal(), grid[::-1].diagonal()]
    rules = [rule for rule in table.rules if rule.size == 3 and rule.label == "positive"]
    assert table.proved
    assert len(rules) > 8
    assert {frozenset(literal.variable for literal in rule.literals) for rule in rules[:8]} == {
        frozenset(f"{square}=x" for square in line) for line in lines
    }
    assert all(rule.precision == 1 and rule.support > 0 for rule in rules[:8])


def test_a_rule_says_on_how_many_rows_it_holds_and_what_they_are():
    rows, labels = ["110", "111", "011", "010"], ["yes", "yes", "no", "no"]
    machine = ConjunctionSVC(max_size=1, lam=1).fit(BitMatrix.of(rows), labels)
    rules = {rule.text: rule for rule in conjunctions(machine, BitMatrix.of(rows), labels, distinct=False).rules}
    assert (rules["x1"].label, rules["x1"].support, rules["x1"].precision) == ("yes", 2, 1)
    assert (rules["not x1"].label, rules["not x1"].support, rules["not x1"].precision) == ("no", 2, 1)
    new = conjunctions(machine, BitMatrix.of(["100", "101", "001"]), ["yes", "no", "no"], distinct=False).rules
    assert {(r.support, r.precision) for r in new if r.text == "x1"} == {(2, Fraction(1, 2))}
    assert {(r.support, r.precision) for r in new if r.text == "x2"} <= {(0, None)}


def test_costs_and_sizes_of_the_kernel_count():
    rows = BitMatrix.of(["11", "10"])
    model = KernelExpansion(Conjunctions(2, costs=(1, 2, 7)), rows, np.array([[3, -1]]), Fraction(1, 5), Fraction(0))
    weights = {rule.text: rule.weight for rule in conjunctions(model, distinct=False).rules}
    assert weights == {
        "(always)": Fraction(2, 5),
        "x1": Fraction(1, 5),
        "x2": Fraction(3, 10),
        "not x2": Fraction(-1, 10),
        "x1 & x2": Fraction(3, 35),
        "x1 & not x2": Fraction(-1, 35),
    }
    assert [rule.text for rule in conjunctions(model, max_size=0).rules] == ["(always)"]
    assert [rule.text for rule in conjunctions(model, top=None, min_weight="3/10").rules] == ["(always)", "x2"]


@pytest.mark.parametrize(("eps", "is_proved"), [("19/20", True), ("20/19", False)])
def test_costs_of_many_sizes_list_rules_and_say_what_is_proved(eps, is_proved):
    rows = BitMatrix.of(random_bits(5, (60, 40)))
    labels = holds_on(rows, (5,)) | holds_on(rows, (1, 3))
    machine = ConjunctionSVC(kernel=Conjunctions(costs=Geometric(eps)), lam=1).fit(rows, labels)
    table = conjunctions(machine, rows, labels, top=5, max_nodes=20_000)
    assert (table.proved, len(table)) == (is_proved, 5)
    assert table.rules[0].text == "x3"
    model = machine.model_
    for rule in table.rules:
        own = [2 * int(literal.variable[1:]) - 2 + literal.is_positive for literal in rule.literals]
        total = int(model.weights[0][holds_on(model.rows, own)].sum())
        assert rule.weight == model.unit * Fraction(eps) ** rule.size * total
        assert is_proved or abs(rule.weight) <= table.bound
    why = explain(machine, rows[0], top=5, max_nodes=20_000)
    assert sum(rule.weight for rule in why.contributions.rules) + why.remainder == why.score


def test_every_door_to_a_model_gives_the_same_rules(people, tmp_path):
    frame, labels, pipeline = people
    conjunct.save(pipeline, tmp_path / "m")
    expected = conjunctions(pipeline, frame, labels)
    columns = {name: frame[name].to_list() for name in frame}
    for model, X in (
        (conjunct.load(tmp_path / "m"), frame),
        (conjunct.load(tmp_path / "m"), columns),
        (TableModel.load(tmp_path / "m"), columns),
    ):
        assert conjunctions(model, X, labels) == expected
    frozen = KernelExpansion(
        *(getattr(pipeline[-1].model_, name) for name in ("kernel",)),
        pipeline[-1].model_.rows.with_names(pipeline[0].get_feature_names_out().tolist()),
        pipeline[-1].model_.weights,
        pipeline[-1].model_.unit,
        pipeline[-1].model_.threshold,
    )
    by_names = conjunctions(frozen)  # what the names alone say
    assert [rule.text for rule in by_names.rules] == [rule.text for rule in expected.rules]
    assert {rule.label for rule in by_names.rules} <= {0, 1}
    row = {"age": 28, "sky": "clear"}
    assert explain(conjunct.load(tmp_path / "m"), row) == explain(pipeline, frame[:0].assign(age=[28], sky="clear"))


def test_no_rule_lists_an_implied_test(people):
    frame, labels, pipeline = people
    for distinct in (True, False):
        rules = conjunctions(pipeline, frame, labels, top=60, distinct=distinct).rules
        assert len(rules) == 60
        assert len({rule.text for rule in rules}) == 60
        assert any(" < age <= " in rule.text for rule in rules)


def test_several_classes_have_a_list_each():
    table = load_iris(as_frame=True)
    names = table.target_names[table.target]
    pipeline = make_pipeline(Binarizer(), ConjunctionSVC(max_size=2)).fit(table.data, names)
    found = conjunctions(pipeline, table.data, names, top=4)
    assert [rule.label for rule in found.rules] == [name for name in table.target_names for _ in range(4)]
    for part in (found.rules[:4], found.rules[4:8], found.rules[8:]):
        sizes = [abs(rule.weight) for rule in part]
        assert sizes == sorted(sizes, reverse=True)


def test_linear_models_have_a_conjunction_for_each_variable():
    rows, labels = [[0, 1, 0], [1, 1, 0], [1, 0, 1], [0, 0, 1]], ["a", "b", "b", "a"]
    model = PerceptronClassifier(shuffle=False).fit(pd.DataFrame(rows, columns=["p", "q", "r"]), labels)
    frozen = model.model_
    weights = {rule.text: rule.weight for rule in conjunctions(model).rules if rule.size}
    exact = dict(zip("pqr", (frozen.unit * int(weight) for weight in frozen.weights[0]), strict=True))
    assert weights == {name: weight for name, weight in exact.items() if weight}
    named = conjunct.WinnowClassifier(max_size=2, shuffle=False)
    named.fit([{"red", "round"}, {"red", "flat"}, {"blue", "round"}, set()], [1, 0, 0, 0])
    table = conjunctions(named, [{"red", "round"}, {"red", "new"}], [1, 0])
    assert ("red & round", 1, 1) in {(rule.text, rule.support, rule.precision) for rule in table.rules}
    why = explain(named, {"red", "never seen"}, top=None)
    assert why.score == named.model_.scores(named.names_.rows([{"red", "never seen"}], grows=False))[0][0]
    assert sum(share.weight for share in why.shares) == why.score


def test_a_search_that_met_its_limit_says_so(people):
    *_, pipeline = people
    table = conjunctions(pipeline, top=3, max_nodes=20)
    assert not table.proved
    assert table.stopped_by == "nodes"
    assert len(table) == 3
    assert "Stopped by max_nodes: conjunctions that were not looked at weigh at most" in str(table)
    assert "(not proved)" in str(table)
    assert json.loads(table.to_json())["bound"] == str(table.bound)
    assert "Proved" in str(conjunctions(pipeline, top=3))


def test_every_printed_table_says_that_heaviest_is_not_relevant(people):
    frame, _, pipeline = people
    table = conjunctions(pipeline, top=2)
    for text in (str(table), table.to_json(), str(explain(pipeline, frame[:1]))):
        assert "Heaviest does not mean relevant" in text
    console = Console(file=io.StringIO(), width=200)
    console.print(table)
    assert console.file.getvalue().rstrip() == str(table)


def test_hostile_names_are_escaped_in_every_format():
    names = ['say "hi"\n', "<script>", "=cmd()", "[red]x[/red], y"]
    rows = BitMatrix.of(["1110", "0111", "1011", "0001"], names)
    labels = ["=1+1", "=1+1", "<no>\x1b", "<no>\x1b"]
    table = conjunctions(ConjunctionSVC(max_size=2, lam=1).fit(rows, labels), rows, labels, distinct=False, top=99)
    assert all(line.isprintable() for line in str(table).splitlines())
    records = list(csv.DictReader(io.StringIO(table.to_csv())))
    assert len(records) == len(table) == len(table.to_csv().splitlines()) - 1
    assert {record["label"] for record in records} == {"'=1+1", "<no>\\x1b"}
    assert [record["literals"] for record in records] == [rule.text for rule in table.rules]
    text = table.to_json()
    assert not set("<>&") & set(text)
    parsed = json.loads(text)["rules"]
    assert [Fraction(rule["exact_weight"]) for rule in parsed] == [rule.weight for rule in table.rules]
    assert {name for rule in parsed for name, _ in rule["literals"]} == set(names)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow", None])
def test_a_table_is_a_frame_of_any_library(people, backend):
    frame, labels, pipeline = people
    table = conjunctions(pipeline, frame, labels, top=5)
    columns = table.to_frame(backend)
    names = ["literals", "weight", "size", "support", "precision", "label", "proved"]
    assert list(getattr(columns, "column_names", columns.columns)) == names
    assert [float(weight) for weight in columns["weight"].to_numpy()] == [float(rule.weight) for rule in table.rules]
    with pytest.raises(SettingError, match="backend='excel': expected pandas, polars or pyarrow"):
        table.to_frame("excel")


def test_what_has_no_conjunctions_is_refused_by_name(people):
    frame, labels, pipeline = people
    rows, three = monks(1).rows, np.arange(432) % 3
    kernels = Conjunctions(2).on([0, 1]) + Conjunctions(1)
    summed = ConjunctionSVC(kernel=kernels, lam=1).fit(rows, monks(1).labels)
    pairs = ConjunctionSVC(max_size=1, lam=1, multiclass="ovo").fit(rows, three)
    voted = KernelPerceptronClassifier(prediction="voted").fit(rows, monks(1).labels)
    for call, message in (
        (
            lambda: conjunctions(ConjunctionSVC()),
            "model: this ConjunctionSVC has no model_; expected a fitted classifier",
        ),
        (lambda: conjunctions(PerceptronClassifier()), "model: this PerceptronClassifier has no model_"),
        (lambda: conjunctions(make_pipeline(Binarizer(), ConjunctionSVC())), "expected one of a fitted Binarizer"),
        (lambda: conjunctions(summed), "expected Conjunctions or MonotoneConjunctions over all columns"),
        (lambda: polynomial(summed), "expected Conjunctions or MonotoneConjunctions over all columns"),
        (lambda: explain(summed, rows[0]), "expected Conjunctions or MonotoneConjunctions over all columns"),
        (lambda: conjunctions(pairs), "votes of pairs of classes; give one of model_.parts"),
        (lambda: conjunctions(voted), "a VotedExpansion is no sum of weighted conjunctions"),
        (lambda: conjunctions(7), "a int is no sum of weighted conjunctions"),
        (lambda: to_dnf(7, rows), "a int predicts no class"),
        (lambda: to_dnf(pipeline, frame[:0]), "X has no rows; a DNF is made of the predictions for some"),
        (lambda: conjunctions(pipeline, top=0), "top=0: expected a positive integer"),
        (lambda: conjunctions(pipeline, top=None), "top=None: expected how many to list, or min_weight"),
        (lambda: conjunctions(pipeline, time_limit=0), "time_limit=0: expected a positive number"),
        (lambda: conjunctions(pipeline, y=labels), "X=None: labels y need the rows X"),
        (lambda: conjunctions(pipeline, frame, ["?"] * 300), "label '?' in row 0; expected one of those of the model"),
        (lambda: conjunctions(pipeline, frame, labels[1:]), "300 rows need as many labels"),
        (lambda: conjunctions(pipeline, frame[["age"]]), "the table has no column 'sky'"),
        (lambda: explain(pipeline, frame[:2]), "expected one row to explain, got 2"),
        (lambda: explain(pipeline, {"age": 3}), "the row has no entry 'sky'"),
        (lambda: explain(pipeline, frame[:1], label="in"), "the one score of the model is that of 'out'"),
        (lambda: to_dnf(pairs, rows), "label=None: expected one of"),
        (lambda: to_dnf(pipeline, frame, labels, max_terms=0), "max_terms=0: expected a positive integer"),
        (lambda: polynomial(ConjunctionSVC(max_size=5, lam=1).fit(rows, monks(1).labels)), "limit is 100000"),
        (lambda: polynomial(ConjunctionSVC(max_size=1, lam=1).fit(rows, three)), "the model has a score for each of"),
        (lambda: conjunctions(pairs.model_.parts[0], BitMatrix.of(["10"])), "X has 2 variables, the model 17"),
    ):
        with case(message), pytest.raises(ConjunctError) as refusal:
            call()
        assert message in str(refusal.value)
        assert "\n" not in str(refusal.value)
    with pytest.raises(BitsError, match="conjunctions are of Boolean rows"):
        explain(PerceptronClassifier().fit([[0.5, 1], [1, 0]], [0, 1]), conjunct.bits.SparseRows.of_real([[0.5, 1]]))
