"""What the run of a kernel machine proves about every tree: `certificate` of the estimators."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from conjunct import BitMatrix, ConjunctionSVC, ConjunctionSVCCV, KernelPerceptronClassifier, certify_tree
from conjunct.errors import BitsError, SettingError
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions

RNG = np.random.default_rng(0)
X = RNG.integers(0, 2, (300, 6))
NOISY = (X[:, 0] & X[:, 1] | X[:, 2]) ^ (RNG.random(300) < 0.15)
# Few rows, nothing forced, so that weights prove more than what is trivial: parity of two variables beside constants.
PARITY = np.array([[a, b, 1] for a in (0, 1) for b in (0, 1)] * 9)
ODD = PARITY[:, 0] ^ PARITY[:, 1]


@pytest.mark.parametrize("solver", ["exact", "margin", "perceptron"])
def test_the_bound_of_a_machine_is_certified_and_rounded_up_to_what_trees_cost(solver):
    machine = ConjunctionSVC(max_size=2, lam=1, solver=solver, max_iter=20_000).fit(PARITY, ODD)
    certificate = machine.certificate(PARITY, ODD)
    assert certificate.certified
    assert certificate.error_price == 4
    assert certificate.n_weights == 4
    assert certificate.bound - 1 < machine.bound_ <= certificate.bound <= 4
    assert certificate.bound == (3 if solver == "perceptron" else 4) or solver != "exact"


def test_a_certificate_never_passes_the_best_tree():
    for weight in (None, "balanced", {0: 2, 1: 1}):
        for lam in (1, Fraction(4, 3), 8):
            machine = ConjunctionSVC(max_size=2, lam=lam, class_weight=weight).fit(X, NOISY)
            bound = machine.certificate(X, NOISY)
            price = 4 / Fraction(lam)
            tree = certify_tree(X, NOISY, max_depth=2, error_price=price, class_weight=weight, check=False)
            assert bound.certified
            assert bound.error_price == price
            assert bound.bound <= tree.bound


def test_sample_weights_are_costs_of_errors():
    weights = RNG.integers(1, 4, len(X))
    machine = ConjunctionSVC(max_size=2, lam=4).fit(X, NOISY, sample_weight=weights)
    bound = machine.certificate(X, NOISY, sample_weight=weights)
    assert bound.header["row_costs"] == list(map(str, weights.tolist()))
    tree = certify_tree(X, NOISY, max_depth=2, sample_weight=weights, check=False)
    assert machine.bound_ <= bound.bound + 1
    assert bound.bound <= tree.bound


def test_several_classes_have_a_price_of_8_over_classes_times_lam():
    labels = np.array(["a", "b", "c"])[PARITY[:, 0] + PARITY[:, 1]]
    machine = ConjunctionSVC(max_size=2, lam=1).fit(PARITY, labels)
    bound = machine.certificate(PARITY, labels)
    assert bound.certified
    assert bound.error_price == Fraction(8, 3)
    assert bound.bound <= certify_tree(PARITY, labels, max_depth=2, error_price=Fraction(8, 3), check=False).bound
    votes = ConjunctionSVC(max_size=2, lam=1, multiclass="ovo").fit(PARITY, labels)
    with pytest.raises(SettingError, match="a certificate needs a model over one kernel"):
        votes.certificate(PARITY, labels)


def test_mistakes_of_a_perceptron_prove_a_bound():
    for error_price in (1, "1/3", None):
        learner = KernelPerceptronClassifier(max_size=2, prediction="final", max_passes=50).fit(PARITY, ODD)
        bound = learner.certificate(PARITY, ODD, error_price=error_price)
        assert bound.certified
        tree = certify_tree(PARITY, ODD, max_depth=2, error_price=error_price, check=False)
        assert 1 <= bound.bound <= tree.bound
    weighed = KernelPerceptronClassifier(max_size=2, class_weight={0: 3}, learning_rate="1/7").fit(PARITY, ODD)
    assert weighed.certificate(PARITY, ODD).certified  # rates of updates, not costs of errors


def test_kernels_say_what_the_claim_is_about():
    for kernel, literals, leaf_costs in (
        (MonotoneConjunctions(2), "positive", None),
        (Conjunctions(2, costs=Geometric(2)), "both", ["1", "1/2", "1/4"]),
        (Conjunctions(costs=[1, 1, 2, 3]), "both", ["1", "1", "2", "3"]),
    ):
        header = ConjunctionSVC(kernel, lam=1).fit(PARITY, ODD).certificate(PARITY, ODD).header
        assert (header["literals"], header["leaf_costs"]) == (literals, leaf_costs)
    found = ConjunctionSVCCV(max_sizes=[1, 2], lams=[1, 4], cv=2).fit(PARITY, ODD)
    assert found.certificate(PARITY, ODD).max_depth in (1, 2)


def test_names_and_labels_reach_the_claim():
    rows = BitMatrix.of(PARITY).with_names(["left", "right", "on"])
    labels = np.where(ODD, "yes", "no")
    certificate = ConjunctionSVC(max_size=2, lam=1).fit(rows, labels).certificate(rows, labels)
    assert certificate.tests == ("left", "right", "on")
    assert certificate.classes == ("no", "yes")


def test_what_has_no_certificate_is_refused_in_a_line():
    with pytest.raises(NotFittedError):
        ConjunctionSVC().certificate(PARITY, ODD)
    machine = ConjunctionSVC(max_size=2, lam=1).fit(PARITY, ODD)
    with pytest.raises(SettingError, match="the model has rows that are not among these"):
        machine.certificate(PARITY[:1], ODD[:1])
    with pytest.raises(BitsError, match="y has the label 7, which is no class of the model"):
        machine.certificate(PARITY, ODD + 7)
    with pytest.raises(SettingError, match="error_price"):
        KernelPerceptronClassifier().fit(PARITY, ODD).certificate(PARITY, ODD, error_price=0)
    mixture = ConjunctionSVC(Conjunctions(2).on([0, 1]) + Conjunctions(1), lam=1).fit(PARITY, ODD)
    with pytest.raises(SettingError, match="a certificate needs a model over one kernel"):
        mixture.certificate(PARITY, ODD)
    voted = KernelPerceptronClassifier(prediction="voted").fit(PARITY, ODD)
    with pytest.raises(SettingError, match="no votes"):
        voted.certificate(PARITY, ODD)
