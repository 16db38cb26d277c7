"""What the three batch machines share: settings, pooled rows, a search that is followed, and integers in the end."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import SettingError
from conjunct.kernels import PairSums
from conjunct.learners.margin.dual_solution import DualSolution
from conjunct.learners.margin.float_range import require_range
from conjunct.learners.margin.labelled_cells import LabelledCells
from conjunct.learners.margin.search import Limit, Round, Search, follow
from conjunct.messages import shortened
from conjunct.settings import Exact, exact, positive_number, whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.kernels import Kernel

    Wholes = NDArray[np.int64]

__all__ = ["MarginMachine", "iteration_limit", "positive_lam", "relative_gap"]


class MarginMachine(ABC):
    """A batch machine over the polynomials of a kernel; its search is what makes it one or the other.

    Attributes
    ----------
    kernel : Kernel
    lam : Fraction
    max_iter : int, optional
    """

    kernel: Kernel
    lam: Exact
    max_iter: int | None

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", positive_lam(self.lam))
        iteration_limit(self.max_iter)

    @abstractmethod
    def search(self, cells: LabelledCells, pairs: PairSums) -> Search:
        """Return the search at its start."""

    def run(self, rows: BitMatrix, signs: Any, weights: Any = None) -> DualSolution:
        """Pool rows with labels -1 and +1 and learn from them."""
        return self.solve(LabelledCells.of(rows, signs, weights))

    def solve(
        self,
        cells: LabelledCells,
        pairs: PairSums | None = None,
        is_stopped: Callable[[], str] = str,
        watch: Callable[[Round], None] | None = None,
        keeps_interrupted: bool = False,
    ) -> DualSolution:
        """Learn from pooled rows.

        Parameters
        ----------
        cells : LabelledCells
        pairs : PairSums, optional
            Of the cells, where it exists already.
        is_stopped : callable
            Asked many times a second, after the first iteration; text says why to stop here, "" to go on. As many
            iterations as `max_iter` then give the same solution.
        watch : callable, optional
            Told where the search stands.
        keeps_interrupted : bool
            On Ctrl-C stop and return the best so far, weighed as any other, instead of raising.
        """
        lam = Fraction(self.lam)
        require_range(self.kernel, lam, cells)
        pairs = PairSums(self.kernel.layout(cells.rows), cells.rows) if pairs is None else pairs
        search = self.search(cells, pairs)
        reason, history = follow(search, Limit(self.max_iter, is_stopped), watch, keeps_interrupted)

        def weigh(positive: Wholes, negative: Wholes, exponent: int) -> DualSolution:
            weights = positive, negative, exponent
            return DualSolution(self.kernel, lam, cells, *weights, search.n_iter, reason, history).weigh(pairs)

        return search.solution(weigh)


def positive_lam(lam: object) -> Fraction:
    """Check a regularisation; a refusal shows the number that text stands for."""
    return positive_number(exact(lam, "lam") if isinstance(lam, str) else lam, "lam")


def iteration_limit(max_iter: object) -> int | None:
    """Check a number of iterations."""
    if max_iter is None:
        return None
    return whole_number(max_iter, "max_iter", expected="a positive integer, or None for no limit")


def relative_gap(tol: object) -> float:
    """Check a relative gap, which is above 0 and below 1."""
    if isinstance(tol, bool) or not isinstance(tol, float | int | np.floating) or not 0 < tol < 1:
        raise SettingError(f"tol={shortened(tol)}: expected a relative gap between 0 and 1")
    return float(tol)
