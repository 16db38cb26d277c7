"""Making certificates of lemmas: the search for the cheapest tree, and what it proved."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter
from typing import TYPE_CHECKING, Any

from conjunct.certificates.tree_certificate import TreeCertificate
from conjunct.search import search_tree
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from collections.abc import Callable

    from conjunct.certificates.labelled_rows import LabelledRows
    from conjunct.certificates.tree_costs import TreeCosts

__all__ = ["certify_rows", "header_of"]


def certify_rows(
    table: LabelledRows,
    costs: TreeCosts,
    *,
    max_depth: int | None = 4,
    min_samples_leaf: int = 1,
    time_limit: float | None = 60,
    max_nodes: int | None = None,
    memory_limit: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> TreeCertificate:
    """Search for the cheapest tree on rows, and return what was proved; it is not checked yet."""
    max_depth = None if max_depth is None else whole_number(max_depth, "max_depth", least=0, most=10**9 - 1)
    min_samples_leaf = whole_number(min_samples_leaf, "min_samples_leaf", most=10**9 - 1)
    start = perf_counter()
    table = costs.rounded(table)
    problem = costs.problem(table, max_depth, min_samples_leaf)
    found = search_tree(
        problem, time_limit=time_limit, max_nodes=max_nodes, memory_limit=memory_limit, progress=progress
    )
    is_consistent = costs.price is not None or found.upper <= problem.leaf_cost * table.n_rows
    header = header_of(table, costs, max_depth, min_samples_leaf) | {
        "lower": str(Fraction(found.lower, problem.leaf_cost)),
        "upper": str(Fraction(found.upper, problem.leaf_cost)) if is_consistent else None,
        "witness": list(found.tree) if is_consistent else None,
    }
    return TreeCertificate(
        header,
        tuple(found.lemmas.lines()),
        found.n_pairs,
        found.n_splits,
        rows=table,
        stopped_by=found.stopped_by,
        n_nodes=found.n_nodes,
        seconds=perf_counter() - start,
    )


def header_of(
    table: LabelledRows, costs: TreeCosts, max_depth: int | None, min_samples_leaf: int, kind: str = "tree"
) -> dict[str, Any]:
    """Return what the header of a certificate says about its rows and trees; the claim is still to be filled in."""
    return {
        "format": "conjunct certificate 1",
        "kind": kind,
        "rows": table.n_rows,
        "classes": list(table.classes),
        "tests": [[name] for name in table.rows.names],
        "reading": "canonical",
        "literals": "both",
        "depth": "any" if max_depth is None else max_depth,
        "price": None if costs.price is None else str(costs.price),
        "row_costs": None if table.costs is None else [str(cost) for cost in table.costs],
        "cost_matrix": None if costs.matrix is None else [[str(cost) for cost in line] for line in costs.matrix],
        "min_samples_leaf": min_samples_leaf,
        "digest": table.digest,
        "lower": None,
        "upper": None,
        "witness": None,
    }
