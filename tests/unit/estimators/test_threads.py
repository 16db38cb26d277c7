"""How many threads learn and predict, and processes that are forked in between."""

from __future__ import annotations

import multiprocessing
import os
import pickle
from collections.abc import Iterator
from threading import Thread
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

import conjunct
from conjunct import (
    ConjunctionSVC,
    ConjunctionSVCCV,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
from conjunct.bits import thread_count
from conjunct.bits.limits import core_count
from conjunct.errors import SettingError

CLASSIFIERS = (
    ConjunctionSVC,
    ConjunctionSVCCV,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
)
ROWS = np.random.default_rng(0).integers(0, 2, (60, 8), np.uint8)
LABELS = ROWS[:, 0] + ROWS[:, 1]


@pytest.fixture(autouse=True)
def one_setting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("CONJUNCT_THREADS", "5")
    yield
    monkeypatch.undo()


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What the loops are told about threads, in any thread, while an estimator learns and predicts."""
    counts: list[int] = []

    def count() -> int:
        counts.append(thread_count())
        return counts[-1]

    users = ("bits.bit_matrix", "kernels.work", "search.conjunctions", "estimators.on_line_classifier")
    for module in (f"conjunct.{user}" for user in users):
        monkeypatch.setattr(f"{module}.thread_count", count)
    for constant in ("WORK_FOR_THREADS", "PAIRS_FOR_THREADS"):
        monkeypatch.setattr(f"conjunct.kernels.work.{constant}", 0)
    return counts


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize(("n_jobs", "expected"), [(None, 5), (3, 3), (-1, core_count()), (-9999, 1)])
def test_n_jobs_is_how_many_threads_learn_and_predict(
    counted: list[int], classifier: Any, n_jobs: int | None, expected: int
) -> None:
    estimator = classifier(n_jobs=n_jobs).fit(ROWS, LABELS)
    estimator.predict(ROWS)
    assert set(counted) == {expected}
    assert thread_count() == 5


@pytest.mark.parametrize("classifier", CLASSIFIERS)
def test_n_jobs_changes_no_byte_of_the_model(tmp_path: Any, classifier: Any) -> None:
    for n_jobs in (1, 4):
        classifier(n_jobs=n_jobs).fit(ROWS, LABELS).save(tmp_path / str(n_jobs))
    assert (tmp_path / "1").read_bytes() == (tmp_path / "4").read_bytes()
    assert conjunct.load(tmp_path / "4").n_jobs is None
    assert clone(classifier(n_jobs=4)).n_jobs == pickle.loads(pickle.dumps(classifier(n_jobs=4))).n_jobs == 4


@pytest.mark.parametrize("n_jobs", [0, 1.5, "2", True, 10**6])
def test_numbers_of_threads_that_mean_nothing_are_refused(n_jobs: Any) -> None:
    with pytest.raises(SettingError, match=r"^n_jobs="):
        ConjunctionSVC(n_jobs=n_jobs).fit(ROWS, LABELS)
    if n_jobs != 0:
        with pytest.raises(SettingError, match=r"^n="):
            conjunct.set_threads(n_jobs)


def test_set_threads_holds_for_every_thread_and_for_processes_started_later() -> None:
    conjunct.set_threads(2)
    seen: list[int] = []
    other = Thread(target=lambda: seen.append(thread_count()))
    other.start()
    other.join()
    assert [thread_count(), *seen, int(os.environ["CONJUNCT_THREADS"])] == [2, 2, 2]
    conjunct.set_threads(None)
    assert thread_count() == core_count()


def answers(n_jobs: int) -> list[list[int]]:
    return [classifier(n_jobs=n_jobs).fit(ROWS, LABELS).predict(ROWS).tolist() for classifier in CLASSIFIERS]


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_process_forked_after_threads_have_run_gives_the_same_answers() -> None:
    expected = answers(4)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        forked = pool.map_async(answers, [1, 4]).get(timeout=120)
    assert forked == [expected, expected]
