"""What classifiers with a weight per variable have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.errors import SettingError
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.saving.on_line_model import OnLineModel

__all__ = ["LinearClassifier"]


class LinearClassifier:
    """Weights as attributes, and examples by name."""

    @property
    def coef_(self) -> NDArray[np.float64]:
        """The weights in floats, one row per output."""
        return self._floats("coef_", "weights", "coefficients")

    @property
    def intercept_(self) -> NDArray[np.float64]:
        """The constant's part of the score minus the threshold, in floats, one per output."""
        return self._floats("intercept_", "intercept", "intercepts")

    def _floats(self, name: str, words: str, attribute: str) -> NDArray[np.float64]:
        classifier: Any = self
        learned: OnLineModel = classifier._learned_model(name)
        if learned.prediction == "voted":
            raise AttributeError(f"voted predictions have no single {words}; see transcripts_")
        values = np.asarray(getattr(learned.model, attribute))
        if not np.all(np.isfinite(values)):
            raise SettingError(f"{name}: a weight is past the range of floats; predictions are exact without it")
        return values

    def _require_settings(self) -> None:
        classifier: Any = self
        whole_number(classifier.max_size, "max_size")
        parent: Any = super()
        parent._require_settings()

    def _take_over(self, model: OnLineModel) -> None:
        parent: Any = super()
        parent._take_over(model)
        self.names_ = model.table
