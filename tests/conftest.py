"""What holds for all tests: signals, threads, how many examples hypothesis draws."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# The workers share the cores; threads of BLAS beside them would only wait, at full speed.
for library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{library}_NUM_THREADS", "1")

settings.register_profile("quick", max_examples=40)
settings.register_profile("thorough", max_examples=250)  # make test-all
settings.load_profile("quick")


def pytest_configure() -> None:
    """Let Ctrl-C reach the processes that tests start, also where the suite runs in the background."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
