"""Thresholds that must all hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
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
    values_of,
)
from conjunct.logic.network import Network, require_convention
from conjunct.logic.threshold import Threshold, scanned_threshold, summed_scores
from conjunct.logic.tokenizer import Scanner
from conjunct.messages import shortened

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["HalfspaceIntersection"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class HalfspaceIntersection(Formula):
    """The conjunction of thresholds; of none, it is always true.

    Parameters
    ----------
    halfspaces : iterable of Threshold

    Examples
    --------
    >>> formula = HalfspaceIntersection([Threshold({"a": 1, "b": 1}, 1), Threshold({"c": 1, "a": -1}, 0)])
    >>> print(formula, "|", formula.restricted("a", False))
    (a + b >= 1) & (-a + c >= 0) | (b >= 1)
    >>> formula.value({"a": 1, "b": 0, "c": 0}), formula.value({"a": 0, "b": 1, "c": 0})
    (False, True)
    """

    halfspaces: tuple[Threshold, ...]

    def __init__(self, halfspaces: Iterable[Threshold]) -> None:
        distinct = members(halfspaces, "an intersection is made of thresholds")
        for halfspace in distinct:
            if not isinstance(halfspace, Threshold):
                raise FormulaError(f"an intersection is made of thresholds, got {shortened(halfspace)}")
        object.__setattr__(self, "halfspaces", distinct)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order."""
        return tuple(natural_order({name for halfspace in self.halfspaces for name in halfspace.variables}))

    @property
    def constant(self) -> bool | None:
        """False where one of its thresholds is never reached, True where all always are."""
        kinds = {halfspace.constant for halfspace in self.halfspaces}
        return False if False in kinds else None if None in kinds else True

    def __invert__(self) -> Network:
        return ~self.network()

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        values = values_of(row, self.variables)
        return all(halfspace.value(values) for halfspace in self.halfspaces)

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row."""
        positions_in(rows, self.variables)
        total = decided(rows, [], default=True)
        for halfspace in self.halfspaces:
            total = total & halfspace.evaluate(rows)
        return total

    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table."""
        total = everywhere(len(variables))
        for halfspace in self.halfspaces:
            total &= halfspace.table(variables)
        return total

    def restricted(self, variable: str, value: bool) -> HalfspaceIntersection:
        """Return what is left of it where a variable has that value, without the thresholds that always hold then."""
        restricted = [halfspace.restricted(variable, value) for halfspace in self.halfspaces]
        never = [halfspace for halfspace in restricted if halfspace.constant is False]
        return HalfspaceIntersection(never[:1] or [halfspace for halfspace in restricted if not halfspace.constant])

    def branching_scores(self) -> dict[str, float]:
        """Return how much each variable promises to settle: the sum of its shares in the thresholds."""
        return summed_scores(self.halfspaces)

    def network(self, convention: str = "signed", depth: int = 1) -> Network:
        """Return the same function as a network: a unit for each threshold, and one that asks whether all fire.

        Parameters
        ----------
        convention : "signed" or "binary"
            Whether units give -1 and 1 or 0 and 1.
        depth : int
            The number of hidden layers; those after the first copy the one before.

        Notes
        -----
        With integers w_j and b_j the hidden units are sgn(w_j . x - b_j - 1/2), which is never 0, and the output
        fires when sum_j v_j - k + 1/2 >= 0, right for v_j in {-1, 1} and in {0, 1}. A copy has weight 1 and bias 0 in
        the first case; in the second bias -1/2, as 0 would turn every 0 into 1. Of fractions, the multiple that is
        whole is taken.

        Examples
        --------
        >>> formula = HalfspaceIntersection.parse("(a + b >= 1) & (c - a >= 0)")
        >>> print(formula.network("binary", depth=2))
        binary: (a + b >= 1/2) (-a + c >= -1/2) -> (u1 >= 1/2) (u2 >= 1/2) -> (u1 + u2 >= 3/2)
        """
        require_convention(convention)
        if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
            raise FormulaError(f"depth is {shortened(depth)}; a network has 1 hidden layer or more")
        half, n_units = Fraction(1, 2), len(self.halfspaces)
        output = Threshold({f"u{unit + 1}": 1 for unit in range(n_units)}, n_units - half)
        if not n_units:
            return Network([[output]], convention)
        first = []
        for halfspace in self.halfspaces:
            weights, threshold = halfspace.integers
            first.append(Threshold(weights, threshold - half))
        copied = half if convention == "binary" else 0
        copies = [Threshold({f"u{unit + 1}": 1}, copied) for unit in range(n_units)]
        return Network([first, *([copies] * (depth - 1)), [output]], convention)

    def __str__(self) -> str:
        return " & ".join(f"({halfspace})" for halfspace in self.halfspaces) or "1"

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read thresholds in parentheses with ``&`` between them, or 1."""
        scanner = Scanner(text, names)
        halfspaces: list[Threshold] = []
        if scanner.at("number") and scanner.token.text == "1":
            scanner.advance()
        else:
            while not halfspaces or scanner.skip("&"):
                scanner.take("(")
                halfspaces.append(Threshold(*scanned_threshold(scanner)))
                scanner.take(")")
        scanner.finish("'&' or the end" if halfspaces else "the end")
        return cls(halfspaces)
