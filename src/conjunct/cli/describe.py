"""``conjunct describe``: how a table is read, a line for each column."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.data import about, cuts_setting, data_options, read
from conjunct.cli.models import count_memory
from conjunct.messages import printable, quoted

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from conjunct.cli.data import Data
    from conjunct.tables import ColumnTests, TableEncoding
    from conjunct.tables.description import ColumnDescription
    from conjunct.tables.raw_table import RefusedColumn

__all__ = ["describe", "print_columns", "read_for_learning"]

LONGEST_NAME = 30
MOST_SHOWN = 5  # values or cuts of a column
MOST_LINES_OF_FIT = 40


@click.command(epilog="Example: conjunct describe titanic.csv --label Survived")
@click.argument("data", metavar="DATA")
@click.option("--cuts", metavar="N|supervised|all", help="Cuts of a numeric column; as in Python if left out.")
@click.option("--max-values", type=click.IntRange(2), default=50, show_default=True, help="Most values of a category.")
@click.option("--drop", multiple=True, metavar="NAME", help="Leave a column out; may be given again.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print the columns that are refused only.")
@data_options
def describe(data: str, as_json: bool, quiet: bool, **given: Any) -> None:
    """Say how DATA is read: a file, - for standard input, or embedded:NAME.

    A line for each column: what it holds, how many different values and missing entries, where it is cut or which
    values it has; and which columns cannot be used as they are, with the options that leave them out.
    """
    from conjunct.tables.raw_table import dropping

    count_memory()
    table = read(data, given, keep_refused=True)
    refused = {column.name: column.reason for column in _refused(table, given)}
    columns = _described(table, _learned(table, given, refused), refused)
    if as_json:
        click.echo(json.dumps(_record(table, columns)))
        return
    if quiet:
        columns = [column for column in columns if column.refused]
    else:
        click.echo("\n".join(_head_lines(table)))
    click.echo("".join(f"{line}\n" for line in _column_lines(columns)), nl=False)
    if refused:
        click.echo(f"To leave out what is refused: {dropping(refused)}")


def read_for_learning(data: str, given: dict[str, Any], *, min_classes: int = 2) -> Data:
    """Read DATA; refuse all its columns that cannot be learned from at once, and fewer classes than wanted."""
    from conjunct.tables.raw_table import refused_columns

    more = {} if data.startswith("embedded:") else {"min_classes": min_classes}
    table = read(data, given, keep_refused=True, **more)
    if refused := _refused(table, given):
        raise refused_columns(table.source, refused)
    return table


def print_columns(table: Data, encoding: TableEncoding) -> None:
    """Say how a table was read that an encoding was made from: what was left out, and a line for each column."""
    learned = {column.name: column for column in encoding.columns or ()}
    lines = _column_lines(_described(table, learned, {}))
    n_more = len(lines) - 1 - MOST_LINES_OF_FIT
    if n_more > 0:
        lines[MOST_LINES_OF_FIT + 1 :] = [f"  ... and {n_more} more columns; 'conjunct describe' lists them all"]
    for line in [*_note_lines(table), *lines]:
        click.echo(line)


def _refused(table: Data, given: dict[str, Any]) -> list[RefusedColumn]:
    """Return the columns that cannot be learned from: by their entries, or by how many values they have."""
    from conjunct.tables.description import too_many_values
    from conjunct.tables.raw_table import RefusedColumn

    if not isinstance(table.entries, Mapping):
        return []
    by_name = {column.name: column for column in table.refused}
    for name, column in table.entries.items():
        if name not in by_name and name not in given.get("letters", ()):
            reason = too_many_values(column, given["max_values"])
            if reason is not None:
                by_name[name] = RefusedColumn(name, None, reason)
    return [by_name[name] for name in [*table.entries, *(by_name.keys() - table.entries.keys())] if name in by_name]


def _learned(table: Data, given: dict[str, Any], refused: Collection[str]) -> dict[str, ColumnTests]:
    """Return what would be learned about the columns that are not refused."""
    from conjunct.tables import TableEncoding

    if not isinstance(table.entries, Mapping):
        return {}
    settings: dict[str, Any] = {"max_values": given["max_values"]}
    if given["cuts"] is not None:
        settings["cuts"] = cuts_setting(given["cuts"])
    entries = {name: column for name, column in table.entries.items() if name not in refused}
    if not entries:
        return {}
    with about(table):
        encoding = TableEncoding.of(entries, table.labels, **settings)
    return {column.name: column for column in encoding.columns or ()}


def _described(table: Data, learned: Mapping[str, ColumnTests], refused: Mapping[str, str]) -> list[ColumnDescription]:
    from conjunct.tables.description import describe_column

    if not isinstance(table.entries, Mapping):
        return []
    return [describe_column(column, learned.get(name), refused.get(name)) for name, column in table.entries.items()]


def _head_lines(table: Data) -> list[str]:
    import numpy as np

    n_rows = len(table.labels)
    if isinstance(table.entries, Mapping):
        what = f"{len(table.entries)} columns"
    else:
        what = f"{len(table.entries.names)} variables, Boolean already"
    labels, counts = np.unique(table.labels, return_counts=True)
    pairs = [f"{_cut(printable(label))} {count}" for label, count in zip(labels.tolist(), counts.tolist(), strict=True)]
    name = "" if table.label_name is None else f" {printable(table.label_name)}"
    return [f"{printable(table.source)}: {n_rows} rows, {what}; label{name}: {_listed(pairs)}", *_note_lines(table)]


def _note_lines(table: Data) -> list[str]:
    return [f"  {printable(note)}" for note in table.notes]


def _column_lines(columns: Sequence[ColumnDescription]) -> list[str]:
    """Return a line of names and one for each column, aligned."""
    if not columns:
        return []
    names = [_cut(printable(column.name)) for column in columns]
    width, kind_width = max(6, *map(len, names)), max(4, *(len(column.kind) for column in columns))
    lines = [f"  {'column':{width}}  {'kind':{kind_width}}  {'distinct':>8}  {'missing':>7}"]
    for name, column in zip(names, columns, strict=True):
        line = (
            f"  {name:{width}}  {column.kind:{kind_width}}  {column.distinct:8}  {column.missing:7}  {_details(column)}"
        )
        lines.append(line.rstrip())
    return lines


def _details(column: ColumnDescription) -> str:
    if column.refused:
        reason = column.refused.removeprefix(f"column {quoted(column.name)} ")
        return "; ".join([f"refused: {reason}", *column.remarks])
    parts = []
    if column.least is not None:
        parts.append(f"{column.least} to {column.greatest}")
    if column.notation is not None:
        parts.append(f"written {column.notation}")
    if column.cuts:
        parts.append(f"cut at {_listed([str(cut) for cut in column.cuts])}")
    if column.values:
        parts.append(_listed([_cut(printable(value)) for value in column.values]))
    return "; ".join([*parts, *column.remarks])


def _listed(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - MOST_SHOWN} more" if len(texts) > MOST_SHOWN else ""
    return ", ".join(texts[:MOST_SHOWN]) + more


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_NAME else f"{text[: LONGEST_NAME - 3]}..."


def _record(table: Data, columns: Sequence[ColumnDescription]) -> dict[str, Any]:
    import numpy as np

    labels, counts = np.unique(table.labels, return_counts=True)
    return {
        "source": table.source,
        "rows": len(table.labels),
        "label": table.label_name,
        "labels": labels.tolist(),
        "label_counts": counts.tolist(),
        "columns": [asdict(column) for column in columns] if isinstance(table.entries, Mapping) else None,
        "notes": list(table.notes),
    }
