"""The majority of the hypotheses an on-line linear learner went through."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Protocol

import numpy as np

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.models.weight_powers import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["VotedThreshold"]

ENTRIES_PER_BLOCK = 1 << 22
SMALLEST = np.finfo(np.float64).smallest_subnormal


class _Transcript(Protocol):
    @property
    def unit(self) -> Fraction: ...
    @property
    def rows(self) -> SparseRows: ...
    @property
    def label(self) -> NDArray[np.int8]: ...
    @property
    def rate(self) -> NDArray[np.int64]: ...
    def survival(self) -> NDArray[np.int64]: ...


@dataclass(frozen=True, eq=False)
class VotedThreshold:
    """Every hypothesis of a run votes on a row, as often as it survived steps; a tie of votes is positive.

    Parameters
    ----------
    transcripts : tuple of Transcript
        One per output, of a Perceptron.
    constant_sq, threshold : Fraction
        See `LinearThreshold`.
    """

    transcripts: tuple[_Transcript, ...]
    constant_sq: Fraction
    threshold: Fraction

    @property
    def n_outputs(self) -> int:
        """The number of scores per row."""
        return len(self.transcripts)

    def votes(self, x: SparseRows) -> NDArray[np.int64]:
        """Return the votes for positive minus those against, a column per output."""
        return np.column_stack([self._votes(transcript, x) for transcript in self.transcripts])

    def choices(self, x: SparseRows) -> NDArray[np.int64]:
        """Return the prediction for every row."""
        votes = self.votes(x)
        return (votes[:, 0] >= 0).astype(np.int64) if self.n_outputs == 1 else np.argmax(votes, axis=1)

    def decision_values(self, x: SparseRows) -> NDArray[np.float64]:
        """Return the votes in floats; a tie is the smallest positive one."""
        votes = self.votes(x)
        values = np.where(votes == 0, SMALLEST, votes.astype(np.float64))
        return values[:, 0] if self.n_outputs == 1 else values

    def _votes(self, transcript: _Transcript, x: SparseRows) -> NDArray[np.int64]:
        from scipy.sparse import csr_array

        width = transcript.rows.n_variables
        if x.n_variables > width:
            raise BitsError(f"rows of {x.n_variables} variables, but the model has {width}")
        is_exact = transcript.rows.values is None and x.values is None
        kind = np.int64 if is_exact else np.float64

        def table(rows: SparseRows) -> csr_array:
            values = np.ones(len(rows.places), kind) if rows.values is None else rows.values
            # A name that was never seen has weight 0 in every hypothesis.
            is_seen = rows.places >= 0
            starts = np.concatenate([[0], np.cumsum(is_seen)])[rows.starts]
            return csr_array((values[is_seen], rows.places[is_seen], starts), shape=(rows.n_rows, width))

        weight = transcript.label * transcript.rate
        square, cut = self.constant_sq, self.threshold / transcript.unit
        updates, queries = table(transcript.rows).T.tocsc(), table(x)
        scale, part = (square.denominator, square.numerator) if is_exact else (1, nearest(square))
        cut_number = ceil(cut * square.denominator) if is_exact else nearest(cut)
        survived = transcript.survival()
        out = np.empty(x.n_rows, np.int64)
        step = max(1, ENTRIES_PER_BLOCK // max(1, len(weight)))
        for start in range(0, x.n_rows, step):
            common = (queries[start : start + step] @ updates).toarray() * weight
            with np.errstate(over="ignore", invalid="ignore"):  # of real values; whole sums do not reach so far
                scores = scale * np.cumsum(common, axis=1) + part * np.cumsum(weight)
            first = np.zeros((len(scores), 1), scores.dtype)
            signs = np.where(np.hstack([first, scores]) >= cut_number, 1, -1)
            out[start : start + step] = signs @ survived
        return out
