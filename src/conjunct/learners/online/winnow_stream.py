"""Winnow that is shown examples by name, one a call."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from conjunct import _core
from conjunct.bits import NameTable, memory_limit
from conjunct.errors import SettingError
from conjunct.learners.online.perceptron_stream import EXAMPLES_BETWEEN_CHECKS, MOST_ENTRIES
from conjunct.models.weight_powers import nearest

if TYPE_CHECKING:
    from conjunct.learners.online.winnow_run import WinnowRun

__all__ = ["WinnowStream"]


class WinnowStream:
    """Show the runs of Winnow, one per output, examples by name: a call of the core for each, as in `PerceptronStream`.

    Where floats do not decide, fractions do, before any run has learned from the example. Updates are written down by
    the core for the exact mean, and taken over when a stream is made anew or a run learns from a batch.

    Parameters
    ----------
    runs : sequence of WinnowRun
        They keep no updates, and their weights are not normalised.
    table : NameTable
    rates : sequence of int
        How many times an update on each class promotes or demotes.

    Raises
    ------
    SettingError
        The runs are of another kind, or past the tables of weights.
    """

    def __init__(self, runs: Sequence[WinnowRun], table: NameTable, rates: Sequence[int]) -> None:
        first, learner = runs[0], runs[0].learner
        if first.keeps_updates or first.is_normalised:
            raise SettingError("a stream keeps no updates, and no sum of all weights; learn batch by batch")
        most = min(table.most_slots(), memory_limit() // (learner.bytes_per_variable * len(runs)))
        for run in runs:
            run.make_ready(min(most, table.n_variables + EXAMPLES_BETWEEN_CHECKS), max(rates))
        natives: list[Any] = [run.weights.native for run in runs]
        kind: Any = _core.NetWinnowStream if first.powers.is_net else _core.ApartWinnowStream
        self._native = kind(
            table.native,
            first.native_rule(),
            natives,
            [run.native_state() for run in runs],
            [run.pending for run in runs] if first.averages else None,
            [run.counts for run in runs],
            list(rates),
            lambda output, places, is_positive: runs[output].verdict(places, is_positive=is_positive),
            first.first_weight,
            most,
            MOST_ENTRIES,
            EXAMPLES_BETWEEN_CHECKS,
        )
        self._cut = nearest(Fraction(learner.threshold))

    def learn(self, example: object, code: int) -> bool:
        """Learn from an example of a class; false where that is for others, and nothing was changed."""
        return bool(self._native.learn(example, code))

    def choice(self, example: object, *, is_mean: bool) -> int | None:
        """Return the class of an example by the last weights or by their mean; None where that is for others."""
        choice: int | None = self._native.choice(example, is_mean, self._cut)
        return choice
