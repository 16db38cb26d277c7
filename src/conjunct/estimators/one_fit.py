"""One fit at a time: an estimator shows what it learned all at once, or stays as it was."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

from conjunct.bits.limits import limiting_threads
from conjunct.errors import BusyError

__all__ = ["one_fit"]

Estimator = TypeVar("Estimator")


@contextmanager
def one_fit(estimator: Estimator) -> Iterator[Estimator]:
    """Give a copy to learn into; its attributes become those of the estimator in one step, if the block ends well.

    Whoever predicts in another thread meanwhile meets the estimator of before, fitted or not. A second fit on the
    object while one is running is refused. Where the estimator has ``n_jobs``, that many threads learn.
    """
    token = object()
    if estimator.__dict__.setdefault("_busy", token) is not token:
        raise BusyError("this estimator is being fitted in another thread; use a clone for a second fit")
    copy = object.__new__(type(estimator))
    copy.__dict__ = {name: value for name, value in estimator.__dict__.items() if name != "_busy"}
    try:
        with limiting_threads(getattr(estimator, "n_jobs", None)):
            yield copy
    except BaseException:
        del estimator.__dict__["_busy"]
        raise
    estimator.__dict__ = copy.__dict__  # which nobody is busy with
