"""An on-line learner with a mistake bound, stopped where its hypothesis is probably approximately correct."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from conjunct.bits import SparseRows
from conjunct.errors import BitsError, SettingError
from conjunct.learners.online.lesson import Lesson
from conjunct.learners.online.linear_run import LinearRun
from conjunct.learners.online.transcript import Transcript
from conjunct.messages import shortened
from conjunct.settings import Exact, exact, whole_number
from conjunct.theory import pac_examples, pac_survival_error, pac_survival_length

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Guarantee", "OnlineToPAC", "Survivor"]


class OnlineLearner(Protocol):
    """What can be stopped: a `Perceptron` or a `Winnow`."""

    @property
    def thickness(self) -> Any: ...

    def begin(self, *, averages: bool = True, keeps_updates: bool = True) -> Any: ...

    def model(self, runs: Any, prediction: str = "final") -> Any: ...


class Hypothesis(Protocol):
    """What predicts rows: `choices` are 1 for positive and 0 for negative."""

    def choices(self, x: SparseRows) -> NDArray[np.int64]: ...


@dataclass(frozen=True, slots=True)
class Guarantee:
    """What is known of a hypothesis that survived.

    Attributes
    ----------
    epsilon, delta : Fraction
        The error it keeps, and the probability that this is wrong.
    survival : int
        How many examples in a row it predicted correctly.
    n_examples, n_mistakes : int
        How many examples the learner was shown, and on how many it was wrong.
    mistake_bound : int
        What its mistakes are bounded by on any examples of the target; the guarantee rests on it.

    Examples
    --------
    >>> print(Guarantee(Fraction(1, 10), Fraction(1, 20), 61, 90, 3, 20))
    with probability at least 1 - 0.05 over i.i.d. examples the error is at most 0.1
    """

    epsilon: Fraction
    delta: Fraction
    survival: int
    n_examples: int
    n_mistakes: int
    mistake_bound: int

    @property
    def statement(self) -> str:
        """The guarantee in words; its numbers rounded up to six digits."""
        chance = f"at least 1 - {_rounded_up(self.delta)} over i.i.d. examples"
        return f"with probability {chance} the error is at most {_rounded_up(self.epsilon)}"

    def __str__(self) -> str:
        return self.statement


@dataclass(frozen=True, eq=False)
class Survivor:
    """A hypothesis with its guarantee.

    Attributes
    ----------
    hypothesis : LinearThreshold or PowerThreshold
        Frozen; ``choices(rows)`` predicts.
    guarantee : Guarantee
    transcript : Transcript
        The run it comes from.
    """

    hypothesis: Hypothesis
    guarantee: Guarantee
    transcript: Transcript


@dataclass(frozen=True)
class OnlineToPAC:
    """Run an on-line learner until a hypothesis survived long enough to be good with high probability.

    Parameters
    ----------
    learner : Perceptron or Winnow
        Without thickness: its hypothesis may change on mistakes only.
    epsilon, delta : int, Fraction, "p/q" or float
        The error to be kept, and the probability to fail; both between 0 and 1.

    Notes
    -----
    The learner stops at the first hypothesis that survives l = ceil((1/eps) ln((M + 1)/delta)) examples in a row, with
    M its mistake bound; (M + 1) l examples are always enough. Examples must be drawn independently from one
    distribution, and M must hold for the target; both are the caller's to know. Source: [littlestone1989].

    Examples
    --------
    >>> from conjunct.learners import Perceptron
    >>> rows = SparseRows.of([{0}, set()] * 40)
    >>> found = OnlineToPAC(Perceptron(constant=1), epsilon=0.1, delta=0.05).run(rows, [1, -1] * 40, mistake_bound=4)
    >>> print(found.guarantee)
    with probability at least 1 - 0.05 over i.i.d. examples the error is at most 0.1
    >>> found.guarantee.survival, found.guarantee.n_examples, found.guarantee.n_mistakes
    (47, 51, 3)
    >>> found.hypothesis.choices(SparseRows.of([{0}, set()])).tolist()
    [1, 0]
    """

    learner: OnlineLearner
    epsilon: Exact
    delta: Exact

    def __post_init__(self) -> None:
        for name in ("epsilon", "delta"):
            object.__setattr__(self, name, exact(getattr(self, name), name))
        pac_survival_length(0, self.epsilon, self.delta)  # refuses what are no probabilities
        if not hasattr(self.learner, "begin") or not hasattr(self.learner, "thickness"):
            raise SettingError(f"learner={shortened(self.learner)}: expected a Perceptron or a Winnow")
        if np.any(np.array(self.learner.thickness, object) != 0):
            raise SettingError("a thick learner also changes its hypothesis without a mistake; use thickness 0")

    def n_examples(self, mistake_bound: int) -> int:
        """Return how many examples are always enough: (M + 1) l."""
        _require_count(mistake_bound)
        return pac_examples(mistake_bound, self.epsilon, self.delta)

    def run(self, rows: SparseRows, labels: ArrayLike, *, mistake_bound: int) -> Survivor:
        """Learn from examples in the order given, and stop at the first hypothesis that survived long enough.

        Raises
        ------
        BitsError
            No hypothesis survived before the examples ended, or there were more mistakes than the bound allows.
        """
        _require_count(mistake_bound)
        length = pac_survival_length(mistake_bound, self.epsilon, self.delta)
        run = self.learner.begin(averages=False)
        survived = run.learn_until(Lesson(SparseRows.of(rows), labels), length, mistake_bound)
        _require_bound(run, mistake_bound)
        if survived < length:
            raise BitsError(
                f"no hypothesis survived {length} of these {run.n_steps} examples in a row; "
                f"give {self.n_examples(mistake_bound)}, which are always enough, or take longest_survivor"
            )
        guarantee = Guarantee(
            Fraction(self.epsilon), Fraction(self.delta), survived, run.n_steps, run.n_mistakes, mistake_bound
        )
        return Survivor(self.learner.model([run]), guarantee, run.transcript())

    def longest_survivor(self, rows: SparseRows, labels: ArrayLike, *, mistake_bound: int) -> Survivor:
        """Learn from all examples, and return the hypothesis that survived the most of them in a row.

        Its guarantee is for the error that this many examples show, which may be above or below the epsilon asked for;
        of hypotheses that survived equally long the first is taken.

        Notes
        -----
        Of m examples with at most M mistakes some hypothesis survived l >= (m - M)/(M + 1) in a row; the error is at
        most eps with (M + 1)(1 - eps)**l = delta, for the l that was seen: see `theory.pac_survival_error`.

        Raises
        ------
        BitsError
            There were more mistakes than the bound allows.
        """
        _require_count(mistake_bound)
        run = self.learner.begin(averages=False)
        lesson = Lesson(SparseRows.of(rows), labels)
        run.learn_until(lesson, lesson.rows.n_rows + 1, mistake_bound)
        _require_bound(run, mistake_bound)
        transcript = run.transcript()
        survivals = transcript.survival()
        survivals[1:] -= 1  # the example a hypothesis was made on is not one it survived
        best = int(np.argmax(survivals))
        survival = int(survivals[best])
        epsilon = pac_survival_error(mistake_bound, survival, self.delta)
        guarantee = Guarantee(
            epsilon, Fraction(self.delta), survival, run.n_steps, transcript.n_mistakes, mistake_bound
        )
        n_shown = int(transcript.step[best - 1]) + 1 if best else 0
        return Survivor(self._hypothesis_after(lesson, n_shown), guarantee, transcript)

    def _hypothesis_after(self, lesson: Lesson, n_shown: int) -> Hypothesis:
        """Return the hypothesis after the first so many examples, by learning from them again."""
        run = self.learner.begin(averages=False, keeps_updates=False)
        run.learn_until(lesson, 0, 0)  # which shows none, and makes room for their variables
        if n_shown:
            run.learn(Lesson(lesson.rows.take(np.arange(n_shown)), lesson.label[:n_shown]))
        hypothesis: Hypothesis = self.learner.model([run])
        return hypothesis


def _rounded_up(value: Fraction) -> str:
    rounded = Context(prec=6, rounding=ROUND_CEILING).divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{rounded.normalize():f}"


def _require_count(mistake_bound: int) -> None:
    whole_number(mistake_bound, "mistake_bound", least=0)


def _require_bound(run: LinearRun, mistake_bound: int) -> None:
    if run.n_mistakes > mistake_bound:
        row = int(run.transcript().step[mistake_bound])
        raise BitsError(
            f"example {row} is mistake number {mistake_bound + 1}, but mistake_bound={mistake_bound}; "
            "the bound does not hold here, or no target it holds for has these labels"
        )
