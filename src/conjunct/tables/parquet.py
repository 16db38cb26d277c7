"""Tables as Parquet files, with the packages of the extra ``parquet``."""

from __future__ import annotations

import io
import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.errors import RowError
from conjunct.files.compressed import InputStream, refusal
from conjunct.messages import quoted
from conjunct.tables.column_choice import CellTypes, chosen_columns
from conjunct.tables.labels import LAST, find_column, label_array, refused_row, require_classes
from conjunct.tables.raw_table import Column, RawTable

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

__all__ = ["PARQUET_MAGIC", "parquet_from_stream", "read_parquet"]

PARQUET_MAGIC = b"PAR1"


def read_parquet(
    source: str | os.PathLike[str],
    *,
    label: str | int | None = LAST,
    positive: str | int | None = None,
    categorical: Sequence[str] = (),
    columns: CellTypes | None = None,
    drop: Sequence[str] = (),
    min_classes: int = 2,
) -> RawTable:
    """Read a Parquet file whose columns hold numbers, text or bools.

    Parameters
    ----------
    source : str or path-like
        A file, or ``"-"`` for standard input.
    label, positive, categorical, columns, drop, min_classes
        As for `read_table`.

    Returns
    -------
    RawTable
        Bools become 0 and 1, NaN and null become None; `lines` are the numbers of the rows.

    Raises
    ------
    BitsError
        The content is refused, or the package to read it is missing.
    """
    with InputStream(source) as stream:
        return parquet_from_stream(
            stream,
            label=label,
            positive=positive,
            categorical=categorical,
            columns=columns,
            drop=drop,
            min_classes=min_classes,
        )


def parquet_from_stream(
    stream: InputStream,
    *,
    label: str | int | None = LAST,
    positive: str | int | None = None,
    categorical: Sequence[str] = (),
    columns: CellTypes | None = None,
    drop: Sequence[str] = (),
    min_classes: int = 2,
) -> RawTable:
    """Read Parquet from an open input; see `read_parquet`."""
    source = stream.name
    frame = _frame(stream)
    names = list(frame.columns)
    if not names or not len(frame):
        raise refusal(source, None, f"{len(names)} columns and {len(frame)} rows, expected at least one of each")
    place = None if label is None else find_column(source, None, names, label)
    chosen = chosen_columns(source, None, names, place, columns, categorical, drop)
    cells = [_cells(source, name, frame[name], cell_type) for name, cell_type in chosen.items()]
    lines = np.arange(1, len(frame) + 1, dtype=np.int64)
    labels = label_name = None
    if place is not None:
        label_name = names[place]
        texts = ["" if cell is None else str(cell) for cell in _cells(source, label_name, frame[label_name])]
        labels = label_array(source, texts, None, label_name)
        positive = require_classes(source, None, labels, min_classes, positive)
    return RawTable(tuple(chosen), tuple(cells), labels, label_name, source, lines, positive, has_lines=False)


def _frame(stream: InputStream) -> nw.DataFrame[Any]:
    """Return the table; the format is read from its end, so all bytes are held."""
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        what = "a Parquet file, expected the package pyarrow to read it: pip install 'conjunct[parquet]'"
        raise refusal(stream.name, None, what) from None
    content = io.BytesIO()
    for piece in stream.pieces():
        content.write(piece)
        require_memory(2 * content.tell(), f"{stream.name}: the file", "read fewer rows or columns")
    try:
        return nw.from_native(parquet.read_table(content), eager_only=True)
    except (ValueError, OSError) as error:
        what = f"no readable Parquet ({str(error).splitlines()[0][:40]}), expected an intact file"
        raise refusal(stream.name, None, what) from None


def _cells(source: str, name: str, series: nw.Series[Any], cell_type: str | None = None) -> Column:
    cells: Column = series.to_list()
    kinds = {type(cell) for cell in cells if cell is not None}
    known = {bool, int, float} if cell_type == "number" else {bool, int, float, str}
    if kinds - known:
        place, cell = next((i, cell) for i, cell in enumerate(cells) if cell is not None and type(cell) not in known)
        expected = "expected numbers" if cell_type == "number" else "expected numbers, text or bools"
        what = f"column {quoted(name)} holds {type(cell).__name__}"
        raise refused_row(source, None, RowError(what, place, expected))
    if bool in kinds:
        cells = [None if cell is None else int(cell) for cell in cells]
    if float in kinds:
        cells = [None if cell is None or math.isnan(cell) else cell for cell in cells]
    return [None if cell is None else str(cell) for cell in cells] if cell_type == "text" else cells
