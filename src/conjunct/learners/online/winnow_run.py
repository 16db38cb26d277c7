"""A run of Winnow while it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import inf, nextafter
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.errors import SettingError
from conjunct.learners.online.linear_run import Lesson, LinearRun, widened
from conjunct.learners.online.linear_transcript import LinearTranscript
from conjunct.learners.online.winnow_weights import Reach, first_weights
from conjunct.models import PowerHistory
from conjunct.models.weight_powers import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.online.winnow import Winnow

__all__ = ["WinnowRun", "floats_of_means"]

END, UNDECIDED, TABLE_TOO_SMALL = 0, 1, 2
LARGEST_RATE = 1 << 20
LARGEST_COUNT = 1 << 30
FAR_WITHIN_FLOATS = 1e300


class WinnowRun(LinearRun):
    """A Winnow while it learns: how often each variable was promoted and demoted, and its weight in floats."""

    learner: Winnow

    def __init__(self, learner: Winnow, *, averages: bool) -> None:
        self.powers, self.averages = learner.powers, averages
        self.first_weight = nearest(self.powers.weight(0, 0))
        self.is_normalised = learner.variant == "normalised"
        # Where scores are compared with 0 their sign is that of the sum, whatever it is divided by.
        self.divides = self.is_normalised and {learner.threshold, *learner.thickness} != {0}
        super().__init__(learner, Fraction(1))

    def _clear(self) -> None:
        self.weights = first_weights(self.powers)
        self.reach: Reach = (0, 0, abs(self.first_weight))
        # For the mean: the sum of a weight over the steps up to some step, and that step.
        self.lasting = np.zeros((1, 2))

    def _cuts(self) -> tuple[float, float, float]:
        """Round the cuts so that comparing an exact float with them is comparing with the exact ones."""
        threshold = Fraction(self.learner.threshold)
        above, below = (Fraction(part) for part in self.learner.thickness)
        return _at_least(threshold), -_at_least(-(threshold + above)), _at_least(threshold - below)

    def _widen(self, n_variables: int) -> None:
        # A variable had its first weight also before its first row came.
        self.weights, self.lasting = self.weights.widened(n_variables), widened(self.lasting, n_variables)

    def _arrays(self) -> list[NDArray[Any]]:
        return [*self.weights.arrays, self.lasting]

    def _require_room(self, lesson: Lesson, n_passes: int) -> None:
        if int(lesson.rate.max()) > LARGEST_RATE:
            raise SettingError(f"rates: Winnow promotes at most {LARGEST_RATE} times at once")
        if lesson.rows.values is not None:
            raise SettingError("Winnow multiplies the weights of a row's variables: it needs Boolean rows")

    def _require_replayable(self, transcript: LinearTranscript) -> None:
        rates = transcript.rate.tolist()
        if max(rates, default=0) > LARGEST_RATE or sum(rates) >= LARGEST_COUNT or transcript.rows.values is not None:
            raise SettingError("Winnow counts promotions of Boolean rows, and not that many")

    def _learn(
        self, lesson: Lesson, order: NDArray[np.int64] | None, first: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        places, mistakes = [np.empty(0, np.int64)], [np.empty(0, bool)]
        position, is_mistake = np.empty(last - first, np.int64), np.empty(last - first, np.uint8)
        above, below = self.learner.thickness
        known, n_by_net = None, self._n_by_net()
        while True:
            native: Any = self.weights.native
            at, stop, found, self.reach = _core.winnow_pass(
                lesson.rows.native,
                lesson.label,
                lesson.rate,
                order,
                self.n_steps,
                first,
                last,
                self._cuts(),
                above != 0,
                below != 0,
                self.learner.constant,
                known,
                native,
                self.reach,
                self.lasting if self.averages else None,
                self.weights.size_by_net if self.divides else None,
                n_by_net,
                position,
                is_mistake,
            )
            places.append(position[:found].copy())
            mistakes.append(is_mistake[:found].astype(bool))
            if stop == END:
                return np.concatenate(places), np.concatenate(mistakes)
            if at > first:
                first, known = at, None  # what was known was about the row before
            if stop == TABLE_TOO_SMALL and self.weights.n_table < LARGEST_COUNT // 4:
                self.weights = self.weights.with_table(2 * self.weights.n_table)
                n_by_net = self._n_by_net()
            elif stop == UNDECIDED:
                known = self._decided(lesson, first if order is None else int(order[first]))
            else:
                raise SettingError("a variable was promoted or demoted 2**30 times; Winnow counts no further")

    def _decided(self, lesson: Lesson, row: int) -> int:
        """Say in fractions what happens to a row: 1 for an update, plus 2 for a mistake."""
        places = lesson.rows.row_and(row, *[self.n_variables] * self.learner.constant)
        total = self.powers.total_size(self._nets()) if self.divides else 1
        excess = self.powers.total(*self.weights.counts(places)) - Fraction(self.learner.threshold) * total
        is_positive = int(lesson.label[row]) > 0
        is_mistake = is_positive == (excess < 0)
        thick = Fraction(self.learner.thickness[0 if is_positive else 1]) * total
        is_near = thick > 0 and (excess <= thick if is_positive else excess >= -thick)
        return (1 if is_mistake or is_near else 0) + (2 if is_mistake else 0)

    def _replay(self, transcript: LinearTranscript) -> None:
        """Count per variable, in the order of the steps; what a weight lasted follows from the counts between them."""
        constant = self.n_variables if self.learner.constant else None
        history = PowerHistory.of(transcript.rows, transcript.label, transcript.rate, constant)
        counts = np.zeros((2, len(self.lasting)), np.int64)
        counts[:, history.place[history.is_last]] = history.after[:, history.is_last]
        self.weights, self.reach = self.weights.after(counts[0], counts[1], list(history.before))
        step = transcript.step[history.update]
        earlier = np.where(history.is_first, 0, np.roll(step, 1))
        with np.errstate(invalid="ignore", over="ignore"):
            np.add.at(self.lasting[:, 0], history.place, self.weights.floats_of(*history.before) * (step - earlier))
        np.maximum.at(self.lasting[:, 1], history.place, step)

    def _nets(self) -> NDArray[np.int64]:
        """Return promotions less demotions of every variable, the constant's if there is one."""
        counts = self.weights.counts()[:, : self.n_variables + self.learner.constant].astype(np.int64)
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
        weights[: self.n_variables], weights[-1] = lasted[:-1], lasted[-1]
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
