"""Maximal-margin machines: this library's exact solver to a gap, scikit-learn's SVC to its own tolerance.

No peer solves this very problem, so each stops by its own criterion and the answers are printed beside the times: the
risk R+ of what was learned on the training rows (for machines over the same conjunctions; the intercept of SVC is a
feature of theirs, too) and the accuracy on fresh rows without noise. Every contender runs in a process of its own, so
that its peak memory is seen too; Gram work is included in every time.
"""

from __future__ import annotations

import gzip
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

SOURCES = ("dnf-5000", "dnf-20000", "tic-tac-toe")
MORE = ("dnf-50000", "a9a", "wide-200000")
CONTENDERS: dict[str, tuple[str, ...]] = {
    "dnf-5000": (
        "conjunct",
        "SVC precomputed, same lam",
        "SVC precomputed",
        "SVC callable, same lam",
        "SVC callable",
        "SVC rbf",
    ),
    "dnf-20000": ("conjunct", "SVC precomputed, same lam", "SVC precomputed"),
    "tic-tac-toe": ("conjunct", "SVC precomputed, same lam", "SVC precomputed", "SVC rbf"),
    "dnf-50000": ("conjunct to 1e-2",),
    "a9a": ("conjunct", "SVC rbf"),
    "wide-200000": ("conjunct",),
}
REPEATS = {"dnf-5000": 5, "tic-tac-toe": 5, "dnf-20000": 2}


def measurements(full: bool) -> Iterator[dict[str, Any]]:
    """Run every contender on every task in a process of its own; yield what each printed."""
    for source in SOURCES + (MORE if full else ()):
        threads = 2 if source in ("dnf-50000", "wide-200000") else 1
        for contender in CONTENDERS[source]:
            limits = {"CONJUNCT_THREADS": str(threads), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
            command = [sys.executable, __file__, source, contender]
            output = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | limits).stdout
            yield json.loads(output) | {"task": source, "contender": contender, "threads": threads}


def table(source: str) -> tuple[Any, Any, Any, Any]:
    """Return training rows and labels, and test rows and labels."""
    if source == "a9a":
        from sklearn.datasets import load_svmlight_file

        parts = []
        for name in ("a9a.gz", "a9a.t.gz"):
            with gzip.open(Path(os.environ["CONJUNCT_DATA"]) / "libsvm" / name) as file:
                rows, labels = load_svmlight_file(file, n_features=123)
            rows.indices, rows.indptr = (
                rows.indices.astype(np.int32),
                rows.indptr.astype(np.int32),
            )  # as SVC wants
            parts += [rows, labels]
        return tuple(parts)
    if source == "tic-tac-toe":
        from conjunct.datasets import tic_tac_toe

        rows, labels = tic_tac_toe()
        x, y = rows.to_array(), np.asarray(labels)
        order = np.random.default_rng(0).permutation(len(y))
        x, y = x[order], np.where(y[order] == np.unique(y)[1], 1, -1)
        return x[:640], y[:640], x[640:], y[640:]
    m, n = int(source.split("-")[1]), 256 if source.startswith("wide") else 128
    random = np.random.default_rng(0)
    terms = [(random.choice(n, 3, replace=False), random.integers(0, 2, 3)) for _ in range(8)]

    def draw(count: int) -> tuple[Any, Any]:
        x = random.integers(0, 2, (count, n)).astype(np.uint8)
        return x, np.logical_or.reduce([(x[:, v] == signs).all(axis=1) for v, signs in terms])

    x, y = draw(m)
    test, truth = draw(5000)
    return x, np.where(y ^ (random.random(m) < 0.05), 1, -1), test, np.where(truth, 1, -1)


def run(source: str, contender: str) -> dict[str, Any]:
    """Fit one contender and judge it."""
    from conjunct import BitMatrix, ConjunctionSVC
    from conjunct.kernels import Conjunctions, MonotoneConjunctions

    x, y, test, truth = table(source)
    kernel = MonotoneConjunctions(2) if source == "a9a" else Conjunctions(3)
    lam = float(np.mean(kernel.diag(x))) / 2
    best, answer = float("inf"), None
    for _ in range(REPEATS.get(source, 1)):
        answer = None
        start = perf_counter()
        answer = fitted(contender, kernel, lam, x, y)
        best = min(best, perf_counter() - start)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    result: dict[str, Any] = {"seconds": best, "peak_gb": peak, "n_predicted": len(truth)}
    if isinstance(answer, ConjunctionSVC):
        result |= {"gap": answer.gap_, "bound": float(answer.bound_), "risk": float(answer.risk_)}
        result |= {"support": answer.n_support_, "blocks": answer.n_iter_, "accuracy": answer.score(test, truth)}
        return result | {"predict_seconds": seconds(lambda: answer.predict(test))}

    def predict() -> Any:
        given = kernel.gram(BitMatrix.of(test), BitMatrix.of(x)) if "precomputed" in contender else test
        return answer.predict(given)

    result |= {"support": len(answer.support_), "accuracy": float(np.mean(predict() == truth))}
    if "rbf" not in contender:
        result["risk"] = risk(answer, kernel, x, y, lam)
    return result | {"predict_seconds": seconds(predict)}


def fitted(contender: str, kernel: Any, lam: float, x: Any, y: Any) -> Any:
    from sklearn.svm import SVC

    from conjunct import BitMatrix, ConjunctionSVC

    if contender.startswith("conjunct"):
        tol = 1e-2 if contender.endswith("1e-2") else 1e-3
        return ConjunctionSVC(kernel, lam, tol=tol, time_limit=1800).fit(x, y)
    penalty = 1 / lam if contender.endswith("same lam") else 1.0
    if "precomputed" in contender:
        return SVC(kernel="precomputed", C=penalty).fit(kernel.gram(BitMatrix.of(x)), y)
    return SVC(C=penalty).fit(x, y) if "rbf" in contender else SVC(kernel=kernel, C=penalty).fit(x, y)


def seconds(predict: Callable[[], Any]) -> float:
    """Return the best of three times."""
    best = float("inf")
    for _ in range(3):
        start = perf_counter()
        predict()
        best = min(best, perf_counter() - start)
    return best


def risk(machine: Any, kernel: Any, x: Any, y: Any, lam: float) -> float:
    """Return the least R+ of a multiple of what SVC learned, its intercept added to the constant feature."""
    from conjunct import BitMatrix
    from conjunct.learners.margin.dual_forms import State, Svm

    support, weights, constant = machine.support_, machine.dual_coef_[0], float(machine.intercept_[0])
    rows = BitMatrix.of(x)
    scores = np.zeros(len(y))
    for block in np.array_split(np.arange(len(support)), max(1, len(support) // 1000)):
        scores += kernel.gram(rows, rows[support[block]]) @ weights[block]
    norm_sq = float(weights @ scores[support]) + 2 * constant * float(weights.sum()) + constant**2
    whole = State((y > 0).astype(float), (y < 0).astype(float), lam, np.zeros(len(y)), scores + constant)
    return Svm().risk(whole, norm_sq, Svm().best_scale(whole, norm_sq, 1.0))


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2])))
