"""The embedded tables by name."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from conjunct import datasets
from conjunct.errors import SettingError
from conjunct.messages import nearest_names, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from conjunct.tables.table import Table

__all__ = ["EMBEDDED", "embedded"]


def _made(function: str, **arguments: Any) -> Table:
    """Call a function of the package, asked for only now: listing the names imports nothing."""
    table: Table = getattr(datasets, function)(**arguments)
    return table


EMBEDDED: Mapping[str, Callable[[], Table]] = MappingProxyType(
    {
        "breast-cancer": partial(_made, "breast_cancer"),
        "tic-tac-toe": partial(_made, "tic_tac_toe"),
        "monks-1": partial(_made, "monks", problem=1),
        "monks-2": partial(_made, "monks", problem=2),
        "monks-3": partial(_made, "monks", problem=3),
        "led": partial(_made, "led", n_rows=500, seed=0, two_classes=True),
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
        nearest = nearest_names(name, EMBEDDED)
        raise SettingError(
            f"no embedded table is called {shortened(name)}; did you mean {nearest[0]!r}? "
            f"known names: {', '.join(nearest)}"
        )
    return EMBEDDED[name]()
