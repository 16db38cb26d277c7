"""The Perceptron over Boolean or real variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf, nextafter
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from conjunct import _core, theory
from conjunct.bits import NameTable, SparseRows
from conjunct.errors import BitsError, SettingError
from conjunct.learners.online.bound_check import (
    BoundCheck,
    Refutation,
    disjunction,
    mistakes_of,
    refutation,
    require_plain,
    weights,
)
from conjunct.learners.online.lesson import Lesson
from conjunct.learners.online.linear_run import LinearRun, room_for, widened
from conjunct.learners.online.perceptron_stream import PerceptronStream
from conjunct.learners.online.update_log import UpdateLog
from conjunct.messages import shortened
from conjunct.models import LinearThreshold, VotedThreshold
from conjunct.models.weight_powers import nearest
from conjunct.settings import Exact, exact, positive_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from conjunct.learners.online.transcript import Transcript

__all__ = ["Perceptron"]

LARGEST_SUM = 1 << 62  # of whole weights
STATES: dict[Any, Any] = {
    np.dtype(np.int32): _core.PerceptronState32,
    np.dtype(np.int64): _core.PerceptronState64,
    np.dtype(np.float64): _core.RealPerceptronState,
}


@dataclass(frozen=True)
class Perceptron:
    """The Perceptron, on line; exact on Boolean rows, in floats on real ones.

    Parameters
    ----------
    threshold : int, Fraction, "p/q" or float
        A row is predicted positive iff its score is at least this.
    learning_rate : int, Fraction, "p/q" or float
        What one update adds; only threshold / learning_rate matters for predictions.
    constant : int, Fraction, "p/q" or float
        The value of one more variable that every row has; 0 for none.
    thickness : int, Fraction, "p/q" or float
        Update also on rows that are right by no more than this. Mistakes are counted apart from updates.

    Examples
    --------
    >>> rows = SparseRows.of([{0}, {1}, {0, 1}, set()])
    >>> run = Perceptron(constant=1).run(rows, [1, 1, 1, -1], max_passes=10)
    >>> run.is_consistent, run.n_mistakes, run.n_promotions
    (True, 5, 2)
    >>> next(iter(run))
    Update(step=3, index=3, label=-1, is_mistake=True, score=Fraction(0, 1))
    """

    bytes_per_variable: ClassVar[int] = 40  # and output: while learning, in the model and while loading, as measured

    threshold: Exact = 0
    learning_rate: Exact = 1
    constant: Exact = 0
    thickness: Exact = 0

    def __post_init__(self) -> None:
        for name in ("threshold", "constant", "thickness"):
            object.__setattr__(self, name, exact(getattr(self, name), name))
        object.__setattr__(self, "learning_rate", positive_number(self.learning_rate, "learning_rate"))
        if Fraction(self.thickness) < 0:
            raise SettingError(f"thickness={shortened(self.thickness)}: expected 0 or a positive number")

    def begin(
        self,
        rate_unit: Fraction = Fraction(1),
        *,
        is_real: bool = False,
        averages: bool = True,
        keeps_updates: bool = True,
    ) -> PerceptronRun:
        """Start a run that is shown rows batch by batch.

        Parameters
        ----------
        rate_unit : Fraction
            What a rate of 1 is worth.
        is_real : bool
            Whether it learns in floats from the start.
        averages : bool
            Whether it keeps what the mean hypothesis needs.
        keeps_updates : bool
            Whether it keeps what a transcript and votes need; if not, a run takes memory for its variables only.
        """
        unit = Fraction(self.learning_rate) * rate_unit
        return PerceptronRun(self, unit, is_real=is_real, averages=averages, keeps_updates=keeps_updates)

    def needs_updates(self, prediction: str) -> bool:
        """Return whether a prediction needs the updates of the run."""
        return prediction == "voted"

    def stream(self, runs: Sequence[PerceptronRun], table: NameTable, rates: Sequence[int]) -> PerceptronStream:
        """Return what shows runs examples by name, one a call; see `PerceptronStream`."""
        return PerceptronStream(runs, table, rates)

    def run(
        self,
        rows: SparseRows,
        labels: ArrayLike,
        *,
        rates: ArrayLike | None = None,
        rate_unit: Fraction = Fraction(1),
        max_passes: int = 1,
        seed: int | None = None,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> Transcript:
        """Learn from rows until a pass makes no update, or for max_passes; returns the transcript."""
        run = self.begin(rate_unit, is_real=rows.values is not None)
        run.learn(Lesson(rows, labels, rates), max_passes=max_passes, seed=seed, is_cancelled=is_cancelled)
        return run.transcript()

    def replayed_scores(self, transcript: Transcript) -> list[Fraction] | list[float]:
        """Return the score of each row of a transcript before its update."""
        unit, constant_sq = transcript.unit, Fraction(self.constant) ** 2
        is_real = transcript.rows.values is not None
        weights = np.zeros(transcript.rows.n_variables + 1, np.float64 if is_real else np.int64)
        scores: list[Any] = []
        for number, (label, rate) in enumerate(zip(transcript.label.tolist(), transcript.rate.tolist(), strict=True)):
            variables = transcript.rows.row(number)
            entries = slice(*transcript.rows.starts[number : number + 2])
            values = 1 if transcript.rows.values is None else transcript.rows.values[entries]
            total, constant = (weights[variables] * values).sum().item(), weights[-1].item()
            if is_real:
                scores.append(nearest(unit) * (total + constant * nearest(constant_sq)))
            else:
                scores.append(unit * (total + constant * constant_sq))
            weights[variables] += label * rate * values
            weights[-1] += label * rate
        return scores

    def check(self, transcript: Transcript, target: Any) -> BoundCheck:
        """Compare a run's mistakes with R^2 |u|^2 / margin^2, or with the hinge form where the target has no margin.

        A disjunction of k variables is u = 1 on them, and -1/2 on a constant variable of value 1.
        """
        require_plain(transcript, self._is_plain(transcript), "Perceptrons have one with threshold 0, no thickness")
        square, width = Fraction(self.constant) ** 2, transcript.rows.n_variables
        constant = Fraction(0)
        if isinstance(target, Set):
            u = dict.fromkeys(disjunction(target, width), Fraction(1))
            constant, name = Fraction(-1, 2), f"the disjunction of {len(u)} variables"
        else:
            u, name = weights(target, width), "these weights"
        if constant and not square:
            raise SettingError("a disjunction needs a constant variable: Perceptron(constant=1)")
        norm_sq = sum((weight**2 for weight in u.values()), constant**2 / square if constant else Fraction(0))
        rows = mistakes_of(transcript)
        radius_sq = max((len(row) for row, _ in rows), default=0) + square
        margins = [label * (sum((u.get(v, Fraction(0)) for v in row), constant)) for row, label in rows]
        if min(margins, default=Fraction(1)) > 0:
            bound = theory.perceptron_bound(radius_sq, norm_sq, min(margins, default=Fraction(1)))
            return BoundCheck(f"the Perceptron, for {name}", len(rows), bound)
        loss = sum((max(Fraction(0), 1 - margin) for margin in margins), Fraction(0))
        whole = theory.perceptron_hinge_bound(loss, radius_sq, norm_sq)
        return BoundCheck(f"the Perceptron, for {name} with hinge loss {float(loss):g}", len(rows), whole)

    def refuted(self, transcript: Transcript) -> Refutation:
        """Say which disjunctions cannot fit the rows of a run."""
        require_plain(transcript, self._is_plain(transcript) and self.constant == 1, "take threshold 0, constant 1")
        most = transcript.rows.most_entries
        width = theory.perceptron_sparse_refuted_width(transcript.n_mistakes, most)
        why = f"{transcript.n_mistakes} mistakes on rows of at most {most} variables"
        return refutation(width, "variables", why)

    def _is_plain(self, transcript: Transcript) -> bool:
        return self.threshold == 0 and self.thickness == 0 and transcript.rows.values is None

    def model(self, runs: Sequence[PerceptronRun], prediction: str = "final") -> LinearThreshold | VotedThreshold:
        """Freeze what was learned, one run per output: its last hypothesis, the mean or the majority of all."""
        threshold, first = Fraction(self.threshold), runs[0]
        if prediction == "voted":
            return VotedThreshold(tuple(run.transcript() for run in runs), first.constant_sq, threshold)
        n = max(run.n_variables for run in runs)
        weights = np.zeros((len(runs), n + 1), np.float64 if first.is_real else np.int64)
        unit = first.unit
        for output, run in zip(weights, runs, strict=True):
            hypothesis = run.averaged() if prediction == "averaged" else run.weights
            output[: run.n_variables], output[-1] = hypothesis[:-1], hypothesis[-1]
        if prediction == "averaged":
            unit /= max(1, first.n_steps)
        return LinearThreshold(weights[:, :-1], weights[:, -1], first.constant_sq, unit, threshold)


class PerceptronRun(LinearRun):
    """A Perceptron while it learns: whole weights in units of the learning rate, or floats on real rows."""

    learner: Perceptron

    def __init__(
        self, learner: Perceptron, unit: Fraction, *, is_real: bool, averages: bool, keeps_updates: bool
    ) -> None:
        self.is_real, self.constant_sq = is_real, Fraction(learner.constant) ** 2
        super().__init__(learner, unit, averages=averages, keeps_updates=keeps_updates)
        self.rule = self._float_rule() if is_real else self._whole_rule()

    def _clear(self) -> None:
        # With room for variables to come; the constant's entry is the last one.
        # Whole weights are of 32 bits while their sums may not need more: half the way to fetch them.
        self._roomy_weights: NDArray[Any] = np.zeros(1, np.float64 if self.is_real else np.int32)
        # For the mean: each update times the step it was made at, summed.
        self._roomy_lasting: NDArray[Any] = np.zeros(1, np.float64 if self.is_real else np.int64)

    @property
    def weights(self) -> NDArray[Any]:
        """The weight of every variable, and last the constant's."""
        return self._without_room(self._roomy_weights)

    @weights.setter
    def weights(self, weights: NDArray[Any]) -> None:
        self._roomy_weights = weights

    @property
    def lasting(self) -> NDArray[Any]:
        """For the mean: each update times the step it was made at, summed."""
        return self._without_room(self._roomy_lasting)

    @lasting.setter
    def lasting(self, lasting: NDArray[Any]) -> None:
        self._roomy_lasting = lasting

    def _without_room(self, array: NDArray[Any]) -> NDArray[Any]:
        n = self.n_variables
        return array if len(array) == n + 1 else np.append(array[:n], array[-1])

    def _whole_rule(self) -> tuple[int, int, int, int, int]:
        """Express the cuts in units of the score: learning rate over the denominator of the constant's square."""
        learner, square = self.learner, self.constant_sq
        per_unit = square.denominator / self.unit
        cut, thick = Fraction(learner.threshold) * per_unit, Fraction(learner.thickness) * per_unit
        predict_at = ceil(cut)
        rule = (
            predict_at,
            floor(cut + thick) if thick else predict_at - 1,
            ceil(cut - thick) if thick else predict_at,
        )
        at, above, below = (max(-LARGEST_SUM, min(LARGEST_SUM, value)) for value in rule)
        return at, above, below, square.denominator, square.numerator

    def _float_rule(self) -> tuple[float, float, float, float, float]:
        learner = self.learner
        cut, thick = Fraction(learner.threshold) / self.unit, Fraction(learner.thickness) / self.unit
        predict_at = nearest(cut)
        above = nearest(cut + thick) if thick else nextafter(predict_at, -inf)
        return predict_at, above, nearest(cut - thick), 1.0, nearest(self.constant_sq)

    def _widen(self, n_variables: int) -> None:
        if n_variables >= len(self._roomy_weights):
            room = room_for(n_variables, self._roomy_weights)
            self._roomy_weights = widened(self._roomy_weights, room)
            self._roomy_lasting = widened(self._roomy_lasting, room)

    def make_room(self, n_variables: int) -> None:
        """Make room for variables to come; the run has no more of them than before."""
        self._widen(n_variables)

    @property
    def roomy_arrays(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Weights and what lasts of them, with room for variables to come; the constant's entry is the last one."""
        return self._roomy_weights, self._roomy_lasting

    def _arrays(self) -> list[NDArray[Any]]:
        return list(self.roomy_arrays)

    def _prepare(self, rows: SparseRows) -> None:
        super()._prepare(rows)
        if rows.values is not None:
            self.to_real()

    def _suited(self, lesson: Lesson) -> Lesson:
        is_suited = not self.is_real or lesson.rows.values is not None
        return lesson if is_suited else Lesson(lesson.rows.with_values(), lesson.label, lesson.rate)

    def _require_room(self, lesson: Lesson, n_passes: int) -> None:
        self.require_future(n_passes * lesson.rows.n_rows, int(lesson.rate.max()), lesson.rows.most_entries)

    def require_future(self, n_rows: int, rate: int, most_entries: int) -> None:
        """Make ready for so many more rows, of at most such a rate and so many entries; refuse what could overflow."""
        rates = self.n_rates + n_rows * rate
        self.require_sums(rates, self.n_steps + n_rows, most_entries)
        if not self.is_real and rates >= 1 << 31 and self._roomy_weights.dtype != np.int64:
            self._roomy_weights = self._roomy_weights.astype(np.int64)

    def require_sums(self, rates: int, steps: int, most_entries: int) -> None:
        """Refuse rates that could sum past what weights hold, in so many steps on rows of so many entries."""
        _, _, _, row_scale, constant_scale = self.rule
        largest = steps if self.is_real else max(steps, most_entries * row_scale + constant_scale)
        if rates * largest >= LARGEST_SUM:
            raise SettingError("class weights and passes could lead to weights past 2**62; use simpler or fewer")

    def _learn(
        self, lesson: Lesson, order: NDArray[np.int64] | None, first: int, last: int
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        position, is_mistake = np.empty(last - first, np.int64), np.empty(last - first, np.uint8)
        log = _core.UpdateLog(position, is_mistake)
        weights, lasting = self._roomy_weights, self._roomy_lasting
        state = STATES[weights.dtype](weights, lasting if self.averages else None)
        _core.perceptron_pass(self.native_rule, lesson.native(order, self.n_steps), first, last, state, log)
        n_updates = log.n_updates
        return position[:n_updates].copy(), is_mistake[:n_updates].astype(bool)

    @property
    def native_rule(self) -> Any:
        """The rule for the core."""
        return (_core.RealPerceptronRule if self.is_real else _core.WholePerceptronRule)(*self.rule)

    def to_real(self) -> None:
        """Go on in floats, for rows with values."""
        if not self.is_real:
            self.is_real, self.rule = True, self._float_rule()
            self._roomy_weights = self._roomy_weights.astype(np.float64)
            self._roomy_lasting = self._roomy_lasting.astype(np.float64)
            self.log = UpdateLog(*(part.with_values() for part in self.log.parts))

    def averaged(self) -> NDArray[Any]:
        """Return the weights summed over the hypotheses current at the end of every step."""
        if not self.averages:
            raise SettingError("this run keeps no averages")
        with np.errstate(over="ignore", invalid="ignore"):
            total: NDArray[Any] = self.n_steps * self.weights.astype(self.lasting.dtype) - self.lasting
        if self.is_real and not np.all(np.isfinite(total)):
            raise BitsError("the mean of the hypotheses passes the range of float64; scale the values of the rows")
        return total
