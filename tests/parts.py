"""Tests in parts and in one: what is exhaustive is split, what is trivial is not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

__all__ = ["case", "parts"]


def parts(n_parts: int, *, quick: int = 1) -> list[Any]:
    """Return the numbers from 0 to n_parts - 1, those from `quick` on marked as long."""
    return [part if part < quick else pytest.param(part, marks=pytest.mark.long) for part in range(n_parts)]


@contextmanager
def case(*names: object) -> Iterator[None]:
    """Name what fails inside: one of many cases in a loop, each too small for a test of its own."""
    try:
        yield
    except BaseException as error:
        error.add_note(f"case: {', '.join(map(str, names))}"[:300])
        raise
