"""How many steps of a run each weight that is a product of powers had each of its values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from conjunct.errors import BitsError
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
        updated = np.flatnonzero(np.bincount(variable, minlength=counts.shape[1]))
        if any(total != self.n_steps for total in sums[updated]):
            raise BitsError("durations of a variable add up to the steps of the run")
        last = np.zeros(counts.shape[1], bool)
        last[variable[np.all(counts[:, variable] == self.counts, axis=0)]] = True
        if not np.all(last[updated]) or np.any(counts[:, ~last]):
            raise BitsError("the last value of every variable lasted")

    def with_more(
        self, variable: NDArray[np.int64], counts: NDArray[np.int64], steps: NDArray[np.int64], n_steps: int
    ) -> WeightDurations:
        """Return durations until later, with the entries that there were in between, in any order."""
        variable = np.concatenate([self.variable, variable])
        counts = np.concatenate([self.counts, counts], axis=1)
        steps = np.concatenate([self.steps, steps])
        order = np.lexsort((counts[1], counts[0], variable))
        variable, counts, steps = variable[order], counts[:, order], steps[order]
        is_new = np.any(np.diff([variable, *counts], axis=1, prepend=-1) != 0, axis=0)
        sums = np.add.reduceat(steps, np.flatnonzero(is_new)) if len(steps) else steps
        lasted = sums > 0
        return WeightDurations(variable[is_new][lasted], counts[:, is_new][:, lasted], sums[lasted], n_steps)
