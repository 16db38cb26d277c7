"""The cheapest decision tree, and the lemmas that prove it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from conjunct import _core
from conjunct.bits.limits import memory_limit as memory_of_this_process
from conjunct.settings import flag, positive_number, whole_number

if TYPE_CHECKING:
    from conjunct.search.tree_problem import TreeProblem

__all__ = ["TreeLemmas", "TreeSearch", "search_tree"]

StopReason = Literal["closed", "nodes", "time", "memory"]
REASONS: tuple[StopReason, ...] = ("closed", "nodes", "time", "memory")
LARGEST = (1 << 64) - 1
N_SIMILAR = 64  # lemmas of a literal compared with, beside those of siblings
FIRST_PASS_WORK = 1 << 33  # words of columns, half a second: shorter runs under a limit of depth see to the tree alone
REST_WORDS = 40  # words saved from which on the pairs of a part are those of the whole less those of the other part


@dataclass(frozen=True, eq=False)
class TreeLemmas:
    """Lemmas of which each follows from earlier ones and the last is the lower bound; see `lines`.

    Attributes
    ----------
    text : bytes
        One lemma a line.
    n_lemmas : int
    """

    text: bytes
    n_lemmas: int

    def lines(self) -> Iterator[str]:
        """Yield the lemmas as text: ``E depth value literals`` or ``N depth value literals | literal:lemma ...``.

        Literal 2j + 1 says that test j is true, 2j that it is false; depth is a number or ``any``.
        """
        start = 0
        while start < len(self.text):
            end = self.text.index(b"\n", start)
            yield self.text[start:end].decode("ascii")
            start = end + 1

    def __len__(self) -> int:
        return self.n_lemmas


@dataclass(frozen=True, eq=False)
class TreeSearch:
    """What a search for the cheapest tree has proved.

    Attributes
    ----------
    lower : int
        Every tree costs at least this.
    upper : int
        The cost of `tree`.
    tree : tuple of int
        In preorder: j >= 0 is test j, followed by the tree where it is true and the tree where it is false; -1 - c is a
        leaf of class c.
    lemmas : TreeLemmas
        What proves `lower`; empty where it is the trivial value, or lemmas were not kept.
    n_pairs, n_splits : int
        What checking costs: pairs of tests to be counted, and splits to be looked at.
    n_nodes : int
        Row sets looked into.
    stopped_by : {"closed", "nodes", "time", "memory"}
        "closed" where `lower` equals `upper`, otherwise the limit that was met.
    stats : dict
        How often each technique was used.
    """

    lower: int
    upper: int
    tree: tuple[int, ...]
    lemmas: TreeLemmas
    n_pairs: int
    n_splits: int
    n_nodes: int
    stopped_by: StopReason
    stats: dict[str, int]

    @property
    def is_optimal(self) -> bool:
        """Whether `tree` is proved to be the cheapest."""
        return self.lower == self.upper


def search_tree(
    problem: TreeProblem,
    *,
    time_limit: float | None = None,
    max_nodes: int | None = None,
    memory_limit: int | None = None,
    keep_lemmas: bool = True,
    progress: Callable[[int, int], object] | None = None,
) -> TreeSearch:
    """Find the cheapest tree of a problem and prove that it is, within limits.

    Parameters
    ----------
    problem : TreeProblem
    time_limit : float, optional
        Seconds after which to stop; what has been proved by then is returned.
    max_nodes : int, optional
        Row sets to look into at most: the same on every machine.
    memory_limit : int, optional
        Bytes; bounds are forgotten to keep it, and the search stops where lemmas alone pass it. As much as this process
        may use if absent.
    keep_lemmas : bool
        Whether to write down what proves the bound.
    progress : callable, optional
        Called with (lower, upper) some thirty times a second.

    Notes
    -----
    Branch and bound over row sets [lin2020], [demirovic2022]. Every bound is a lemma: trees of a depth cost at least so
    much on the rows of a path. Rule E counts pairs of tests; rule N adds what the parts of every split cost at least,
    by lemmas on the same or on similar rows.

    Examples
    --------
    >>> import numpy as np
    >>> from conjunct import BitMatrix
    >>> from conjunct.search import TreeProblem
    >>> ones, errors = np.ones(4, np.int64), np.array([[0, 9], [9, 0], [9, 0], [0, 9]])
    >>> parity = TreeProblem(BitMatrix.of(["00", "01", "10", "11"]), errors, 9 * ones, ones, leaf_cost=1, max_depth=2)
    >>> found = search_tree(parity)
    >>> found.lower, found.upper, found.tree, list(found.lemmas.lines())
    (4, 4, (0, 1, -1, -2, 1, -2, -1), ['E any 4'])
    """
    seconds = float("inf") if time_limit is None else float(positive_number(time_limit, "time_limit"))
    nodes = LARGEST if max_nodes is None else min(whole_number(max_nodes, "max_nodes"), LARGEST)
    n_bytes = memory_of_this_process() if memory_limit is None else whole_number(memory_limit, "memory_limit")
    search = _core.TreeSearch(
        problem.tests.words,
        problem.tests.n_variables,
        problem.penalties,
        problem.removals,
        problem.sizes,
        problem.leaf_cost,
        -1 if problem.max_depth is None else min(problem.max_depth, problem.tests.n_variables),
        problem.min_samples_leaf,
        flag(keep_lemmas, "keep_lemmas"),
        nodes,
        min(n_bytes, LARGEST),
        N_SIMILAR,
        FIRST_PASS_WORK,
        REST_WORDS,
    )
    reason = REASONS[search.run(seconds, progress)]
    text, n_lemmas, n_pairs, n_splits = search.proof()
    stats = dict(search.stats)
    return TreeSearch(
        search.lower,
        search.upper,
        tuple(search.tree),
        TreeLemmas(text, n_lemmas),
        n_pairs,
        n_splits,
        stats["n_nodes"],
        reason if search.lower < search.upper else "closed",
        stats,
    )
