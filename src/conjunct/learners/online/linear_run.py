"""A run of an on-line linear learner while it goes on: rows in, weights changed, updates logged where they are kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import learners  # for transcripts: imported when one is asked for
from conjunct.bits import NameTable, SparseRows
from conjunct.errors import SettingError
from conjunct.learners.online.lesson import Lesson
from conjunct.learners.online.update_log import UpdateLog, Updates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.online.transcript import Transcript

__all__ = ["COUNTS", "LinearRun", "room_for", "widened"]

# In the order of the core.
COUNTS = ("n_steps", "n_passes", "n_updates", "n_mistakes", "n_rates", "is_consistent", "n_variables")


def _count(name: str, kind: type[int], text: str) -> Any:
    place = COUNTS.index(name)

    def get(run: LinearRun) -> int:
        return kind(run.counts[place])

    def put(run: LinearRun, value: int) -> None:
        run.counts[place] = value

    return property(get, put, doc=text)


class LinearRun(ABC):
    """The state of a learner; its size is that of the variables, and of the updates only where these are kept."""

    is_real = False
    n_steps = _count("n_steps", int, "The rows it was shown.")
    n_passes = _count("n_passes", int, "The passes, or batches, they came in.")
    n_updates = _count("n_updates", int, "The updates it made.")
    n_mistakes = _count("n_mistakes", int, "The mistakes among them.")
    n_rates = _count("n_rates", int, "The rates of all updates, summed.")
    is_consistent = _count("is_consistent", bool, "Whether the last pass made no update.")
    n_variables = _count("n_variables", int, "The variables it has weights of.")

    def __init__(self, learner: Any, unit: Fraction, *, averages: bool, keeps_updates: bool) -> None:
        self.learner, self.unit, self.averages, self.keeps_updates = learner, unit, averages, keeps_updates
        self.counts = np.zeros(len(COUNTS), np.int64)
        self.log = UpdateLog()
        self._clear()

    @abstractmethod
    def _clear(self) -> None:
        """Make the arrays of a run without variables."""

    @abstractmethod
    def _widen(self, n_variables: int) -> None:
        """Make room for more variables."""

    @abstractmethod
    def _arrays(self) -> list[NDArray[Any]]:
        """Return the arrays that hold one entry per variable, and last the constant's."""

    def _totals(self) -> list[NDArray[Any]]:
        """Return the arrays that learning changes as a whole."""
        return [self.counts]

    @abstractmethod
    def _require_room(self, lesson: Lesson, n_passes: int) -> None:
        """Refuse what could overflow."""

    @abstractmethod
    def _learn(
        self, lesson: Lesson, order: NDArray[np.int64] | None, first: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Show rows at positions [first, last) of an order; return where it updated, and which were mistakes."""

    def learn(
        self,
        lesson: Lesson,
        *,
        max_passes: int = 1,
        seed: int | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Show the rows until a pass makes no update, or max_passes times; all of it or, interrupted, nothing."""
        with self.guarded(lesson.rows):
            lesson = self._suited(lesson)
            self._require_room(lesson, max_passes)
            for number in range(max_passes):
                order = lesson.order(seed, number)
                n_updates = self._give_pass(lesson, order, is_cancelled)
                self.n_passes += 1
                self.is_consistent = n_updates == 0
                if self.is_consistent:
                    break

    def _give_pass(self, lesson: Lesson, order: NDArray[np.int64] | None, is_cancelled: Callable[[], bool]) -> int:
        n_before = self.n_updates
        for first, last in lesson.rows.blocks(order):
            self._learn_block(lesson, order, first, last)
            if is_cancelled():
                raise KeyboardInterrupt
        self.n_steps += lesson.rows.n_rows
        return int(self.n_updates - n_before)

    def _learn_block(self, lesson: Lesson, order: NDArray[np.int64] | None, first: int, last: int) -> NDArray[np.int64]:
        """Show a block of rows, count and log what it does; return where it updated."""
        positions, is_mistake = self._learn(lesson, order, first, last)
        index = positions if order is None else order[positions]
        self.n_updates += len(positions)
        self.n_mistakes += int(np.count_nonzero(is_mistake))
        self.n_rates += int(lesson.rate[index].sum())
        if len(positions) and self._logs:
            rows, label, rate = lesson.rows.take(index), lesson.label[index], lesson.rate[index]
            self.log.add(Updates(rows, label, rate, self.n_steps + positions, index, is_mistake))
        self._after_block(self.n_steps + last)
        return positions

    @property
    def _logs(self) -> bool:
        """Whether updates are logged, to be kept or for a while."""
        return self.keeps_updates

    def _after_block(self, n_steps: int) -> None:
        """Do what is done after so many steps, if anything."""
        return

    def learn_until(self, lesson: Lesson, survival: int, max_updates: int) -> int:
        """Show rows in order until a hypothesis has survived so many in a row, or there are more updates than allowed.

        Returns how many rows the current hypothesis has survived; those after it were not shown.
        """
        survived = at = 0
        n_before = self.n_updates
        with self.guarded(lesson.rows):
            lesson = self._suited(lesson)
            self._require_room(lesson, 1)
            ends = np.array([last for _, last in lesson.rows.blocks()])
            while at < lesson.rows.n_rows and survived < survival and self.n_updates - n_before <= max_updates:
                # Only the current hypothesis can have survived long enough within a block as long as it still needs.
                block_end = int(ends[np.searchsorted(ends, at, side="right")])
                last = min(block_end, at + survival - survived)
                positions = self._learn_block(lesson, None, at, last)
                survived = last - 1 - int(positions[-1]) if len(positions) else survived + last - at
                at = last
            self.n_steps += at
            self.n_passes += 1
            self.is_consistent = self.n_updates == n_before
        return survived

    @contextmanager
    def guarded(self, rows: SparseRows) -> Iterator[None]:
        """Learn from these rows, in this block, all that should be learned, or nothing."""
        before, n_logged = dict(self.__dict__), len(self.log.parts)
        arrays = self._arrays()
        entries: Any = slice(None)
        if len(rows.places) < self.n_variables // 4:
            entries = np.append(rows.places[rows.places < len(arrays[0]) - 1], -1)
        copies = [(array, entries, array[entries].copy()) for array in arrays]
        copies += [(array, slice(None), array.copy()) for array in self._totals()]
        try:
            self._prepare(rows)
            yield
        except BaseException:
            self.__dict__.update(before)
            self.log.forget_after(n_logged)
            for array, places, values in copies:
                array[places] = values
            raise

    def _prepare(self, rows: SparseRows) -> None:
        """Make ready for these rows; arrays are replaced, not changed."""
        if rows.n_variables > self.n_variables:
            self._widen(rows.n_variables)
            self.n_variables = rows.n_variables

    def _suited(self, lesson: Lesson) -> Lesson:
        """Return the lesson in the arithmetic of the run."""
        return lesson

    def transcript(self, names: NameTable | Sequence[str] | None = None) -> Transcript:
        """Freeze the run so far, with what its variables are called, if anything."""
        if not self.keeps_updates:
            raise SettingError("this run keeps no updates, and so has no transcript")
        return learners.Transcript(
            self.learner,
            self.unit,
            self.log.sparse_rows(self.n_variables, is_real=self.is_real),
            slot=np.arange(self.n_updates),
            **self.log.columns(),
            n_steps=self.n_steps,
            n_passes=self.n_passes,
            is_consistent=self.is_consistent,
            names=names,
        )


def room_for(n_variables: int, array: NDArray[Any]) -> int:
    """Return for how many variables to make room, so that names that come one by one are not copied each time."""
    return max(n_variables, 3 * (len(array) - 1) // 2)


def widened(array: NDArray[Any], n_variables: int, value: float = 0) -> NDArray[Any]:
    """Return an array with room for so many variables, their first value, and last the constant's entry as it was."""
    shape = (n_variables + 1, *array.shape[1:])
    wide = np.full(shape, value, array.dtype) if value else np.zeros(shape, array.dtype)
    wide[: len(array) - 1], wide[-1] = array[:-1], array[-1]
    return wide
