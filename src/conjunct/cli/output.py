"""What a command writes: a file looked at before any work is done for it, entries that are safe to open."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress

from conjunct.errors import SettingError
from conjunct.messages import printable

__all__ = ["csv_text", "require_writable", "spreadsheet_text"]

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r")


def require_writable(output: str | None, *inputs: str) -> None:
    """Refuse to write over what is read, or where no file can be written; whatever is there stays as it is."""
    if output is None:
        return
    from pathlib import Path

    try:
        for source in inputs:
            if Path(output).exists() and Path(source).exists() and Path(source).samefile(output):
                raise SettingError(f"{output}: is read from, expected another file to write to")
        target = Path(os.path.realpath(output))
        with suppress(FileNotFoundError):
            if output.endswith(os.sep) or not stat.S_ISREG(Path(output).stat().st_mode):
                raise SettingError(f"{output}: is no regular file, expected a file to write to")
        # Named like the temporary files of write_atomically, which removes what a killed run leaves.
        trial = target.with_name(f".{target.name}.{os.urandom(8).hex()}.tmp")
        trial.touch(exist_ok=False)
        trial.unlink(missing_ok=True)
    except OSError as error:
        raise SettingError(f"{output}: {error.strerror}, expected a file that can be written") from None


def csv_text(records: Iterable[Sequence[object]]) -> str:
    """Return records as CSV: entries quoted where they hold a comma or a quote, lines ended by LF.

    Examples
    --------
    >>> print(csv_text([["a,b", "say 'c'", 1.5]]), end="")
    "a,b",say 'c',1.5
    """
    from csv import writer

    text = io.StringIO()
    writer(text, lineterminator="\n").writerows(records)
    return text.getvalue()


def spreadsheet_text(text: str) -> str:
    """Return foreign text as an entry of a CSV file: printable, and never a formula to a spreadsheet.

    Examples
    --------
    >>> [spreadsheet_text(text) for text in ("yes", "=1+1", "-1", "+1e5", "-one")]
    ['yes', "'=1+1", '-1', '+1e5', "'-one"]
    """
    from conjunct.tables.number_grammar import is_number

    is_formula = text.startswith(FORMULA_SIGNS) and not is_number(text)
    return f"'{printable(text)}" if is_formula else printable(text)
