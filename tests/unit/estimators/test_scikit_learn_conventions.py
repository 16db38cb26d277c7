"""Frames out, names out, metadata in: what scikit-learn's users expect everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy.sparse import issparse
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_validate
from sklearn.pipeline import make_pipeline

from conjunct import (
    Binarizer,
    ConjunctionFeatures,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    PerceptronClassifier,
)

TABLE: dict[str, list[Any]] = {
    "sky": ["grey", "clear", "snow", "clear"] * 5,
    "degrees": [4.5, 21.0, -3.0, 17.5] * 5,
    "wet": [1, 0, 1, 0] * 5,
}
LABELS = np.array(["in", "out", "in", "out"] * 5)
NAMES = ["sky=clear", "sky=grey", "sky=snow", "degrees<=0", "degrees<=10", "degrees<=20", "wet"]
WEIGHTS = np.arange(1, 21)


@pytest.fixture
def routing() -> Iterator[None]:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.parametrize(("kind", "frame"), [("pandas", pd.DataFrame), ("polars", pl.DataFrame)])
def test_transformers_give_frames_with_the_names_they_say(kind: str, frame: Any) -> None:
    steps = make_pipeline(Binarizer(), ConjunctionFeatures(max_size=2, sparse_output=False))
    out = steps.set_output(transform=kind).fit_transform(frame(TABLE))
    assert isinstance(out, frame)
    assert list(out.columns) == steps.get_feature_names_out().tolist()
    assert list(out.columns)[:7] == [f'"{name}"' if name != "wet" else name for name in NAMES]
    assert np.array_equal(out.to_numpy(), ConjunctionFeatures(2).fit_transform(steps[0].pack(frame(TABLE))).toarray())


def test_names_go_through_a_column_transformer() -> None:
    both = make_column_transformer((Binarizer(), ["sky", "degrees"]), remainder="passthrough")
    rows = both.set_output(transform="pandas").fit_transform(pd.DataFrame(TABLE))
    assert (
        [name.partition("__")[2] for name in rows.columns] == NAMES == [*Binarizer().fit(TABLE).get_feature_names_out()]
    )
    model = make_pipeline(both, ConjunctionSVC()).fit(pd.DataFrame(TABLE), LABELS)
    assert model[-1].feature_names_in_.tolist() == rows.columns.tolist()


def test_conjunctions_are_sparse_unless_a_dense_table_is_asked_for() -> None:
    rows = Binarizer().fit(TABLE).pack(TABLE)
    sparse, dense = (ConjunctionFeatures(sparse_output=is_sparse).fit_transform(rows) for is_sparse in (True, False))
    assert issparse(sparse)
    assert np.array_equal(sparse.toarray(), dense)
    assert LogisticRegression().fit(dense, LABELS).score(dense, LABELS) == 1


@pytest.mark.usefixtures("routing")
def test_weights_are_routed_through_pipelines_and_searches() -> None:
    rows = Binarizer().fit(TABLE).pack(TABLE)
    direct, plain = ConjunctionSVC().fit(rows, LABELS, sample_weight=WEIGHTS), ConjunctionSVC().fit(rows, LABELS)
    machine = ConjunctionSVC().set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    routed = make_pipeline(Binarizer(), machine).fit(TABLE, LABELS, sample_weight=WEIGHTS)
    assert routed[-1].risk_ == direct.risk_ != plain.risk_
    frame = pd.DataFrame(TABLE)
    search = GridSearchCV(make_pipeline(Binarizer(), machine), {"conjunctionsvc__lam": [1, 4]}, cv=2)
    assert search.fit(frame, LABELS, sample_weight=WEIGHTS).best_score_ > 0.9
    scores = cross_validate(
        make_pipeline(Binarizer(), machine), frame, LABELS, cv=2, params={"sample_weight": WEIGHTS}, error_score="raise"
    )
    assert scores["test_score"].min() > 0.9


@pytest.mark.usefixtures("routing")
def test_weights_of_the_other_estimators_are_routed_where_they_have_them() -> None:
    rows = Binarizer().fit(TABLE).transform(TABLE)
    assert ConjunctionSVCCV(cv=2).get_metadata_routing().fit.requests == {"sample_weight": None, "groups": None}
    assert PerceptronClassifier().get_metadata_routing().fit.requests == {}
    searched = ConjunctionSVCCV(cv=2).set_fit_request(sample_weight=True)
    weighted = make_pipeline(Binarizer(), searched).fit(TABLE, LABELS, sample_weight=WEIGHTS)
    assert weighted[-1].risk_ == ConjunctionSVCCV(cv=2).fit(rows, LABELS, sample_weight=WEIGHTS).risk_
    assert "sample_weight" not in ExponentiatedGradientRegressor().get_metadata_routing().fit.requests


@pytest.mark.usefixtures("routing")
def test_groups_reach_the_folds_of_a_search() -> None:
    groups = np.arange(20) // 2
    search = ConjunctionSVCCV(max_sizes=(1,), cv=GroupKFold(5)).set_fit_request(groups=True)
    pipeline = make_pipeline(Binarizer(), search).fit(TABLE, LABELS, groups=groups)
    assert pipeline[-1].cv_results_["accuracy"].shape[1] == 5
