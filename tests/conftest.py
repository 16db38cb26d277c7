"""What holds for all tests: signals, threads, how many examples hypothesis draws; the SIMD levels that were run."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

from conjunct import _core

# The workers share the cores; threads of BLAS beside them would only wait, at full speed.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

settings.register_profile("quick", max_examples=40)
settings.register_profile("thorough", max_examples=250)  # make test-all
settings.load_profile("quick")


def pytest_configure() -> None:
    """Let Ctrl-C reach the processes that tests start, also where the suite runs in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the SIMD levels that were run: all that this CPU has, if the test that runs them was among the tests."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    had_all = any("test_every_level_and_number_of_threads" in report.nodeid for report in reports)
    runnable = _core.simd_levels()
    run = runnable if had_all else [_core.simd_level()]
    lists = {
        "SIMD levels run": run,
        "not run": [level for level in runnable if level not in run],
        "not run, for want of such a CPU": [level for level in _core.built_simd_levels() if level not in runnable],
    }
    terminalreporter.write_line("; ".join(f"{what}: {', '.join(names)}" for what, names in lists.items() if names))
