"""Write the model files of this version, with the answers they give, into tests/golden/models/.

Run it once for a version whose files are new, ``python tests/golden/make_models.py``, and commit what it writes; the
files of released versions are never written again.
"""

from __future__ import annotations

import json
from pathlib import Path

from conjunct import BitMatrix, KernelPerceptronClassifier, __version__
from conjunct.bits import random_bits
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions

FOLDER = Path(__file__).parent / "models" / ".".join(__version__.split(".")[:2])
NAMES = ("wet", "größe=1", "x <= 3", "d", "e")


def models() -> dict[str, tuple[KernelPerceptronClassifier, BitMatrix]]:
    """Return the fitted estimators by name, each with rows to predict."""
    rows = BitMatrix.of(random_bits(1, (40, 5)), NAMES)
    table = rows.to_array()
    two = ["yes" if a ^ b else "no" for a, b in table[:, :2].tolist()]
    three = ["red" if a else "green" if b and c else "blue" for a, b, c in table[:, 1:4].tolist()]
    noisy = [2 * a - 1 if place % 7 else 1 for place, a in enumerate(table[:, 3].tolist())]
    product = Conjunctions(max_size=1).on(["wet", "d"]) * MonotoneConjunctions(costs=Geometric("1/3")).on([1, 2])
    wide = BitMatrix.of(random_bits(2, (12, 130)))
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
            KernelPerceptronClassifier(Conjunctions()).partial_fit(wide, [True, False] * 6, classes=[False, True]),
            wide,
        ),
    }


def main() -> None:
    """Write every model and its answers."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (learner, rows) in models().items():
        learner.save(FOLDER / f"{name}.model")
        decisions = learner.decision_function(rows).reshape(len(rows), -1).tolist()
        answers = {
            "rows": ["".join(map(str, row)) for row in rows.to_array().tolist()],
            "names": list(rows.names) if rows.is_named else None,
            "predictions": learner.predict(rows).tolist(),
            "decisions": [" ".join(value.hex() for value in row) for row in decisions],
            "params": repr(learner.get_params(deep=False)),
        }
        text = json.dumps(answers, indent=1, ensure_ascii=False)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
