"""A kernel over all variables that is one table over one agreement count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from conjunct import _core
from conjunct.bits import BitMatrix, require_memory
from conjunct.errors import KernelError
from conjunct.kernels.costs import Costs, Geometric, cost_function, exact_costs
from conjunct.kernels.kernel import Kernel, Rows, require_same_variables
from conjunct.kernels.summands import Factor, Summand, size_table
from conjunct.kernels.work import work_blocks
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.theory import Exact

__all__ = ["AgreementKernel"]


@dataclass(frozen=True)
class AgreementKernel(Kernel):
    """What `Conjunctions` and `MonotoneConjunctions` share: sizes, costs, and a table over one count."""

    max_size: int | None = None
    costs: Sequence[Exact] | Geometric | None = None

    counts_same: ClassVar[bool]
    definition: ClassVar[Callable[..., Fraction]]

    def __post_init__(self) -> None:
        size = self.max_size
        if size is not None and (isinstance(size, bool) or not isinstance(size, int | np.integer) or size < 1):
            raise KernelError(f"max_size={shortened(size)}: expected a positive integer, or None for every size")
        object.__setattr__(self, "max_size", None if size is None else int(size))
        object.__setattr__(self, "costs", exact_costs(self.costs, self.max_size))

    @property
    def exact_costs(self) -> Costs:
        """The costs as the constructor made them exact."""
        return exact_costs(self.costs, self.max_size)

    @property
    def largest_size(self) -> int | None:
        """The size of the largest conjunction counted; None is every size."""
        return len(self.exact_costs) - 1 if isinstance(self.exact_costs, tuple) else self.max_size

    def table(self, n: int) -> tuple[Fraction, ...]:
        """Return the exact kernel values for the agreement counts 0..n."""
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 0:
            raise KernelError(f"n={shortened(n)}: expected a number of variables")
        return size_table(int(n), self.largest_size, self.exact_costs)

    def agreements(self, a: Rows, b: Rows | None = None) -> NDArray[np.int32]:
        """Return the agreement counts of all pairs of rows; b is a when left out."""
        left = BitMatrix.of(a)
        right = left if b is None else BitMatrix.of(b)
        require_same_variables(left, right)
        require_memory(4 * left.n_rows * right.n_rows, "matrix of agreement counts", "use fewer rows")
        out = np.empty((left.n_rows, right.n_rows), np.int32)
        layout = self.layout(left)
        for rows, threads in work_blocks(left.n_rows, right.words.size):
            _core.agreements(layout.native, left.words[rows], right.words, out[rows], threads)
        return out

    def summands(self, n_variables: int, names: Sequence[str] | None = None) -> tuple[Summand, ...]:
        """Return one summand of one factor: the table over the count on all variables."""
        return ((Factor(self.counts_same, tuple(range(n_variables)), self.table(n_variables)),),)

    def value_on(self, x: BitMatrix, z: BitMatrix) -> Fraction:
        """Return the exact value on two tables of one row, by definition."""
        first, second = (row.to_array()[0].tolist() for row in (x, z))
        return type(self).definition(first, second, self.largest_size, cost_function(self.exact_costs))
