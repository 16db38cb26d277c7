"""`conjunct demo` for tests of its streams: all of the command, with small trees and a learner that is done at once."""

__all__ = ["QUICK_DEMO"]

# Options are the arguments of the process: [sys.executable, "-c", QUICK_DEMO, "--json"].
QUICK_DEMO = """
import sys
from dataclasses import replace
import conjunct.certificates.certify
import conjunct.cli.demo
from conjunct.cli import main

def learn(table, size, seed):
    counts = (table.rows.n_rows, table.rows.n_variables)
    return conjunct.cli.demo.Result("", table.name, *counts, "1", size, 0.9, 0.1, "consistent", 7, 70, 0.25)

def checked(certificate):
    return replace(certificate, certified=True, seconds=0.5, check_seconds=0.25)

conjunct.cli.demo.learn = learn
conjunct.cli.demo.HARD = conjunct.cli.demo.Problem("tic-tac-toe", 2, None, "the hard case")
conjunct.certificates.certify.checked = checked
main(["demo", *sys.argv[1:]])
"""
