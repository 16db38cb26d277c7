"""Sparse examples by name: what on-line learners read where no width is known."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.streams.name_table import NameTable

__all__ = ["NameTable"]

_HOMES = {"NameTable": "name_table"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
