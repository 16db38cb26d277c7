"""Labels of tables that were read: which column, what type, how many classes, which is positive."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.errors import BitsError, RowError
from conjunct.files.compressed import refusal
from conjunct.messages import nearest_names, quoted
from conjunct.tables.number_grammar import MISSING, int64, is_integer, is_plain_integer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["LAST", "find_column", "label_array", "refused_row", "require_classes", "unknown_column"]

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
) -> NDArray[Any]:
    """Return the labels as int64 where all are plain integers, no two spelled apart; otherwise as text, as written.

    The label of a row is the spelling that its code numbers.
    """
    is_missing = np.array([text in MISSING for text in spellings])
    if is_missing.any():
        row = int(np.argmax(is_missing[codes]))
        what = f"label column {quoted(name)} has {quoted(spellings[codes[row]])}"
        raise refused_row(source, lines, RowError(what, row, "expected a label in every row"))
    numbers = [int64(text) if is_plain_integer(text) else None for text in spellings]
    if None not in numbers and len(set(numbers)) == len(spellings):
        return np.array(numbers, np.int64)[codes]
    width = max(map(len, spellings))
    require_memory(4 * width * len(codes), f"{source}: the labels {quoted(name)}", "choose another label column")
    return np.array(spellings, dtype=f"<U{width}")[codes]


def require_classes(source: str, line: int | None, labels: NDArray[Any], min_classes: int) -> None:
    """Refuse fewer classes than wanted."""
    classes: list[str | int] = np.unique(labels).tolist()
    if len(classes) < min_classes:
        what = f"every row has the label {quoted(classes[0])}, expected at least {min_classes} classes"
        raise refusal(source, line, what)
