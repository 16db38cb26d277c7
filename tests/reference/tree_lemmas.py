"""A naive reading of lemma lists: sets of cells, Python integers, every rule by its definition."""

from __future__ import annotations

from typing import Any

ANY = 10**9


class RefusedError(Exception):
    """A list that does not prove what it says."""


class LemmaReader:
    """Checks lemmas one after the other; `counts` gathers what an end line announces."""

    def __init__(self, rows: Any, penalties: Any, removals: Any, sizes: Any, leaf_cost: int, min_size: int) -> None:
        self.rows = [[int(x) for x in row] for row in rows]
        self.penalties = [[int(x) for x in row] for row in penalties]
        self.removals, self.sizes = [int(x) for x in removals], [int(x) for x in sizes]
        self.leaf_cost, self.min_size = leaf_cost, min_size
        self.n_tests = len(self.rows[0])
        self.lemmas: list[tuple[frozenset[int], int, int]] = []
        self.n_pairs = self.n_splits = 0

    def errors(self, cells: Any) -> int:
        return min(sum(self.penalties[i][k] for i in cells) for k in range(len(self.penalties[0])))

    def leaf(self, cells: Any) -> int:
        return self.leaf_cost + self.errors(cells)

    def forced(self, cells: Any) -> int:
        return sum(min(self.penalties[i]) for i in cells)

    def trivial(self, cells: Any) -> int:
        return min(self.leaf(cells), 2 * self.leaf_cost + self.forced(cells))

    def splits(self, cells: frozenset[int]) -> dict[int, tuple[frozenset[int], frozenset[int]]]:
        """Return the distinct splits of a set: the lowest test of each, with its parts (false, true)."""
        seen, result = set(), {}
        for j in range(self.n_tests):
            true = frozenset(i for i in cells if self.rows[i][j])
            parts = cells - true, true
            if all(part and sum(self.sizes[i] for i in part) >= self.min_size for part in parts):
                key = frozenset(parts)
                if key not in seen:
                    seen.add(key)
                    result[j] = parts
        return result

    def two_leaves(self, cells: frozenset[int]) -> int | None:
        return min((self.errors(a) + self.errors(b) for a, b in self.splits(cells).values()), default=None)

    def shape(self, cells: frozenset[int], depth: int) -> int:
        """Return the bound b(P) of rule E on a part."""
        cost, leaf = self.leaf_cost, self.leaf(cells)
        parts = self.splits(cells)
        if depth == 1 or not parts:
            return leaf
        two = self.two_leaves(cells)
        assert two is not None
        bounds = [leaf, 2 * cost + two]
        if depth == ANY:
            peel = min(self.errors(part) for pair in parts.values() for part in pair)
            bounds += [3 * cost + max(peel, self.forced(cells)), 4 * cost + self.forced(cells)]
        return min(bounds)

    def known(self, cells: frozenset[int], depth: int, hint: int | None) -> int:
        base = self.leaf(cells) if depth == 0 or not self.splits(cells) else self.trivial(cells)
        values = [base, *(v for rows, d, v in self.lemmas if rows == cells and d >= depth)]
        if hint is not None:
            rows, d, value = self.lemmas[hint]
            if d < depth:
                raise RefusedError("a hint of too little depth")
            values.append(value - sum(self.removals[i] for i in rows - cells))
        return max(values)

    def read(self, line: str) -> None:
        """Check one lemma and remember it."""
        head, _, tail = line.partition(" |")
        kind, depth_text, value_text, *literals = head.split(" ")
        depth, value = ANY if depth_text == "any" else int(depth_text), int(value_text)
        path = [int(x) for x in literals]
        if sorted(path) != path or len({x >> 1 for x in path}) != len(path):
            raise RefusedError("literals do not ascend")
        cells = frozenset(i for i, row in enumerate(self.rows) if all(row[x >> 1] == (x & 1) for x in path))
        if not cells or value > self.leaf(cells):
            raise RefusedError("an empty set, or more than a leaf")
        parts = self.splits(cells)
        if kind == "E":
            if depth not in (1, 2, ANY):
                raise RefusedError("depth of E")
            for pair in parts.values():
                if value > sum(self.shape(part, depth) for part in pair):
                    raise RefusedError(f"E does not hold: {line}")
                self.n_pairs += (depth > 1 and value > sum(self.trivial(part) for part in pair)) * len(parts)
        elif kind == "N":
            hints = {int(a): int(b) for a, b in (pair.split(":") for pair in tail.split())}
            if self.min_size > 1 and hints:
                raise RefusedError("hints with a least size")
            if any(literal >> 1 not in parts or k >= len(self.lemmas) for literal, k in hints.items()):
                raise RefusedError("a hint to what is not there")
            self.n_splits += len(parts)
            for j, pair in parts.items():
                below = ANY if depth == ANY else depth - 1
                if value > sum(self.known(pair[side], below, hints.get(2 * j + side)) for side in (0, 1)):
                    raise RefusedError(f"N does not hold: {line}")
        else:
            raise RefusedError("unknown kind")
        self.lemmas.append((cells, depth, value))
