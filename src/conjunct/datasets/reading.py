"""Whatever a user names as data: an embedded table, svmlight, Parquet or delimited text."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

from conjunct.datasets.registry import embedded
from conjunct.errors import OptionError, SettingError
from conjunct.files.compressed import InputStream
from conjunct.messages import shortened
from conjunct.tables.delimited import table_from_lines
from conjunct.tables.labels import require_classes
from conjunct.tables.parquet import PARQUET_MAGIC, parquet_from_stream
from conjunct.tables.svmlight import is_label_line, is_svmlight_line, svmlight_by_id, svmlight_from_lines

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from conjunct.tables.raw_table import RawTable
    from conjunct.tables.table import IdTable, Table

__all__ = ["read_data"]

_EMBEDDED_PREFIX = "embedded:"
_COLUMN_OPTIONS = {"positive", "label", "categorical", "columns", "drop", "min_classes"}
_SPARSE_OPTIONS = {"zero_based", "n_variables"}
_OPTIONS = {
    "an embedded table": {"positive"},
    "svmlight": _SPARSE_OPTIONS | {"positive", "min_classes"},
    "Parquet": _COLUMN_OPTIONS,
    "delimited text": _COLUMN_OPTIONS | {"delimiter", "header"},
}
_FORMATS = {"csv": "delimited text", "svmlight": "svmlight", "parquet": "Parquet"}
_MOST_LABEL_LINES = 100_000


def read_data(
    source: str | os.PathLike[str], *, format: str | None = None, by_id: bool = False, **options: Any
) -> RawTable | Table | IdTable:
    """Read a table of any kind, found by its content.

    Parameters
    ----------
    source : str or path-like
        ``embedded:NAME``, a file, or ``"-"`` for standard input. A file that starts with the mark of Parquet is
        Parquet; one whose first line of data looks like ``+1 3:1 11:1``, after lines of a label alone, is svmlight; any
        other is delimited text. So is one of labels alone, unless an option of svmlight is given.
    format : {"csv", "svmlight", "parquet"}, optional
        What the file is, whatever it looks like; "csv" is delimited text with any delimiter.
    by_id : bool, default=False
        Whether svmlight is read as rows of the ids that occur, which take no memory for those that do not.
    **options
        Options of the reader: those of `read_table`, `read_svmlight` or `read_parquet`. One that the kind of data
        found has no use for is refused by name; `positive` is checked for every kind.

    Returns
    -------
    RawTable, Table or IdTable
        A RawTable of entries, or a Table for data that is Boolean already: embedded and svmlight, this one as an
        IdTable if ``by_id``.

    Examples
    --------
    >>> read_data("embedded:monks-1").rows.n_rows
    432
    """
    if format is not None and (not isinstance(format, str) or format not in _FORMATS):
        raise SettingError(f"format={shortened(format)}: expected one of {', '.join(_FORMATS)}, or None")
    if isinstance(source, str) and source.startswith(_EMBEDDED_PREFIX):
        named = options if format is None else options | {"format": format}
        _require_options(source, "an embedded table", named)
        table = embedded(source.removeprefix(_EMBEDDED_PREFIX))
        require_classes(source, 1, table.labels, 1, options.get("positive"))
        return table
    with InputStream(source) as stream:
        lines = stream.lines()
        first: list[tuple[int, str]] = []
        kind = _FORMATS[format] if format is not None else ""
        if not kind and stream.head(len(PARQUET_MAGIC)) == PARQUET_MAGIC:
            kind = "Parquet"
        if not kind:
            first = _first_lines(lines)
            is_sparse = bool(first) and (
                is_svmlight_line(first[-1][1])
                or (is_label_line(first[-1][1]) and bool(_SPARSE_OPTIONS & options.keys()))
            )
            kind = "svmlight" if is_sparse else "delimited text"
        _require_options(stream.name, kind, options)
        if kind == "Parquet":
            return parquet_from_stream(stream, **options)
        if kind == "delimited text":
            return table_from_lines(stream.name, chain(first, lines), **options)
        positive = options.pop("positive", None)
        reader = svmlight_by_id if by_id else svmlight_from_lines
        sparse = reader(stream.name, chain(first, lines), **options)
        require_classes(stream.name, None if sparse.lines is None else int(sparse.lines[0]), sparse.labels, 1, positive)
        return sparse


def _first_lines(lines: Iterator[tuple[int, str]]) -> list[tuple[int, str]]:
    """Return the lines up to the first that tells svmlight from other text: one of data, and not of a label alone."""
    first = []
    for line in lines:
        first.append(line)
        is_data = line[1].partition("#")[0].strip(" \t")
        if is_data and (not is_label_line(line[1]) or len(first) >= _MOST_LABEL_LINES):
            break
    return first


def _require_options(source: str, kind: str, options: Mapping[str, object]) -> None:
    for name in options:
        if name not in _OPTIONS[kind]:
            accepted = ", ".join(sorted(_OPTIONS[kind]))
            reason = f"{source}: option {shortened(name)} has no meaning for {kind}, expected one of {accepted}"
            raise OptionError(name, reason)
