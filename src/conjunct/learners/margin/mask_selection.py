"""Which conjunction goes along with the residuals most: searched through and proved, or by a beam."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import frexp
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import holds_on, require_memory
from conjunct.search import search_conjunctions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix

    Conjunction = tuple[int, ...]

__all__ = ["BEAM_WIDTH", "SELECTIONS", "Selection"]

SELECTIONS = ("exact", "beam")
BEAM_WIDTH = 32
BYTES_PER_LITERAL = 50  # of a search, beside the cells it holds on, as measured
RESIDUAL_BITS = 51  # of all residuals together: sums of them are exact in floats too


@dataclass(frozen=True)
class Selection:
    """The conjunctions to choose from, and how.

    Parameters
    ----------
    cells : BitMatrix
    max_size : int or None
        The most literals.
    literals : {"both", "positive"}
    kind : {"exact", "beam"}
        Exact looks through all conjunctions. A beam keeps, of each size, the 32 heaviest, and tries every literal
        beside them.

    Notes
    -----
    The residuals are multiplied by the power of two that makes their sizes add up to 2**50 to 2**51 and rounded to
    whole numbers; these integers decide. Of conjunctions that hold on the same cells the first is looked at, shorter
    ones before longer ones; so it is among those of equal weight.
    """

    cells: BitMatrix
    max_size: int | None
    literals: str
    kind: str

    def heaviest(
        self, residuals: NDArray[np.float64], chosen: Sequence[Conjunction], columns: NDArray[np.float64]
    ) -> Conjunction | None:
        """Return the conjunction of largest |sum of residuals| that is not chosen yet; None where there is none.

        `columns` has, for each chosen conjunction, 1 where it holds.
        """
        n_cells, n_variables = self.cells.shape
        need = n_variables * (n_cells // 8 + BYTES_PER_LITERAL * (1 if self.literals == "positive" else 2))
        if self.kind == "beam":
            need = 8 * n_variables * (n_cells + 6 * BEAM_WIDTH)
        require_memory(need, f"the search through conjunctions of {n_variables} variables", "use fewer variables")
        whole = np.rint(np.ldexp(residuals, RESIDUAL_BITS - frexp(float(np.sum(np.abs(residuals))))[1]))
        if self.kind == "beam":
            return next(self._beam(whole, columns), None)
        for top in (1, len(chosen) + 1):  # a search for one ends sooner, and it is seldom a chosen one
            listed = search_conjunctions(
                self.cells,
                whole.astype(np.int64),
                max_size=self.max_size,
                literals=self.literals,
                top=top,
                sets="shortest",
            )
            if not listed.proved:  # no limit is set: there was no memory to go on
                raise MemoryError("the search through conjunctions needs more memory than there is")
            for heavy in listed.found:
                if heavy.literals not in chosen:
                    return heavy.literals
        return None

    def _beam(self, weights: NDArray[np.float64], columns: NDArray[np.float64]) -> Iterator[Conjunction]:
        """Yield what the beam meets that holds on other cells than any column, the heaviest first."""
        entries = self.cells.to_array().astype(np.float64)
        n_variables = self.cells.n_variables

        level: list[Conjunction] = [()]
        met: dict[Conjunction, float] = {}
        for size in range(1, 1 + (n_variables if self.max_size is None else min(self.max_size, n_variables))):
            held = weights * np.array([holds_on(self.cells, conjunction) for conjunction in level])
            positive = held @ entries
            negative = held.sum(axis=1)[:, None] - positive
            totals = np.abs(np.stack([np.zeros_like(negative) if self.literals == "positive" else negative, positive]))
            for place, conjunction in enumerate(level):
                totals[:, place, [literal // 2 for literal in conjunction]] = 0  # one literal of a variable
            # A conjunction is met from each of its parts at most: these are the heaviest, each so often.
            most = min(BEAM_WIDTH * size, totals.size)
            least = float(np.partition(totals, totals.size - most, axis=None)[totals.size - most])
            longer: dict[Conjunction, float] = {}
            for sign, place, variable in zip(*np.nonzero(totals * (totals >= least)), strict=True):
                conjunction = tuple(sorted((*level[place], int(2 * variable + sign))))
                longer[conjunction] = float(totals[sign, place, variable])
            level = sorted(longer, key=lambda own: (-longer[own], own))[:BEAM_WIDTH]
            met |= {conjunction: longer[conjunction] for conjunction in level}
            if not level:
                break
        for conjunction in sorted(met, key=lambda own: (-met[own], len(own), own)):
            if not (columns == holds_on(self.cells, conjunction)).all(axis=1).any():
                yield conjunction
