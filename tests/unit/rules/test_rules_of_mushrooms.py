"""The rules of the mushrooms of UCI, as the guide prints them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from sklearn.pipeline import make_pipeline

from conjunct import Binarizer, ConjunctionSVC
from conjunct.rules import conjunctions
from real_data import DATA, needs_data

ROOT = Path(__file__).parents[3]
NAMES = [
    "class",
    "cap-shape",
    "cap-surface",
    "cap-color",
    "bruises",
    "odor",
    "gill-attachment",
    "gill-spacing",
    "gill-size",
    "gill-color",
    "stalk-shape",
    "stalk-root",
    "stalk-surface-above-ring",
    "stalk-surface-below-ring",
    "stalk-color-above-ring",
    "stalk-color-below-ring",
    "veil-type",
    "veil-color",
    "ring-number",
    "ring-type",
    "spore-print-color",
    "population",
    "habitat",
]


@needs_data
def test_the_rules_of_the_mushrooms_are_those_of_the_guide():
    table = pd.read_csv(
        DATA / "uci" / "agaricus-lepiota.data.gz", header=0, names=NAMES, dtype=str, keep_default_na=False
    )
    kinds = table.pop("class").map({"e": "edible", "p": "poisonous"})
    machine = make_pipeline(Binarizer(), ConjunctionSVC(max_size=3)).fit(table, kinds)
    page = (ROOT / "docs/guide/the-rules-of-a-model.md").read_text()
    assert f"```\n{conjunctions(machine, table, kinds, top=5)}\n```" in page
