"""Names, and conjunctions of names, to numbers of variables."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager, nullcontext
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import _core, logic
from conjunct.bits import SparseRows, memory_limit
from conjunct.bits.dates import DATES_ARE_NO_NUMBERS, is_date, shown_date
from conjunct.bits.limits import readable_size
from conjunct.errors import BitsError, MemoryLimitError, SettingError
from conjunct.messages import shortened
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NameTable"]

BYTES_PER_SLOT = 200  # a name, its entry in two tables, and a learner's state, as measured
BYTES_PER_ENTRY = 16  # of a row, and of what sums it
EXAMPLES_PER_CALL = 4096
SLOTS_BETWEEN_LOOKS = 4096  # at how much memory is free
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
        self.max_size, self.max_bytes = whole_number(max_size, "max_size"), max_bytes
        self._native = _core.NameTable(self.max_size, _spelling)
        self._asked: tuple[int, str | None, int] | None = None  # most_slots: when, under which limit, the answer

    @property
    def native(self) -> _core.NameTable:
        """The same for the core."""
        return self._native

    @property
    def names(self) -> tuple[Hashable, ...]:
        """The names in the order of their coming."""
        return tuple(self._native.names())

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
            raise SettingError(f"max_size={shortened(self.max_size)}: conjunctions are of names that are there or not")
        with self.guarded() if grows else nullcontext():
            parts = self._read(examples, grows=grows, with_values=with_values)
        lengths = [np.diff(starts) for starts, _, _ in parts]
        return SparseRows(
            np.cumsum(np.concatenate([np.zeros(1, np.int64), *lengths])),
            np.concatenate([np.empty(0, np.int32), *(places for _, places, _ in parts)]),
            self.n_variables,
            np.concatenate([np.empty(0), *(values for _, _, values in parts)]) if with_values else None,
            _is_owned=True,
        )

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Forget the names that came in this block, if it does not end well."""
        n_names, n_slots = self._native.n_names, self._native.n_slots
        try:
            yield
        except BaseException:
            self._native.shrink(n_names, n_slots)
            raise

    def _read(
        self, examples: Sequence[Example], *, grows: bool, with_values: bool
    ) -> list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]]:
        most = self.most_slots() if grows else self._most_places()
        parts: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any]]] = []
        for start in range(0, len(examples), EXAMPLES_PER_CALL):
            block = examples[start : start + EXAMPLES_PER_CALL]
            *parts_read, is_full = self._native.rows(block, grows, with_values, most)
            starts, places, values = map(np.frombuffer, parts_read, (np.int64, np.int32, np.float64))
            if len(starts) <= len(block):
                number, example = start + len(starts) - 1, block[len(starts) - 1]
                if is_full:
                    raise _is_full(number, most, BYTES_PER_SLOT if grows else BYTES_PER_ENTRY)
                raise _refusal(number, example, with_values=with_values)
            parts.append((starts, places, values))
        return parts

    def describe(self, variable: int) -> str:
        """Return what a variable is, as formulas write it: a name, or the names of a conjunction.

        Names that are no text are written as Python shows them.

        Examples
        --------
        >>> table = NameTable(max_size=2)
        >>> rows = table.rows([{"red": 1, "not round": 1}])
        >>> [table.describe(variable) for variable in range(3)]
        ['red', '"not round" & red', '"not round"']
        """
        number = whole_number(variable, "variable", least=0, most=self.n_variables - 1)
        return self.descriptions([number])[0]

    def descriptions(self, variables: Iterable[int] | None = None) -> list[str]:
        """Return what variables are, all of them when left out; see `describe`."""
        names, keys = self.contents()
        literals = [logic.Literal(name if isinstance(name, str) else repr(name)) for name in names]
        return [
            str(logic.Term(literals[name] for name in _names_of(variable, keys if self.max_size > 1 else None)))
            for variable in (range(self.n_variables) if variables is None else variables)
        ]

    def contents(self) -> tuple[list[Hashable], NDArray[np.uint64]]:
        """Return the names and the keys of conjunctions, enough to make the same table again."""
        return self._native.names(), np.frombuffer(self._native.keys(), np.uint64)

    @classmethod
    def from_contents(cls, max_size: int, names: list[Any], keys: NDArray[np.uint64]) -> NameTable:
        """Make the table that has these `contents`."""
        table = cls(max_size)
        if not table._native.restore(names, keys):
            raise BitsError("the names are not those of a table")
        return table

    def most_slots(self) -> int:
        """How many variables it may have; the system is asked again once it has grown by an eighth, or by thousands."""
        n, wish = self.n_variables, os.environ.get("CONJUNCT_MEMORY")
        if self.max_bytes is not None:
            return min(MOST_SLOTS, max(n, self.max_bytes // BYTES_PER_SLOT))
        if self._asked is None or self._asked[1] != wish or n > self._asked[0] + max(SLOTS_BETWEEN_LOOKS, n // 8):
            self._asked = n, wish, min(MOST_SLOTS, memory_limit() // BYTES_PER_SLOT)
        return max(n, self._asked[2])

    def _most_places(self) -> int:
        """How many variables one example may have where the table does not grow."""
        return MOST_SLOTS if self.max_size == 1 else min(MOST_SLOTS, memory_limit() // BYTES_PER_ENTRY)


def _names_of(variable: int, keys: NDArray[np.uint64] | None) -> list[int]:
    """Return the numbers of the names of a variable, the last one first; keys name a conjunction without it, and it."""
    if keys is None:
        return [variable]
    numbers, slot = [], variable + 1
    while slot:
        key = int(keys[slot - 1])
        numbers.append(key & 0xFFFFFFFF)
        slot = key >> 32
    return numbers


def _is_full(number: int, most: int, bytes_each: int) -> MemoryLimitError:
    return MemoryLimitError(
        f"example {number} brings more than {most} variables, some {readable_size(most * bytes_each)}; "
        "raise CONJUNCT_MEMORY or max_bytes, or lower max_size"
    )


def _refusal(number: int, example: Any, *, with_values: bool) -> BitsError:
    if not isinstance(example, dict):
        return BitsError(f"example {number} is a {type(example).__name__}, expected a set or a dict of names")
    for name, value in example.items():
        if not (_is_finite(value) if with_values else _is_boolean(value)):
            expected = "a finite number" if with_values else "0 or 1"
            what = shortened(value)
            if is_date(value):
                what, expected = shown_date(value), f"{expected}; {DATES_ARE_NO_NUMBERS}"
            return BitsError(f"example {number} has {what} for {shortened(name)}, expected {expected}")
    return BitsError(f"example {number} cannot be read")


def _is_finite(value: Any) -> bool:
    try:
        return isfinite(value) and not is_date(value)
    except (TypeError, ValueError, OverflowError):
        return False


def _is_boolean(value: Any) -> bool:
    return _is_finite(value) and float(value) in (0, 1)


def _spelling(name: Hashable) -> str:
    """Spell a name alike in every run: Python shows the members of a frozenset in an order that changes."""
    if isinstance(name, frozenset):
        return f"{{{', '.join(sorted(map(_spelling, name)))}}}"
    if isinstance(name, tuple):
        return f"({', '.join(map(_spelling, name))})"
    return repr(name)
