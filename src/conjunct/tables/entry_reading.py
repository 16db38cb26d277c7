"""The entries of a delimited text, split by the core where it is regular and by plain Python elsewhere."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING, Any

from conjunct import _core
from conjunct.bits.limits import require_memory
from conjunct.errors import BitsError
from conjunct.files.compressed import InputStream, count_line_ends, lines_of, refusal
from conjunct.messages import quoted
from conjunct.tables.records import DELIMITERS, records

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from conjunct.tables.text_header import Header

__all__ = ["AS_FOUND", "AS_TEXT", "LEFT_OUT", "read_entries"]

BYTES_PER_ENTRY = 8  # as a number; a code takes half
RECORDS_PER_STEP = 4096
LONGEST_RECORD_BYTES = 4 << 20  # beyond it, records that span blocks of text are split by plain Python

LEFT_OUT, AS_TEXT, AS_FOUND = range(3)  # how the core keeps a column


def read_entries(
    stream: InputStream, header: Header, has_header: bool, keeping: list[int], missing: Collection[str]
) -> tuple[Any, int]:
    """Return a reader that holds all records after the header, and how often the header came again among them.

    The core splits what is regular. Where it meets something else, or a delimiter that is not ASCII, the text is read
    anew by plain Python, which refuses it or reads it. It is also read anew where a column was numbers for long, which
    are kept without their spellings, and then text.
    """
    assert header.start is not None
    text, delimiter, start, width = _KeptText(stream, header), header.delimiter, header.start, len(keeping)
    whose = "the header" if has_header else "the first row"
    while True:
        reader = _core.EntryReader(keeping, sorted(missing))
        if not delimiter.isascii() or not _read_blocks(text, reader, delimiter, start, width):
            reader = _core.EntryReader(keeping, sorted(missing))
            _read_lines(text, reader, delimiter, start, width, whose)
        failed = reader.failed()
        if not failed:
            reader.close()
            return reader, text.n_repeats
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


def _read_lines(text: _KeptText, reader: Any, delimiter: str, start: int, width: int, whose: str) -> None:
    """Read the records from line `start` on by plain Python; refuse rows of another width."""
    lines = (line for number, block, _ in text.blocks() for line in lines_of(number, block) if line[0] >= start)
    numbered = records(text.source, lines, delimiter)
    while step := list(islice(_of_width(text.source, numbered, width, delimiter, whose), RECORDS_PER_STEP)):
        reader.append(
            [list(column) for column in zip(*(entries for _, entries in step), strict=True)], [n for n, _ in step]
        )
        text.require_memory(reader.n_rows * width, step[-1][0])


def _of_width(
    source: str, numbered: Iterable[tuple[int, list[str]]], width: int, delimiter: str, whose: str
) -> Iterator[tuple[int, list[str]]]:
    """Yield records; refuse the first of another width."""
    for line, entries in numbered:
        if len(entries) != width:
            text = delimiter.join(entries)
            other = next((sign for sign in DELIMITERS if sign != delimiter and text.count(sign) == width - 1), None)
            hint = "" if other is None else f"; with {quoted(other)} it has {width}: write all rows with one delimiter"
            raise refusal(source, line, f"{len(entries)} cells, expected {width} as in {whose}{hint}")
        yield line, entries


class _KeptText:
    """The text of an input, kept while it is read, so that it can be read again.

    A header that comes again becomes a blank line, which is no record; they are counted.
    """

    def __init__(self, stream: InputStream, header: Header) -> None:
        self.source = stream.name
        self._stream = stream.blocks()
        self._blocks: list[tuple[int, bytes]] = []
        self._fault: BitsError | None = None
        self._is_whole = False
        self._n_bytes = 0
        self._start, self._header = header.start or 0, header.repeated
        self.n_repeats = 0

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
                self._blocks.append(self._without_header(*block))
                self._n_bytes += len(block[1])
        return index < len(self._blocks)

    def _without_header(self, number: int, block: bytes) -> tuple[int, bytes]:
        """Blank the lines of rows that are the header once more, as where files were put one after the other."""
        n_own = 1 if number < self._start else 0
        if not self._header or block.count(self._header) <= n_own:
            return number, block
        begin = _offset_of_line(block, self._start - number) if n_own else 0
        rows, n_repeats = re.subn(rb"(?m)^" + re.escape(self._header) + rb"(?=\r?$)", b"", block[begin:])
        self.n_repeats += n_repeats
        return number, block[:begin] + rows
