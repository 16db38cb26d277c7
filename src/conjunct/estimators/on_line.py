"""What every on-line estimator asks of its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sklearn.utils import check_random_state

from conjunct.errors import SettingError
from conjunct.messages import shortened
from conjunct.settings import choice, flag, whole_number

__all__ = ["require_on_line_settings", "shuffling_seed"]

MOST_PASSES = 1 << 40


def require_on_line_settings(estimator: Any, predictions: Sequence[str]) -> None:
    """Refuse the parameters that all on-line estimators have, of wrong types or values."""
    whole_number(estimator.max_passes, "max_passes", most=MOST_PASSES, expected="a positive integer up to 2**40")
    choice(estimator.prediction, "prediction", predictions)
    flag(estimator.shuffle, "shuffle")
    try:
        check_random_state(estimator.random_state)
    except Exception:  # of NumPy, which tries whatever it is given
        expected = "expected None, an integer from 0 to 2**32 - 1 or a RandomState"
        raise SettingError(f"random_state={shortened(estimator.random_state)}: {expected}") from None


def shuffling_seed(estimator: Any) -> int | None:
    """Return the seed of this fit's shuffling; None where rows stay in order."""
    return int(check_random_state(estimator.random_state).randint(1 << 31)) if estimator.shuffle else None
