"""Tables as Parquet files, with the packages of the extra ``parquet``."""

from __future__ import annotations

import io
import math
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.errors import RowError
from conjunct.files.compressed import InputStream, refusal
from conjunct.messages import quoted
from conjunct.tables.column import Column
from conjunct.tables.column_choice import chosen_columns
from conjunct.tables.entries import LARGEST_INTEGER
from conjunct.tables.labels import find_column, label_array, refused_row, require_classes, unlabelled_note
from conjunct.tables.raw_table import RawTable, RefusedColumn, refused_columns
from conjunct.tables.read_options import ReadOptions

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import narwhals as nw

    from conjunct.tables.column_choice import EntryType

__all__ = ["PARQUET_MAGIC", "parquet_from_stream", "read_parquet"]

PARQUET_MAGIC = b"PAR1"


def read_parquet(source: str | os.PathLike[str], **options: Any) -> RawTable:
    """Read a Parquet file whose columns hold numbers, text or bools.

    Parameters
    ----------
    source : str or path-like
        A file, or ``"-"`` for standard input.
    **options
        Those of `ReadOptions` but delimiter and header.

    Returns
    -------
    RawTable
        Bools become 0 and 1, NaN and null become None; `lines` are the numbers of the rows.

    Raises
    ------
    BitsError
        The content is refused, or the package to read it is missing.
    """
    with InputStream(source) as stream:
        return parquet_from_stream(stream, ReadOptions(**options))


def parquet_from_stream(stream: InputStream, options: ReadOptions) -> RawTable:
    """Read Parquet from an open input; see `read_parquet`."""
    source = stream.name
    frame = _frame(stream)
    names = list(frame.columns)
    if not names or not len(frame):
        raise refusal(source, None, f"{len(names)} columns and {len(frame)} rows, expected at least one of each")
    label = None if options.label is None else find_column(source, None, names, options.label)
    chosen = chosen_columns(source, None, names, label, options.columns, options.categorical, options.drop)
    columns: list[Column] = []
    refused: list[RefusedColumn] = []
    for name, wish in chosen.items():
        try:
            columns.append(_column(name, frame[name], wish, options.missing))
        except RowError as error:
            refused.append(RefusedColumn(name, None, f"row {error.row + 1}: {error.what}, {error.reason}"))
    if refused and not options.keep_refused:
        raise refused_columns(source, refused)
    lines = np.arange(1, len(frame) + 1, dtype=np.int64)
    labels = label_name = None
    notes: tuple[str, ...] = ()
    if label is not None:
        label_name = names[label]
        try:
            entries = _entries(label_name, frame[label_name], None, ())
        except RowError as error:
            raise refused_row(source, None, error) from None
        spellings, codes = np.unique(["" if entry is None else str(entry) for entry in entries], return_inverse=True)
        labels, rows = label_array(source, label_name, spellings.tolist(), codes.astype(np.int32), None, options)
        if rows is not None:
            notes = (unlabelled_note(len(frame) - len(rows), len(frame)),)
            columns, lines = [column.take(rows) for column in columns], lines[rows]
        require_classes(source, None, labels, options.min_classes)
    return RawTable(
        tuple(columns), labels, label_name, source, lines, has_lines=False, notes=notes, refused=tuple(refused)
    )


def _frame(stream: InputStream) -> nw.DataFrame[Any]:
    """Return the table; the format is read from its end, so all bytes are held."""
    import narwhals as nw

    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        what = "a Parquet file, expected the package pyarrow to read it: pip install 'conjunct[parquet]'"
        raise refusal(stream.name, None, what) from None
    content = io.BytesIO()
    for piece in stream.pieces():
        content.write(piece)
        require_memory(2 * content.tell(), f"{stream.name}: the file", "read fewer rows or columns")
    try:
        return nw.from_native(parquet.read_table(content), eager_only=True)
    except (ValueError, OSError) as error:
        what = f"no readable Parquet ({str(error).splitlines()[0][:40]}), expected an intact file"
        raise refusal(stream.name, None, what) from None


def _column(name: str, series: nw.Series[Any], wish: EntryType, missing: Sequence[str]) -> Column:
    entries = _entries(name, series, wish, missing)
    column = replace(Column.read(name, entries), missing_tokens=tuple(missing))
    if column.entry_type != "number" or any(isinstance(entry, float) for entry in entries):
        return column
    is_large = any(entry is not None and abs(entry) > LARGEST_INTEGER for entry in entries)
    return replace(column, is_integer=True, values=np.array(entries, object) if is_large else column.values)


def _entries(name: str, series: nw.Series[Any], wish: EntryType, missing: Sequence[str]) -> list[Any]:
    entries = series.to_list()
    if missing:
        entries = [None if isinstance(entry, str) and entry in missing else entry for entry in entries]
    types = {type(entry) for entry in entries if entry is not None}
    readable = {bool, int, float} if wish == "number" else {bool, int, float, str}
    if types - readable:
        row = next(row for row, entry in enumerate(entries) if entry is not None and type(entry) not in readable)
        expected = "expected numbers" if wish == "number" else "expected numbers, text or bools"
        what = f"column {quoted(name)} holds {type(entries[row]).__name__}"
        raise RowError(what, row, expected)
    if bool in types:
        entries = [None if entry is None else int(entry) for entry in entries]
    if float in types:
        entries = [None if entry is None or math.isnan(entry) else entry for entry in entries]
    return [None if entry is None else str(entry) for entry in entries] if wish == "text" else entries
