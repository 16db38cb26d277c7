"""Exact sums of conjunctions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from numbers import Rational
from typing import TYPE_CHECKING, Any, TypeVar

from conjunct.errors import FormulaError, SettingError
from conjunct.logic.formula import members, natural_order, values_of
from conjunct.logic.literal import Literal
from conjunct.logic.literal_set import by_size
from conjunct.logic.term import Term
from conjunct.logic.tokenizer import Scanner
from conjunct.messages import printable, shortened
from conjunct.settings import exact

if TYPE_CHECKING:
    from typing import Self

__all__ = ["Polynomial"]

Operand = TypeVar("Operand", bound=Hashable)
Number = int | float | Fraction | Decimal | str
MOST_PRINTED_BITS = 13000  # of a number that is printed: 4000 digits are read back


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Polynomial:
    """A sum of coefficients times terms, where a term counts 1 when it holds and 0 when not.

    Coefficients equal to 0 and terms that are never true are left out, and terms stand in the order in which a
    `DNF` has them, so two polynomials are equal when they have the same coefficients. (x and 1 - ~x have
    the same values and different coefficients.)

    Parameters
    ----------
    coefficients : mapping of Term to int, Fraction, "p/q", float or Decimal
        A float counts as the decimal that it prints: 0.1 is 1/10.

    Attributes
    ----------
    coefficients : tuple of (Term, Fraction)

    Examples
    --------
    >>> from conjunct.logic import Literal
    >>> x1, x3 = Literal("x1"), Literal("x3")
    >>> p = Polynomial({Term(): -1, Term([x3]): 2, Term([x1, ~x3]): 2})
    >>> print(p, "has norm_sq", p.norm_sq())
    -1 + 2*x3 + 2*(x1 & ~x3) has norm_sq 9
    >>> p.value({"x1": 1, "x3": 0})
    Fraction(1, 1)
    >>> print(Fraction(1, 2) * p - p, p.norm_sq([1, 10, 100]))
    1/2 - x3 - (x1 & ~x3) 441
    """

    coefficients: tuple[tuple[Term, Fraction], ...]

    def __init__(self, coefficients: Mapping[Term, Number] | None = None) -> None:
        if coefficients is not None and not isinstance(coefficients, Mapping):
            raise FormulaError(f"a polynomial is a mapping of terms to numbers, got {shortened(coefficients)}")
        nonzero = {}
        for term, number in (coefficients or {}).items():
            if not isinstance(term, Term):
                raise FormulaError(f"a polynomial is made of terms, got {shortened(term)}")
            coefficient = exactly(number, f"the coefficient of {printable(term)}")
            if coefficient and not term.is_contradictory:
                nonzero[term] = coefficient
        object.__setattr__(self, "coefficients", tuple((term, nonzero[term]) for term in by_size(nonzero)))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables it mentions, in natural order."""
        return tuple(natural_order({name for term, _ in self.coefficients for name in term.variables}))

    @property
    def degree(self) -> int:
        """The size of its largest term; 0 where there is none."""
        return max((term.size for term, _ in self.coefficients), default=0)

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> Self:
        """Read what ``str`` prints: numbers times literals, or times terms in parentheses, added up.

        Examples
        --------
        >>> Polynomial.parse("2*(x1 & ~x3) - 1 + 2*x3").norm_sq()
        Fraction(9, 1)
        """
        scanner = Scanner(text, names)
        coefficients, constant = scanned_terms(scanner)
        scanner.finish("+, - or the end")
        return cls(_summed([*coefficients.items(), (Term(), constant)]))

    def value(self, row: Mapping[str, Any]) -> Fraction:
        """Return its value on one row: the sum of the coefficients whose terms hold.

        Raises
        ------
        FormulaError
            A variable has no value, or one other than 0 and 1.
        """
        values = values_of(row, self.variables)
        return sum((number for term, number in self.coefficients if term.value(values)), Fraction())

    def norm_sq(self, costs: Sequence[Number] | None = None) -> Fraction:
        """Return the squared norm: the sum of cost times squared coefficient.

        Parameters
        ----------
        costs : sequence of positive int, Fraction, "p/q" or float, optional
            K_0 to K_d, where K_j is the cost of a term of j literals. 1 for every term when left out.

        Raises
        ------
        FormulaError
            A term has more literals than there are costs for, or a cost is not positive.
        """
        if costs is None:
            return sum((number**2 for _, number in self.coefficients), Fraction())
        numbers = members(costs, "costs are numbers, K_0 first")
        prices = [exactly(price, f"the cost of {size} literals") for size, price in enumerate(numbers)]
        for size, price in enumerate(prices):
            if price <= 0:
                raise FormulaError(f"the cost of {size} literals is {printed_number(price)}; costs must be positive")
        if self.coefficients and self.degree >= len(prices):
            raise FormulaError(
                f"there are {len(prices)} costs and a term of {self.degree} literals; give {self.degree + 1}, K_0 first"
            )
        return sum((prices[term.size] * number**2 for term, number in self.coefficients), Fraction())

    def __add__(self, other: Polynomial) -> Polynomial:
        if not isinstance(other, Polynomial):
            return NotImplemented
        return Polynomial(_summed([*self.coefficients, *other.coefficients]))

    def __sub__(self, other: Polynomial) -> Polynomial:
        if not isinstance(other, Polynomial):
            return NotImplemented
        return self + -other

    def __neg__(self) -> Polynomial:
        return self * -1

    def __mul__(self, factor: Number) -> Polynomial:
        if not isinstance(factor, Rational | float | Decimal):
            return NotImplemented
        times = exactly(factor, "the factor")
        return Polynomial({term: times * number for term, number in self.coefficients})

    __rmul__ = __mul__

    def __repr__(self) -> str:
        text = str(self)
        is_read_back = all(_is_printed(number) for _, number in self.coefficients)
        return f"Polynomial.parse({text!r})" if is_read_back else f"<Polynomial {text}>"

    def __str__(self) -> str:
        if not self.coefficients:
            return "0"
        parts = [_part(term, number) for term, number in self.coefficients]
        first, rest = parts[0], parts[1:]
        return "".join([first, *(f" - {part[1:]}" if part.startswith("-") else f" + {part}" for part in rest)])


def scanned_terms(scanner: Scanner) -> tuple[dict[Term, Fraction], Fraction]:
    """Read a sum of numbers times terms: the coefficient of every term, and the constant."""

    def term() -> Term:
        if not scanner.skip("("):
            return Term([Literal.read(scanner)])
        inner = Term.read(scanner)
        scanner.take(")", "& or )")
        return inner

    return scanned_sum(scanner, term)


def scanned_sum(scanner: Scanner, read: Callable[[], Operand]) -> tuple[dict[Operand, Fraction], Fraction]:
    """Read a sum of numbers, and of numbers times what a reader reads; equal ones are added up."""
    coefficients: dict[Operand, Fraction] = {}
    constant = Fraction()
    sign = -1 if scanner.skip("-") else 1
    while True:
        is_number = scanner.at("number")
        factor = sign * (scanner.number() if is_number else Fraction(1))
        if is_number and not scanner.skip("*"):
            constant += factor
        else:
            operand = read()
            coefficients[operand] = coefficients.get(operand, Fraction()) + factor
        if not scanner.at("+", "-"):
            return coefficients, constant
        sign = -1 if scanner.advance().kind == "-" else 1


def exactly(number: object, what: str) -> Fraction:
    """Return a number as a fraction; a float is the decimal that it prints, as `conjunct.theory.exact` reads it.

    Raises
    ------
    FormulaError
        It is no number, or not a finite one.
    """
    if isinstance(number, bool) or (isinstance(number, Decimal) and number.is_finite()):
        return Fraction(number)
    try:
        return exact(number, what)
    except SettingError:
        raise FormulaError(
            f'{what} is {shortened(number)}; expected a finite int, Fraction, "p/q", float or Decimal'
        ) from None


def printed_number(number: Fraction) -> str:
    """Return a fraction as it is printed, and a very long one by the length of its parts.

    Examples
    --------
    >>> printed_number(Fraction(3, 2)), printed_number(Fraction(10) ** 5000)
    ('3/2', '(a fraction of 16610 and 1 bits)')
    """
    above, below = number.numerator.bit_length(), number.denominator.bit_length()
    return str(number) if _is_printed(number) else f"(a fraction of {above} and {below} bits)"


def _is_printed(number: Fraction) -> bool:
    return max(number.numerator.bit_length(), number.denominator.bit_length()) <= MOST_PRINTED_BITS


def require_polynomial(value: object) -> None:
    """Refuse what is no polynomial."""
    if not isinstance(value, Polynomial):
        raise FormulaError(f"expected a Polynomial, got {shortened(value)}")


def _summed(pairs: Iterable[tuple[Term, Fraction]]) -> dict[Term, Fraction]:
    total: dict[Term, Fraction] = {}
    for term, number in pairs:
        total[term] = total.get(term, Fraction()) + number
    return total


def _part(term: Term, number: Fraction) -> str:
    """Return one summand, its sign in front."""
    if term.size == 0:
        return printed_number(number)
    text = f"({term})" if term.size > 1 else str(term)
    return f"{'-' if number < 0 else ''}{text}" if abs(number) == 1 else f"{printed_number(number)}*{text}"
