"""What every Boolean kernel can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from conjunct import _core
from conjunct.bits import BitMatrix, memory_limit, require_memory
from conjunct.errors import BitsError, KernelError
from conjunct.kernels.fill import fill_gram
from conjunct.kernels.layout import Layout, compile_layout
from conjunct.messages import shortened

if TYPE_CHECKING:
    from fractions import Fraction

    from numpy.typing import DTypeLike, NDArray

    from conjunct.kernels.combinations import OnColumns, Product, Sum
    from conjunct.kernels.summands import Summand

__all__ = ["Kernel", "Rows", "require_same_variables"]

Rows = Any  # whatever BitMatrix.of takes
BLOCK_BYTES = 1 << 25  # of `gram_blocks`: the fastest where 8 to 512 MiB were tried


@dataclass(frozen=True)
class Kernel(ABC):
    """A kernel over Boolean rows whose value depends on agreement counts only.

    Kernels are immutable, compare by value, and add and multiply: ``k1.on(columns) * k2.on(others)``.
    They can be called, ``k(X, Y=None) -> Gram``, so scikit-learn's ``SVC(kernel=k)`` and ``KernelRidge(kernel=k)`` take
    them.
    """

    @abstractmethod
    def summands(self, n_variables: int, names: Sequence[str] | None = None) -> tuple[Summand, ...]:
        """Return what the kernel is the sum of, over rows of a width: products of tables over agreement counts."""

    @abstractmethod
    def value_on(self, x: BitMatrix, z: BitMatrix) -> Fraction:
        """Return the exact value on two tables of one row, by definition."""

    def value(self, x: Rows, z: Rows) -> int | Fraction:
        """Return the exact value on two rows, given as sequences of 0 and 1 or as strings of digits."""
        a, b = _one_row(x), _one_row(z)
        require_same_variables(a, b)
        value = self.value_on(a, b)
        return value.numerator if value.denominator == 1 else value

    def gram(
        self, a: Rows, b: Rows | None = None, *, dtype: DTypeLike = np.float64, out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """Return the Gram matrix K(a_i, b_j); b is a when left out.

        Parameters
        ----------
        a, b : BitMatrix or what `BitMatrix.of` takes
        dtype : float64 or float32
            The exact values correctly rounded to float64, or these rounded again to float32; of a sum of kernels every
            summand is, and each addition in floats rounds once more.
        out : ndarray, optional
            Where to write: C-contiguous, of the matrix's shape and of either type. Otherwise a new array, refused
            before it is allocated when it would pass the memory limit; `gram_blocks` gives the matrix in parts.
        """
        left, right = _pair(a, b)
        shape = (left.n_rows, right.n_rows)
        kind = np.dtype(dtype if out is None else out.dtype)
        if kind not in (np.float64, np.float32):
            raise KernelError(f"a Gram matrix is float64 or float32, not {kind}")
        if out is None:
            require_memory(kind.itemsize * shape[0] * shape[1], "Gram matrix", "use gram_blocks or fewer rows")
            out = np.empty(shape, kind)
        elif out.shape != shape or not (out.flags.c_contiguous and out.flags.writeable):
            raise KernelError(f"out: expected a writeable C-contiguous array of shape {shape}, got shape {out.shape}")
        layout = self.layout(left)
        fill_gram(layout, left, right, layout.floats if kind == np.float64 else layout.small_floats, out)
        return out

    def gram_log2(self, a: Rows, b: Rows | None = None) -> NDArray[np.float64]:
        """Return log2 of the Gram matrix: finite for every number of variables."""
        left, right = _pair(a, b)
        whole = self.layout(left)
        require_memory(16 * left.n_rows * right.n_rows, "Gram matrix of logarithms", "use fewer rows")
        logs = np.empty((left.n_rows, right.n_rows))
        if len(whole.summands) == 1:
            fill_gram(whole, left, right, whole.logs, logs)
            return logs
        logs.fill(-np.inf)
        for summand in whole.summands:
            layout, summand_logs = compile_layout((summand,), left.n_variables), np.empty_like(logs)
            fill_gram(layout, left, right, layout.logs, summand_logs)
            np.logaddexp2(logs, summand_logs, out=logs)
        return logs

    def gram_blocks(self, a: Rows, b: Rows | None = None) -> Iterator[tuple[slice, NDArray[np.float64]]]:
        """Return the Gram matrix in blocks of whole rows, each with the rows it covers.

        A block is as large as the cache rewards, some 32 MiB, and within the memory limit.
        """
        left, right = _pair(a, b)
        row_bytes = 8 * max(1, right.n_rows)
        require_memory(row_bytes, "one row of the Gram matrix", "use fewer rows on the right")
        layout = self.layout(left)
        cached_rows = max(_core.GRAM_ROWS, BLOCK_BYTES // row_bytes)
        table, step = layout.floats, max(1, min(cached_rows, memory_limit() // row_bytes))

        def block(start: int) -> tuple[slice, NDArray[np.float64]]:
            rows = slice(start, min(start + step, left.n_rows))
            out = np.empty((rows.stop - start, right.n_rows))
            fill_gram(layout, left[rows], right, table, out)
            return rows, out

        return map(block, range(0, left.n_rows, step))

    def diag(self, a: Rows) -> NDArray[np.float64]:
        """Return K(a_i, a_i)."""
        rows = BitMatrix.of(a)
        layout = self.layout(rows)
        return layout.own_values(rows, layout.floats)

    def layout(self, rows: BitMatrix) -> Layout:
        """Compile the kernel for the width and the names of a table."""
        return _layout(self, rows.n_variables, rows.names if rows.is_named else None)

    def on(self, columns: Sequence[int | str]) -> OnColumns:
        """Return this kernel restricted to a group of columns, given by index or by name."""
        from conjunct.kernels.combinations import OnColumns

        return OnColumns(self, columns)

    def __add__(self, other: Kernel) -> Sum:
        from conjunct.kernels.combinations import Sum

        return Sum((self, other))

    def __mul__(self, other: Kernel) -> Product:
        from conjunct.kernels.combinations import Product

        return Product((self, other))

    def __call__(self, x: Rows, y: Rows | None = None) -> NDArray[np.float64] | float:
        """Return the Gram matrix of two tables, or the value on two single rows."""
        if y is not None and _is_row(x) and _is_row(y):
            return float(self.gram(_one_row(x), _one_row(y))[0, 0])
        return self.gram(x, y)

    def __sklearn_clone__(self) -> Self:
        return self


def require_same_variables(a: BitMatrix, b: BitMatrix) -> None:
    """Refuse two tables of different widths, or of different names where both have names."""
    if a.n_variables != b.n_variables:
        raise BitsError(f"rows of {a.n_variables} and of {b.n_variables} variables cannot be compared")
    if a.is_named and b.is_named and a.names != b.names:
        variable = next(v for v, (one, other) in enumerate(zip(a.names, b.names, strict=True)) if one != other)
        raise BitsError(
            f"variable {variable} is {shortened(a.names[variable])} in one table and "
            f"{shortened(b.names[variable])} in the other"
        )


@lru_cache(maxsize=64)
def _layout(kernel: Kernel, n_variables: int, names: tuple[str, ...] | None) -> Layout:
    return compile_layout(kernel.summands(n_variables, names), n_variables)


def _is_row(data: Rows) -> bool:
    if isinstance(data, list | tuple):
        return len(data) > 0 and isinstance(data[0], Real | np.bool_)
    return isinstance(data, str) or getattr(data, "ndim", 2) == 1


def _one_row(row: Rows) -> BitMatrix:
    if not isinstance(row, BitMatrix):
        return BitMatrix.of([row])
    if row.n_rows != 1:
        raise BitsError(f"expected one row, got a BitMatrix of {row.n_rows}")
    return row


def _pair(a: Rows, b: Rows | None) -> tuple[BitMatrix, BitMatrix]:
    left = BitMatrix.of(a)
    right = left if b is None else BitMatrix.of(b)
    require_same_variables(left, right)
    return left, right
