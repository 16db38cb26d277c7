"""Exact definitions in int and Fraction: slow, obviously right, and what every fast path is tested against."""

from __future__ import annotations

from conjunct.theory.decisions import decision_value
from conjunct.theory.exact import Exact, exact
from conjunct.theory.expansions import floor_carry_sign, signed_histogram, signed_sum, votes
from conjunct.theory.kernels import (
    Row,
    agreement_count,
    conjunction_table,
    conjunctions_kernel,
    gram,
    monotone_conjunctions_kernel,
)

__all__ = [
    "Exact",
    "Row",
    "agreement_count",
    "conjunction_table",
    "conjunctions_kernel",
    "decision_value",
    "exact",
    "floor_carry_sign",
    "gram",
    "monotone_conjunctions_kernel",
    "signed_histogram",
    "signed_sum",
    "votes",
]
