"""How far long work is: told by whoever does it, in parts of parts, and shown as a bar, on a terminal only.

Work tells the share of it that is done; without a bar above it that costs nothing and shows nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

__all__ = ["following", "progress_bar", "report", "showing", "steps", "waiting", "within"]

T = TypeVar("T")
_follower: ContextVar[Callable[[float], None] | None] = ContextVar("follower", default=None)


def report(share: float) -> None:
    """Tell which share of the present work is done, from 0 to 1."""
    follow = _follower.get()
    if follow is not None:
        follow(share)


def steps(things: Iterable[T]) -> Iterator[T]:
    """Go through things that are equal parts of the present work; what is told meanwhile is about one of them.

    Examples
    --------
    >>> told = []
    >>> with following(told.append):
    ...     for number in steps((1, 2)):
    ...         report(0.5)
    >>> told
    [0.25, 0.5, 0.75, 1.0]
    """
    listed = list(things)
    for number, thing in enumerate(listed):
        with within(number / len(listed), (number + 1) / len(listed)):
            yield thing


@contextmanager
def within(begin: float, end: float) -> Iterator[None]:
    """Let what is told inside be about a part of the present work, from one share of it to another."""
    follow = _follower.get()
    with following(None if follow is None else lambda share: follow(begin + share * (end - begin))):
        yield
    report(end)


@contextmanager
def following(follow: Callable[[float], None] | None) -> Iterator[None]:
    """Let someone follow the work that is done inside."""
    before = _follower.set(follow)
    try:
        yield
    finally:
        _follower.reset(before)


@contextmanager
def showing(what: str, *, is_shown: bool) -> Iterator[None]:
    """Show how far the work inside is, and how long it may still take."""
    with progress_bar(is_shown=is_shown, in_percent=True) as bar:
        task = bar.add_task(what, total=1.0)
        with following(lambda share: bar.update(task, completed=share)):
            yield


@contextmanager
def waiting(what: str, *, is_shown: bool) -> Iterator[None]:
    """Show that the work inside, which cannot tell how far it is, goes on, and for how long it has."""
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn("line"), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=_console(), transient=True, disable=not (is_shown and _is_seen())) as spinner:
        spinner.add_task(what, total=None)
        yield


def progress_bar(*, is_shown: bool, in_percent: bool = False, is_steady: bool = True) -> Progress:
    """Return a bar that shows on a terminal, if it is to, and goes away at the end.

    Where work is not steady, as in a search, how far it is says nothing about the time left, nor does the bar.
    """
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        *((TextColumn("about"), TimeRemainingColumn(), TextColumn("left,")) if is_steady else ()),
        TaskProgressColumn() if in_percent else MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=_console(),
        transient=True,
        disable=not (is_shown and _is_seen()),
    )


def _console() -> Console:
    from rich.console import Console

    return Console(stderr=True)


def _is_seen() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()
