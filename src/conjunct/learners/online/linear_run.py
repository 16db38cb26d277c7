"""A run of an on-line linear learner while it goes on: rows in, updates logged."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import SparseRows, random_permutation, require_memory
from conjunct.errors import BitsError, SettingError
from conjunct.learners.online.linear_transcript import LinearTranscript

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Lesson", "LinearRun", "widened"]

BYTES_PER_UPDATE, BYTES_PER_ENTRY = 128, 16
LARGEST_SUM = 1 << 62  # of whole weights


class Lesson:
    """Rows with labels +1 and -1 and whole update rates, checked."""

    def __init__(self, rows: SparseRows, labels: ArrayLike, rates: ArrayLike | None = None) -> None:
        given = np.asarray(labels)
        if given.shape != (rows.n_rows,) or rows.n_rows == 0:
            raise BitsError(f"{rows.n_rows} rows need as many labels and at least one, got shape {given.shape}")
        if not np.all((given == 1) | (given == -1)):
            raise BitsError("a learner's labels are +1 and -1")
        whole = np.ones(rows.n_rows, np.int64) if rates is None else np.asarray(rates)
        if whole.shape != (rows.n_rows,) or whole.dtype.kind not in "iu" or np.any(whole <= 0):
            raise SettingError(f"rates: expected {rows.n_rows} positive integers")
        if int(whole.max()) > LARGEST_SUM:
            raise SettingError("rates: expected integers up to 2**62")
        self.rows, self.label = rows, np.ascontiguousarray(given, np.int8)
        self.rate = np.ascontiguousarray(whole, np.int64)

    def order(self, seed: int | None, number: int) -> NDArray[np.int64] | None:
        """Return the order of a pass: None as given, or shuffled by a seed and the number of the pass."""
        return None if seed is None else random_permutation(seed, self.rows.n_rows, stream=number)


class LinearRun(ABC):
    """The state of a learner, and the log of its updates."""

    is_real = False

    def __init__(self, learner: Any, unit: Fraction) -> None:
        self.learner, self.unit = learner, unit
        self.n_variables = self.n_steps = self.n_passes = self.n_updates = self.n_mistakes = 0
        self.is_consistent = False
        self._log: list[_Updates] = []
        self.n_logged = 0  # bytes that the log takes in the end, in a model file and on the way there
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
        n_updates = n_mistakes = 0
        for first, last in lesson.rows.blocks(order):
            places, is_mistake = self._learn_logged(lesson, order, first, last)
            n_updates += len(places)
            n_mistakes += int(np.count_nonzero(is_mistake))
            if is_cancelled():
                raise KeyboardInterrupt
        self.n_steps += lesson.rows.n_rows
        self.n_updates += n_updates
        self.n_mistakes += n_mistakes
        return n_updates

    def _learn_logged(
        self, lesson: Lesson, order: NDArray[np.int64] | None, first: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        places, is_mistake = self._learn(lesson, order, first, last)
        if len(places):
            index = places if order is None else order[places]
            rows, label, rate = lesson.rows.take(index), lesson.label[index], lesson.rate[index]
            self._log.append(_Updates(rows, label, rate, self.n_steps + places, index, is_mistake))
            self.n_logged += BYTES_PER_UPDATE * len(places) + BYTES_PER_ENTRY * len(rows.places)
            require_memory(self.n_logged, "the log of updates", "use fewer passes (max_passes) or fewer rows")
        return places, is_mistake

    def learn_until(self, lesson: Lesson, survival: int, max_updates: int) -> int:
        """Show rows in order until a hypothesis has survived so many in a row, or there are more updates than allowed.

        Returns how many rows the current hypothesis has survived; those after it were not shown.
        """
        survived = at = n_updates = n_mistakes = 0
        with self.guarded(lesson.rows):
            lesson = self._suited(lesson)
            self._require_room(lesson, 1)
            ends = np.array([last for _, last in lesson.rows.blocks()])
            while at < lesson.rows.n_rows and survived < survival and n_updates <= max_updates:
                # Only the current hypothesis can have survived long enough within a block as long as it still needs.
                block_end = int(ends[np.searchsorted(ends, at, side="right")])
                last = min(block_end, at + survival - survived)
                places, is_mistake = self._learn_logged(lesson, None, at, last)
                survived = last - 1 - int(places[-1]) if len(places) else survived + last - at
                n_updates += len(places)
                n_mistakes += int(np.count_nonzero(is_mistake))
                at = last
            self.n_steps += at
            self.n_passes += 1
            self.n_updates += n_updates
            self.n_mistakes += n_mistakes
            self.is_consistent = n_updates == 0
        return survived

    @contextmanager
    def guarded(self, rows: SparseRows) -> Iterator[None]:
        """Learn from these rows, in this block, all that should be learned, or nothing."""
        before, n_logged = dict(self.__dict__), len(self._log)
        touched: Any = slice(None)
        if len(rows.places) < self.n_variables // 4:
            known = rows.places[rows.places < self.n_variables]
            touched = np.append(np.unique(known), -1)
        held = [(array, array[touched].copy()) for array in self._arrays()]
        try:
            self._prepare(rows)
            yield
        except BaseException:
            self.__dict__.update(before)
            del self._log[n_logged:]
            for array, values in held:
                array[touched] = values
            raise

    def _prepare(self, rows: SparseRows) -> None:
        """Make ready for these rows; arrays are replaced, not changed."""
        if rows.n_variables > self.n_variables:
            self._widen(rows.n_variables)
            self.n_variables = rows.n_variables

    def _suited(self, lesson: Lesson) -> Lesson:
        """Return the lesson in the arithmetic of the run."""
        return lesson

    def resume(self, transcript: LinearTranscript) -> None:
        """Take over a finished run: the same state as if its updates had been made here."""
        self._require_replayable(transcript)
        self._widen(transcript.rows.n_variables)
        self.n_variables = transcript.rows.n_variables
        columns = (transcript.label, transcript.rate, transcript.step, transcript.index, transcript.is_mistake)
        self._log = [_Updates(transcript.rows, *columns)]
        self.n_steps, self.n_passes = transcript.n_steps, transcript.n_passes
        self.n_updates, self.n_mistakes = transcript.n_updates, transcript.n_mistakes
        self.is_consistent = transcript.is_consistent
        self._replay(transcript)

    @abstractmethod
    def _require_replayable(self, transcript: LinearTranscript) -> None:
        """Refuse a transcript that no run of this learner could have written."""

    @abstractmethod
    def _replay(self, transcript: LinearTranscript) -> None:
        """Make all updates of a transcript at once."""

    def transcript(self) -> LinearTranscript:
        """Freeze the run so far."""
        return self.transcript_later()()

    def transcript_later(self) -> Callable[[], LinearTranscript]:
        """Return what makes the transcript of the run so far; updates made meanwhile are not in it."""
        lengths = {"n_steps": self.n_steps, "n_passes": self.n_passes, "is_consistent": self.is_consistent}
        log = (_no_updates(self.n_variables), *self._log)
        return partial(_transcript, self.learner, self.unit, log, self.n_variables, is_real=self.is_real, **lengths)


def _transcript(
    learner: Any, unit: Fraction, log: tuple[_Updates, ...], n_variables: int, *, is_real: bool, **lengths: Any
) -> LinearTranscript:
    values = [np.empty(0), *(part.rows.values for part in log if part.rows.values is not None)]
    rows = SparseRows(
        np.cumsum(np.concatenate([np.zeros(1, np.int64), *(np.diff(part.rows.starts) for part in log)])),
        np.concatenate([part.rows.places for part in log]),
        n_variables,
        np.concatenate(values) if is_real else None,
    )
    names = ("label", "rate", "step", "index", "is_mistake")
    columns: dict[str, Any] = {name: np.concatenate([getattr(part, name) for part in log]) for name in names}
    return LinearTranscript(learner, unit, rows, **columns, **lengths)


def widened(array: NDArray[Any], n_variables: int, value: float = 0) -> NDArray[Any]:
    """Return an array with room for so many variables, their first value, and last the constant's entry as it was."""
    shape = (n_variables + 1, *array.shape[1:])
    wide = np.full(shape, value, array.dtype) if value else np.zeros(shape, array.dtype)
    wide[: len(array) - 1], wide[-1] = array[:-1], array[-1]
    return wide


@dataclass(frozen=True)
class _Updates:
    rows: SparseRows
    label: NDArray[np.int8]
    rate: NDArray[np.int64]
    step: NDArray[np.int64]
    index: NDArray[np.int64]
    is_mistake: NDArray[np.bool_]

    def with_values(self) -> _Updates:
        """Return the same with every 1 written out."""
        return replace(self, rows=self.rows.with_values())


def _no_updates(n_variables: int) -> _Updates:
    none = np.empty(0, np.int64)
    rows = SparseRows(np.zeros(1, np.int64), none.astype(np.int32), n_variables)
    return _Updates(rows, none.astype(np.int8), none, none, none, none.astype(bool))
