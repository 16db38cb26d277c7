from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_iris

from conjunct import BitMatrix, ConjunctionSVC, PerceptronClassifier
from conjunct.datasets import breast_cancer, monks, tic_tac_toe
from conjunct.kernels import Conjunctions
from conjunct.logic import DNF
from conjunct.rules import to_dnf


@pytest.mark.parametrize("literals", ["both", "positive"])
def test_monk_1_is_read_from_a_machine_as_it_was_written(literals):
    robots = monks(1)
    machine = ConjunctionSVC(literals=literals, lam=1).fit(robots.rows, robots.labels)
    found = to_dnf(machine, robots.rows, robots.labels)
    target = DNF.parse(robots.target)
    assert np.array_equal(found.formula.evaluate(robots.rows), robots.labels == 1)
    assert found.fidelity == found.accuracy == 1
    assert found.n_terms <= 5
    assert found.proved
    assert found.formula == target
    assert "head_shape=round & body_shape=round" in found.texts
    assert found.label == 1
    assert "4 terms; of 432 rows it agrees with the model on 432 (100.0 %)" in str(found)


def test_the_lines_of_x_are_read_from_a_machine_of_tic_tac_toe():
    boards = tic_tac_toe()
    machine = ConjunctionSVC(max_size=3, literals="positive", lam=1).fit(boards.rows, boards.labels)
    found = to_dnf(machine, boards.rows, boards.labels)
    assert found.formula == DNF.parse(boards.target)
    assert found.fidelity == 1


def test_fidelity_and_accuracy_are_those_of_the_formula():
    table = breast_cancer()
    machine = ConjunctionSVC(max_size=2).fit(table.rows, table.labels)
    for most in (1, 3, None):
        found = to_dnf(machine, table.rows, table.labels, max_terms=most, label="benign")
        says = np.where(found.formula.evaluate(table.rows), "benign", "malignant")
        predicted = machine.predict(table.rows)
        assert found.fidelity == Fraction(int((says == predicted).sum()), 569)
        assert found.accuracy == Fraction(int((says == table.labels).sum()), 569)
        assert found.n_terms == len(found.formula.terms) <= (most or 99)
    assert found.fidelity > Fraction(95, 100)
    assert to_dnf(machine, table.rows).accuracy is None


def test_no_term_and_no_literal_can_be_dropped_for_free():
    table = breast_cancer()
    machine = ConjunctionSVC(max_size=2).fit(table.rows, table.labels)
    found, predicted = to_dnf(machine, table.rows), machine.predict(table.rows) == "malignant"
    n_right = int((found.formula.evaluate(table.rows) == predicted).sum())
    for term in found.formula.terms:
        others = [own for own in found.formula.terms if own != term]
        variants = [others, *([*others, term.without(name)] for name in term.variables)]
        assert all((DNF(own).evaluate(table.rows) == predicted).sum() < n_right for own in variants)


def test_any_model_of_classes_is_imitated():
    iris = load_iris()
    rows = BitMatrix.of((iris.data > np.median(iris.data, axis=0)).astype(int))
    kernel = Conjunctions(2).on([0, 1]) + Conjunctions(2).on([2, 3])
    for model in (
        ConjunctionSVC(kernel=kernel, lam=1),
        ConjunctionSVC(max_size=2, lam=1, multiclass="ovo"),
        PerceptronClassifier(),
        PerceptronClassifier(average="voted")
        if "average" in PerceptronClassifier().get_params()
        else PerceptronClassifier(),
    ):
        found = to_dnf(model.fit(rows, iris.target), rows, iris.target, label=2)
        assert found.fidelity == 1  # four variables, terms of up to four literals


def test_a_model_that_says_one_thing_only_has_the_shortest_formula():
    robots = monks(1)
    machine = ConjunctionSVC(max_size=2, lam=1).fit(robots.rows, robots.labels)
    says_yes, says_no = (robots.rows[machine.predict(robots.rows) == answer] for answer in (1, 0))
    assert (to_dnf(machine, says_yes).texts, to_dnf(machine, says_no).texts) == (("(always)",), ())
    assert "never" in str(to_dnf(machine, says_no))
