"""The MONK's problems: three rules over the 432 robots of one small domain."""

from __future__ import annotations

from itertools import product

import numpy as np

from conjunct.datasets.one_hot import one_hot
from conjunct.settings import whole_number
from conjunct.tables.table import Table

__all__ = ["monks"]

_COLUMNS = {
    "head_shape": ("round", "square", "octagon"),
    "body_shape": ("round", "square", "octagon"),
    "is_smiling": ("yes", "no"),
    "holding": ("sword", "balloon", "flag"),
    "jacket_color": ("red", "yellow", "green", "blue"),
    "has_tie": ("yes", "no"),
}
_FIRST_VALUES = tuple(values[0] for values in _COLUMNS.values())
_FIRST_NAMES = [f'"{column}={values[0]}"' for column, values in _COLUMNS.items()]
_TARGETS = {
    1: '"head_shape=round" & "body_shape=round" | "head_shape=square" & "body_shape=square"'
    ' | "head_shape=octagon" & "body_shape=octagon" | "jacket_color=red"',
    2: f"({' + '.join(_FIRST_NAMES)} >= 2) & (-{' - '.join(_FIRST_NAMES)} >= -2)",
    3: '"jacket_color=green" & "holding=sword" | ~"jacket_color=blue" & ~"body_shape=octagon"',
}


def monks(problem: int) -> Table:
    """All 432 robots of the MONK's problems, labelled by the rule of one of them, without noise.

    Parameters
    ----------
    problem : {1, 2, 3}
        1: head and body have the same shape, or the jacket is red (216 positive).
        2: exactly two of the six columns have their first value (142 positive).
        3: the jacket is green and a sword is held, or the jacket is not blue and the body not an octagon
        (228 positive).

    Returns
    -------
    Table
        17 variables, ``head_shape=round`` to ``has_tie=no``; labels 0 and 1. Robots in lexicographic order of their
        values, the last column fastest, which is the order of the published test files
        [thrun1991].

    Examples
    --------
    >>> table = monks(3)
    >>> table.target
    '"jacket_color=green" & "holding=sword" | ~"jacket_color=blue" & ~"body_shape=octagon"'
    >>> table.rows.n_rows, int(table.labels.sum())
    (432, 228)
    """
    problem = whole_number(problem, "problem", most=3)
    robots = list(product(*_COLUMNS.values()))
    labels = np.array([_is_positive(problem, robot) for robot in robots], dtype=np.int64)
    return Table(f"monks-{problem}", one_hot(robots, _COLUMNS), labels, _TARGETS[problem])


def _is_positive(problem: int, robot: tuple[str, ...]) -> bool:
    head_shape, body_shape, _, holding, jacket_color, _ = robot
    if problem == 1:
        return head_shape == body_shape or jacket_color == "red"
    if problem == 2:
        return sum(value == first for value, first in zip(robot, _FIRST_VALUES, strict=True)) == 2
    return (jacket_color == "green" and holding == "sword") or (jacket_color != "blue" and body_shape != "octagon")
