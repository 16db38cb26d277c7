"""What a saved model needs to predict."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
from conjunct.cli import main
try:
    main(sys.argv[1:])
finally:
    print("sklearn" in sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize("learner", ["svc", "perceptron", "kernel-perceptron"])
def test_a_saved_model_predicts_without_scikit_learn(tmp_path: Path, learner: str) -> None:
    table = "color,age,buys\n" + "red,20,no\nblue,40,yes\nred,31,no\nblue,52,yes\n" * 3
    (tmp_path / "t.csv").write_text(table)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", PROGRAM, *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=120)

    run("fit", "t.csv", "-o", "m", "--learner", learner, "--no-validation")
    predicted = run("predict", "m", "t.csv")
    assert predicted.stdout.split() == [line.rsplit(",", 1)[1] for line in table.splitlines()[1:]]
    assert predicted.stderr == "False\n"
    assert run("evaluate", "m", "t.csv", "--quiet").stderr == "False\n"
