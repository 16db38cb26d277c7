"""A run of Winnow while it goes on."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.errors import SettingError
from conjunct.learners.linear_run import Lesson, LinearRun, widened
from conjunct.learners.linear_transcript import LinearTranscript
from conjunct.learners.winnow_weights import NetWeights, Reach, first_weights
from conjunct.models.weight_powers import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.winnow import Winnow

__all__ = ["WinnowRun"]

END, UNDECIDED, TABLE_TOO_SMALL = 0, 1, 2
LARGEST_RATE = 1 << 20
LARGEST_COUNT = 1 << 30


class WinnowRun(LinearRun):
    """A Winnow while it learns: how often each variable was promoted and demoted, and its weight in floats."""

    learner: Winnow

    def __init__(self, learner: Winnow, *, averages: bool) -> None:
        self.powers, self.averages = learner.powers, averages
        self.first_weight = nearest(self.powers.weight(0, 0))
        self.is_normalised = learner.variant == "normalised"
        # Where scores are compared with 0 their sign is that of the sum, whatever it is divided by.
        self.divides = self.is_normalised and not learner.is_exact
        super().__init__(learner, Fraction(1))

    def _clear(self) -> None:
        self.weights = first_weights(self.powers)
        self.reach: Reach = (0, 0, abs(self.first_weight))
        # For the mean: the sum of a weight over the steps up to some step, and that step.
        self.lasting = np.zeros((1, 2))
        self.total = float(self.powers.size(0, 0)) if self.is_normalised and self.learner.constant else 0.0

    def _cuts(self) -> tuple[float, float, float]:
        """Round the cuts so that comparing an exact float with them is comparing with the exact ones."""
        threshold = Fraction(self.learner.threshold)
        above, below = (Fraction(part) for part in self.learner.thickness)
        return _at_least(threshold), -_at_least(-(threshold + above)), _at_least(threshold - below)

    def _widen(self, n_variables: int) -> None:
        if self.is_normalised:
            self.total += (n_variables + 1 - len(self.lasting)) * float(self.powers.size(0, 0))
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
        known = None
        while True:
            native: Any = self.weights.native
            at, stop, found, self.reach, self.total = _core.winnow_pass(
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
                self.learner.is_exact,
                self.learner.constant,
                known,
                native,
                self.reach,
                self.lasting if self.averages else None,
                self.weights.size_by_net if self.divides else None,
                self.total,
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
            elif stop == UNDECIDED:
                known = self._decided(lesson, first if order is None else int(order[first]))
            else:
                raise SettingError("a variable was promoted or demoted 2**30 times; Winnow counts no further")

    def _decided(self, lesson: Lesson, row: int) -> int:
        """Say in fractions what happens to a row: 1 for an update, plus 2 for a mistake."""
        places = lesson.rows.row_and(row, *[self.n_variables] * self.learner.constant)
        excess = self.powers.total(*self.weights.counts(places)) - Fraction(self.learner.threshold)
        is_positive = int(lesson.label[row]) > 0
        is_mistake = is_positive == (excess < 0)
        thick = Fraction(self.learner.thickness[0 if is_positive else 1])
        is_near = thick > 0 and (excess <= thick if is_positive else excess >= -thick)
        return (1 if is_mistake or is_near else 0) + (2 if is_mistake else 0)

    def _replay(self, transcript: LinearTranscript) -> None:
        """Count per variable, in the order of the steps; what a weight lasted follows from the counts between them."""
        lengths = np.diff(transcript.rows.starts)
        place = transcript.rows.places
        columns: list[NDArray[np.int64]] = [transcript.step, transcript.label.astype(np.int64), transcript.rate]
        step, label, rate = (np.repeat(column, lengths) for column in columns)
        if self.learner.constant:
            place = np.concatenate([place, np.full(len(transcript), self.n_variables, np.int32)])
            step, label, rate = (
                np.concatenate([entries, column]) for entries, column in zip((step, label, rate), columns, strict=True)
            )
        order = np.lexsort((step, place))
        place, step, label, rate = place[order], step[order], label[order], rate[order]
        is_first = np.diff(place, prepend=-1) != 0
        before, counts = [], []
        for sign in (1, -1):
            change = np.where(label == sign, rate, 0)
            so_far = np.cumsum(change) - change
            before.append(so_far - np.maximum.accumulate(np.where(is_first, so_far, 0)))
            counts.append(np.bincount(place, change, minlength=len(self.lasting)).astype(np.int64))
        earlier = np.where(is_first, 0, np.concatenate([[0], step[:-1]]))
        self.weights, self.reach = self.weights.after(counts[0], counts[1], before)
        with np.errstate(invalid="ignore", over="ignore"):
            np.add.at(self.lasting[:, 0], place, self.weights.floats_of(*before) * (step - earlier))
        np.maximum.at(self.lasting[:, 1], place, step)
        if isinstance(self.weights, NetWeights) and self.is_normalised:
            self.total = self.weights.total_size(self.n_variables + self.learner.constant)

    @property
    def has_mean(self) -> bool:
        """Whether the mean hypothesis is within the range of floats."""
        return self.averages and self.reach[2] * max(1, self.n_steps) < 1e300

    def averaged(self, n: int) -> NDArray[np.float64]:
        """Return the mean of each weight over the hypotheses current at the end of every step."""
        if not self.averages:
            raise SettingError("this run keeps no averages")
        sums, until = self.lasting.T
        with np.errstate(invalid="ignore", over="ignore"):
            lasted = (sums + self.weights.floats() * (self.n_steps - until)) / max(1, self.n_steps)
        weights = np.full(n + 1, self.first_weight)
        weights[: self.n_variables], weights[-1] = lasted[:-1], lasted[-1]
        if not np.all(np.isfinite(weights)):
            raise SettingError("a weight passed the range of floats, which averages need; use prediction='final'")
        return weights


def _at_least(value: Fraction) -> float:
    """Return the least float that is not below an exact number."""
    rounded = nearest(value)
    return rounded if abs(rounded) == inf or Fraction(rounded) >= value else nextafter(rounded, inf)
