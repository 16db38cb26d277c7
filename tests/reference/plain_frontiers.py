"""The least errors of trees with every number of leaves, by plain recursion, and the certificate that lists them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

from reference.plain_trees import PlainTable, PlainTrees, Rows, certificate_text

__all__ = ["frontier_text", "least_errors"]


def least_errors(table: PlainTable, depth: int) -> list[Fraction]:
    """What the errors of trees of at most a depth cost at least, with at most 1, 2, .. 2^depth leaves."""
    trees = PlainTrees(replace(table, price=Fraction(1)))
    known: dict[tuple[Rows, int, int], Fraction] = {}

    def least(rows: Rows, depth: int, n_leaves: int) -> Fraction:
        if (rows, depth, n_leaves) not in known:
            costs = [trees.errors(rows)]
            for _, one, rest in trees.splits(rows) if depth else []:
                shares = range(1, n_leaves)
                costs += [least(one, depth - 1, k) + least(rest, depth - 1, n_leaves - k) for k in shares]
            known[rows, depth, n_leaves] = min(costs)
        return known[rows, depth, n_leaves]

    return [least(trees.all_rows, depth, n_leaves) for n_leaves in range(1, 2**depth + 1)]


def frontier_text(
    table: PlainTable, depth: int, /, *, end: str = "", lemmas: tuple[str, ...] = (), **changes: Any
) -> str:
    """The certificate of a frontier; `changes` are keys of the header to replace."""
    table = replace(table, price=Fraction(1))
    trees = PlainTrees(table)
    own = {"kind": "frontier", "depth": depth, "upper": None, "witness": None} | changes
    if "lower" not in own:
        own["lower"] = list(map(str, least_errors(table, depth)))
    header = json.loads(certificate_text(table, 0).split("\n")[0]) | own
    first = json.dumps(header, separators=(",", ":"))
    n_pairs = len(trees.splits(trees.all_rows)) ** depth if depth > 1 else 0
    return "\n".join([first, *lemmas, end or f"end {len(lemmas)} {n_pairs} 0", ""])
