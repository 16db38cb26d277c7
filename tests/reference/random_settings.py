"""Random settings of the estimators over conjunctions: small tables, labels, weights and kernels in every spelling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from conjunct import BitMatrix
from conjunct.kernels import Conjunctions, Geometric, Kernel, MonotoneConjunctions
from reference import margin_machine as truth

LABELS: list[list[Any]] = [[0, 1, 2, 3], [-5, 3, 7, 9], ["a", "b", "c", "ü"], [10, 20, 30, 40], [0.0, 1.0, 2.0, 5.0]]
NUMBERS = [1, 3, "1/10", 0.1, 0.3, Fraction(2, 7), 2.5, "0.2", np.float32(0.7), 0]
EXACT = {1: 1, 3: 3, "1/10": "1/10", 0.1: "1/10", 0.3: "3/10", 2.5: "5/2", "0.2": "1/5", 0: 0}


def exact(number: Any) -> Fraction:
    """What a number of the tables above means, written out."""
    return Fraction(7, 10) if isinstance(number, np.float32) else Fraction(EXACT.get(number, number))


def family(random: Random, n: int) -> tuple[Kernel, truth.Kernel]:
    """Draw a kernel of one kind of conjunctions, as the library writes it and by definition."""
    negated, size = random.random() < 0.5, random.choice([None, *range(1, n + 1)])
    kind = Conjunctions if negated else MonotoneConjunctions
    if random.random() < 0.5:
        return kind(size), truth.conjunctions(size, lambda j: Fraction(1), negated=negated)
    if random.random() < 0.5:
        eps = random.choice([0.1, "1/3", 2, 10**7])
        return kind(size, Geometric(eps)), geometric(size, eps, negated)
    costs = [random.choice(NUMBERS[:-2]) for _ in range((n if size is None else size) + 1)]
    prices = [exact(cost) for cost in costs]
    return kind(size, costs), truth.conjunctions(len(costs) - 1, prices.__getitem__, negated=negated)


def geometric(size: int | None, eps: Any, negated: bool) -> truth.Kernel:
    base = exact(eps)
    return truth.conjunctions(size, lambda j: base**-j, negated=negated)


def kernels(random: Random, n: int) -> tuple[Kernel | None, truth.Kernel]:
    """Draw any kernel: the default, a kind, or a sum and a product over columns."""
    choice = random.random()
    if choice < 0.15:
        return None, truth.conjunctions(min(3, n), lambda j: Fraction(1), negated=True)
    if choice < 0.7 or n < 2:
        return family(random, n)
    cut = random.randint(1, n - 1)
    (left, slow_left), (right, slow_right) = family(random, cut), family(random, n - cut)
    here, there = left.on(range(cut)), right.on(range(cut, n))
    if random.random() < 0.5:
        return here + there, lambda x, z: slow_left(x[:cut], z[:cut]) + slow_right(x[cut:], z[cut:])
    return here * there, lambda x, z: slow_left(x[:cut], z[:cut]) * slow_right(x[cut:], z[cut:])


class Table:
    """A small table with repeated and contradictory rows, its labels and weights, in some spelling of each."""

    def __init__(self, random: Random, most_classes: int = 4) -> None:
        self.n, self.n_classes = random.choice([1, 2, 3, 3, 4]), random.randint(2, most_classes)
        n_rows = random.randint(2 * self.n_classes, 12)
        rare = random.choice([0.2, 0.5, 0.8])
        self.rows = [tuple(int(random.random() < rare) for _ in range(self.n)) for _ in range(n_rows)]
        self.codes = [*range(self.n_classes), *range(self.n_classes)]
        self.codes += [random.randrange(self.n_classes) for _ in range(n_rows - len(self.codes))]
        self.labels = sorted(random.choice(LABELS)[: self.n_classes])
        self.y = np.array([self.labels[code] for code in self.codes])
        self.binarize = random.choice([None, None, 0.5, 0])
        self.x = self.spelled(random, self.rows)
        self.given, own = None, None
        if random.random() < 0.5:
            numbers = random.sample(NUMBERS, 3)
            weights = [random.choice(numbers) for _ in self.rows]
            weights[: self.n_classes] = [random.choice(NUMBERS[:-1]) for _ in range(self.n_classes)]
            own = [exact(weight) for weight in weights]
            self.given = weights
        self.class_weight = random.choice([None, None, "balanced", {self.labels[0]: 0.1}, {self.labels[-1]: "7/3"}])
        by_code: Any = self.class_weight
        if isinstance(by_code, dict):
            by_code = (
                {self.labels.index(label): exact(weight) for label, weight in by_code.items()} if by_code else None
            )
        self.weights = truth.weights_of(own, by_code, self.codes, self.n_classes)

    def spelled(self, random: Random, rows: Sequence[truth.Row]) -> Any:
        """Write rows in a way that an estimator takes."""
        array = np.array(rows)
        if self.binarize is not None:
            return array * 0.75 + self.binarize * 0.25 if random.random() < 0.5 else array
        return random.choice([array, array.tolist(), csr_array(array), BitMatrix.of(array), array.astype(bool)])


def check_values(columns: Any, scores: Any, kernel: truth.Kernel, rows: list[truth.Row]) -> None:
    """Floats of the exact sign that never decrease in the score, and are the score where kernel values are small."""
    is_small = max(kernel(x, x) for x in rows) < 2**40
    for own, exact_scores in zip(columns, scores, strict=True):
        for value, score in zip(own, exact_scores, strict=True):
            assert (value > 0) == (score >= 0)
            assert math.isfinite(value)
            if is_small:
                assert value == (float(score) or math.copysign(math.ulp(0.0), score or 1))
        ordered = [value for _, value in sorted(zip(exact_scores, own, strict=True))]
        assert ordered == sorted(own)
