"""Conjunctions that hold on no negative cell: whether any passes a limit, and the heaviest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from conjunct import _core
from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.search.conjunctions import LARGEST, LARGEST_SUM, literal_numbers, whole_weights
from conjunct.settings import flag, positive_number, whole_number

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from conjunct.bits import BitMatrix

__all__ = ["PureWalk", "walk_pure"]


@dataclass(frozen=True, eq=False)
class PureWalk:
    """Whether any conjunction that holds on no negative cell passes a limit.

    Attributes
    ----------
    heavy : tuple of tuples of int
        Those that pass it, in the order of the walk: literals ascend, 2j + 1 says that variable j is true, 2j that it
        is false. Where the limit rises, the last is the heaviest.
    n_nodes : int
        Conjunctions looked at: what a checker that goes the same way looks at.
    is_complete : bool
        Whether the walk came to its end; then, if `heavy` is empty, no such conjunction passes the limit.
    trace : array of uint32
        The negative cells that were picked, in the order of the visits; empty unless asked for.
    """

    heavy: tuple[tuple[int, ...], ...]
    n_nodes: int
    is_complete: bool
    trace: NDArray[np.uint32]

    @property
    def is_within(self) -> bool:
        """Whether it is proved that no such conjunction passes the limit."""
        return self.is_complete and not self.heavy


def walk_pure(
    cells: BitMatrix,
    weights: ArrayLike,
    is_negative: ArrayLike,
    limit: int,
    *,
    order: Sequence[int] | NDArray[np.int64],
    max_size: int | None = None,
    max_heavy: int = 1,
    max_nodes: int | None = None,
    raise_limit: bool = False,
    keep_trace: bool = False,
    time_limit: float | None = None,
) -> PureWalk:
    """Look for conjunctions that hold on no negative cell and whose cells weigh more than a limit.

    Parameters
    ----------
    cells : BitMatrix
    weights : array-like of int, shape (cells,)
        0 or more, and 0 on negative cells; they add up to at most 2**61.
    is_negative : array-like of bool, shape (cells,)
    limit : int
        0 or more.
    order : sequence of int
        The literals to use, each once, in the order in which to try them.
    max_size : int, optional
        The most literals; any number if absent.
    max_heavy : int
        Stop where so many pass the limit; where the limit rises, keep the last so many, and do not stop.
    max_nodes : int, optional
        Conjunctions to look at, at most.
    raise_limit : bool
        Whether the limit rises to the weight of each conjunction found: to look for the heaviest.
    keep_trace : bool
        Whether to keep the cells that were picked, four bytes each.
    time_limit : float, optional
        Seconds after which to stop.

    Notes
    -----
    Such a conjunction has a literal that is false on any negative cell one picks. The walk tries all open ones in their
    order, and those tried before stay closed. Below a conjunction whose positive cells stay within the limit it does
    not look. The cell it picks, of the negative ones left, is that on which the fewest literals are false that would
    leave more than the limit, the first of equals.

    Examples
    --------
    >>> from conjunct import BitMatrix
    >>> cells, is_negative = BitMatrix.of(["110", "111", "011", "000"]), [False, False, True, True]
    >>> walk = walk_pure(cells, [2, 3, 0, 0], is_negative, 4, order=range(6), keep_trace=True)
    >>> walk.heavy, walk.n_nodes, walk.trace.tolist()
    (((1,),), 2, [2])
    >>> walk_pure(cells, [2, 3, 0, 0], is_negative, 5, order=range(6)).is_within
    True
    """
    numbers = whole_weights(weights, (cells.n_rows,), "one whole number for each cell")
    classes = np.asarray(is_negative)
    if classes.dtype != np.bool_ or classes.shape != numbers.shape:
        raise SettingError(
            f"is_negative of type {classes.dtype} and shape {classes.shape}: expected True or False for each cell"
        )
    refused = np.flatnonzero((numbers < 0) | (classes & (numbers != 0)))
    if refused.size:
        i = int(refused[0])
        expected = "0 on a negative cell" if classes[i] else "0 or more"
        raise SettingError(f"weights[{i}]={numbers[i]}: expected {expected}")
    literals = literal_numbers(order, cells.n_variables)
    if np.bincount(literals, minlength=1).max() > 1:
        raise SettingError(f"order={shortened(literals.tolist())}: expected each literal once")
    most_size = cells.n_variables if max_size is None else whole_number(max_size, "max_size", least=0)
    heavy, n_nodes, is_complete, trace = _core.walk_pure(
        cells.words,
        cells.n_variables,
        numbers,
        np.ascontiguousarray(classes).view(np.uint8),
        whole_number(limit, "limit", least=0, most=LARGEST_SUM),
        literals,
        min(most_size, LARGEST),
        LARGEST if max_nodes is None else min(whole_number(max_nodes, "max_nodes"), LARGEST),
        min(whole_number(max_heavy, "max_heavy"), LARGEST),
        flag(raise_limit, "raise_limit"),
        flag(keep_trace, "keep_trace"),
        float("inf") if time_limit is None else float(positive_number(time_limit, "time_limit")),
    )
    return PureWalk(tuple(map(tuple, heavy)), n_nodes, is_complete, np.frombuffer(trace, np.uint32))
