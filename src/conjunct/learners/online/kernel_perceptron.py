"""The Perceptron in the space of a Boolean kernel's conjunctions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits import BitMatrix, random_permutation, require_memory
from conjunct.errors import BitsError, SettingError
from conjunct.kernels import ExactSum, Kernel
from conjunct.kernels.exact_sum import require_weight_sum
from conjunct.kernels.kernel import require_same_variables
from conjunct.kernels.work import WORK_PER_CALL
from conjunct.learners.online.transcript import Transcript
from conjunct.messages import shortened
from conjunct.models import KernelExpansion, VotedExpansion
from conjunct.theory import Exact, exact

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["KernelPerceptron"]

BYTES_PER_UPDATE = 128


@dataclass(frozen=True)
class KernelPerceptron:
    """The kernel Perceptron, on line and exact for any number of variables.

    Parameters
    ----------
    kernel : Kernel
    threshold : int, Fraction, "p/q" or float
        A row is predicted positive iff its score is at least this.
    learning_rate : int, Fraction, "p/q" or float
        What one mistake adds; only threshold / learning_rate matters for predictions.

    Notes
    -----
    score(x) = learning_rate * sum over the mistakes v so far of label(v) K(v, x). A mistake is a prediction other than
    the label, so a tie is one only on a negative row; only mistakes update. Source: [khardon2005, Section 3.1].

    Examples
    --------
    >>> from conjunct.kernels import MonotoneConjunctions
    >>> rows = BitMatrix.of(["00", "01", "10", "11"])  # exclusive or
    >>> run = KernelPerceptron(MonotoneConjunctions()).run(rows, [-1, 1, 1, -1], max_passes=10)
    >>> run.is_consistent, run.n_passes, run.n_mistakes
    (True, 8, 17)
    >>> next(iter(run))
    Mistake(step=0, index=0, label=-1, score=Fraction(0, 1))
    """

    kernel: Kernel
    threshold: Exact = 0
    learning_rate: Exact = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", exact(self.threshold, "threshold"))
        object.__setattr__(self, "learning_rate", exact(self.learning_rate, "learning_rate"))
        if Fraction(self.learning_rate) <= 0:
            raise SettingError(f"learning_rate={shortened(self.learning_rate)}: expected a positive number")

    def run(
        self,
        rows: BitMatrix,
        labels: ArrayLike,
        *,
        rates: ArrayLike | None = None,
        rate_unit: Fraction = Fraction(1),
        max_passes: int = 1,
        seed: int | None = None,
        after: Transcript | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Transcript:
        """Learn from rows until a pass makes no mistake, or for max_passes; returns the transcript.

        Parameters
        ----------
        rows : BitMatrix
        labels : array-like of +1 and -1
        rates : array-like of positive int, optional
            What a mistake on each row weighs, in units of rate_unit; 1 for every row when left out.
        rate_unit : Fraction
        max_passes : int
        seed : int, optional
            Shuffle the rows anew in every pass; in the given order when left out.
        after : Transcript, optional
            The run to go on with. It is not changed.
        is_cancelled : callable
            Asked several times a second; true ends the run with KeyboardInterrupt.
        """
        given = np.asarray(labels)
        if given.shape != (rows.n_rows,) or rows.n_rows == 0:
            raise BitsError(f"{rows.n_rows} rows need as many labels and at least one, got shape {given.shape}")
        if not np.all((given == 1) | (given == -1)):
            raise BitsError("a learner's labels are +1 and -1")
        whole = np.ones(rows.n_rows, np.int64) if rates is None else np.array(rates, np.int64)
        if whole.shape != (rows.n_rows,) or np.any(whole <= 0) or rate_unit <= 0:
            raise SettingError(f"rates: expected {rows.n_rows} positive integers and a positive unit")
        unit = Fraction(self.learning_rate) * rate_unit
        start = self._blank(rows, unit) if after is None else after
        if (start.kernel, start.unit) != (self.kernel, unit):
            raise SettingError("a run goes on only with the kernel, learning rate and class weights it began with")
        require_same_variables(start.rows, rows)
        require_weight_sum(sum(start.rate.tolist()) + max_passes * sum(whole.tolist()))
        lesson = _Lesson(self, rows, given.astype(np.int8), whole, start)
        n_passes, n_mistakes = 0, -1
        while n_passes < max_passes and n_mistakes:
            order = np.arange(rows.n_rows) if seed is None else random_permutation(seed, rows.n_rows, stream=n_passes)
            n_mistakes = lesson.give_pass(order, is_cancelled)
            n_passes += 1
        return lesson.transcript(n_passes, n_mistakes == 0)

    def model(self, transcripts: Sequence[Transcript], prediction: str = "final") -> KernelExpansion | VotedExpansion:
        """Freeze what was learned, one transcript per output.

        Parameters
        ----------
        transcripts : sequence of Transcript
            One for two classes; one per class, of equal lengths, for several.
        prediction : {"final", "averaged", "voted"}
            The last hypothesis, the mean of the hypotheses after every row, or the majority of their predictions.
        """
        first, threshold = transcripts[0], Fraction(self.threshold)
        cells = BitMatrix(
            np.vstack([t.rows.words for t in transcripts]),
            first.rows.n_variables,
            first.rows.names if first.rows.is_named else None,
        ).pool()
        starts = np.cumsum([0] + [t.rows.n_rows for t in transcripts])
        cell_of = [cells.cell_of[a:b] for a, b in pairwise(starts)]
        if prediction == "voted":
            updates = tuple(
                (places[t.slot], t.weight, t.survival()) for t, places in zip(transcripts, cell_of, strict=True)
            )
            return VotedExpansion(self.kernel, cells.rows, updates, first.unit, threshold)
        if prediction not in ("final", "averaged"):
            raise SettingError(f'prediction={shortened(prediction)}: expected "final", "averaged" or "voted"')
        is_averaged = prediction == "averaged"
        weights = np.zeros((len(transcripts), cells.rows.n_rows), np.int64)
        for output, t, places in zip(weights, transcripts, cell_of, strict=True):
            output[places] = t.averaged_weights() if is_averaged else t.summed_weights()
        used = np.any(weights != 0, axis=0)
        unit = first.unit / first.n_steps if is_averaged else first.unit
        return KernelExpansion(self.kernel, cells.rows[used], weights[:, used], unit, threshold)

    def _blank(self, rows: BitMatrix, unit: Fraction) -> Transcript:
        none = np.empty(0, np.int64)
        return Transcript(self.kernel, unit, rows[:0], none, none.astype(np.int8), none, none, none, 0, 0, False)


class _Lesson:
    """The buffers of one run: every distinct row once, the support growing in place."""

    def __init__(
        self,
        learner: KernelPerceptron,
        rows: BitMatrix,
        label: NDArray[np.int8],
        rate: NDArray[np.int64],
        start: Transcript,
    ) -> None:
        cells = BitMatrix(np.vstack([start.rows.words, rows.words]), rows.n_variables).pool()
        n_old, n_cells = start.rows.n_rows, cells.rows.n_rows
        self.start, self.rows, self.label, self.rate = start, rows, label, rate
        self.sum = ExactSum.of(learner.kernel, rows, Fraction(learner.threshold) / start.unit)
        self.cells, self.cell_of = cells.rows.words, np.ascontiguousarray(cells.cell_of[n_old:])
        self.words = np.zeros_like(self.cells)
        self.words[:n_old] = start.rows.words
        self.weight = np.zeros(n_cells, np.int64)
        self.weight[:n_old] = start.summed_weights()
        self.slot_of_cell = np.full(n_cells, -1, np.int64)
        self.slot_of_cell[cells.cell_of[:n_old]] = np.arange(n_old)
        self.n_support, self.n_steps = n_old, start.n_steps
        self.step, self.index = [start.step], [start.index]
        self.slot, self.labels, self.rates = [start.slot], [start.label], [start.rate]
        self.n_logged = 0  # bytes that the log takes in the end, in a model file and on the way there

    def give_pass(self, order: NDArray[np.int64], is_cancelled: Callable[[], bool]) -> int:
        """Show every row once; returns the number of mistakes."""
        mistaken = np.empty(len(order), np.int64)
        position, total = 0, 0
        while position < len(order):
            position, found, self.n_support = _core.kernel_perceptron_pass(
                self.sum.layout.native,
                self.sum.native,
                self.cells,
                self.cell_of,
                self.label,
                self.rate,
                order,
                self.words,
                self.weight,
                self.slot_of_cell,
                self.n_support,
                position,
                WORK_PER_CALL,
                mistaken,
            )
            places = mistaken[:found]
            index = order[places]
            self.step.append(self.n_steps + places)
            self.index.append(index)
            self.slot.append(self.slot_of_cell[self.cell_of[index]])
            self.labels.append(self.label[index])
            self.rates.append(self.rate[index])
            self.n_logged += BYTES_PER_UPDATE * len(index)
            require_memory(self.n_logged, "the log of updates", "use fewer passes (max_passes) or fewer rows")
            total += found
            if is_cancelled():
                raise KeyboardInterrupt
        self.n_steps += len(order)
        return total

    def transcript(self, n_passes: int, is_consistent: bool) -> Transcript:
        """Freeze the run."""
        names = self.rows.names if self.rows.is_named else None
        support = BitMatrix(self.words[: self.n_support], self.rows.n_variables, names)
        return Transcript(
            self.start.kernel,
            self.start.unit,
            support,
            slot=np.concatenate(self.slot),
            label=np.concatenate(self.labels),
            rate=np.concatenate(self.rates),
            step=np.concatenate(self.step),
            index=np.concatenate(self.index),
            n_steps=self.n_steps,
            n_passes=self.start.n_passes + n_passes,
            is_consistent=is_consistent,
        )
