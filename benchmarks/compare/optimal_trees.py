"""Optimal trees of the cp4im tables, with and without the lemmas that prove them; pystreed where it is installed.

Needs CONJUNCT_DATA. CPU seconds of one thread, the median of up to five runs, the peer's of one; costs are leaves +
errors (price 1), compared with the known optima and with the peer's. pystreed charges a leaf 1 / rows: the same
problem, divided by the number of rows.
"""

from __future__ import annotations

import csv
import gzip
import os
import statistics
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from conjunct import BitMatrix
from conjunct.search import TreeProblem, search_tree

QUICK = [
    (name, depth) for depth in (4, 5) for name in ("anneal", "audiology", "heart-cleveland", "hypothyroid", "lymph")
]
ANY_DEPTH = [("tic-tac-toe", None, None), ("primary-tumor", None, 1), ("zoo-1", None, 1)]
SECONDS = 600


def measurements(full: bool) -> Iterator[dict[str, Any]]:
    """Solve every problem, with and without lemmas; yield seconds, costs, and what the proof takes to check."""
    folder = Path(os.environ["CONJUNCT_DATA"]) / "cp4im"
    known = optima(folder / "optima.csv")
    names = sorted(path.name.removesuffix(".txt.gz") for path in folder.glob("*.txt.gz"))
    limited = [(name, depth) for depth in (2, 3, 4, 5) for name in names if (name, depth) != ("splice-1", 5)]
    problems: list[tuple[str, int | None, int | None]] = [(*pair, 1) for pair in (limited if full else QUICK)]
    problems += ANY_DEPTH + ([("lymph", None, 1), ("mushroom", None, 1)] if full else [])
    for name, depth, price in problems:
        with gzip.open(folder / f"{name}.txt.gz") as file:
            table = np.loadtxt(file, dtype=np.uint8)
        yield measurement(name, table, depth, price, known) | peer(table, depth, price, known.get((name, depth, price)))


def measurement(
    name: str, table: Any, depth: int | None, price: int | None, known: dict[tuple[str, int | None, int | None], int]
) -> dict[str, Any]:
    cells = BitMatrix.of(table[:, 1:]).pool(table[:, 0])
    counts = cells.counts.astype(np.int64)
    sizes = counts.sum(axis=1)
    cost = len(table) + 1 if price is None else price
    penalties = cost * (sizes[:, None] - counts)
    problem = TreeProblem(cells.rows, penalties, cost * sizes, sizes, leaf_cost=1, max_depth=depth)
    seconds, found = {}, None
    for keep in (False, True):
        times = []
        for _ in range(5):
            start = process_time()
            found = search_tree(problem, time_limit=SECONDS, keep_lemmas=keep)
            times.append(process_time() - start)
            if sum(times) > 5:
                break
        seconds[keep] = statistics.median(times)
    assert found is not None
    optimum = known.get((name, depth, price))
    assert found.lower <= found.upper
    if optimum is not None:
        assert found.lower <= optimum <= found.upper, f"{name} at depth {depth}: {optimum} is known to be the optimum"
    return {
        "table": name,
        "depth": "any" if depth is None else depth,
        "price": "none" if price is None else price,
        "lower": found.lower,
        "upper": found.upper,
        "seconds": seconds[False],
        "seconds_with_lemmas": seconds[True],
        "lemmas": len(found.lemmas),
        "pairs": found.n_pairs,
        "bytes": len(found.lemmas.text),
    }


def optima(path: Path) -> dict[tuple[str, int | None, int | None], int]:
    """Return the least leaves + price * errors by table, depth and price; None is any depth, and no errors."""
    with path.open() as file:
        lines = [line for line in csv.DictReader(file) if line["error_price"]]
    return {
        (
            line["table"],
            None if line["max_depth"] == "any" else int(line["max_depth"]),
            None if line["error_price"] == "none" else int(line["error_price"]),
        ): int(line["leaves_plus_price_times_errors"])
        for line in lines
    }


def peer(table: Any, depth: int | None, price: int | None, optimum: int | None) -> dict[str, Any]:
    """Time pystreed on the same problem; nothing where it is not installed or has no such problem."""
    if find_spec("pystreed") is None or depth is None or price is None:
        return {}
    from pystreed import STreeDClassifier

    model = STreeDClassifier(
        "cost-complex-accuracy", max_depth=depth, cost_complexity=1 / len(table), time_limit=SECONDS, verbose=False
    )
    start = process_time()
    model.fit(table[:, 1:], table[:, 0])
    seconds = process_time() - start
    cost = model.get_n_leaves() + round((1 - model.score(table[:, 1:], table[:, 0])) * len(table))
    assert optimum in (None, cost) or seconds >= SECONDS, f"pystreed found {cost} where {optimum} is known"
    return {"pystreed_seconds": seconds, "pystreed_cost": cost}
