"""Which conjunctions an estimator learns with: max_size and literals, or a kernel instead of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from conjunct import ConjunctionSVC, ConjunctionSVCCV, KernelPerceptronClassifier
from conjunct.errors import SettingError
from conjunct.kernels import Conjunctions, MonotoneConjunctions

KINDS = {"both": Conjunctions, "positive": MonotoneConjunctions}
random = np.random.RandomState(0)
ROWS = random.randint(0, 2, (40, 5))
LABELS = ROWS[:, 0] ^ ROWS[:, 1]


@pytest.mark.parametrize("literals", KINDS)
@pytest.mark.parametrize("max_size", [1, 2, 3, None])
@pytest.mark.parametrize("kind", [ConjunctionSVC, KernelPerceptronClassifier])
def test_size_and_literals_are_the_kernel_they_name(kind: Any, max_size: int | None, literals: str) -> None:
    named = kind(max_size=max_size, literals=literals).fit(ROWS, LABELS)
    given = kind(KINDS[literals](max_size)).fit(ROWS, LABELS)
    assert named.model_.kernel == given.model_.kernel
    assert named.decision_function(ROWS).tolist() == given.decision_function(ROWS).tolist()


@pytest.mark.parametrize("literals", KINDS)
def test_a_search_takes_literals(literals: str) -> None:
    named = ConjunctionSVCCV(literals=literals, cv=2).fit(ROWS, LABELS)
    given = ConjunctionSVCCV(KINDS[literals](), cv=2).fit(ROWS, LABELS)
    assert named.model_.kernel == given.model_.kernel
    assert named.cv_results_["lam"] == given.cv_results_["lam"]


@pytest.mark.parametrize("kind", [ConjunctionSVC, KernelPerceptronClassifier, ConjunctionSVCCV])
def test_a_kernel_together_with_what_it_says_is_refused_by_name(kind: Any) -> None:
    with pytest.raises(SettingError, match=r"^literals='positive': a kernel is given too, Conjunctions\(.*leave one"):
        kind(Conjunctions(2), literals="positive").fit(ROWS, LABELS)
    if kind is not ConjunctionSVCCV:
        with pytest.raises(SettingError, match=r"^max_size=2: a kernel is given too, Monotone.*leave one"):
            kind(MonotoneConjunctions(2), max_size=2).fit(ROWS, LABELS)


@pytest.mark.parametrize("kind", [ConjunctionSVC, KernelPerceptronClassifier])
@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"max_size": 0}, "max_size=0: expected a positive integer, or None for every size"),
        ({"max_size": "2"}, "max_size='2': expected a positive integer"),
        ({"literals": "negative"}, "literals='negative': expected "),
        ({"literals": None}, "literals=None: expected "),
    ],
)
def test_other_sizes_and_literals_are_refused(kind: Any, settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(SettingError, match=reason):
        kind(**settings).fit(ROWS, LABELS)


def test_there_are_no_longer_conjunctions_than_variables() -> None:
    for literals, kernel in KINDS.items():
        machine = ConjunctionSVC(max_size=9, literals=literals).fit(ROWS, LABELS)
        assert machine.model_.kernel == kernel(5)


def test_a_field_of_the_kernel_can_be_searched_where_none_was_given() -> None:
    machine = ConjunctionSVC(max_size=2, literals="positive")
    assert machine.set_params(kernel__max_size=1).kernel == MonotoneConjunctions(1)
