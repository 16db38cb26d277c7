"""Sequences made to cost a learner as many mistakes as its bound allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from conjunct.bits import BitMatrix, random_permutation

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "conjunction_sequence",
    "hard_family",
    "negative_unit_vectors",
    "unit_vectors_after_zero",
    "winnow_sequence",
]


def hard_family(seed: int, n: int, w: int, c: int, size: int) -> NDArray[np.uint8]:
    """Choose random sets of w variables one after the other, each sharing at most c with all before; 0/1 rows."""
    chosen = np.zeros((size, n), np.uint8)
    n_chosen, stream = 0, 0
    while n_chosen < size:
        candidate = np.zeros(n, np.uint8)
        candidate[random_permutation(seed, n, stream=stream)[:w]] = 1
        stream += 1
        if np.all(chosen[:n_chosen] @ candidate <= c):
            chosen[n_chosen] = candidate
            n_chosen += 1
    return chosen


def conjunction_sequence(seed: int, n: int, w: int, c: int) -> tuple[BitMatrix, NDArray[np.int64]]:
    """Return 0ⁿ (−), 1ⁿ (+) and 2^(w−c) negatives of the family."""
    size = 2 ** (w - c)
    ends = np.array([[0] * n, [1] * n], np.uint8)
    return BitMatrix.of(np.vstack([ends, hard_family(seed, n, w, c, size)])), np.array([-1, 1] + [-1] * size)


def negative_unit_vectors(n: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the stream called V1: -e_1 .. -e_n, all labelled -1."""
    return -np.eye(n, dtype=np.int64), np.full(n, -1, dtype=np.int64)


def unit_vectors_after_zero(n: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return 0^n labelled -1, then e_1 .. e_n labelled +1: the OR of all n variables."""
    rows = np.vstack([np.zeros((1, n), dtype=np.uint8), np.eye(n, dtype=np.uint8)])
    return rows, np.array([-1] + [1] * n, dtype=np.int64)


def winnow_sequence(
    n: int, k: int, variant: Literal["positive", "elimination"]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return a stream for the OR of the first k of n variables on which every example is a mistake.

    Notes
    -----
    For α = 2 and θ = N a power of two, all weights are powers of two, and taking the heaviest first fills any sum
    exactly. A positive example is one relevant variable with irrelevant ones up to the largest weight below θ, which is
    still predicted -1: the promotion then adds that weight. A negative example has irrelevant weight θ exactly, the
    least that is predicted +1, and is made whenever a weight of θ stays behind for the next positive example.
    """
    theta = float(n)
    weights = np.ones(n)
    rows, labels = [], []

    def show(active: NDArray[np.int64], label: int) -> None:
        row = np.zeros(n, dtype=np.uint8)
        row[active] = 1
        rows.append(row)
        labels.append(label)
        weights[active] *= 2.0 if label > 0 else 0.5 if variant == "positive" else 0.0

    def heaviest(limit: float) -> NDArray[np.int64]:
        order = np.argsort(-weights[k:], kind="stable") + k
        chosen, left = [], limit
        for variable in order.tolist():
            if 0 < weights[variable] <= left:
                chosen.append(variable)
                left -= weights[variable]
        return np.array(chosen, dtype=np.int64)

    for relevant in range(k):
        while weights[relevant] < theta:
            grain = weights[weights > 0].min()  # all sums are multiples of the smallest weight
            show(np.append(heaviest(theta - grain - weights[relevant]), relevant), 1)
            is_last = relevant == k - 1 and weights[relevant] >= theta
            while weights[k:].sum() >= theta * (1 if is_last else 2):
                show(heaviest(theta), -1)
    return np.array(rows), np.array(labels, dtype=np.int64)
