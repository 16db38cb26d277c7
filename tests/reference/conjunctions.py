"""Boolean kernels by writing every conjunction out."""

from fractions import Fraction
from itertools import combinations, product


def conjunctions(n, signs, max_size=None):
    """Yield every conjunction as pairs (variable, required bit); signs (0, 1) for all literals, (1,) for monotone."""
    for size in range((n if max_size is None else min(n, max_size)) + 1):
        for variables in combinations(range(n), size):
            for bits in product(signs, repeat=size):
                yield tuple(zip(variables, bits, strict=True))


def holds(conjunction, row):
    return all(row[variable] == bit for variable, bit in conjunction)


def kernel(x, z, signs, max_size=None, weight=lambda size: Fraction(1)):
    """Sum the weights of the conjunctions that hold on both rows."""
    return sum(
        (weight(len(c)) for c in conjunctions(len(x), signs, max_size) if holds(c, x) and holds(c, z)), Fraction(0)
    )
