"""One comparison: this library and a peer on the same data, equal answers asserted before a time is taken."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import conjunct
from conjunct import _core


@dataclass(frozen=True)
class Case:
    """Two ways to one answer. `agree` raises when the answers differ."""

    name: str
    ours: Callable[[], Any]
    peer_name: str
    peer: Callable[[], Any]
    agree: Callable[[Any, Any], None]


@dataclass(frozen=True)
class Outcome:
    """Median seconds of each contender."""

    name: str
    peer: str
    ours_seconds: float
    peer_seconds: float

    @property
    def ratio(self) -> float:
        """How many times faster this library is."""
        return self.peer_seconds / self.ours_seconds


def measure(case: Case, repeats: int) -> Outcome:
    """Run both once, compare, then time both alternately."""
    case.agree(case.ours(), case.peer())
    ours, peer = [], []
    for _ in range(repeats):
        ours.append(seconds(case.ours))
        peer.append(seconds(case.peer))
    return Outcome(case.name, case.peer_name, median(ours), median(peer))


def seconds(action: Callable[[], Any]) -> float:
    """Time one call."""
    start = perf_counter()
    action()
    return perf_counter() - start


def machine() -> dict[str, object]:
    """Say on what the figures were measured."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    cpu = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "simd": _core.simd_level(),
        "conjunct": conjunct.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def as_json(outcome: Outcome) -> str:
    """Write an outcome as one line."""
    fields = {"ours_seconds": outcome.ours_seconds, "peer_seconds": outcome.peer_seconds, "ratio": outcome.ratio}
    return json.dumps({"name": outcome.name, "peer": outcome.peer, **fields})
