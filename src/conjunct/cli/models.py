"""Models as commands use them: with the door that reads tables for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.steps import reading
from conjunct.errors import ModelFileError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from conjunct.bits import BitMatrix, SparseRows
    from conjunct.cli.data import Data
    from conjunct.estimators import Door
    from conjunct.estimators.door import Cells

__all__ = ["count_memory", "load", "report_unseen", "rows_for"]


def load(path: str) -> Any:
    """Read a model and require that it knows how to read tables."""
    from conjunct.estimators import load_estimator

    with reading(path, "a model that 'conjunct fit' saved"):
        learner: Any = load_estimator(path)
    if not hasattr(learner, "door_"):
        raise ModelFileError(f"{path}: was saved without its columns; make it with 'conjunct fit'")
    return learner


def count_memory(*modules: str) -> None:
    """Import what a command needs and count against the limit, until it ends, all that it takes from then on."""
    from importlib import import_module

    from conjunct.bits.limits import counting_memory

    for module in ("conjunct.datasets.reading", "conjunct.estimators.registry", *modules):
        import_module(module)
    click.get_current_context().with_resource(counting_memory())


def rows_for(learner: Any, door: Door, cells: Cells) -> BitMatrix | SparseRows:
    """Return the rows that a door makes, as a learner takes them: kernels want every variable of a row."""
    from conjunct.bits import SparseRows
    from conjunct.estimators.linear_classifier import LinearClassifier

    rows = door.rows(cells)
    if isinstance(rows, SparseRows) and not isinstance(learner, LinearClassifier):
        return rows.packed(door.variables)
    return rows


def report_unseen(door: Door, table: Data) -> None:
    """Say on standard error which columns hold cells unlike any that were learned from."""
    from conjunct.bits import IdRows

    unseen = door.unseen(table.cells)
    if unseen:
        columns = ", ".join(f"{shortened(name)} {count}" for name, count in list(unseen.items())[:5])
        more = f" and {len(unseen) - 5} more" if len(unseen) > 5 else ""
        what = "cells unlike any learned from, all their variables are 0"
        if isinstance(table.cells, IdRows):
            what = "ids not learned from, they count as variables never seen"
        click.echo(f"conjunct: {what}: {columns}{more}", err=True)
