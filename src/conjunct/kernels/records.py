"""Kernels as plain data, for model files."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from conjunct import kernels  # for the kernels that few files name: imported when one does
from conjunct.errors import ModelFileError
from conjunct.kernels.conjunctions import Conjunctions
from conjunct.kernels.costs import Geometric
from conjunct.kernels.kernel import Kernel
from conjunct.messages import shortened
from conjunct.theory import exact

__all__ = ["kernel_from_record", "kernel_record"]


def kernel_record(kernel: Kernel) -> dict[str, object]:
    """Describe a kernel in strings, integers and lists.

    Examples
    --------
    >>> kernel_record(Conjunctions(costs=Geometric("1/2")))
    {'kind': 'conjunctions', 'max_size': None, 'costs': {'eps': '1/2'}}
    """
    if isinstance(kernel, kernels.OnColumns):
        return {"kind": "on-columns", "columns": list(kernel.columns), "kernel": kernel_record(kernel.kernel)}
    if isinstance(kernel, kernels.Sum | kernels.Product):
        kind = "sum" if isinstance(kernel, kernels.Sum) else "product"
        return {"kind": kind, "parts": [kernel_record(part) for part in kernel.parts]}
    if not isinstance(kernel, Conjunctions | kernels.MonotoneConjunctions):
        raise ModelFileError(f"a model file holds the kernels of conjunct only, not {type(kernel).__name__}")
    costs = kernel.exact_costs
    plain: object = costs
    if isinstance(costs, Geometric):
        plain = {"eps": str(costs.eps)}
    elif costs is not None:
        plain = [str(cost) for cost in costs]
    kind = "conjunctions" if isinstance(kernel, Conjunctions) else "monotone-conjunctions"
    return {"kind": kind, "max_size": kernel.max_size, "costs": plain}


def kernel_from_record(record: object) -> Kernel:
    """Rebuild a kernel from its description; whatever is not one is refused."""
    if not isinstance(record, dict):
        raise ModelFileError("the kernel of a model is a record")
    kind = record.get("kind")
    if not isinstance(kind, str):
        raise ModelFileError("the kind of a kernel is a string")
    if kind in ("conjunctions", "monotone-conjunctions") and record.keys() == {"kind", "max_size", "costs"}:
        simple = Conjunctions if kind == "conjunctions" else kernels.MonotoneConjunctions
        return simple(record["max_size"], _costs(record["costs"]))
    if kind in ("sum", "product") and record.keys() == {"kind", "parts"} and isinstance(record["parts"], list):
        parts = tuple(kernel_from_record(part) for part in record["parts"])
        return kernels.Sum(parts) if kind == "sum" else kernels.Product(parts)
    if kind == "on-columns" and record.keys() == {"kind", "columns", "kernel"} and isinstance(record["columns"], list):
        return kernels.OnColumns(kernel_from_record(record["kernel"]), tuple(record["columns"]))
    raise ModelFileError(f"the model names an unknown kernel, {shortened(kind)}")


def _costs(record: Any) -> tuple[Fraction, ...] | Geometric | None:
    if record is None:
        return None
    if isinstance(record, dict) and record.keys() == {"eps"}:
        return Geometric(_ratio(record["eps"]))
    if isinstance(record, list):
        return tuple(_ratio(cost) for cost in record)
    raise ModelFileError("the costs of a kernel are null, a list of ratios, or an eps")


def _ratio(text: object) -> Fraction:
    if not isinstance(text, str):
        raise ModelFileError("an exact number in a model is a string p/q")
    return exact(text, "cost")
