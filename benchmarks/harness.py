"""Comparisons that tell the truth: one process, the same data, equal answers asserted before any time is taken."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import perf_counter
from typing import Any

import numba
import numpy as np
from threadpoolctl import threadpool_limits

from conjunct import _core

PACKAGES = ("conjunct", "numpy", "numba", "faiss-cpu", "scikit-learn", "river", "pandas", "polars", "pyarrow")
LONG = 8.0


@dataclass(frozen=True)
class Contender:
    """One way to the answer, on a number of threads."""

    name: str
    threads: int
    run: Callable[[], Any]


@dataclass(frozen=True)
class Case:
    """One task, this library first among its contenders.

    Attributes
    ----------
    task : str
    size : int
        How many units (cells, rows, predictions) one run makes.
    unit : str
    contenders : list of Contender
        The first of them is this library; ratios are its speed over each other's.
    agree : callable
        Given the first contender's answer and another's; raises where they differ.
    """

    task: str
    size: int
    unit: str
    contenders: list[Contender]
    agree: Callable[[Any, Any], None]


@dataclass(frozen=True)
class Measurement:
    """The best of several runs of one contender."""

    task: str
    contender: str
    threads: int
    seconds: float
    per_second: float
    unit: str
    ratio: float = field(default=1.0)  # this library's speed over this contender's, on as many threads


def measure(case: Case, repeats: int = 5) -> Iterator[Measurement]:
    """Compare the answers, then time the contenders in turn, round after round; the best round counts.

    Who needs more than LONG seconds in all sits out the remaining rounds.
    """
    first = case.contenders[0]
    with limited(first.threads):
        reference = first.run()
    for other in case.contenders[1:]:
        with limited(other.threads):
            case.agree(reference, other.run())
    best = {place: float("inf") for place in range(len(case.contenders))}
    spent = dict.fromkeys(best, 0.0)
    for _ in range(repeats):
        for place, contender in enumerate(case.contenders):
            if spent[place] > LONG:
                continue
            with limited(contender.threads):
                start = perf_counter()
                contender.run()
                seconds = perf_counter() - start
            best[place], spent[place] = min(best[place], seconds), spent[place] + seconds
    ours = {c.threads: best[place] for place, c in reversed(list(enumerate(case.contenders))) if c.name == first.name}
    for place, contender in enumerate(case.contenders):
        ratio = best[place] / ours.get(contender.threads, best[0])
        speed = case.size / best[place]
        yield Measurement(case.task, contender.name, contender.threads, best[place], speed, case.unit, ratio)


@contextmanager
def limited(threads: int) -> Iterator[None]:
    """Let everything use so many threads and cores: also who starts threads unasked, as pandas does for text."""
    before, cores = os.environ.get("CONJUNCT_THREADS"), os.sched_getaffinity(0)
    os.environ["CONJUNCT_THREADS"] = str(threads)
    os.sched_setaffinity(0, set(sorted(cores)[-threads:]))
    try:
        numba.set_num_threads(threads)
        with threadpool_limits(threads):
            yield
    finally:
        os.sched_setaffinity(0, cores)
        os.environ.pop("CONJUNCT_THREADS")
        if before is not None:
            os.environ["CONJUNCT_THREADS"] = before


def equal(ours: Any, theirs: Any) -> None:
    """Require the same numbers."""
    np.testing.assert_array_equal(ours, theirs)


def machine() -> dict[str, object]:
    """Say on what the figures were measured."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text().splitlines() if cpuinfo.exists() else []
    cpu = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "simd": _core.simd_level(),
        "python": platform.python_version(),
        **{name: installed(name) for name in PACKAGES},
    }


def installed(package: str) -> str | None:
    """Return the version of a package, None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
