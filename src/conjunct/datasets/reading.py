"""Whatever a user names as data: an embedded table, svmlight, Parquet or delimited text."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from conjunct.datasets.delimited import table_from_lines
from conjunct.datasets.labels import require_classes
from conjunct.datasets.parquet import PARQUET_MAGIC, parquet_from_stream
from conjunct.datasets.registry import embedded
from conjunct.datasets.svmlight import is_svmlight_line, svmlight_from_lines
from conjunct.errors import OptionError
from conjunct.files.compressed import InputStream

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from conjunct.datasets.raw_table import RawTable
    from conjunct.datasets.table import Table

__all__ = ["read_data"]

_EMBEDDED_PREFIX = "embedded:"
_COLUMN_OPTIONS = {"positive", "label", "categorical", "columns", "drop", "min_classes"}
_OPTIONS = {
    "an embedded table": {"positive"},
    "svmlight": {"positive", "zero_based", "n_variables", "min_classes"},
    "Parquet": _COLUMN_OPTIONS,
    "delimited text": _COLUMN_OPTIONS | {"delimiter", "header"},
}


def read_data(source: str | os.PathLike[str], **options: Any) -> RawTable | Table:
    """Read a table of any kind, found by its content.

    Parameters
    ----------
    source : str or path-like
        ``embedded:NAME``, a file, or ``"-"`` for standard input. A file that starts with the mark of Parquet is
        Parquet; one whose first line of data looks like ``+1 3:1 11:1`` is svmlight; any other is delimited text.
    **options
        Options of the reader: those of `read_table`, `read_svmlight` or `read_parquet`. One that the kind of data
        found has no use for is refused by name; `positive` is checked for every kind.

    Returns
    -------
    RawTable or Table
        A RawTable of cells, or a Table for data that is Boolean already: embedded and svmlight.

    Examples
    --------
    >>> read_data("embedded:monks-1").rows.n_rows
    432
    """
    if isinstance(source, str) and source.startswith(_EMBEDDED_PREFIX):
        _require_options(source, "an embedded table", options)
        table = embedded(source.removeprefix(_EMBEDDED_PREFIX))
        require_classes(source, 1, table.labels, 1, options.get("positive"))
        return table
    with InputStream(source) as stream:
        if stream.head(len(PARQUET_MAGIC)) == PARQUET_MAGIC:
            _require_options(stream.name, "Parquet", options)
            return parquet_from_stream(stream, **options)
        lines = stream.lines()
        first: list[tuple[int, str]] = []
        for line in lines:
            first.append(line)
            if line[1].partition("#")[0].strip(" \t"):
                break
        is_sparse = bool(first) and is_svmlight_line(first[-1][1])
        if not is_sparse:
            _require_options(stream.name, "delimited text", options)
            return table_from_lines(stream.name, chain(first, lines), **options)
        _require_options(stream.name, "svmlight", options)
        positive = options.pop("positive", None)
        table = svmlight_from_lines(stream.name, chain(first, lines), **options)
        require_classes(stream.name, first[-1][0], table.labels, 1, positive)
        return table


def _require_options(source: str, kind: str, options: Mapping[str, object]) -> None:
    for name in options:
        if name not in _OPTIONS[kind]:
            known = ", ".join(sorted(_OPTIONS[kind]))
            reason = f"{source}: option {name!r} has no meaning for {kind}, expected one of {known}"
            raise OptionError(name, reason)
