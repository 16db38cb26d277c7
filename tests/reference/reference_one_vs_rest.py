"""One-vs-rest kernel Perceptrons with update rates, in Fractions. Shares no code with the library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate

Row = tuple[int, ...]
Kernel = Callable[[Row, Row], Fraction]


class OneVsRest:
    """Runs of whole passes, one per positive class; a consistent run waits, hypothesis unchanged, for the longest."""

    def __init__(self, kernel: Kernel, threshold: Fraction = Fraction(0)) -> None:
        self.kernel, self.threshold = cache(kernel), threshold
        self.runs: list[list[tuple[int, Row, Fraction]]] = []  # per class the updates: step, row, signed rate
        self.n_steps = 0

    def learn(
        self, rows: Sequence[Row], codes: Sequence[int], rates: Sequence[Fraction], positive: Sequence[int], passes: int
    ) -> None:
        for code in positive:
            updates: list[tuple[int, Row, Fraction]] = []
            for n_passes in range(passes):
                before = len(updates)
                for place, (row, label) in enumerate(zip(rows, codes, strict=True)):
                    is_positive = self.score(updates, row) >= self.threshold
                    if is_positive != (label == code):
                        rate = rates[label] if label == code else -rates[label]
                        updates.append((n_passes * len(rows) + place, row, rate))
                self.n_steps = max(self.n_steps, (n_passes + 1) * len(rows))
                if len(updates) == before:
                    break
            self.runs.append(updates)

    def score(self, updates: Sequence[tuple[int, Row, Fraction]], row: Row) -> Fraction:
        return sum((weight * self.kernel(v, row) for _, v, weight in updates), Fraction(0))

    def scores(self, row: Row, prediction: str) -> list[Fraction]:
        return [self.output(updates, row, prediction) for updates in self.runs]

    def output(self, updates: Sequence[tuple[int, Row, Fraction]], row: Row, prediction: str) -> Fraction:
        if prediction == "final":
            return self.score(updates, row)
        ends = [*(step for step, _, _ in updates), self.n_steps]
        spans = [end - start for start, end in zip([0, *ends], ends, strict=False)]
        added = (weight * self.kernel(v, row) for _, v, weight in updates)
        hypotheses = list(accumulate(added, initial=Fraction(0)))
        if prediction == "averaged":
            return sum((n * s for n, s in zip(spans, hypotheses, strict=True)), Fraction(0)) / self.n_steps
        return Fraction(sum(n if s >= self.threshold else -n for n, s in zip(spans, hypotheses, strict=True)))
