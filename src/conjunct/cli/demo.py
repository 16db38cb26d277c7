"""``conjunct demo``: what the library does, in seconds, on tables that need no file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from time import perf_counter
from typing import TYPE_CHECKING

import click

from conjunct.evaluation.progress import progress_bar

if TYPE_CHECKING:
    from conjunct.datasets import Table

__all__ = ["demo"]

NAMES = ("tic-tac-toe", "monks-1", "monks-2", "monks-3")
SIZES = (1, 2, 3, 4, None)
FOLDS = 10


@dataclass(frozen=True)
class Result:
    """The kernel Perceptron on one table with one size of conjunction."""

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


@click.command(epilog="Example: conjunct demo --json > demo.jsonl")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line instead of tables.")
@click.option("--quiet", is_flag=True, help="Print results only: no progress bar, no explanation.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Which folds are drawn.")
def demo(as_json: bool, quiet: bool, seed: int) -> None:
    """Learn tic-tac-toe and the MONK's problems with the exact kernel Perceptron.

    For each table and each largest size of conjunction: ten-fold cross-validated accuracy, and how training on
    the whole table ended. The tables are made from their rules; nothing is read or downloaded.
    """
    from conjunct.bits import memory_limit, thread_count

    thread_count(), memory_limit()  # a wrong setting is refused before any work
    with progress_bar(is_shown=not quiet) as progress:
        task = progress.add_task("learning", total=len(NAMES) * len(SIZES))
        results = []
        for result in learn_all(seed):
            results.append(result)
            progress.update(task, advance=1, description=f"learning {result.table}")
    if as_json:
        for result in results:
            click.echo(json.dumps(asdict(result)))
        return
    print_tables(results)
    if not quiet:
        click.echo(conclusion(results))


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
    click.secho("Kernel Perceptron over monotone conjunctions of up to a size\n", bold=True)
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


def conclusion(results: list[Result]) -> str:
    """Say what the table shows, from its numbers."""
    board = next(r for r in results if r.table == "tic-tac-toe" and r.max_size == 3)
    ended = "without a mistake" if board.stopped_by == "consistent" else "still making mistakes"
    return (
        f"With conjunctions of up to three squares, training on all {board.rows} boards of\n"
        f"tic-tac-toe ended {ended} after {board.passes} passes; on boards it had not\n"
        f"seen it was right {100 * board.accuracy:.1f} % of the time. Every prediction was the sign of an\n"
        f"exact sum. All runs took {sum(r.seconds for r in results):.1f} s."
    )
