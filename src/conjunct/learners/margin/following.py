"""How a long search is followed: looks at powers of two, reasons to stop, interrupts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from conjunct.learners.margin.cell_descent import Round

__all__ = ["Search", "follow", "reason_to_stop"]


class Search(Protocol):
    """A search that makes some steps at a time."""

    @property
    def n_iter(self) -> int:
        """The steps made."""

    def reason(self, max_iter: int | None) -> str:
        """Say why the search is over, "" if it is not."""

    def go_on(self, last: int) -> None:
        """Make steps, at most up to step `last`."""

    def measure(self) -> Round:
        """Measure bound and risk."""


def follow(
    search: Search,
    max_iter: int | None,
    is_stopped: Callable[[], str],
    watch: Callable[[Round], None] | None,
    keeps_interrupted: bool,
) -> tuple[str, tuple[Round, ...]]:
    """Let a search run to its end; return why it ended and where it stood at steps 0, 1, 2, 4, ... and at the end.

    A search that `is_stopped` after some steps ends as one that is allowed no more steps than these: the same bytes.
    """
    history: list[Round] = []

    def look() -> None:
        history.append(search.measure())
        if watch is not None:
            watch(history[-1])

    look()
    reason, next_look = "", 1
    try:
        while not (reason := search.reason(max_iter) or reason_to_stop(search.n_iter, None, is_stopped)):
            search.go_on(next_look if max_iter is None else min(next_look, max_iter))
            if search.n_iter == next_look:
                look()
                next_look *= 2
        while not search.reason(search.n_iter):
            search.go_on(search.n_iter)
    except KeyboardInterrupt:
        if not keeps_interrupted:
            raise
        reason = "interrupted"
    if search.n_iter > history[-1].n_iter:
        look()
    return reason, tuple(history)


def reason_to_stop(n_iter: int, max_iter: int | None, is_stopped: Callable[[], str]) -> str:
    """Say why to stop after so many iterations, "" to go on; only `max_iter` is asked before the first.

    So a search that was stopped from outside has a count of 1 or more, which as `max_iter` stops another one there.
    """
    if max_iter is not None and n_iter >= max_iter:
        return "max_iter"
    return is_stopped() if n_iter else ""
