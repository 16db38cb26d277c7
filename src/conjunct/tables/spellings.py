"""The different entries of a column of text, decoded when they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Spellings"]


class Spellings:
    """Some spellings of a column as the core keeps them, without a Python object for each."""

    def __init__(self, reader: Any, column: int, codes: NDArray[np.int32] | None) -> None:
        self._reader, self._column = reader, column
        self._codes = range(reader.n_spellings(column)) if codes is None else codes

    def __len__(self) -> int:
        return len(self._codes)

    def __getitem__(self, index: int) -> str:
        text: str = self._reader.spelling(self._column, int(self._codes[index]))
        return text

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(len(self)))
