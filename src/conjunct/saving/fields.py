"""Fields of a model file: what each is called, what it may hold, and the sentence that refuses another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import ModelFileError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ArrayField", "Value", "count", "flag", "one_of", "read_arrays", "read_record", "require", "signs"]

LARGEST_COUNT = 1 << 62


def require(holds: bool, field: str, expected: str, got: object = None) -> None:
    """Refuse a field that is not what it should be."""
    if not holds:
        end = "" if got is None else f", got {shortened(got)}"
        raise ModelFileError(f"{field}: expected {expected}{end}")


@dataclass(frozen=True)
class Value:
    """A field of a record.

    Attributes
    ----------
    name : str
    holds : callable
        Whether a value is one.
    expected : str
        The same in words.
    read : callable
        What the value stands for; it may refuse too.
    """

    name: str
    holds: Callable[[Any], bool]
    expected: str
    read: Callable[[Any], Any] = lambda value: value


def count(name: str, least: int = 0) -> Value:
    """Return the field of a whole number."""
    return Value(
        name, lambda value: type(value) is int and least <= value < LARGEST_COUNT, f"a whole number from {least}"
    )


def flag(name: str) -> Value:
    """Return the field of a yes or no."""
    return Value(name, lambda value: type(value) is bool, "true or false")


def one_of(name: str, words: Sequence[str]) -> Value:
    """Return the field of a word."""
    return Value(name, lambda value: type(value) is str and value in words, f"one of {', '.join(words)}")


def read_record(fields: Sequence[Value], record: object, what: str) -> dict[str, Any]:
    """Read a record that has these fields and no others."""
    names = [field.name for field in fields]
    if not isinstance(record, dict) or record.keys() != set(names):
        raise ModelFileError(f"{what}: expected the fields {', '.join(names)}")
    for field in fields:
        require(field.holds(record[field.name]), f"{what}.{field.name}", field.expected, record[field.name])
    return {field.name: field.read(record[field.name]) for field in fields}


@dataclass(frozen=True)
class ArrayField:
    """An array of a model file.

    Attributes
    ----------
    name : str
    dtype : type
    shape : tuple of str and int
        What each dimension counts; arrays of a file agree on what has one name.
    holds : callable
        Whether its values are possible.
    expected : str
        The same in words.
    """

    name: str
    dtype: Any
    shape: tuple[str | int, ...]
    holds: Callable[[NDArray[Any]], Any] = lambda array: True
    expected: str = "any values"


def read_arrays(
    fields: Sequence[ArrayField], arrays: dict[str, NDArray[Any]], sizes: Mapping[str, int], prefix: str = ""
) -> dict[str, NDArray[Any]]:
    """Take these arrays out of those of a file, checked; a size not given is that of the first array with it."""
    all_sizes, checked = dict(sizes), {}
    for field in fields:
        name = prefix + field.name
        array = arrays.pop(name, None)
        shape = ", ".join(map(str, field.shape))
        require(
            array is not None and array.dtype == field.dtype and array.ndim == len(field.shape),
            f"array {name}",
            f"{np.dtype(field.dtype)} of shape ({shape})",
        )
        values: Any = array
        for size, length in zip(field.shape, values.shape, strict=True):
            expected_length = size if isinstance(size, int) else all_sizes.setdefault(size, length)
            require(
                expected_length == length,
                f"array {name}",
                f"shape ({shape}) with {size} = {expected_length}",
                values.shape,
            )
        require(bool(np.all(field.holds(values))), f"array {name}", field.expected)
        checked[field.name] = values
    return checked


def signs(name: str, size: str) -> ArrayField:
    """Return the field of labels +1 and -1."""
    return ArrayField(name, np.int8, (size,), lambda array: (array == 1) | (array == -1), "labels +1 and -1")
