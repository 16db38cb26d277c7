"""The parts of the experiment on terms: bounds, formulas, and what is judged where a search was stopped."""

from __future__ import annotations

from typing import Any

import pytest

from conjunct.datasets import Table, embedded, random_dnf
from conjunct.errors import CertificateError
from conjunct.lab import find_experiment, verdict
from conjunct.lab.experiments import dnf_terms
from conjunct.lab.experiments.dnf_terms import ACCEPTED, FOUND, ORDER, RIGHT, RULES, certificates, on_planted, on_table
from conjunct.lab.line import Line


def of_panel(lines: list[Line], title: str) -> dict[str, tuple[float, float]]:
    return {line.series: (line.measured, line.bound) for line in lines if line.panel == title}


def test_the_first_rule_of_the_monks_has_four_terms_and_three_clauses() -> None:
    for kind, fewest in (("dnf", 4), ("cnf", 3)):
        found = of_panel(on_table("monks-1", kind, 0), FOUND[kind].title)
        assert found["covering program"] == (fewest, fewest)
        assert found["cover"][0] <= fewest


def test_the_terms_of_each_rule_are_those_of_its_target() -> None:
    for name in ("monks-1", "monks-3"):
        target = embedded(name).target
        assert target is not None
        assert target.count(" | ") + 1 == dnf_terms.WRITTEN[name]


def test_a_program_that_was_stopped_is_not_held_against_cover(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dnf_terms, "ROUNDS", 1)
    lines = on_table("tic-tac-toe", "dnf", 0)
    (proved, n_terms), accepted = (
        of_panel(lines, FOUND["dnf"].title)["covering program"],
        of_panel(lines, ACCEPTED.title),
    )
    assert proved < n_terms
    assert accepted == {"DNF": (2, 2)}
    assert {line.panel for line in lines}.isdisjoint({ORDER.title, RULES.title})


def test_a_planted_dnf_may_have_more_terms_than_are_needed_and_never_fewer() -> None:
    for line in on_planted(4, None, 0, 2):
        assert line.runs == (1 if line.relation == "==" else 2)
        assert line.measured <= line.bound


def test_a_formula_of_other_rows_has_some_rows_wrong() -> None:
    table, other = (random_dnf(6, 3, term_size=2, n_rows=60, seed=seed) for seed in (0, 1))
    _, program = certificates(table, "dnf", None, 20)
    right = dnf_terms.rows_right(table, program)
    assert [n_right for n_right, _ in right] == [int(table.labels.sum()), 60 - int(table.labels.sum())]
    swapped = Table(other.name, other.rows, 1 - table.labels, None)
    assert sum(n_right for n_right, _ in dnf_terms.rows_right(swapped, program)) < 60


def test_a_rejected_certificate_makes_the_verdict_violated(monkeypatch: pytest.MonkeyPatch) -> None:
    def reject(*_: Any, **__: Any) -> None:
        raise CertificateError("rejected")

    monkeypatch.setattr(dnf_terms, "checked", reject)
    lines = on_table("monks-3", "dnf", 0)
    assert of_panel(lines, ACCEPTED.title) == {"DNF": (0, 2)}
    as_saved = [{name: getattr(line, name) for name in Line.__slots__} for line in lines]
    answer = verdict({"lines": as_saved})
    assert answer.line is not None
    assert answer.line["panel"] == ACCEPTED.title


def test_rows_of_both_classes_are_counted_on_every_table() -> None:
    lines = on_table("led", "cnf", 3)
    counts = [of_panel(lines, panel.title)["CNF"] for panel in RIGHT.values()]
    assert sum(n_rows for _, n_rows in counts) == dnf_terms.LED_ROWS


def test_every_table_and_both_kinds_are_in_a_full_run() -> None:
    places = [trial.args[:2] for trial in find_experiment("dnf-terms").trials(0, False)]  # type: ignore[union-attr]
    assert {(name, kind) for name in dnf_terms.TABLES for kind in ("dnf", "cnf")} <= set(places)
