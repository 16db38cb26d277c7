"""Every experiment: its shape, its verdict, its tightness, its bytes."""

from __future__ import annotations

import copy
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.table import Table
from matplotlib.text import Text

from conjunct.files.canonical_json import encode
from conjunct.lab import EXPERIMENTS, PAPERS, draw, find_experiment, run, text_table, tightness, verdict
from conjunct.lab.figure import make_figure, styled
from conjunct.lab.palette import looks
from conjunct.lab.text_table import short

BIBLIOGRAPHY = Path(__file__).parents[3] / "docs/references.bib"
NAMES = (
    "perceptron-bound",
    "winnow-bound",
    "elimination",
    "eg-loss",
    "infinite-attributes",
    "perceptron-versus-winnow",
    "non-realizable",
    "naive-bayes-threshold",
    "k-dnf-linear",
    "decision-list-linear",
    "halfspace-network",
    "halfspace-intersection-learning",
    "trees-span-polynomials",
    "cart-is-regularised-risk",
    "frontier-figure",
    "online-to-pac",
    "led-table",
    "led-bounds",
    "margin-perceptron-convergence",
    "margin-on-hard-sequence",
    "optimal-trees",
    "certificate-ladder",
    "dnf-terms",
    "subset-margin",
    "boosting-versus-margin",
)
# Whose bounds are made of the streams themselves: noise, random targets.
WITH_BOUNDS_OF_THE_STREAM = (
    "non-realizable",
    "halfspace-intersection-learning",
    "trees-span-polynomials",
    "cart-is-regularised-risk",
    "frontier-figure",
    "margin-perceptron-convergence",
    "optimal-trees",
    "dnf-terms",
    "subset-margin",
    "boosting-versus-margin",
)
SIDES = {"<=": "upper bound", ">=": "lower bound", "==": "equal"}
SIGNS = {"<=": "≤", ">=": "≥", "==": "="}
every_experiment = pytest.mark.parametrize("name", NAMES)
# Figures with panels, with spreads and with tables.
OF_EVERY_KIND = ("perceptron-bound", "led-table", "margin-on-hard-sequence")
# Whose runs, also quick ones, take a second and more.
OF_SECONDS = (
    "perceptron-versus-winnow",
    "halfspace-intersection-learning",
    "cart-is-regularised-risk",
    "led-table",
    "led-bounds",
    "optimal-trees",
    "dnf-terms",
    "subset-margin",
    "boosting-versus-margin",
)


def long(name: str) -> Any:
    return pytest.param(name, marks=pytest.mark.long)


@cache
def saved(name: str, seed: int = 0) -> dict[str, Any]:
    return run(find_experiment(name), seed, quick=True)


@cache
def drawn(name: str) -> Figure:
    with styled(saved(name)):
        figure = make_figure(saved(name))
        FigureCanvasAgg(figure).draw()
    return figure


def all_axes(figure: Figure) -> list[Axes]:
    return [axes for part in figure.subfigs for axes in part.axes]


def words(artist: Figure | Axes) -> list[str]:
    texts = [
        *artist.findobj(Text),
        *(cell.get_text() for table in artist.findobj(Table) for cell in table.get_celld().values()),
    ]
    return [" ".join(text.get_text().split()) for text in texts]


def named_colours(axes: Axes) -> list[tuple[str, Any]]:
    """Return what is drawn with its name: in the legend, with bars, or at the axis."""
    rows = dict(enumerate(text.get_text() for text in axes.get_yticklabels()))
    points = [line for line in axes.lines if len(line.get_ydata()) == 1 and line.get_label().startswith("_")]
    return [
        *((line.get_label(), line.get_color()) for line in axes.lines),
        *((each.get_label().removesuffix(": mean, least to most"), each[0].get_color()) for each in axes.containers),
        *((rows.get(round(line.get_ydata()[0]), ""), line.get_color()) for line in points),
    ]


def tightened(result: dict[str, Any], factor: float, **where: str) -> dict[str, Any]:
    """Return the result with the bounds of one series or all multiplied; guaranteed minima divided."""
    changed = copy.deepcopy(result)
    for line in changed["lines"]:
        if all(line[key] == value for key, value in where.items()):
            line["bound"] *= 1 / factor if line["relation"] == ">=" else factor
    return changed


def timeless(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result without the observed series that differ from run to run."""
    if "observed" not in result:
        return result
    return result | {"observed": [each for each in result["observed"] if each["series"] not in result["timings"]]}


def is_beyond(line: dict[str, Any]) -> bool:
    return line["measured"] < line["bound"] if line["relation"] == ">=" else line["measured"] > line["bound"]


def test_all_experiments_are_registered() -> None:
    assert tuple(EXPERIMENTS) == NAMES


@every_experiment
def test_the_statement_holds(name: str) -> None:
    answer = verdict(saved(name))
    assert answer.word == "holds", answer
    assert answer.line is None


@every_experiment
def test_a_bound_a_tenth_below_the_tightest_line_is_violated(name: str) -> None:
    result = saved(name)
    answer = verdict(tightened(result, 0.9 * result["tightness"]))
    assert answer.word == "violated"
    assert answer.line is not None
    assert is_beyond(answer.line)


@every_experiment
def test_each_series_is_violated_by_a_bound_below_its_own_tightest_line(name: str) -> None:
    result = saved(name)
    assert result["series"]
    for each in result["series"]:
        place = {"panel": each["panel"], "series": each["series"]}
        answer = verdict(tightened(result, 0.9 * each["tightness"], **place))
        assert answer.word == "violated"
        assert answer.line is not None
        assert {key: answer.line[key] for key in place} == place


@every_experiment
def test_the_tightness_is_that_of_the_lines(name: str) -> None:
    result = saved(name)
    assert result["tightness"] == pytest.approx(tightness(result["lines"]), rel=1e-11)
    assert result["tightness"] == max(each["tightness"] for each in result["series"])
    assert 0 < result["tightness"] <= 1


@every_experiment
def test_a_bound_called_tight_is_reached_and_loose_ones_alone_are_not(name: str) -> None:
    result = saved(name)
    words = [word for _, word in result["bounds"]]
    assert set(words) <= {"tight", "loose"}
    assert ("tight" in words) == (result["tightness"] == 1)


@every_experiment
def test_a_result_says_all_that_is_needed(name: str) -> None:
    experiment, result = EXPERIMENTS[name], saved(name)
    known = set(re.findall(r"^@\w+\{(\w+),", BIBLIOGRAPHY.read_text(), re.MULTILINE))
    assert {key for key, _ in result["source"]} <= known
    assert result["name"] == name == experiment.name
    assert result["statement"] == experiment.statement
    assert "\n" not in result["statement"]
    assert result["hypotheses"]
    assert result["conclusion"].endswith(".")
    assert (result["seed"], result["settings"]["quick"]) == (0, True)
    titles = [panel["title"] for panel in result["panels"]]
    assert {line["panel"] for line in result["lines"]} == set(titles)
    for line in result["lines"]:
        assert line["runs"] >= 1
        if name in WITH_BOUNDS_OF_THE_STREAM:  # the worst run is the nearest to its own bound
            continue
        assert line["mean"] >= line["measured"] if line["relation"] == ">=" else line["mean"] <= line["measured"]


@pytest.mark.parametrize("name", [long(name) if name in OF_SECONDS else name for name in NAMES])
def test_the_same_seed_gives_the_same_bytes_and_another_other_ones(name: str) -> None:
    again = run(find_experiment(name), 0, quick=True)
    assert encode(timeless(again)) == encode(timeless(saved(name)))
    other = run(find_experiment(name), 1, quick=True)
    assert verdict(other).word == "holds"
    assert other["lines"] != again["lines"]
    if name not in WITH_BOUNDS_OF_THE_STREAM:
        assert [line["bound"] for line in other["lines"]] == [line["bound"] for line in again["lines"]]


@pytest.mark.parametrize("name", [name if name in OF_EVERY_KIND else long(name) for name in NAMES])
def test_figures_are_the_same_bytes_and_hold_no_date(name: str) -> None:
    result = saved(name)
    svg = draw(result, "svg")
    assert svg == draw(copy.deepcopy(result), "svg")
    assert b"<svg" in svg
    assert b"dc:date" not in svg


@pytest.mark.parametrize("name", [name if name == OF_EVERY_KIND[0] else long(name) for name in NAMES])
def test_pictures_are_the_same_bytes_and_name_no_software(name: str) -> None:
    png = draw(saved(name), "png")
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert png == draw(copy.deepcopy(saved(name)), "png")
    assert b"Software" not in png


@every_experiment
def test_a_figure_says_title_statement_source_setting_seed_and_verdict(name: str) -> None:
    experiment, written = EXPERIMENTS[name], " ".join(words(drawn(name)))
    assert experiment.title in written
    assert experiment.statement in written
    for key, place in experiment.source:
        assert f"Source: {PAPERS[key]}: {place}." in written
    for setting, value in experiment.settings.items():
        assert f"{setting.replace('_', ' ')} = {value}" in written
    assert "quick run, seed 0," in written
    assert f"{name}: holds. {experiment.conclusion}" in written


@every_experiment
def test_a_figure_says_which_side_each_bound_is_of_and_shades_what_is_allowed(name: str) -> None:
    result = saved(name)
    axes = {each.get_title().replace("\n", " "): each for each in all_axes(drawn(name))}
    for panel in result["panels"]:
        relations = {line["relation"] for line in result["lines"] if line["panel"] == panel["title"]}
        written = " ".join(words(axes[panel["title"]]))
        assert all(SIDES[relation] in written for relation in relations)
        if panel["along"] != "table":
            sides = relations - {"=="}
            shades = [*axes[panel["title"]].collections, *axes[panel["title"]].patches]
            assert bool(shades) == bool(sides)
            assert all(0 < each.get_alpha() < 0.2 for each in shades)


@every_experiment
def test_a_method_has_one_colour_through_all_panels_and_no_other_has_it(name: str) -> None:
    result = saved(name)
    colours: dict[str, set[Any]] = {}
    for axes in all_axes(drawn(name)):
        for label, colour in named_colours(axes):
            method = result["methods"].get(label, label)
            if method in {look.method for look in looks(result).values()}:
                colours.setdefault(method, set()).add(colour)
    assert colours
    assert all(len(of_method) == 1 for of_method in colours.values())
    assert len(set().union(*colours.values())) == len(colours)
    assert set(result["methods"]) <= {each["series"] for each in (*result["lines"], *result.get("observed", []))}


@every_experiment
def test_what_is_no_picture_is_a_table_of_every_value(name: str) -> None:
    result = saved(name)
    axes = {each.get_title().replace("\n", " "): each for each in all_axes(drawn(name))}
    for panel in result["panels"]:
        has_table = any(isinstance(each, Table) for each in axes[panel["title"]].get_children())
        assert has_table == (panel["along"] == "table")
        if has_table:
            written = words(axes[panel["title"]])
            for line in result["lines"]:
                if line["panel"] == panel["title"]:
                    assert f"{short(line['measured'])} {SIGNS[line['relation']]} {short(line['bound'])}" in written


@every_experiment
def test_nothing_of_a_figure_is_cut_off(name: str) -> None:
    figure = drawn(name)
    boxes = [axes.get_tightbbox() for axes in all_axes(figure)]
    boxes += [text.get_window_extent() for part in figure.subfigs for text in part.texts]
    for box in boxes:
        assert box is not None
        assert min(*box.min, *(figure.bbox.max - box.max)) > -1


@every_experiment
def test_the_table_has_every_line_within_80_columns(name: str) -> None:
    result = saved(name)
    lines = text_table(result).splitlines()
    assert max(map(len, lines)) <= 80
    assert not any(line != line.rstrip() for line in lines)
    assert sum(bool(re.search(r" (<=|>=|==) +\S+ +\S+$", line)) for line in lines) == len(result["lines"])
    for panel in result["panels"]:
        assert panel["title"] in lines
