"""Sparse Boolean rows in the svmlight format: ``label id:value id:value ... # comment``."""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING

import numpy as np

from conjunct import tables
from conjunct.bits import IdRows, SparseRows
from conjunct.bits.limits import require_memory
from conjunct.files.compressed import InputStream, refusal
from conjunct.messages import quoted
from conjunct.settings import whole_number
from conjunct.tables.labels import require_classes
from conjunct.tables.number_grammar import int64, is_integer, is_number, number

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from conjunct.tables.table import IdTable, Table

__all__ = ["MAX_ID", "is_label_line", "is_svmlight_line", "read_svmlight", "svmlight_by_id", "svmlight_from_lines"]

MAX_ID = 2**31 - 1

_DATA_LINE = re.compile(
    r"[ \t]*[+-]?[0-9.]++[ \t]++(?:qid|[0-9]++):[^ \t:]*+(?:[ \t]++[0-9]++:[^ \t:]*+)*+[ \t]*+(?:#.*)?"
)
_LABEL_LINE = re.compile(r"[ \t]*[+-]?[0-9.]++[ \t]*+(?:#.*)?")
_PLAIN_LINE = re.compile(r"([+-]?[0-9]{1,18})((?: [0-9]{1,9}:1)*+) ?")  # nearly every line of nearly every file
_ENTRY_BYTES = 24  # an id as it is read, sorted and numbered, as measured
_ROW_BYTES = 64


def read_svmlight(
    source: str | os.PathLike[str],
    *,
    zero_based: bool = False,
    n_variables: int | None = None,
    min_classes: int = 2,
) -> Table:
    """Read sparse Boolean rows; the variable with id i is column i - 1, or column i if ids start at 0.

    Parameters
    ----------
    source : str or path-like
        A file, or ``"-"`` for standard input; gzip, xz and zstd are found by content.
    zero_based : bool, default=False
        Whether ids start at 0; otherwise they start at 1 and id 0 is refused.
    n_variables : int, optional
        The number of variables; a larger id is refused. By default the largest id decides.
    min_classes : int, default=2
        The fewest different labels that are accepted; 1 when scoring rows of one class.

    Returns
    -------
    Table
        Labels as int64.

    Raises
    ------
    OSError
        The file cannot be read.
    BitsError
        The content is refused, as ``FILE:LINE: what is wrong, what was expected``.
    MemoryLimitError
        The rows, packed 64 variables to a word, would pass the memory limit.

    Notes
    -----
    Blank lines and everything from ``#`` on are skipped. A row may have no entry. Ids may come in any order, each at
    most once in a row, up to 2**31 - 1; an entry with value 0 is the same as none; values other than 0 and 1, labels
    that are no integers, and ``qid:`` are refused.
    """
    with InputStream(source) as stream:
        return svmlight_from_lines(
            stream.name, stream.lines(), zero_based=zero_based, n_variables=n_variables, min_classes=min_classes
        )


def is_svmlight_line(text: str) -> bool:
    """Return whether a line has a number and then at least one ``id:value``.

    Examples
    --------
    >>> is_svmlight_line("+1 3:1 11:1"), is_svmlight_line("1 0 1"), is_svmlight_line("a b:1")
    (True, False, False)
    """
    return _DATA_LINE.fullmatch(text) is not None


def is_label_line(text: str) -> bool:
    """Return whether a line has a number and nothing else: a row without ids, or a table of one column.

    Examples
    --------
    >>> is_label_line("+1 # none"), is_label_line("+1 3:1"), is_label_line("age")
    (True, False, False)
    """
    return _LABEL_LINE.fullmatch(text) is not None


def svmlight_from_lines(
    source: str,
    lines: Iterator[tuple[int, str]],
    *,
    zero_based: bool = False,
    n_variables: int | None = None,
    min_classes: int = 2,
) -> Table:
    """Read sparse rows from numbered lines; see `read_svmlight`."""
    if n_variables is not None:
        n_variables = whole_number(n_variables, "n_variables", most=MAX_ID + 1)
    columns, starts, labels, row_lines = _entries(source, lines, zero_based, n_variables, min_classes)
    width = n_variables or int(columns.max(initial=0)) + 1
    need = 8 * len(labels) * -(-width // 64)
    require_memory(need, f"{source}: {len(labels)} rows of {width} variables", "number the variables without gaps")
    rows = SparseRows(starts, columns, width).packed()
    return tables.Table(source, rows, labels, "no rule is known", row_lines)


def svmlight_by_id(
    source: str, lines: Iterator[tuple[int, str]], *, zero_based: bool = False, min_classes: int = 2
) -> IdTable:
    """Read sparse rows from numbered lines; only the ids that occur are variables."""
    columns, starts, labels, row_lines = _entries(source, lines, zero_based, None, min_classes)
    return tables.IdTable(IdRows.of(starts, columns), labels, source, row_lines)


def _entries(
    source: str, lines: Iterator[tuple[int, str]], zero_based: bool, n_variables: int | None, min_classes: int
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the columns of all ones, row by row, where each row starts, its label and its line."""
    first_id = 0 if zero_based else 1
    last_id = MAX_ID if n_variables is None else min(MAX_ID, n_variables - 1 + first_id)
    ids, row_ends, labels, row_lines = array("i"), array("q", [0]), array("q"), array("q")
    n_checked = 0
    for line, text in lines:
        row = _plain_row(text, first_id, last_id)
        if row is None:
            content = text.partition("#")[0].replace("\t", " ").strip(" ")
            if not content:
                continue
            row = _row(source, line, content, first_id, last_id)
        labels.append(row[0])
        row_lines.append(line)
        ids.extend(row[1])
        row_ends.append(len(ids))
        if len(ids) + len(labels) - n_checked > 1 << 16:
            n_checked = len(ids) + len(labels)
            need = _ENTRY_BYTES * len(ids) + _ROW_BYTES * len(labels)
            require_memory(need, f"{source}: the rows up to line {line}", "read fewer rows")
    if not labels:
        raise refusal(source, 1, "no rows, expected lines such as '+1 3:1 11:1'")
    label_values = np.array(labels, dtype=np.int64)
    require_classes(source, row_lines[0], label_values, min_classes)
    columns = np.array(ids, dtype=np.int32) - np.int32(first_id)
    return columns, np.array(row_ends, dtype=np.int64), label_values, np.array(row_lines, dtype=np.int64)


def _plain_row(text: str, first_id: int, last_id: int) -> tuple[int, list[int]] | None:
    """Return label and ids of a line of the most common form; None if it needs a closer look."""
    match = _PLAIN_LINE.fullmatch(text)
    if match is None:
        return None
    ids = list(map(int, match[2].replace(":1", "").split()))
    if ids and (len(set(ids)) != len(ids) or min(ids) < first_id or max(ids) > last_id):
        return None
    return int(match[1]), ids


def _row(source: str, line: int, content: str, first_id: int, last_id: int) -> tuple[int, list[int]]:
    """Return the label and the ids whose value is 1; say what is wrong with the first bad entry."""
    label_text, *entries = [part for part in content.split(" ") if part]
    label = _integral(label_text)
    if label is None:
        raise refusal(source, line, f"label {quoted(label_text)}, expected an integer such as +1 or -1")
    ids: dict[int, bool] = {}
    for entry in entries:
        id_text, colon, value_text = entry.partition(":")
        if id_text == "qid" and colon:
            raise refusal(source, line, f"{quoted(entry)}, expected no qid: rankings are not supported")
        if not (colon and id_text.isascii() and id_text.isdigit() and value_text):
            raise refusal(source, line, f"{quoted(entry)}, expected id:value such as 3:1")
        identifier = int64(id_text)
        if identifier is None or not first_id <= identifier <= last_id:
            advice = " (--zero-based?)" if identifier == 0 else ""
            raise refusal(source, line, f"id {quoted(id_text)}, expected {first_id} to {last_id}{advice}")
        if identifier in ids:
            raise refusal(source, line, f"id {identifier} twice in one row, expected each id once")
        value = number(value_text) if is_number(value_text) else None
        if value not in (0, 1):
            raise refusal(source, line, f"{quoted(entry)}, expected a value of 0 or 1")
        ids[identifier] = value == 1
    return label, [identifier for identifier, is_set in ids.items() if is_set]


def _integral(text: str) -> int | None:
    """Return the integer a number stands for, in any spelling; None if it is none or too large."""
    if is_integer(text):
        return int64(text)
    value = number(text) if is_number(text) else None
    return int(value) if value is not None and value == int(value) and abs(value) < 2**53 else None
