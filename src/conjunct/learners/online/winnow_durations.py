"""How long each weight of Winnow had each of its values, from the log of updates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.learners.online.linear_run import widened
from conjunct.learners.online.update_log import UpdateLog
from conjunct.models import WeightDurations, WeightPowers

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["durations_after"]

FIRST_SLOTS = 1 << 12  # of a table of durations: more than twice the entries of a row, or it grows


def durations_after(
    before: WeightDurations,
    counts: NDArray[np.int32],
    powers: WeightPowers,
    log: UpdateLog,
    n_variables: int,
    constant: int | None,
    n_steps: int,
) -> WeightDurations:
    """Return durations after the updates of a log, of variables with these promotions and demotions before it.

    There may have been fewer variables then; the constant's number, if it has one, comes after all others.
    """
    before, after = before.widened(len(counts) - 1, n_variables), widened(counts, n_variables)
    columns = log.columns()
    rows = log.sparse_rows(n_variables, is_real=False)
    updates = _core.WinnowUpdates(rows.native, columns["label"], columns["rate"], columns["step"], constant)
    rule = (powers.is_net, powers.eliminates)
    # 1. A weight lasts from the update before: the first one's from the end of what was counted, or from the start of
    #    the run where the variable was never updated.
    until = np.zeros(len(after), np.int64)
    until[before.variable] = before.n_steps
    # 2. Updates are replayed into tables of values, the next one twice as large, until none is left.
    entries: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    first, n_slots = 0, FIRST_SLOTS
    while first < rows.n_rows or not entries:
        keys, steps = np.full((n_slots, 3), -1, np.int32), np.zeros(n_slots, np.int64)
        first = _core.count_durations(updates, first, rule, _core.Durations(after, until, keys, steps))
        used = keys[:, 0] >= 0
        entries.append((keys[used].astype(np.int64), steps[used]))
        n_slots *= 2
    # 3. What a weight is now lasts until now.
    is_updated = (until > 0) | np.any(after > 0, axis=1)
    updated = np.flatnonzero(is_updated)
    entries.append((np.column_stack([updated, after[updated]]), n_steps - until[updated]))
    all_keys, lasted = (np.concatenate(parts) for parts in zip(*entries, strict=True))
    return before.with_more(all_keys[:, 0], all_keys[:, 1:].T, lasted, n_steps)
