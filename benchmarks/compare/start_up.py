"""What `conjunct predict` and `evaluate` take on a small table, in CPU seconds, beside a process that imports NumPy."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

TABLE = "color,age,flag,buys\n" + "red,21.5,0,no\nblue,35,1,yes\nred,62,0,no\ngreen,44,1,yes\n" * 3
COMMAND = [sys.executable, "-m", "conjunct"]
LEARNERS = ("svc", "kernel-perceptron", "perceptron", "winnow")


def measurements(repeats: int) -> Iterator[dict[str, Any]]:
    with TemporaryDirectory() as folder:
        data = str(Path(folder, "t.csv"))
        Path(data).write_text(TABLE)
        contenders = {"import numpy": [sys.executable, "-c", "import numpy"]}
        for learner in LEARNERS:
            model = str(Path(folder, learner))
            options = ["--learner", learner, "--no-validation", "--quiet"]
            subprocess.run([*COMMAND, "fit", data, "-o", model, *options], check=True)
            for command in ("predict", "evaluate"):
                contenders[f"conjunct {command}, {learner}"] = [*COMMAND, command, model, data]
            labels = subprocess.run([*COMMAND, "predict", "--labels", model, data], check=True, capture_output=True)
            assert labels.stdout.decode().split() == ["no", "yes"] * 6
        best = dict.fromkeys(contenders, float("inf"))
        for _ in range(repeats):
            for name, command in contenders.items():
                best[name] = min(best[name], cpu_seconds(command))
    for name, seconds in best.items():
        yield {"what": name, "cpu_seconds": seconds, "times": seconds / best["import numpy"]}


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
