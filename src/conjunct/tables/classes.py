"""Labels as classes: sorted, numbered, and what is no class refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import BitsError, RowError
from conjunct.messages import in_one_line, printable, shortened
from conjunct.tables.entries import is_missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["class_numbers", "numbered_classes", "without_order"]


def class_numbers(y: Any, n_rows: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the sorted classes of labels, one per row, and for every row the number of its class.

    Examples
    --------
    >>> classes, numbers = class_numbers(["no", "yes", "no"], 3)
    >>> classes.tolist(), numbers.tolist()
    (['no', 'yes'], [0, 1, 0])
    """
    with in_one_line("y"):
        labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise BitsError(f"y has the shape {labels.shape}; expected one label per row")
    if len(labels) != n_rows:
        raise BitsError(f"{n_rows} rows need as many labels, got {len(labels)}")
    if labels.dtype.kind not in "biuU":
        for row, label in enumerate(labels.tolist()):
            if is_missing(label):
                raise RowError("y has a missing label", row, "expected a label in every row")
            if isinstance(label, float) and label != round(label):
                raise RowError(f"y has {shortened(label)}", row, "expected classes, not measurements")
    return numbered_classes(labels)


def numbered_classes(labels: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the sorted classes and, for every label, the number of its class; refuse labels without an order."""
    try:
        ends = np.array([labels.min(), labels.max()]) if labels.dtype.kind in "biu" else np.unique(labels)
    except TypeError:
        raise without_order(labels) from None
    is_last = labels == ends[-1]
    if len(ends) == 2 and ends[0] != ends[1] and np.all(is_last | (labels == ends[0])):  # without sorting all of them
        return ends, is_last.astype(np.int64)
    classes = np.unique(labels)
    return classes, np.searchsorted(classes, labels)


def without_order(labels: NDArray[Any]) -> BitsError:
    """Return the refusal of labels that cannot be sorted."""
    types = printable(", ".join(sorted({type(label).__name__ for label in labels}))[:100])
    return BitsError(f"labels of the types {types} have no common order; make them all str")
