"""What a margin machine over conjunctions says of itself, from the definitions, in Fractions. Shares no code with it.

Nothing is solved here: from the weights a machine publishes follow its scores, predictions, risk, bound and gap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

Row = tuple[int, ...]
Kernel = Callable[[Row, Row], Fraction]
ZERO = Fraction(0)


def conjunctions(max_size: int | None, costs: Callable[[int], Fraction], *, negated: bool) -> Kernel:
    """Add 1/cost for every conjunction of at most so many literals, or variables alone, that holds on both rows."""

    def value(x: Row, z: Row) -> Fraction:
        shared = sum(a == b if negated else a == b == 1 for a, b in zip(x, z, strict=True))
        most = shared if max_size is None else min(max_size, shared)
        return sum((comb(shared, size) / costs(size) for size in range(most + 1)), ZERO)

    return cache(value)


def problems_of(codes: Sequence[int], n_classes: int, multiclass: str) -> list[list[int]]:
    """List, output by output, the sign of every row: 1, -1, or 0 where it takes no part."""
    if n_classes == 2:
        return [[1 if code == 1 else -1 for code in codes]]
    if multiclass == "ovr":
        return [[1 if code == output else -1 for code in codes] for output in range(n_classes)]
    pairs = combinations(range(n_classes), 2)
    return [[{second: 1, first: -1}.get(code, 0) for code in codes] for first, second in pairs]


def weights_of(
    given: Sequence[Fraction] | None, class_weight: dict[int, Fraction] | str | None, codes: Sequence[int], k: int
) -> list[Fraction]:
    """Return what every row weighs: its own weight times that of its class; balanced classes weigh the same."""
    own = [Fraction(1)] * len(codes) if given is None else list(given)
    factor = dict.fromkeys(range(k), Fraction(1))
    if class_weight == "balanced":
        totals = [sum((w for w, code in zip(own, codes, strict=True) if code == c), ZERO) for c in range(k)]
        factor = {c: sum(totals, ZERO) / (k * total) for c, total in enumerate(totals)}
    elif isinstance(class_weight, dict):
        factor |= class_weight
    return [w * factor[code] for w, code in zip(own, codes, strict=True)]


def mean_of_kernel(kernel: Kernel, rows: Sequence[Row], weights: Sequence[Fraction]) -> Fraction:
    """Return the mean of k(x, x) over all rows, one of weight w counted w times."""
    return sum((w * kernel(x, x) for x, w in zip(rows, weights, strict=True)), ZERO) / sum(weights, ZERO)


def chosen(scores: Sequence[Fraction], n_classes: int, multiclass: str) -> int:
    """Return the class that the scores of one row choose; a score of 0 is positive, the first of the best wins."""
    if n_classes == 2:
        return int(scores[0] >= 0)
    best = list(scores) if multiclass == "ovr" else votes(scores, n_classes)
    return best.index(max(best))


def votes(scores: Sequence[Fraction], n_classes: int) -> list[int]:
    """Count the votes of the pairs for every class."""
    winners = [
        second if score >= 0 else first
        for score, (first, second) in zip(scores, combinations(range(n_classes), 2), strict=True)
    ]
    return [winners.count(c) for c in range(n_classes)]


class Output:
    """One polynomial: its net weight on every distinct row, and the weight of every group of equal rows and signs."""

    def __init__(self, kernel: Kernel, net: dict[Row, Fraction], groups: dict[tuple[Row, int], Fraction]) -> None:
        self.net, self.groups = net, groups
        self.score = cache(lambda x: sum((weight * kernel(x, z) for z, weight in net.items()), ZERO))
        self.norm_sq = sum((weight * self.score(z) for z, weight in net.items()), ZERO)

    def risk(self, lam: Fraction, rows: Sequence[Row], signs: Sequence[int], weights: Sequence[Fraction]) -> Fraction:
        """Return norm^2 + (1/lam) sum q [1 - y f]_+^2, row by row."""
        losses = (
            q * max(ZERO, 1 - y * self.score(x)) ** 2 for x, y, q in zip(rows, signs, weights, strict=True) if y and q
        )
        return self.norm_sq + sum(losses, ZERO) / lam

    def bound(self, lam: Fraction, masses: dict[tuple[Row, int], Fraction]) -> Fraction:
        """Return (sum a)^2 / (a'Qa + lam sum a^2/q) over the groups of equal rows and signs."""
        charge = sum((a * a / masses[group] for group, a in self.groups.items() if a), ZERO)
        form = self.norm_sq + lam * charge
        return sum(self.groups.values(), ZERO) ** 2 / form if form else ZERO


def masses_of(
    rows: Sequence[Row], signs: Sequence[int], weights: Sequence[Fraction]
) -> dict[tuple[Row, int], Fraction]:
    """Add up the weights of equal rows with equal signs."""
    masses: dict[tuple[Row, int], Fraction] = {}
    for x, y, q in zip(rows, signs, weights, strict=True):
        if y and q:
            masses[x, y] = masses.get((x, y), ZERO) + q
    return masses
