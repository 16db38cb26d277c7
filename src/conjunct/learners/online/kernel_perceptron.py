"""The Perceptron in the space of a Boolean kernel's conjunctions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core, learners
from conjunct.bits import BitMatrix
from conjunct.errors import SettingError
from conjunct.kernels import ExactSum, Kernel
from conjunct.kernels.exact_sum import integers_from_limbs
from conjunct.kernels.work import work_blocks
from conjunct.learners.online.kernel_perceptron_run import KernelPerceptronRun
from conjunct.learners.online.lesson import Lesson
from conjunct.models import KernelExpansion, VotedExpansion
from conjunct.settings import Exact, choice, exact, positive_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from conjunct.learners.online.transcript import Transcript

__all__ = ["KernelPerceptron"]


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
    Update(step=0, index=0, label=-1, is_mistake=True, score=Fraction(0, 1))
    """

    kernel: Kernel
    threshold: Exact = 0
    learning_rate: Exact = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "threshold", exact(self.threshold, "threshold"))
        object.__setattr__(self, "learning_rate", positive_number(self.learning_rate, "learning_rate"))

    def begin(
        self, rate_unit: Fraction = Fraction(1), *, averages: bool = True, keeps_updates: bool = True
    ) -> KernelPerceptronRun:
        """Start a run that is shown rows batch by batch; see `Perceptron.begin`.

        A run takes memory for its distinct mistaken rows, and for every mistake only where updates are kept.
        """
        unit = Fraction(self.learning_rate) * rate_unit
        return KernelPerceptronRun(self, unit, averages=averages, keeps_updates=keeps_updates)

    def needs_updates(self, prediction: str) -> bool:
        """Return whether a prediction needs the updates of the run."""
        return prediction == "voted"

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
        lesson = Lesson(rows, labels, None if rates is None else np.array(rates, np.int64))
        if rate_unit <= 0:
            raise SettingError("rate_unit: expected a positive unit of the rates")
        run = self.begin(rate_unit, averages=False)
        if after is not None:
            learner: Any = after.learner
            if (learner.kernel, after.unit) != (self.kernel, run.unit):
                raise SettingError("a run goes on only with the kernel, learning rate and class weights it began with")
            run = KernelPerceptronRun.after(self, after)
        run.learn(lesson, max_passes=max_passes, seed=seed, is_cancelled=is_cancelled)
        return run.transcript()

    def replayed_scores(self, transcript: Transcript) -> list[Fraction]:
        """Return the exact score each mistaken row of a transcript had, by replaying the run."""
        if not len(transcript):
            return []
        rows, exact_sum = transcript.rows, ExactSum.of(self.kernel, transcript.rows, Fraction(0))
        sums = np.zeros(rows.n_rows, np.int64)
        weight, scale = transcript.weight, transcript.unit / exact_sum.denominator
        scores: list[Fraction] = []
        for block, _ in work_blocks(len(transcript), rows.words.size * len(exact_sum.layout.summands)):
            limbs = np.empty((block.stop - block.start, exact_sum.native.n_limbs), np.uint64)
            _core.replay_scores(
                exact_sum.layout.native, exact_sum.native, rows.words, transcript.slot, weight, block.start, sums, limbs
            )
            scores.extend(scale * total for total in integers_from_limbs(limbs))
        return scores

    def model(
        self, runs: Sequence[KernelPerceptronRun | Transcript], prediction: str = "final"
    ) -> KernelExpansion | VotedExpansion:
        """Freeze what was learned, one run or transcript per output.

        Parameters
        ----------
        runs : sequence of runs or of Transcript
            One for two classes; one per class, of equal lengths, for several.
        prediction : {"final", "averaged", "voted"}
            The last hypothesis, the mean of the hypotheses after every row, or the majority of their predictions.
        """
        choice(prediction, "prediction", ("final", "averaged", "voted"))
        all_rows: list[Any] = [run.rows for run in runs]
        unit, threshold, names = (
            runs[0].unit,
            Fraction(self.threshold),
            all_rows[0].names if all_rows[0].is_named else None,
        )
        cells = BitMatrix(np.vstack([rows.words for rows in all_rows]), all_rows[0].n_variables, names).pool()
        starts = np.cumsum([0] + [rows.n_rows for rows in all_rows])
        cell_of = [cells.cell_of[a:b] for a, b in pairwise(starts)]
        if prediction == "voted":
            transcripts = [run if isinstance(run, learners.Transcript) else run.transcript() for run in runs]
            updates = tuple(
                (cell[t.slot], t.weight, t.survival()) for t, cell in zip(transcripts, cell_of, strict=True)
            )
            return VotedExpansion(self.kernel, cells.rows, updates, unit, threshold)
        is_averaged = prediction == "averaged"
        weights = np.zeros((len(runs), cells.rows.n_rows), np.int64)
        for output, run, cell in zip(weights, runs, cell_of, strict=True):
            output[cell] = run.averaged_weights() if is_averaged else run.summed_weights()
        used = np.any(weights != 0, axis=0)
        if is_averaged:
            unit /= runs[0].n_steps
        return KernelExpansion(self.kernel, cells.rows[used], weights[:, used], unit, threshold)
