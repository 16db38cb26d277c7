"""The different entries of a column of text, decoded when they are asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

__all__ = ["Spellings"]


class Spellings:
    """The spellings of a column as the core keeps them, without a Python object for each, and without a few of them."""

    def __init__(self, reader: Any, column: int, left_out: Sequence[int]) -> None:
        self._reader, self._column = reader, column
        self._n_kept_before = [code - k for k, code in enumerate(left_out)]  # before each that is left out, in order

    def __len__(self) -> int:
        n_spellings: int = self._reader.n_spellings(self._column)
        return n_spellings - len(self._n_kept_before)

    def __getitem__(self, index: int) -> str:
        code = int(index) + bisect_right(self._n_kept_before, index)
        text: str = self._reader.spelling(self._column, code)
        return text

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(len(self)))
