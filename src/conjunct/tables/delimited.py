"""Tables as delimited text: comma, tab, semicolon, bar or blanks, with or without a header."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.files.compressed import InputStream, refusal
from conjunct.messages import quoted
from conjunct.tables.column_choice import chosen_columns
from conjunct.tables.entry_reading import AS_FOUND, AS_TEXT, LEFT_OUT, read_entries
from conjunct.tables.labels import find_column, label_array, require_classes, unlabelled_note
from conjunct.tables.number_grammar import MISSING
from conjunct.tables.raw_table import RawTable, RefusedColumn, refused_columns
from conjunct.tables.read_options import ReadOptions
from conjunct.tables.text_header import Header, read_header
from conjunct.tables.typed_columns import typed_column

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from conjunct.tables.column import Column
    from conjunct.tables.column_choice import EntryType

__all__ = ["read_table", "table_from_stream"]


def read_table(source: str | os.PathLike[str], **options: Any) -> RawTable:
    """Read a table of entries separated by commas, tabs, semicolons, bars or blanks.

    Parameters
    ----------
    source : str or path-like
        A file, or ``"-"`` for standard input; gzip, xz and zstd are found by content.
    **options
        Those of `ReadOptions`: delimiter, header, label, categorical, columns, drop, and more.

    Returns
    -------
    RawTable

    Raises
    ------
    OSError
        The file cannot be read.
    BitsError
        The content is refused, as ``FILE:LINE: what is wrong, what was expected``.

    Notes
    -----
    Input is UTF-8 unless ``encoding`` says otherwise. LF ends a line and one CR before it is dropped; a byte order mark
    is dropped; empty lines are skipped, and so are lines that are the header again. Blanks around an entry do not
    belong to it. Except between blanks, an entry that starts with ``"`` ends with the next ``"``, and may hold
    delimiters, line ends (read as LF) and quotes written twice, as in RFC 4180; a quote elsewhere in an entry is a
    plain character. A record that spans lines is named by its first. There are at most 100,000 columns;
    `read_svmlight` takes rows of more variables.

    A column without a name is ``column 3``, the third. It is left out where it numbers or names the rows. What the
    entries of a column are, missing ones, numbers, dates or text, is decided by all of them: see docs/tables.md.
    """
    read = ReadOptions(**options)
    with InputStream(source, read.encoding) as stream:
        return table_from_stream(stream, read)


def table_from_stream(stream: InputStream, options: ReadOptions) -> RawTable:
    """Read a table from an open input; see `read_table`."""
    source = stream.name
    header = read_header(stream, options)
    line, names = header.line, header.names
    label = None if options.label is None else find_column(source, line, names, options.label)
    _require_different(source, line, names)
    if len(names) == 1 and label is not None:
        what = "one column only, expected columns separated by commas, tabs, semicolons, bars or blanks (--delimiter?)"
        raise refusal(source, line, what)
    chosen = chosen_columns(source, line, names, label, options.columns, options.categorical, options.drop)
    if options.columns is None and header.row_names is not None:
        chosen.pop(header.row_names, None)
    missing = {*MISSING, *options.missing}
    as_text = {header.row_names, None if label is None else names[label]}
    keeping = [AS_TEXT if name in as_text else _keeping(chosen, name, options) for name in names]
    reader, n_repeats = None, 0
    if header.start is not None:
        keeping += [AS_TEXT] * header.n_trailing
        reader, n_repeats = read_entries(stream, header, options.header, keeping, missing)
        _core.return_freed_memory()  # the text's, before columns are made
    if reader is None or not reader.n_rows:
        raise refusal(source, line + 1, "nothing after the header, expected at least one row")
    row_lines = np.empty(reader.n_rows, np.int64)
    reader.copy_lines(row_lines)
    if header.row_names is not None and reader.n_spellings(0) < reader.n_rows:
        raise refusal(source, int(row_lines[0]), f"{header.width} cells, expected {header.width - 1} as in the header")
    notes = _require_nothing_after(source, reader, header, row_lines)
    labels = rows = None
    if label is not None:
        codes = np.empty(reader.n_rows, np.int32)
        reader.take_codes(label, codes)
        spellings = [reader.spelling(label, code) for code in range(reader.n_spellings(label))]
        labels, rows = label_array(source, names[label], spellings, codes, row_lines, options)
    columns, refused = _typed(reader, chosen, {name: k for k, name in enumerate(names)}, row_lines, options)
    if refused and not options.keep_refused:
        raise refused_columns(source, refused)
    if options.columns is None:
        numbering = [column.name for column in columns if column.name in header.nameless and _names_rows(column)]
        notes += [f"{name} has no name in the header and tells all rows apart; it is left out" for name in numbering]
        columns = [column for column in columns if column.name not in numbering]
        if header.row_names is not None:
            notes.append("the rows have names, which the header has not; they are left out")
    if n_repeats:
        notes.append(f"lines that repeat the header are left out: {n_repeats}")
    if rows is not None:
        notes.append(unlabelled_note(len(row_lines) - len(rows), len(row_lines)))
        columns, row_lines = [column.take(rows) for column in columns], row_lines[rows]
    if labels is not None:
        require_classes(source, int(row_lines[0]), labels, options.min_classes)
    label_name = None if label is None else names[label]
    return RawTable(tuple(columns), labels, label_name, source, row_lines, notes=tuple(notes), refused=tuple(refused))


def _keeping(chosen: Mapping[str, EntryType], name: str, options: ReadOptions) -> int:
    if name not in chosen:
        return LEFT_OUT
    has_other_numbers = options.decimal is not None or chosen[name] not in (None, "number")
    return AS_TEXT if has_other_numbers else AS_FOUND


def _require_different(source: str, line: int, names: list[str]) -> None:
    """Refuse a header with a name that occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise refusal(
                source, line, f"two columns are named {quoted(name)}, expected different names (--no-header?)"
            )
        seen.add(name)


def _require_nothing_after(source: str, reader: Any, header: Header, row_lines: NDArray[np.int64]) -> list[str]:
    """Refuse an entry after the last name, where the header and the first rows end with delimiters alone."""
    for k in range(len(header.names), header.width):
        codes = np.empty(reader.n_rows, np.int32)
        reader.take_codes(k, codes)
        spellings = [reader.spelling(k, code) for code in range(reader.n_spellings(k))]
        has_text = np.array([text != "" for text in spellings])[codes]
        if has_text.any():
            row = int(np.argmax(has_text))
            what = f"{quoted(spellings[codes[row]])} after the last column that has a name, expected nothing there"
            raise refusal(source, int(row_lines[row]), f"{what} (name the column in the header)")
    what = "a column without a name or an entry ends the rows; it is left out"
    if header.n_trailing > 1:
        what = f"{header.n_trailing} columns without a name or an entry end the rows; they are left out"
    return [what] if header.n_trailing else []


def _names_rows(column: Column) -> bool:
    """Return whether a column tells all rows apart, by a text or a whole number for each."""
    if (column.entry_type == "number" and not column.is_integer) or column.entry_type not in ("number", "text"):
        return False
    return not column.has_missing() and column.n_distinct() == len(column)


def _typed(
    reader: Any,
    chosen: Mapping[str, EntryType],
    numbers: Mapping[str, int],
    row_lines: NDArray[np.int64],
    options: ReadOptions,
) -> tuple[list[Column], list[RefusedColumn]]:
    """Return each column as numbers, dates or text; and those that are refused, with the first line of each."""
    columns: list[Column] = []
    refused: list[RefusedColumn] = []
    for name, wish in chosen.items():
        column, bad = typed_column(reader, numbers[name], name, wish, options)
        columns.append(replace(column, missing_tokens=tuple(options.missing)))
        if bad is not None:
            refused.append(RefusedColumn(name, int(row_lines[bad.row]), bad.reason))
    return columns, refused
