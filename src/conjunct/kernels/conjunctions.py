"""The kernel that counts conjunctions of literals."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from conjunct.kernels.agreement_kernel import AgreementKernel
from conjunct.theory import conjunctions_kernel

__all__ = ["Conjunctions"]


@dataclass(frozen=True)
class Conjunctions(AgreementKernel):
    """Count the conjunctions, out of all 3**n over positive and negative literals, that hold on both rows.

    Parameters
    ----------
    max_size : int, optional
        Count only conjunctions of at most this many literals.
    costs : sequence K_0..K_d or Geometric, optional
        A conjunction of size j counts 1/K_j; None counts each 1.

    Notes
    -----
    K(x, z) = sum_j C(s, j) / K_j with s the number of variables on which the rows agree: each agreed variable may enter
    the conjunction through its one true literal, or stay out. The empty conjunction is included, so without costs
    K = 2**s >= 1. Source: [khardon2005, Section 3], [kowalczyk2002, Section 2]. The float Gram is finite while
    n <= 1022; beyond that ask for ``gram_log2``. Signs of expansions are exact for any n.

    Examples
    --------
    >>> x, z = "1011001110", "1001101010"
    >>> Conjunctions().value(x, z), Conjunctions(max_size=3).value(x, z)
    (128, 64)
    >>> Conjunctions(max_size=1).gram(["10", "11"]).tolist()
    [[3.0, 2.0], [2.0, 3.0]]
    """

    counts_same: ClassVar[bool] = True
    definition: ClassVar[Callable[..., Fraction]] = staticmethod(conjunctions_kernel)
