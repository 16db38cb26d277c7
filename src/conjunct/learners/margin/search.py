"""What the searches of the batch machines have in common: rounds, limits, steps, and how they are followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from conjunct.learners.margin.dual_solution import DualSolution
    from conjunct.learners.margin.rounding import Weigh

__all__ = ["Limit", "Round", "Search", "StepSearch", "follow", "rounds_by_steps"]


@dataclass(frozen=True)
class Round:
    """Where a search stands.

    Attributes
    ----------
    n_iter : int
        Blocks, steps or updates so far.
    bound, risk : float
        The value of the weights and the least risk seen, in floats.
    """

    n_iter: int
    bound: float
    risk: float

    @property
    def gap(self) -> float:
        """The relative gap, (risk - bound) / risk; 0 where no row has mass, as a fold may leave two classes."""
        return max(0.0, 1 - self.bound / self.risk) if self.risk else 0.0


@dataclass
class Limit:
    """How long a search may go on, and afterwards which limit it met.

    Attributes
    ----------
    max_iter : int, optional
        The most iterations.
    is_stopped : callable
        Text says why to stop here, "" to go on. It is not asked before the first iteration: a search that was stopped
        has a count of 1 or more, which as `max_iter` stops another one there.
    reason : str
        The limit met, "" while there is none.
    """

    max_iter: int | None
    is_stopped: Callable[[], str]
    reason: str = ""

    def is_reached(self, n_iter: int) -> bool:
        """Say whether to stop after so many iterations."""
        if self.max_iter is not None and n_iter >= self.max_iter:
            self.reason = "max_iter"
            return True
        return self.stops(n_iter)

    def stops(self, n_iter: int) -> bool:
        """Say whether to stop for another reason than the number of iterations."""
        self.reason = self.is_stopped() if n_iter else ""
        return bool(self.reason)


class Search(Protocol):
    """A search that a batch machine follows."""

    @property
    def n_iter(self) -> int:
        """The iterations made."""

    def rounds(self, limit: Limit) -> Iterator[Round]:
        """Search to the end or the limit; yield whenever bound and risk were measured, first at the start."""

    def measure(self) -> Round:
        """Measure bound and risk."""

    def reason(self, max_iter: int | None) -> str:
        """Say why the search is over, "" if it is not."""

    def solution(self, weigh: Weigh) -> DualSolution:
        """Round the weights and weigh them."""


def follow(
    search: Search, limit: Limit, watch: Callable[[Round], None] | None, keeps_interrupted: bool
) -> tuple[str, tuple[Round, ...]]:
    """Let a search run to its end; return why it ended, and its rounds, the last one at the end."""
    history: list[Round] = []

    def note(current: Round) -> None:
        if not history or current.n_iter > history[-1].n_iter:
            history.append(current)
            if watch is not None:
                watch(current)

    try:
        for current in search.rounds(limit):
            note(current)
    except KeyboardInterrupt:
        if not keeps_interrupted:
            raise
        limit.reason = "interrupted"
    if search.n_iter > history[-1].n_iter:
        note(search.measure())
    return limit.reason or search.reason(limit.max_iter), tuple(history)


class StepSearch(Search, Protocol):
    """A search that makes some steps at a time."""

    def go_on(self, last: int) -> None:
        """Make steps, at most up to step `last`."""


def rounds_by_steps(search: StepSearch, limit: Limit) -> Iterator[Round]:
    """Let a search make its steps, and measure it after 0, 1, 2, 4, ... of them.

    A search that is stopped after some steps ends as one that is allowed no more steps than these: the same bytes.
    """
    yield search.measure()
    next_round = 1
    while not (search.reason(limit.max_iter) or limit.stops(search.n_iter)):
        search.go_on(next_round if limit.max_iter is None else min(next_round, limit.max_iter))
        if search.n_iter == next_round:
            yield search.measure()
            next_round *= 2
    while not search.reason(search.n_iter):
        search.go_on(search.n_iter)
