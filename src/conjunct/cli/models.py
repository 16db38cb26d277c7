"""Models as commands use them: with the door that reads tables for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.steps import reading
from conjunct.errors import ModelFileError, shortened

if TYPE_CHECKING:
    from conjunct.cli.data import Data
    from conjunct.estimators import Door

__all__ = ["load", "report_unseen"]


def load(path: str) -> Any:
    """Read a model and require that it knows how to read tables."""
    from conjunct.estimators import load_estimator

    with reading(path, "a model that 'conjunct fit' saved"):
        learner: Any = load_estimator(path)
    if not hasattr(learner, "door_"):
        raise ModelFileError(f"{path}: was saved without its columns; make it with 'conjunct fit'")
    return learner


def report_unseen(door: Door, table: Data) -> None:
    """Say on standard error which columns hold cells unlike any that were learned from."""
    unseen = door.unseen(table.cells)
    if unseen:
        columns = ", ".join(f"{shortened(name)} {count}" for name, count in list(unseen.items())[:5])
        more = f" and {len(unseen) - 5} more" if len(unseen) > 5 else ""
        click.echo(f"conjunct: cells unlike any learned from, all their variables are 0: {columns}{more}", err=True)
