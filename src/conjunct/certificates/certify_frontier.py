"""Making frontiers: the least errors for every number of leaves, exactly or as bounds by prices of an error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import Any

from conjunct.certificates.certificate import Certificate
from conjunct.certificates.certify import checked
from conjunct.certificates.certify_lemmas import certify_rows, header_of
from conjunct.certificates.checker import SECONDS_LIMIT
from conjunct.certificates.frontiers import TreeFrontier
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.certificates.tree_certificate import TreeCertificate
from conjunct.certificates.tree_costs import TreeCosts, row_costs
from conjunct.search import TreeProblem, search_frontier
from conjunct.search.tree_frontiers import DEEPEST_FRONTIER
from conjunct.settings import flag, positive_number, whole_number
from conjunct.tables.classes import class_numbers

__all__ = ["checked_frontier", "frontier_of_rows", "tree_frontier"]

SHARE_OF_EXACT = 0.5  # of the time that is left, before bounds by prices have the rest
SHARE_OF_LADDER = 0.9  # of the time, after which no more prices are looked at
SURE_DEPTH = 3  # a list of this depth takes little time; it is exact for 4 leaves at every depth
DEAREST_ERROR = 2  # the last price of the ladder is 2**2 leaves for an error of middling cost


def tree_frontier(
    X: Any,
    y: Any,
    max_depth: int | None = 3,
    *,
    time_limit: float | None = 60,
    memory_limit: int | None = None,
    check: bool = True,
    sample_weight: Any = None,
    class_weight: Any = None,
    cost_matrix: Any = None,
    min_samples_leaf: int = 1,
) -> TreeFrontier:
    """Find the least errors of decision trees for every number of leaves, and prove that none has fewer.

    Parameters
    ----------
    X : array, sparse matrix, data frame, lists, digit strings or BitMatrix of zeros and ones
        The tests that trees are made of, a column each.
    y : array-like
        One label for each row, of any number of kinds.
    max_depth : int or None, default 3
        The most tests on a path; None is any number. Up to 4 the result is exact; beyond it is lower bounds.
    time_limit : float or None, default 60
        Seconds to search. Where half of them are not enough for the exact list, the rest goes to lower bounds.
    memory_limit : int, optional
        Bytes that the search may take.
    check : bool, default True
        Let the checker, in a process of its own, prove the result again; then it is `certified`. It counts every tree:
        at depth 4 that may be predicted to take longer than its limit; then the result is exact, but not certified.
    sample_weight : array-like, optional
        What an error on each row costs; 0 leaves a row out.
    class_weight : dict or "balanced", optional
        What an error on a row of each class costs, times that.
    cost_matrix : array-like, optional
        ``cost_matrix[i][k]``: what it costs to call a row of the i-th class the k-th, in sorted order.
    min_samples_leaf : int, default 1
        The fewest rows of a leaf.

    Returns
    -------
    TreeFrontier

    Notes
    -----
    The file of an exact frontier has no evidence: the checker counts all trees by itself. Beyond depth 4 the exact list
    of depth 3 holds for up to 4 leaves, since deeper trees have more. For more leaves bounds come from a ladder of
    certificates: where leaves + w * errors >= v for every tree, one of L leaves has at least (v - L) / w errors. The
    least v is concave in w, so where the best trees of two prices are known, the next price is the one at which they
    cost the same.

    Examples
    --------
    >>> import conjunct
    >>> rows = [f"{number:03b}" for number in range(8)]
    >>> frontier = conjunct.tree_frontier(rows, [row.count("1") >= 2 for row in rows])
    >>> dict(frontier.errors)
    {1: 4, 2: 2, 3: 2, 4: 1, 5: 1, 6: 0, 7: 0, 8: 0}
    >>> frontier.leaves(1), frontier.certified
    (4, True)
    >>> print(frontier.tree(2))
    x1 ? 1 : 0
    """
    table = LabelledRows.of(X, y)
    labels = class_numbers(y, table.n_rows)[0].tolist()
    costs = TreeCosts.of(1, cost_matrix, len(table.classes))
    weighted = table.with_costs(row_costs(table, sample_weight, class_weight, labels))
    frontier = frontier_of_rows(
        weighted,
        costs,
        max_depth=max_depth,
        min_samples_leaf=min_samples_leaf,
        time_limit=time_limit,
        memory_limit=memory_limit,
    )
    return checked_frontier(frontier) if flag(check, "check") else frontier


def frontier_of_rows(
    table: LabelledRows,
    costs: TreeCosts,
    *,
    max_depth: int | None = 3,
    min_samples_leaf: int = 1,
    time_limit: float | None = 60,
    memory_limit: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> TreeFrontier:
    """Find the frontier of rows, where an error costs 1 times what the row and its class say; it is not checked yet."""
    depth = None if max_depth is None else whole_number(max_depth, "max_depth", least=0, most=10**9 - 1)
    min_samples_leaf = whole_number(min_samples_leaf, "min_samples_leaf", most=10**9 - 1)
    seconds = inf if time_limit is None else float(positive_number(time_limit, "time_limit"))
    start = perf_counter()
    table = costs.rounded(table)
    problem = costs.problem(table, depth, min_samples_leaf)
    limits: dict[str, Any] = {"memory_limit": memory_limit, "progress": progress}

    def left(share: float) -> float | None:
        """Return a share of the seconds that are left."""
        return None if seconds == inf else max(1e-3, (seconds - perf_counter() + start) * share)

    lists: list[TreeFrontier] = []
    for own_depth in exact_depths(depth):
        shallow = replace(problem, max_depth=own_depth)
        found = exact_frontier(table, costs, shallow, time_limit=left(SHARE_OF_EXACT), **limits)
        if found is not None and own_depth == depth:
            return found
        lists += [] if found is None else [found]
    certificates: list[TreeCertificate] = []
    prices, tried = ladder(problem), set[Fraction]()
    while prices:
        for k, price in enumerate(prices):
            own_costs = TreeCosts(price, costs.matrix)
            if own_costs.fits(table):
                limits["time_limit"] = left(1 / (len(prices) - k))
                own = certify_rows(table, own_costs, max_depth=depth, min_samples_leaf=min_samples_leaf, **limits)
                certificates.append(own)
        tried.update(prices)
        is_over = perf_counter() - start >= SHARE_OF_LADDER * seconds
        prices = [] if is_over else [price for price in tied_prices(certificates) if price not in tried]
    certificates.sort(key=lambda own: own.error_price or 0)
    known = [(c.n_errors or Fraction(0), tuple(c.header["witness"])) for c in certificates if c.header["witness"]]
    for one in lists:
        known += zip(one.tree_errors, one.trees, strict=True)
    proofs = (*(lists[0].certificates if lists else ()), *certificates)
    return TreeFrontier(proofs, *best_trees(known), forced_errors(problem))


def exact_depths(depth: int | None) -> tuple[int, ...]:
    """Return the depths of exact lists to try: the one asked for, one that takes little time, one for its trees."""
    if depth is None or depth > DEEPEST_FRONTIER:
        return (SURE_DEPTH, DEEPEST_FRONTIER)
    return (depth, SURE_DEPTH) if depth > SURE_DEPTH else (depth,)


def exact_frontier(table: LabelledRows, costs: TreeCosts, problem: TreeProblem, **limits: Any) -> TreeFrontier | None:
    """Return the exact list of the depth of a problem; None where a limit was met."""
    start = perf_counter()
    found, depth = search_frontier(problem, **limits), problem.max_depth or 0
    if found.stopped_by != "closed":
        return None
    lower = [str(Fraction(errors, problem.leaf_cost)) for errors in found.errors]
    certificate = Certificate(
        header_of(table, costs, depth, problem.min_samples_leaf, "frontier") | {"lower": lower},
        (),
        found.n_splits**depth if depth >= 2 else 0,
        0,
        rows=table,
        n_nodes=found.stats["n_nodes"],
        seconds=perf_counter() - start,
    )
    return TreeFrontier((certificate,), found.trees, tuple(map(Fraction, lower)), forced_errors(problem))


def forced_errors(problem: TreeProblem) -> Fraction:
    """Return what every tree pays: the least penalty of every cell."""
    return Fraction(int(problem.penalties.min(axis=1).sum()), problem.leaf_cost)


def ladder(problem: TreeProblem) -> list[Fraction]:
    """Return prices of an error, each twice the one before, from where one leaf is the cheapest tree to 4 leaves."""
    leaf = Fraction(int(problem.penalties.sum(axis=0).min()), problem.leaf_cost)
    middling = Fraction(int(problem.removals.sum()), int(problem.sizes.sum()) * problem.leaf_cost)
    least, most = Fraction(1), Fraction(2**DEAREST_ERROR)
    while least * (leaf - forced_errors(problem)) > 1:
        least /= 2
    while most * middling > 2**DEAREST_ERROR:
        most /= 2
    while most * middling * 2 <= 2**DEAREST_ERROR and middling > 0:
        most *= 2
    prices = [least]
    while prices[-1] < most:
        prices.append(2 * prices[-1])
    return prices


def tied_prices(certificates: list[TreeCertificate]) -> list[Fraction]:
    """Return the prices at which the best trees of neighbouring prices cost the same.

    The least cost is concave in the price: if no tree is cheaper there, none lies below the line between the two.
    """
    best = {(own.n_leaves or 1, own.n_errors or Fraction(0)) for own in certificates if own.optimal}
    pairs = pairwise(sorted(best))
    return [Fraction(more - leaves) / (errors - fewer) for (leaves, errors), (more, fewer) in pairs if fewer < errors]


def best_trees(
    known: list[tuple[Fraction, tuple[int, ...]]],
) -> tuple[tuple[tuple[int, ...], ...], tuple[Fraction, ...]]:
    """Return for every number of leaves the tree with the fewest errors among those with at most so many, and these."""
    sized = sorted((errors, (len(tree) + 1) // 2, tree) for errors, tree in known)
    sizes = range(1, max(n_leaves for _, n_leaves, _ in sized) + 1)
    best = [next(entry for entry in sized if entry[1] <= most_leaves) for most_leaves in sizes]
    return tuple(tree for _, _, tree in best), tuple(errors for errors, _, _ in best)


def checked_frontier(frontier: TreeFrontier, data: str | None = None, *, limit: int = SECONDS_LIMIT) -> TreeFrontier:
    """Run the checker on what proves a frontier; see `checked`."""
    return replace(frontier, certificates=tuple(checked(own, data, limit=limit) for own in frontier.certificates))
