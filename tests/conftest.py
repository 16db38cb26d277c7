"""Ctrl-C reaches the processes that tests start, also where the suite runs in the background, which ignores it."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
