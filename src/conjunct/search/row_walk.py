"""Conjunctions that pass a limit under weights of both signs, looked for row by row: whether any does, the heaviest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.search.conjunctions import LARGEST, LARGEST_SUM, whole_weights
from conjunct.settings import flag, positive_number, whole_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from conjunct.bits import BitMatrix

__all__ = ["RowWalk", "walk_by_rows"]


@dataclass(frozen=True, eq=False)
class RowWalk:
    """Whether any conjunction passes a limit.

    Attributes
    ----------
    heavy : tuple of tuples of int
        Those that were met and pass it, in the order of the walk: literals ascend, 2j + 1 says that variable j is true,
        2j that it is false. Where the limit rises, the last is the heaviest of all.
    n_nodes : int
        Conjunctions looked at: what a checker that goes the same way looks at.
    is_complete : bool
        Whether the walk came to its end; then, if `heavy` is empty, no conjunction passes the limit.
    trace : array of uint32
        The cells that were picked, in the order of the walk; empty unless asked for.
    """

    heavy: tuple[tuple[int, ...], ...]
    n_nodes: int
    is_complete: bool
    trace: NDArray[np.uint32]

    @property
    def is_within(self) -> bool:
        """Whether it is proved that no conjunction passes the limit."""
        return self.is_complete and not self.heavy


def walk_by_rows(
    cells: BitMatrix,
    weights: ArrayLike,
    limit: int,
    *,
    literals: Sequence[int] | NDArray[np.int64],
    max_size: int | None = None,
    max_heavy: int = 1,
    max_nodes: int | None = None,
    raise_limit: bool = False,
    keep_trace: bool = False,
    time_limit: float | None = None,
) -> RowWalk:
    """Look for conjunctions whose cells weigh more than a limit.

    Parameters
    ----------
    cells : BitMatrix
    weights : array-like of int, shape (cells,)
        Of either sign; without their signs they add up to at most 2**61. A cell whose weight is below 0 is charged.
    limit : int
        0 or more.
    literals : sequence of int
        Those to use, each once; of those that leave as much the first is tried first.
    max_size : int, optional
        The most literals; any number if absent.
    max_heavy : int
        Stop where so many pass the limit; where the limit rises, keep the last so many, and do not stop.
    max_nodes : int, optional
        Conjunctions to look at, at most.
    raise_limit : bool
        Whether the limit rises to the weight of each conjunction met: to look for the heaviest. Else nothing is looked
        for below one that passes it.
    keep_trace : bool
        Whether to keep the cells that were picked, four bytes each.
    time_limit : float, optional
        Seconds after which to stop.

    Notes
    -----
    A conjunction has a literal that is false on a charged cell, or it keeps the cell. The walk picks a charged cell,
    tries all open literals that are false on it, those first that leave least of the cells above 0, those tried before
    closed, and goes on with all of them closed. It does not look where the cells above 0, together with those that all
    open literals keep, stay within the limit, and closes literals that would leave so little, or the same cells as
    another. The cell it picks is that on which the fewest open literals are false for its charge, the first of equals.
    Where charges are more than all that is above 0, only pure conjunctions pass, those that hold on no charged cell.

    Examples
    --------
    >>> from conjunct import BitMatrix
    >>> cells = BitMatrix.of(["110", "111", "011", "000"])
    >>> walk = walk_by_rows(cells, [2, 3, -9, -9], 4, literals=range(6), keep_trace=True)
    >>> walk.heavy, walk.n_nodes, walk.trace.tolist()
    (((1,),), 7, [2])
    >>> walk_by_rows(cells, [2, 3, -9, -9], 5, literals=range(6)).is_within
    True
    """
    numbers = whole_weights(weights, (cells.n_rows,), "one whole number for each cell")
    own = _numbers(literals, cells.n_variables)
    if np.bincount(own, minlength=1).max() > 1:
        raise SettingError(f"literals={shortened(own.tolist())}: expected each once")
    most_size = cells.n_variables if max_size is None else whole_number(max_size, "max_size", least=0)
    heavy, n_nodes, is_complete, trace = _core.walk_by_rows(
        cells.words,
        cells.n_variables,
        numbers,
        whole_number(limit, "limit", least=0, most=LARGEST_SUM),
        own,
        min(most_size, LARGEST),
        LARGEST if max_nodes is None else min(whole_number(max_nodes, "max_nodes"), LARGEST),
        min(whole_number(max_heavy, "max_heavy"), LARGEST),
        flag(raise_limit, "raise_limit"),
        flag(keep_trace, "keep_trace"),
        float("inf") if time_limit is None else float(positive_number(time_limit, "time_limit")),
    )
    return RowWalk(tuple(map(tuple, heavy)), n_nodes, is_complete, np.frombuffer(trace, np.uint32))


def _numbers(literals: Sequence[int] | NDArray[np.int64], n_variables: int) -> NDArray[np.int64]:
    """Return literals as an array, or refuse the first that is none."""
    most = 2 * n_variables - 1
    if not isinstance(literals, np.ndarray) or literals.dtype != np.int64 or literals.ndim != 1:
        return np.array([whole_number(own, "literals", least=0, most=most) for own in literals], np.int64)
    for own in literals[(literals < 0) | (literals > most)][:1].tolist():
        whole_number(own, "literals", least=0, most=most)
    return np.ascontiguousarray(literals)
