"""Labels of tables that were read: which column, what type, how many classes, which is positive."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.datasets.number_grammar import MISSING, int64, is_integer
from conjunct.files.compressed import refusal, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from conjunct.errors import BitsError

__all__ = ["find_column", "label_array", "require_classes", "unknown_column"]


def find_column(source: str, line: int, names: Sequence[str], label: str | int) -> int:
    """Return the index of the label column: ``first``, ``last``, a name, or an index from 0 (also in digits)."""
    if label in ("first", "last"):
        place = 0 if label == "first" else len(names) - 1
        label = names[place]
        if names.count(label) == 1:
            return place
    if isinstance(label, str) and (n_found := names.count(label)):
        if n_found > 1:
            what = f"{n_found} label columns named {shown(label)}, expected one (--no-header?)"
            raise refusal(source, line, what)
        return names.index(label)
    if isinstance(label, int) or (is_integer(label) and len(label) <= 10):
        if not isinstance(label, bool) and 0 <= int(label) < len(names):
            return int(label)
        what = f"no column with index {label}, expected a label column from 0 to {len(names) - 1}"
        raise refusal(source, line, what)
    raise unknown_column(source, line, names, label)


def unknown_column(source: str, line: int, names: Sequence[str], wish: str) -> BitsError:
    """Return the refusal of a name that no column has; it lists the nearest names."""
    nearest = sorted(names, key=lambda name: -SequenceMatcher(None, name.lower(), wish.lower()).ratio())[:5]
    return refusal(
        source, line, f"no column is named {shown(wish)}, expected one such as {', '.join(map(shown, nearest))}"
    )


def label_array(source: str, cells: Sequence[str], lines: Sequence[int], name: str) -> NDArray[Any]:
    """Return the labels as int64 where every one is spelled as an integer of 64 bits, otherwise as text."""
    distinct = set(cells)
    if missing := distinct & MISSING:
        place = next(place for place, cell in enumerate(cells) if cell in missing)
        what = f"label column {shown(name)} has {shown(cells[place])}, expected a label in every row"
        raise refusal(source, lines[place], what)
    values = {text: int64(text) for text in distinct if is_integer(text)}
    if len(values) == len(distinct) and None not in values.values():
        return np.array([values[cell] for cell in cells], dtype=np.int64)
    width = max(map(len, distinct))
    require_memory(4 * width * len(cells), f"{source}: the labels {shown(name)}", "choose another label column")
    return np.array(cells, dtype=f"<U{width}")


def require_classes(
    source: str, line: int, labels: NDArray[Any], min_classes: int, positive: str | int | None
) -> str | int | None:
    """Refuse fewer classes than wanted, or a positive label that does not occur; return that label as it occurs."""
    classes: list[str | int] = np.unique(labels).tolist()
    if len(classes) < min_classes:
        what = f"every row has the label {shown(classes[0])}, expected at least {min_classes} classes"
        raise refusal(source, line, what)
    if positive is None:
        return None
    wish = str(positive)
    for known in classes:
        if str(known) == wish or (isinstance(known, int) and is_integer(wish) and int64(wish) == known):
            return known
    listed = ", ".join(map(shown, classes[:5])) + (", ..." if len(classes) > 5 else "")
    raise refusal(source, line, f"no row has the positive label {shown(wish)}, expected one of {listed}")
