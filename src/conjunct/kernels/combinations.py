"""Kernels on groups of columns, and their sums and products."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from operator import index
from typing import TYPE_CHECKING

from conjunct.bits import BitMatrix
from conjunct.errors import KernelError
from conjunct.kernels.kernel import Kernel
from conjunct.messages import shortened

if TYPE_CHECKING:
    from conjunct.kernels.summands import Summand

__all__ = ["OnColumns", "Product", "Sum"]

MOST_SUMMANDS = 4096


@dataclass(frozen=True)
class OnColumns(Kernel):
    """A kernel that sees only a group of columns, given by index or by name.

    Examples
    --------
    >>> from conjunct.kernels import Conjunctions
    >>> Conjunctions().on([0, 2]).value("1011", "1110")
    4
    """

    kernel: Kernel
    columns: Sequence[int | str]

    def __post_init__(self) -> None:
        if not isinstance(self.kernel, Kernel):
            raise KernelError(f"kernel={shortened(self.kernel)}: expected a kernel")
        if isinstance(self.columns, str) or not isinstance(self.columns, Iterable):
            raise KernelError(f"columns={shortened(self.columns)}: expected a sequence of indices or names")
        columns = tuple(_column(column) for column in self.columns)
        if not columns or len(set(columns)) != len(columns):
            raise KernelError(f"columns={shortened(columns)}: expected at least one column and none twice")
        object.__setattr__(self, "columns", columns)

    def indices(self, names: Sequence[str]) -> tuple[int, ...]:
        """Find the columns in a table with these names."""
        index_of = {name: index for index, name in enumerate(names)}
        indices = []
        for column in self.columns:
            index = index_of.get(column, -1) if isinstance(column, str) else column
            if not 0 <= index < len(names):
                raise KernelError(
                    f"the kernel is on column {shortened(column)}, which is not among the {len(names)} of the table"
                )
            if index in indices:
                raise KernelError(f"the kernel is on column {shortened(column)} twice, once by index and once by name")
            indices.append(index)
        return tuple(indices)

    def summands(self, n_variables: int, names: Sequence[str] | None = None) -> tuple[Summand, ...]:
        """Return the summands of the inner kernel, on these columns."""
        variables = names or [f"x{v + 1}" for v in range(n_variables)]
        indices = self.indices(variables)
        inner_names = [variables[index] for index in indices]
        return tuple(
            tuple(replace(factor, columns=tuple(indices[c] for c in factor.columns)) for factor in summand)
            for summand in self.kernel.summands(len(indices), inner_names)
        )

    def value_on(self, x: BitMatrix, z: BitMatrix) -> Fraction:
        """Return the value of the inner kernel on these columns of two rows."""
        indices = list(self.indices(x.names))
        names = [x.names[index] for index in indices]
        return self.kernel.value_on(*(BitMatrix.from_array(row.to_array()[:, indices], names) for row in (x, z)))


@dataclass(frozen=True)
class Sum(Kernel):
    """The sum of kernels: the features of all of them side by side.

    Examples
    --------
    >>> from conjunct.kernels import Conjunctions, MonotoneConjunctions
    >>> (Conjunctions().on([0, 2]) + MonotoneConjunctions().on([1, 3])).value("1011", "1110")
    5
    """

    parts: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _kernels(self.parts))

    def summands(self, n_variables: int, names: Sequence[str] | None = None) -> tuple[Summand, ...]:
        """Return the summands of every part."""
        summands = tuple(summand for part in self.parts for summand in part.summands(n_variables, names))
        _require_summands(len(summands))
        return summands

    def value_on(self, x: BitMatrix, z: BitMatrix) -> Fraction:
        """Return the sum of the parts' values."""
        return sum((part.value_on(x, z) for part in self.parts), Fraction(0))


@dataclass(frozen=True)
class Product(Kernel):
    """The product of kernels: the conjunctions of one feature of each.

    Examples
    --------
    >>> from conjunct.kernels import Conjunctions, MonotoneConjunctions
    >>> (Conjunctions().on([0, 2]) * MonotoneConjunctions(max_size=1).on([1, 3])).value("1011", "1110")
    4
    """

    parts: tuple[Kernel, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", _kernels(self.parts))

    def summands(self, n_variables: int, names: Sequence[str] | None = None) -> tuple[Summand, ...]:
        """Return one summand for each choice of a summand in every part."""
        choices = [part.summands(n_variables, names) for part in self.parts]
        _require_summands(prod(len(summands) for summands in choices))
        return tuple(tuple(factor for summand in choice for factor in summand) for choice in product(*choices))

    def value_on(self, x: BitMatrix, z: BitMatrix) -> Fraction:
        """Return the product of the parts' values."""
        return prod((part.value_on(x, z) for part in self.parts), start=Fraction(1))


def _column(column: object) -> int | str:
    if isinstance(column, str):
        return str(column)
    if isinstance(column, bool) or not hasattr(column, "__index__"):
        raise KernelError(f"column {shortened(column)}: expected an index or a name")
    return index(column)


def _kernels(parts: Sequence[Kernel]) -> tuple[Kernel, ...]:
    if not isinstance(parts, Sequence) or not parts or not all(isinstance(part, Kernel) for part in parts):
        raise KernelError(f"a sum or product takes kernels, got {shortened(parts)}")
    return tuple(parts)


def _require_summands(count: int) -> None:
    if count > MOST_SUMMANDS:
        raise KernelError(f"the kernel multiplies out to {count} terms, limit is {MOST_SUMMANDS}; multiply fewer sums")
