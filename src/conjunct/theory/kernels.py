"""Boolean kernels by their definitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb

__all__ = [
    "Row",
    "agreement_count",
    "conjunction_table",
    "conjunctions_kernel",
    "gram",
    "monotone_conjunctions_kernel",
]

Row = Sequence[int]


def agreement_count(x: Row, z: Row, *, same: bool) -> int:
    """Count the variables on which two rows are the same, or those that are 1 in both.

    Examples
    --------
    >>> agreement_count([1, 0, 1], [1, 0, 0], same=True), agreement_count([1, 0, 1], [1, 0, 0], same=False)
    (2, 1)
    """
    if same:
        return sum(a == b for a, b in zip(x, z, strict=True))
    return sum(a == b == 1 for a, b in zip(x, z, strict=True))


def conjunction_table(
    n: int, max_size: int | None = None, costs: Callable[[int], Fraction] | None = None
) -> list[Fraction]:
    """Tabulate a kernel over the agreement counts 0..n.

    Parameters
    ----------
    n : int
        The number of variables.
    max_size : int, optional
        The largest conjunction counted; None counts them all.
    costs : callable, optional
        ``costs(j)``, the positive cost K_j of a conjunction of size j; None is 1 for every size.

    Notes
    -----
    k(s) = sum over j = 0..min(s, max_size) of C(s, j) / K_j: among s agreed literals there are C(s, j) conjunctions of
    size j that hold on both rows. Source: [kowalczyk2002, Section 2], [khardon2005, Section 3].

    Examples
    --------
    >>> [int(value) for value in conjunction_table(4, max_size=2)]
    [1, 2, 4, 7, 11]
    """
    return [kernel_at(s, max_size, costs) for s in range(n + 1)]


def kernel_at(s: int, max_size: int | None, costs: Callable[[int], Fraction] | None) -> Fraction:
    """Evaluate k(s) term by term."""
    largest = s if max_size is None else min(s, max_size)
    return sum((comb(s, j) / (Fraction(1) if costs is None else costs(j)) for j in range(largest + 1)), Fraction(0))


def conjunctions_kernel(
    x: Row, z: Row, max_size: int | None = None, costs: Callable[[int], Fraction] | None = None
) -> Fraction:
    """Count, with weight 1/K_j, the conjunctions of size j of literals that hold on both rows.

    Examples
    --------
    >>> print(conjunctions_kernel([1, 0, 1, 1, 0, 0, 1, 1, 1, 0], [1, 0, 0, 1, 1, 0, 1, 0, 1, 0]))
    128
    """
    return kernel_at(agreement_count(x, z, same=True), max_size, costs)


def monotone_conjunctions_kernel(
    x: Row, z: Row, max_size: int | None = None, costs: Callable[[int], Fraction] | None = None
) -> Fraction:
    """Count, with weight 1/K_j, the conjunctions of size j of variables that hold on both rows.

    Examples
    --------
    >>> print(monotone_conjunctions_kernel([1, 0, 1, 1, 0, 0, 1, 1, 1, 0], [1, 0, 0, 1, 1, 0, 1, 0, 1, 0]))
    16
    """
    return kernel_at(agreement_count(x, z, same=False), max_size, costs)


def gram(kernel: Callable[[Row, Row], Fraction], a: Sequence[Row], b: Sequence[Row]) -> list[list[Fraction]]:
    """Tabulate a kernel over two lists of rows."""
    return [[kernel(x, z) for z in b] for x in a]
