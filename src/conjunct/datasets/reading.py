"""Whatever a user names as data: an embedded table, svmlight, Parquet or delimited text."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from conjunct.datasets.registry import embedded
from conjunct.errors import OptionError, SettingError
from conjunct.files.compressed import InputStream
from conjunct.messages import shortened
from conjunct.tables.delimited import table_from_stream
from conjunct.tables.parquet import PARQUET_MAGIC, parquet_from_stream
from conjunct.tables.read_options import ReadOptions
from conjunct.tables.svmlight import is_label_line, is_svmlight_line, svmlight_by_id, svmlight_from_lines

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

    from conjunct.tables.raw_table import RawTable
    from conjunct.tables.table import IdTable, Table

__all__ = ["read_data"]

_EMBEDDED_PREFIX = "embedded:"
_COLUMN_OPTIONS = {"label", "categorical", "columns", "drop", "min_classes", "missing", "skip_unlabelled"}
_SPARSE_OPTIONS = {"zero_based", "n_variables"}
_OPTIONS = {
    "an embedded table": set(),
    "svmlight": _SPARSE_OPTIONS | {"min_classes", "encoding"},
    "Parquet": _COLUMN_OPTIONS,
    "delimited text": _COLUMN_OPTIONS | {"delimiter", "header", "decimal", "dates", "encoding"},
}
_FORMATS = {"csv": "delimited text", "svmlight": "svmlight", "parquet": "Parquet"}
_MOST_LABEL_LINES = 100_000


def read_data(
    source: str | os.PathLike[str],
    *,
    format: str | None = None,
    by_id: bool = False,
    encoding: str | None = None,
    keep_refused: bool = False,
    **options: Any,
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
    encoding : str, optional
        How the text is encoded, such as ``"latin-1"`` or ``"utf-16"``; UTF-8 by default.
    keep_refused : bool, default=False
        Whether columns that are refused are kept, as text, and named in the `refused` of a RawTable.
    **options
        Options of the reader: those of `read_table`, `read_svmlight` or `read_parquet`. One that the kind of data
        found has no use for is refused by name.

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
        return embedded(source.removeprefix(_EMBEDDED_PREFIX))
    with InputStream(source, encoding) as stream:
        kind = _FORMATS[format] if format is not None else _found_kind(stream, bool(_SPARSE_OPTIONS & options.keys()))
        _require_options(stream.name, kind, options if encoding is None else options | {"encoding": encoding})
        if kind == "Parquet":
            return parquet_from_stream(stream, ReadOptions(**options, keep_refused=keep_refused))
        if kind == "delimited text":
            return table_from_stream(stream, ReadOptions(**options, keep_refused=keep_refused))
        reader = svmlight_by_id if by_id else svmlight_from_lines
        return reader(stream.name, stream.lines(), **options)


def _found_kind(stream: InputStream, has_sparse_options: bool) -> str:
    """Say what an input is by its first bytes: a mark, or a line that tells svmlight from other text."""
    if stream.head(len(PARQUET_MAGIC)) == PARQUET_MAGIC:
        return "Parquet"
    line = _telling_line(stream.lines_ahead())
    is_sparse = is_svmlight_line(line) or (has_sparse_options and is_label_line(line))
    return "svmlight" if is_sparse else "delimited text"


def _telling_line(lines: Iterator[tuple[int, str]]) -> str:
    """Return the first line of data that is not a label alone; where there is none, the last line looked at."""
    text = ""
    for _, text in islice(lines, _MOST_LABEL_LINES):
        if text.partition("#")[0].strip(" \t") and not is_label_line(text):
            break
    return text


def _require_options(source: str, kind: str, options: Mapping[str, object]) -> None:
    for name in options:
        if name not in _OPTIONS[kind]:
            accepted = ", ".join(sorted(_OPTIONS[kind]))
            reason = f"{source}: option {shortened(name)} has no meaning for {kind}, expected one of {accepted}"
            raise OptionError(name, reason)
