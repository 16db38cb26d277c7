"""What classifiers with a weight per variable have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from conjunct.bits import NameTable
from conjunct.errors import SettingError
from conjunct.estimators.one_by_one import OneByOne
from conjunct.estimators.sparse_input import as_examples
from conjunct.logic.spelling import spelled
from conjunct.settings import whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.learners import Transcript
    from conjunct.saving.on_line_model import OnLineModel

__all__ = ["LinearClassifier"]


class LinearClassifier:
    """Weights as attributes, and examples by name, in batches or one a call."""

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Go on learning from a batch of rows, once, in the given order.

        Parameters
        ----------
        X, y
            As in `fit`.
        classes : array-like
            All labels there will ever be; needed at the first call only.
        """
        X = as_examples(X)
        if type(X) is list and len(X) == 1 and self._is_learned(X[0], y, classes):
            return self
        parent: Any = super()
        parent.partial_fit(X, y, classes)
        return self

    def learn_one(self, example: Any, label: Any, classes: Any = None) -> Self:
        """Go on learning from one example by name, as `partial_fit` does from a batch of one.

        Parameters
        ----------
        example : set, dict, or list or generator of tokens
        label : object
        classes : array-like
            All labels there will ever be; needed at the first call only, and not where labels are True and False.
        """
        if classes is None and isinstance(label, bool | np.bool_) and not hasattr(self, "classes_"):
            classes = [False, True]
        return self.partial_fit([example], [label], classes)

    def predict_one(self, example: Any) -> Any:
        """Return the label of one example by name; None before the first one was learned."""
        (example,) = as_examples([example])
        stream = self._stream()
        code = None if stream is None else stream.choice(example)
        if stream is not None and code is not None:
            return stream.labels[code]
        if not hasattr(self, "classes_"):
            return None
        classifier: Any = self
        return classifier.predict([example]).tolist()[0]

    def _is_learned(self, example: Any, y: Any, classes: Any) -> bool:
        """Learn from one example by name, if nothing but its names is new."""
        if len(y if hasattr(y, "__len__") else ()) != 1:
            return False
        stream = self._stream()
        if stream is None or not stream.is_of(self, classes):
            return False
        if stream.learn(example, y[0]):
            return True
        self.__dict__.pop("_one_by_one", None)
        stream = self._stream()  # with new room
        return stream is not None and stream.learn(example, y[0])

    def _stream(self) -> OneByOne | None:
        """Return what learns and predicts one example a call; None where there is none yet, or while it is fitted."""
        attributes = self.__dict__
        if "_busy" in attributes:
            return None
        stream: OneByOne | None = attributes.get("_one_by_one") or OneByOne.of(self)
        if stream is not None:
            attributes["_one_by_one"] = stream
        return stream

    def __setattr__(self, name: str, value: Any) -> None:
        """Set an attribute; what it may be wrong for is made anew."""
        self.__dict__.pop("_one_by_one", None)
        super().__setattr__(name, value)

    def top(self, n: int = 20) -> Any:
        """Return the variables of largest weight, up or down, with their weights.

        Parameters
        ----------
        n : int, default 20
            How many.

        Returns
        -------
        list of (str, float), or dict of such lists
            The name of each variable as formulas write it, a conjunction with ``&``, and its weight as in ``coef_``,
            unless it is 0. With several classes a list for each.

        Examples
        --------
        >>> from conjunct import PerceptronClassifier
        >>> rows = [["red", "round"], ["red", "flat"], ["blue", "round"], []]
        >>> PerceptronClassifier(max_size=2, shuffle=False).fit(rows, [1, 0, 0, 0]).top(2)
        [('red & round', 1.0), ('flat & red', -1.0)]
        """
        n = whole_number(n, "n")
        classifier: Any = self
        tops = []
        for weights in self.coef_:
            variables = np.argsort(-np.abs(weights), kind="stable")[:n]
            variables = variables[weights[variables] != 0]
            tops.append(list(zip(self._names(variables.tolist()), weights[variables].tolist(), strict=True)))
        return tops[0] if len(tops) == 1 else dict(zip(classifier.classes_.tolist(), tops, strict=True))

    def _names(self, variables: list[int]) -> list[str]:
        """Return what variables are called, by their numbers."""
        table: NameTable | None = getattr(self, "names_", None)
        if table is not None:
            return table.descriptions(variables)
        names = getattr(self, "feature_names_in_", None)
        return [f"x{number + 1}" if names is None else spelled(str(names[number])) for number in variables]

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

    def _transcript(self, run: Any) -> Transcript:
        names = getattr(self, "names_", None)
        if names is None:
            names = getattr(self, "feature_names_in_", None)
        transcript: Transcript = run.transcript(
            names if names is None or isinstance(names, NameTable) else names.tolist()
        )
        return transcript

    def _require_settings(self) -> None:
        classifier: Any = self
        whole_number(classifier.max_size, "max_size")
        parent: Any = super()
        parent._require_settings()

    def _take_over(self, model: OnLineModel) -> None:
        parent: Any = super()
        parent._take_over(model)
        self.names_ = model.table
