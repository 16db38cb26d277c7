"""Where data enters: Boolean rows packed 64 variables to a word."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.bits.binarizer import Binarizer
    from conjunct.bits.bit_matrix import BitMatrix
    from conjunct.bits.cells import Cells
    from conjunct.bits.conjunction_columns import ConjunctionColumns
    from conjunct.bits.id_rows import IdRows
    from conjunct.bits.limits import memory_limit, require_memory, thread_count
    from conjunct.bits.randomness import random_below, random_bits, random_flips, random_permutation, random_words
    from conjunct.bits.sparse_rows import SparseRows
    from conjunct.bits.variable_tests import ColumnTests, VariableTest

__all__ = [
    "Binarizer",
    "BitMatrix",
    "Cells",
    "ColumnTests",
    "ConjunctionColumns",
    "IdRows",
    "SparseRows",
    "VariableTest",
    "memory_limit",
    "random_below",
    "random_bits",
    "random_flips",
    "random_permutation",
    "random_words",
    "require_memory",
    "thread_count",
]

_HOMES = {
    "Binarizer": "binarizer",
    "BitMatrix": "bit_matrix",
    "Cells": "cells",
    "ColumnTests": "variable_tests",
    "ConjunctionColumns": "conjunction_columns",
    "IdRows": "id_rows",
    "SparseRows": "sparse_rows",
    "VariableTest": "variable_tests",
    "memory_limit": "limits",
    "random_below": "randomness",
    "random_bits": "randomness",
    "random_flips": "randomness",
    "random_permutation": "randomness",
    "random_words": "randomness",
    "require_memory": "limits",
    "thread_count": "limits",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
