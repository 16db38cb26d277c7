"""RawTable: the entries of a user's table, typed by column, with labels and line numbers."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from conjunct.files.compressed import refusal
from conjunct.messages import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from conjunct.errors import BitsError
    from conjunct.tables.column import Column

__all__ = ["RawTable", "RefusedColumn", "dropping", "refused_columns"]

LONGEST_NAME_TO_PASTE, MOST_TO_PASTE = 100, 20  # so that a refusal stays a line that can be read


class RefusedColumn(NamedTuple):
    """A column that cannot be used as it is: the first line that shows it, where one does, and why."""

    name: str
    line: int | None
    reason: str


def refused_columns(source: str, refused: Sequence[RefusedColumn]) -> BitsError:
    """Return the refusal of a table for all its columns that are refused, with what to paste after the command.

    Examples
    --------
    >>> one, two = RefusedColumn("a", 7, "column 'a' has 'x'"), RefusedColumn("b b", 3, "column 'b b' has 'y'")
    >>> print(refused_columns("t.csv", [one, two]))
    t.csv:3: column 'b b' has 'y'; 2 columns are refused, --drop a --drop 'b b' leaves them out
    """
    first = min(refused, key=lambda column: (column.line is None, column.line))
    what = first.reason
    if len(refused) > 1:
        names = [column.name for column in refused if len(column.name) <= LONGEST_NAME_TO_PASTE][:MOST_TO_PASTE]
        n_more = len(refused) - len(names)
        more = f" and so on for {n_more} more, which 'conjunct describe' lists," if n_more else ""
        what += f"; {len(refused)} columns are refused, {dropping(names)}{more} leaves them out"
    return refusal(source, first.line, what)


def dropping(names: Iterable[str]) -> str:
    """Return the options of the command that leave columns out, as a shell takes them."""
    return " ".join(f"--drop {shlex.quote(printable(name))}" for name in names)


@dataclass(frozen=True, slots=True, eq=False)
class RawTable:
    r"""Columns of numbers and text as they were read, before they become Boolean variables.

    Attributes
    ----------
    typed_columns : tuple of Column
        The columns without the label, as the Binarizer takes them.
    labels : ndarray of int64 or str, or None
        One label per row; None for a table read without labels.
    label_name : str or None
        The name of the label column.
    source : str
        Where the table came from: a file, or ``stdin``.
    lines : ndarray of int64
        The line on which each row starts, counted from 1; in a Parquet file the number of the row.
    has_lines : bool
        Whether `lines` are lines of a text.
    notes : tuple of str
        What was left out while reading, and why.
    refused : tuple of RefusedColumn
        The columns that are refused, where they were to be kept.

    Examples
    --------
    >>> import tempfile
    >>> from conjunct.datasets import read_table
    >>> with tempfile.NamedTemporaryFile("w") as file:
    ...     _ = file.write("age,color,buys\n31,red,yes\n?,blue,no\n")
    ...     file.flush()
    ...     table = read_table(file.name)
    >>> table.to_frame_columns(), table.labels.tolist()
    ({'age': [31, None], 'color': ['red', 'blue']}, ['yes', 'no'])
    """

    typed_columns: tuple[Column, ...] = field(repr=False)
    labels: NDArray[Any] | None = field(repr=False)
    label_name: str | None
    source: str
    lines: NDArray[np.int64] = field(repr=False)
    has_lines: bool = True
    notes: tuple[str, ...] = ()
    refused: tuple[RefusedColumn, ...] = ()

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.lines)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, without the label."""
        return tuple(column.name for column in self.typed_columns)

    @property
    def columns(self) -> tuple[list[Any], ...]:
        """The entries of each column: all int, all float, or all text; None where one is missing."""
        return tuple(column.tolist() for column in self.typed_columns)

    def to_frame_columns(self) -> dict[str, list[Any]]:
        """Return the columns by name, as data frames take them."""
        return dict(zip(self.names, self.columns, strict=True))
