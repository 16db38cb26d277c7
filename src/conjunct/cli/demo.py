"""``conjunct demo``: what the library does, on tables that need no file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from textwrap import fill
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from conjunct.evaluation.progress import progress_bar, waiting
from conjunct.messages import printable

if TYPE_CHECKING:
    from conjunct.certificates import TreeCertificate
    from conjunct.datasets import Table
    from conjunct.rules import RuleTable

__all__ = ["demo"]

NAMES = ("breast-cancer", "tic-tac-toe", "monks-2")
SIZES = (1, 2, 3)
LITERALS = {"breast-cancer": "both"}  # of its thresholds, both sides; elsewhere positive ones
N_RULES = {"tic-tac-toe": 8}  # as many lines as win; elsewhere five
FOLDS = 10
MOST_LEAVES_DRAWN = 12
BEGINNING = """\
Optimal trees with proof, then learners that count exactly, on embedded tables.
A minute or two; most of it goes to checking the proof of the last table, which
--quick leaves out.
"""


@dataclass(frozen=True)
class Problem:
    """Which tree is looked for: of what table and depth, and how many leaves an error is worth; None is any, and no."""

    table: str
    depth: int | None
    price: int | None
    title: str


@dataclass(frozen=True)
class Result:
    """The kernel Perceptron on one table with one size of conjunction."""

    part: str
    table: str
    rows: int
    variables: int
    positive: str
    max_size: int | None
    accuracy: float
    accuracy_sd: float
    stopped_by: str
    passes: int
    mistakes: int
    seconds: float


EASY = Problem("breast-cancer", 3, 1, "the best tree with at most three tests on a path")
HARD = Problem("tic-tac-toe", None, None, "the smallest tree without errors, of any depth")


@click.command(epilog="Example: conjunct demo --json > demo.jsonl")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line instead of text.")
@click.option("--quick", is_flag=True, help="Leave out the last table, whose check takes most of the time.")
@click.option("--quiet", is_flag=True, help="Print results only: no progress, no explanation.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Which folds are drawn.")
def demo(as_json: bool, quick: bool, quiet: bool, seed: int) -> None:
    """Find the best trees of embedded tables, prove that none is better, and learn the tables exactly.

    First the best small tree for scikit-learn's breast-cancer data, with a certificate that a program of its own
    checks; then the exact kernel Perceptron, cross-validated, and the rules that a machine over conjunctions learns; at
    last the proof that a tree for tic-tac-toe needs 43 leaves. Nothing is read or downloaded.
    """
    from conjunct.bits import memory_limit, thread_count
    from conjunct.datasets import embedded

    thread_count(), memory_limit(), embedded(EASY.table)  # a wrong setting is refused before any work
    start, explains = perf_counter(), not (as_json or quiet)
    if explains:
        click.echo(BEGINNING)
    show_tree(EASY, as_json, quiet)
    results = show_learning(seed, as_json, quiet)
    show_rules(as_json, quiet)
    if not quick:
        show_tree(HARD, as_json, quiet)
    if explains:
        click.echo(conclusion(results, quick, perf_counter() - start))


def show_tree(problem: Problem, as_json: bool, quiet: bool) -> None:
    """Find the cheapest tree, have its certificate checked, and print both."""
    certificate = certified_tree(problem, quiet)
    if as_json:
        click.echo(json.dumps(record(problem, certificate)))
        return
    click.secho(f"{problem.table}: {problem.title}", bold=True)
    click.echo("\n".join([*tree_lines(problem, certificate), ""]))
    if not quiet:
        click.echo("\n".join([*commands(problem), ""]))


def certified_tree(problem: Problem, quiet: bool) -> TreeCertificate:
    """Search until the tree is proved to be the cheapest, and run the checker in processes of its own."""
    from conjunct.certificates import certify_tree
    from conjunct.certificates.certify import checked, jobs_for
    from conjunct.datasets import embedded

    table = embedded(problem.table)
    with waiting(f"{problem.table}: searching for the cheapest tree", is_shown=not quiet):
        certificate = certify_tree(
            *table, max_depth=problem.depth, error_price=problem.price, time_limit=None, check=False
        )
    n_lemmas, jobs = len(certificate.lemmas), jobs_for(certificate)
    processes = "a process of its own" if jobs == 1 else f"{jobs} processes"
    with waiting(f"{problem.table}: {n_lemmas:,} lemmas are checked in {processes}", is_shown=not quiet):
        return checked(certificate)


def tree_lines(problem: Problem, certificate: TreeCertificate) -> list[str]:
    """Say what was found, what was proved, and whether the checker accepted it."""
    header, n_leaves = certificate.header, certificate.n_leaves or 0
    costs = "leaves" if problem.price is None else "leaves + errors"
    classes = " or ".join(certificate.classes)
    about = f"{header['rows']} rows, {classes}; {len(certificate.tests)} yes/no tests; a tree costs its {costs}"
    drawn = certificate.tree_text() if n_leaves <= MOST_LEAVES_DRAWN else f"(a tree of {n_leaves} leaves: not drawn)"
    searched = f"optimal: the search closed after {certificate.seconds:.2f} s"
    n_bytes, n_lemmas = len(certificate.text()), len(certificate.lemmas)
    proved = "not certified: the checker was not run"
    if certificate.check_seconds is not None:
        proved = (
            f"certified: the checker, a program apart, proved all {n_lemmas:,} lemmas of the certificate "
            f"({n_bytes:,} bytes) again from the rows, in {certificate.check_seconds:.1f} s"
        )
    sentences = [*certificate.claim.split("\n"), "", searched, proved]
    return [about, "", drawn, "", *map(filled, sentences)]


def commands(problem: Problem) -> list[str]:
    """Say how a stranger makes and checks the same certificate."""
    from conjunct.certificates import checker

    depth = "any" if problem.depth is None else problem.depth
    price = "" if problem.price == 1 else f" --price {'none' if problem.price is None else problem.price}"
    return [
        "Whoever has the rows can check it, with Python and one file, checker.py:",
        f"  conjunct certify embedded:{problem.table} --depth {depth}{price} -o tree.cert",
        "  python3 -I -S checker.py tree.cert tree.cert.rows.gz",
        f"  # here: {checker.__file__}",
    ]


def record(problem: Problem, certificate: TreeCertificate) -> dict[str, Any]:
    """Return what was proved as JSON has it."""
    return {
        "part": "optimal tree",
        "table": problem.table,
        "rows": certificate.header["rows"],
        "tests": len(certificate.tests),
        "depth": certificate.header["depth"],
        "error_price": certificate.header["price"],
        "bound": str(certificate.bound),
        "leaves": certificate.n_leaves,
        "errors": str(certificate.n_errors),
        "tree": str(certificate.witness),
        "claim": certificate.claim,
        "optimal": certificate.optimal,
        "certified": certificate.certified,
        "lemmas": len(certificate.lemmas),
        "proof_bytes": len(certificate.text()),
        "seconds": certificate.seconds,
        "check_seconds": certificate.check_seconds,
    }


def show_learning(seed: int, as_json: bool, quiet: bool) -> list[Result]:
    """Learn every table with every size, and print how well."""
    with progress_bar(is_shown=not quiet) as progress:
        task = progress.add_task("learning", total=len(NAMES) * len(SIZES))
        results = []
        for result in learn_all(seed):
            results.append(result)
            progress.update(task, advance=1, description=f"learning {result.table}")
    if as_json:
        for result in results:
            click.echo(json.dumps(asdict(result)))
    else:
        print_tables(results)
    return results


def show_rules(as_json: bool, quiet: bool) -> None:
    """Learn every table by a machine over conjunctions of up to three literals, and print its heaviest ones."""
    from conjunct.datasets import embedded
    from conjunct.estimators import ConjunctionSVC
    from conjunct.rules import conjunctions

    if not as_json:
        click.secho("The heaviest of all conjunctions of up to three, in machines of maximal margin", bold=True)
    remarks: list[str] = []
    for name in NAMES:
        table, literals = embedded(name), LITERALS.get(name, "positive")
        machine = ConjunctionSVC(max_size=3, literals=literals, lam=4).fit(table.rows, table.labels)
        heaviest = conjunctions(machine, table.rows, table.labels, top=N_RULES.get(name, 5))
        remarks = heaviest.remarks()
        if as_json:
            click.echo(json.dumps({"part": "rules", "table": name, **json.loads(heaviest.to_json())}))
        else:
            click.echo(
                "\n".join(
                    [
                        f"{name}: weight, rows on which it holds, how many of them have the label",
                        *rule_lines(heaviest),
                        "",
                    ]
                )
            )
    if not (as_json or quiet):
        click.echo("\n".join([*map(filled, remarks), ""]))


def rule_lines(table: RuleTable) -> list[str]:
    """Return rules as lines that are not too wide: the numbers, then the conjunction with what it speaks for."""
    from conjunct.reports.rule_figures import wrapped
    from conjunct.rules.rule_table import shown_number

    lines = []
    for rule in table.rules:
        share = "" if rule.precision is None else f"{float(100 * rule.precision):.1f} %"
        numbers = f"{shown_number(rule.weight):>10} {rule.support or 0:>5} {share:>8}  {printable(rule.label)} if "
        lines.append(numbers + wrapped(rule.text, 80 - len(numbers)).replace("\n", "\n" + " " * len(numbers)))
    return lines


def learn_all(seed: int) -> Iterator[Result]:
    """Learn every table with every size."""
    from conjunct.datasets import embedded

    for name in NAMES:
        table = embedded(name)
        for size in SIZES:
            yield learn(table, size, seed)


def learn(table: Table, size: int | None, seed: int) -> Result:
    """Cross-validate one table with one size, and train on all of it."""
    from sklearn.model_selection import StratifiedKFold, cross_val_score

    from conjunct.estimators import KernelPerceptronClassifier
    from conjunct.kernels import MonotoneConjunctions

    start = perf_counter()
    learner = KernelPerceptronClassifier(MonotoneConjunctions(max_size=size))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    accuracies = cross_val_score(learner, table.rows, table.labels, cv=folds)
    learner.fit(table.rows, table.labels)
    return Result(
        "kernel Perceptron",
        table.name,
        table.rows.n_rows,
        table.rows.n_variables,
        str(learner.classes_[1]),
        size,
        float(accuracies.mean()),
        float(accuracies.std(ddof=1)),
        learner.stopped_by_,
        learner.n_passes_,
        learner.n_mistakes_,
        perf_counter() - start,
    )


def print_tables(results: list[Result]) -> None:
    """Print the results, aligned, under a heading for each table."""
    click.secho("Kernel Perceptron over conjunctions of up to a size: every sign is exact", bold=True)
    for _, group in groupby(results, key=lambda result: result.table):
        lines = list(group)
        first = lines[0]
        click.echo(f"{first.table}: {first.rows} rows, {first.variables} variables, positive class {first.positive!r}")
        click.echo(f"  size   accuracy ({FOLDS} folds)   training     passes   mistakes")
        for r in lines:
            size = "all" if r.max_size is None else str(r.max_size)
            accuracy = f"{100 * r.accuracy:.1f} ± {100 * r.accuracy_sd:4.1f} %"
            ended = "consistent" if r.stopped_by == "consistent" else "pass limit"
            click.echo(f"  {size:>4}   {accuracy:>19}   {ended:10}   {r.passes:>6}   {r.mistakes:>8}")
        click.echo()


def conclusion(results: list[Result], quick: bool, seconds: float) -> str:
    """Say what was shown, from its numbers."""
    board = next(r for r in results if r.table == "tic-tac-toe" and r.max_size == 3)
    ended = "without a mistake" if board.stopped_by == "consistent" else "still making mistakes"
    end = "The proof of the tree for tic-tac-toe was left out (--quick)." if quick else ""
    text = (
        f"With conjunctions of up to three squares, training on all {board.rows} boards of tic-tac-toe ended {ended} "
        f"after {board.passes} passes; on boards it had not seen it was right {100 * board.accuracy:.1f} % "
        f"of the time. {end} All took {seconds:.1f} s."
    )
    return filled(" ".join(text.split()))


def filled(text: str) -> str:
    """Break a paragraph into lines."""
    return fill(text, 80, break_on_hyphens=False)
