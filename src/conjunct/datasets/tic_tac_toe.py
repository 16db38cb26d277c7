"""The final boards of tic-tac-toe, enumerated by playing every game."""

from __future__ import annotations

import numpy as np

from conjunct.datasets.one_hot import one_hot
from conjunct.tables.table import Table

__all__ = ["tic_tac_toe"]

_SQUARES = tuple(f"{row}-{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right"))
_VALUES = ("x", "o", "b")
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def tic_tac_toe() -> Table:
    """All 958 boards on which a game of tic-tac-toe can end when x moves first; positive means x has won.

    A game ends when x or o has three in a row, or when the board is full.

    Returns
    -------
    Table
        27 variables, ``top-left=x``, ``top-left=o``, ``top-left=b`` (blank) and so on for the nine squares; labels
        "positive" (626) and "negative" (332). The wins of x come first, then the wins of o, then the 16 draws, each
        sorted square by square with x before o before b, which is the order of the published table
        (UCI Machine Learning Repository, "Tic-Tac-Toe Endgame").

    Examples
    --------
    >>> table = tic_tac_toe()
    >>> table.rows.n_rows, table.rows.names[:3], int((table.labels == "positive").sum())
    (958, ('top-left=x', 'top-left=o', 'top-left=b'), 626)
    """
    boards = sorted(_final_boards(), key=_place)
    labels = ["positive" if _has_line(board, "x") else "negative" for board in boards]
    target = " | ".join(" & ".join(f'"{_SQUARES[square]}=x"' for square in line) for line in _LINES)
    return Table("tic-tac-toe", one_hot(boards, dict.fromkeys(_SQUARES, _VALUES)), np.array(labels), target)


def _final_boards() -> set[str]:
    """Play every game move by move; boards reached in several ways are kept once."""
    final: set[str] = set()
    open_boards = {"b" * 9}
    for move in range(9):
        player = "xo"[move % 2]
        reached = {
            board[:square] + player + board[square + 1 :]
            for board in open_boards
            for square in range(9)
            if board[square] == "b"
        }
        ended = {board for board in reached if _has_line(board, player)}
        final |= ended
        open_boards = reached - ended
    return final | open_boards


def _place(board: str) -> tuple[bool, bool, list[int]]:
    return not _has_line(board, "x"), not _has_line(board, "o"), [_VALUES.index(value) for value in board]


def _has_line(board: str, player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in _LINES)
