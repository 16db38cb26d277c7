"""Rows that formulas are evaluated on, one at a time: the definition of decide and weighted_sums."""

from itertools import pairwise

import numpy as np


class SlowRows:
    def __init__(self, bits, names):
        self.bits, self.names = np.asarray(bits, np.uint8).reshape(len(bits), len(names)), tuple(names)

    def decide(self, starts, literals, labels, default):
        assert (starts.dtype, literals.dtype, labels.dtype) == (np.int64, np.int32, np.bool_)
        terms = [literals[a:b] for a, b in pairwise(starts)]

        def first(row):
            held = (label for term, label in zip(terms, labels, strict=True) if all(row[c >> 1] ^ c & 1 for c in term))
            return bool(next(held, default))

        return np.array([first(row) for row in self.bits], bool)

    def weighted_sums(self, weights):
        assert weights.dtype == np.int64
        assert sum(map(abs, weights.tolist())) < 2**63
        return self.bits.astype(np.int64) @ weights

    def rows(self):
        return [dict(zip(self.names, row, strict=True)) for row in self.bits.tolist()]


def all_rows(names):
    """Row a has bit i of a as variable i."""
    return SlowRows([[a >> i & 1 for i in range(len(names))] for a in range(1 << len(names))], names)
