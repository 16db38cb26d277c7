"""Values that many kinds of models have: exact numbers, classes, parameters, names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct import kernels  # which linear models do without: imported when a file names one
from conjunct.errors import ModelFileError
from conjunct.messages import shortened
from conjunct.saving.fields import ArrayField, Value, read_arrays, require

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "TEXT",
    "classes_record",
    "classes_value",
    "kernel_value",
    "plain",
    "plain_from",
    "ratio_from",
    "ratio_record",
    "ratio_value",
    "reasons_value",
    "text_arrays",
    "texts_from",
    "variables_arrays",
    "variables_from",
]

LABEL_TYPE = re.compile(r"[<>|](b1|[iuf][1248]|O|U[0-9]{1,6})")
LARGEST_LABELS_BYTES = 1 << 24
LABEL_KINDS: dict[str, tuple[type, ...]] = {
    "b": (bool,),
    "i": (int,),
    "u": (int,),
    "f": (float, int),
    "U": (str,),
    "O": (str,),
}
TEXT = (
    ArrayField("lengths", np.int64, ("names",), lambda lengths: lengths >= 0, "lengths from 0"),
    ArrayField("text", np.uint8, ("bytes",)),
)


# Exact numbers


def ratio_record(ratio: Fraction) -> list[int]:
    """Describe an exact number: its numerator and its denominator."""
    return [ratio.numerator, ratio.denominator]


def ratio_from(record: object) -> Fraction:
    """Read what `ratio_record` wrote."""
    match record:
        case [numerator, denominator] if type(numerator) is type(denominator) is int and denominator > 0:
            return Fraction(numerator, denominator)
    raise ModelFileError("an exact number: expected a numerator and a positive denominator")


def ratio_value(name: str, holds: Callable[[Fraction], bool] = lambda ratio: True, expected: str = "a ratio") -> Value:
    """Return the field of an exact number."""

    def read(record: object) -> Fraction:
        ratio = ratio_from(record)
        require(holds(ratio), name, expected)
        return ratio

    return Value(name, lambda record: isinstance(record, list), "a numerator and a denominator", read)


def _kernel_from(record: Any) -> kernels.Kernel:
    return kernels.kernel_from_record(record)


def kernel_value(name: str) -> Value:
    """Return the field of a kernel."""
    return Value(name, lambda record: isinstance(record, dict), "a kernel", _kernel_from)


def reasons_value() -> Value:
    """Return the field of why settings were chosen, by their names."""
    return Value(
        "reasons",
        lambda record: isinstance(record, dict) and all(type(reason) is str for reason in record.values()),
        "a text per setting",
    )


# Classes


def classes_value() -> Value:
    """Return the field of the class labels."""
    return Value("classes", lambda record: isinstance(record, dict), "a dtype and values", _classes_from)


def classes_record(classes: NDArray[Any]) -> dict[str, object]:
    """Describe an array of class labels: its type and its values."""
    values = classes.tolist()
    if not _is_plain(classes.dtype.str, values):
        raise ModelFileError(
            f"labels of type {type(values[0]).__name__} have no place in a model file; use text or numbers"
        )
    return {"dtype": classes.dtype.str, "values": values}


def _classes_from(record: object) -> NDArray[Any]:
    match record:
        case {"dtype": str(name), "values": list(values), **rest} if not rest and _is_plain(name, values):
            with np.errstate(over="ignore"):
                classes = np.array(values, name)
        case _:
            raise ModelFileError("classes: expected a dtype of text or numbers, and values of it")
    is_sorted = classes.tolist() == values and sorted(set(values)) == values
    require(len(values) >= 2 and is_sorted, "classes", "at least two, sorted, each once")
    return classes


def _is_plain(name: str, values: list[Any]) -> bool:
    """Return whether labels of a type are numbers or text, all of that type, and not unreasonably many or long."""
    if not LABEL_TYPE.fullmatch(name) or not all(type(value) in LABEL_KINDS[name[1]] for value in values):
        return False
    return np.dtype(name).itemsize * len(values) <= LARGEST_LABELS_BYTES


# Variables and names


def variables_arrays(n_variables: int, names: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    """Return the variables of a table as arrays: a packed row of ones, the lengths of the names in bytes, one text.

    The row of ones makes a file grow with the number of variables even where no row was learned, so that reading it
    never takes more than the file is long.
    """
    return {"variables": _packed_ones(n_variables), **text_arrays("names.", [name.encode() for name in names or ()])}


def variables_from(n_variables: int, arrays: dict[str, NDArray[Any]]) -> tuple[str, ...] | None:
    """Take out what `variables_arrays` wrote: the names of so many variables, where they have some."""
    words = (n_variables + 63) // 64
    fields = (ArrayField("variables", np.uint64, ("words of the variables",)),)
    ones = read_arrays(fields, arrays, {"words of the variables": words})["variables"]
    require(np.array_equal(ones, _packed_ones(n_variables)), "array variables", "a bit for every variable")
    names = tuple(texts_from(read_arrays(TEXT, arrays, {}, "names."), "names"))
    require(len(names) in (0, n_variables), "array names.lengths", f"one per variable, {n_variables}, or none")
    return names or None


def text_arrays(prefix: str, texts: list[bytes]) -> dict[str, NDArray[Any]]:
    """Return texts as arrays: their lengths in bytes, and one text."""
    lengths = np.array([len(text) for text in texts], np.int64)
    return {f"{prefix}lengths": lengths, f"{prefix}text": np.frombuffer(b"".join(texts), np.uint8)}


def texts_from(columns: dict[str, NDArray[Any]], what: str) -> list[str]:
    """Read what `text_arrays` wrote."""
    lengths, raw, end = columns["lengths"].tolist(), columns["text"].tobytes(), 0
    require(sum(lengths) == len(raw), f"array {what}.lengths", "those of the text")
    return [raw[end : (end := end + length)].decode() for length in lengths]


def _packed_ones(n_variables: int) -> NDArray[np.uint64]:
    ones = np.full((n_variables + 63) // 64, 2**64 - 1, np.uint64)
    ones[-1:] >>= np.uint64(-n_variables % 64)
    return ones


# Parameters


def plain(name: str, value: object) -> object:
    """Describe a parameter in what JSON has."""
    if isinstance(value, kernels.Kernel):
        return {"kernel": kernels.kernel_record(value)}
    if isinstance(value, Fraction):
        return {"ratio": ratio_record(value)}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {"pairs": [[plain(name, key), plain(name, entry)] for key, entry in value.items()]}
    if isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim == 1):
        return {"tuple": [plain(name, entry) for entry in value]}
    if value is None or isinstance(value, str | int | float):
        return value
    raise ModelFileError(
        f"{name}={shortened(value)} has no place in a model file; set it to None, a number or text before saving"
    )


def plain_from(value: Any) -> Any:
    """Read what `plain` wrote."""
    if value is None or isinstance(value, str | int | float):
        return value
    match value:
        case {"kernel": record, **rest} if not rest:
            return kernels.kernel_from_record(record)
        case {"ratio": record, **rest} if not rest:
            return ratio_from(record)
        case {"tuple": list(entries), **rest} if not rest:
            return tuple(plain_from(entry) for entry in entries)
        case {"pairs": list(pairs), **rest} if not rest:
            return {plain_from(key): plain_from(entry) for key, entry in pairs}
    raise ModelFileError("a parameter: expected a value, a kernel, a ratio, a tuple or pairs")
