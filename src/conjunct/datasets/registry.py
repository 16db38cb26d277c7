"""The embedded tables by name."""

from __future__ import annotations

from difflib import SequenceMatcher
from types import MappingProxyType
from typing import TYPE_CHECKING

from conjunct import datasets
from conjunct.errors import SettingError, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from conjunct.datasets.table import Table

__all__ = ["EMBEDDED", "embedded"]

# Each entry asks the package for its function when called, so that listing the names loads no table.
EMBEDDED: Mapping[str, Callable[[], Table]] = MappingProxyType(
    {
        "breast-cancer": lambda: datasets.breast_cancer(),
        "tic-tac-toe": lambda: datasets.tic_tac_toe(),
        "monks-1": lambda: datasets.monks(1),
        "monks-2": lambda: datasets.monks(2),
        "monks-3": lambda: datasets.monks(3),
        "led": lambda: datasets.led(500, seed=0, two_classes=True),
    }
)


def embedded(name: str) -> Table:
    """Return the embedded table of that name.

    Parameters
    ----------
    name : str
        One of the keys of `EMBEDDED`.

    Returns
    -------
    Table

    Raises
    ------
    SettingError
        When no table has that name; the message lists the names, the nearest first.

    Examples
    --------
    >>> embedded("monks-1").rows.n_rows
    432
    >>> embedded("tictactoe")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    conjunct.errors.SettingError: no embedded table is called 'tictactoe'; did you mean 'tic-tac-toe'? known names: ...
    """
    if not isinstance(name, str) or name not in EMBEDDED:
        wish = name[:100].lower() if isinstance(name, str) else ""
        nearest = sorted(EMBEDDED, key=lambda known: -SequenceMatcher(None, known, wish).ratio())
        raise SettingError(
            f"no embedded table is called {shortened(name)}; did you mean {nearest[0]!r}? "
            f"known names: {', '.join(nearest)}"
        )
    return EMBEDDED[name]()
