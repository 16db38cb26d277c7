"""Tables as Parquet files, with the packages of the extra ``parquet``."""

from __future__ import annotations

import io
import math
from importlib import import_module
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np

from conjunct.bits.limits import require_memory
from conjunct.datasets.labels import find_column, label_array, require_classes, unknown_column
from conjunct.datasets.raw_table import Column, RawTable
from conjunct.files.compressed import InputStream, refusal, shown

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

__all__ = ["PARQUET_MAGIC", "parquet_from_stream", "read_parquet"]

PARQUET_MAGIC = b"PAR1"


def read_parquet(
    source: str | os.PathLike[str],
    *,
    label: str | int | None = "last",
    positive: str | int | None = None,
    categorical: Sequence[str] = (),
    min_classes: int = 2,
) -> RawTable:
    """Read a Parquet file whose columns hold numbers, text or bools.

    Parameters
    ----------
    source : str or path-like
        A file, or ``"-"`` for standard input.
    label, positive, categorical, min_classes
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
            stream, label=label, positive=positive, categorical=categorical, min_classes=min_classes
        )


def parquet_from_stream(
    stream: InputStream,
    *,
    label: str | int | None = "last",
    positive: str | int | None = None,
    categorical: Sequence[str] = (),
    min_classes: int = 2,
) -> RawTable:
    """Read Parquet from an open input; see `read_parquet`."""
    source = stream.name
    frame = _frame(stream)
    names = list(frame.columns)
    if not names or not len(frame):
        raise refusal(source, 1, f"{len(names)} columns and {len(frame)} rows, expected at least one of each")
    place = None if label is None else find_column(source, 1, names, label)
    for unknown in sorted(set(categorical) - set(names)):
        raise unknown_column(source, 1, names, unknown)
    columns = [_cells(source, name, frame[name], name in categorical) for name in names]
    lines = np.arange(1, len(frame) + 1, dtype=np.int64)
    labels = label_name = None
    if place is not None:
        label_name = names.pop(place)
        texts = ["" if cell is None else str(cell) for cell in columns.pop(place)]
        labels = label_array(source, texts, range(1, len(texts) + 1), label_name)
        positive = require_classes(source, 1, labels, min_classes, positive)
    return RawTable(tuple(names), tuple(columns), labels, label_name, source, lines, positive)


def _frame(stream: InputStream) -> nw.DataFrame[Any]:
    """Return the table; the format is read from its end, so all bytes are held."""
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        what = "a Parquet file, expected the package pyarrow to read it: pip install 'conjunct[parquet]'"
        raise refusal(stream.name, 1, what) from None
    content = io.BytesIO()
    for piece in stream.pieces():
        content.write(piece)
        require_memory(2 * content.tell(), f"{stream.name}: the file", "read fewer rows or columns")
    try:
        return nw.from_native(parquet.read_table(content), eager_only=True)
    except (ValueError, OSError) as error:
        what = f"no readable Parquet ({str(error).splitlines()[0][:40]}), expected an intact file"
        raise refusal(stream.name, 1, what) from None


def _cells(source: str, name: str, series: nw.Series[Any], is_text: bool) -> Column:
    cells: Column = series.to_list()
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds - {bool, int, float, str}:
        place, cell = next(
            (i, cell) for i, cell in enumerate(cells, 1) if type(cell) not in (type(None), bool, int, float, str)
        )
        what = f"column {shown(name)} holds {type(cell).__name__}, expected numbers, text or bools"
        raise refusal(source, place, what)
    if bool in kinds:
        cells = [None if cell is None else int(cell) for cell in cells]
    if float in kinds:
        cells = [None if cell is None or math.isnan(cell) else cell for cell in cells]
    return [None if cell is None else str(cell) for cell in cells] if is_text else cells
