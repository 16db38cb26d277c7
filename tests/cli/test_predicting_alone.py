"""What a saved model needs to predict."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from conjunct.cli.command import run

PROGRAM = """
import sys
from conjunct.cli.command import run
for command in (["predict", "--labels"], ["evaluate", "--quiet"]):
    assert run([*command, "m", "t.csv"]) == 0
packages = {name.partition(".")[0] for name, module in sys.modules.items() if "site-packages" in str(module)}
print(sorted(packages - {"_distutils_hack", "conjunct"}), file=sys.stderr)
"""
TABLE = "color,age,buys\n" + "red,20,no\nblue,40,yes\nred,31,no\nblue,52,yes\n" * 3


@pytest.mark.parametrize("learner", ["svc", "svc-cv", "mask", "perceptron", "kernel-perceptron", "winnow"])
def test_a_saved_model_predicts_with_numpy_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learner: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text(TABLE)
    calibrated = ["--calibrate"] if learner.startswith("svc") else []
    assert run(["fit", "t.csv", "-o", "m", "--learner", learner, "--no-validation", "--quiet", *calibrated]) == 0
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout.split() == [*(line.rsplit(",", 1)[1] for line in TABLE.splitlines()[1:]), "1.000000"]
    assert done.stderr == "['click', 'numpy']\n"
