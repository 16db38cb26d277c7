"""One line of a result: what was measured, and what the theorem allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

__all__ = ["Line", "Number", "Relation", "number"]

Number = int | float
Relation = Literal["<=", ">=", "=="]


@dataclass(frozen=True, slots=True)
class Line:
    """What one setting gave, the worst of its runs beside the bound.

    Attributes
    ----------
    panel : str
        Title of the panel of the figure it belongs to.
    series : str
        Which learner or quantity was measured; the lines of a series share a colour and a bound's formula.
    x : int or float
        The size that is varied.
    measured : int or float
        The worst run: the largest value, the smallest under a guaranteed minimum, the farthest from an equality.
    bound : int or float
        What the statement allows for this setting.
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
        bound: Number | Fraction,
        relation: Relation = "<=",
    ) -> Line:
        """Sum up runs under one bound.

        Examples
        --------
        >>> line = Line.of("dense", "Perceptron", 64, [140, 150], Fraction(845, 2))
        >>> line.measured, line.mean, line.bound, line.runs
        (150, 145.0, 422.5, 2)
        """
        if relation == "==":
            worst = max(values, key=lambda value: abs(float(value) - float(bound)))
        else:
            worst = min(values) if relation == ">=" else max(values)
        mean = float(number(sum(values) / len(values)))
        return cls(panel, series, x, number(worst), number(bound), relation, mean, len(values))


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
