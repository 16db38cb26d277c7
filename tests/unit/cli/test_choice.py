from __future__ import annotations

from fractions import Fraction
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from conjunct.bits import BitMatrix
from conjunct.cli.choice import INNER_TOL, Choice, InnerLosses, fresh, held_out_loss, quick
from conjunct.cli.fold_parts import Parts
from conjunct.estimators import ConjunctionSVC, ConjunctionSVCCV, PerceptronClassifier
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions

ROWS = BitMatrix.of(["000", "001", "011", "101", "110", "111"])
HELD_OUT = BitMatrix.of(["010", "100", "110", "011"])


def parts_with(codes: list[int], held_out_codes: list[int]) -> Parts:
    return Parts(ROWS, np.array(codes), HELD_OUT, np.array(held_out_codes))


# What is lost on held-out rows


@pytest.mark.parametrize("codes", [[0, 0, 1, 1, 0, 1], [0, 2, 1, 1, 0, 2]], ids=["two classes", "three classes"])
def test_a_margin_machine_loses_its_own_loss_on_the_held_out_rows(codes: list[int]) -> None:
    machine, held_out_codes = ConjunctionSVC(max_size=2), [0, 1, 1, 0]
    loss = held_out_loss(machine, parts_with(codes, held_out_codes))
    scores = machine.decision_function(HELD_OUT)
    outputs = [[-value, value] for value in scores] if scores.ndim == 1 else [list(row) for row in scores]
    expected = 0.0
    for code, row in zip(held_out_codes, outputs, strict=True):
        signed = [value if code == place else -value for place, value in enumerate(row)]
        expected += sum(max(0, 1 - value) ** 2 for value in (signed[1:] if scores.ndim == 1 else signed))
    assert loss == pytest.approx(expected)
    assert loss > 0


def test_scores_that_are_shown_as_logarithms_lose_what_the_exact_scores_lose() -> None:
    rows, held_out = BitMatrix.of(["0" * 60, "1" * 60]), BitMatrix.of(["0" * 59 + "1", "1" * 59 + "0"])
    machine = ConjunctionSVC(Conjunctions(), lam=2**60)
    loss = held_out_loss(machine, Parts(rows, np.array([0, 1]), held_out, np.array([0, 1])))
    assert machine.model_.is_logarithmic
    first, second = (float(row[0]) for row in machine.model_.scores(held_out))
    assert loss == pytest.approx((1 + first) ** 2 + (1 - second) ** 2)
    assert 0.1 < second < 0.9


def test_another_learner_loses_its_mistakes() -> None:
    learner = PerceptronClassifier()
    loss = held_out_loss(learner, parts_with([0, 0, 1, 1, 0, 1], [0, 1, 1, 0]))
    assert loss == np.sum(learner.predict(HELD_OUT) != [0, 1, 1, 0])


def test_the_least_sum_of_losses_is_chosen_of_equals_the_first_and_nothing_is_learned_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    losses = {4: (1, 5), 16: (2, 3), 32: (4, 1), "all": (0, None)}  # by fold; None is of cuts that make no variable
    learned = []

    def fold(number: int, cuts: int | str) -> SimpleNamespace | None:
        loss = losses[cuts][number]
        return None if loss is None else SimpleNamespace(rows=ROWS, loss=loss)

    def known_loss(learner: object, parts: SimpleNamespace) -> float:
        learned.append(parts.loss)
        return float(parts.loss)

    monkeypatch.setattr("conjunct.cli.choice.held_out_loss", known_loss)
    inner = InnerLosses(ConjunctionSVC(), [partial(fold, 0), partial(fold, 1)])
    assert inner.least([Choice("all", None), *(Choice(cuts, None) for cuts in (4, 32, 16))]).cuts == 32
    assert learned == [0, 1, 5, 4, 1, 2, 3]
    assert inner.least([Choice(16, None), Choice(32, None)]).cuts == 16
    assert len(learned) == 7


# What a choice is


def test_a_chosen_lam_is_in_units_of_the_mean_of_the_kernel_on_the_rows() -> None:
    rows = BitMatrix.of(["1101", "0100", "0000"])
    kernel = MonotoneConjunctions(2)
    mean = sum(Fraction(kernel.value(row, row)) for row in ("1101", "0100", "0000")) / 3
    learner = ConjunctionSVC(max_size=2, literals="positive")
    assert Choice("auto", Fraction(1, 8)).learner(learner, rows).lam == mean / 8
    assert Choice("auto", None).learner(learner, rows).lam is None
    assert Choice("auto", Fraction(1, 2)).learner(ConjunctionSVC(), rows).fit(rows, [0, 1, 1]).lam_ == (
        ConjunctionSVC().fit(rows, [0, 1, 1]).lam_
    )


def test_choosing_neither_searches_nor_solves_to_the_end() -> None:
    learner = quick(ConjunctionSVCCV(literals="positive"))
    assert (type(learner), learner.literals) == (ConjunctionSVC, "positive")
    given = ConjunctionSVC(lam=7, solver="margin", max_iter=3)
    assert (quick(given).lam, quick(given).tol, quick(given).solver, quick(given).max_iter) == (
        7,
        INNER_TOL,
        "exact",
        None,
    )
    assert given.tol == 1e-3


def test_a_fresh_learner_has_no_conjunctions_longer_than_its_rows() -> None:
    learner = ConjunctionSVC(MonotoneConjunctions(3, Geometric("1/2")), lam=2)
    copy = fresh(learner, 2)
    assert (copy.kernel, copy.lam) == (MonotoneConjunctions(2, Geometric("1/2")), 2)
    assert learner.kernel.max_size == 3
    assert fresh(learner, 3).kernel == learner.kernel
    assert fresh(PerceptronClassifier(), 1).get_params() == PerceptronClassifier().get_params()
