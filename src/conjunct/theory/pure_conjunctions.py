"""Conjunctions that hold on no negative row, looked for row by row."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["walk_pure"]


def walk_pure(
    rows: Sequence[Sequence[int]],
    weights: Sequence[int],
    is_negative: Sequence[bool],
    limit: int,
    order: Sequence[int],
    max_size: int,
    *,
    raise_limit: bool = False,
) -> tuple[list[tuple[int, ...]], int, list[int]]:
    """Return the pure conjunctions met whose weight passes a limit, how many visits were made, and the rows picked.

    Parameters
    ----------
    rows : sequence of sequences of 0 and 1
    weights : sequence of int
        One for each row, 0 or more; 0 on negative rows.
    is_negative : sequence of bool
        A conjunction is pure if it holds on no row that is.
    limit : int
        0 or more.
    order : sequence of int
        The literals to use, each once, in the order in which to try them.
    max_size : int
        The most literals.
    raise_limit : bool
        Whether the limit rises to the weight of each conjunction met.

    Notes
    -----
    A pure conjunction has a literal that is false on any negative row one picks. A visit tries each of the open ones,
    those tried before closed: so a pure conjunction is below the first of these literals that it has. Nothing below a
    visit weighs more than it does. The row picked is the one on which the fewest live literals are false, the first of
    equals; an open literal is live if the rows of the visit on which it holds weigh more than the limit.

    Examples
    --------
    >>> walk_pure([[1, 1], [1, 0], [0, 1]], [1, 0, 0], [False, True, True], 0, [0, 1, 2, 3], 2)
    ([(1, 3)], 5, [1, 2])
    """
    heavy: list[tuple[int, ...]] = []
    trace: list[int] = []
    n_nodes = 0

    def visit(conjunction: tuple[int, ...], holding: list[int], open_literals: list[int]) -> None:
        nonlocal limit, n_nodes
        n_nodes += 1
        weight = sum(weights[i] for i in holding)
        if weight <= limit:
            return
        negative = [i for i in holding if is_negative[i]]
        if not negative:
            heavy.append(tuple(sorted(conjunction)))
            limit = weight if raise_limit else limit
            return
        if len(conjunction) == max_size:
            return
        live = {
            own for own in open_literals if sum(weights[i] for i in holding if rows[i][own // 2] == own % 2) > limit
        }
        false_on = {i: [own for own in open_literals if rows[i][own // 2] != own % 2] for i in negative}
        x = min(negative, key=lambda i: (len(live.intersection(false_on[i])), i))
        trace.append(x)
        closed = []
        for literal in false_on[x]:
            closed.append(literal)
            part = [i for i in holding if rows[i][literal // 2] == literal % 2]
            visit((*conjunction, literal), part, [own for own in open_literals if own not in closed])

    visit((), list(range(len(rows))), list(order))
    return heavy, n_nodes, trace
