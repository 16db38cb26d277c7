"""Models as commands use them: with the encoding that reads tables for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.steps import reading
from conjunct.messages import shortened

if TYPE_CHECKING:
    from conjunct.bits import BitMatrix, SparseRows
    from conjunct.cli.data import Data
    from conjunct.saving import TableModel
    from conjunct.tables import TableEncoding
    from conjunct.tables.encoding import Entries

__all__ = ["count_memory", "load", "report_unseen", "rows_for", "search_seconds"]

search_seconds = click.option(
    "--time",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    help="Seconds to search, for each row or class.",
)


def load(path: str) -> TableModel:
    """Read a model and require that it knows how to read tables."""
    from conjunct.saving import TableModel

    with reading(path, "a model that 'conjunct fit' saved"):
        return TableModel.load(path)


def count_memory(*modules: str) -> None:
    """Import what a command needs and count against the limit, until it ends, all that it takes from then on."""
    from importlib import import_module

    from conjunct.bits.limits import counting_memory

    for module in ("conjunct.datasets.reading", "conjunct.saving.table_model", *modules):
        import_module(module)
    click.get_current_context().with_resource(counting_memory())


def rows_for(learner: Any, encoding: TableEncoding, entries: Entries) -> BitMatrix | SparseRows:
    """Return the rows that an encoding makes, as a learner takes them: kernels want every variable of a row."""
    from conjunct.saving.table_model import LINEAR_KINDS

    return encoding.rows(entries, packed=learner.file_kind not in LINEAR_KINDS)


def report_unseen(encoding: TableEncoding, table: Data) -> None:
    """Say on standard error which columns hold entries unlike any that were learned from, and how many."""
    from conjunct.bits import IdRows

    unseen = encoding.unseen(table.entries)
    what = "entries unlike any learned from, all their variables are 0"
    if isinstance(table.entries, IdRows):
        what = "ids not learned from, they count as variables never seen"
    _report(what, {name: counts.values for name, counts in unseen.items() if name not in encoding.letters})
    what = "texts with more letters than any learned from, those past them are left out"
    _report(what, {name: counts.values for name, counts in unseen.items() if name in encoding.letters})
    what = "missing entries in columns learned from without any, all their variables are 0"
    _report(what, {name: counts.missing for name, counts in unseen.items()})
    what = "entries other than the 0 and 1 learned from, above 1/2 counts as 1"
    _report(what, {name: counts.numbers for name, counts in unseen.items()})


def _report(what: str, all_counts: dict[str, int]) -> None:
    counts = {name: count for name, count in all_counts.items() if count}
    if counts:
        columns = ", ".join(f"{shortened(name)} {count}" for name, count in list(counts.items())[:5])
        more = f" and {len(counts) - 5} more" if len(counts) > 5 else ""
        click.echo(f"conjunct: {what}: {columns}{more}", err=True)
