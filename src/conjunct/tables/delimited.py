"""Tables as delimited text: comma, tab or blanks, with or without a header."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.errors import SettingError
from conjunct.files.compressed import MAX_LINE_BYTES, InputStream, refusal
from conjunct.messages import quoted, shortened
from conjunct.tables.column_choice import CellTypes, chosen_columns
from conjunct.tables.labels import LAST, find_column, label_array, require_classes
from conjunct.tables.number_grammar import MISSING, int64, is_integer, is_number, number
from conjunct.tables.raw_table import Column, RawTable

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Mapping, Sequence

__all__ = ["read_table", "table_from_lines"]

MAX_COLUMNS = 100_000

_BLOCK_ROWS = 4096
_CELL_BYTES = 64  # of a short text object and the places that point at it


def read_table(
    source: str | os.PathLike[str],
    *,
    delimiter: str | None = None,
    label: str | int | None = LAST,
    header: bool = True,
    positive: str | int | None = None,
    categorical: Sequence[str] = (),
    columns: CellTypes | None = None,
    drop: Sequence[str] = (),
    min_classes: int = 2,
) -> RawTable:
    """Read a table of cells separated by commas, tabs or blanks.

    Parameters
    ----------
    source : str or path-like
        A file, or ``"-"`` for standard input; gzip, xz and zstd are found by content.
    delimiter : str, optional
        One character; ``" "`` means runs of blanks and tabs. By default the first line decides: a tab, otherwise a
        comma, otherwise blanks; where it has both tabs and commas, the one that gives the next line as many cells.
    label : str, int or None, default=-1
        The label column: a name, ``"first"``, ``"last"``, or an index from 0 or -1, the last; a column that has the
        name comes before a position. None reads a table without labels.
    header : bool, default=True
        Whether the first line names the columns. Without it they are x1, x2, ...
    positive : str or int, optional
        The label to call positive; it must occur.
    categorical : sequence of str, optional
        Columns to read as text even if their cells look like numbers.
    columns : mapping of str to str or None, optional
        The columns to read, and what their cells must be: ``"text"``, ``"number"``, or None for what is found. What
        other columns hold does not matter. By default all are read, as found.
    drop : sequence of str, optional
        Columns to leave out; what they hold does not matter.
    min_classes : int, default=2
        The fewest different labels that are accepted; 1 when scoring rows of one class.

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
    skipped. Blanks around a cell do not belong to it. Except between blanks, a cell that starts with ``"`` ends with
    the next ``"``, and may hold delimiters, line ends (read as LF) and quotes written twice, as in RFC 4180; a quote
    elsewhere in a cell is a plain character. A record that spans lines is named by its first. There are at most
    100,000 columns; `read_svmlight` takes rows of more variables.

    A cell is missing when it is empty, ``?``, ``NA``, ``NaN``, ``nan`` or ``null``, quoted or not. A column is numeric
    when all its other cells are numbers: ASCII digits with at most one sign, point and exponent. Its cells become
    integers if all are spelled as such (64 bits), otherwise floats. Any other column is text; but when the cells
    that are no numbers are at most a tenth of a column, or a single one against at least four numbers, this is
    taken for a mistake and refused; `categorical` says that it is none. Labels are integers where each is spelled as
    Python prints it (not 01, +1 or -0; 64 bits), otherwise text, exactly as written.
    """
    with InputStream(source) as stream:
        return table_from_lines(
            stream.name,
            stream.lines(),
            delimiter=delimiter,
            label=label,
            header=header,
            positive=positive,
            categorical=categorical,
            columns=columns,
            drop=drop,
            min_classes=min_classes,
        )


def table_from_lines(
    source: str,
    lines: Iterator[tuple[int, str]],
    *,
    delimiter: str | None = None,
    label: str | int | None = LAST,
    header: bool = True,
    positive: str | int | None = None,
    categorical: Sequence[str] = (),
    columns: CellTypes | None = None,
    drop: Sequence[str] = (),
    min_classes: int = 2,
) -> RawTable:
    """Read a table from numbered lines; see `read_table`."""
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise SettingError(f'delimiter={shortened(delimiter)}: expected one character, such as ",", "\\t" or " "')
    first = list(islice((line for line in lines if line[1].strip(" \t")), 2))
    if not first:
        raise refusal(
            source, 1, "the file is empty, expected a header and rows" if header else "no rows, expected some"
        )
    delimiter = delimiter or _delimiter(*(text for _, text in first))
    records = _records(source, chain(first, lines), delimiter)
    line, cells = next(records)
    if len(cells) > MAX_COLUMNS:
        what = f"{len(cells)} columns, expected at most {MAX_COLUMNS}; svmlight takes rows of more variables"
        raise refusal(source, line, what)
    names = _header(source, line, cells) if header else [f"x{place}" for place in range(1, len(cells) + 1)]
    place = None if label is None else find_column(source, line, names, label)
    if header:
        _require_names(source, line, names)
    else:
        records = chain([(line, cells)], records)
    if len(names) == 1 and place is not None:
        what = "one column only, expected columns separated by commas, tabs or blanks (--delimiter?)"
        raise refusal(source, line, what)
    chosen = chosen_columns(source, line, names, place, columns, categorical, drop)
    texts, row_lines = _columns(source, records, len(names), line if header else None)
    if not row_lines:
        raise refusal(source, line + 1, "nothing after the header, expected at least one row")
    labels = label_name = None
    if place is not None:
        label_name = names[place]
        labels = label_array(source, texts[place], row_lines, label_name)
    text_of = dict(zip(names, texts, strict=True))
    typed = _typed_columns(source, chosen, text_of, row_lines)
    if labels is not None:
        positive = require_classes(source, row_lines[0], labels, min_classes, positive)
    return RawTable(tuple(chosen), typed, labels, label_name, source, np.array(row_lines, dtype=np.int64), positive)


def _delimiter(first: str, second: str = "") -> str:
    """Return the character that separates the cells of the first line."""
    found = [sign for sign in "\t," if sign in first]
    if len(found) == 2:
        found = [sign for sign in found if first.count(sign) == second.count(sign)] or found
    return found[0] if found else " "


def _records(source: str, lines: Iterable[tuple[int, str]], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each record with the line on which it starts; empty lines are no records."""
    if delimiter == " ":
        for line, text in lines:
            if cells := [cell for cell in text.replace("\t", " ").split(" ") if cell]:
                yield line, cells
        return
    blanks = " " if delimiter == "\t" else " \t"
    numbered = iter(lines)
    for line, text in numbered:
        if '"' in text:
            yield line, _quoted_cells(source, line, text, numbered, delimiter, blanks)
        elif " " in text or "\t" in text:
            if text.strip(blanks):
                yield line, [cell.strip(blanks) for cell in text.split(delimiter)]
        elif text:
            yield line, text.split(delimiter)


def _quoted_cells(
    source: str, line: int, text: str, lines: Iterator[tuple[int, str]], delimiter: str, blanks: str
) -> list[str]:
    """Return the cells of a record that has a quote, reading on over line ends between quotes."""
    cells: list[str] = []
    position = 0
    while True:
        begin = position
        while text[begin : begin + 1] in blanks and begin < len(text):
            begin += 1
        if text.startswith('"', begin):
            content, text, position = _quoted_cell(source, line, text, begin + 1, lines)
            cell, position, is_last = _next_cell(text, position, delimiter)
            if cell.strip(blanks):
                what = f"{quoted(cell)} after a closing quote, expected {quoted(delimiter)} or the end of the line"
                raise refusal(source, line, what)
        else:
            cell, position, is_last = _next_cell(text, position, delimiter)
            content = cell.strip(blanks)
        cells.append(content)
        if is_last:
            return cells


def _next_cell(text: str, position: int, delimiter: str) -> tuple[str, int, bool]:
    """Return what stands before the next delimiter, the place after it, and whether the line ends instead."""
    end = text.find(delimiter, position)
    return (text[position:], len(text), True) if end < 0 else (text[position:end], end + 1, False)


def _quoted_cell(
    source: str, line: int, text: str, position: int, lines: Iterator[tuple[int, str]]
) -> tuple[str, str, int]:
    """Return the content of the quotes opened before the position, the line they end on, and where on it."""
    parts: list[str] = []
    n_characters = 0
    while True:
        end = text.find('"', position)
        if end >= 0 and text.startswith('""', end):
            parts.append(text[position : end + 1])
            position = end + 2
        elif end >= 0:
            parts.append(text[position:end])
            return "".join(parts), text, end + 1
        else:
            parts.append(text[position:] + "\n")
            n_characters += len(parts[-1])
            _, following = next(lines, (0, None))
            if following is None or n_characters > MAX_LINE_BYTES:
                raise refusal(source, line, "a quote is opened and not closed, expected a closing quote")
            text, position = following, 0


def _header(source: str, line: int, cells: list[str]) -> list[str]:
    if all(map(is_number, cells)):
        what = f"a header of numbers only, starting {quoted(cells[0])}, expected names of columns (--no-header?)"
        raise refusal(source, line, what)
    return cells


def _require_names(source: str, line: int, names: list[str]) -> None:
    """Refuse a header with an empty name or one that occurs twice."""
    seen: set[str] = set()
    for place, name in enumerate(names, 1):
        if not name:
            raise refusal(source, line, f"column {place} of {len(names)} has no name, expected a name for each")
        if name in seen:
            raise refusal(
                source, line, f"two columns are named {quoted(name)}, expected different names (--no-header?)"
            )
        seen.add(name)


def _columns(
    source: str, records: Iterator[tuple[int, list[str]]], width: int, header_line: int | None
) -> tuple[list[list[str]], list[int]]:
    """Return the text of each column and the line of each row; refuse rows of another width."""
    columns: list[list[str]] = [[] for _ in range(width)]
    row_lines: list[int] = []
    block: list[list[str]] = []
    for line, cells in records:
        if len(cells) != width:
            whose = "the first row" if header_line is None else "the header"
            raise refusal(source, line, f"{len(cells)} cells, expected {width} as in {whose}")
        block.append(cells)
        row_lines.append(line)
        if len(block) == _BLOCK_ROWS:
            _append(columns, block)
            block = []
            need = len(row_lines) * width * _CELL_BYTES
            require_memory(need, f"{source}: the table up to line {line}", "read fewer rows or columns")
    _append(columns, block)
    return columns, row_lines


def _append(columns: list[list[str]], block: list[list[str]]) -> None:
    for column, cells in zip(columns, zip(*block, strict=True), strict=bool(block)):
        column.extend(cells)


def _typed_columns(
    source: str, chosen: CellTypes, text_of: Mapping[str, list[str]], row_lines: list[int]
) -> tuple[Column, ...]:
    """Return each column as integers, floats or text; of the cells that are refused, name the one that comes first."""
    typed: list[Column] = []
    refused: list[tuple[int, str]] = []
    for name, cell_type in chosen.items():
        cells = text_of[name]
        column, bad, expected = _typed(cells, cell_type)
        typed.append(column)
        if bad is not None:
            place = next(place for place, cell in enumerate(cells) if cell in bad)
            if cell_type is None:
                expected += f" (--categorical {quoted(name)[1:-1]} reads it as text)"
            refused.append((row_lines[place], f"column {quoted(name)} has {quoted(cells[place])}, {expected}"))
    if refused:
        raise refusal(source, *min(refused))
    return tuple(typed)


def _typed(cells: list[str], cell_type: str | None) -> tuple[Column, frozenset[str] | None, str]:
    """Return a column by type, and the spellings to refuse, if any, with what was expected."""
    present = set(cells) - MISSING
    texts = frozenset(text for text in present if not is_number(text))
    if cell_type == "text" or texts or not present:
        is_mistake = cell_type == "number" or (cell_type is None and _is_mistake(cells, texts))
        bad = texts or None if is_mistake else None
        values: dict[str, str | float | None] = {text: text for text in present}
    elif all(map(is_integer, present)):
        values = {text: int64(text) for text in present}
        bad = frozenset(text for text, value in values.items() if value is None) or None
    else:
        values = {text: number(text) for text in present}
        bad = frozenset(text for text, value in values.items() if value is None) or None
    expected = "expected numbers of 64 bits"
    if texts:
        expected = "expected a number" if cell_type == "number" else "expected a number like its other cells"
    values.update(dict.fromkeys(MISSING))
    return [values[cell] for cell in cells], bad, expected


def _is_mistake(cells: list[str], texts: frozenset[str]) -> bool:
    """Return whether the cells that are no numbers are so few that the column was meant to be numeric."""
    n_text = sum(cell in texts for cell in cells)
    n_present = sum(cell not in MISSING for cell in cells)
    return n_text > 0 and (10 * n_text <= n_present or (n_text == 1 and n_present > 4))
