"""What every mistake-driven classifier does alike: labels known from the start, one output against the rest."""

from __future__ import annotations

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from sklearn.base import ClassifierMixin

from conjunct.bits import thread_count
from conjunct.errors import BitsError, SettingError
from conjunct.estimators.boolean_input import class_labels
from conjunct.estimators.on_line import OnLine
from conjunct.messages import in_one_line, shortened

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["OnLineClassifier", "n_outputs_for", "run_all"]

T = TypeVar("T")


class OnLineClassifier(ClassifierMixin, OnLine):  # type: ignore[misc]  # scikit-learn has no types
    """A classifier that learns on line, pass after pass, one output against the rest."""

    predictions: ClassVar[tuple[str, ...]] = ("final", "averaged", "voted")
    automatic: ClassVar[tuple[str, ...]] = ("auto",)

    def _known_classes(self, classes: Any) -> NDArray[Any]:
        """Return all labels there will ever be, given at the first call of partial_fit."""
        is_first = not hasattr(self, "classes_")
        if is_first and classes is None:
            raise SettingError("classes: the first call of partial_fit needs the list of all labels")
        with in_one_line("classes"):
            listed = self.classes_ if classes is None else np.unique(np.asarray(classes))
        known: NDArray[Any] = listed if is_first else self.classes_
        if not np.array_equal(listed, known):
            raise SettingError(
                f"classes={shortened(classes)} are not those of the first call, {shortened(known.tolist())}"
            )
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            raise SettingError('class_weight="balanced" needs all rows at once; give a dict to partial_fit')
        return known

    def _read_labels(
        self, y: Any, n_rows: int, known: NDArray[Any] | None = None
    ) -> tuple[NDArray[Any], NDArray[np.int64]]:
        """Return the classes and the number of each row's class."""
        if y is None:
            raise SettingError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        classes, codes = class_labels(y, n_rows)
        if known is not None:
            for label in classes.tolist():
                if label not in known.tolist():
                    listed = shortened(known.tolist())
                    raise BitsError(f"label {shortened(label)} is not among the classes {listed} of the first call")
            classes, codes = known, np.searchsorted(known, classes)[codes]
        if len(classes) < 2:
            raise BitsError(f"the labels hold one class only, {shortened(classes.tolist()[0])}; two are needed")
        return classes, codes


def n_outputs_for(classes: NDArray[Any]) -> int:
    """Return how many outputs separate the classes: one for two, one each for more."""
    return 1 if len(classes) == 2 else len(classes)


def run_all(learn: Callable[[int], T], n_outputs: int, stop: Event) -> tuple[T, ...]:
    """Run one learner per output, on this thread and as many more as can be started; an interrupt stops them all.

    Where learners fail, the error is that of the first output, whoever ran it.
    """
    outputs, learned, errors = SimpleQueue[int](), dict[int, T](), dict[int, BaseException]()
    for output in range(n_outputs):
        outputs.put(output)

    def work() -> None:
        while not errors:
            try:
                output = outputs.get_nowait()
            except Empty:
                return
            try:
                learned[output] = learn(output)
            except BaseException as error:  # raised below, by the thread that asked
                errors[output] = error
            is_interrupted = isinstance(errors.get(output), KeyboardInterrupt)
            if is_interrupted or (errors and learned.keys() >= set(range(min(errors)))):
                stop.set()

    others: list[Thread] = []
    try:
        for _ in range(min(n_outputs, thread_count()) - 1):
            other = Thread(target=work)
            try:
                other.start()
            except (RuntimeError, MemoryError):  # no more threads
                break
            others.append(other)
        work()
        for other in others:
            other.join()
    except BaseException:
        stop.set()
        for other in others:
            other.join()
        raise
    for output in sorted(errors):
        raise errors[output]
    return tuple(learned[output] for output in range(n_outputs))
