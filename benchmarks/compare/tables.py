"""From a file or a frame to packed bits, against reading the same file and against scikit-learn's encoders.

Ours reads, types, finds cuts, tests and packs; the peers of the files only read. Everything runs on one thread but for
polars, which has its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from harness import Case, Contender, equal
from pyarrow import csv
from sklearn.compose import ColumnTransformer
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder

from conjunct import Binarizer, BitMatrix
from conjunct.datasets import RawTable, read_table
from conjunct.tables import TableEncoding

WORDS = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"]
N_QUANTILES = 4


def columns(n_rows: int) -> dict[str, Any]:
    """Ten columns of categories, five of decimals, five of small integers."""
    random = np.random.default_rng(0)
    made: dict[str, Any] = {f"word{k}": np.array(WORDS)[random.integers(0, 10, n_rows)] for k in range(10)}
    made |= {f"decimal{k}": (100 * random.normal(size=n_rows)).round(2) for k in range(5)}
    return made | {f"count{k}": random.integers(0, 100, n_rows) for k in range(5)}


def cases(full: bool) -> Iterator[Case]:
    n_rows = 1_000_000 if full else 200_000
    frame = pl.DataFrame(columns(n_rows))
    with TemporaryDirectory() as folder:
        for what, style in (("", "necessary"), (", quotes", "non_numeric")):
            path = Path(folder, "table.csv")
            frame.write_csv(path, quote_style=style)
            contenders = [
                Contender("conjunct, file to bits", 1, partial(file_to_bits, path)),
                Contender("pandas.read_csv", 1, partial(pd.read_csv, path, engine="c")),
                Contender("pyarrow.csv", 1, partial(csv.read_csv, path, csv.ReadOptions(use_threads=False))),
                Contender("polars.read_csv", 2, partial(pl.read_csv, path)),
            ]
            size = path.stat().st_size
            yield Case(f"CSV of {n_rows:,} x 20, {size / 1e6:.0f} MB{what}", size, "bytes", contenders, same_entries)
    made = columns(n_rows) | {f"decimal{k}": np.random.default_rng(k).normal(size=n_rows) for k in range(5)}
    made = {name: column for name, column in made.items() if not name.startswith("count")}
    for kind in (pd.DataFrame, pl.DataFrame):
        table = kind(made)
        name = f"{kind.__module__.partition('.')[0]} frame of {n_rows:,} x 15, fit and transform"
        contenders = [
            Contender("conjunct, Binarizer", 1, partial(binarized, table)),
            Contender("scikit-learn, ColumnTransformer", 1, partial(encoded, table)),
        ]
        yield Case(name, 15 * n_rows, "entries", contenders, same_bits)


def file_to_bits(path: Path) -> tuple[RawTable, BitMatrix]:
    table = read_table(path, label=None)
    entries = {column.name: column for column in table.typed_columns}
    encoding = TableEncoding.of(entries, np.zeros(table.n_rows, np.int8), cuts=N_QUANTILES)
    return table, encoding.rows(entries)


def same_entries(ours: tuple[RawTable, BitMatrix], theirs: Any) -> None:
    frame = (
        theirs if isinstance(theirs, pa.Table) else theirs.to_arrow() if isinstance(theirs, pl.DataFrame) else theirs
    )
    for column in ours[0].typed_columns:
        equal(np.array(column.tolist()), np.array(frame[column.name].to_numpy()))


def binarized(frame: Any) -> Any:
    binarizer = Binarizer(cuts=N_QUANTILES).fit(frame)
    return binarizer, binarizer.transform(frame)


def encoded(frame: Any) -> Any:
    words = [name for name in frame.columns if name.startswith("word")]
    numbers = [name for name in frame.columns if not name.startswith("word")]
    bins = KBinsDiscretizer(N_QUANTILES + 1, encode="onehot-dense", subsample=None, quantile_method="linear")
    encoder = ColumnTransformer(
        [("words", OneHotEncoder(sparse_output=False, dtype=np.uint8), words), ("numbers", bins, numbers)]
    )
    return encoder, encoder.fit_transform(frame)


def same_bits(ours: Any, theirs: Any) -> None:
    """Compare: a bin is value <= cut and not <= the cut before, so the bins, cumulated, are the tests."""
    n_words = 10 * len(WORDS)
    equal(ours[1][:, :n_words], theirs[1][:, :n_words])
    bins = theirs[1][:, n_words:].reshape(len(theirs[1]), -1, N_QUANTILES + 1)
    tests = np.cumsum(bins, axis=2)[:, :, :N_QUANTILES].reshape(len(bins), -1)
    equal(ours[1][:, n_words:], tests)


def peak_memory(full: bool) -> Iterator[dict[str, Any]]:
    """Yield how much memory reading a file to bits takes beside the imports, in times the bytes of the file."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "table.csv")
        pl.DataFrame(columns(1_000_000 if full else 200_000)).write_csv(path)
        program = (
            "import json, sys, numpy, pathlib\n"
            "def peak(): return int(pathlib.Path('/proc/self/status').read_text().split('VmHWM:')[1].split()[0])\n"
            "from conjunct.datasets import read_table\n"
            "from conjunct.tables import TableEncoding\n"
            "read_table.__module__, TableEncoding.of\n"
            "before = peak()\n"
            "table = read_table(sys.argv[1], label=None)\n"
            "entries = {column.name: column for column in table.typed_columns}\n"
            "TableEncoding.of(entries, numpy.zeros(table.n_rows, 'i1')).rows(entries)\n"
            "print(json.dumps([before, peak()]))"
        )
        command = [sys.executable, "-c", program, str(path)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        before, peak = (1024 * kib for kib in json.loads(run.stdout))
        size = path.stat().st_size
        yield {"what": "file to bits", "file_bytes": size, "peak_bytes": peak - before, "times": (peak - before) / size}
