"""The heaviest conjunction of real tables beside other searches; equal weights are asserted, one thread each.

Needs CONJUNCT_DATA. A row weighs rows * (is it of class 1) - rows of class 1, so that the heaviest conjunction is the
subgroup of largest weighted relative accuracy, which pysubgroup looks for too; equal rows are pooled. All times are
seconds of CPU, so that other work on the machine does not count. Columns: *ours*, the median of five; *weighed*
conjunctions and how many millions a second; *limit* the share of what the machine does when it weighs sets and nothing
else; then how many times as long others take: *NumPy* weighs all extensions of a conjunction by one product of
matrices, *plain* is a depth-first search in C++ without bounds, *pysubgroup* its depth-first search over bit sets. A
dash: not run, or not ended, within about --seconds.

Then the 20 heaviest of trained machines, both literals, on all threads.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import statistics
import subprocess
import sys
from itertools import combinations
from math import comb
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before NumPy is imported, here and in the peers' processes

import numpy as np

from conjunct import BitMatrix, ConjunctionSVC, _core
from conjunct.bits.limits import limiting_threads
from conjunct.search import search_conjunctions

ROOT = Path(__file__).parents[1]
PEER = """
import json, sys, time
import numpy as np, pandas as pd, pysubgroup as ps
table = np.load(sys.argv[1])
frame = pd.DataFrame(table[:, 1:].astype(bool)).rename(columns=str)
frame["label"] = table[:, 0].astype(bool)
target = ps.BinaryTarget("label", True)
space = ps.create_nominal_selectors(frame, ignore=["label"])
task = ps.SubgroupDiscoveryTask(frame, target, space, result_set_size=1, depth=int(sys.argv[2]), qf=ps.WRAccQF())
start = time.process_time()
result = ps.DFS(ps.BitSetRepresentation).execute(task)
print(json.dumps({"seconds": time.process_time() - start, "quality": float(result.to_dataframe()["quality"][0])}))
"""


def main() -> None:
    given = parsed()
    folder = Path(os.environ["CONJUNCT_DATA"])
    print(f"{_core.simd_level()}, up to {given.seconds:.0f} s each")
    with TemporaryDirectory() as temporary:
        program = build(Path(temporary))
        print("| table | cells | variables | size | ours s | weighed | M/s | limit | NumPy | plain | pysubgroup |")
        print("| --- | " + "---: | " * 10)
        for name in given.tables:
            for size in given.sizes:
                print(row_of(name, size, read(folder / "cp4im" / f"{name}.txt.gz"), given, program), flush=True)
    if given.machines:
        for name, table in machines(folder):
            show_machine(name, table)


def read(path: Path) -> Any:
    with gzip.open(path) as file:
        return np.loadtxt(file, dtype=np.uint8)


def row_of(name: str, size: int, table: Any, given: argparse.Namespace, program: Path) -> str:
    pooled = BitMatrix.of(table[:, 1:]).pool(table[:, 0])
    counts = pooled.counts.astype(np.int64)
    n_rows, n_positive = int(counts.sum()), int(counts[:, 1].sum())
    weights = n_rows * counts[:, 1] - n_positive * counts.sum(axis=1)
    seconds = []
    with limiting_threads(1):
        for _ in range(5):
            start = process_time()
            result = search_conjunctions(pooled.rows, weights, max_size=size, top=1, signed=True, sets="shortest")
            seconds.append(process_time() - start)
    ours, best = statistics.median(seconds), int(result.found[0].weight)
    digits = pooled.rows.to_array()
    n_words = (len(digits) + 63) // 64 + 1
    limit = json.loads(run([program, "limit", n_words, _core.simd_level()]))["sets_per_second"]
    n_all = sum(comb(digits.shape[1], k) * 2**k for k in range(1, size + 1))
    others = []
    if n_all / (2 * digits.shape[1]) * digits.size < 2e8 * given.seconds:
        start = process_time()
        assert by_products(digits, weights, size) == best, "NumPy finds another weight"
        others.append(process_time() - start)
    else:
        others.append(None)
    if n_all * n_words < 5e8 * given.seconds:
        text = f"{len(digits)} {digits.shape[1]}\n" + "".join(
            f"{''.join(map(str, row))} {weight}\n"
            for row, weight in zip(digits.tolist(), weights.tolist(), strict=True)
        )
        plain = json.loads(run([program, "search", size], text))
        assert plain["best"] == best, "the plain search finds another weight"
        others.append(plain["seconds"])
    else:
        others.append(None)
    others.append(by_peer(table, size, best / n_rows**2, given))
    ratios = [f"{other / ours:,.0f}" if other is not None else "-" for other in others]
    rate = result.n_nodes / ours
    entries = [name, len(digits), digits.shape[1], size, f"{ours:.4f}", result.n_nodes, f"{rate / 1e6:.1f}"]
    return f"| {' | '.join(map(str, [*entries, f'{rate / limit:.2f}', *ratios]))} |"


def by_products(digits: Any, weights: Any, size: int) -> int:
    """Weigh all conjunctions: of every one that is a literal short, all extensions by one product."""
    literals = np.hstack([digits == 0, digits == 1]).astype(np.float64)
    best = max(int(weights.sum()), int((weights @ literals).max()))
    for shorter in range(1, size):
        for chosen in combinations(range(literals.shape[1]), shorter):
            held = weights * literals[:, chosen].prod(axis=1)
            best = max(best, int((held @ literals[:, chosen[-1] + 1 :]).max(initial=0)))
    return best


def by_peer(table: Any, size: int, quality: float, given: argparse.Namespace) -> float | None:
    if not given.peers:
        return None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.npy"
        np.save(path, table)
        try:
            found = json.loads(run([given.peers, "-c", PEER, path, size], seconds=given.seconds).splitlines()[-1])
        except subprocess.TimeoutExpired:
            return None
    assert abs(found["quality"] - quality) < 1e-9, f"pysubgroup finds {found['quality']}, not {quality}"
    return float(found["seconds"])


def machines(folder: Path) -> list[tuple[str, Any]]:
    from sklearn.datasets import load_svmlight_file

    rows, labels = load_svmlight_file(str(folder / "libsvm/a9a.gz"), n_features=123)
    first = np.hstack([labels[:5000, None] > 0, rows[:5000].toarray()]).astype(np.uint8)
    return [("a9a, first 5,000 rows", first), ("splice-1", read(folder / "cp4im/splice-1.txt.gz"))]


def show_machine(name: str, table: Any) -> None:
    for size in (3, 4):
        model = ConjunctionSVC(max_size=size, literals="both").fit(table[:, 1:], table[:, 0]).model_
        start = perf_counter()
        result = search_conjunctions(model.rows, model.weights[0], max_size=size, top=20, sets="shortest")
        seconds = perf_counter() - start
        outcome = "proved" if result.proved else f"nothing else above {float(result.bound * model.unit):.3g}"
        print(f"{name}, size {size}: 20 heaviest of {model.rows.n_rows} rows, {outcome}, {seconds:.2f} s")


def build(folder: Path) -> Path:
    program = folder / "plain_conjunctions"
    flags = ["-O3", "-std=c++20", "-DCONJUNCT_X86", f"-I{ROOT / 'core'}", "-mavx2", "-mpopcnt"]
    objects = []
    for source, more in (
        (ROOT / "core/simd/weigh_avx512.cpp", ["-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq"]),
        (ROOT / "core/simd/weigh_avx2.cpp", []),
        (ROOT / "benchmarks/micro/plain_conjunctions.cpp", []),
    ):
        objects.append(folder / f"{source.stem}.o")
        subprocess.run(["c++", *flags, *more, "-c", str(source), "-o", str(objects[-1])], check=True)
    subprocess.run(["c++", *map(str, objects), "-o", str(program)], check=True)
    return program


def run(command: list[Any], text: str | None = None, seconds: float | None = None) -> str:
    return subprocess.run(
        list(map(str, command)), input=text, check=True, capture_output=True, text=True, timeout=seconds
    ).stdout


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", help="a Python that has pysubgroup")
    parser.add_argument("--seconds", type=float, default=60, help="for each search of others")
    parser.add_argument("--sizes", type=int, nargs="+", default=[3, 4])
    parser.add_argument("--no-machines", dest="machines", action="store_false", help="leave out the trained machines")
    folder = Path(os.environ.get("CONJUNCT_DATA", "")) / "cp4im"
    names = sorted(path.name.removesuffix(".txt.gz") for path in folder.glob("*.txt.gz"))
    parser.add_argument("--tables", nargs="+", default=names)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
