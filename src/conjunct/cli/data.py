"""Reading DATA as the options of a command say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.steps import reading
from conjunct.errors import BitsError, OptionError, RowError, SettingError
from conjunct.messages import printable, quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from conjunct.tables import TableEncoding
    from conjunct.tables.encoding import Entries
    from conjunct.tables.raw_table import RefusedColumn

__all__ = ["Data", "about", "cuts_setting", "data_options", "labelled", "options_for", "read"]

DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "blank": " "}
PASSED_ON = ("categorical", "drop", "format", "decimal", "dates", "skip_unlabelled", "encoding")


@dataclass(frozen=True)
class Data:
    """A table as a command wants it: columns or Boolean rows, and labels, none where it was read without.

    The lines of its rows are None where it is no text. Notes say what was left out while reading, and refused columns
    are those that the command has still to refuse.
    """

    entries: Entries
    labels: NDArray[Any]
    label_name: str | None
    source: str
    lines: NDArray[np.int64] | None
    notes: tuple[str, ...] = ()
    refused: tuple[RefusedColumn, ...] = ()


def data_options(command: Callable[..., Any], *, format_option: str = "--format") -> Callable[..., Any]:
    """Add the options that say how DATA is read."""
    for option in (
        click.option("--zero-based", is_flag=True, help="svmlight ids start at 0, not at 1."),
        click.option("--no-header", is_flag=True, help="The first line holds cells, not names."),
        click.option("--categorical", multiple=True, metavar="NAME", help="Read a column of numbers as text."),
        click.option(
            format_option,
            "format",
            type=click.Choice(("csv", "svmlight", "parquet")),
            help="What DATA is, csv with any delimiter; found by content.",
        ),
        click.option(
            "--encoding", metavar="NAME", help="How the text is encoded, such as latin-1 or utf-16; UTF-8 if left out."
        ),
        click.option("--skip-unlabelled", is_flag=True, help="Leave out rows without a label, and count them."),
        click.option(
            "--dates", type=click.Choice(("dmy", "mdy")), help="The order of dates that read both ways, as 1/2/2020."
        ),
        click.option(
            "--decimal",
            type=click.Choice((".", ",")),
            help="The decimal sign of columns that read both ways, as 1,234.",
        ),
        click.option("--missing", multiple=True, metavar="TOKEN", help="What else stands for a missing entry."),
        click.option("--delimiter", metavar="CHAR", help="comma, tab, blank or a character; found by content."),
        click.option(
            "--label",
            multiple=True,
            metavar="NAME|INDEX|first|last",
            help="The label column, a name before a position; fit takes the last.",
        ),
    ):
        command = option(command)
    return command


def read(source: str, given: dict[str, Any], **more: Any) -> Data:
    """Read DATA with the options that were given on the command line, and more that the command knows."""
    import numpy as np

    from conjunct.datasets import RawTable, read_data

    options = dict(more)
    if len(given["label"]) > 1:
        listed = ", ".join(map(repr, given["label"]))
        raise SettingError(f"{source}: {len(given['label'])} label columns given, {listed}, expected one")
    for label in given["label"]:
        options["label"] = label
    if given["delimiter"] is not None:
        options["delimiter"] = DELIMITERS.get(given["delimiter"], given["delimiter"])
    options |= {name: given[name] for name in PASSED_ON if given.get(name)}
    if given["missing"]:
        options["missing"] = (*more.get("missing", ()), *given["missing"])
    if given["no_header"]:
        options["header"] = False
    if given["zero_based"]:
        options["zero_based"] = True
    try:
        with reading(source, "a file, - or embedded:NAME"):
            table = read_data(source, by_id=True, **options)
    except OptionError as error:
        if error.option not in more:
            raise
        raise SettingError(f"{source}: is a table of another kind than the model was learned from") from None
    if isinstance(table, RawTable):
        labels = np.empty(0, np.int64) if table.labels is None else table.labels
        lines = table.lines if table.has_lines else None
        columns = {column.name: column for column in table.typed_columns}
        if "columns" in more and not click.get_current_context().params.get("quiet"):
            for note in table.notes:
                click.echo(f"conjunct: {printable(table.source)}: {printable(note)}", err=True)
        return Data(columns, labels, table.label_name, table.source, lines, table.notes, table.refused)
    return Data(table.rows, table.labels, None, "stdin" if source == "-" else source, table.lines)


def options_for(encoding: TableEncoding, source: str, *, labels: bool) -> dict[str, Any]:
    """Say how a table like the one a model was learned from is read."""
    if source.startswith("embedded:"):
        return {}
    if encoding.columns is None:
        return {"zero_based": False, "min_classes": 1}
    options: dict[str, Any] = {"min_classes": 1, "columns": encoding.entry_types}
    if not labels or encoding.label_name is not None:  # a model made in Python does not know the name of its labels
        options["label"] = encoding.label_name if labels else None
    if encoding.missing_tokens:
        options["missing"] = encoding.missing_tokens
    return options


def labelled(source: str, encoding: TableEncoding, given: dict[str, Any]) -> Data:
    """Read a table with labels for a model."""
    options = options_for(encoding, source, labels=True)
    if given["label"]:
        options.pop("label", None)
    table = read(source, given, **options)
    if table.label_name in encoding.names:
        what = f"column {quoted(table.label_name)} is read by the model, expected --label NAME"
        raise SettingError(f"{table.source}: {what} for the column that holds the labels")
    return table


def cuts_setting(text: str) -> int | str:
    """Read --cuts: a number where it is one; any other word is judged by whoever cuts."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text


@contextmanager
def about(table: Data) -> Iterator[None]:
    """Name the table, and the line where there is one, in whatever is refused about its entries and labels."""
    from conjunct.tables.labels import refused_row

    try:
        yield
    except RowError as error:
        raise refused_row(table.source, table.lines, error) from None
    except BitsError as error:
        raise BitsError(f"{table.source}: {error}") from None
