from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

from conjunct import Binarizer
from conjunct.errors import ConjunctError

TABLE = pd.DataFrame(
    {"wet": [0, 1, 1, 0], "sky": ["a", "b", None, "c"], "n": [1.5, 2, np.nan, 7], "flag": [True, None, False, True]}
)
SWAPS: list[Any] = [
    *(None, True, False, 0, -1, 1, 2.5, float("nan"), float("inf"), 10**5000, 2**53 + 1, "", "x", "\ud800"),
    *([], [None], ["x"], [1, "a"], [2, 1], [True, 1], {}, {"name": "x"}, [[]], b"x", (1,), {1}, object()),
]


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place inside a nested record."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in places(part, (*path, key)))]


def changed(record: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    whole = copy.deepcopy(record)
    part = whole
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return whole


@pytest.mark.parametrize("settings", [{}, {"columns": ["sky", np.int64(2), "flag"], "cuts": np.int64(2)}])
@pytest.mark.parametrize("is_frame", [True, False])
def test_a_binarizer_read_from_json_does_what_the_fitted_one_did(settings: dict[str, Any], is_frame: bool) -> None:
    table = TABLE if is_frame else TABLE.to_numpy(object)
    if settings and not is_frame:
        settings = settings | {"columns": ["x2", 2, "x4"]}
    fitted = Binarizer(**settings).fit(table)
    again = Binarizer.from_record(json.loads(json.dumps(fitted.record())))
    assert again.tests_ == fitted.tests_
    assert again.columns_ == fitted.columns_
    assert np.array_equal(again.transform(table), fitted.transform(table))
    assert again.record() == fitted.record()
    assert hasattr(again, "feature_names_in_") == is_frame


def test_every_change_of_a_record_is_refused_as_such_or_gives_a_binarizer_that_works() -> None:
    record = Binarizer().fit(TABLE).record()
    n_refused = n_accepted = 0
    for path in places(record):
        for value in SWAPS:
            try:
                binarizer = Binarizer.from_record(changed(record, path, copy.copy(value)))
            except ConjunctError:
                n_refused += 1
                continue
            n_accepted += 1
            assert len(binarizer.get_feature_names_out()) == len(binarizer.tests_) >= 1
            assert Binarizer.from_record(binarizer.record()).tests_ == binarizer.tests_
    assert n_refused > 800
    assert n_accepted > 0


@pytest.mark.parametrize("key", ["settings", "columns", "is_named"])
def test_a_record_without_one_of_its_parts_is_refused(key: str) -> None:
    record = Binarizer().fit(TABLE).record()
    del record[key]
    with pytest.raises(ConjunctError):
        Binarizer.from_record(record)
    with pytest.raises(ConjunctError):
        Binarizer.from_record(Binarizer().fit(TABLE).record() | {"more": 1})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("columns", 0, "name"), "sky"),
        (("columns", 1, "values"), ["b", "a"]),
        (("columns", 1, "values"), ["a", "a"]),
        (("columns", 2, "cuts"), [3, 2]),
        (("columns", 2, "cuts"), [float("nan")]),
        (("columns", 2, "kind"), "boolean"),
        (("columns", 0, "had_missing"), True),
        (("columns", 0, "name"), "sky is missing"),
        (("is_named",), False),
        (("settings", "columns"), ["nothing"]),
        (("settings", "cuts"), "most"),
        (("settings", "max_values"), 0),
    ],
)
def test_records_that_contradict_themselves_are_refused(path: tuple[Any, ...], value: Any) -> None:
    with pytest.raises(ConjunctError):
        Binarizer.from_record(changed(Binarizer().fit(TABLE).record(), path, value))
