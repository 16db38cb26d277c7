"""Parts of an exhaustive test: a few in `make test`, all in `make test-all`."""

from __future__ import annotations

from typing import Any

import pytest

__all__ = ["parts"]


def parts(n_parts: int, *, quick: int = 1) -> list[Any]:
    """Return the numbers from 0 to n_parts - 1, those from `quick` on marked as long."""
    return [part if part < quick else pytest.param(part, marks=pytest.mark.long) for part in range(n_parts)]
