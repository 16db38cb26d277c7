"""What was learned: frozen objects that predict."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.models.kernel_expansion import KernelExpansion
    from conjunct.models.voted_expansion import VotedExpansion

__all__ = ["KernelExpansion", "VotedExpansion"]

_HOMES = {"KernelExpansion": "kernel_expansion", "VotedExpansion": "voted_expansion"}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
