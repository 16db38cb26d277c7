"""Random small tables for certificates: classes, costs, contradictions, prices, and least rows of a leaf."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from reference.plain_trees import PlainTable

__all__ = ["PRICES", "function_of_three", "random_table"]

PRICES = [None, *map(Fraction, ("1/4", "1/3", "1/2", "1", "3/2", "2", "7/3", "3", "5", "8"))]


def function_of_three(number: int, price: Fraction | None) -> PlainTable:
    """One of the 256 functions of three variables, on all eight rows."""
    return PlainTable(tuple(f"{i:03b}" for i in range(8)), tuple(number >> i & 1 for i in range(8)), price=price)


def random_table(random: Random, most_tests: int = 5, most_rows: int = 12) -> PlainTable:
    """Draw a table; half of them are plain, others have tests in a chain, costs, a cost matrix or least rows."""
    n_tests, n_rows = (
        random.randint(0 if random.random() < 0.05 else 1, most_tests),
        random.randint(1 if random.random() < 0.2 else 6, most_rows),
    )
    n_classes, price = random.choice([2, 2, 2, 3, 4, 1]), random.choice(PRICES)
    rows = ["".join(random.choice("01") for _ in range(n_tests)) for _ in range(n_rows)]
    if random.random() < 0.35:  # cuts of one column, some of them of another
        values = [random.randint(0, n_tests) for _ in range(n_rows)]
        cuts = [(random.randint(0, n_tests), random.random() < 0.1) for _ in range(n_tests)]
        rows = ["".join(str(int((value <= cut) != is_other)) for cut, is_other in cuts) for value in values]
    kind = random.choice(["plain", "plain", "plain", "costs", "few costs", "matrix", "both"])
    costs, matrix = None, None
    if kind in ("costs", "both"):
        costs = tuple(Fraction(random.randint(1, 9), random.choice([1, 1, 2, 3, 7])) for _ in rows)
    if kind == "few costs":
        costs = tuple(Fraction(random.choice(["1", "5/2"])) for _ in rows)
    if kind in ("matrix", "both") and price is not None:
        entries = [
            [Fraction(random.randint(0, 6), random.choice([1, 2, 5])) for _ in range(n_classes)]
            for _ in range(n_classes)
        ]
        matrix = tuple(tuple(own * (i != k) for k, own in enumerate(line)) for i, line in enumerate(entries))
    labels = tuple(random.randrange(n_classes) for _ in rows)
    least = random.choice([1, 1, 1, 1, 2, 3])
    return PlainTable(tuple(rows), labels, n_classes, price, costs, matrix, least)
