"""One run of another optimal-tree solver, in an environment of its own: prints one JSON object.

``python tree_peers.py SOLVER TABLE DEPTH LEAF_PRICE SECONDS``: SOLVER is pystreed, imodels or gosdt; TABLE a .npz of X
and y; DEPTH a number or any; LEAF_PRICE what a leaf costs, as a share of the rows. Printed are the seconds of CPU
of the fit, after a fit of few rows that compiles what there is, the leaves, the errors, and whether the solver says it
is done.
"""

from __future__ import annotations

import json
import sys
import warnings
from time import process_time

import numpy as np


def main() -> None:
    solver, table, depth, price, seconds = sys.argv[1:]
    data = np.load(table)
    X, y = data["X"], data["y"]
    warnings.simplefilter("ignore")
    fit = {"pystreed": pystreed, "imodels": imodels, "gosdt": gosdt}[solver]
    depth_limit, leaf_price, limit = None if depth == "any" else int(depth), float(price), float(seconds)
    fit(X[:20], np.arange(20) % 2, depth_limit, 0.5, 10.0)
    start = process_time()
    is_done, n_leaves, predictions = fit(X, y, depth_limit, leaf_price, limit)
    taken = process_time() - start
    errors = int(np.count_nonzero(predictions != y))
    print(json.dumps({"seconds": taken, "leaves": int(n_leaves), "errors": errors, "done": bool(is_done)}))


def pystreed(X, y, depth, leaf_price, seconds):
    from pystreed import STreeDClassifier

    deepest = min(X.shape[1], 20) if depth is None else depth
    tree = STreeDClassifier(
        optimization_task="cost-complex-accuracy",
        max_depth=deepest,
        max_num_nodes=2**deepest - 1,
        cost_complexity=leaf_price,
        time_limit=seconds,
    ).fit(X, y)
    return tree.fit_result.is_optimal(), tree.get_n_leaves(), tree.predict(X)


def imodels(X, y, depth, leaf_price, seconds):
    from imodels import FastSmallTreeClassifier

    assert depth is None, "it has no limit of depth"
    tree = FastSmallTreeClassifier(regularization=leaf_price, time_limit=seconds).fit(X, y)
    return tree.optimal_, tree.n_leaves_, tree.predict(X)


def gosdt(X, y, depth, leaf_price, seconds):
    from gosdt import GOSDTClassifier, Status

    budget = None if depth is None else depth + 1
    settings = {"regularization": leaf_price, "allow_small_reg": True, "time_limit": int(seconds)}
    tree = GOSDTClassifier(depth_budget=budget, **settings).fit(X.astype(bool), y)
    best = tree.trees_[0]  # its own predict: the classifier's calls scikit-learn as it no longer is
    n_leaves = str(best.tree).count("prediction")
    return tree.result_.status == Status.CONVERGED, n_leaves, best.predict(X.astype(bool))


if __name__ == "__main__":
    main()
