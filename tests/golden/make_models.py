"""Write the model files of this version, with the answers they give, into tests/golden/models/.

Run it once for a version whose files are new, ``python tests/golden/make_models.py``, and commit what it writes; the
files of released versions are never written again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conjunct import (
    BitMatrix,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
    __version__,
)
from conjunct.bits import random_bits
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions

FOLDER = Path(__file__).parent / "models" / ".".join(__version__.split(".")[:2])
NAMES = ("wet", "größe=1", "x <= 3", "d", "e")


def models() -> dict[str, tuple[Any, Any]]:
    """Return the fitted estimators by name, each with rows to predict."""
    rows = BitMatrix.of(random_bits(1, (40, 5)), NAMES)
    table = rows.to_array()
    two = ["yes" if a ^ b else "no" for a, b in table[:, :2].tolist()]
    three = ["red" if a else "green" if b and c else "blue" for a, b, c in table[:, 1:4].tolist()]
    noisy = [2 * a - 1 if place % 7 else 1 for place, a in enumerate(table[:, 3].tolist())]
    product = Conjunctions(max_size=1).on(["wet", "d"]) * MonotoneConjunctions(costs=Geometric("1/3")).on([1, 2])
    wide = BitMatrix.of(random_bits(2, (12, 130)))
    some, either = rows[:16], [max(row) for row in table[:16, :2].tolist()]
    by_name = [{name: 1 for name, bit in zip(NAMES, row, strict=True) if bit} for row in table[:16].tolist()]
    real_by_name = [{name: place - 1.25 for place, name in enumerate(row)} for row in by_name]
    real = [[place - 1.5 if bit else 0 for place, bit in enumerate(row)] for row in table[:16].tolist()]
    never_seen = {"wet": 1, "never seen": 1}
    return {
        "binary-default": (KernelPerceptronClassifier().fit(table, two), BitMatrix.of(table)),
        "three-classes-voted-named": (
            KernelPerceptronClassifier(
                MonotoneConjunctions(), prediction="voted", max_passes=2, class_weight={"red": "1/2"}
            ).fit(rows, three),
            rows,
        ),
        "averaged-product": (
            KernelPerceptronClassifier(product, prediction="averaged", threshold=0.1, max_passes=3).fit(rows, noisy),
            rows,
        ),
        "wide-online": (
            KernelPerceptronClassifier(Conjunctions(), keep_transcript=True).partial_fit(
                wide, [True, False] * 6, classes=[False, True]
            ),
            wide,
        ),
        "perceptron-three-classes-voted-named": (
            PerceptronClassifier(prediction="voted", thickness="1/2", max_passes=2).fit(some, three[:16]),
            some,
        ),
        "perceptron-real-by-name": (
            PerceptronClassifier(learning_rate=0.1, threshold="1/3", keep_transcript=True).partial_fit(
                real_by_name, either, classes=[0, 1]
            ),
            [*real_by_name, never_seen],
        ),
        "winnow-positive-pairs-by-name": (
            WinnowClassifier(variant="positive", demotion="5/4", max_size=2, max_passes=2).fit(by_name, either),
            [*by_name, never_seen],
        ),
        "winnow-normalised-averaged": (
            WinnowClassifier(variant="normalised", prediction="averaged", max_passes=2).fit(table[:16], noisy[:16]),
            BitMatrix.of(table),
        ),
        "winnow-balanced-averaged-named": (
            WinnowClassifier(prediction="averaged", class_weight={1: 2}, max_passes=3).fit(rows, noisy),
            rows,
        ),
        "exponentiated-gradient-averaged": (
            ExponentiatedGradientRegressor(max_passes=5).fit(real, [2 * row[0] - row[3] + 1 for row in real]),
            real,
        ),
        "exponentiated-gradient-positive-named": (
            ExponentiatedGradientRegressor(signed=False, prediction="final", constant="1/2").partial_fit(some, either),
            some,
        ),
        "conjunction-svc-default": (ConjunctionSVC().fit(table, two), BitMatrix.of(table)),
        "conjunction-svc-one-against-rest-named": (
            ConjunctionSVC(Conjunctions(max_size=2, costs=Geometric("1/3")), "7/2", class_weight={"red": "1/2"}).fit(
                rows, three
            ),
            rows,
        ),
        "conjunction-svc-votes-margin-named": (
            ConjunctionSVC(product, 0.5, solver="margin", multiclass="ovo").fit(some, three[:16]),
            some,
        ),
        "conjunction-svc-perceptron": (
            ConjunctionSVC(lam=2, solver="perceptron").fit(table, noisy),
            BitMatrix.of(table),
        ),
        "conjunction-svc-cv-named": (
            ConjunctionSVCCV(MonotoneConjunctions(), max_sizes=(1, 2), lams=(4, "1/4"), cv=3).fit(rows, two),
            rows,
        ),
        "mask-perceptron-default": (MaskPerceptronClassifier().fit(table, noisy), BitMatrix.of(table)),
        "mask-perceptron-one-against-rest-named": (
            MaskPerceptronClassifier(6, max_size=2, lam="1/2", min_gain=0.1, class_weight={"red": "1/2"}).fit(
                rows, three
            ),
            rows,
        ),
    }


def main() -> None:
    """Write every model and its answers."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (learner, rows) in models().items():
        learner.save(FOLDER / f"{name}.model")
        is_packed = isinstance(rows, BitMatrix)
        values = learner.decision_function if hasattr(learner, "decision_function") else learner.predict
        decisions = values(rows).reshape(len(rows), -1).tolist()
        answers = {
            "rows": ["".join(map(str, row)) for row in rows.to_array().tolist()] if is_packed else rows,
            "names": list(rows.names) if is_packed and rows.is_named else None,
            "predictions": learner.predict(rows).tolist(),
            "decisions": [" ".join(value.hex() for value in row) for row in decisions],
            "params": repr(learner.get_params(deep=False)),
        }
        text = json.dumps(answers, indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
