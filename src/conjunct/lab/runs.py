"""The learners of the library as the experiments run them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.sparse import csr_array

from conjunct.bits import SparseRows
from conjunct.learners import Perceptron, Transcript, Winnow

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["run_perceptron", "run_perceptron_on_vectors", "run_winnow"]


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
    """Run the Perceptron over integer vectors until a pass is clean, and count its mistakes.

    It runs in floats, which are exact: no score comes near 2**53.
    """
    return Perceptron().run(SparseRows.of_real(csr_array(vectors)), labels, max_passes=max_passes).n_mistakes
