"""The experiments by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import SequenceMatcher
from types import MappingProxyType

from conjunct.errors import SettingError
from conjunct.lab.eg_loss import EG_LOSS
from conjunct.lab.elimination import ELIMINATION
from conjunct.lab.experiment import Experiment
from conjunct.lab.infinite_attributes import INFINITE_ATTRIBUTES
from conjunct.lab.perceptron_bound import PERCEPTRON_BOUND
from conjunct.lab.perceptron_versus_winnow import PERCEPTRON_VERSUS_WINNOW
from conjunct.lab.winnow_bound import WINNOW_BOUND

__all__ = ["EXPERIMENTS", "find_experiment"]

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType(
    {
        each.name: each
        for each in (
            PERCEPTRON_BOUND,
            WINNOW_BOUND,
            ELIMINATION,
            EG_LOSS,
            INFINITE_ATTRIBUTES,
            PERCEPTRON_VERSUS_WINNOW,
        )
    }
)


def find_experiment(name: str) -> Experiment:
    """Return the experiment of that name.

    Raises
    ------
    SettingError
        When none has that name; the message lists the names, the nearest first.

    Examples
    --------
    >>> find_experiment("winnow-bound").name
    'winnow-bound'
    >>> find_experiment("winow")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    conjunct.errors.SettingError: no experiment is called 'winow'; did you mean 'winnow-bound'?
    Known names: winnow-bound, elimination, ...
    """
    if name not in EXPERIMENTS:
        nearest = sorted(EXPERIMENTS, key=lambda known: -SequenceMatcher(None, known, name.lower()).ratio())
        raise SettingError(
            f"no experiment is called {name!r}; did you mean {nearest[0]!r}?\nKnown names: {', '.join(nearest)}."
        )
    return EXPERIMENTS[name]
