"""Examples by name that an on-line classifier learns and predicts one a call."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from conjunct.errors import ConjunctError
from conjunct.saving.on_line_model import OnLineModel

__all__ = ["OneByOne"]


class OneByOne:
    """A classifier's model while examples come one a call: labels to numbers, and the stream of its learner.

    It is what the classifier's parameters and runs made it, and is made anew when these change.

    Attributes
    ----------
    labels : list
        The classes.
    """

    def __init__(self, model: OnLineModel, stream: Any, class_weight: Any, *, learns: bool) -> None:
        self._model, self._native, self._learns = model, stream, learns
        self._class_weight = dict(class_weight) if class_weight else class_weight
        self._is_mean = model.prediction == "averaged"
        self.labels: list[Any] = model.classes.tolist()
        self._codes = {label: code for code, label in enumerate(self.labels)}

    @classmethod
    def of(cls, classifier: Any) -> Self | None:
        """Return that of a classifier; None where it has not learned from names, or its learner has no stream."""
        model: OnLineModel | None = classifier.__dict__.get("_model")
        if model is None or model.table is None or not hasattr(model.learner, "stream"):
            return None
        prediction = "averaged" if classifier.prediction == "auto" else classifier.prediction
        try:
            classifier._require_settings()
            rates, unit = classifier._rates(model.classes, np.arange(len(model.classes)))
            runs = classifier._runs_going_on(unit, model.n_variables)
            stream = model.learner.stream(runs, model.table, rates.tolist())
        except ConjunctError:  # which learning from a batch says, or predicting need not
            return None
        learns = (
            model.stopped_by == "end of batch"
            and model.prediction == prediction
            and classifier.max_size == model.table.max_size
            and not isinstance(classifier.class_weight, str)
        )
        return cls(model, stream, classifier.class_weight, learns=learns)

    def is_of(self, classifier: Any, classes: Any) -> bool:
        """Return whether it learns for a classifier that is given these classes, if any."""
        if not self._learns or classifier.class_weight != self._class_weight:
            return False
        return classes is None or (type(classes) in (list, tuple) and list(classes) == self.labels)

    def learn(self, example: Any, label: Any) -> bool:
        """Learn from an example; false where that is for others, and nothing was changed."""
        try:
            code = self._codes[label]
        except (KeyError, TypeError):
            return False
        if not self._native.learn(example, code):
            return False
        self._model.__dict__.pop("model", None)  # frozen before
        return True

    def choice(self, example: Any) -> int | None:
        """Return the number of the class of an example; None where that is for others."""
        choice: int | None = self._native.choice(example, is_mean=self._is_mean)
        return choice
