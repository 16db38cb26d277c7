"""A failed allocation is a MemoryError and changes nothing; a thread that cannot start changes nothing at all."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "failing"
# Those of one line are shown by one process.
GROUPS = [
    ("rows", "names"),
    ("Perceptron", "Winnow of classes", "exponentiated gradient", "kernel Perceptron of classes"),
    ("margin machine",),
    pytest.param(
        ("Perceptron of classes", "Perceptron, voted", "Perceptron of numbers", "Perceptron of names"),
        marks=pytest.mark.long,
    ),
    pytest.param(("Winnow", "Winnow, positive", "Winnow of names", "kernel Perceptron"), marks=pytest.mark.long),
    pytest.param(("margin machine by margin", "margin machine by Perceptron"), marks=pytest.mark.long),
    pytest.param(("margin machine chosen",), marks=pytest.mark.long),
    pytest.param(("mask perceptron",), marks=pytest.mark.long),
]


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if compiler is None or sys.platform != "linux":
        pytest.skip("needs a C++ compiler, as the build does, and Linux")
    path = tmp_path_factory.mktemp("failing") / "calls.so"
    source = str(FOLDER / "calls.cpp")
    subprocess.run([compiler, "-std=c++17", "-O1", "-fPIC", "-shared", "-o", str(path), source, "-ldl"], check=True)
    return path


@cache
def run(library: Path, what: str, *groups: str) -> str:
    preloaded = f"{library} {os.environ.get('LD_PRELOAD', '')}".strip()
    options = f"{os.environ.get('ASAN_OPTIONS', '')}:verify_asan_link_order=0".lstrip(":")
    environment = {**os.environ, "LD_PRELOAD": preloaded, "ASAN_OPTIONS": options, "CONJUNCT_THREADS": "3"}
    command = [sys.executable, str(FOLDER / "cases.py"), str(library), what, *groups]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("groups", GROUPS, ids=lambda groups: groups[0])
def test_a_failed_allocation_is_a_memory_error_and_leaves_everything_as_it_was(library, groups):
    run(library, "allocations", *groups)


WITH_THREADS = ("rows", "Perceptron of classes", "kernel Perceptron of classes")


def test_a_thread_that_cannot_start_is_one_thread_fewer_and_the_same_result(library):
    run(library, "threads", *WITH_THREADS)


def test_allocations_and_threads_are_met(library):
    for what, groups in (("allocations", GROUPS[0]), ("threads", WITH_THREADS)):
        assert re.search(r"^gram by tiles: [1-9]", run(library, what, *groups), re.MULTILINE)
