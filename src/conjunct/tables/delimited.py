"""Tables as delimited text: comma, tab or blanks, with or without a header."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits.limits import require_memory
from conjunct.errors import BitsError
from conjunct.files.compressed import InputStream, count_line_ends, lines_of, refusal
from conjunct.messages import quoted
from conjunct.tables.column_choice import chosen_columns
from conjunct.tables.labels import find_column, label_array, require_classes
from conjunct.tables.number_grammar import MISSING, is_number
from conjunct.tables.raw_table import RawTable
from conjunct.tables.read_options import ReadOptions
from conjunct.tables.records import delimiter_of, records
from conjunct.tables.typed_columns import typed_column

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping

    from numpy.typing import NDArray

    from conjunct.tables.column import Column

__all__ = ["read_table", "table_from_stream"]

MAX_COLUMNS = 100_000
BYTES_PER_ENTRY = 8  # as a number; a code takes half
RECORDS_PER_STEP = 4096
LONGEST_RECORD_BYTES = 4 << 20  # beyond it, records that span blocks of text are split by plain Python

LEFT_OUT, AS_TEXT, AS_FOUND = range(3)  # how the core keeps a column


def read_table(source: str | os.PathLike[str], **options: Any) -> RawTable:
    """Read a table of entries separated by commas, tabs or blanks.

    Parameters
    ----------
    source : str or path-like
        A file, or ``"-"`` for standard input; gzip, xz and zstd are found by content.
    **options
        Those of `ReadOptions`: delimiter, header, label, categorical, columns, drop, min_classes.

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
    Input is UTF-8. LF ends a line and one CR before it is dropped; a byte order mark is dropped; empty lines are
    skipped. Blanks around an entry do not belong to it. Except between blanks, an entry that starts with ``"`` ends
    with the next ``"``, and may hold delimiters, line ends (read as LF) and quotes written twice, as in RFC 4180; a
    quote elsewhere in an entry is a plain character. A record that spans lines is named by its first. There are at
    most 100,000 columns; `read_svmlight` takes rows of more variables.

    An entry is missing when it is empty, ``?``, ``NA``, ``NaN``, ``nan`` or ``null``, quoted or not. What the entries
    of a column are is decided by all of them: see docs/tables.md.
    """
    with InputStream(source) as stream:
        return table_from_stream(stream, ReadOptions(**options))


def table_from_stream(stream: InputStream, options: ReadOptions) -> RawTable:
    """Read a table from an open input; see `read_table`."""
    source = stream.name
    lines = stream.lines_ahead()
    first = list(islice((line for line in lines if line[1].strip(" \t")), 2))
    if not first:
        what = "the file is empty, expected a header and rows" if options.header else "no rows, expected some"
        raise refusal(source, 1, what)
    delimiter = options.delimiter or delimiter_of(*(text for _, text in first))
    following = chain(first, lines)
    line, entries = next(records(source, following, delimiter))
    if len(entries) > MAX_COLUMNS:
        what = f"{len(entries)} columns, expected at most {MAX_COLUMNS}; svmlight takes rows of more variables"
        raise refusal(source, line, what)
    names = _header(source, line, entries) if options.header else [f"x{k}" for k in range(1, len(entries) + 1)]
    label = None if options.label is None else find_column(source, line, names, options.label)
    if options.header:
        _require_names(source, line, names)
    if len(names) == 1 and label is not None:
        what = "one column only, expected columns separated by commas, tabs or blanks (--delimiter?)"
        raise refusal(source, line, what)
    chosen = chosen_columns(source, line, names, label, options.columns, options.categorical, options.drop)
    start, _ = next(following, (None, "")) if options.header else first[0]
    keeping = [_keeping(chosen, name, is_label=k == label) for k, name in enumerate(names)]
    reader = None
    if start is not None:
        reader = _read(_KeptText(stream), keeping, delimiter, start, line if options.header else None)
        _core.return_freed_memory()  # the text's, before columns are made
    if reader is None or not reader.n_rows:
        raise refusal(source, line + 1, "nothing after the header, expected at least one row")
    row_lines = np.empty(reader.n_rows, np.int64)
    reader.copy_lines(row_lines)
    labels = None
    if label is not None:
        codes = np.empty(reader.n_rows, np.int32)
        reader.take_codes(label, codes)
        spellings = [reader.spelling(label, code) for code in range(reader.n_spellings(label))]
        labels = label_array(source, names[label], spellings, codes, row_lines)
    columns = _typed(source, reader, chosen, {name: k for k, name in enumerate(names)}, row_lines)
    if labels is not None:
        require_classes(source, int(row_lines[0]), labels, options.min_classes)
    return RawTable(columns, labels, None if label is None else names[label], source, row_lines)


def _keeping(chosen: Mapping[str, str | None], name: str, *, is_label: bool) -> int:
    if is_label:
        return AS_TEXT
    if name not in chosen:
        return LEFT_OUT
    return AS_TEXT if chosen[name] == "text" else AS_FOUND


def _read(text: _KeptText, keeping: list[int], delimiter: str, start: int, header_line: int | None) -> Any:
    """Return a reader that holds all records from line `start` on.

    The core splits what is regular. Where it meets something else, or a delimiter that is not ASCII, the text is read
    anew by plain Python, which refuses it or reads it. It is also read anew where a column was numbers for long, which
    are kept without their spellings, and then text.
    """
    while True:
        reader = _core.EntryReader(keeping, sorted(MISSING))
        if not delimiter.isascii() or not _read_blocks(text, reader, delimiter, start, len(keeping)):
            reader = _core.EntryReader(keeping, sorted(MISSING))
            _read_lines(text, reader, delimiter, start, len(keeping), header_line)
        failed = reader.failed()
        if not failed:
            return reader
        for column in failed:
            keeping[column] = AS_TEXT


def _read_blocks(text: _KeptText, reader: Any, delimiter: str, start: int, width: int) -> bool:
    """Let the core read the records from line `start` on; return whether all were regular."""
    rest, rest_line = b"", start
    for line, block, is_last in text.blocks():
        if line < start and line + count_line_ends(block) < start:
            continue
        skipped = _offset_of_line(block, start - line) if line < start else 0
        whole = rest + block if rest else block
        first_line = rest_line if rest else max(line, start)
        n_bytes, n_lines, is_irregular = reader.read(whole, skipped, first_line, delimiter, is_last)
        rest, rest_line = whole[skipped + n_bytes :], first_line + n_lines
        if is_irregular or len(rest) > LONGEST_RECORD_BYTES:
            return False
        text.require_memory(reader.n_rows * width, rest_line)
    return not rest


def _offset_of_line(block: bytes, n_lines: int) -> int:
    """Return where the line begins that has so many before it."""
    offset = 0
    for _ in range(n_lines):
        offset = block.find(b"\n", offset) + 1
        if not offset:
            return len(block)
    return offset


def _read_lines(text: _KeptText, reader: Any, delimiter: str, start: int, width: int, header_line: int | None) -> None:
    """Read the records from line `start` on by plain Python; refuse rows of another width."""
    lines = (line for number, block, _ in text.blocks() for line in lines_of(number, block) if line[0] >= start)
    numbered = records(text.source, lines, delimiter)
    while step := list(islice(_of_width(text.source, numbered, width, header_line), RECORDS_PER_STEP)):
        reader.append(
            [list(column) for column in zip(*(entries for _, entries in step), strict=True)], [n for n, _ in step]
        )
        text.require_memory(reader.n_rows * width, step[-1][0])


def _of_width(
    source: str, numbered: Iterable[tuple[int, list[str]]], width: int, header_line: int | None
) -> Iterator[tuple[int, list[str]]]:
    """Yield records; refuse the first of another width."""
    for line, entries in numbered:
        if len(entries) != width:
            whose = "the first row" if header_line is None else "the header"
            raise refusal(source, line, f"{len(entries)} cells, expected {width} as in {whose}")
        yield line, entries


class _KeptText:
    """The text of an input, kept while it is read, so that it can be read again."""

    def __init__(self, stream: InputStream) -> None:
        self.source = stream.name
        self._stream = stream.blocks()
        self._blocks: list[tuple[int, bytes]] = []
        self._fault: BitsError | None = None
        self._is_whole = False
        self._n_bytes = 0

    def blocks(self) -> Iterator[tuple[int, bytes, bool]]:
        """Yield each block with the number of its first line, and whether it is the last; what is damaged ends it."""
        index = 0
        while self._has(index):
            has_more = self._has(index + 1)
            yield *self._blocks[index], not has_more and self._fault is None
            index += 1
        if self._fault is not None:
            raise self._fault

    def require_memory(self, n_entries: int, line: int) -> None:
        """Refuse a table that takes more memory than there is, text and entries."""
        need = BYTES_PER_ENTRY * n_entries + self._n_bytes
        require_memory(need, f"{self.source}: the table up to line {line}", "read fewer rows or columns")

    def _has(self, index: int) -> bool:
        while index >= len(self._blocks) and not self._is_whole:
            try:
                block = next(self._stream, None)
            except BitsError as fault:
                self._fault, block = fault, None
            if block is None:
                self._is_whole = True
            else:
                self._blocks.append(block)
                self._n_bytes += len(block[1])
        return index < len(self._blocks)


def _header(source: str, line: int, entries: list[str]) -> list[str]:
    if all(map(is_number, entries)):
        what = f"a header of numbers only, starting {quoted(entries[0])}, expected names of columns (--no-header?)"
        raise refusal(source, line, what)
    return entries


def _require_names(source: str, line: int, names: list[str]) -> None:
    """Refuse a header with an empty name or one that occurs twice."""
    seen: set[str] = set()
    for number, name in enumerate(names, 1):
        if not name:
            raise refusal(source, line, f"column {number} of {len(names)} has no name, expected a name for each")
        if name in seen:
            raise refusal(
                source, line, f"two columns are named {quoted(name)}, expected different names (--no-header?)"
            )
        seen.add(name)


def _typed(
    source: str, reader: Any, chosen: Mapping[str, str | None], numbers: Mapping[str, int], row_lines: NDArray[np.int64]
) -> tuple[Column, ...]:
    """Return each column as integers, floats or text; of the entries that are refused, name the first."""
    columns: list[Column] = []
    refused: list[tuple[int, str]] = []
    for name, wish in chosen.items():
        column, bad = typed_column(reader, numbers[name], name, wish)
        columns.append(column)
        if bad is not None:
            refused.append((int(row_lines[bad.row]), bad.reason))
    if refused:
        raise refusal(source, *min(refused))
    return tuple(columns)
