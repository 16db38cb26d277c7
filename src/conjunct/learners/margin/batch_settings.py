"""The settings that the batch machines share, checked."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.theory import Exact, exact

__all__ = ["positive_lam", "require_gap", "require_limit"]


def positive_lam(lam: Exact) -> Fraction:
    """Check the regularisation."""
    value = exact(lam, "lam")
    if value <= 0:
        given = shortened(value if isinstance(lam, str) else lam)
        raise SettingError(f"lam={given}: expected a positive number; small ones fit the rows, large ones smooth")
    return value


def require_gap(tol: object) -> None:
    """Refuse a relative gap outside of (0, 1)."""
    if isinstance(tol, bool) or not isinstance(tol, float | int | np.floating) or not 0 < tol < 1:
        raise SettingError(f"tol={shortened(tol)}: expected a relative gap between 0 and 1")


def require_limit(max_iter: object) -> None:
    """Refuse a number of iterations that is neither positive nor None."""
    if max_iter is not None and (
        isinstance(max_iter, bool) or not isinstance(max_iter, int | np.integer) or max_iter < 1
    ):
        raise SettingError(f"max_iter={shortened(max_iter)}: expected a positive integer, or None for no limit")
