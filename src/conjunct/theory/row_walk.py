"""Conjunctions that pass a limit under weights of both signs, looked for row by row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

__all__ = ["walk_by_rows"]


def walk_by_rows(
    rows: Sequence[Sequence[int]],
    weights: Sequence[int],
    limit: int,
    literals: Sequence[int],
    max_size: int,
    *,
    raise_limit: bool = False,
) -> tuple[list[tuple[int, ...]], int, list[int]]:
    """Return conjunctions met whose weight passes a limit, how many were weighed, and the rows picked.

    Parameters
    ----------
    rows : sequence of sequences of 0 and 1
    weights : sequence of int
        One for each row; a row whose weight is below 0 is charged.
    limit : int
        0 or more.
    literals : sequence of int
        Those to use, each once: 2j + 1 says that variable j is true, 2j that it is false.
    max_size : int
        The most literals.
    raise_limit : bool
        Whether the limit rises to the weight of each conjunction met; else nothing is looked for below it.

    Notes
    -----
    A conjunction has a literal that is false on a charged row, or it keeps the row. A visit picks a charged row, tries
    each of the open literals that are false on it, those first whose rows above 0 weigh least, those tried before
    closed, and then goes on with all of them closed: so a conjunction is below the first of these literals that it has,
    or the row is kept by all that is left. Nothing left weighs more than the rows above 0 together with those that are
    kept, on which all open literals hold; nothing left that has a literal weighs more than the rows above 0 on which it
    holds together with those: where that is within the limit, the literal is closed too. So are, at first, literals
    that hold on all rows of a visit, and of those that hold on the same all but the first: there is as heavy a
    conjunction without them. Where charges are more than all weights above 0, nothing heavy keeps a row: such a
    conjunction is pure.

    The row picked is the one with the fewest open literals that are false on it for its charge, the first of equals.

    Examples
    --------
    >>> walk_by_rows([[1, 1], [1, 0], [0, 1]], [1, -2, -2], 0, [0, 1, 2, 3], 2)
    ([(1, 3)], 6, [1, 2])
    """
    heavy: list[tuple[int, ...]] = []
    trace: list[int] = []
    n_nodes = 1

    def holds(literal: int, i: int) -> bool:
        return rows[i][literal // 2] == literal % 2

    def above(holding: list[int]) -> int:
        return sum(max(0, weights[i]) for i in holding)

    def visit(conjunction: tuple[int, ...], holding: list[int], open_literals: list[int]) -> None:
        nonlocal limit, n_nodes
        if above(holding) <= limit:
            return
        weight = sum(weights[i] for i in holding)
        if weight > limit:
            heavy.append(tuple(sorted(conjunction)))
            if not raise_limit:
                return
            limit = weight
        if len(conjunction) == max_size:
            return
        parts = {literal: [i for i in holding if holds(literal, i)] for literal in open_literals}
        n_nodes += len(parts)
        first = {tuple(i for i in part if weights[i]): literal for literal, part in reversed(parts.items())}
        first.pop(tuple(i for i in holding if weights[i]), None)
        open_literals = [literal for literal in open_literals if literal in first.values()]
        charged = [i for i in holding if weights[i] < 0]
        while True:
            kept = [i for i in charged if all(holds(literal, i) for literal in open_literals)]
            least = limit - sum(weights[i] for i in kept)
            if above(holding) <= least:
                return
            if any(above(parts[literal]) <= least for literal in open_literals):
                open_literals = [literal for literal in open_literals if above(parts[literal]) > least]
                continue
            false_on = {i: [own for own in open_literals if not holds(own, i)] for i in charged if i not in kept}
            x = min(false_on, key=lambda i: (Fraction(len(false_on[i]), -weights[i]), i))
            trace.append(x)
            for literal in sorted(false_on[x], key=lambda own: above(parts[own])):
                open_literals = [own for own in open_literals if own != literal]
                visit((*conjunction, literal), parts[literal], open_literals)

    visit((), list(range(len(rows))), list(literals))
    return heavy, n_nodes, trace
