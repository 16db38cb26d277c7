"""The updates of a run, batch by batch, as they are made."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import SparseRows, require_memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["UpdateLog", "Updates"]

BYTES_PER_UPDATE, BYTES_PER_ENTRY = 128, 16  # in a transcript, in a model file and on the way there, as measured


@dataclass(frozen=True)
class Updates:
    """Some updates in order.

    Attributes
    ----------
    rows : SparseRows or ndarray of int64
        The rows updated on; a kernel learner's by the number of the distinct row.
    label, rate, step, index, is_mistake : ndarrays
        As in a `Transcript`.
    """

    rows: Any
    label: NDArray[np.int8]
    rate: NDArray[np.int64]
    step: NDArray[np.int64]
    index: NDArray[np.int64]
    is_mistake: NDArray[np.bool_]

    def with_values(self) -> Updates:
        """Return the same with every 1 written out."""
        return replace(self, rows=self.rows.with_values())


class UpdateLog:
    """All updates of a run so far."""

    def __init__(self, *parts: Updates) -> None:
        self.parts: list[Updates] = []
        self.n_bytes = 0
        for part in parts:
            self.add(part)

    def add(self, more: Updates) -> None:
        """Add updates; refused where the log would pass the memory limit."""
        n_bytes = self.n_bytes + _n_bytes(more)
        require_memory(n_bytes, "the log of updates", "use fewer passes (max_passes) or fewer rows")
        self.parts.append(more)
        self.n_bytes = n_bytes

    def with_more(self, more: Updates) -> UpdateLog:
        """Return a log of these updates too; this one stays as it is."""
        log = UpdateLog()
        log.parts, log.n_bytes = self.parts.copy(), self.n_bytes
        log.add(more)
        return log

    def forget_after(self, n_parts: int) -> None:
        """Keep the first batches only."""
        del self.parts[n_parts:]
        self.n_bytes = sum(map(_n_bytes, self.parts))

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return label, rate, step, index and is_mistake of all updates."""
        kinds = {"label": np.int8, "rate": np.int64, "step": np.int64, "index": np.int64, "is_mistake": np.bool_}
        return {
            name: np.concatenate([np.empty(0, kind), *(getattr(part, name) for part in self.parts)])
            for name, kind in kinds.items()
        }

    def sparse_rows(self, n_variables: int, *, is_real: bool) -> SparseRows:
        """Return the rows of all updates of a linear learner."""
        lengths = [np.zeros(1, np.int64), *(np.diff(part.rows.starts) for part in self.parts)]
        places = [np.empty(0, np.int32), *(part.rows.places for part in self.parts)]
        values = [np.empty(0), *(part.rows.values for part in self.parts)] if is_real else None
        return SparseRows(
            np.cumsum(np.concatenate(lengths)),
            np.concatenate(places),
            n_variables,
            None if values is None else np.concatenate(values),
            _is_owned=True,
        )


def _n_bytes(updates: Updates) -> int:
    n_entries = len(updates.rows.places) if isinstance(updates.rows, SparseRows) else 0
    return BYTES_PER_UPDATE * len(updates.label) + BYTES_PER_ENTRY * n_entries
