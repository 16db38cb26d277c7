"""How many steps of a run each weight that is a product of powers had each of its values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import BitsError
from conjunct.models.power_history import PowerHistory
from conjunct.models.weight_powers import WeightPowers

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["WeightDurations"]


@dataclass(frozen=True, eq=False)
class WeightDurations:
    """One entry for every value that an updated variable had, sorted by variable, promotions and demotions.

    Where promotion and demotion undo each other, entries are as few as the exponents a variable went through, however
    many updates there were. A variable without an entry had its initial weight throughout.

    Attributes
    ----------
    variable : ndarray of int64
    counts : ndarray of int64, shape (2, entries)
        Its promotions and its demotions: the least that lead to the value.
    steps : ndarray of int64
        At the end of how many steps it had the value.
    n_steps : int
        The steps of the run so far.
    """

    variable: NDArray[np.int64]
    counts: NDArray[np.int64]
    steps: NDArray[np.int64]
    n_steps: int

    @classmethod
    def none(cls) -> WeightDurations:
        """Return those of a run that has not begun."""
        return cls(np.empty(0, np.int64), np.empty((2, 0), np.int64), np.empty(0, np.int64), 0)

    def widened(self, n_before: int, n_variables: int) -> WeightDurations:
        """Return the same where the constant, the variable after all others, has another number."""
        return replace(self, variable=np.where(self.variable == n_before, n_variables, self.variable))

    def require_of_run(self, powers: WeightPowers, n_variables: int, counts: NDArray[np.int64]) -> None:
        """Refuse durations that no run over so many variables has, with these promotions and demotions at its end."""
        variable, steps = self.variable, self.steps
        is_within = bool(np.all((variable >= 0) & (variable < n_variables) & (steps > 0) & (steps <= self.n_steps)))
        keys = np.array([variable, *self.counts])
        order = np.lexsort(keys[::-1])
        is_sorted = np.array_equal(order, np.arange(len(variable))) and bool(np.all(np.any(np.diff(keys), axis=0)))
        if not is_within or not is_sorted or not np.array_equal(powers.reduced(self.counts), self.counts):
            raise BitsError("durations are of variables in order, each value once, and positive")
        sums = np.zeros(counts.shape[1], object)
        np.add.at(sums, variable, steps.astype(object))
        updated = np.unique(variable)
        if any(total != self.n_steps for total in sums[updated]):
            raise BitsError("durations of a variable add up to the steps of the run")
        last = np.zeros(counts.shape[1], bool)
        last[variable[np.all(counts[:, variable] == self.counts, axis=0)]] = True
        if not np.all(last[updated]) or np.any(counts[:, ~last]):
            raise BitsError("the last value of every variable lasted")

    def after(
        self,
        powers: WeightPowers,
        history: PowerHistory,
        step: NDArray[np.int64],
        before: NDArray[Any],
        n_steps: int,
    ) -> WeightDurations:
        """Return durations until later, given the updates in between.

        Parameters
        ----------
        powers : WeightPowers
        history : PowerHistory
            The updates since, counted from 0.
        step : ndarray of int64
            How many steps there were before each update.
        before : ndarray, shape (2, variables)
            Promotions and demotions of every variable before these updates.
        n_steps : int
            The steps of the run now.
        """
        updated = np.unique(self.variable)
        idle = updated[~np.isin(updated, history.place)]
        # 1. The value before an update lasted from the update before it: the first one's, from where this object ends
        #    or, of a variable never updated, from the start of the run.
        start = np.where(np.isin(history.place, updated), self.n_steps, 0)
        moment = step[history.update]
        since = np.where(history.is_first, start, np.roll(moment, 1))
        # 2. The value after the last update lasts until now, and so does that of a variable not updated since.
        last = history.is_last
        entries = [
            (self.variable, self.counts, self.steps),
            (history.place, before[:, history.place] + history.before, moment - since),
            (history.place[last], before[:, history.place[last]] + history.after[:, last], n_steps - moment[last]),
            (idle, before[:, idle], np.full(len(idle), n_steps - self.n_steps)),
        ]
        variable, counts, steps = (np.concatenate(parts, axis=-1) for parts in zip(*entries, strict=True))
        counts = powers.reduced(counts)
        # 3. Equal values of a variable are one entry.
        order = np.lexsort((counts[1], counts[0], variable))
        variable, counts, steps = variable[order], counts[:, order], steps[order]
        is_new = np.any(np.diff([variable, *counts], axis=1, prepend=-1) != 0, axis=0)
        sums = np.add.reduceat(steps, np.flatnonzero(is_new)) if len(steps) else steps
        lasted = sums > 0
        return WeightDurations(variable[is_new][lasted], counts[:, is_new][:, lasted], sums[lasted], n_steps)
