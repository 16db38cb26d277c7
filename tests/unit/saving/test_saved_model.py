"""Model files read without estimators: the frozen model, its kind, and how tables become its rows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from conjunct import (
    BitMatrix,
    ConjunctionSVC,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
from conjunct.bits import SparseRows
from conjunct.errors import ModelFileError
from conjunct.estimators.registry import ESTIMATORS
from conjunct.files import pack_model
from conjunct.saving import load_model
from conjunct.saving.fields import ArrayField, count, read_arrays, read_record
from conjunct.saving.saved_model import KINDS
from conjunct.tables import TableEncoding

ROWS = np.array([[0, 0, 1], [0, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 1]])
LABELS = ["no", "yes", "yes", "no", "no"]


def test_every_estimator_has_a_kind_and_every_kind_an_estimator() -> None:
    assert set(ESTIMATORS) == set(KINDS)


@pytest.mark.parametrize(
    "learner",
    [
        KernelPerceptronClassifier(max_passes=2),
        PerceptronClassifier(max_passes=2, prediction="voted"),
        WinnowClassifier(max_passes=2),
        WinnowClassifier(max_passes=2, variant="normalised"),
        ConjunctionSVC(),
        MaskPerceptronClassifier(),
    ],
    ids=str,
)
def test_a_file_gives_the_frozen_model(learner: Any, tmp_path: Path) -> None:
    learner.fit(ROWS, LABELS).save(tmp_path / "m")
    saved = load_model(tmp_path / "m")
    is_packed = isinstance(learner, KernelPerceptronClassifier | ConjunctionSVC | MaskPerceptronClassifier)
    rows: Any = BitMatrix.of(ROWS) if is_packed else SparseRows.of(ROWS)
    choices = saved.learned.model.choices(rows)
    assert (saved.kind, saved.encoding) == (learner.file_kind, None)
    assert saved.params | {"n_jobs": None} == learner.get_params(deep=False)  # which no file holds
    assert saved.learned.classes[choices].tolist() == learner.predict(ROWS).tolist()


def test_a_regressor_gives_its_weights(tmp_path: Path) -> None:
    learner = ExponentiatedGradientRegressor(max_passes=3).fit(ROWS, [1, 2, 3, 4, 5])
    learner.save(tmp_path / "m")
    learned = load_model(tmp_path / "m").learned
    assert learned.weights.tolist() == learner.coef_.tolist()
    assert learned.intercept == learner.intercept_


def test_the_encoding_of_a_table_is_plain_data(tmp_path: Path) -> None:
    encoding = TableEncoding.of({"a": [0, 1, 1, 0], "b": ["x", "y", "y", "x"]}, np.array(["no", "yes", "yes", "no"]))
    cells = {"a": [0, 1, 1, 0], "b": ["x", "y", "y", "x"]}
    learner = KernelPerceptronClassifier().fit(encoding.rows(cells), [0, 1, 1, 0])
    learner.encoding_, learner.feature_names_in_ = encoding, np.array(encoding.variables, object)
    learner.save(tmp_path / "m")
    assert load_model(tmp_path / "m").encoding == encoding.record()


def predict_and(path: Path, look: str) -> None:
    """Predict from a file in a process of its own, then look at what was imported."""
    code = (
        "import sys\n"
        "from conjunct.bits import SparseRows\n"
        "from conjunct.saving import load_model\n"
        f"model = load_model({os.fspath(path)!r}).learned.model\n"
        "assert len(model.choices(SparseRows.of([{0}, {1}, {2}]))) == 3\n"
    )
    subprocess.run([sys.executable, "-c", code + look], check=True, timeout=120)


def test_predicting_from_a_file_needs_no_scikit_learn(tmp_path: Path) -> None:
    PerceptronClassifier(max_passes=2).fit(ROWS, LABELS).save(tmp_path / "m")
    predict_and(
        tmp_path / "m",
        "assert not [name for name in sys.modules if name.split('.')[0] == 'sklearn']\n",
    )


@pytest.mark.parametrize("learner", [PerceptronClassifier(), WinnowClassifier()], ids=["Perceptron", "Winnow"])
def test_predicting_by_linear_weights_imports_no_kernels_transcripts_formulas_and_masked_arrays(
    tmp_path: Path, learner: PerceptronClassifier | WinnowClassifier
) -> None:
    learner.fit(ROWS, LABELS).save(tmp_path / "m")
    predict_and(
        tmp_path / "m",
        "dear = {'numpy.ma', 'conjunct.kernels.conjunctions', 'conjunct.logic.term'}\n"
        "dear |= {'conjunct.learners.online.transcript', 'conjunct.theory.linear_learners'}\n"
        "assert not dear & {*sys.modules}, dear & {*sys.modules}\n",
    )


def test_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(pack_model({"kind": "x", "params": {}, "learned": {}}, {}))
    with pytest.raises(ModelFileError, match="holds a 'x', expected one of kernel-perceptron-classifier, "):
        load_model(tmp_path / "m")


def test_what_is_wrong_with_a_field_is_said_in_one_shape() -> None:
    fields = (ArrayField("weights", np.int64, ("rows", 2), lambda array: array >= 0, "weights from 0"),)
    good = np.zeros((3, 2), np.int64)
    for array, reason in (
        (None, r"^array 0\.weights: expected int64 of shape \(rows, 2\)$"),
        (good.astype(np.int32), r"^array 0\.weights: expected int64 of shape \(rows, 2\)$"),
        (good[0], r"^array 0\.weights: expected int64 of shape \(rows, 2\)$"),
        (good[1:], r"^array 0\.weights: expected shape \(rows, 2\) with rows = 3, got \(2, 2\)$"),
        (good - 1, r"^array 0\.weights: expected weights from 0$"),
    ):
        with pytest.raises(ModelFileError, match=reason):
            read_arrays(fields, {} if array is None else {"0.weights": array}, {"rows": 3}, "0.")
    with pytest.raises(ModelFileError, match=r"^run 1\.n_steps: expected a whole number from 1, got 0$"):
        read_record((count("n_steps", 1),), {"n_steps": 0}, "run 1")
    with pytest.raises(ModelFileError, match=r"^run 1: expected the fields n_steps$"):
        read_record((count("n_steps", 1),), {"n_step": 1}, "run 1")
