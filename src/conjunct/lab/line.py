"""One line of a result: what was measured, and what the theorem allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

__all__ = ["Line", "Number", "Relation", "badness", "number"]

Number = int | float
Relation = Literal["<=", ">=", "=="]


@dataclass(frozen=True, slots=True)
class Line:
    """What one setting gave, the worst of its runs beside that run's bound.

    Attributes
    ----------
    panel : str
        Title of the panel of the figure it belongs to.
    series : str
        Which learner or quantity was measured; the lines of a series share a colour and a bound's formula.
    x : int or float
        The size that is varied.
    measured : int or float
        The worst run: the largest share of its bound, of a guaranteed minimum the least multiple, the farthest from an
        equality.
    bound : int or float
        What the statement allows for this run.
    relation : {"<=", ">=", "=="}
        How measured and bound must stand.
    mean : float
        Mean of the runs.
    runs : int
        How many runs there were.
    """

    panel: str
    series: str
    x: Number
    measured: Number
    bound: Number
    relation: Relation
    mean: float
    runs: int

    @classmethod
    def of(
        cls,
        panel: str,
        series: str,
        x: Number,
        values: Sequence[Number | Fraction],
        bound: Number | Fraction | Sequence[Number | Fraction],
        relation: Relation = "<=",
    ) -> Line:
        """Sum up runs, under one bound or each under its own.

        Examples
        --------
        >>> line = Line.of("dense", "Perceptron", 64, [140, 150], Fraction(845, 2))
        >>> line.measured, line.mean, line.bound, line.runs
        (150, 145.0, 422.5, 2)
        >>> line = Line.of("dense", "Perceptron", 64, [140, 150], [141, 1500])
        >>> line.measured, line.mean, line.bound
        (140, 145.0, 141)
        """
        bounds = bound if isinstance(bound, Sequence) else [bound] * len(values)
        runs = [(number(value), number(limit)) for value, limit in zip(values, bounds, strict=True)]
        worst = max(runs, key=lambda run: (badness(run[0], run[1], relation), run[0] if relation == "<=" else -run[0]))
        mean = float(number(sum(values) / len(values)))
        return cls(panel, series, x, *worst, relation, mean, len(values))


def badness(measured: Number, bound: Number, relation: Relation) -> float:
    """Return how near a run comes to breaking its bound, above 1 where it does: measured/bound, or the inverse.

    Of an equality it is the distance. A bound of 0 is reached by 0, and broken by any other value without measure.
    """
    if relation == "==":
        return abs(float(measured) - float(bound))
    over, under = (bound, measured) if relation == ">=" else (measured, bound)
    return float(over) / under if under else 1.0 if over == under else float("inf")


def number(value: Number | Fraction) -> Number:
    """Return an int, or a float of 12 significant digits: fewer than platforms may differ in.

    Examples
    --------
    >>> number(Fraction(6, 2)), number(2 / 3)
    (3, 0.666666666667)
    """
    if isinstance(value, int):
        return value
    if isinstance(value, Fraction) and value.denominator == 1:
        return value.numerator
    return float(f"{float(value):.12g}")
