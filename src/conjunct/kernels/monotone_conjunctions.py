"""The kernel that counts conjunctions of variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from conjunct.kernels.agreement_kernel import AgreementKernel
from conjunct.theory import monotone_conjunctions_kernel

__all__ = ["MonotoneConjunctions"]


@dataclass(frozen=True)
class MonotoneConjunctions(AgreementKernel):
    """Count the conjunctions, out of all 2**n over variables (no negations), that hold on both rows.

    Parameters
    ----------
    max_size : int, optional
        Count only conjunctions of at most this many variables.
    costs : sequence K_0..K_d or Geometric, optional
        A conjunction of size j counts 1/K_j; None counts each 1.

    Notes
    -----
    K(x, z) = sum_j C(s, j) / K_j with s the number of variables that are 1 in both rows. The empty conjunction is
    included, so without costs K = 2**s >= 1. Source: [khardon2005, Section 3], [kowalczyk2002, Section 2]. Over
    ``rows.with_negations()`` it is the kernel `Conjunctions`.

    Examples
    --------
    >>> x, z = "1011001110", "1001101010"
    >>> MonotoneConjunctions().value(x, z), MonotoneConjunctions(max_size=2).value(x, z)
    (16, 11)
    """

    counts_same: ClassVar[bool] = False
    definition: ClassVar[Callable[..., Fraction]] = staticmethod(monotone_conjunctions_kernel)
