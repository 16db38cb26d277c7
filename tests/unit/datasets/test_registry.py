from __future__ import annotations

import pytest

from conjunct.datasets import EMBEDDED, Table, embedded
from conjunct.errors import SettingError


def test_the_embedded_names_are_known():
    assert tuple(EMBEDDED) == ("breast-cancer", "tic-tac-toe", "monks-1", "monks-2", "monks-3", "led")


@pytest.mark.parametrize("name", ["breast-cancer", "tic-tac-toe", "monks-1", "monks-2", "monks-3", "led"])
def test_each_name_gives_the_table_of_that_name(name):
    table = embedded(name)
    assert isinstance(table, Table)
    assert table.name == name


def test_the_registry_cannot_be_changed():
    with pytest.raises(TypeError):
        EMBEDDED["mine"] = EMBEDDED["monks-1"]


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("tictactoe", "tic-tac-toe"),
        ("Breast Cancer", "breast-cancer"),
        ("monk2", "monks-2"),
        ("TIC TAC TOE", "tic-tac-toe"),
    ],
)
def test_an_unknown_name_lists_the_known_ones_nearest_first(name, nearest):
    with pytest.raises(SettingError) as caught:
        embedded(name)
    said, _, names = str(caught.value).partition(" known names: ")
    assert repr(name) in said
    assert said.endswith(f"did you mean '{nearest}'?")
    listed = names.split(", ")
    assert listed[0] == nearest
    assert sorted(listed) == sorted(EMBEDDED)
