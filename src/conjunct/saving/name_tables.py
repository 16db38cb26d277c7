"""The names of examples that are sets or dicts, as arrays of a model file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import NameTable
from conjunct.errors import ModelFileError
from conjunct.messages import shortened
from conjunct.saving.fields import ArrayField, read_arrays, require
from conjunct.saving.values import TEXT, text_arrays, texts_from

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["table_arrays", "table_from"]

TABLE = (
    ArrayField("keys", np.uint64, ("keys",)),
    ArrayField("is_text", np.uint8, ("names",), lambda flags: flags <= 1, "0 or 1"),
    *TEXT,
)


def table_arrays(table: NameTable) -> dict[str, NDArray[Any]]:
    """Return the names of a table as arrays: text and whole numbers only, as a file holds data only."""
    names, keys = table.contents()
    for name in names:
        if type(name) not in (str, int):
            raise ModelFileError(f"the name {shortened(name)} has no place in a model file; use text or whole numbers")
    try:
        texts = [str(name).encode() for name in names]
    except ValueError as error:  # a lone surrogate, or a number of thousands of digits
        raise ModelFileError(f"a name has no place in a model file: {shortened(str(error))}") from None
    is_text = np.array([type(name) is str for name in names], np.uint8)
    return {"table.keys": keys, "table.is_text": is_text, **text_arrays("table.", texts)}


def table_from(max_size: int, arrays: dict[str, NDArray[Any]]) -> NameTable:
    """Take out what `table_arrays` wrote: a table of conjunctions of up to so many names."""
    columns = read_arrays(TABLE, arrays, {}, "table.")
    texts = texts_from(columns, "table")
    names = [name if is_str else int(name) for name, is_str in zip(texts, columns["is_text"].tolist(), strict=True)]
    require(texts == [str(name) for name in names], "array table.text", "numbers as Python spells them")
    return NameTable.from_contents(max_size, names, columns["keys"])
