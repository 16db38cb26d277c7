"""The exact mean of weights that are products of powers, over the hypotheses of a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.models.power_history import PowerHistory
from conjunct.models.weight_durations import WeightDurations
from conjunct.models.weight_powers import WeightPowers, distinct_pairs, nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["MeanPowers", "NormalisedMeanPowers"]

LIMB_BITS = 40
FLOAT_BITS = 128


class MeanPowers:
    """Every weight's mean over the hypotheses after each step: how long it had each value, times that value.

    Parameters
    ----------
    powers : WeightPowers
    durations : WeightDurations
    n_places : int
        The number of variables, the constant among them if there is one.
    """

    def __init__(self, powers: WeightPowers, durations: WeightDurations, n_places: int) -> None:
        self.powers, self.n_steps, self.n_places = powers, durations.n_steps, n_places
        self.unseen = powers.weight(0, 0)
        self._place, self._steps = durations.variable, durations.steps
        self._starts = np.flatnonzero(np.diff(self._place, prepend=-1))
        self._pairs, self._which = distinct_pairs(*durations.counts)

    @property
    def size_log2(self) -> int:
        """No weight is 2 to this, or more, in absolute value."""
        return self.powers.size_log2([(0, 0), *self._pairs])

    def scaled(self, shift: int) -> tuple[NDArray[Any], bool]:
        """Return every weight times 2**shift as an integer that is off by less than 3; and whether all are exact."""
        (first, *values), is_exact = self.powers.scaled([(0, 0), *self._pairs], shift)
        sums = _weighed(self._steps, values, self._which, self._starts)
        weights = _placed(sums // self.n_steps, first, self._place[self._starts], self.n_places)
        return weights, is_exact and not np.any(sums % self.n_steps)

    def floats(self) -> NDArray[np.float64]:
        """Return every weight in floats."""
        return _floats(self.scaled(FLOAT_BITS - self.size_log2)[0], FLOAT_BITS - self.size_log2)

    def total(self, places: NDArray[np.int32], n_unseen: int) -> Fraction:
        """Return the exact sum of the weights at these places and of so many unseen ones."""
        touched = np.isin(self._place, places)
        durations: dict[tuple[int, int], int] = defaultdict(int)
        durations[0, 0] = self.n_steps * (n_unseen + len(places) - len(np.unique(self._place[touched])))
        for which, duration in zip(self._which[touched], self._steps[touched], strict=True):
            durations[self._pairs[which]] += int(duration)
        return self.powers.weighed(durations) / self.n_steps


class NormalisedMeanPowers:
    """Every weight's mean over the hypotheses after each step, each divided by the sum of all its weights.

    Parameters
    ----------
    powers : WeightPowers
    history : PowerHistory
    step : ndarray of int64
        How many steps there were before each update.
    n_steps, n_places : int

    Notes
    -----
    With promotion p / q and no exponent past K, all weights are integers in units of initial / (p q)**K: of a variable
    with exponent k they are p**(K + k) q**(K - k) and p**(K - k) q**(K + k). Their sum M is an integer for every
    hypothesis, and a mean is a sum of integers over M, times how long each hypothesis lasted.
    """

    def __init__(
        self, powers: WeightPowers, history: PowerHistory, step: NDArray[np.int64], n_steps: int, n_places: int
    ) -> None:
        self.powers, self.history, self.n_steps, self.n_places = powers, history, n_steps, n_places
        self.unseen = powers.weight(0, 0)
        self.step = np.concatenate([[0], step, [n_steps]])
        # Intervals of one value each, from one moment to another: the start, an update, or the end.
        h, last = history, history.is_last
        place = np.append(h.place, h.place[last])
        counts = powers.reduced(np.append(h.before, h.after[:, last], axis=1))
        begin = np.append(np.where(h.is_first, 0, np.roll(h.update, 1) + 1), h.update[last] + 1)
        end = np.append(h.update + 1, np.full(np.count_nonzero(last), len(step) + 1))
        order = np.lexsort((counts[1], counts[0], place))
        place, counts = place[order], counts[:, order]
        is_new = np.any(np.diff([place, *counts], axis=1, prepend=-1) != 0, axis=0)
        self._begin, self._end, self._group = begin[order], end[order], np.flatnonzero(is_new)
        self._place = place[is_new]
        self._starts = np.flatnonzero(np.diff(self._place, prepend=-1))
        self._pairs, self._which = distinct_pairs(*counts[:, is_new])
        self._net = history.before[0] - history.before[1], history.after[0] - history.after[1]
        most = max((int(np.abs(net).max(initial=0)) for net in self._net), default=0)
        p, q = powers.promotion.numerator, powers.promotion.denominator
        self._plus = {k: p ** (most + k) * q ** (most - k) for k in range(-most, most + 1)}
        self._totals = self._all_totals(len(step))

    @property
    def size_log2(self) -> int:
        """No weight is 2 to this, or more, in absolute value."""
        return 1

    def scaled(self, shift: int) -> tuple[NDArray[Any], bool]:
        """Return every weight times 2**shift as an integer that is off by less than 3; and whether all are exact."""
        values = [self._weight(p - d) for p, d in self._pairs]
        size = max((abs(value) for value in values), default=0)
        # The clock loses less than 1 at every update, which a value multiplies.
        bits = max(0, shift + 2 + size.bit_length() + len(self._totals).bit_length())
        lasted = np.diff(self.step).tolist()
        ticks = [(duration << bits) // total for duration, total in zip(lasted, self._totals, strict=True)]
        clock = np.cumsum(np.array([0, *ticks], object))
        durations: Any = 0
        for limb in range(0, max(1, int(clock[-1]).bit_length()), LIMB_BITS):
            part = np.array([int(moment) >> limb & ((1 << LIMB_BITS) - 1) for moment in clock], np.int64)
            durations = durations + (self._durations(part).astype(object) << limb)
        sums = _weighed(np.asarray(durations), values, self._which, self._starts)
        return _placed(sums // (self.n_steps << bits - shift), 0, self._place[self._starts], self.n_places), False

    def floats(self) -> NDArray[np.float64]:
        """Return every weight in floats."""
        return _floats(self.scaled(FLOAT_BITS - self.size_log2)[0], FLOAT_BITS - self.size_log2)

    def total(self, places: NDArray[np.int32], n_unseen: int) -> Fraction:
        """Return the exact sum of the weights at these places; unseen ones are 0."""
        changes = [0] * (len(self._totals) - 1)
        touched = np.isin(self.history.place, places)
        for update, before, after in zip(
            *(array[touched].tolist() for array in (self.history.update, *self._net)), strict=True
        ):
            changes[update] += self._weight(after) - self._weight(before)
        sums: dict[int, int] = defaultdict(int)
        value = 0
        for change, duration, total in zip([0, *changes], np.diff(self.step).tolist(), self._totals, strict=True):
            value += change
            sums[total] += value * duration
        return _sum_of_ratios((value, total) for total, value in sums.items() if value) / self.n_steps

    def _durations(self, clock: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how long each variable had each value, by a clock read at the start, every update and the end."""
        if not len(self._group):
            return np.empty(0, np.int64)
        return np.add.reduceat(clock[self._end] - clock[self._begin], self._group)

    def _weight(self, net: int) -> int:
        value: int = self._plus[net] - self._plus[-net]
        return value

    def _all_totals(self, n_updates: int) -> list[int]:
        """Return the sum of all weights of every hypothesis, the first one first."""
        size = {k: self._plus[k] + self._plus[-k] for k in self._plus}
        order = np.argsort(self.history.update, kind="stable")
        before, after = (net[order].tolist() for net in self._net)
        ends = np.searchsorted(self.history.update[order], np.arange(n_updates + 1)).tolist()
        totals = [self.n_places * size[0]]
        for begin, end in pairwise(ends):
            gain = sum(map(size.__getitem__, after[begin:end])) - sum(map(size.__getitem__, before[begin:end]))
            totals.append(totals[-1] + gain)
        return totals


def _weighed(
    durations: NDArray[Any], values: list[int], which: NDArray[np.int64], starts: NDArray[np.int64]
) -> NDArray[Any]:
    """Return durations times values, summed for each variable that was ever updated."""
    if not len(starts):
        return np.empty(0, object)
    factors = np.array([*values, None], object)[which]
    return np.asarray(np.add.reduceat(durations.astype(object) * factors, starts), object)


def _placed(weights: NDArray[Any], first: int, places: NDArray[np.int64], n_places: int) -> NDArray[Any]:
    """Return the weights of all variables: those updated, and the first weight for others."""
    out = np.full(n_places, first, object)
    out[places] = weights
    return out


def _floats(integers: NDArray[Any], shift: int) -> NDArray[np.float64]:
    return np.array([nearest(integer * Fraction(2) ** -shift) for integer in integers.tolist()])


def _sum_of_ratios(ratios: Iterable[tuple[int, int]]) -> Fraction:
    """Add ratios by halves, without reducing them in between."""
    terms = list(ratios) or [(0, 1)]
    while len(terms) > 1:
        pairs = [(*a, *b) for a, b in zip(terms[::2], terms[1::2], strict=False)]
        terms = [(a * d + c * b, b * d) for a, b, c, d in pairs] + terms[len(terms) & ~1 :]
    return Fraction(*terms[0])
