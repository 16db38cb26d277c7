"""The parts of the ladder: the rung of the linear program stands above the box and below the best tree."""

from __future__ import annotations

import pytest

from conjunct.lab.experiments.certificate_ladder import ACCEPTED, ORDER, QUICK, TABLES, WITHOUT_PROGRAM, on_table
from conjunct.lab.line import Line


@pytest.mark.parametrize(("name", "depth"), [("led", 3), ("monks-2", 1)])
def test_the_program_is_above_the_box_and_reaches_the_best_tree(name: str, depth: int) -> None:
    lines = [line for line in on_table(name, depth, 0) if isinstance(line, Line)]
    by_series = {line.series: line for line in lines if line.panel == name}
    assert by_series["box"].measured <= by_series["lp"].measured == by_series["lp"].bound
    assert [line.measured for line in lines if line.panel == ACCEPTED.title] == [6]
    assert "box/lp" in {line.series for line in lines if line.panel == ORDER[name].title}


def test_every_table_has_the_rung_of_the_program() -> None:
    for name, depths in TABLES.items():
        assert any((name, depth) not in WITHOUT_PROGRAM for depth in depths)
        assert all((name, depth) not in WITHOUT_PROGRAM for depth in QUICK[name])
