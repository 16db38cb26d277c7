"""How a table is read: one set of options for every reader of columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.tables.column_choice import EntryTypes
from conjunct.tables.labels import LAST

__all__ = ["ReadOptions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """The options of `read_table` and `read_parquet`; Parquet has no delimiter and no header.

    Parameters
    ----------
    delimiter : str, optional
        One character; ``" "`` means runs of blanks and tabs. By default the first line decides: a tab, otherwise a
        comma, otherwise blanks; where it has both tabs and commas, the one that gives the next line as many entries.
    header : bool, default=True
        Whether the first line names the columns. Without it they are x1, x2, ...
    label : str, int or None, default=-1
        The label column: a name, ``"first"``, ``"last"``, or an index from 0 or -1, the last; a column that has the
        name comes before a position. None reads a table without labels.
    categorical : sequence of str, optional
        Columns to read as text even if their entries look like numbers.
    columns : mapping of str to str or None, optional
        The columns to read, and what their entries must be: ``"text"``, ``"number"``, or None for what is found. What
        other columns hold does not matter. By default all are read, as found.
    drop : sequence of str, optional
        Columns to leave out; what they hold does not matter.
    min_classes : int, default=2
        The fewest different labels that are accepted; 1 when scoring rows of one class.
    """

    delimiter: str | None = None
    header: bool = True
    label: str | int | None = LAST
    categorical: Sequence[str] = ()
    columns: EntryTypes | None = None
    drop: Sequence[str] = ()
    min_classes: int = 2

    def __post_init__(self) -> None:
        sign = self.delimiter
        if sign is not None and (len(sign) != 1 or sign in '"\r\n'):
            raise SettingError(f'delimiter={shortened(sign)}: expected one character, such as ",", "\\t" or " "')
