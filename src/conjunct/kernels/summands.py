"""What every kernel is: a sum of products of tables over agreement counts."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from conjunct.bits import require_memory
from conjunct.kernels.costs import Costs, Geometric

__all__ = ["Factor", "Summand", "size_table"]


@dataclass(frozen=True)
class Factor:
    """One table over the agreement count of one group of variables.

    Attributes
    ----------
    same : bool
        Count the variables on which two rows are the same; otherwise those that are 1 in both.
    columns : tuple of int
        The group.
    table : tuple of Fraction
        The value for each count from 0 to the size of the group.
    """

    same: bool
    columns: tuple[int, ...]
    table: tuple[Fraction, ...]


Summand = tuple[Factor, ...]


BYTES_OF_A_VALUE = 480  # of a fraction and what is made of it: an index, a float, limbs; as measured


@lru_cache(maxsize=64)
def size_table(n: int, max_size: int | None, costs: Costs) -> tuple[Fraction, ...]:
    """Tabulate sum over j <= max_size of C(s, j) / K_j for s = 0..n.

    Notes
    -----
    The numbers of `conjunct.theory.conjunction_table`, by recurrence. With K_j = eps**-j (eps = 1 where no costs are
    given) and largest size d: k(s + 1) = (1 + eps) k(s) - eps**(d + 1) C(s, d), because
    C(s + 1, j) = C(s, j) + C(s, j - 1). Given costs K_0..K_d use that rule row by row.
    """
    largest = n if max_size is None else min(n, max_size)
    if isinstance(costs, tuple):
        largest = min(largest, len(costs) - 1)
    bits_of_a_value = 8 * BYTES_OF_A_VALUE + min(n, largest * n.bit_length()) + _bits_of_weights(costs, largest)
    require_memory(n * bits_of_a_value // 8, f"the kernel's table over {n} variables", "set a smaller max_size")
    if isinstance(costs, tuple):
        return _table_by_rows(n, [1 / cost for cost in costs[: largest + 1]])
    eps = Fraction(costs.eps) if isinstance(costs, Geometric) else Fraction(1)
    last_weight = eps ** (largest + 1)
    table, binomial = [Fraction(1)], int(largest == 0)  # C(0, d)
    for s in range(n):
        table.append((1 + eps) * table[-1] - last_weight * binomial)
        binomial = binomial * (s + 1) // (s + 1 - largest) if s + 1 > largest else int(s + 1 == largest)
    return tuple(table)


def _bits_of_weights(costs: Costs, largest: int) -> int:
    """Return how many bits the costs up to the largest size add to the numerator and denominator of a value."""
    if isinstance(costs, Geometric):
        return largest * _bits(Fraction(costs.eps))
    return sum(_bits(cost) for cost in costs or ())


def _bits(ratio: Fraction) -> int:
    return (ratio.numerator * ratio.denominator).bit_length() - 1


def _table_by_rows(n: int, weights: list[Fraction]) -> tuple[Fraction, ...]:
    binomials = [1] + [0] * (len(weights) - 1)
    table = []
    for _ in range(n + 1):
        table.append(sum((b * w for b, w in zip(binomials, weights, strict=True)), Fraction(0)))
        for j in range(len(binomials) - 1, 0, -1):
            binomials[j] += binomials[j - 1]
    return tuple(table)
