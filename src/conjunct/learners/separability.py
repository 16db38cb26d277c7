"""Whether labelled rows can be split by a linear threshold, with whole numbers that prove the answer either way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import ConjunctionColumns, require_memory
from conjunct.errors import BitsError
from conjunct.exact.cancelling_program import CancellingProgram
from conjunct.exact.integer_systems import common_measure
from conjunct.exact.simplex import balance_or_weights
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

__all__ = ["SeparationEvidence", "decide_separability", "is_balanced", "is_separating", "monotone_features"]

PERCEPTRON_PASSES = 100
PERCEPTRON_UPDATES = 20_000
MOST_ROWS_AT_ONCE = 400  # so many cells go into the linear program at once
MOST_TABLEAU_ENTRIES = 1 << 16  # entries of the rational simplex's table
MOST_RATIONAL_PIVOTS = 5000
CLEARLY_POSITIVE = 1e-6  # what floats propose only; integers decide


@dataclass(frozen=True, slots=True)
class SeparationEvidence:
    """Weights and threshold, or multipliers, or the reason why neither was found."""

    weights: tuple[int, ...] | None = None
    threshold: int | None = None
    multipliers: tuple[int, ...] | None = None
    reason: str | None = None


def monotone_features(rows: BitMatrix, max_size: int) -> NDArray[np.uint8]:
    """Return the values of all conjunctions of 1 to max_size variables, by size and then in the order of variables."""
    expected = f"1 to {rows.n_variables}, the number of variables"
    max_size = whole_number(max_size, "max_size", most=rows.n_variables, expected=expected)
    count = sum(comb(rows.n_variables, size) for size in range(1, max_size + 1))
    require_memory(17 * rows.n_rows * count, f"a table of {count} conjunctions", "use a smaller max_size")
    if max_size == 1:
        return rows.to_array()
    return ConjunctionColumns(rows.n_variables, max_size, has_negations=False).values(rows)


def is_separating(
    features: NDArray[np.uint8], signs: NDArray[np.int64], weights: tuple[int, ...], threshold: int
) -> bool:
    """Whether ``weights . x >= threshold`` on every positive row and ``<= threshold - 1`` on every negative one."""
    values = _values(features, weights)
    return bool(np.all(values[signs > 0] >= threshold) and np.all(values[signs < 0] <= threshold - 1))


def is_balanced(features: NDArray[np.uint8], signs: NDArray[np.int64], multipliers: tuple[int, ...]) -> bool:
    """Whether multipliers, none negative and one positive, make the signed rows (x, 1) sum to 0."""
    if len(multipliers) != len(signs) or min(multipliers) < 0 or max(multipliers) == 0:
        return False
    support = [row for row, multiplier in enumerate(multipliers) if multiplier]
    signed = np.array([multipliers[row] * int(signs[row]) for row in support], object)
    return bool(signed.sum() == 0 and np.all(signed @ features[support].astype(object) == 0))


def decide_separability(
    rows: BitMatrix, signs: NDArray[np.int64], *, max_size: int = 1, max_pivots: int = 100_000
) -> SeparationEvidence:
    """Find whole weights that separate the signs, or whole multipliers that prove there are none.

    Parameters
    ----------
    rows : BitMatrix
    signs : array of +1 and -1
        One per row, both of them present.
    max_size : int, default 1
        Features are the conjunctions of 1 to so many variables.
    max_pivots : int, default 100,000
        After as many pivots of the simplex method the answer is a reason.

    Notes
    -----
    Exactly one exists: w, theta with w . x >= theta on positive and w . x <= theta - 1 on negative rows, or a >= 0, not
    all 0, with sum a_i y_i x_i = 0 and sum a_i y_i = 0; were there both, 0 = sum a_i y_i (w . x_i - theta) would be at
    least the sum of the a_i of negative rows, which is positive. [gordan1873]

    Equal rows are pooled; a cell with both signs is its own proof. A Perceptron in whole numbers settles what has a
    margin. Its worst rows start a linear program (`CancellingProgram`), to which the rows its weights fail are added
    until none are left or the rows cancel. Floats find the basis; the system of the basis is solved in whole numbers,
    and every answer is checked in whole numbers against all rows. Where that fails on a small problem, the simplex
    method is run in whole numbers; elsewhere the answer is the reason.
    """
    signs = np.asarray(signs, np.int64)
    if signs.shape != (rows.n_rows,) or not np.all(np.abs(signs) == 1) or abs(int(signs.sum())) == rows.n_rows:
        raise BitsError(f"signs: expected +1 and -1, both of them, one for each of {rows.n_rows} rows")
    cells = rows.pool(signs)
    both = np.flatnonzero(np.all(cells.counts > 0, axis=1))
    if both.size:
        pair = [int(np.flatnonzero((cells.cell_of == both[0]) & (signs == sign))[0]) for sign in (1, -1)]
        return SeparationEvidence(multipliers=_spread(dict.fromkeys(pair, 1), rows.n_rows))
    features = monotone_features(cells.rows, max_size)
    evidence = _Search(features, np.where(cells.counts[:, 1] > 0, 1, -1), max_pivots).run()
    if evidence.multipliers is None:
        return evidence
    _, first = np.unique(cells.cell_of, return_index=True)
    multipliers = {int(first[cell]): number for cell, number in enumerate(evidence.multipliers) if number}
    return SeparationEvidence(multipliers=_spread(multipliers, rows.n_rows))


class _Search:
    """The search on distinct rows of features, no two of which disagree."""

    def __init__(self, features: NDArray[np.uint8], signs: NDArray[np.int64], max_pivots: int) -> None:
        self.features, self.signs, self.max_pivots = features, signs, max_pivots
        self.n_rows, self.n_features = features.shape
        self.signed = np.empty((self.n_rows, self.n_features + 1), np.int64)
        self.signed[:, :-1] = features
        self.signed[:, -1] = -1
        self.signed *= signs[:, None]

    def run(self) -> SeparationEvidence:
        weights, n_updates = self._perceptron()
        return self._weights(weights) or self._program(n_updates)

    def _perceptron(self) -> tuple[list[int], NDArray[np.int64]]:
        """Run a Perceptron in whole numbers over the rows it has wrong; return its weights and the updates by row."""
        signed = self.signed
        weights = np.zeros(self.n_features + 1, np.int64)
        n_updates = np.zeros(self.n_rows, np.int64)
        n_updates_left = PERCEPTRON_UPDATES
        for _ in range(PERCEPTRON_PASSES):
            wrong = np.flatnonzero(signed @ weights <= 0)
            if not wrong.size or n_updates_left <= 0:
                break
            for row in wrong:
                if signed[row] @ weights <= 0:
                    weights += signed[row]
                    n_updates[row] += 1
                    n_updates_left -= 1
        return [int(weight) for weight in weights[:-1]], n_updates

    def _program(self, n_updates: NDArray[np.int64]) -> SeparationEvidence:
        """Add rows to the linear program until it proves something."""
        program = CancellingProgram(self.n_features)
        new = self._first_rows(n_updates)
        while True:
            program.add(new, self.signed[new])
            if not program.solve(self.max_pivots):
                if program.n_pivots >= self.max_pivots:
                    return SeparationEvidence(reason=f"max_pivots={self.max_pivots} reached")
                reason = "the linear program's solver gave up"
                break
            evidence, failed = self._judge(program)
            if evidence is not None:
                return evidence
            new = np.setdiff1d(failed, program.members)[: self.n_features + 100] if failed.size else failed
            if not new.size:
                reason = "floats found no basis that proves an answer"
                break
        if (self.n_features + 3) * (len(program.members) + self.n_features + 3) <= MOST_TABLEAU_ENTRIES:
            return self._rational(np.array(program.members), reason)
        return SeparationEvidence(reason=f"{reason}, and the problem is too large for the rational simplex")

    def _judge(self, program: CancellingProgram) -> tuple[SeparationEvidence | None, NDArray[np.int64]]:
        """Turn the program's solution into evidence, or into the rows that its weights fail, worst first."""
        if program.value() < CLEARLY_POSITIVE:
            balance = program.exact_balance()
            evidence = None if balance is None else self._balance(balance)
            if evidence is not None:
                return evidence, np.empty(0, np.int64)
            exact = program.exact_weights()
            if exact is None:
                return None, np.empty(0, np.int64)
            return self._weights(exact[:-1]), self._failed(exact)
        floats = program.weights()
        values = self.signs * (self.features @ floats[:-1] - floats[-1])
        failed = np.flatnonzero(values < program.value() / 2)
        if failed.size and np.setdiff1d(failed, program.members).size:
            # What floats fail is a choice of rows to look at next, no decision.
            return None, failed[np.argsort(values[failed], kind="stable")]
        whole = [int(weight) for weight in np.rint(np.ldexp(floats, 40)).astype(np.int64)]
        return self._weights(whole[:-1]), self._failed(whole)

    def _rational(self, members: NDArray[np.int64], reason: str) -> SeparationEvidence:
        """Decide by the simplex method in whole numbers, with rows added where its weights fail."""
        n_pivots_left = min(self.max_pivots, MOST_RATIONAL_PIVOTS)
        while True:
            balance, weights, n_pivots = balance_or_weights(self.signed[members], n_pivots_left)
            n_pivots_left -= n_pivots
            if balance is not None:
                multipliers = {int(member): number for member, number in zip(members, balance, strict=True) if number}
                evidence = self._balance(multipliers)
                if evidence is not None:
                    return evidence
            if weights is None:
                return SeparationEvidence(reason=f"{reason}, and the rational simplex did not end in its pivots")
            separation = self._weights(weights[:-1])
            if separation is not None:
                return separation
            failed = np.setdiff1d(self._failed(weights), members)
            members = np.concatenate((members, failed[: self.n_features + 1]))
            if (self.n_features + 3) * (len(members) + self.n_features + 3) > MOST_TABLEAU_ENTRIES:
                return SeparationEvidence(reason=f"{reason}, and the problem is too large for the rational simplex")

    def _first_rows(self, n_updates: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return all rows of a small problem, otherwise those the Perceptron had wrong most often, of both signs."""
        if self.n_rows <= MOST_ROWS_AT_ONCE:
            return np.arange(self.n_rows)
        worst = np.argsort(-n_updates, kind="stable")
        ends = [worst[self.signs[worst] == sign][:1] for sign in (-1, 1)]
        return np.unique(np.concatenate((worst[: 2 * self.n_features + 100], *ends)))

    def _failed(self, weights: list[int]) -> NDArray[np.int64]:
        """Return the rows on which weights, the threshold last, are not strictly right."""
        return np.flatnonzero(_values(self.signed, weights) <= 0)

    def _balance(self, multipliers: dict[int, int]) -> SeparationEvidence | None:
        numbers = common_measure(list(multipliers.values()))
        of_rows = _spread(dict(zip(multipliers, numbers, strict=True)), self.n_rows)
        return SeparationEvidence(multipliers=of_rows) if is_balanced(self.features, self.signs, of_rows) else None

    def _weights(self, weights: list[int]) -> SeparationEvidence | None:
        """Return weights that separate all rows with a threshold of their own, the smallest found in their ratio."""
        if self._gap(weights) is None:
            return None
        weights = common_measure(weights)
        largest = max(abs(weight) for weight in weights)
        for size in (*range(1, 10), *(1 << power for power in range(4, largest.bit_length() + 1))):
            if size >= largest:
                break
            rounded = [(2 * size * weight + largest) // (2 * largest) for weight in weights]
            if self._gap(rounded) is not None:
                weights = rounded
                break
        gap = self._gap(weights)
        if gap is None or not is_separating(self.features, self.signs, tuple(weights), gap):
            return None
        return SeparationEvidence(weights=tuple(weights), threshold=gap)

    def _gap(self, weights: list[int]) -> int | None:
        """Return the threshold halfway between negative and positive rows; None if they are not apart."""
        values = self.signs * _values(self.signed[:, :-1], weights)
        least, most = int(values[self.signs > 0].min()), int(values[self.signs < 0].max())
        return (least + most + 1) // 2 if least > most else None


def _values(features: NDArray[Any], weights: Sequence[int]) -> NDArray[Any]:
    """Return weights . x for every row: in 64 bits where no sum can pass them, otherwise in Python's integers."""
    if sum(abs(weight) for weight in weights) < 1 << 62:
        values: NDArray[Any] = features.astype(np.int64, copy=False) @ np.array(weights, np.int64)
    else:
        values = features.astype(object) @ np.array(weights, object)
    return values


def _spread(multipliers: dict[int, int], n_rows: int) -> tuple[int, ...]:
    numbers = [0] * n_rows
    for row, number in multipliers.items():
        numbers[row] = number
    return tuple(numbers)
