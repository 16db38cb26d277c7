"""Reading DATA as the options of a command say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conjunct.errors import BitsError, SettingError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.estimators import Door

__all__ = ["Data", "about", "data_options", "options_for", "read", "require_other_file", "without"]

DELIMITERS = {"tab": "\t", "\\t": "\t", "comma": ",", "blank": " "}


@dataclass(frozen=True)
class Data:
    """A table as a command wants it: columns of cells or Boolean rows, and labels, none where it was read without."""

    cells: Mapping[str, Sequence[Any]] | BitMatrix
    labels: NDArray[Any]
    label_name: str | None
    source: str


def data_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say how DATA is read."""
    for option in (
        click.option("--zero-based", is_flag=True, help="svmlight ids start at 0, not at 1."),
        click.option("--no-header", is_flag=True, help="The first line holds cells, not names."),
        click.option("--categorical", multiple=True, metavar="NAME", help="Read a column of numbers as text."),
        click.option("--delimiter", metavar="CHAR", help="comma, tab, blank or a character; found by content."),
        click.option("--label", metavar="NAME|INDEX|first|last", help="The label column; fit takes the last."),
    ):
        command = option(command)
    return command


def read(source: str, given: dict[str, Any], **more: Any) -> Data:
    """Read DATA with the options that were given on the command line, and more that the command knows."""
    import numpy as np

    from conjunct.datasets import RawTable, read_data

    options = dict(more)
    if given["label"] is not None:
        options["label"] = given["label"]
    if given["delimiter"] is not None:
        options["delimiter"] = DELIMITERS.get(given["delimiter"], given["delimiter"])
    if text_columns := {*more.get("categorical", ()), *given["categorical"]}:
        options["categorical"] = sorted(text_columns)
    if given["no_header"]:
        options["header"] = False
    if given["zero_based"]:
        options["zero_based"] = True
    try:
        table = read_data(source, **options)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as error:
        raise SettingError(f"{source}: {error.strerror}, expected a file, - or embedded:NAME") from None
    except SettingError as error:
        if not any(f"option {name!r} has no meaning" in str(error) for name in more):
            raise
        raise SettingError(f"{source}: is a table of another kind than the model was learned from") from None
    if isinstance(table, RawTable):
        labels = np.empty(0, np.int64) if table.labels is None else table.labels
        return Data(table.to_frame_columns(), labels, table.label_name, table.source)
    return Data(table.rows, table.labels, None, source)


def without(table: Data, names: Sequence[str]) -> Data:
    """Leave columns out; one the table does not have is refused by name."""
    cells = table.cells
    for name in names:
        if not isinstance(cells, dict) or name not in cells:
            raise SettingError(f"{table.source}: there is no column {name!r} to drop")
    if not isinstance(cells, dict):
        return table
    return replace(table, cells={name: column for name, column in cells.items() if name not in names})


def options_for(door: Door, source: str, *, labels: bool) -> dict[str, Any]:
    """Say how a table like the one a model was learned from is read."""
    if source.startswith("embedded:"):
        return {}
    if door.binarizer is None:
        return {"n_variables": len(door.names), "min_classes": 1}
    return {"label": door.label_name if labels else None, "min_classes": 1, "categorical": door.text_columns}


@contextmanager
def about(source: str) -> Iterator[None]:
    """Name the table in whatever is refused about its cells."""
    try:
        yield
    except BitsError as error:
        raise BitsError(f"{source}: {error}") from None


def require_other_file(output: str | None, *inputs: str) -> None:
    """Refuse to write over what is read."""
    if output is None or not Path(output).exists():
        return
    for source in inputs:
        if Path(source).exists() and Path(source).samefile(output):
            raise SettingError(f"{output}: is read from, expected another file to write to")
