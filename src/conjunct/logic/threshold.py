"""A weighted sum held against a threshold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import TYPE_CHECKING, Any

from conjunct.errors import FormulaError
from conjunct.logic.formula import (
    Formula,
    Rows,
    decided,
    everywhere,
    members,
    natural_order,
    positions_in,
    positions_of,
    require_value,
    value_of,
    variable_table,
)
from conjunct.logic.polynomial import MOST_PRINTED_BITS, Number, exactly, scanned_sum
from conjunct.logic.spelling import spelled
from conjunct.logic.tokenizer import Scanner
from conjunct.logic.weighing import rows_reaching, table_reaching
from conjunct.messages import shortened

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Threshold"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Threshold(Formula):
    """True where a weighted sum of variables reaches a threshold; a sum equal to it counts.

    Parameters
    ----------
    weights : mapping of str to int, Fraction, "p/q", float or Decimal
        Variables of weight 0 are left out. A float counts as the decimal that it prints: 0.1 is 1/10.
    threshold : int, Fraction, "p/q", float or Decimal

    Attributes
    ----------
    weights : tuple of (str, Fraction)
        In natural order of the names.
    threshold : Fraction

    Examples
    --------
    >>> formula = Threshold({"a": 2, "b": 1, "c": -3}, 2)
    >>> print(formula, formula == Threshold.parse("b - 3*c + 2*a >= 2"))
    2*a + b - 3*c >= 2 True
    >>> formula.value({"a": 1, "b": 0, "c": 0}), format(formula.table(["a", "b", "c"]), "08b")
    (True, '00001010')
    >>> print(formula.restricted("c", True), formula.restricted("c", True).constant)
    2*a + b >= 5 False
    """

    weights: tuple[tuple[str, Fraction], ...]
    threshold: Fraction

    def __init__(self, weights: Mapping[str, Number], threshold: Number) -> None:
        try:
            pairs = dict(weights)
        except (TypeError, ValueError):
            raise FormulaError(f"weights are a mapping of names to numbers, got {shortened(weights)}") from None
        nonzero = {}
        for name, weight in pairs.items():
            if not isinstance(name, str):
                raise FormulaError(f"weights belong to names, got {shortened(name)}")
            exact = exactly(weight, f"the weight of {shortened(name)}")
            if exact:
                nonzero[name] = exact
        object.__setattr__(self, "weights", tuple((name, nonzero[name]) for name in natural_order(nonzero)))
        object.__setattr__(self, "threshold", exactly(threshold, "the threshold"))

    @classmethod
    def at_least(cls, k: int, names: Iterable[str]) -> Self:
        """Return "at least k of these variables", Th_{k,m}: a sum with weights 1.

        Examples
        --------
        >>> print(Threshold.at_least(2, ["a", "b", "c"]))
        a + b + c >= 2
        """
        weights: dict[str, Number] = {}
        for name in members(names, "at_least counts variables"):
            if not isinstance(name, str):
                raise FormulaError(f"at_least counts variables by name, got {shortened(name)}")
            if name in weights:
                raise FormulaError(f"{shortened(name)} is named twice; at_least counts each variable once")
            weights[name] = 1
        return cls(weights, k)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables with a weight, in natural order."""
        return tuple(name for name, _ in self.weights)

    @property
    def constant(self) -> bool | None:
        """True where the least sum reaches the threshold, False where the greatest does not."""
        if sum(min(weight, Fraction()) for _, weight in self.weights) >= self.threshold:
            return True
        return False if sum(max(weight, Fraction()) for _, weight in self.weights) < self.threshold else None

    @property
    def integers(self) -> tuple[dict[str, int], int]:
        """Weights and a threshold in whole numbers, without a common divisor, for the same function.

        Examples
        --------
        >>> Threshold({"a": Fraction(3, 2), "b": 3}, 2).integers
        ({'a': 1, 'b': 2}, 2)
        """
        whole, threshold = in_integers([weight for _, weight in self.weights], self.threshold)
        return dict(zip(self.variables, whole, strict=True)), threshold

    def __invert__(self) -> Threshold:
        weights, threshold = self.integers
        return Threshold({name: -weight for name, weight in weights.items()}, 1 - threshold)

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        return sum(weight * value_of(row, name) for name, weight in self.weights) >= self.threshold

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row; sums past int64 are added in parts, and exact as well."""
        constant = self.constant
        if constant is not None:
            positions_in(rows, self.variables)
            return decided(rows, [], default=constant)
        return rows_reaching(rows, *self.integers)

    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table."""
        positions, n = positions_of(self.variables, variables), len(variables)
        weights, threshold = self.integers
        columns = [variable_table(positions[name], n) for name in weights]
        return table_reaching(columns, list(weights.values()), threshold, everywhere(n))

    def restricted(self, variable: str, value: bool) -> Threshold:
        """Return what is left of it where a variable has that value: a 1 lowers the threshold by its weight."""
        value = require_value(variable, value)
        weights = dict(self.weights)
        weight = weights.pop(variable, Fraction())
        return Threshold(weights, self.threshold - weight if value else self.threshold)

    def branching_scores(self) -> dict[str, float]:
        """Return how much each variable promises to settle: its weight, next to the largest."""
        largest = max((abs(weight) for _, weight in self.weights), default=Fraction(1))
        return {name: float(abs(weight) / largest) for name, weight in self.weights}

    def __str__(self) -> str:
        return f"{self._sum()} >= {printed_digits(self.threshold)}"

    def _sum(self) -> str:
        parts: list[str] = []
        for name, weight in self.weights:
            sign = ("- " if parts else "-") if weight < 0 else "+ " if parts else ""
            parts.append(f"{sign}{'' if abs(weight) == 1 else printed_digits(abs(weight)) + '*'}{spelled(name)}")
        return " ".join(parts) or "0"

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read a sum, ``>=`` and a number; a number in the sum is moved to the other side.

        Examples
        --------
        >>> print(Threshold.parse('3/2*"a b" - x + 1 >= 2'))
        3/2*"a b" - x >= 1
        """
        scanner = Scanner(text, names)
        weights, threshold = scanned_threshold(scanner)
        scanner.finish()
        return cls(weights, threshold)


def scanned_threshold(
    scanner: Scanner, read_name: Callable[[], str] | None = None
) -> tuple[dict[str, Fraction], Fraction]:
    """Read the weights and the threshold that come next in a text, names as variables or by a reader of their own."""
    weights, constant = scanned_sum(scanner, read_name or scanner.variable)
    return weights, scanned_bound(scanner) - constant


def scanned_bound(scanner: Scanner) -> Fraction:
    """Read ``>=`` and a number."""
    scanner.take(">=")
    sign = -1 if scanner.skip("-") else 1
    return sign * scanner.number()


def in_integers(weights: Sequence[Fraction], threshold: Fraction) -> tuple[list[int], int]:
    """Return whole weights without a common divisor, and the whole threshold that their sums reach as often."""
    scale = lcm(*(weight.denominator for weight in weights))
    divisor = gcd(*(int(weight * scale) for weight in weights)) or 1
    factor = Fraction(scale, divisor)
    return [int(weight * factor) for weight in weights], ceil(threshold * factor)


def summed_scores(formulas: Iterable[Formula]) -> dict[str, float]:
    """Return the branching scores of formulas, added up."""
    total: dict[str, float] = {}
    for formula in formulas:
        for name, score in formula.branching_scores().items():
            total[name] = total.get(name, 0.0) + score
    return total


def printed_digits(number: Fraction) -> str:
    """Return a number as it is read back; one of more than 4000 digits is refused."""
    if max(abs(number.numerator), number.denominator).bit_length() > MOST_PRINTED_BITS:
        raise FormulaError("a weight has more than 4000 digits and is not printed; read .weights instead")
    return str(number)
