"""The ordered updates of an on-line linear learner's run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.learners.online.bound_check import BoundCheck, Refutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["LinearTranscript", "LinearUpdate"]


@dataclass(frozen=True, slots=True)
class LinearUpdate:
    """One update of a run.

    Attributes
    ----------
    step : int
        How many rows the learner had seen before this one.
    index : int
        The row's place in the table it was given in.
    label : int
        +1 for a promotion, -1 for a demotion.
    is_mistake : bool
        Whether the prediction was wrong; if not, the row lay within a thick separator.
    score : Fraction or float
        The score the row had: exact where the learner's arithmetic is.
    """

    step: int
    index: int
    label: int
    is_mistake: bool
    score: Fraction | float


class _Learner(Protocol):
    def replayed_scores(self, transcript: LinearTranscript) -> list[Fraction] | list[float]: ...
    def check(self, transcript: LinearTranscript, target: Any) -> BoundCheck: ...
    def refuted(self, transcript: LinearTranscript) -> Refutation: ...


@dataclass(frozen=True, eq=False)
class LinearTranscript:
    """The updates of a run in order: enough to count, replay and reason about it.

    Iterating yields each `LinearUpdate`, its score recomputed by replaying the run.

    Attributes
    ----------
    learner : Perceptron or Winnow
    unit : Fraction
        What a rate of 1 is worth.
    rows : SparseRows
        The rows updated on, one per update.
    label, rate, step, index, is_mistake : ndarrays, one entry per update
    n_steps, n_passes : int
    is_consistent : bool
        Whether the last pass made no update.
    """

    learner: _Learner
    unit: Fraction
    rows: SparseRows
    label: NDArray[np.int8]
    rate: NDArray[np.int64]
    step: NDArray[np.int64]
    index: NDArray[np.int64]
    is_mistake: NDArray[np.bool_]
    n_steps: int
    n_passes: int
    is_consistent: bool
    _size: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        size = self.rows.n_rows
        arrays = {name: getattr(self, name) for name in ("label", "rate", "step", "index", "is_mistake")}
        holds = (
            all(array.shape == (size,) for array in arrays.values())
            and self.unit > 0
            and bool(np.all((self.label == 1) | (self.label == -1)))
            and bool(np.all(self.rate > 0))
            and bool(np.all(self.index >= 0))
            and bool(np.all(np.diff(self.step, prepend=-1) > 0))
            and (size == 0 or int(self.step[-1]) < self.n_steps)
            and 0 <= self.n_passes <= self.n_steps
        )
        if not holds:
            raise BitsError("a transcript's updates are in order, of labels +1 or -1 and positive rates")
        for array in arrays.values():
            array.flags.writeable = False
        object.__setattr__(self, "_size", size)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[LinearUpdate]:
        columns = [column.tolist() for column in (self.step, self.index, self.label, self.is_mistake)]
        for step, index, label, is_mistake, score in zip(*columns, self.scores(), strict=True):
            yield LinearUpdate(step, index, label, is_mistake, score)

    @property
    def n_updates(self) -> int:
        """The number of updates."""
        return self._size

    @property
    def n_mistakes(self) -> int:
        """The number of mistakes."""
        return int(np.count_nonzero(self.is_mistake))

    @property
    def n_promotions(self) -> int:
        """The number of mistakes on positive rows."""
        return int(np.count_nonzero(self.is_mistake & (self.label == 1)))

    @property
    def n_demotions(self) -> int:
        """The number of mistakes on negative rows."""
        return int(np.count_nonzero(self.is_mistake & (self.label == -1)))

    def scores(self) -> list[Fraction] | list[float]:
        """Return the score each row had before its update, by replaying the run."""
        return self.learner.replayed_scores(self)

    def check(self, target: Any) -> BoundCheck:
        """Compare the run with what theory promises for a target.

        Parameters
        ----------
        target : set of int, or dict of int and numbers
            A disjunction of variables; for a Perceptron also weights of variables.

        Examples
        --------
        >>> from conjunct.learners import Winnow
        >>> run = Winnow(threshold=4).run(SparseRows.of([{0, 1}, {1, 2}, {2, 3}]), [1, -1, -1], max_passes=5)
        >>> print(run.check({0}))
        1 mistakes <= 11: Winnow2 on a disjunction of 1 of 4 variables
        """
        return self.learner.check(self, target)

    def refutes(self) -> Refutation:
        """Say which disjunctions cannot fit the rows, because the run made too many mistakes for them."""
        return self.learner.refuted(self)

    def survival(self) -> NDArray[np.int64]:
        """Return at the end of how many steps each hypothesis, the first one first, was the current one."""
        return np.diff(np.concatenate(([0], self.step, [self.n_steps])))
