"""Names, and conjunctions of names, to numbers of variables."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core
from conjunct.bits import SparseRows, memory_limit
from conjunct.bits.limits import readable_size
from conjunct.errors import BitsError, MemoryLimitError, SettingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NameTable"]

BYTES_PER_SLOT = 200  # a name, its entry in two tables, and a learner's state, as measured
EXAMPLES_PER_CALL = 4096
MOST_SLOTS = 2**30

Example = Set[Hashable] | Mapping[Hashable, float]


class NameTable:
    """Number names, and their conjunctions, as they come: any hashable objects, without collisions.

    Parameters
    ----------
    max_size : int
        Every conjunction of up to this many names of an example is a variable.
    max_bytes : int, optional
        What names and a learner's weights for them may take, roughly; the memory limit when left out.

    Examples
    --------
    >>> table = NameTable(max_size=2)
    >>> table.rows([{"red", "round"}, {"red"}]).row(0).tolist()
    [0, 1, 2]
    >>> sorted(table.names), table.n_variables
    (['red', 'round'], 3)
    >>> table.rows([{"red", "square"}], grows=False).row(0).tolist()  # -1 for what was never seen
    [-1, -1, 0]
    """

    def __init__(self, max_size: int = 1, max_bytes: int | None = None) -> None:
        if isinstance(max_size, bool) or not isinstance(max_size, int | np.integer) or max_size < 1:
            raise SettingError(f"max_size={max_size!r}: expected a positive integer")
        self.max_size, self.max_bytes = int(max_size), max_bytes
        self._native = _core.NameTable(self.max_size)

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names in the order of their coming."""
        return tuple(self._native.names)

    @property
    def n_variables(self) -> int:
        """The number of names, or of names and conjunctions, so far."""
        return int(self._native.n_slots)

    def rows(self, examples: Sequence[Example], *, grows: bool = True, with_values: bool = False) -> SparseRows:
        """Read examples as rows.

        Parameters
        ----------
        examples : sequence of sets of names, or of dicts of names and values
        grows : bool
            Whether names that are new get a number; otherwise they are variable -1.
        with_values : bool
            Whether values of dicts may be any number; otherwise 0 and 1 only. Not with conjunctions.
        """
        if with_values and self.max_size > 1:
            raise SettingError(f"max_size={self.max_size}: conjunctions are of names that are there or not")
        most = self._most_slots() if grows else MOST_SLOTS
        parts: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
        for start in range(0, len(examples), EXAMPLES_PER_CALL):
            block = examples[start : start + EXAMPLES_PER_CALL]
            *arrays, is_full = self._native.rows(block, grows, with_values, most)
            starts, places, values = map(np.asarray, arrays)
            if len(starts) <= len(block):
                raise self._refusal(start + len(starts) - 1, block[len(starts) - 1], is_full, with_values, most)
            parts.append((starts, places, values))
        lengths = [np.diff(starts) for starts, _, _ in parts]
        return SparseRows(
            np.cumsum(np.concatenate([np.zeros(1, np.int64), *lengths])),
            np.concatenate([np.empty(0, np.int32), *(places for _, places, _ in parts)]),
            self.n_variables,
            np.concatenate([np.empty(0), *(values for _, _, values in parts)]) if with_values else None,
        )

    def describe(self) -> tuple[list[Hashable], NDArray[np.uint64]]:
        """Return the names and the keys of conjunctions, enough to make the same table again."""
        return list(self._native.names), self._native.keys

    @classmethod
    def from_description(cls, max_size: int, names: list[Any], keys: NDArray[np.uint64]) -> NameTable:
        """Make the table that `describe` described."""
        table = cls(max_size)
        if not table._native.restore(names, keys):
            raise BitsError("the names are not those of a table")
        return table

    def _most_slots(self) -> int:
        limit = memory_limit() if self.max_bytes is None else self.max_bytes
        return min(MOST_SLOTS, max(self.n_variables, limit // BYTES_PER_SLOT))

    def _refusal(self, number: int, example: Any, is_full: bool, with_values: bool, most: int) -> Exception:
        if is_full:
            return MemoryLimitError(
                f"example {number} brings more than {most} variables, some {readable_size(most * BYTES_PER_SLOT)}; "
                "raise CONJUNCT_MEMORY or max_bytes, or lower max_size"
            )
        if not isinstance(example, dict):
            return BitsError(f"example {number} is a {type(example).__name__}, expected a set or a dict of names")
        for name, value in example.items():
            is_number = isinstance(value, int | float | np.number | np.bool_)
            if not is_number or (not with_values and value not in (0, 1)):
                wanted = "a number" if with_values else "0 or 1"
                return BitsError(f"example {number} has {value!r} for {name!r}, expected {wanted}")
        return BitsError(f"example {number} cannot be read")
