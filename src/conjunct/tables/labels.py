"""Labels of tables that were read: which column, what type, how many classes, which is positive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.errors import BitsError, RowError
from conjunct.files.compressed import refusal
from conjunct.messages import nearest_names, quoted
from conjunct.tables.number_grammar import MISSING_LABELS, int64, is_integer, is_plain_integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from conjunct.tables.read_options import ReadOptions

__all__ = ["LAST", "find_column", "label_array", "refused_row", "require_classes", "unknown_column", "unlabelled_note"]

LAST = -1


def find_column(source: str, line: int | None, names: Sequence[str], label: str | int) -> int:
    """Return the index of the label column: a name, ``first``, ``last``, or an index from 0 (also in digits) or -1.

    A column of that name comes before a position.
    """
    if label == LAST or (label in ("first", "last") and label not in names):
        place = 0 if label == "first" else len(names) - 1
        label = names[place]
        if names.count(label) == 1:
            return place
    if isinstance(label, str) and (n_found := names.count(label)):
        if n_found > 1:
            what = f"{n_found} label columns named {quoted(label)}, expected one (--no-header?)"
            raise refusal(source, line, what)
        return names.index(label)
    if isinstance(label, int) or (is_integer(label) and len(label) <= 10):
        if not isinstance(label, bool) and 0 <= int(label) < len(names):
            return int(label)
        what = f"no column with index {label}, expected a label column from 0 to {len(names) - 1}"
        raise refusal(source, line, what)
    raise unknown_column(source, line, names, label)


def unknown_column(source: str, line: int | None, names: Sequence[str], wish: str) -> BitsError:
    """Return the refusal of a name that no column has; it lists the nearest names."""
    nearest = nearest_names(wish, names)[:5]
    return refusal(
        source, line, f"no column is named {quoted(wish)}, expected one such as {', '.join(map(quoted, nearest))}"
    )


def refused_row(source: str, lines: Sequence[int] | NDArray[np.int64] | None, error: RowError) -> BitsError:
    """Return what is refused about a row, named by its line; by its number, from 1, where rows are no lines.

    Examples
    --------
    >>> error = RowError("column 'age' has 'old'", 1, "expected a number")
    >>> print(refused_row("t.csv", [2, 5], error))
    t.csv:5: column 'age' has 'old', expected a number
    >>> print(refused_row("t.parquet", None, error))
    t.parquet: row 2: column 'age' has 'old', expected a number
    """
    what = f"{error.what}, {error.reason}"
    if lines is None:
        return refusal(source, None, f"row {error.row + 1}: {what}")
    return refusal(source, int(lines[error.row]), what)


def label_array(
    source: str,
    name: str,
    spellings: Sequence[str],
    codes: NDArray[np.int32],
    lines: Sequence[int] | NDArray[np.int64] | None,
    options: ReadOptions,
) -> tuple[NDArray[Any], NDArray[np.int64] | None]:
    """Return the labels as int64 where all are plain integers, no two spelled apart; otherwise as text, as written.

    The label of a row is the spelling that its code numbers. Rows without a label are refused, or skipped: then the
    others are returned beside their labels.
    """
    is_missing = np.array([text in MISSING_LABELS or text in options.missing for text in spellings])
    rows = None
    if is_missing.any():
        has_none = is_missing[codes]
        n_missing, row = int(np.count_nonzero(has_none)), int(np.argmax(has_none))
        reason = f"expected a label in every row; {n_missing} of {len(codes)} have none"
        if not options.skip_unlabelled or n_missing == len(codes):
            hint = "" if n_missing == len(codes) else " (--skip-unlabelled leaves them out)"
            what = f"label column {quoted(name)} has {quoted(spellings[codes[row]])}"
            raise refused_row(source, lines, RowError(what, row, reason + hint))
        rows = np.flatnonzero(~has_none)
        spellings = [text for text, is_none in zip(spellings, is_missing, strict=True) if not is_none]
        codes = (np.cumsum(~is_missing) - 1)[codes[rows]].astype(np.int32)
    numbers = [int64(text) if is_plain_integer(text) else None for text in spellings]
    if None not in numbers and len(set(numbers)) == len(spellings):
        return np.array(numbers, np.int64)[codes], rows
    width = max(map(len, spellings))
    require_memory(4 * width * len(codes), f"{source}: the labels {quoted(name)}", "choose another label column")
    return np.array(spellings, dtype=f"<U{width}")[codes], rows


def unlabelled_note(n_rows: int, n_all: int) -> str:
    """Say how many rows were skipped for want of a label."""
    return f"rows without a label are left out: {n_rows} of {n_all}"


def require_classes(source: str, line: int | None, labels: NDArray[Any], min_classes: int) -> None:
    """Refuse fewer classes than wanted."""
    if min_classes <= 1:
        return
    classes: list[str | int] = np.unique(labels).tolist()
    if len(classes) < min_classes:
        what = f"every row has the label {quoted(classes[0])}, expected at least {min_classes} classes"
        raise refusal(source, line, what)
