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
        One character; ``" "`` means runs of blanks and tabs. By default the first line decides: a tab, a semicolon, a
        bar or a comma, otherwise blanks; where it has several, the one that gives the next line as many entries.
    header : bool, default=True
        Whether the first line names the columns. Without it they are x1, x2, ...
    label : str, int or None, default=-1
        The label column: a name, ``"first"``, ``"last"``, or an index from 0 or -1, the last; a column that has the
        name comes before a position. None reads a table without labels.
    categorical : sequence of str, optional
        Columns to read as text even if their entries look like numbers.
    columns : mapping of str to str or None, optional
        The columns to read, and what their entries must be: ``"text"``, ``"number"``, the ``notation`` of a column that
        was read before, or None for what is found. What other columns hold does not matter. By default all are read, as
        found.
    drop : sequence of str, optional
        Columns to leave out; what they hold does not matter.
    min_classes : int, default=2
        The fewest different labels that are accepted; 1 when scoring rows of one class.
    missing : sequence of str, optional
        More spellings of missing entries.
    decimal : "." or ",", optional
        The decimal sign of columns that read both ways, such as one that holds ``1,234``.
    dates : "dmy" or "mdy", optional
        The order of dates that read both ways, such as ``1/2/2020``.
    skip_unlabelled : bool, default=False
        Whether rows without a label are left out, and counted; otherwise they are refused.
    encoding : str, optional
        How the text is encoded, such as ``"latin-1"`` or ``"utf-16"``; UTF-8 by default.
    keep_refused : bool, default=False
        Whether columns that are refused are kept, as text, and named in ``refused``; otherwise so is the table.
    """

    delimiter: str | None = None
    header: bool = True
    label: str | int | None = LAST
    categorical: Sequence[str] = ()
    columns: EntryTypes | None = None
    drop: Sequence[str] = ()
    min_classes: int = 2
    missing: Sequence[str] = ()
    decimal: str | None = None
    dates: str | None = None
    skip_unlabelled: bool = False
    encoding: str | None = None
    keep_refused: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.missing, str):
            raise SettingError(f"missing={shortened(self.missing)}: expected a list of spellings")
        if self.decimal not in (None, ".", ","):
            raise SettingError(f'decimal={shortened(self.decimal)}: expected "." or ","')
        if self.dates not in (None, "dmy", "mdy"):
            raise SettingError(f'dates={shortened(self.dates)}: expected "dmy" or "mdy"')
        sign = self.delimiter
        if sign is not None and (len(sign) != 1 or sign in '"\r\n'):
            raise SettingError(f'delimiter={shortened(sign)}: expected one character, such as ",", "\\t" or " "')
