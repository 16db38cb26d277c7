"""Run every comparison: ``make bench`` for the quick grid, ``make bench-full`` for the whole one."""

from __future__ import annotations

import argparse
import json

from compare import exact_predictions, gram, packing
from harness import as_json, machine, measure
from rich.console import Console
from rich.table import Table

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--full", action="store_true", help="the whole grid")
parser.add_argument("--json", action="store_true", help="print JSON lines")
arguments = parser.parse_args()

grid = Table("comparison", "peer", "ours, ms", "peer, ms", "times faster", title="conjunct and its peers")
for column in grid.columns[2:]:
    column.justify = "right"
outcomes = []
for module in (packing, gram, exact_predictions):
    for case in module.cases(arguments.full):
        outcome = measure(case, repeats=5)
        outcomes.append(outcome)
        times = (f"{1000 * outcome.ours_seconds:,.1f}", f"{1000 * outcome.peer_seconds:,.1f}", f"{outcome.ratio:.2f}")
        grid.add_row(outcome.name, outcome.peer, *times)
if arguments.json:
    print(json.dumps(machine()), *map(as_json, outcomes), sep="\n")
else:
    Console().print(grid, machine())
