"""Random conjunctions of literals, and rows expanded by all conjunctions of bounded size."""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits import random_below, random_bits, random_permutation
from conjunct.lab.streams import derived_seed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Conjunction", "expanded", "holds", "random_conjunctions"]

# Variables with the values they must have, by variable.
Conjunction = tuple[tuple[int, int], ...]


def random_conjunctions(seed: int, n: int, count: int, *, least: int, most: int) -> list[Conjunction]:
    """Draw different conjunctions, each of `least` to `most` literals of n variables.

    Examples
    --------
    >>> random_conjunctions(0, 5, 2, least=1, most=2)
    [((2, 1),), ((3, 1), (4, 1))]
    """
    drawn: dict[Conjunction, None] = {}
    attempt = 0
    while len(drawn) < count:
        own = derived_seed(seed, attempt)
        size = least + int(random_below(own, most - least + 1, 1)[0])
        variables = np.sort(random_permutation(own, n, stream=1)[:size]).tolist()
        drawn[tuple(zip(variables, random_bits(own, size, stream=2).tolist(), strict=True))] = None
        attempt += 1
    return list(drawn)


def holds(conjunction: Conjunction, row: Sequence[int]) -> bool:
    """Say whether a row has every value the conjunction asks for."""
    return all(row[variable] == value for variable, value in conjunction)


def expanded(rows: NDArray[np.uint8], max_size: int) -> tuple[NDArray[np.uint8], dict[Conjunction, int]]:
    """Return a column for every conjunction of 1 to `max_size` literals, and the number of each one's column.

    Examples
    --------
    >>> columns, number = expanded(np.array([[1, 0]], dtype=np.uint8), 2)
    >>> columns.shape, int(columns.sum()), int(columns[0, number[((0, 1), (1, 0))]])
    ((1, 8), 3, 1)
    """
    columns: list[NDArray[np.bool_]] = []
    number: dict[Conjunction, int] = {}
    for size in range(1, max_size + 1):
        for variables in combinations(range(rows.shape[1]), size):
            for values in product((0, 1), repeat=size):
                number[tuple(zip(variables, values, strict=True))] = len(columns)
                columns.append((rows[:, list(variables)] == values).all(axis=1))
    return np.stack(columns, axis=1).astype(np.uint8), number
