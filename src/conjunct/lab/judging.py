"""The verdict on a saved result: one function for every experiment, which knows none of them."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from conjunct.errors import SettingError
from conjunct.lab.line import badness

__all__ = ["Verdict", "tightness", "verdict"]

_RELATIONS: dict[str, Callable[[Any, Any], bool]] = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether every line of a result is as the statement says.

    Attributes
    ----------
    word : {"holds", "violated"}
        The answer.
    line : mapping or None
        The first line that violates the statement.
    """

    word: Literal["holds", "violated"]
    line: Mapping[str, Any] | None = None

    def __str__(self) -> str:
        if self.line is None:
            return self.word
        at = f"{self.line['panel']}, {self.line['series']} at {self.line['x']}"
        return (
            f"{self.word}: {at}: measured {self.line['measured']} is not {self.line['relation']} {self.line['bound']}"
        )


def verdict(result: Mapping[str, Any]) -> Verdict:
    """Compare measured with bound on every line of a result, as decoded from its JSON.

    Parameters
    ----------
    result : mapping
        With ``lines``, each having ``measured``, ``bound`` and ``relation``.

    Returns
    -------
    Verdict
        "holds", or "violated" with the first line that violates.

    Raises
    ------
    SettingError
        There is no line to judge, or one without these three entries: nothing holds by saying nothing.

    Examples
    --------
    >>> line = {"panel": "V1", "series": "Perceptron", "x": 4, "measured": 4, "bound": 4, "relation": "<="}
    >>> print(verdict({"lines": [line]}))
    holds
    >>> print(verdict({"lines": [line | {"bound": 3.6}]}))
    violated: V1, Perceptron at 4: measured 4 is not <= 3.6
    """
    for line in _lines(result):
        if not _RELATIONS[line["relation"]](line["measured"], line["bound"]):
            return Verdict("violated", line)
    return Verdict("holds")


def tightness(lines: Sequence[Mapping[str, Any]]) -> float:
    """Return how near the measured values come to their bounds: the largest measured/bound.

    Under a guaranteed minimum it is bound/measured, so that 1 always means reached. A broken bound of 0 makes it
    infinite; a result says None.

    Examples
    --------
    >>> tightness([{"measured": 3, "bound": 4, "relation": "<="}, {"measured": 4, "bound": 2, "relation": ">="}])
    0.75
    """
    return max(
        badness(line["measured"], line["bound"], ">=" if line["relation"] == ">=" else "<=")
        for line in _lines({"lines": lines})
    )


def _lines(result: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    lines = result.get("lines")
    if not isinstance(lines, Sequence) or not lines:
        raise SettingError("the result has no lines, expected at least one with measured, bound and relation")
    for index, line in enumerate(lines):
        numbers = [line.get(name) for name in ("measured", "bound")]
        if line.get("relation") not in _RELATIONS or not all(type(value) in (int, float) for value in numbers):
            raise SettingError(
                f"line {index} of the result lacks measured, bound or relation, expected two numbers and <=, >= or =="
            )
    return lines
