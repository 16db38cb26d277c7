"""One panel of a figure: its axes, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Panel"]


@dataclass(frozen=True, slots=True)
class Panel:
    """Axes of one panel; what is drawn there comes from the lines that name it.

    Attributes
    ----------
    title : str
        Heading, which the lines refer to.
    x_symbol : str
        What the varied size is called in the table.
    x_label, y_label : str
        What the axes show.
    x_log, y_log : bool
        Whether the axes are logarithmic.
    is_fitted : bool
        Whether the exponent of x that fits each series best is reported.
    along : {"x", "series", "places", "table"}
        Whether the series are curves over x, stand one under another, are points at places that stand one under
        another, or are no picture: a table.
    places : tuple of str
        What the values of x are called, from 0 on, where x is no size.
    """

    title: str
    x_symbol: str
    x_label: str
    y_label: str = "mistakes"
    x_log: bool = True
    y_log: bool = True
    is_fitted: bool = False
    along: Literal["x", "series", "places", "table"] = "x"
    places: tuple[str, ...] = ()
