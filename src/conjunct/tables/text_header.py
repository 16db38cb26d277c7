"""What the first lines of a delimited text say: the delimiter, the names of the columns, and what has no name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from conjunct.errors import BitsError
from conjunct.files.compressed import InputStream, refusal
from conjunct.messages import quoted
from conjunct.tables.number_grammar import is_number
from conjunct.tables.records import delimiter_of, records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conjunct.tables.read_options import ReadOptions

__all__ = ["MAX_COLUMNS", "Header", "read_header"]

MAX_COLUMNS = 100_000
ROWS_LOOKED_AT = 2  # after a header, to tell names of rows and trailing delimiters from columns

_DELIMITER_LINE = re.compile(r'"?sep=([^"\r\n])"?')
_FOREIGN = {
    "an ARFF file": (re.compile(r"(?i)\s*@relation\b.*"), "scipy.io.arff.loadarff reads it, and pandas writes CSV"),
    "JSON": (re.compile(r'\s*(\[\s*)?\{\s*(".*)?'), "pandas.read_json reads it (lines=True), and to_csv writes CSV"),
}


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a text before its rows are read.

    Attributes
    ----------
    line : int
        That of the header, or of the first row where there is none.
    names : list of str
        Those of the columns; ``column 3`` for the third where it has none.
    delimiter : str
    start : int or None
        The line of the first row; None where the header is all there is.
    repeated : bytes
        The header as a line, which is no row where it comes again; empty where there is nothing to look for.
    nameless : frozenset of str
        Names that the header does not have.
    row_names : str or None
        The column that the header has no place for, as R writes names of rows.
    n_trailing : int
        How many columns without a name or an entry come after the last name.
    """

    line: int
    names: list[str]
    delimiter: str
    start: int | None
    repeated: bytes = b""
    nameless: frozenset[str] = frozenset()
    row_names: str | None = None
    n_trailing: int = 0

    @property
    def width(self) -> int:
        """The number of entries of a row."""
        return len(self.names) + self.n_trailing


def read_header(stream: InputStream, options: ReadOptions) -> Header:
    """Look at the first lines of a text, without consuming them."""
    source = stream.name
    lines = stream.lines_ahead()
    first = list(islice((line for line in lines if line[1].strip(" \t")), 2))
    if not first:
        what = "the file is empty, expected a header and rows" if options.header else "no rows, expected some"
        raise refusal(source, 1, what)
    _require_delimited(source, *first[0], is_alone=len(first) == 1)
    if first[0][1].startswith("%"):  # a comment of ARFF, or a name
        lines_of_content = (line for line in stream.lines_ahead() if line[1].strip() and not line[1].startswith("%"))
        _require_delimited(source, *next(lines_of_content, first[0]), is_alone=False)
    delimiter = options.delimiter
    if match := _DELIMITER_LINE.fullmatch(first[0][1]):
        delimiter = delimiter or match[1]
        first = [*first[1:], *islice(lines, 1)]
        if not first:
            raise refusal(source, 1, "nothing after the delimiter, expected a header and rows")
    delimiter = delimiter or delimiter_of(*(text for _, text in first))
    following = chain(first, lines)
    line, entries = next(records(source, following, delimiter))
    if len(entries) > MAX_COLUMNS:
        what = f"{len(entries)} columns, expected at most {MAX_COLUMNS}; svmlight takes rows of more variables"
        raise refusal(source, line, what)
    if not options.header:
        return Header(line, [f"x{k}" for k in range(1, len(entries) + 1)], delimiter, line)
    if all(map(is_number, entries)):
        what = f"a header of numbers only, starting {quoted(entries[0])}, expected names of columns (--no-header?)"
        raise refusal(source, line, what)
    start = next(following, None)
    rows = [] if start is None else _first_rows(source, chain([start], following), delimiter)
    is_one_line = len(first) == 2 and start is first[1]
    repeated = first[0][1].encode() if is_one_line and len(entries) > 1 else b""
    return _named(line, entries, rows, delimiter, None if start is None else start[0], repeated)


def _named(
    line: int, entries: list[str], rows: list[list[str]], delimiter: str, start: int | None, repeated: bytes
) -> Header:
    """Give a name to what the header leaves without one; find what is no column."""
    has_row_names = False
    if rows and all(len(row) == len(entries) + 1 for row in rows):
        has_row_names = any(row[-1] for row in rows)
        entries = ["", *entries] if has_row_names else [*entries, ""]
    n_trailing = 0
    while n_trailing + 1 < len(entries) and not any(
        row[-1 - n_trailing] for row in [entries, *rows] if len(row) > n_trailing
    ):
        n_trailing += 1
    names = entries[: len(entries) - n_trailing]
    nameless = {k: f"column {k + 1}" for k, name in enumerate(names) if not name}
    names = [nameless.get(k, name) for k, name in enumerate(names)]
    row_names = names[0] if has_row_names else None
    return Header(line, names, delimiter, start, repeated, frozenset(nameless.values()), row_names, n_trailing)


def _first_rows(source: str, lines: Iterator[tuple[int, str]], delimiter: str) -> list[list[str]]:
    """Return the first rows; none where they are refused, which is left to whoever reads them all."""
    try:
        return [entries for _, entries in islice(records(source, lines, delimiter), ROWS_LOOKED_AT)]
    except BitsError:
        return []


def _require_delimited(source: str, line: int, text: str, *, is_alone: bool) -> None:
    """Refuse by name what is another format; the line may be alone in its file."""
    for what, (pattern, remedy) in _FOREIGN.items():
        if pattern.fullmatch(text):
            raise refusal(source, line, f"{what}, expected delimited text or svmlight; {remedy}")
    if "\r" in text and is_alone:
        what = "a carriage return within the line, expected lines that end with LF (tr '\\r' '\\n' mends a Mac's file)"
        raise refusal(source, line, what)
