"""Ctrl-C ends long native work: each script would run for minutes and is given seconds."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PREPARE = """
import numpy as np
from conjunct import BitMatrix, KernelPerceptronClassifier
from conjunct.bits import random_bits, random_words
from conjunct.kernels import Conjunctions
rows = BitMatrix.of(random_bits(1, (60_000, 512)))
labels = (random_words(2, 60_000) % np.uint64({n_classes})).astype(int)
print("ready", flush=True)
try:
    {work}
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""

WORK = {
    "a gram in blocks": "[block.sum() for _ in range(1000) for _, block in Conjunctions(2).gram_blocks(rows)]",
    "one gram": "[Conjunctions(2).gram(rows, rows[:2_000]) for _ in range(1000)]",
    "a fit on two classes": "KernelPerceptronClassifier(Conjunctions(2)).fit(rows, labels % 2)",
    "a fit on five classes": "KernelPerceptronClassifier(Conjunctions(2)).fit(rows, labels)",
}


@pytest.mark.parametrize("work", list(WORK))
def test_an_interrupt_ends_long_work(work):
    script = PREPARE.format(work=WORK[work], n_classes=5)
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
        with pytest.raises(subprocess.TimeoutExpired):
            run.wait(1.0)
        run.send_signal(signal.SIGINT)
        out, error = run.communicate(timeout=20)
    assert (out, error, run.returncode) == ("interrupted\n", "", 0)
