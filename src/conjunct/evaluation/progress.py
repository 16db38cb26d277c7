"""The progress bar of long work, on a terminal only."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

__all__ = ["progress_bar"]


def progress_bar(*, is_shown: bool) -> Progress:
    """Return a bar that shows on a terminal, if it is to, and goes away at the end."""
    is_seen = is_shown and sys.stderr is not None and sys.stderr.isatty()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
        disable=not is_seen,
    )
