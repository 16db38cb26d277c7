"""Ctrl-C ends long native work: each script would run for many minutes."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PREPARE = """
import numpy as np
from conjunct import BitMatrix, ConjunctionFeatures, KernelPerceptronClassifier, separable
from conjunct.bits import random_bits, random_words
from conjunct.kernels import Conjunctions
from conjunct.search import TreeProblem, search_conjunctions, search_frontier, search_tree, walk_by_rows
rows = BitMatrix.of(random_bits(1, (60_000, 512)))
labels = (random_words(2, 60_000) % np.uint64(5)).astype(int)
def look():
    pass
"""

WORK = {
    "a gram in blocks": "[block.sum() for _ in range(1000) for _, block in Conjunctions(2).gram_blocks(rows)]",
    "one gram": "[Conjunctions(2).gram(rows, rows[:2_000]) for _ in range(1000)]",
    "rules on rows": "[rows.decide(np.arange(0, 4 * 10**6 + 1, 4), np.tile([0, 1, 2, 3], 10**6), np.ones(10**6, bool),"
    " False) for _ in range(1000)]",
    "conjunctions of columns": "[ConjunctionFeatures(2).fit(rows).transform(rows[:2_000]) for _ in range(1000)]",
    "a fit on two classes": "KernelPerceptronClassifier(Conjunctions(2)).fit(rows, labels % 2)",
    "a fit on five classes": "KernelPerceptronClassifier(Conjunctions(2)).fit(rows, labels)",
    "the cheapest tree": "search_tree(TreeProblem(rows[:2_000], np.eye(5, dtype=int)[labels[:2_000]],"
    " np.ones(2_000, int), np.ones(2_000, int), 1, 5))",
    "the least errors by leaves": "search_frontier(TreeProblem(rows[:20_000], np.eye(5, dtype=int)[labels[:20_000]],"
    " np.ones(20_000, int), np.ones(20_000, int), 1, 4))",
    "the heaviest conjunctions": "search_conjunctions(rows, labels - 2, max_size=9)",
    "the heaviest conjunctions on one thread": "search_conjunctions(rows, labels - 2, max_size=9, max_nodes=10**12)",
    "a walk row by row": "walk_by_rows(rows, np.where(labels, 1, -(10**6)), 9, literals=range(1024), raise_limit=True)",
    "whether labels are separable": "[separable(rows[:9_000], labels[:9_000] % 2) for _ in range(1000)]",
}

PREPARE_LINEAR = """
import numpy as np
from scipy.sparse import csr_array
from conjunct import PerceptronClassifier, WinnowClassifier
from conjunct.bits import random_words
from conjunct.bits import NameTable
places = (random_words(1, 40 * 100_000) % np.uint64(1 << 18)).astype(np.int32).reshape(-1, 40)
table = csr_array((np.ones(places.size), places.ravel(), np.arange(0, places.size + 1, 40)), (len(places), 1 << 18))
table.sum_duplicates()
table.data[:] = 1
labels = (random_words(2, 100_000) % np.uint64(5)).astype(int)
examples = [set(row) for row in places[:20_000].tolist()]
old = PerceptronClassifier(thickness=10**9, max_passes=10**4).partial_fit(table[:9], labels[:9] % 2, classes=[0, 1])
before = old.__getstate__()["file"]
names = NameTable(2, max_bytes=1 << 60)
names.rows(examples[:1])
n_before = names.n_variables
def look():
    assert old.__getstate__()["file"] == before and names.n_variables == n_before
"""

WORK_LINEAR = {
    "a Perceptron on two classes": "PerceptronClassifier(thickness=10**9, max_passes=10**4).fit(table, labels % 2)",
    "a Perceptron on five classes": "PerceptronClassifier(thickness=10**9, max_passes=10**4).fit(table, labels)",
    "a Perceptron fitted again": "old.fit(table, labels % 2)",
    "balanced Winnow": "WinnowClassifier(thickness=10**9, promotion=1.01, max_passes=10**4).fit(table, labels % 2)",
    "positive Winnow": "WinnowClassifier(variant='positive', promotion=1.01, thickness=10**9, max_passes=10**4)"
    ".fit(table, labels % 2)",
    "batch after batch": "[old.partial_fit(table[9:], labels[9:] % 2) for old in [PerceptronClassifier(thickness=10**9)"
    ".partial_fit(table[:9], labels[:9] % 2, classes=[0, 1])] for _ in range(1000)]",
    "conjunctions of names": "names.rows(examples * 1000)",
}


ONE_AFTER_THE_OTHER = """
import sys
for work in sys.argv[1:]:
    print("ready", flush=True)
    try:
        eval(compile(work, "work", "eval"))
    except KeyboardInterrupt:
        look()
        print("interrupted", flush=True)
"""


@pytest.mark.parametrize(
    ("prepare", "works"), [(PREPARE, WORK), (PREPARE_LINEAR, WORK_LINEAR)], ids=["kernels", "linear"]
)
def test_an_interrupt_ends_long_work(prepare: str, works: dict[str, str]) -> None:
    command = [sys.executable, "-c", prepare + ONE_AFTER_THE_OTHER, *works.values()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        for name in works:
            assert run.stdout.readline() == "ready\n", name
            with pytest.raises(subprocess.TimeoutExpired):
                run.wait(0.5)
            run.send_signal(signal.SIGINT)
            assert run.stdout.readline() == "interrupted\n", name
        out, error = run.communicate(timeout=120)
    assert (out, error, run.returncode) == ("", "", 0)
