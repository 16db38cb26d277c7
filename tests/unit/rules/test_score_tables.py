from __future__ import annotations

import json
from math import log

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from conjunct import ConjunctionSVC
from conjunct.bits import random_bits
from conjunct.datasets import embedded, monks
from conjunct.errors import SettingError
from conjunct.rules import score_table
from conjunct.rules.score_table import logistic_fit


@pytest.fixture(scope="module")
def cancer():
    table = embedded("breast-cancer")
    return ConjunctionSVC(max_size=3, literals="both").fit(table.rows, table.labels), table


def test_points_are_few_small_whole_numbers(cancer):
    machine, table = cancer
    for terms, limit in ((1, 10), (6, 10), (6, 3), (4, 1)):
        scores = score_table(machine, table.rows, table.labels, terms, max_points=limit)
        assert 1 <= len(scores.rows) <= terms
        assert all(isinstance(row.points, int) and 0 < abs(row.points) <= limit for row in scores.rows)
        assert [row.points for row in scores.rows] == sorted((row.points for row in scores.rows), reverse=True)


def test_totals_risks_and_figures_are_those_of_the_rows(cancer):
    machine, table = cancer
    scores = score_table(machine, table.rows, table.labels, 6)
    totals, is_label = scores.totals(table.rows), np.asarray(table.labels) == scores.label
    assert set(totals.tolist()) <= set(scores.possible_totals())
    assert scores.risks(table.rows).tolist() == [scores.risk_of(total) for total in totals.tolist()]
    assert scores.accuracy == ((scores.risks(table.rows) >= 0.5) == is_label).mean()
    assert scores.area == pytest.approx(roc_auc_score(is_label, totals * scores.slope), abs=1e-12)
    assert scores.model_accuracy == machine.score(table.rows, table.labels)
    values = machine.decision_function(table.rows)
    assert scores.model_area == pytest.approx(roc_auc_score(is_label, values), abs=1e-12)
    assert sum(row.support for row in scores.rows) <= len(scores.rows) * len(totals)


def test_six_rows_rank_breast_cancer_as_well_as_logistic_regression_on_its_variables(cancer):
    machine, table = cancer
    scores = score_table(machine, table.rows, table.labels, 6)
    assert len(scores.rows) <= 6
    assert scores.area > 0.99


def test_points_double_the_odds_where_they_are_scaled_so(cancer):
    machine, table = cancer
    scores = score_table(machine, table.rows, table.labels, 4, doubling=20, base_odds=50, base_score=600)

    def odds(total):
        return scores.risk_of(total) / (1 - scores.risk_of(total))

    assert odds(600) == pytest.approx(50)
    assert odds(620) == pytest.approx(100)
    assert scores.slope == pytest.approx(log(2) / 20)


def test_a_column_adds_points_only_where_it_is_to(cancer):
    machine, table = cancer
    free = score_table(machine, table.rows, table.labels, 8)
    column = free.rows[-1].text.split(" & ")[-1].rsplit(" <=", 1)[0].rsplit(" >", 1)[0]
    assert any(row.points < 0 for row in free.rows if column in row.text)
    bound = score_table(machine, table.rows, table.labels, 8, signs={column: "+"})
    assert all(row.points > 0 for row in bound.rows if column in row.text)


def test_the_fit_minimises_the_logistic_loss_with_its_ridge():
    columns = random_bits(5, (300, 4)).astype(float)
    y = (columns[:, 0] + columns[:, 1] * random_bits(6, (300,)) > 0.5).astype(float)
    peer = LogisticRegression(C=1.0, tol=1e-12, max_iter=10_000).fit(columns, y)
    assert logistic_fit(columns, y) == pytest.approx([peer.intercept_[0], *peer.coef_[0]], abs=1e-5)


def test_a_table_as_json_and_csv_holds_its_points(cancer):
    machine, table = cancer
    scores = score_table(machine, table.rows, table.labels, 3)
    whole = json.loads(scores.to_json())
    assert [row["points"] for row in whole["rows"]] == [row.points for row in scores.rows]
    assert [total for total, _ in whole["risks"]] == scores.possible_totals()
    assert scores.to_csv().splitlines()[:2] == ["points,conjunction", "0,(everyone)"]


def test_what_it_cannot_score_is_refused():
    robots = monks(1)
    machine = ConjunctionSVC(lam=1).fit(robots.rows, robots.labels)
    for options, message in (
        ({"terms": 0}, "terms=0: expected a positive integer"),
        ({"max_points": 0}, "max_points=0: expected a positive integer"),
        ({"signs": {"hat": "+"}}, "signs: no column is called 'hat'"),
        ({"signs": {"holding": "up"}}, "signs\\['holding'\\]='up': expected"),
        ({"doubling": 0}, "doubling=0: expected a positive number"),
    ):
        with pytest.raises(SettingError, match=message):
            score_table(machine, robots.rows, robots.labels, **options)
    with pytest.raises(SettingError, match="all rows are of one class"):
        score_table(machine, robots.rows[:2], [robots.labels[0]] * 2)


def test_max_size_limits_the_conjunctions_and_a_limit_that_was_met_is_said(cancer):
    machine, table = cancer
    short = score_table(machine, table.rows, table.labels, max_size=1)
    assert short.rows
    assert not any(" & " in row.text for row in short.rows)
    assert short.proved
    assert "met its limit" not in str(short)
    hurried = score_table(machine, table.rows, table.labels, time_limit=1e-9)
    assert not hurried.proved
    assert str(hurried).endswith("A search met its limit: better conjunctions may have been missed.")
    assert json.loads(hurried.to_json())["proved"] is False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"signs": ["age"]}, "signs=['age']: expected a mapping from columns to"),
        ({"doubling": 20, "base_score": "600"}, "base_score='600': expected an integer from"),
        ({"max_size": 0}, "max_size=0: expected a positive integer"),
    ],
)
def test_options_of_wrong_types_are_refused_by_name(cancer, options, message):
    machine, table = cancer
    with pytest.raises(SettingError) as refusal:
        score_table(machine, table.rows, table.labels, **options)
    assert message in str(refusal.value)
