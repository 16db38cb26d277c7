"""What every on-line learner does alike: checked settings, sparse rows."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from conjunct.errors import SettingError
from conjunct.estimators.persistent import Persistent
from conjunct.messages import shortened

__all__ = ["OnLine"]

MOST_PASSES = 1 << 40


class OnLine(Persistent):
    """An estimator that learns on line, pass after pass."""

    predictions: ClassVar[tuple[str, ...]]  # how a model can predict
    automatic: ClassVar[tuple[str, ...]] = ()  # what a user may say instead

    def _require_passes(self) -> None:
        """Refuse the parameters that all share, of wrong types or values."""
        passes = self.max_passes
        if isinstance(passes, bool) or not isinstance(passes, int | np.integer) or not 1 <= passes <= MOST_PASSES:
            raise SettingError(f"max_passes={shortened(passes)}: expected a positive integer up to 2**40")
        *others, last = known = (*self.automatic, *self.predictions)
        if not isinstance(self.prediction, str) or self.prediction not in known:
            listed = ", ".join(f'"{name}"' for name in others)
            raise SettingError(f'prediction={shortened(self.prediction)}: expected {listed} or "{last}"')
        if not isinstance(self.shuffle, bool | np.bool_):
            raise SettingError(f"shuffle={shortened(self.shuffle)}: expected True or False")
        try:
            check_random_state(self.random_state)
        except Exception:  # of NumPy, which tries whatever it is given
            expected = "expected None, an integer from 0 to 2**32 - 1 or a RandomState"
            raise SettingError(f"random_state={shortened(self.random_state)}: {expected}") from None

    def _seed(self) -> int | None:
        return int(check_random_state(self.random_state).randint(1 << 31)) if self.shuffle else None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
