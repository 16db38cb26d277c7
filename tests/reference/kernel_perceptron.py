"""The kernel Perceptron in pure Python: rows as int masks, scores as Fractions. Shares no code with the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import comb

Kernel = Callable[[int, int], Fraction]


def conjunctions(n: int, max_size: int | None = None) -> Kernel:
    return lambda x, z: at(n - (x ^ z).bit_count(), max_size)


def monotone(max_size: int | None = None) -> Kernel:
    return lambda x, z: at((x & z).bit_count(), max_size)


def at(s: int, max_size: int | None) -> Fraction:
    return Fraction(2**s if max_size is None else sum(comb(s, j) for j in range(max_size + 1)))


@dataclass
class KernelPerceptron:
    kernel: Kernel
    threshold: Fraction = Fraction(0)
    rate: Fraction = Fraction(1)
    support: list[tuple[int, int]] = field(default_factory=list)
    mistakes: list[tuple[int, int, Fraction]] = field(default_factory=list)  # step, label, score
    n_steps: int = 0

    def scores(self, x: int) -> list[Fraction]:
        """The scores of all hypotheses, the zero one first."""
        return list(
            accumulate((self.rate * label * self.kernel(v, x) for v, label in self.support), initial=Fraction(0))
        )

    def learn(self, rows: Sequence[int], labels: Sequence[int]) -> None:
        for x, label in zip(rows, labels, strict=True):
            score = self.scores(x)[-1]
            if (1 if score >= self.threshold else -1) != label:
                self.mistakes.append((self.n_steps, label, score))
                self.support.append((x, label))
            self.n_steps += 1

    def excess(self, x: int, prediction: str) -> Fraction:
        """What is compared with zero: the last score, the mean score or the votes, the threshold taken off."""
        if prediction == "final":
            return self.scores(x)[-1] - self.threshold
        steps = [step for step, _, _ in self.mistakes]
        survival = [b - a for a, b in zip([0, *steps], [*steps, self.n_steps], strict=True)]
        excesses = [score - self.threshold for score in self.scores(x)]
        if prediction == "averaged":
            return sum((s * e for s, e in zip(survival, excesses, strict=True)), Fraction(0)) / self.n_steps
        return Fraction(sum(s if e >= 0 else -s for s, e in zip(survival, excesses, strict=True)))
