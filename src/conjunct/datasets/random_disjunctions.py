"""Streams of rows labelled by the OR of the first k variables; fair labels and signs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from conjunct.bits import random_below, random_bits, random_words

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["dense_disjunction", "random_disjunction", "random_labels", "random_signs", "sparse_disjunction"]

_LABELS, _RELEVANT, _OTHERS = 0, 1, 2
_ROWS_AT_ONCE = 2048


def random_labels(seed: int, n_examples: int, *, stream: int = _LABELS) -> NDArray[np.int64]:
    """Return labels -1 and +1, half and half by fair coins."""
    return 2 * random_bits(seed, n_examples, stream=stream).astype(np.int64) - 1


def random_signs(seed: int, n_examples: int, n: int) -> NDArray[np.int64]:
    """Return rows drawn uniformly from {-1, 1}^n."""
    return 2 * random_bits(seed, (n_examples, n), stream=_OTHERS).astype(np.int64) - 1


def random_disjunction(
    seed: int, n: int, k: int, n_examples: int, rate_log2: int = 1
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return rows whose variables are 1 with probability 2**-rate_log2, labelled by the OR of the first k."""
    rows = np.ones((n_examples, n), dtype=np.uint8)
    for factor in range(rate_log2):
        rows &= random_bits(seed, (n_examples, n), stream=_OTHERS + factor)
    return rows, np.where(rows[:, :k].any(axis=1), 1, -1).astype(np.int64)


def sparse_disjunction(seed: int, n: int, k: int, n_active: int, n_examples: int) -> tuple[Any, NDArray[np.int64]]:
    """Return sparse rows with `n_active` ones each, and labels half and half.

    A positive row has one of the first k variables, the relevant ones, and any others; a negative row has none of the
    relevant.
    """
    labels = random_labels(seed, n_examples)
    columns = np.empty((n_examples, n_active), dtype=np.int64)
    is_positive = labels > 0
    n_positive = int(is_positive.sum())
    columns[~is_positive] = k + _distinct(seed, n - k, n_active, n_examples - n_positive, stream=_OTHERS)
    relevant = random_below(seed, k, n_positive, stream=_RELEVANT)[:, None]
    others = _distinct(seed, n - 1, n_active - 1, n_positive, stream=_OTHERS + n_active)
    columns[is_positive] = np.hstack([relevant, others + (others >= relevant)])
    columns.sort(axis=1)
    starts = np.arange(n_examples + 1, dtype=np.int64) * n_active
    values = np.ones(columns.size, dtype=np.uint8)
    return sparse.csr_matrix((values, columns.ravel(), starts), shape=(n_examples, n)), labels


def _distinct(seed: int, n: int, count: int, n_rows: int, *, stream: int) -> NDArray[np.int64]:
    """Draw `count` different numbers below n for each row.

    Notes
    -----
    Floyd's method: for j from n - count to n - 1 a number up to j is drawn, and j taken if that one is there already.
    """
    numbers = np.empty((n_rows, count), dtype=np.int64)
    for index, top in enumerate(range(n - count, n)):
        new = random_below(seed, top + 1, n_rows, stream=stream + index)
        numbers[:, index] = np.where((numbers[:, :index] == new[:, None]).any(axis=1), top, new)
    return numbers


def dense_disjunction(
    seed: int, n: int, k: int, n_active: int, n_examples: int
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return rows distributed as those of `sparse_disjunction`, drawn in a way that suits many ones to a row."""
    labels = random_labels(seed, n_examples)
    relevant = random_below(seed, k, n_examples, stream=_RELEVANT)
    rows = np.empty((n_examples, n), dtype=np.uint8)
    for start in range(0, n_examples, _ROWS_AT_ONCE):
        part = slice(start, min(start + _ROWS_AT_ONCE, n_examples))
        words = random_words(seed, (part.stop - start) * n, stream=_OTHERS + start).reshape(-1, n)
        is_positive = labels[part] > 0
        # The smallest words of a row mark its ones: the chosen relevant one always, or never any of them.
        words[is_positive, relevant[part][is_positive]] = 0
        words[~is_positive, :k] = 2**64 - 1
        rows[part] = words <= np.partition(words, n_active - 1, axis=1)[:, n_active - 1 : n_active]
    return rows, labels
