"""Boolean kernels: the features they count, as exact tables over agreement counts."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from conjunct.kernels.combinations import OnColumns, Product, Sum
    from conjunct.kernels.conjunctions import Conjunctions
    from conjunct.kernels.costs import Geometric
    from conjunct.kernels.exact_sum import ExactSum
    from conjunct.kernels.kernel import Kernel
    from conjunct.kernels.monotone_conjunctions import MonotoneConjunctions
    from conjunct.kernels.pair_sums import PairSums
    from conjunct.kernels.records import kernel_from_record, kernel_record

__all__ = [
    "Conjunctions",
    "ExactSum",
    "Geometric",
    "Kernel",
    "MonotoneConjunctions",
    "OnColumns",
    "PairSums",
    "Product",
    "Sum",
    "kernel_from_record",
    "kernel_record",
]

_HOMES = {
    "Conjunctions": "conjunctions",
    "ExactSum": "exact_sum",
    "Geometric": "costs",
    "Kernel": "kernel",
    "MonotoneConjunctions": "monotone_conjunctions",
    "OnColumns": "combinations",
    "PairSums": "pair_sums",
    "Product": "combinations",
    "Sum": "combinations",
    "kernel_from_record": "records",
    "kernel_record": "records",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
