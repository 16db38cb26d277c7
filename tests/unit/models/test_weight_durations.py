"""How long weights had their values: what the core counts is what a slow walk over all steps counts."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from conjunct.bits import SparseRows
from conjunct.errors import BitsError
from conjunct.learners import Lesson, Winnow
from conjunct.models import WeightDurations, WeightPowers

LEARNERS = {
    "positive": Winnow(4),
    "factors apart": Winnow("9/2", "3/2", "5/4"),
    "elimination": Winnow(3, 2, variant="elimination"),
    "balanced": Winnow(0, "3/2", variant="balanced", constant=True),
}


def walked(run: Any, n_variables: int) -> dict[tuple[int, ...], int]:
    """Follow the transcript step by step."""
    transcript, powers = run.transcript(), run.powers
    counts = np.zeros((2, n_variables + 1), np.int64)
    lasted: Counter[tuple[int, ...]] = Counter()
    rows = {int(step): k for k, step in enumerate(transcript.step)}
    updated = set(transcript.rows.places.tolist()) | ({n_variables} if run.learner.constant and len(rows) else set())
    for step in range(transcript.n_steps):
        if step in rows:
            k = rows[step]
            variables = [*transcript.rows.row(k).tolist(), *[n_variables] * run.learner.constant]
            counts[0 if transcript.label[k] > 0 else 1, variables] += transcript.rate[k]
        for variable in updated:
            lasted[variable, *powers.reduced(counts[:, [variable]])[:, 0].tolist()] += 1
    return dict(lasted)


@pytest.mark.parametrize("most_bytes", [0, 3000, 1 << 26])
@pytest.mark.parametrize("n_slots", [1, 64])
@pytest.mark.parametrize("name", LEARNERS)
def test_durations_are_those_of_a_walk_over_all_steps(
    name: str, n_slots: int, most_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conjunct.learners.online.winnow_run.MOST_LOGGED_BYTES", most_bytes)
    monkeypatch.setattr("conjunct.learners.online.winnow_durations.FIRST_SLOTS", n_slots)
    random = np.random.RandomState(1)
    table, labels, rates = random.randint(0, 2, (40, 7)), random.choice([-1, 1], 40), random.randint(1, 4, 40)
    kept, bare = LEARNERS[name].begin(), LEARNERS[name].begin(keeps_updates=False)
    for run in (kept, bare):
        run.learn(Lesson(SparseRows.of(table[:20, :5]), labels[:20], rates[:20]), max_passes=2)
        run.learn(Lesson(SparseRows.of(table), labels, rates), max_passes=2)  # with more variables
    expected = walked(kept, 7)
    for run in (kept, bare):
        durations = run.durations()
        found = zip(durations.variable.tolist(), *durations.counts.tolist(), strict=True)
        assert dict(zip(found, durations.steps.tolist(), strict=True)) == expected
        durations.require_of_run(run.powers, 8, run.weights.counts().astype(np.int64))
    assert len(bare.log.parts) == 0


def test_durations_that_no_run_has_are_refused() -> None:
    powers = WeightPowers(Fraction(1), Fraction(2), Fraction(2))
    counts = np.array([[1, 0], [0, 0]])
    good = {"variable": [0, 0], "counts": [[0, 1], [0, 0]], "steps": [2, 3], "n_steps": 5}
    for change in (
        {},
        {"variable": [0, 2]},
        {"variable": [0, 1]},
        {"counts": [[1, 0], [0, 0]]},
        {"counts": [[0, 0], [0, 0]]},
        {"counts": [[0, 2], [0, 1]]},
        {"counts": [[0, 2], [0, 0]]},
        {"steps": [2, 2]},
        {"steps": [5, 0]},
        {"n_steps": 6},
    ):
        columns = {name: np.array(value) if name != "n_steps" else value for name, value in (good | change).items()}
        durations: Any = WeightDurations(**columns)
        if not change:
            durations.require_of_run(powers, 2, counts)
            continue
        with pytest.raises(BitsError, match=r"durations|last value"):
            durations.require_of_run(powers, 2, counts)
