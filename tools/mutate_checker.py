"""Break a checker in one place at a time, and list what no test notices.

    .venv/bin/python tools/mutate_checker.py [--bounds] [--jobs N] [--lines FIRST LAST] [--known FILE]

It is the checker of certificates of trees, or with --bounds that of bounds.

A mutant has one comparison, sign, whole number, `and`, `or`, `not`, `min`, `max`, `any`, `all`, branch or `continue`
changed, or one `require`, `readable` or `count` taken out. Each runs in a process of its own: first certificates in
memory, whose verdict the naive checker knows, then the tests of tests/unit/certificates that are not long and do not
draw tables, up to the first that fails. Survivors that docs/checker-mutants.md explains are counted; with others the
exit code is 1.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest

import conjunct.certificates
from conjunct.certificates import bound_checker, checker

import_module("hypothesis")  # the tests import it: here once for all mutants, which are forked
ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "tests" / "unit" / "certificates"
SECONDS, MEMORY = 300, 2**30
KILLED, SURVIVED = 0, 1
BOUND_CHECKER = bound_checker.__name__
WITH_PROCESSES = ("module:", "check:", "work_on_share:", "least_errors:", "count:", "main:", "read_text:")
READING = ("module:", "read_", "tested_rows:", "holds:", "table_entries:", "split_line:", "check:", "main:")
TEST_FILES = (  # the first of reading, the last of the rules: those run first where they can find most
    "test_checker_of_tables.py",
    "test_predicted_seconds.py",
    "test_header_and_witness_of_the_checker.py",
    "test_command_of_the_checker.py",
    "test_checker.py",
    "test_frontier_certificates.py",
    "test_rules_of_the_checker.py",
)
BOUND_TEST_FILES = ("test_rules_of_the_bound_checker.py", "test_bound_checker.py")
OUTSIDE = (*READING, "require:", "common_denominator:", "witness_cost:", "work_on_share:", "sentences:")

COMPARISONS: dict[type[ast.cmpop], list[type[ast.cmpop]]] = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Pow: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "add": "sub", "sub": "add"}
STATEMENTS = {"require", "readable", "count"}
IN = ", in: "


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand in the place of a node."""
    if isinstance(node, ast.Compare):
        for k, own in enumerate(node.ops):
            for other in COMPARISONS[type(own)]:
                yield ast.Compare(node.left, [*node.ops[:k], other(), *node.ops[k + 1 :]], node.comparators)
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp):
        yield node.operand
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield ast.Constant(not node.value)
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield ast.Name(NAMES[node.id], node.ctx)
    elif isinstance(node, ast.If):
        yield ast.If(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(node.test, node.orelse, node.body)
    elif isinstance(node, ast.Continue):
        yield ast.Pass()
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        if (called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")) in STATEMENTS:
            yield ast.Pass()


def places(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Yield every child of every node, by its field and place there; annotations are left out."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns") or (
                isinstance(parent, ast.If) and ast.unparse(parent).startswith("if __")
            ):
                continue
            for k, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if isinstance(child, ast.AST):
                    yield parent, field, k


def mutants(source: str, first: int = 1, last: int = 10**6) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each mutant between two lines, what is changed there, and its source.

    Changes of a function that read alike are told apart by the statement that they are in, its first two lines.
    """
    tree = ast.parse(source)
    names = {node: getattr(top, "name", "module") for top in tree.body for node in ast.walk(top)}
    names |= {node: own.name for own in ast.walk(tree) if isinstance(own, ast.FunctionDef) for node in ast.walk(own)}
    statements = {node: own for own in ast.walk(tree) if isinstance(own, ast.stmt) for node in ast.walk(own)}
    found, texts = [], []
    for parent, field, k in list(places(tree)):
        held = getattr(parent, field) if k is None else getattr(parent, field)[k]
        before, is_asked = shown(parent, held), first <= getattr(held, "lineno", 0) <= last
        lines = ast.unparse(statements[held]).split("\n")[:2] if is_asked else []
        statement = " ".join(map(str.strip, lines))
        for other in changes(held):
            put(parent, field, k, ast.copy_location(other, held))
            found.append((held.lineno, f"{names[held]}: {before} -> {shown(parent, other)}", statement))
            texts.append(ast.unparse(ast.fix_missing_locations(tree)) if is_asked else "")
            put(parent, field, k, held)
    n_alike = Counter(change for _, change, _ in found)
    for (line, change, statement), text in zip(found, texts, strict=True):
        if text:
            yield line, change + (f"{IN}{statement}" if n_alike[change] > 1 else ""), text


def is_explained(change: str, explained: str) -> bool:
    """Return whether a document has a change, or all that read alike."""
    return any(f"`{name}`" in explained for name in (change, change.split(IN)[0]))


def put(parent: ast.AST, field: str, k: int | None, node: ast.AST) -> None:
    """Put a node into its place."""
    if k is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[k] = node


def shown(parent: ast.AST, node: ast.AST) -> str:
    """Return how a node reads; names and numbers in what holds them."""
    is_small = isinstance(node, ast.Constant | ast.Name) and isinstance(parent, ast.expr | ast.Assign | ast.keyword)
    text = f"if {ast.unparse(node.test)}" if isinstance(node, ast.If) else ast.unparse(parent if is_small else node)
    return " ".join(text.split())


def corpus() -> list[tuple[Any, bool, Any]]:
    """Return certificates and rows, whether they are accepted, and the bound that they prove."""
    from reference import naive_checker, plain_frontiers, plain_trees, random_tables, tampering

    random, files = Random(7), []
    while len(files) < 60:
        table = random_tables.random_table(random, most_tests=4, most_rows=10)
        options = {"with_hints": table.least_rows == 1, "with_chains": len(files) % 2 == 0}
        text = plain_trees.certificate_text(table, random.choice([None, 0, 1, 2, 3]), **options)
        if text.count("\n") > 2 or len(files) % 4 == 0:
            files.append((text.encode(), plain_trees.canonical_text(table).encode()))
    small = min((own for own in files if own[0].count(b"\n") > 4), key=lambda own: len(own[0]))
    frontiers = [random_tables.random_table(random, most_tests=4, most_rows=10) for _ in range(25)]
    files += [
        (plain_frontiers.frontier_text(table, depth).encode(), plain_trees.canonical_text(table).encode())
        for table in frontiers
        for depth in (2, 3, 4)
    ]
    files += tampering.forged_frontiers(random, 100)
    files += tampering.forgeries(random, 400)
    files += tampering.changed_numbers(small)
    files += tampering.spoiled(small, random)
    verdicts = [naive_checker.naive_check(*own) for own in files]
    return [(own, verdict.accepted, verdict.lower) for own, verdict in zip(files, verdicts, strict=True)]


def corpus_of_bounds() -> list[tuple[Any, bool, Any]]:
    """Return bounds and rows, tampered with and not, whether they are accepted, and what they prove."""
    sys.path.insert(0, str(TESTS))
    tampered, quadratic = map(import_module, ("test_tampered_bounds", "test_bound_checker"))
    random, files = Random(7), []
    bounds = [*tampered.some_bounds(random), *(quadratic.small_bound(random) for _ in range(10))]
    for bound, other in zip(bounds, bounds[1:] + bounds[:1], strict=True):
        (text, rows), (other_text, _) = tampered.files_of(bound), tampered.files_of(other)
        texts = [text, *tampered.changed_lines(text, other_text, random), *tampered.changed_keys(text)]
        files += [(own, rows) for own in (*texts, *random.sample(list(tampered.changed_numbers(text)), 20))]
    lowers = [import_module("reference.naive_bound_checker").naive_bound_check(*own) for own in files]
    for name in (
        "test_tampered_bounds",
        "test_bound_checker",
        "reference.bound_verdicts",
    ):  # which hold the checker that is not changed
        del sys.modules[name]
    del import_module("reference").bound_verdicts
    return [(own, lower is not None, lower) for own, lower in zip(files, lowers, strict=True)]


def outcome(mutant: ModuleType, files: Any) -> tuple[int, Any]:
    """Return the code and the verdict of a checker, about files in memory."""
    from reference import tampering

    if mutant.__name__ != BOUND_CHECKER:
        return tampering.outcome(mutant, files)
    named = dict(zip(("certificate", "rows"), files, strict=True))
    mutant.__dict__["open"] = lambda path, _: io.BufferedReader(io.BytesIO(named[path]))
    try:
        return 0, mutant.check("certificate", "rows")
    except mutant.CheckError as error:
        return error.args
    finally:
        del mutant.__dict__["open"]


def is_killed(name: str, source: str, change: str, cases: list[tuple[Any, bool, Any]], folder: str) -> bool:
    """Return whether a test notices a mutant; those that read tables or start processes run where only they can."""
    path = Path(folder) / f"checker_{os.getpid()}.py"
    path.write_text(source, encoding="utf-8")
    mutant = ModuleType(name)
    mutant.__file__ = str(path)
    sys.modules[name] = mutant
    setattr(conjunct.certificates, name.rpartition(".")[2], mutant)
    try:
        exec(compile(source, str(path), "exec"), mutant.__dict__)
        for files, accepted, lower in cases:
            code, verdict = outcome(mutant, files)
            if (code == 0) != accepted or (accepted and verdict.lower != lower):
                return True
    except Exception:
        return True
    drawn = "not random_tables and not functions_of_three and not forged and not changed_file and not many_costs"
    drawn += "" if change.startswith(WITH_PROCESSES) else " and not processes"
    names = TEST_FILES if change.startswith(READING) else TEST_FILES[1:]
    names = names if change.startswith(OUTSIDE) else (names[-1], *names[:-1])
    if name == BOUND_CHECKER:
        names, drawn = BOUND_TEST_FILES, "not changed_number and not forged and not any_byte and not traces_of"
    options = [
        "-x",
        "-q",
        "-n0",
        "--assert=plain",
        "-p",
        "no:cacheprovider",
        "--basetemp",
        f"{path}.tests",
        "-m",
        "not long",
        "-k",
        drawn,
    ]
    code = pytest.main([*options, *(str(TESTS / name) for name in names)])
    path.unlink()
    return code != 0


def run(name: str, mutant: str, change: str, cases: list[tuple[Any, bool, Any]], folder: str) -> int:
    """Start the process of a mutant, and return its number."""
    child = os.fork()
    if child:
        return child
    signal.alarm(SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)
    outcome = KILLED
    try:
        outcome = KILLED if is_killed(name, mutant, change, cases, folder) else SURVIVED
    finally:
        os._exit(outcome)


def main() -> int:
    """Run all mutants, print those that survive and are not explained, and return whether there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bounds", action="store_true", help="break the checker of bounds")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--lines", type=int, nargs=2, default=(1, 10**6), metavar=("FIRST", "LAST"))
    parser.add_argument("--known", type=Path, default=ROOT / "docs" / "checker-mutants.md")
    parser.add_argument("--only-unexplained", action="store_true", help="leave out the mutants that are explained")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="leave out the first N, which another run had")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT / "tests"))
    explained = given.known.read_text(encoding="utf-8") if given.known.exists() else ""
    module = bound_checker if given.bounds else checker
    name, path = module.__name__, Path(module.__file__)
    source = path.read_text(encoding="utf-8")
    todo = list(mutants(source, *given.lines))[given.skip :]
    if given.only_unexplained:
        todo = [each for each in todo if not is_explained(each[1], explained)]
    cases, start = corpus_of_bounds() if given.bounds else corpus(), time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        _, status = os.waitpid(run(name, ast.unparse(ast.parse(source)), "module:", cases, folder), 0)
    if os.waitstatus_to_exitcode(status) != SURVIVED:
        print("the tests fail without any change")
        return 2
    survivors, running, n_known = [], {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for k, (line, change, text) in enumerate([*todo, *[(0, "", "")] * given.jobs]):
            if len(running) == given.jobs or not change:
                if not running:
                    break
                child, status = os.wait()
                done = running.pop(child)
                if os.waitstatus_to_exitcode(status) == SURVIVED:
                    is_known = is_explained(done[1], explained)
                    n_known += is_known
                    survivors += [] if is_known else [done]
                    print(f"line {done[0]}: {done[1]}{' (explained)' if is_known else ''}", flush=True)
            if change:
                running[run(name, text, change, cases, folder)] = line, change
            if k % 50 == 49:
                print(f"{k + 1} of {len(todo)} mutants, {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
    print(f"{len(todo)} mutants of {path.name}: {len(survivors) + n_known} survive, {n_known} of them explained")
    return bool(survivors)


if __name__ == "__main__":
    sys.exit(main())
