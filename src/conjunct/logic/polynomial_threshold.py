"""A weighted sum of terms held against a threshold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from conjunct.logic.dnf import DNF
from conjunct.logic.formula import Formula, Rows, decided, everywhere, positions_in, require_value
from conjunct.logic.literal import Literal
from conjunct.logic.polynomial import Number, Polynomial, exactly, require_polynomial, scanned_terms
from conjunct.logic.term import Term
from conjunct.logic.threshold import in_integers, printed_digits, scanned_bound
from conjunct.logic.tokenizer import Scanner
from conjunct.logic.weighing import columns_reaching, table_reaching

if TYPE_CHECKING:
    from typing import Self

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["PolynomialThreshold"]


@dataclass(frozen=True, slots=True, init=False, repr=False)
class PolynomialThreshold(Formula):
    """True where a polynomial reaches a threshold; a value equal to it counts.

    Parameters
    ----------
    polynomial : Polynomial
        Its constant is moved to the other side.
    threshold : int, Fraction, "p/q", float or Decimal

    Attributes
    ----------
    polynomial : Polynomial
        Without a constant.
    threshold : Fraction

    Examples
    --------
    >>> xor = PolynomialThreshold.parse("x1 + x2 - 2*(x1 & x2) >= 1")
    >>> [xor([a, b]) for a in (0, 1) for b in (0, 1)], format(xor.table(["x1", "x2"]), "04b")
    ([False, True, True, False], '0110')
    >>> print(xor.restricted("x2", True), "or", ~xor)
    -x1 >= 0 or -x1 - x2 + 2*(x1 & x2) >= 0
    """

    polynomial: Polynomial
    threshold: Fraction

    def __init__(self, polynomial: Polynomial, threshold: Number) -> None:
        require_polynomial(polynomial)
        coefficients = dict(polynomial.coefficients)
        constant = coefficients.pop(Term(), Fraction())
        object.__setattr__(self, "polynomial", Polynomial(coefficients))
        object.__setattr__(self, "threshold", exactly(threshold, "the threshold") - constant)

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order."""
        return self.polynomial.variables

    @property
    def constant(self) -> bool | None:
        """True where the sum of its negative coefficients reaches the threshold, False where no sum can."""
        numbers = [number for _, number in self.polynomial.coefficients]
        if sum((number for number in numbers if number < 0), Fraction()) >= self.threshold:
            return True
        return False if sum((number for number in numbers if number > 0), Fraction()) < self.threshold else None

    @property
    def integers(self) -> tuple[dict[Term, int], int]:
        """Coefficients and a threshold in whole numbers, without a common divisor, for the same function."""
        terms, numbers = [list(part) for part in zip(*self.polynomial.coefficients, strict=True)] or [[], []]
        whole, threshold = in_integers(numbers, self.threshold)
        return dict(zip(terms, whole, strict=True)), threshold

    def __invert__(self) -> PolynomialThreshold:
        coefficients, threshold = self.integers
        return PolynomialThreshold(Polynomial({term: -number for term, number in coefficients.items()}), 1 - threshold)

    def value(self, row: Mapping[str, Any]) -> bool:
        """Return its value on one row."""
        return self.polynomial.value(row) >= self.threshold

    def evaluate(self, rows: Rows) -> NDArray[np.bool_]:
        """Return its value on every row."""
        positions_in(rows, self.variables)
        constant = self.constant
        if constant is not None:
            return decided(rows, [], default=constant)
        coefficients, threshold = self.integers
        columns = [decided(rows, [(term, True)], default=False) for term in coefficients]
        return columns_reaching(columns, list(coefficients.values()), threshold)

    def table(self, variables: Sequence[str]) -> int:
        """Return its truth table."""
        coefficients, threshold = self.integers
        columns = [DNF([term]).table(variables) for term in coefficients]
        return table_reaching(columns, list(coefficients.values()), threshold, everywhere(len(variables)))

    def restricted(self, variable: str, value: bool) -> PolynomialThreshold:
        """Return what is left of it where a variable has that value; terms that become equal are added up."""
        false = Literal(variable, not require_value(variable, value))
        total = Polynomial()
        for term, number in self.polynomial.coefficients:
            if false not in term.literals:
                total += Polynomial({term.without(variable): number})
        return PolynomialThreshold(total, self.threshold)

    def branching_scores(self) -> dict[str, float]:
        """Return how much each variable promises to settle: the coefficients of its terms, next to the largest."""
        largest = max((abs(number) for _, number in self.polynomial.coefficients), default=Fraction(1))
        scores = dict.fromkeys(self.variables, 0.0)
        for term, number in self.polynomial.coefficients:
            for name in term.variables:
                scores[name] += float(abs(number) / largest)
        return scores

    def __str__(self) -> str:
        return f"{self.polynomial} >= {printed_digits(self.threshold)}"

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read a sum of numbers times literals, or times terms in parentheses, ``>=`` and a number."""
        scanner = Scanner(text, names)
        coefficients, constant = scanned_terms(scanner)
        threshold = scanned_bound(scanner)
        scanner.finish()
        return cls(Polynomial(coefficients), threshold - constant)
