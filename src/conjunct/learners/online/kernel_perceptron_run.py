"""A run of the kernel Perceptron while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core, learners
from conjunct.bits import BitMatrix
from conjunct.errors import SettingError
from conjunct.kernels import ExactSum
from conjunct.kernels.exact_sum import require_weight_sum
from conjunct.kernels.kernel import require_same_variables
from conjunct.kernels.work import WORK_PER_CALL
from conjunct.learners.online.lesson import Lesson
from conjunct.learners.online.update_log import UpdateLog, Updates

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners.online.kernel_perceptron import KernelPerceptron
    from conjunct.learners.online.transcript import Transcript

__all__ = ["KernelPerceptronRun"]


class KernelPerceptronRun:
    """The distinct rows mistaken with their weights; and the updates, where these are kept.

    Attributes
    ----------
    rows : BitMatrix or None
        The distinct rows, in the order of their first mistake; None before the first lesson.
    weights : ndarray of int64
        What each row weighs in the last hypothesis, in units of ``unit``.
    lasting : ndarray of int64
        For the mean: each update of a row times the step it was made at, summed.
    """

    def __init__(self, learner: KernelPerceptron, unit: Fraction, *, averages: bool, keeps_updates: bool) -> None:
        self.learner, self.unit, self.averages, self.keeps_updates = learner, unit, averages, keeps_updates
        self.rows: BitMatrix | None = None
        self.weights, self.lasting = np.empty(0, np.int64), np.empty(0, np.int64)
        self.n_variables = self.n_steps = self.n_passes = self.n_updates = self.n_rates = 0
        self.n_rate_steps = 0  # rates times steps, summed: what no sum of `lasting` passes
        self.is_consistent = False
        self.log = UpdateLog()

    @property
    def n_mistakes(self) -> int:
        """The number of mistakes: only they update."""
        return self.n_updates

    @classmethod
    def after(cls, learner: KernelPerceptron, transcript: Transcript) -> KernelPerceptronRun:
        """Return a run that made the updates of a transcript."""
        run = cls(learner, transcript.unit, averages=False, keeps_updates=True)
        run.rows, run.weights = transcript.rows, transcript.summed_weights()
        run.n_variables = transcript.rows.n_variables
        columns = (transcript.label, transcript.rate, transcript.step, transcript.index, transcript.is_mistake)
        run.log = UpdateLog(Updates(transcript.slot, *columns))
        run.n_steps, run.n_passes, run.n_updates = transcript.n_steps, transcript.n_passes, len(transcript)
        run.n_rates = sum(transcript.rate.tolist())
        return run

    def learn(
        self,
        lesson: Lesson,
        *,
        max_passes: int = 1,
        seed: int | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        """Show the rows until a pass makes no mistake, or max_passes times; all of it or, interrupted, nothing."""
        if self.rows is not None:
            require_same_variables(self.rows, lesson.rows)
        require_weight_sum(self.n_rates + max_passes * sum(lesson.rate.tolist()))
        buffers = _Buffers(self, lesson)
        n_passes, n_mistakes = 0, -1
        while n_passes < max_passes and n_mistakes:
            order = lesson.order(seed, n_passes)
            n_mistakes = buffers.give_pass(np.arange(lesson.rows.n_rows) if order is None else order, is_cancelled)
            n_passes += 1
        self.__dict__.update(  # at once: an interrupt comes before or after
            buffers.learned(), n_passes=self.n_passes + n_passes, is_consistent=n_mistakes == 0
        )

    @contextmanager
    def guarded(self, rows: BitMatrix) -> Iterator[None]:
        """Learn from these rows, in this block, all that should be learned, or nothing."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.update(before)
            raise

    def summed_weights(self) -> NDArray[np.int64]:
        """Return the weight of each row in the last hypothesis."""
        return self.weights

    def averaged_weights(self) -> NDArray[np.int64]:
        """Return the weight of each row summed over the hypotheses current at the end of every step."""
        if not self.averages:
            raise SettingError("this run keeps no averages")
        require_weight_sum(self.n_steps * self.n_rates - self.n_rate_steps)
        # Both terms may pass 64 bits where their difference does not, and wrap around alike.
        total: NDArray[np.int64] = self.n_steps * self.weights - self.lasting
        return total

    def transcript(self) -> Transcript:
        """Freeze the run so far."""
        if not self.keeps_updates or self.rows is None:
            raise SettingError("this run keeps no updates, and so has no transcript")
        slots = [np.empty(0, np.int64), *(part.rows for part in self.log.parts)]
        return learners.Transcript(
            self.learner,
            self.unit,
            self.rows,
            slot=np.concatenate(slots),
            **self.log.columns(),
            n_steps=self.n_steps,
            n_passes=self.n_passes,
            is_consistent=self.is_consistent,
        )


class _Buffers:
    """The buffers of one lesson: every distinct row once, those mistaken growing in place."""

    def __init__(self, run: KernelPerceptronRun, lesson: Lesson) -> None:
        rows = lesson.rows
        old = rows[:0] if run.rows is None else run.rows
        cells = BitMatrix(np.vstack([old.words, rows.words]), rows.n_variables).pool()
        n_old, n_cells = old.n_rows, cells.rows.n_rows
        self.run, self.lesson = run, lesson
        self.sum = ExactSum.of(run.learner.kernel, rows, Fraction(run.learner.threshold) / run.unit)
        self.cells, self.cell_of = cells.rows.words, np.ascontiguousarray(cells.cell_of[n_old:])
        self.words = np.zeros_like(self.cells)
        self.weights, self.lasting = np.zeros((2, n_cells), np.int64)
        self.words[:n_old], self.weights[:n_old] = old.words, run.weights
        self.lasting[: len(run.lasting)] = run.lasting
        self.slot_of_cell = np.full(n_cells, -1, np.int64)
        self.slot_of_cell[cells.cell_of[:n_old]] = np.arange(n_old)
        self.support = _core.Support(self.words, self.weights, self.slot_of_cell, n_old)
        self.n_steps, self.n_updates = run.n_steps, run.n_updates
        self.n_rates, self.n_rate_steps = run.n_rates, run.n_rate_steps
        self.log = UpdateLog(*run.log.parts)

    def give_pass(self, order: NDArray[np.int64], is_cancelled: Callable[[], bool]) -> int:
        """Show every row once; returns the number of mistakes."""
        mistaken, position, n_before = np.empty(len(order), np.int64), 0, self.n_updates
        shown = _core.KernelLesson(self.cells, self.cell_of, self.lesson.label, self.lesson.rate, order)
        while position < len(order):
            position, n_mistakes = _core.kernel_perceptron_pass(
                self.sum.layout.native, self.sum.native, shown, self.support, position, WORK_PER_CALL, mistaken
            )
            self._note(mistaken[:n_mistakes], order)
            if is_cancelled():
                raise KeyboardInterrupt
        self.n_steps += len(order)
        return self.n_updates - n_before

    def _note(self, positions: NDArray[np.int64], order: NDArray[np.int64]) -> None:
        """Count mistakes, and keep of them what the run keeps."""
        index, step = order[positions], self.n_steps + positions
        slot, label, rate = self.slot_of_cell[self.cell_of[index]], self.lesson.label[index], self.lesson.rate[index]
        self.n_updates += len(positions)
        rates = rate.tolist()
        self.n_rates += sum(rates)
        if self.run.averages:
            self.n_rate_steps += sum(r * t for r, t in zip(rates, step.tolist(), strict=True))
            np.add.at(self.lasting, slot, label * rate * step)
        if self.run.keeps_updates and len(positions):
            self.log.add(Updates(slot, label, rate, step, index, np.ones(len(index), bool)))

    def learned(self) -> dict[str, Any]:
        """Return what the run is after the lesson."""
        rows, n = self.lesson.rows, self.support.n_rows
        return {
            "n_variables": rows.n_variables,
            "rows": BitMatrix(self.words[:n], rows.n_variables, rows.names if rows.is_named else None),
            "weights": self.weights[:n].copy(),
            "lasting": self.lasting[:n].copy() if self.run.averages else np.empty(0, np.int64),
            **{name: getattr(self, name) for name in ("n_steps", "n_updates", "n_rates", "n_rate_steps", "log")},
        }
