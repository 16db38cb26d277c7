"""The cheapest tree by plain recursion over sets of rows, and a certificate that proves it, written line by line.

Fractions, frozensets and the definitions, no cleverness: for tables of a few tests and rows.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import inf, lcm
from pathlib import Path
from typing import Any

__all__ = ["PlainTable", "PlainTrees", "canonical_text", "certificate_text", "write_certificate"]

Rows = frozenset[int]
Tree = tuple[int, ...]  # preorder: a test, then the tree where it holds, then the other; -1-k is a leaf of class k


@dataclass(frozen=True)
class PlainTable:
    """Rows as digit strings, the number of each row's class, and how leaves and errors are priced."""

    rows: tuple[str, ...]
    labels: tuple[int, ...]
    n_classes: int = 2
    price: Fraction | None = Fraction(1)
    costs: tuple[Fraction, ...] | None = None
    matrix: tuple[tuple[Fraction, ...], ...] | None = None
    least_rows: int = 1
    names: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    @property
    def n_tests(self) -> int:
        return len(self.rows[0])

    @property
    def test_names(self) -> tuple[str, ...]:
        return self.names or tuple(f"x{j + 1}" for j in range(self.n_tests))

    @property
    def class_names(self) -> tuple[str, ...]:
        return self.classes or tuple(map(str, range(self.n_classes)))

    @cached_property
    def penalties(self) -> list[list[Fraction]]:
        """What a leaf of each class costs on each row, in leaves."""
        costs = self.costs or (Fraction(1),) * len(self.rows)
        price = Fraction(len(self.rows) + 1) / min(costs) if self.price is None else self.price
        return [
            [price * cost * (self.matrix[y][k] if self.matrix else (y != k)) for k in range(self.n_classes)]
            for y, cost in zip(self.labels, costs, strict=True)
        ]

    @cached_property
    def leaf_cost(self) -> int:
        """B of the format: with it all costs are whole."""
        costs = self.costs or (Fraction(1),) * len(self.rows)
        price = Fraction(len(self.rows) + 1) / min(costs) if self.price is None else self.price
        shares = lcm(*((price * cost).denominator for cost in costs))
        return shares * lcm(*(entry.denominator for line in self.matrix or () for entry in line))


@dataclass
class PlainTrees:
    """Exact costs of trees on sets of rows, and lemmas that prove them."""

    table: PlainTable
    lines: list[str] = field(default_factory=list)
    proved: list[tuple[Rows, float, Fraction]] = field(default_factory=list)
    n_pairs: int = 0
    n_splits: int = 0
    with_hints: bool = False
    with_chains: bool = False
    _best: dict[tuple[Rows, float], tuple[Fraction, Tree]] = field(default_factory=dict)
    _errors: dict[Rows, Fraction] = field(default_factory=dict)
    _splits: dict[Rows, list[tuple[int, Rows, Rows]]] = field(default_factory=dict)

    @property
    def all_rows(self) -> Rows:
        return frozenset(range(len(self.table.rows)))

    def errors(self, rows: Rows) -> Fraction:
        if rows not in self._errors:
            losses = [sum((self.table.penalties[i][k] for i in rows), Fraction()) for k in range(self.table.n_classes)]
            self._errors[rows] = min(losses)
        return self._errors[rows]

    def leaf(self, rows: Rows) -> Fraction:
        return 1 + self.errors(rows)

    def forced(self, rows: Rows) -> Fraction:
        cells = {self.table.rows[i] for i in rows}
        equal = [frozenset(i for i in rows if self.table.rows[i] == cell) for cell in cells]
        return sum(map(self.errors, equal), Fraction())

    def trivial(self, rows: Rows) -> Fraction:
        return min(self.leaf(rows), 2 + self.forced(rows))

    def splits(self, rows: Rows) -> list[tuple[int, Rows, Rows]]:
        if rows in self._splits:
            return self._splits[rows]
        splits = self._splits[rows] = []
        for j in range(self.table.n_tests):
            one = frozenset(i for i in rows if self.table.rows[i][j] == "1")
            rest = rows - one
            is_new = not any({one, rest} == {a, b} for _, a, b in splits)
            if is_new and min(len(one), len(rest)) >= self.table.least_rows:
                splits.append((j, one, rest))
        return splits

    def best(self, rows: Rows, depth: float) -> tuple[Fraction, Tree]:
        """The cheapest tree of at most a depth on a set of rows."""
        if (rows, depth) not in self._best:
            losses = [sum(self.table.penalties[i][k] for i in rows) for k in range(self.table.n_classes)]
            options: list[tuple[Fraction, Tree]] = [(self.leaf(rows), (-1 - losses.index(min(losses)),))]
            for j, one, rest in self.splits(rows) if depth else []:
                (cost_1, tree_1), (cost_0, tree_0) = self.best(one, depth - 1), self.best(rest, depth - 1)
                options.append((cost_1 + cost_0, (j, *tree_1, *tree_0)))
            self._best[rows, depth] = min(options, key=lambda option: (option[0], len(option[1])))
        return self._best[rows, depth]

    def two_levels(self, rows: Rows, depth: float) -> Fraction:
        """b(P) of rule E: one or two leaves exactly, and for any depth the shape bound."""
        sides = [(self.errors(one), self.errors(rest)) for _, one, rest in self.splits(rows)]
        costs = [self.leaf(rows)]
        if sides:
            costs.append(2 + min(map(sum, sides)))
            if depth == inf:
                costs += [3 + max(min(map(min, sides)), self.forced(rows)), 4 + self.forced(rows)]
        return min(costs)

    def known(self, rows: Rows, depth: float) -> Fraction:
        trivial = self.trivial(rows) if depth and self.splits(rows) else self.leaf(rows)
        return max([trivial, *(value for own, deep, value in self.proved if own == rows and deep >= depth)])

    def prove(self, rows: Rows, depth: float, path: dict[int, int]) -> None:
        """Write lemmas, the last of which says what trees of a depth cost on the rows of a path."""
        value = self.best(rows, depth)[0]
        if path and self.known(rows, depth) >= value:
            return
        splits = self.splits(rows)
        low = [split for split in splits if sum(map(self.trivial, split[1:])) < value]
        bounds = [sum(self.two_levels(part, depth) for part in split[1:]) for split in splits]
        n_parts = self._chained(rows, depth) if self.with_chains else 0
        if n_parts:
            kind, hints, self.n_pairs = "C", "", self.n_pairs + len(splits) ** 2 * n_parts
        elif depth <= 2 or (depth == inf and min(bounds, default=value) >= value):
            kind, self.n_pairs = "E", self.n_pairs + (len(low) * len(splits) if depth != 1 else 0)
            hints = ""
        else:
            for j, one, rest in splits:
                if self.known(one, depth - 1) + self.known(rest, depth - 1) < value:
                    self.prove(one, depth - 1, path | {j: 1})
                    self.prove(rest, depth - 1, path | {j: 0})
            kind, self.n_splits = "N", self.n_splits + len(splits)
            hints = self._hints(splits, depth - 1) if self.with_hints else ""
        literals = "".join(f" {2 * j + side}" for j, side in sorted(path.items()))
        depth_word = "any" if depth == inf else str(int(depth))
        self.lines.append(f"{kind} {depth_word} {value * self.table.leaf_cost}{literals}{hints}")
        self.proved.append((rows, depth, value))

    def _chained(self, rows: Rows, depth: float) -> int:
        """How often the blocks of a chain of tests are cut to prove the cost of the best tree; 0 if that is no proof.

        Once, if any number of leaves may be cut; otherwise as often as there may be leaves.
        """
        sets = sorted((one for _, one, _ in self.splits(rows)), key=len)
        if not sets or any(not a < b for a, b in pairwise(sets)):
            return 0
        ends, n_leaves = [frozenset(), *sets, rows], len(sets) + 1 if depth >= len(sets) else int(2**depth)
        costs: dict[Rows, Fraction] = {}  # on the rows up to each end, in at most as many leaves as were cut
        for _ in range(n_leaves):
            costs = {
                end: min(
                    self.leaf(end - begin) + costs.get(begin, Fraction(0))
                    for begin in ends[: k + 1]
                    if not begin or begin in costs
                )
                for k, end in enumerate(ends[1:])
            }
        if costs[rows] < self.best(rows, depth)[0]:
            return 0
        return n_leaves if n_leaves <= len(sets) else 1

    def _hints(self, splits: list[tuple[int, Rows, Rows]], depth: float) -> str:
        """Hints that are allowed, whether they help or not."""
        hints = []
        for j, *parts in splits:
            for side, part in zip((1, 0), parts, strict=True):
                near = [(len(own ^ part), k) for k, (own, deep, _) in enumerate(self.proved) if deep >= depth]
                if near:
                    hints.append(f" {2 * j + side}:{min(near)[1]}")
        return f" |{''.join(hints)}" if hints else ""


def canonical_text(table: PlainTable) -> str:
    names = json.dumps(table.test_names, separators=(",", ":"))
    lines = [f"{len(table.rows)} {table.n_tests}", names]
    for i, (row, label) in enumerate(zip(table.rows, table.labels, strict=True)):
        lines.append(f"{row} {label}" + ("" if table.costs is None else f" {table.costs[i]}"))
    return "\n".join(lines) + "\n"


def certificate_text(
    table: PlainTable, depth: int | None, *, with_hints: bool = False, with_chains: bool = False, **changes: Any
) -> str:
    """The certificate of the cheapest tree; `changes` are keys of the header to replace."""
    deepest = inf if depth is None else depth
    trees = PlainTrees(table, with_hints=with_hints, with_chains=with_chains)
    cost, tree = trees.best(trees.all_rows, deepest)
    trivial = trees.leaf(trees.all_rows) if depth == 0 else trees.trivial(trees.all_rows)
    if cost > trivial:
        trees.prove(trees.all_rows, deepest, {})
    is_impossible = table.price is None and cost > len(table.rows)
    header = {
        "format": "conjunct certificate 1",
        "kind": "tree",
        "rows": len(table.rows),
        "classes": list(table.class_names),
        "tests": [[name] for name in table.test_names],
        "reading": "canonical",
        "literals": "both",
        "depth": "any" if depth is None else depth,
        "price": None if table.price is None else str(table.price),
        "row_costs": None if table.costs is None else list(map(str, table.costs)),
        "cost_matrix": None if table.matrix is None else [list(map(str, line)) for line in table.matrix],
        "min_samples_leaf": table.least_rows,
        "digest": hashlib.sha256(canonical_text(table).encode()).hexdigest(),
        "lower": str(cost),
        "upper": None if is_impossible else str(cost),
        "witness": None if is_impossible else list(tree),
    } | changes
    first = json.dumps(header, separators=(",", ":"))
    end = f"end {len(trees.lines)} {trees.n_pairs} {trees.n_splits}"
    return "\n".join([first, *trees.lines, end]) + "\n"


def write_certificate(table: PlainTable, depth: int | None, folder: Path, **options: Any) -> tuple[Path, Path]:
    """Write a certificate of the cheapest tree, and the canonical rows; options are those of `certificate_text`."""
    certificate, rows = folder / "certificate", folder / "certificate.rows.gz"
    certificate.write_text(certificate_text(table, depth, **options))
    rows.write_bytes(gzip.compress(canonical_text(table).encode(), mtime=0))
    return certificate, rows
