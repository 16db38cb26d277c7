"""The halving algorithm over an explicit list of concepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.errors import BitsError, SettingError
from conjunct.learners.online.bound_check import BoundCheck
from conjunct.messages import shortened
from conjunct.theory import Update, halving_bound

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["Concept", "Halving", "HalvingRun"]

VALUES_PER_CALL = 1 << 24  # of concepts on rows


class Concept(Protocol):
    """A Boolean function of rows: any `conjunct.logic.Formula`."""

    def evaluate(self, rows: Any) -> NDArray[np.bool_]:
        """Return its value on every row."""


@dataclass(frozen=True)
class HalvingRun:
    """What halving did, and what it left.

    Attributes
    ----------
    updates : tuple of conjunct.theory.Update
        The rows that dropped a concept or were a mistake, in order; the score is the sum of the votes.
    n_steps, n_concepts : int
        How many rows were seen, and how many concepts there were.
    survivors : tuple of int
        The numbers of the concepts that are right on all rows.
    concepts : tuple
        Those concepts; their majority, a tie included, is the hypothesis.
    misfit : int or None
        The row that dropped the last concept: with it no concept of the class has these labels.
    """

    updates: tuple[Update, ...]
    n_steps: int
    n_concepts: int
    survivors: tuple[int, ...]
    concepts: tuple[Concept, ...]
    misfit: int | None

    @property
    def n_mistakes(self) -> int:
        """How many predictions were wrong."""
        return sum(update.is_mistake for update in self.updates)

    @property
    def is_consistent(self) -> bool:
        """Whether some concept is right on all rows."""
        return bool(self.survivors)

    def check(self) -> BoundCheck:
        """Compare the mistakes with floor(log2 |C|).

        Raises
        ------
        SettingError
            No concept is left, so nothing is promised.
        """
        if not self.is_consistent:
            raise SettingError(
                f"no concept of the class fits once row {self.misfit} is seen; halving has no bound then"
            )
        statement = f"halving on a class of {self.n_concepts} concepts"
        return BoundCheck(statement, self.n_mistakes, halving_bound(self.n_concepts))

    def choices(self, rows: Any) -> NDArray[np.int64]:
        """Return the prediction for every row: 1 where at least half of the concepts left hold, 0 elsewhere."""
        packed = BitMatrix.of(rows)
        holds = np.zeros(packed.n_rows, np.int64)
        for concept in self.concepts:
            holds += concept.evaluate(packed)
        return (2 * holds >= len(self.concepts)).astype(np.int64)


@dataclass(frozen=True)
class Halving:
    """Predict by the majority of the concepts that were never wrong; for small classes, listed in full.

    Parameters
    ----------
    concepts : sequence of Formula
        The class, one concept or more; whatever has ``evaluate(rows)``.

    Notes
    -----
    A tie predicts +1. A mistake leaves at most half of the concepts, so there are at most floor(log2 |C|) where one of
    them labels the rows. Where none is left the prediction is +1. Source: [littlestone1988, the halving algorithm].
    Time and memory grow with concepts times rows; a block of rows is evaluated by the concepts still left.
    """

    concepts: Sequence[Concept]

    def __post_init__(self) -> None:
        object.__setattr__(self, "concepts", tuple(self.concepts))
        if not self.concepts:
            raise SettingError("halving needs a class of at least one concept, got none")
        strange = [concept for concept in self.concepts if not hasattr(concept, "evaluate")]
        if strange:
            raise SettingError(f"concepts hold {shortened(strange[0])}, expected formulas of conjunct.logic")

    def run(self, rows: Any, labels: ArrayLike) -> HalvingRun:
        """Learn from rows, in the order given; rows are whatever `BitMatrix.of` reads."""
        packed, label = BitMatrix.of(rows), np.asarray(labels)
        if label.shape != (packed.n_rows,) or packed.n_rows == 0:
            raise BitsError(f"{packed.n_rows} rows need as many labels and at least one, got shape {label.shape}")
        if not np.all((label == 1) | (label == -1)):
            raise BitsError("a learner's labels are +1 and -1")
        remaining = np.arange(len(self.concepts))
        updates: list[Update] = []
        misfit: int | None = None
        step = max(1, VALUES_PER_CALL // len(self.concepts))
        for start in range(0, packed.n_rows, step):
            block = packed[start : start + step]
            values = np.empty((len(remaining), block.n_rows), bool)
            for index, number in enumerate(remaining.tolist()):
                values[index] = self.concepts[number].evaluate(block)
            for index, y in enumerate(label[start : start + step].tolist()):
                column = values[:, index]
                score = 2 * int(np.count_nonzero(column)) - len(column)
                is_right = column == (y > 0)
                is_mistake = (score >= 0) != (y > 0)
                if is_mistake or not np.all(is_right):
                    at = start + index
                    updates.append(Update(at, at, int(y), Fraction(score), is_mistake))
                    misfit = at if len(remaining) and not np.any(is_right) else misfit
                    values, remaining = values[is_right], remaining[is_right]
        survivors = tuple(remaining.tolist())
        consistent = tuple(self.concepts[number] for number in survivors)
        return HalvingRun(tuple(updates), packed.n_rows, len(self.concepts), survivors, consistent, misfit)
