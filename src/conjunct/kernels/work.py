"""How a long native computation is cut up."""

from __future__ import annotations

from collections.abc import Iterator

from conjunct.bits import thread_count

__all__ = ["WORK_PER_CALL", "work_blocks"]

WORK_PER_CALL = 1 << 26  # word operations between two looks for signals: some 30 ms
WORK_FOR_THREADS = 1 << 20


def work_blocks(n_rows: int, work_per_row: int) -> Iterator[tuple[slice, int]]:
    """Cut rows into blocks between which Python can look for signals; yield each with its number of threads."""
    step = max(1, WORK_PER_CALL // max(1, work_per_row))
    threads = thread_count() if n_rows * work_per_row >= WORK_FOR_THREADS else 1
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows)), threads
