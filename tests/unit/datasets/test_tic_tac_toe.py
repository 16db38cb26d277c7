from __future__ import annotations

import gzip
from collections import Counter
from itertools import permutations, product

import numpy as np
import pytest

from conjunct.datasets import tic_tac_toe
from conjunct.logic import parse
from real_data import DATA, needs_data

LINES = [{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}]


@pytest.fixture(scope="module")
def table():
    return tic_tac_toe()


def boards(table):
    values = table.rows.to_array().reshape(-1, 9, 3)
    assert (values.sum(axis=2) == 1).all()
    return ["".join("xob"[value] for value in row) for row in values.argmax(axis=2)]


def owner_has_line(board, player):
    owned = {square for square in range(9) if board[square] == player}
    return any(line <= owned for line in LINES)


def is_final(board):
    """Decide from the board alone: the moves alternate, and only the last one may have ended the game."""
    n_x, n_o = board.count("x"), board.count("o")
    x_won, o_won = owner_has_line(board, "x"), owner_has_line(board, "o")
    if x_won or o_won:
        last = "x" if x_won else "o"
        ended_by_last_move = any(
            board[square] == last and not owner_has_line(board[:square] + "b" + board[square + 1 :], last)
            for square in range(9)
        )
        return x_won != o_won and ended_by_last_move and n_x - n_o == (1 if x_won else 0)
    return n_x == 5 and n_o == 4


def test_626_boards_are_won_by_x_and_332_are_not(table):
    assert (table.rows.n_rows, table.rows.n_variables) == (958, 27)
    assert Counter(table.labels.tolist()) == {"positive": 626, "negative": 332}


def test_the_boards_are_exactly_the_final_ones(table):
    final = {"".join(board) for board in product("xob", repeat=9) if is_final("".join(board))}
    assert len(set(boards(table))) == 958
    assert set(boards(table)) == final


def test_positive_means_three_in_a_row_for_x(table):
    expected = ["positive" if owner_has_line(board, "x") else "negative" for board in boards(table)]
    assert table.labels.tolist() == expected


def test_first_and_last_board(table):
    assert (boards(table)[0], table.labels[0]) == ("xxxxooxoo", "positive")
    assert (boards(table)[-1], table.labels[-1]) == ("ooxxxooxx", "negative")


def test_wins_of_x_come_first_then_wins_of_o_then_draws(table):
    winners = [next((player for player in "xo" if owner_has_line(board, player)), "none") for board in boards(table)]
    assert winners == ["x"] * 626 + ["o"] * 316 + ["none"] * 16


def test_variables_are_named_by_square_and_value(table):
    assert table.rows.names[:4] == ("top-left=x", "top-left=o", "top-left=b", "top-middle=x")
    assert table.rows.names[12:15] == ("middle-middle=x", "middle-middle=o", "middle-middle=b")
    assert table.rows.names[-1] == "bottom-right=b"


def test_the_target_formula_gives_the_labels(table):
    formula = parse(table.target, table.rows.names)
    assert len(formula.terms) == 8
    assert np.array_equal(formula.evaluate(table.rows), table.labels == "positive")


@needs_data
def test_the_published_table_has_the_same_boards_in_the_same_order(table):
    with gzip.open(DATA / "cp4im" / "tic-tac-toe.txt.gz", "rt") as file:
        published = np.array([line.split() for line in file], dtype=np.uint8)
    ours = np.column_stack([table.labels == "positive", table.rows.to_array()])
    values = published[:, 1:].reshape(-1, 9, 3)
    matching = [
        order
        for order in permutations(range(3))
        if np.array_equal(np.column_stack([published[:, 0], values[:, :, order].reshape(-1, 27)]), ours)
    ]
    assert len(matching) == 1
