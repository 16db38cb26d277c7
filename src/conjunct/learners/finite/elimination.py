"""Elimination: a disjunction of all that was never active in a false positive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import BitMatrix, SparseRows
from conjunct.errors import SettingError
from conjunct.learners.online.bound_check import BoundCheck
from conjunct.learners.online.transcript import Transcript
from conjunct.learners.online.winnow import Winnow
from conjunct.logic.dnf import DNF
from conjunct.logic.literal import Literal
from conjunct.logic.term import Term
from conjunct.theory import elimination_bound, elimination_literals_bound

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Elimination", "EliminationRun"]


@dataclass(frozen=True, eq=False)
class EliminationRun:
    """The mistakes of elimination, and the disjunction it was left with.

    Attributes
    ----------
    formula : DNF
        The disjunction of the variables, or literals, that are left.
    transcript : Transcript
        The run as one of Winnow1; over literals, the negation of variable v is number n + v there.
    n_variables : int
    over_literals : bool
    """

    formula: DNF
    transcript: Transcript
    n_variables: int
    over_literals: bool

    @property
    def n_mistakes(self) -> int:
        """The number of mistakes."""
        return self.transcript.n_mistakes

    @property
    def misfit(self) -> int | None:
        """The first positive row that was predicted negative; it shows that no disjunction has these labels."""
        promotions = np.flatnonzero(self.transcript.label == 1)
        return int(self.transcript.index[promotions[0]]) if len(promotions) else None

    def check(self, width: int = 0) -> BoundCheck:
        """Compare the mistakes with the bound for a disjunction of `width` variables, or of any number of literals.

        Raises
        ------
        SettingError
            No disjunction fits the rows, so nothing is promised.
        """
        if self.misfit is not None:
            raise SettingError(f"no disjunction fits: row {self.misfit} is positive, and all that could say so is gone")
        if self.over_literals:
            bound, name = elimination_literals_bound(self.n_variables), f"the literals of {self.n_variables} variables"
        else:
            bound, name = elimination_bound(self.n_variables, width), f"{width} of {self.n_variables} variables"
        return BoundCheck(f"elimination on a disjunction of {name}", self.n_mistakes, bound)


@dataclass(frozen=True)
class Elimination:
    """Keep the disjunction of all variables, and drop those that are 1 on a negative row predicted positive.

    Parameters
    ----------
    over_literals : bool
        Whether negations of variables are kept as well.

    Notes
    -----
    At most n - k mistakes on a disjunction of k of n variables, n + 1 on one of literals. It is Winnow1 with threshold
    1: a weight is 1 until a demotion makes it 0, and a promotion finds nothing but zeros. Source: [littlestone1988].

    Examples
    --------
    >>> run = Elimination().run(["1100", "0110", "0011"], [1, -1, -1])
    >>> print(run.formula, run.n_mistakes, run.check(width=1))
    x1 2 2 mistakes <= 3: elimination on a disjunction of 1 of 4 variables
    >>> print(Elimination(over_literals=True).run(["10", "11", "00"], [1, -1, 1]).formula)
    ~x1 | ~x2
    """

    over_literals: bool = False

    @property
    def winnow(self) -> Winnow:
        """The learner it is."""
        return Winnow(threshold=1, variant="elimination")

    def run(self, rows: Any, labels: ArrayLike, *, max_passes: int = 1) -> EliminationRun:
        """Learn from rows, whatever `SparseRows.of` or, over literals, `BitMatrix.of` reads, in the order given.

        The names of a `BitMatrix` are those of the formula; without one they are x1, x2, ...
        """
        if self.over_literals:
            packed = BitMatrix.of(rows)
            names, table = packed.names, SparseRows.of(packed.with_negations())
        else:
            table = SparseRows.of(rows)
            named = rows.names if isinstance(rows, BitMatrix) else None
            names = named or tuple(f"x{v + 1}" for v in range(table.n_variables))
        transcript = self.winnow.run(table, labels, max_passes=max_passes)
        is_left = np.ones(table.n_variables, bool)
        entries = transcript.rows.places
        is_dropped = np.repeat(transcript.label == -1, np.diff(transcript.rows.starts)) & (entries >= 0)
        is_left[entries[is_dropped]] = False
        literals = [*(Literal(name) for name in names), *(Literal(name, False) for name in names)]
        formula = DNF(Term([literals[index]]) for index in np.flatnonzero(is_left).tolist())
        return EliminationRun(formula, transcript, len(names), self.over_literals)
