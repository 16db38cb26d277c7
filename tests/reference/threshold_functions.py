"""All linear threshold functions of up to four variables, by trying every small weight."""

from functools import cache
from itertools import product

import numpy as np


@cache
def cube(n_variables):
    return np.array(list(product((0, 1), repeat=n_variables)), np.int64)


@cache
def threshold_functions(n_variables):
    """Return them as sets of truth values, one bit per row of the cube; weights up to 3 reach all for n <= 4."""
    found = set()
    powers = 1 << np.arange(2**n_variables)
    for weights in product(range(-3, 4), repeat=n_variables):
        values = cube(n_variables) @ np.array(weights)
        for threshold in {*values.tolist(), int(values.max()) + 1}:
            found.add(int(powers @ (values >= threshold)))
    return frozenset(found)


def agrees_with_a_threshold(n_variables, places, labels):
    """Whether some threshold function has these labels on these places of the cube."""
    mask = sum(1 << place for place in set(places))
    wanted = sum(1 << place for place, label in dict(zip(places, labels, strict=True)).items() if label)
    if any(bool(wanted >> place & 1) != bool(label) for place, label in zip(places, labels, strict=True)):
        return False
    return any(function & mask == wanted for function in threshold_functions(n_variables))
