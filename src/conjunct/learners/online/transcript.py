"""The ordered mistakes of a kernel learner's run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.bits import BitMatrix
from conjunct.errors import BitsError
from conjunct.kernels import ExactSum, Kernel
from conjunct.kernels.exact_sum import integers_from_limbs, require_weight_sum
from conjunct.kernels.work import work_blocks

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Mistake", "Transcript"]


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake of a run.

    Attributes
    ----------
    step : int
        How many rows the learner had seen before this one.
    index : int
        The row's place in the table it was given in.
    label : int
        +1 for a promotion (a positive row scored too low), -1 for a demotion.
    score : Fraction
        The exact score the row had.
    """

    step: int
    index: int
    label: int
    score: Fraction


@dataclass(frozen=True, eq=False)
class Transcript:
    """The mistakes of a run in order, and all that is needed to predict with it, replay it or go on with it.

    Iterating yields each `Mistake`, scores recomputed exactly by replaying the run.

    Attributes
    ----------
    kernel : Kernel
    unit : Fraction
        What a weight of 1 is worth in a score.
    rows : BitMatrix
        The distinct rows mistaken, in the order of their first mistake.
    slot, label, rate, step, index : ndarrays, one entry per mistake
        Which of the rows; +1 or -1; the weight of the update before its sign; see `Mistake`.
    n_steps : int
        Rows seen.
    n_passes : int
    is_consistent : bool
        Whether the last pass made no mistake.
    """

    kernel: Kernel
    unit: Fraction
    rows: BitMatrix
    slot: NDArray[np.int64]
    label: NDArray[np.int8]
    rate: NDArray[np.int64]
    step: NDArray[np.int64]
    index: NDArray[np.int64]
    n_steps: int
    n_passes: int
    is_consistent: bool

    def __post_init__(self) -> None:
        for name, kind in (
            ("slot", np.int64),
            ("label", np.int8),
            ("rate", np.int64),
            ("step", np.int64),
            ("index", np.int64),
        ):
            values = np.array(getattr(self, name), kind)
            values.flags.writeable = False
            object.__setattr__(self, name, values)
        self._check()

    def _check(self) -> None:
        size = len(self.slot)
        lengths_agree = all(getattr(self, name).shape == (size,) for name in ("slot", "label", "rate", "step", "index"))
        holds = (
            lengths_agree
            and self.unit > 0
            and self.n_passes >= 0
            and bool(np.all((self.slot >= 0) & (self.slot < self.rows.n_rows)))
            and bool(np.all((self.label == 1) | (self.label == -1)))
            and bool(np.all(self.rate > 0))
            and bool(np.all(self.index >= 0))
            and bool(np.all(np.diff(self.step, prepend=-1) > 0))
            and (size == 0 or int(self.step[-1]) < self.n_steps)
            and self.n_steps >= 0
        )
        if not holds:
            raise BitsError("a transcript's mistakes are in order, on its rows, of labels +1 or -1 and positive rates")
        require_weight_sum(sum(self.rate.tolist()))

    def __len__(self) -> int:
        return len(self.slot)

    def __iter__(self) -> Iterator[Mistake]:
        for step, index, label, score in zip(self.step, self.index, self.label, self.scores(), strict=True):
            yield Mistake(int(step), int(index), int(label), score)

    @property
    def n_mistakes(self) -> int:
        """The number of mistakes."""
        return len(self.slot)

    @property
    def n_promotions(self) -> int:
        """The number of mistakes on positive rows."""
        return int(np.count_nonzero(self.label == 1))

    @property
    def n_demotions(self) -> int:
        """The number of mistakes on negative rows."""
        return int(np.count_nonzero(self.label == -1))

    @property
    def weight(self) -> NDArray[np.int64]:
        """The signed weight of every update."""
        return self.label * self.rate

    def summed_weights(self) -> NDArray[np.int64]:
        """Return the weight of each row in the last hypothesis."""
        return self._sum_per_row(self.weight.tolist())

    def averaged_weights(self) -> NDArray[np.int64]:
        """Return the weight of each row summed over the hypotheses current at the end of every step.

        A mistake at step t is part of the n_steps - t hypotheses from then on.
        """
        lasting = [w * (self.n_steps - t) for w, t in zip(self.weight.tolist(), self.step.tolist(), strict=True)]
        require_weight_sum(sum(map(abs, lasting)))
        return self._sum_per_row(lasting)

    def survival(self) -> NDArray[np.int64]:
        """Return at the end of how many steps each hypothesis, the zero one first, was the current one."""
        return np.diff(np.concatenate(([0], self.step, [self.n_steps])))

    def scores(self) -> list[Fraction]:
        """Return the exact score each mistaken row had, by replaying the run."""
        if not len(self):
            return []
        exact_sum = ExactSum.of(self.kernel, self.rows, Fraction(0))
        sums = np.zeros(self.rows.n_rows, np.int64)
        weight, scale = self.weight, self.unit / exact_sum.denominator
        scores: list[Fraction] = []
        for block, _ in work_blocks(len(self), self.rows.words.size * len(exact_sum.layout.summands)):
            limbs = np.empty((block.stop - block.start, exact_sum.native.n_limbs), np.uint64)
            _core.replay_scores(
                exact_sum.layout.native, exact_sum.native, self.rows.words, self.slot, weight, block.start, sums, limbs
            )
            scores.extend(scale * total for total in integers_from_limbs(limbs))
        return scores

    def _sum_per_row(self, weights: list[int]) -> NDArray[np.int64]:
        sums = np.zeros(self.rows.n_rows, np.int64)
        np.add.at(sums, self.slot, np.array(weights, np.int64))
        return sums
