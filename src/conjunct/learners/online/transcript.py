"""The ordered updates of an on-line run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from conjunct.bits import BitMatrix, NameTable
from conjunct.errors import BitsError, SettingError
from conjunct.kernels.exact_sum import require_weight_sum
from conjunct.learners.online.bound_check import BoundCheck, Refutation
from conjunct.messages import nearest_names, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Transcript", "Update"]


@dataclass(frozen=True, slots=True)
class Update:
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
    def replayed_scores(self, transcript: Transcript) -> list[Fraction] | list[float]: ...


@dataclass(frozen=True, eq=False)
class Transcript:
    """The updates of a run in order: enough to count, replay and reason about it.

    Iterating yields each `Update`, its score recomputed by replaying the run.

    Attributes
    ----------
    learner : Perceptron, Winnow or KernelPerceptron
    unit : Fraction
        What a rate of 1 is worth in a score.
    rows : SparseRows or BitMatrix
        The rows updated on: of a linear learner one per update, of a kernel learner the distinct ones, in the order of
        their first update.
    slot, label, rate, step, index, is_mistake : ndarrays, one entry per update
        Which of the rows; +1 or -1; the weight of the update before its sign; see `Update`.
    n_steps, n_passes : int
        Rows seen, and sweeps over them.
    is_consistent : bool
        Whether the last pass made no update.
    names : NameTable or sequence of str, or None
        What the variables are called, for targets given by name.
    """

    learner: _Learner
    unit: Fraction
    rows: Any  # SparseRows or BitMatrix
    slot: NDArray[np.int64]
    label: NDArray[np.int8]
    rate: NDArray[np.int64]
    step: NDArray[np.int64]
    index: NDArray[np.int64]
    is_mistake: NDArray[np.bool_]
    n_steps: int
    n_passes: int
    is_consistent: bool
    names: Any = None

    columns: ClassVar[dict[str, Any]] = {
        "slot": np.int64,
        "label": np.int8,
        "rate": np.int64,
        "step": np.int64,
        "index": np.int64,
        "is_mistake": np.bool_,
    }

    def __post_init__(self) -> None:
        for name, kind in self.columns.items():
            column = np.array(getattr(self, name), kind)
            column.flags.writeable = False
            object.__setattr__(self, name, column)
        size, n_rows = len(self.slot), self.rows.n_rows
        holds = (
            all(getattr(self, name).shape == (size,) for name in self.columns)
            and (isinstance(self.rows, BitMatrix) or np.array_equal(self.slot, np.arange(n_rows)))
            and self.unit > 0
            and bool(np.all((self.slot >= 0) & (self.slot < n_rows)))
            and bool(np.all((self.label == 1) | (self.label == -1)))
            and bool(np.all(self.rate > 0))
            and bool(np.all(self.index >= 0))
            and bool(np.all(np.diff(self.step, prepend=-1) > 0))
            and (size == 0 or int(self.step[-1]) < self.n_steps)
            and 0 <= self.n_passes <= self.n_steps
        )
        if not holds:
            raise BitsError("a transcript's updates are in order, on its rows, of labels +1 or -1 and positive rates")

    def __len__(self) -> int:
        return len(self.slot)

    def __iter__(self) -> Iterator[Update]:
        columns = [column.tolist() for column in (self.step, self.index, self.label, self.is_mistake)]
        for step, index, label, is_mistake, score in zip(*columns, self.scores(), strict=True):
            yield Update(step, index, label, is_mistake, score)

    @property
    def n_updates(self) -> int:
        """The number of updates."""
        return len(self)

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

    @property
    def weight(self) -> NDArray[np.int64]:
        """The signed weight of every update."""
        return self.label * self.rate

    def scores(self) -> list[Fraction] | list[float]:
        """Return the score each row had before its update, by replaying the run."""
        return self.learner.replayed_scores(self)

    def check(self, target: Any) -> BoundCheck:
        """Compare the run of a linear learner with what theory promises for a target.

        Parameters
        ----------
        target : set of int or str, or dict of these and numbers
            A disjunction of variables; for a Perceptron also weights of variables. Variables are given by number or,
            where rows have names, by name: a conjunction of names as `NameTable.describe` writes it.

        Examples
        --------
        >>> from conjunct.bits import SparseRows
        >>> from conjunct.learners import Winnow
        >>> run = Winnow(threshold=4).run(SparseRows.of([{0, 1}, {1, 2}, {2, 3}]), [1, -1, -1], max_passes=5)
        >>> print(run.check({0}))
        1 mistakes <= 11: Winnow2 on a disjunction of 1 of 4 variables
        """
        linear: Any = self.learner
        check: BoundCheck = linear.check(self, self._by_number(target))
        return check

    def _by_number(self, target: Any) -> Any:
        """Return a target with numbers for the names of its variables."""
        if not isinstance(target, Set | Mapping) or not any(isinstance(variable, str) for variable in target):
            return target
        if self.names is None:
            raise SettingError(f"target={shortened(target)}: the rows have no names; give variables by number")
        names = self.names.descriptions() if isinstance(self.names, NameTable) else self.names
        numbers = {name: number for number, name in enumerate(names)}
        if isinstance(self.names, NameTable) and self.names.max_size == 1:
            numbers |= {name: number for number, name in enumerate(self.names.names) if isinstance(name, str)}
        for name in target:
            if isinstance(name, str) and name not in numbers:
                offer = nearest_names(name, numbers)[0] if numbers else ""
                raise SettingError(f"target has {shortened(name)}, which no variable is called; nearest: {offer!r}")
        pairs = [(numbers.get(variable, variable), variable) for variable in target]
        if isinstance(target, Mapping):
            return {number: target[variable] for number, variable in pairs}
        return {number for number, _ in pairs}

    def refutes(self) -> Refutation:
        """Say which disjunctions cannot fit the rows, because a linear learner made too many mistakes for them."""
        linear: Any = self.learner
        refutation: Refutation = linear.refuted(self)
        return refutation

    def survival(self) -> NDArray[np.int64]:
        """Return at the end of how many steps each hypothesis, the first one first, was the current one."""
        return np.diff(np.concatenate(([0], self.step, [self.n_steps])))

    def summed_weights(self) -> NDArray[np.int64]:
        """Return the weight of each row in the last hypothesis of a learner that adds."""
        return self._sum_per_row(self.weight.tolist())

    def averaged_weights(self) -> NDArray[np.int64]:
        """Return the weight of each row summed over the hypotheses current at the end of every step.

        An update at step t is part of the n_steps - t hypotheses from then on.
        """
        lasting = [w * (self.n_steps - t) for w, t in zip(self.weight.tolist(), self.step.tolist(), strict=True)]
        require_weight_sum(sum(map(abs, lasting)))
        return self._sum_per_row(lasting)

    def _sum_per_row(self, weights: list[int]) -> NDArray[np.int64]:
        sums = np.zeros(self.rows.n_rows, np.int64)
        np.add.at(sums, self.slot, np.array(weights, np.int64))
        return sums
