from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from conjunct.errors import SettingError
from conjunct.files.canonical_json import encode
from conjunct.lab import Experiment, Line, Panel, draw, find_experiment, run, save, verdict
from conjunct.lab.runner import FILES, load

SQUARES = Panel("squares", "n", "size n", is_fitted=True)
FLOOR = Panel("floor", "n", "size n", x_log=False, y_log=False)


def experiment(factor: float = 2) -> Experiment:
    def trials(seed: int, quick: bool) -> list[Any]:
        return [
            lambda: [Line.of("squares", "square", n, [n * n, n * n - 1], factor * n * n) for n in (2, 4, 8)],
            lambda: [Line.of("floor", "at least", 3, [5, 4], 3, ">=")],
        ]

    return Experiment(
        "toy",
        "A toy",
        "Squares.",
        (("blum1992", "place"),),
        ("none",),
        (("n", "loose"),),
        (SQUARES, FLOOR),
        "So it is.",
        trials,
    )


def test_a_saved_result_is_read_back_as_it_was(tmp_path: Path) -> None:
    result = run(experiment(), 3)
    save(result, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(FILES)
    assert load(tmp_path) == result
    assert (tmp_path / "result.json").read_text() == encode(result) + "\n"
    assert (tmp_path / "figure.svg").read_bytes() == draw(load(tmp_path), "svg")


def test_a_result_counts_tightness_and_exponents() -> None:
    result = run(experiment())
    assert result["tightness"] == 0.75  # the guaranteed minimum 3 beside the 4 it measured
    square, at_least = result["series"]
    assert square["tightness"] == 0.5
    assert square["exponent"] == pytest.approx(2, abs=0.1)
    assert "exponent" not in at_least
    assert verdict(result).word == "holds"
    assert verdict(run(experiment(0.9))).word == "violated"


def test_a_broken_bound_of_0_is_violated_and_saved(tmp_path: Path) -> None:
    result = run(experiment(0))
    assert verdict(result).word == "violated"
    assert result["tightness"] is None
    assert [series["tightness"] for series in result["series"]] == [None, 0.75]
    save(result, tmp_path)
    assert load(tmp_path) == result


def test_the_runner_tells_how_far_it_is() -> None:
    seen = []
    run(experiment(), advance=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]


def test_the_drawing_depends_on_the_result_alone() -> None:
    result = run(experiment())
    assert draw(result, "svg") == draw(run(experiment()), "svg")
    assert draw(result, "svg") != draw(run(experiment(3)), "svg")


def test_without_matplotlib_the_package_to_install_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("matplotlib", "matplotlib.figure"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SettingError, match=r"pip install 'conjunct\[lab\]'"):
        draw(run(experiment()), "svg")


def test_an_unknown_name_is_refused_with_the_nearest_first() -> None:
    with pytest.raises(SettingError, match="did you mean 'eg-loss'"):
        find_experiment("EG_loss")
