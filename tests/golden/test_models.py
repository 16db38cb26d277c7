from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conjunct import BitMatrix, __version__
from conjunct.estimators import load
from conjunct.estimators.registry import ESTIMATORS
from conjunct.files import read_model

FILES = sorted(Path(__file__).parent.glob("models/*/*.model"))


def version_and_name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def test_there_are_small_files_of_this_version() -> None:
    assert ".".join(__version__.split(".")[:2]) in {path.parent.name for path in FILES}
    assert all(path.stat().st_size < 8192 for path in FILES)


def test_there_are_files_of_every_estimator() -> None:
    assert {read_model(path).header["kind"] for path in FILES} == set(ESTIMATORS)


@pytest.mark.parametrize("path", FILES, ids=version_and_name)
def test_files_of_every_version_load_and_predict_as_they_did(path: Path) -> None:
    expected = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    learner: Any = load(path)
    rows = expected["rows"]
    if isinstance(rows[0], str):
        rows = BitMatrix.of(rows, expected["names"])
    assert learner.predict(rows).tolist() == expected["predictions"]
    values = learner.decision_function if hasattr(learner, "decision_function") else learner.predict
    decisions = values(rows).reshape(len(rows), -1).tolist()
    assert [" ".join(value.hex() for value in row) for row in decisions] == expected["decisions"]
    assert repr(learner.get_params(deep=False)) == expected["params"]


@pytest.mark.parametrize("path", FILES, ids=version_and_name)
def test_saving_a_loaded_file_again_gives_the_same_bytes(path: Path, tmp_path: Path) -> None:
    load(path).save(tmp_path / "again.model")
    assert (tmp_path / "again.model").read_bytes() == path.read_bytes()
