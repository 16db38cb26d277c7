"""A Perceptron that is shown examples by name, one a call."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits import NameTable, memory_limit
from conjunct.errors import SettingError

if TYPE_CHECKING:
    from conjunct.learners.online.perceptron import PerceptronRun

__all__ = ["PerceptronStream"]

EXAMPLES_BETWEEN_CHECKS = 4096  # of memory and of the room that sums have
MOST_ENTRIES = 1 << 16  # of an example; longer ones are learned as a batch is
LARGEST_SCALE = 1 << 20  # of scores that are compared in 128 bits
STREAMS: dict[Any, Any] = {
    np.dtype(np.int32): _core.PerceptronStream32,
    np.dtype(np.int64): _core.PerceptronStream64,
    np.dtype(np.float64): _core.RealPerceptronStream,
}


class PerceptronStream:
    """Show the runs of a Perceptron, one per output, examples by name: a call of the core for each, all or nothing.

    What a batch of one example would do, to the last bit: memory, sums and the room for new names are looked after
    for thousands of examples at a time, and the core neither starts threads nor reads files.

    Parameters
    ----------
    runs : sequence of PerceptronRun
        They keep no updates.
    table : NameTable
    rates : sequence of int
        What an update on each class weighs.

    Raises
    ------
    SettingError
        Sums could overflow, or the runs keep their updates.
    """

    def __init__(self, runs: Sequence[PerceptronRun], table: NameTable, rates: Sequence[int]) -> None:
        first, learner = runs[0], runs[0].learner
        if first.keeps_updates:
            raise SettingError("a stream keeps no updates; learn batch by batch")
        most = min(table.most_slots(), memory_limit() // (learner.bytes_per_variable * len(runs)))
        for run in runs:
            run.make_room(min(most, table.n_variables + EXAMPLES_BETWEEN_CHECKS))
            run.require_future(EXAMPLES_BETWEEN_CHECKS, max(rates), MOST_ENTRIES)
        weights, lasting = zip(*(run.roomy_arrays for run in runs), strict=True)
        # Runs of several outputs may differ in how many bits their sums need.
        kind = np.result_type(*weights)
        if any(array.dtype != kind for array in weights):
            raise SettingError("a stream needs weights of one kind")
        self._native = STREAMS[kind](
            table.native,
            first.native_rule,
            list(weights),
            list(lasting) if first.averages else None,
            [run.counts for run in runs],
            list(rates),
            most,
            MOST_ENTRIES,
            EXAMPLES_BETWEEN_CHECKS,
        )
        # Whether one output predicts 1: score >= threshold, in the units of the core's sums.
        cut = Fraction(learner.threshold) * first.constant_sq.denominator / first.unit
        sizes = (*cut.as_integer_ratio(), *first.constant_sq.as_integer_ratio())
        self._cut = cut.as_integer_ratio() if max(map(abs, sizes)) < LARGEST_SCALE else None

    def learn(self, example: object, code: int) -> bool:
        """Learn from an example of a class; false where that is for others, and nothing was changed."""
        return bool(self._native.learn(example, code))

    def choice(self, example: object, *, is_mean: bool) -> int | None:
        """Return the class of an example by the last weights or by their mean; None where that is for others."""
        return None if self._cut is None else self._native.choice(example, is_mean, *self._cut)
