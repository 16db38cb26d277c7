"""Run every comparison: ``make bench`` for the quick grid, ``make bench-full`` for the whole one.

A ratio is this library's speed over the peer's on as many threads; 2.0 means twice as fast.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import asdict


def main() -> None:
    arguments = parsed()
    if arguments.avx2_peers:  # read when they are imported
        os.environ |= {"NUMBA_CPU_NAME": "haswell", "FAISS_SIMD_LEVEL": "AVX2"}
    from compare import exact_predictions, formulas, gram, linear, packing
    from harness import machine, measure
    from micro import gram_tile
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(width=100)
    about = machine() | {"peers": "held to AVX2" if arguments.avx2_peers else "as they come"}
    print(json.dumps(about)) if arguments.json else console.print(about)
    modules = {
        "packing": packing,
        "formulas": formulas,
        "exact_predictions": exact_predictions,
        "linear": linear,
        "gram": gram,
    }
    for name in arguments.only or modules:
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
    for line in gram_tile.limits() if "gram" in (arguments.only or modules) else ():
        print(json.dumps(line) if arguments.json else f"{line['what']}: {line['per_second'] / 1e9:.2f} G pairs/s")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="the whole grid")
    parser.add_argument("--json", action="store_true", help="print JSON lines")
    parser.add_argument("--repeats", type=int, default=5, help="rounds; the best one counts")
    only = ("packing", "formulas", "exact_predictions", "linear", "gram")
    parser.add_argument("--only", action="append", choices=only, help="this comparison; may be given several times")
    parser.add_argument("--avx2-peers", action="store_true", help="hold Numba and faiss to AVX2, as this library is")
    return parser.parse_args()


if __name__ == "__main__":
    main()
