"""Run every comparison: ``make bench`` for the quick grid, ``make bench-full`` for the whole one.

A ratio is this library's speed over the peer's on as many threads; 2.0 means twice as fast.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any


def main() -> None:
    arguments = parsed()
    if arguments.avx2_peers:  # read when they are imported
        os.environ |= {"NUMBA_CPU_NAME": "haswell", "FAISS_SIMD_LEVEL": "AVX2"}
    from compare import exact_predictions, formulas, gram, linear, margin, optimal_trees, packing, start_up, tables
    from harness import machine, measure
    from micro import gram_tile
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(width=120)
    about = machine() | {"peers": "held to AVX2" if arguments.avx2_peers else "as they come"}
    print(json.dumps(about)) if arguments.json else console.print(about)
    modules = {
        "tables": tables,
        "packing": packing,
        "formulas": formulas,
        "exact_predictions": exact_predictions,
        "linear": linear,
        "gram": gram,
    }
    for name in [name for name in arguments.only or modules if name in modules]:
        for case in modules[name].cases(arguments.full):
            grid = Table(title=case.task, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
            for heading in ("contender", "threads", "milliseconds", "per second", "times as fast are we"):
                grid.add_column(heading, justify="left" if heading == "contender" else "right")
            for m in measure(case, arguments.repeats):
                ratio = "" if m.contender.startswith("conjunct") else f"{m.ratio:.2f}"
                speed = f"{m.per_second / 1e6:,.1f} M {m.unit}"
                grid.add_row(m.contender, str(m.threads), f"{1000 * m.seconds:,.1f}", speed, ratio)
                if arguments.json:
                    print(json.dumps(asdict(m)), flush=True)
            if not arguments.json:
                console.print(grid)
    for line in tables.peak_memory(arguments.full) if "tables" in (arguments.only or modules) else ():
        print(json.dumps(line) if arguments.json else f"{line['what']}: {line['times']:.2f} times the file in memory")
    for line in start_up.measurements(arguments.repeats) if "start_up" in (arguments.only or ["start_up"]) else ():
        shown = f"{line['what']}: {1000 * line['cpu_seconds']:.0f} ms of CPU, {line['times']:.2f} times import numpy"
        print(json.dumps(line) if arguments.json else shown)
    if "margin" in (arguments.only or ["margin"]):
        show_margin(console, list(margin.measurements(arguments.full)), as_json=arguments.json)
    if "optimal_trees" in (arguments.only or ["optimal_trees"]) and os.environ.get("CONJUNCT_DATA"):
        show_trees(console, optimal_trees.measurements(arguments.full), as_json=arguments.json)
    for line in gram_tile.limits() if "gram" in (arguments.only or modules) else ():
        print(json.dumps(line) if arguments.json else f"{line['what']}: {line['per_second'] / 1e9:.2f} G pairs/s")


def show_margin(console: Any, lines: list[dict[str, Any]], *, as_json: bool) -> None:
    """Print the margin machines, each beside its answer; a ratio is the peer's time over ours on the same task.

    Prediction is counted in pairs, a row to predict and a row with weight: machines have different numbers of these.
    """
    from rich import box
    from rich.table import Table

    grid = Table(title="maximal-margin machines, fit as a whole", box=box.SIMPLE_HEAD, padding=(0, 1))
    headings = ("task", "contender", "seconds", "times", "gap", "R+", "accuracy", "support", "GB", "predicted")
    for heading in headings:
        grid.add_column(heading, justify="left" if heading in ("task", "contender") else "right")
    ours = {line["task"]: line["seconds"] for line in lines if line["contender"].startswith("conjunct")}
    for line in lines:
        if as_json:
            print(json.dumps(line), flush=True)
        ratio = "" if line["contender"].startswith("conjunct") else f"{line['seconds'] / ours[line['task']]:.1f}"
        gap, risk = (f"{line[name]:.2g}" if name in line else "" for name in ("gap", "risk"))
        shares = f"{100 * line['accuracy']:.1f} %", f"{line['support']:,}", f"{line['peak_gb']:.2f}"
        speed = f"{line['n_predicted'] * line['support'] / line['predict_seconds'] / 1e6:,.0f} M pairs/s"
        grid.add_row(line["task"], line["contender"], f"{line['seconds']:.3f}", ratio, gap, risk, *shares, speed)
    if not as_json:
        console.print(grid)


def show_trees(console: Any, lines: Iterable[dict[str, Any]], *, as_json: bool) -> None:
    """Print the optimal trees: seconds without and with lemmas, what these take to check, and the peer's seconds."""
    from rich import box
    from rich.table import Table

    headings = (
        "table",
        "depth",
        "price",
        "lower",
        "upper",
        "seconds",
        "with lemmas",
        "lemmas",
        "pairs",
        "bytes",
        "pystreed",
    )
    grid = Table(title="optimal trees, leaves + price * errors", box=box.SIMPLE_HEAD, padding=(0, 1))
    for heading in headings:
        grid.add_column(heading, justify="left" if heading == "table" else "right")
    for line in lines:
        if as_json:
            print(json.dumps(line), flush=True)
        costs = [str(line[name]) for name in ("table", "depth", "price", "lower", "upper")]
        seconds = [f"{line[name]:.3f}" for name in ("seconds", "seconds_with_lemmas")]
        sizes = [f"{line[name]:,}" for name in ("lemmas", "pairs", "bytes")]
        grid.add_row(*costs, *seconds, *sizes, f"{line['pystreed_seconds']:.2f}" if "pystreed_seconds" in line else "")
    if not as_json:
        console.print(grid)


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="the whole grid")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    parser.add_argument("--repeats", type=int, default=5, help="rounds; the best one counts")
    only = (
        "tables",
        "packing",
        "formulas",
        "exact_predictions",
        "linear",
        "gram",
        "margin",
        "optimal_trees",
        "start_up",
    )
    parser.add_argument("--only", action="append", choices=only, help="this comparison; may be given several times")
    parser.add_argument(
        "--avx2-peers", action="store_true", help="hold Numba and faiss to AVX2; CONJUNCT_SIMD=avx2 holds us"
    )
    return parser.parse_args()


if __name__ == "__main__":
    main()
