"""Measure which branches of the checkers their tests take: .venv/bin/python tools/checker_coverage.py.

Runs the tests of tests/unit/certificates that make test runs, processes that they start included; fails below 100 %.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = """[run]
branch = true
parallel = true
patch = subprocess
include =
    */conjunct/certificates/checker.py
    */conjunct/certificates/bound_checker.py
data_file = {folder}/data
"""


def main() -> int:
    """Run the tests under coverage, print the lines and branches that none took, and return the exit code."""
    coverage = [sys.executable, "-m", "coverage"]
    with TemporaryDirectory() as folder:
        settings = Path(folder) / "settings"
        settings.write_text(SETTINGS.format(folder=folder), encoding="utf-8")
        tests = ["-m", "pytest", "-q", "-n0", "-m", "not long", "tests/unit/certificates"]
        for command in (
            ["run", f"--rcfile={settings}", *tests],
            ["combine", "--quiet", f"--rcfile={settings}"],
            ["report", f"--rcfile={settings}", "--show-missing", "--fail-under=100"],
        ):
            code = subprocess.run([*coverage, *command], cwd=ROOT, env=os.environ, check=False).returncode
            if code:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
