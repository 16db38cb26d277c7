"""The least errors of decision trees by their number of leaves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from conjunct import _core
from conjunct.bits.limits import memory_limit as memory_of_this_process
from conjunct.errors import SettingError
from conjunct.search.optimal_trees import LARGEST, REASONS, StopReason
from conjunct.settings import positive_number, whole_number

if TYPE_CHECKING:
    from conjunct.search.tree_problem import TreeProblem

__all__ = ["FrontierSearch", "search_frontier"]

DEEPEST_FRONTIER = 4


@dataclass(frozen=True, eq=False)
class FrontierSearch:
    """What a search for the least errors by number of leaves has found.

    Attributes
    ----------
    errors : tuple of int
        Entry L - 1: the least penalties of a tree with at most L leaves, for L = 1 .. 2**depth.
    trees : tuple of tuples of int
        A tree that attains each, in preorder: j >= 0 is test j, followed by the tree where it is true and the tree
        where it is false; -1 - c is a leaf of class c.
    n_splits : int
        The ways in which tests split all rows; equal and complementary ones count once.
    stopped_by : {"closed", "time", "memory"}
        The limit that was met; then `errors` and `trees` are empty.
    stats : dict
        How often each technique was used.
    """

    errors: tuple[int, ...]
    trees: tuple[tuple[int, ...], ...]
    n_splits: int
    stopped_by: StopReason
    stats: dict[str, int]


def search_frontier(
    problem: TreeProblem,
    *,
    time_limit: float | None = None,
    memory_limit: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> FrontierSearch:
    """Find the least penalties of trees with at most 1, 2, .. 2**depth leaves.

    Parameters
    ----------
    problem : TreeProblem
        Of depth 4 at most; what a leaf costs is of no matter.
    time_limit : float, optional
        Seconds after which to stop.
    memory_limit : int, optional
        Bytes; lists are forgotten to keep it. As much as this process may use if absent.
    progress : callable, optional
        Called with (first tests done, first tests) some thirty times a second.

    Notes
    -----
    errors(S, d)[L] is the least of what a leaf pays on S and, over tests and a + b = L, errors(S_1, d - 1)[a] +
    errors(S_0, d - 1)[b]. Twin: `conjunct.theory.least_errors`.

    Examples
    --------
    >>> import numpy as np
    >>> from conjunct import BitMatrix
    >>> from conjunct.search import TreeProblem
    >>> ones, errors = np.ones(4, np.int64), np.array([[0, 1], [1, 0], [1, 0], [0, 1]])
    >>> parity = TreeProblem(BitMatrix.of(["00", "01", "10", "11"]), errors, ones, ones, leaf_cost=1, max_depth=2)
    >>> search_frontier(parity).errors
    (2, 2, 1, 0)
    """
    if problem.max_depth is None or problem.max_depth > DEEPEST_FRONTIER:
        raise SettingError(f"max_depth={problem.max_depth}: expected a depth from 0 to {DEEPEST_FRONTIER}")
    seconds = float("inf") if time_limit is None else float(positive_number(time_limit, "time_limit"))
    n_bytes = memory_of_this_process() if memory_limit is None else whole_number(memory_limit, "memory_limit")
    search = _core.FrontierSearch(
        problem.tests.words,
        problem.tests.n_variables,
        problem.penalties,
        problem.removals,
        problem.sizes,
        problem.max_depth,
        problem.min_samples_leaf,
        min(n_bytes, LARGEST),
    )
    reason = REASONS[search.run(seconds, progress)]
    is_whole = reason == "closed"
    return FrontierSearch(
        tuple(search.errors) if is_whole else (),
        tuple(map(tuple, search.trees)) if is_whole else (),
        search.n_splits,
        reason,
        dict(search.stats),
    )
