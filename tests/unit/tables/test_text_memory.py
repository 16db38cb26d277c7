"""What texts that occur once take while they are read, and that nothing is lost by keeping them small."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from itertools import islice, product
from pathlib import Path

import numpy as np
import pytest

from conjunct.datasets import read_table

MEASURED = """
import sys
from importlib import import_module
from pathlib import Path

for name in ("delimited", "records", "typed_columns"):
    import_module(f"conjunct.tables.{name}")

def kilobytes(key):
    return next(int(line.split()[1]) for line in Path("/proc/self/status").open() if line.startswith(key))

before = kilobytes("VmRSS:")
Path("/proc/self/clear_refs").write_text("5")
sys.modules["conjunct.tables.delimited"].read_table(sys.argv[1], label=None)
print(1024 * (kilobytes("VmHWM:") - before))
"""
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def different_texts(n_rows: int) -> list[str]:
    """Return texts of four letters, all different."""
    return ["".join(letters) for letters in islice(product(LETTERS, repeat=4), n_rows)]


@pytest.mark.skipif(
    not Path("/proc/self/clear_refs").exists() or "CONJUNCT_SANITIZED" in os.environ,
    reason="peaks are read from /proc, and the sanitizers take memory of their own",
)
def test_different_texts_of_four_letters_take_at_most_five_times_their_bytes(tmp_path):
    path = tmp_path / "t.csv"
    texts = different_texts(200_000)
    path.write_text("\n".join(["a,b,c,d,e,f", *(",".join([text] * 6) for text in texts), ""]))
    done = subprocess.run([sys.executable, "-c", MEASURED, path], capture_output=True, check=True, encoding="utf-8")
    assert 2 * path.stat().st_size < int(done.stdout) < 5 * path.stat().st_size


def test_very_many_texts_that_repeat_are_missing_or_long_stay_as_they_were_written(tmp_path):
    choose = random.Random(0)
    new = [text if k % 1000 else text * choose.randrange(5, 3000) for k, text in enumerate(different_texts(70_000))]
    entries: list[str | None] = []
    for text in new:
        entries += choose.choice(
            [[text], [text, None], [text, choose.choice(new[:100])], [text, new[len(entries) // 3]]]
        )
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["a,b", *(f"{text or choose.choice(['', 'NA'])},x" for text in entries), ""]))
    table = read_table(path, label=None)
    column = table.typed_columns[0]
    assert table.columns[0] == entries
    assert [column.entry(row) for row in range(0, len(entries), 97)] == entries[::97]
    assert len(column.values) == column.n_distinct() == len({*entries} - {None})


def test_rows_know_their_lines_where_records_span_some_and_others_are_blank(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('a,b\nu,v\nu,v\n\n"u\nu",v\nu,v\n"u\n\nu",v\nu,v\n\n\nu,v')
    assert read_table(path, label=None).lines.tolist() == [2, 3, 5, 7, 8, 11, 14]
    path.write_text("a,b\n" + "u,v\n" * 5000 + '"u\n",v\n' * 3 + "u,v\n" * 5000)
    lines = read_table(path, label=None).lines
    assert np.diff(lines).tolist() == [1] * 5000 + [2] * 3 + [1] * 4999
