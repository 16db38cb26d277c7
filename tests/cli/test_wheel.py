"""The wheel of ``make wheel`` installs where there is no compiler, and learns and predicts there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLE = "windy,sky,play\n" + "no,sun,yes\nyes,sun,no\nno,rain,yes\nyes,rain,no\n" * 5


@pytest.mark.long
def test_the_wheel_installs_and_predicts_without_a_compiler(tmp_path: Path) -> None:
    venv, dist = tmp_path / "venv", tmp_path / "dist"
    subprocess.run(["make", "wheel", f"DIST={dist}"], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = dist.glob("conjunct-*.whl")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    environment = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX", "PYTHONPATH")}
    environment["PATH"] = str(venv / "bin")
    assert not any(
        shutil.which(name, path=environment["PATH"]) for name in ("cc", "c++", "gcc", "g++", "clang", "cmake")
    )

    def run(*command: str | Path) -> str:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run(venv / "bin/python", "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel)
    # What conjunct requires comes from the packages of this interpreter, behind those of the new one.
    site = run(venv / "bin/python", "-c", "import sysconfig; print(sysconfig.get_path('platlib'))").strip()
    (Path(site) / "required.pth").write_text(sysconfig.get_path("purelib") + "\n")
    assert run(venv / "bin/python", "-c", "import conjunct._core as core; print(core.__file__)").startswith(site)
    (tmp_path / "table.csv").write_text(TABLE)
    run(venv / "bin/conjunct", "fit", "table.csv", "--no-validation", "--quiet", "-o", "model")
    assert run(venv / "bin/conjunct", "evaluate", "model", "table.csv", "--quiet") == "1.000000\n"
    predicted = run(venv / "bin/conjunct", "predict", "model", "table.csv").splitlines()
    assert [line.split(",")[0] for line in predicted[-4:]] == ["yes", "no", "yes", "no"]
