"""The learners as the experiments run them: the library's own on Boolean rows, loops over integers on vectors."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from conjunct.bits import SparseRows
from conjunct.learners import Perceptron, Transcript, Winnow

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["run_normalised_winnow", "run_perceptron", "run_perceptron_on_vectors", "run_winnow"]


def run_perceptron(rows: Any, labels: NDArray[np.int64], *, constant: int = 0, max_passes: int = 1) -> Transcript:
    """Run the Perceptron over Boolean rows, with a constant variable of the given value, until a pass is clean."""
    return Perceptron(constant=constant).run(SparseRows.of(rows), labels, max_passes=max_passes)


def run_winnow(
    rows: Any,
    labels: NDArray[np.int64],
    *,
    threshold: int,
    promotion: int | Fraction = 2,
    variant: Literal["positive", "elimination"] = "positive",
    max_passes: int = 1,
) -> Transcript:
    """Run Winnow2, or Winnow1 as the variant "elimination", over Boolean rows until a pass is clean."""
    learner = Winnow(threshold, promotion=promotion, variant=variant)
    return learner.run(SparseRows.of(rows), labels, max_passes=max_passes)


def run_perceptron_on_vectors(vectors: NDArray[np.int64], labels: NDArray[np.int64], *, max_passes: int = 1) -> int:
    """Run the Perceptron over integer vectors until a pass is clean, and count its mistakes."""
    weights = np.zeros(vectors.shape[1], dtype=np.int64)
    signed = vectors * labels[:, None]
    n_mistakes = 0
    for _ in range(max_passes):
        before = n_mistakes
        for vector, label in zip(signed, labels.tolist(), strict=True):
            score = int(vector @ weights)
            # The vector is the row times its label: at a tie only the label -1 is mistaken.
            if score < 0 or (score == 0 and label < 0):
                weights += vector
                n_mistakes += 1
        if n_mistakes == before:
            break
    return n_mistakes


def run_normalised_winnow(
    vectors: NDArray[np.int64], labels: NDArray[np.int64], *, rate: Fraction, max_passes: int = 1
) -> int:
    """Run normalised balanced Winnow over integer vectors until a pass is clean, and count its mistakes.

    Notes
    -----
    After mistakes whose rows times labels sum to c, the weights are proportional to exp(rate c_i) and exp(-rate c_i),
    so the score has the sign of sum_i x_i sinh(rate c_i). The x_i of equal abs(c_i) are added as integers before they
    meet a float: what cancels does so exactly, and the order of summation is always the same.
    Source: [kivinen1997].
    """
    sums = np.zeros(vectors.shape[1], dtype=np.int64)
    n_mistakes = 0
    for _ in range(max_passes):
        before = n_mistakes
        for vector, label in zip(vectors, labels.tolist(), strict=True):
            counts = np.bincount(np.abs(sums), weights=vector * np.sign(sums))
            score = math.fsum(counts * np.sinh(float(rate) * np.arange(counts.size)))
            if (score >= 0) != (label > 0):
                sums += label * vector
                n_mistakes += 1
        if n_mistakes == before:
            break
    return n_mistakes
