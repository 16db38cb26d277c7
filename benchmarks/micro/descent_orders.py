"""How many sweeps the block descent needs to a gap of 1e-3, by the order in which cells are taken.

``python benchmarks/micro/descent_orders.py`` on 5,000 rows of 128 variables (a noisy DNF of eight terms, conjunctions
of at most three literals, lam = k(x, x)). The first is that of `learners.CellDescent`; the others lost.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from conjunct.bits import BitMatrix
from conjunct.kernels import Conjunctions, PairSums
from conjunct.learners import CellDescent, LabelledCells
from conjunct.learners.margin.dual_forms import Svm

sys.path.insert(0, str(Path(__file__).parents[1]))
from compare.margin import table

MOST_SWEEPS = 30


def sweeps(order: str, block: int) -> str:
    """Run the descent in one order; return how far it came."""
    x, y, *_ = table("dnf-5000")
    kernel, cells = Conjunctions(3), LabelledCells.of(BitMatrix.of(x), y)
    layout = kernel.layout(cells.rows)
    lam = float(layout.floats[-1])
    search = CellDescent(Svm(), PairSums(layout, cells.rows), layout.floats, *cells.floats(), lam)
    random, n_blocks = np.random.default_rng(0), max(1, cells.n_cells // block)
    kept = random.permutation(cells.n_cells)
    for sweep in range(MOST_SWEEPS):
        drawn = np.array_split(random.permutation(cells.n_cells), n_blocks)
        for place in range(n_blocks):
            chosen = drawn[place]
            if order == "kept":
                chosen = np.array_split(kept, n_blocks)[place]
            elif order == "greedy":
                state = search.state
                sign = np.where(state.positive > 0, 1.0, -1.0)
                short = 1 - sign * state.scores - lam * sign * state.weights
                step = np.maximum(-sign * state.weights, short / (search.diagonal + lam))
                gain = step * (2 * short - step * (search.diagonal + lam))
                chosen = random.permutation(np.argpartition(-gain, block)[:block])
            search.improve(chosen, 2)
            gap = search.measure().gap
            if gap <= 1e-3:
                return f"{sweep + (place + 1) / n_blocks:.1f} sweeps"
    return f"a gap of {gap:.2g} after {MOST_SWEEPS} sweeps"


if __name__ == "__main__":
    for order in ("drawn anew", "kept", "greedy"):
        for block in (64, 384, 1000):
            print(f"{order:12} blocks of {block:5}: {sweeps(order, block)}", flush=True)
