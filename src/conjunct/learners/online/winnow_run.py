"""A run of Winnow while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import inf, nextafter
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits import SparseRows
from conjunct.errors import SettingError
from conjunct.learners.online.lesson import Lesson
from conjunct.learners.online.linear_run import LinearRun, room_for, widened
from conjunct.learners.online.update_log import UpdateLog, Updates
from conjunct.learners.online.winnow_durations import durations_after
from conjunct.learners.online.winnow_weights import Reach, first_weights
from conjunct.models import WeightDurations
from conjunct.models.weight_powers import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.online.winnow import Winnow

__all__ = ["WinnowRun", "floats_of_means"]

END, UNDECIDED, TABLE_TOO_SMALL = 0, 1, 2
LARGEST_RATE = 1 << 20
LARGEST_COUNT = 1 << 30
FAR_WITHIN_FLOATS = 1e300
PENDING: tuple[Any, ...] = (np.int64, np.int32, np.int8, np.int64, np.int64, np.bool_)  # columns, as the core has them
MOST_LOGGED_BYTES = 1 << 26  # of updates that are not yet counted into durations


class WinnowRun(LinearRun):
    """A Winnow while it learns: how often each variable was promoted and demoted, and its weight in floats."""

    learner: Winnow

    def __init__(self, learner: Winnow, *, averages: bool, keeps_updates: bool) -> None:
        self.powers = learner.powers
        self.first_weight = nearest(self.powers.weight(0, 0))
        self.is_normalised = learner.variant == "normalised"
        # Where scores are compared with 0 their sign is that of the sum, whatever it is divided by.
        self.divides = self.is_normalised and {learner.threshold, *learner.thickness} != {0}
        super().__init__(learner, Fraction(1), averages=averages, keeps_updates=keeps_updates)

    def _clear(self) -> None:
        self.weights = first_weights(self.powers)
        self.reach: Reach = (0, 0, abs(self.first_weight))
        # For the mean: the sum of a weight over the steps up to some step, and that step.
        self.lasting = np.zeros((1, 2))
        # The same exactly, without the updates of the log from some part on; and promotions and demotions until then.
        self._durations, self._n_counted = WeightDurations.none(), 0
        self._counts = np.zeros((1, 2), np.int32)
        # Updates that a stream made since, which come after those of the log.
        self.pending = _core.PendingUpdates()

    @property
    def reach(self) -> Reach:
        """The lowest and the highest exponent there ever was, and no smaller than any weight."""
        lowest, highest, largest = self._reach.tolist()
        return int(lowest), int(highest), largest

    @reach.setter
    def reach(self, reach: Reach) -> None:
        self._reach = np.array(reach, np.float64)  # changed by the core

    def _widen(self, n_variables: int) -> None:
        # A variable had its first weight also before its first row came.
        if n_variables >= len(self.lasting):
            room = room_for(n_variables, self.lasting)
            self.weights, self.lasting = self.weights.widened(room), widened(self.lasting, room)

    def make_ready(self, n_variables: int, rate: int) -> None:
        """Make ready for a stream: room for variables to come and for updates of such a rate, the log up to date."""
        farthest = max(map(abs, self.reach[:2])) + rate
        if rate > LARGEST_RATE or farthest > LARGEST_COUNT // 4:
            raise SettingError("Winnow has no tables for so many promotions; learn batch by batch")
        self._widen(n_variables)
        self.weights = self.weights.with_table(farthest)
        self._log_pending()
        self._after_block(self.n_steps)

    def _arrays(self) -> list[NDArray[Any]]:
        return [*self.weights.arrays, self.lasting]

    def _totals(self) -> list[NDArray[Any]]:
        return [*super()._totals(), self._reach]

    def _prepare(self, rows: SparseRows) -> None:
        super()._prepare(rows)
        self._log_pending()

    def _log_pending(self) -> None:
        """Take over the updates of a stream."""
        for more in self._pending_updates():
            self.__dict__.update(log=self.log.with_more(more), pending=_core.PendingUpdates())  # at once

    def _pending_updates(self) -> list[Updates]:
        if not self.pending.n_updates:
            return []
        columns: list[Any] = list(map(np.frombuffer, self.pending.columns(), PENDING))
        ends, places, label, rate, step, is_mistake = columns
        rows = SparseRows(np.append(0, ends), places, self.n_variables, _is_owned=True)
        return [Updates(rows, label, rate, step, np.zeros(len(label), np.int64), is_mistake)]

    def weight_counts(self) -> NDArray[np.int32]:
        """Return promotions and demotions of every variable, and last the constant's."""
        counts, n = self.weights.counts(), self.n_variables
        return counts if counts.shape[1] == n + 1 else np.append(counts[:, :n], counts[:, -1:], axis=1)

    def _require_room(self, lesson: Lesson, n_passes: int) -> None:
        if int(lesson.rate.max()) > LARGEST_RATE:
            raise SettingError(f"rates: Winnow promotes at most {LARGEST_RATE} times at once")
        if lesson.rows.values is not None:
            raise SettingError("Winnow multiplies the weights of a row's variables: it needs Boolean rows")

    @property
    def _logs(self) -> bool:
        return self.keeps_updates or (self.averages and not self.is_normalised)

    def _after_block(self, n_steps: int) -> None:
        if self._logs and not self.keeps_updates and self.log.n_bytes > MOST_LOGGED_BYTES:
            self._count_durations(n_steps)

    def durations(self) -> WeightDurations:
        """Return how long each weight had each of its values."""
        if self.pending.n_updates:
            return self.durations_later()()
        self._count_durations(self.n_steps)
        return self._durations

    def restore(self, counts: NDArray[np.int64], durations: WeightDurations | None) -> None:
        """Take over promotions and demotions, the constant's last, and how long weights had their values, if known."""
        n = counts.shape[1] - 1
        passed = np.empty((2, 0), np.int64) if durations is None else durations.counts
        if self.n_rates > LARGEST_COUNT or np.any(counts > self.n_rates) or np.any(passed > self.n_rates):
            raise SettingError("Winnow counts no more promotions and demotions than there were, and at most 2**30")
        self.weights, self.reach = first_weights(self.powers).of_counts(counts[0], counts[1], passed)
        if not np.array_equal(self.weights.counts(), counts):
            raise SettingError("promotions and demotions that undo each other are counted as none")
        self._counts, self.lasting = self.weights.counts().T.copy(), np.zeros((n + 1, 2))
        if durations is not None:
            durations.require_of_run(self.powers, n + self.learner.constant, counts)
            self._durations, self._n_counted = durations, len(self.log.parts)
            floats = self.weights.floats_of(*durations.counts)
            with np.errstate(invalid="ignore", over="ignore"):
                np.add.at(self.lasting[:, 0], durations.variable, floats * durations.steps)
            self.lasting[durations.variable, 1] = self.n_steps

    def durations_later(self) -> Callable[[], WeightDurations]:
        """Return what gives the durations of the run so far; updates made meanwhile are not in it."""
        return self._durations_after(self.n_steps, *self._pending_updates())

    def _durations_after(self, n_steps: int, *more: Updates) -> Callable[[], WeightDurations]:
        """Return what gives the durations after so many steps, with more updates than those of the log, if any."""
        log = UpdateLog(*self.log.parts[self._n_counted :], *more)
        constant = self.n_variables if self.learner.constant else None
        before = (self._durations, self._counts)
        return partial(durations_after, *before, self.powers, log, self.n_variables, constant, n_steps)

    def _count_durations(self, n_steps: int) -> None:
        """Count the log into the durations, and forget it where it is not kept."""
        state: dict[str, Any] = {
            "_durations": self._durations_after(n_steps)(),
            "_counts": self.weight_counts().T.copy(),
        }
        state |= {"_n_counted": len(self.log.parts)} if self.keeps_updates else {"log": UpdateLog()}
        self.__dict__.update(state)  # at once: an interrupt comes before or after

    def _learn(
        self, lesson: Lesson, order: NDArray[np.int64] | None, first: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Show rows to the core, which stops where floats or its tables end.

        1. The core learns until the last row, or a row it cannot decide or has no table for.
        2. What it did until there is kept: the row where it stopped comes first in the next call.
        3. Exponents past the table: the table is doubled, up to what counts hold.
        4. A score too near a cut for floats: fractions decide that row, and the core is told what happens to it.
        """
        positions, mistakes = [np.empty(0, np.int64)], [np.empty(0, bool)]
        position, is_mistake = np.empty(last - first, np.int64), np.empty(last - first, np.uint8)
        log, shown, verdict = _core.UpdateLog(position, is_mistake), lesson.native(order, self.n_steps), None
        rule, state = self.native_rule(), self.native_state()
        while True:
            native: Any = self.weights.native
            at, stop = _core.winnow_pass(rule, shown, first, last, verdict, native, state, log)
            positions.append(position[: log.n_updates].copy())
            mistakes.append(is_mistake[: log.n_updates].astype(bool))
            if stop == END:
                return np.concatenate(positions), np.concatenate(mistakes)
            if at > first:
                first, verdict = at, None  # the verdict was about the row before
            if stop == TABLE_TOO_SMALL and self.weights.n_table < LARGEST_COUNT // 4:
                self.weights = self.weights.with_table(2 * self.weights.n_table)
                rule, state = self.native_rule(), self.native_state()
            elif stop == UNDECIDED:
                row = first if order is None else int(order[first])
                verdict = self.verdict(lesson.rows.row(row), is_positive=bool(lesson.label[row] > 0))
            else:
                raise SettingError("a variable was promoted or demoted 2**30 times; Winnow counts no further")

    def native_rule(self) -> _core.WinnowRule:
        """Return when to predict and to update, for the core; cuts are rounded so that exact floats compare exactly."""
        threshold = Fraction(self.learner.threshold)
        above, below = (Fraction(part) for part in self.learner.thickness)
        edges = _at_least(threshold - below), -_at_least(-(threshold + above))
        sizes = self.weights.size_by_net if self.divides else None
        return _core.WinnowRule(
            _at_least(threshold), edges, (below != 0, above != 0), has_constant=self.learner.constant, size_by_net=sizes
        )

    def native_state(self) -> _core.WinnowState:
        """Return what the core goes on with beside the weights."""
        return _core.WinnowState(self.lasting if self.averages else None, self._n_by_net(), self._reach)

    def verdict(self, variables: Any, *, is_positive: bool) -> int:
        """Say in fractions what happens to a row: 1 for an update, plus 2 for a mistake."""
        variables = [*variables, *[-1] * self.learner.constant]
        total = self.powers.total_size(self._nets()) if self.divides else 1
        excess = self.powers.total(*self.weights.counts(variables)) - Fraction(self.learner.threshold) * total
        is_mistake = is_positive == (excess < 0)
        thick = Fraction(self.learner.thickness[0 if is_positive else 1]) * total
        is_near = thick > 0 and (excess <= thick if is_positive else excess >= -thick)
        return (1 if is_mistake or is_near else 0) + (2 if is_mistake else 0)

    def _nets(self) -> NDArray[np.int64]:
        """Return promotions less demotions of every variable, the constant's if there is one."""
        counts = self.weight_counts()[:, : self.n_variables + self.learner.constant].astype(np.int64)
        nets: NDArray[np.int64] = counts[0] - counts[1]
        return nets

    def _n_by_net(self) -> NDArray[np.int64] | None:
        """Return how many variables have each exponent of the table, which the core goes on counting."""
        if not self.divides:
            return None
        n = self.weights.n_table
        return np.bincount(np.clip(self._nets(), -n, n) + n, minlength=2 * n + 1)

    def float_mean(self, n: int) -> tuple[NDArray[np.float64], float] | None:
        """Return the means of n weights and the constant's in floats, and what they may be off; None if not kept."""
        largest = self.reach[2]
        if not self.averages or self.is_normalised or not largest * max(1, self.n_steps) < FAR_WITHIN_FLOATS:
            return None
        sums, until = self.lasting.T
        weights = np.full(n + 1, self.first_weight)
        lasted = (sums + self.weights.floats() * (self.n_steps - until)) / max(1, self.n_steps)
        weights[: self.n_variables], weights[-1] = lasted[: self.n_variables], lasted[-1]
        # Each update adds a product of a weight that is a few units off, and rounds twice.
        n_roundings = 2 * self.n_updates + 16
        return weights, n_roundings * (float(np.finfo(float).eps) * largest + float(np.finfo(float).tiny))


def floats_of_means(runs: Sequence[WinnowRun], n: int) -> tuple[NDArray[np.float64] | None, float]:
    """Return the means of all runs in floats, the constant's last if there is one, and what they may be off."""
    means = [mean for run in runs if (mean := run.float_mean(n)) is not None]
    if len(means) < len(runs):
        return None, 0.0
    weights = np.stack([mean for mean, _ in means])
    return weights if runs[0].learner.constant else weights[:, :-1], max(error for _, error in means)


def _at_least(value: Fraction) -> float:
    """Return the least float that is not below an exact number."""
    rounded = nearest(value)
    return rounded if abs(rounded) == inf or Fraction(rounded) >= value else nextafter(rounded, inf)
