"""What an experiment saw and no theorem bounds: printed and drawn beside the judged lines, never judged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from conjunct.lab.line import Number, number

__all__ = ["Observed", "Spread"]


@dataclass(frozen=True, slots=True)
class Spread:
    """Axes on which observed values are drawn, with their spread over the runs.

    Attributes
    ----------
    title : str
        Heading, which the observed values refer to.
    x_symbol : str
        What the varied size is called.
    label : str
        What the values are.
    along : {"x", "series", "table"}
        Whether the series are curves over x, stand one under another, or are no picture: a table.
    y_log : bool
        Whether the axis of the values is logarithmic; for curves only.
    """

    title: str
    x_symbol: str
    label: str
    along: Literal["x", "series", "table"] = "x"
    y_log: bool = False


@dataclass(frozen=True, slots=True)
class Observed:
    """What one quantity was over the runs, beside what others published.

    Attributes
    ----------
    spread : str
        Title of the axes it belongs to.
    series : str
        Which learner or quantity.
    x : int or float
        The size that is varied.
    mean, deviation : float
        Over the runs; the deviation is that of a sample, 0 for one run.
    least, most : int or float
        The extreme runs.
    runs : int
        How many runs there were.
    published : int, float or None
        The value of the source, where it prints one.
    """

    spread: str
    series: str
    x: Number
    mean: float
    deviation: float
    least: Number
    most: Number
    runs: int
    published: Number | None = None

    @classmethod
    def of(
        cls, spread: str, series: str, x: Number, values: Sequence[Number | Fraction], published: Number | None = None
    ) -> Observed:
        """Sum up runs.

        Examples
        --------
        >>> seen = Observed.of("risk", "tree", 3, [4, 6, 8], published=7)
        >>> seen.mean, seen.deviation, seen.least, seen.most, seen.runs
        (6.0, 2.0, 4, 8, 3)
        """
        floats = [float(value) for value in values]
        mean = math.fsum(floats) / len(floats)
        square = math.fsum((value - mean) ** 2 for value in floats) / max(1, len(floats) - 1)
        return cls(
            spread,
            series,
            x,
            float(number(mean)),
            float(number(math.sqrt(square))),
            number(min(values)),
            number(max(values)),
            len(values),
            published,
        )
