"""Which columns of a user's table are read, and as what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from conjunct.errors import SettingError
from conjunct.files.compressed import refusal
from conjunct.messages import quoted, shortened
from conjunct.tables.date_notation import DateNotation
from conjunct.tables.labels import unknown_column
from conjunct.tables.number_notation import NumberNotation

__all__ = ["EntryType", "EntryTypes", "chosen_columns"]

EntryType: TypeAlias = str | NumberNotation | DateNotation | None
EntryTypes: TypeAlias = Mapping[str, EntryType]


def chosen_columns(
    source: str,
    line: int | None,
    names: Sequence[str],
    label: int | None,
    columns: EntryTypes | None,
    categorical: Sequence[str],
    drop: Sequence[str],
) -> dict[str, EntryType]:
    """Return for each column to read, the label apart, what its entries are: as `ReadOptions` has it.

    Examples
    --------
    >>> chosen_columns("t.csv", 1, ["id", "zip", "age", "y"], 3, None, ["zip"], ["id"])
    {'zip': 'text', 'age': None}
    """
    chosen = dict(dict.fromkeys(names) if columns is None else columns)
    for unknown in sorted({*chosen, *categorical, *drop} - {*names}):
        raise unknown_column(source, line, names, unknown)
    for name, entry_type in chosen.items():
        if not isinstance(entry_type, NumberNotation | DateNotation) and entry_type not in ("text", "number", None):
            raise SettingError(
                f"columns has {shortened(entry_type)} for {shortened(name)}, expected 'text', 'number' or None"
            )
    label_name = None if label is None else names[label]
    if label_name in drop:
        raise refusal(source, line, f"column {quoted(label_name)} is the label, expected other columns to drop")
    chosen.update((name, "text") for name in categorical if name in chosen)
    return {name: chosen[name] for name in names if name in chosen and name not in drop and name != label_name}
