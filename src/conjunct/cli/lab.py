"""``conjunct lab``: list the experiments, or run one and say whether its statement holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.output import require_writable
from conjunct.errors import SettingError
from conjunct.evaluation.progress import progress_bar

if TYPE_CHECKING:
    from conjunct.lab import Experiment, Verdict

__all__ = ["lab"]

VIOLATED = 1


@click.command(epilog="Example: conjunct lab perceptron-bound --quick -o perceptron-bound")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--quick", is_flag=True, help="Fewer and smaller settings, in seconds.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), help="What random streams are drawn from.  [default: 0]")
@click.option("-o", "--output", metavar="DIR", help="Write result.json, figure.svg and figure.png into this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
@click.option("--quiet", is_flag=True, help="Print the verdict only; without NAME the names only.")
def lab(name: str | None, quick: bool, seed: int | None, output: str | None, as_json: bool, quiet: bool) -> int:
    """List the experiments by paper, or run the one called NAME.

    An experiment measures what a theorem bounds, on streams made to come near the bound and on random ones, and says
    whether every measured value keeps to its bound. The exit code is 1 if one does not.
    """
    if name is None:
        if quick or seed is not None or output is not None:
            raise click.UsageError("--quick, --seed and -o need the NAME of an experiment")
        list_experiments(as_json, quiet)
        return 0
    from conjunct.lab import find_experiment, verdict

    experiment = find_experiment(name)
    if output is not None:
        require_folder(output)
    result = measure(experiment, seed or 0, quick, quiet)
    if output is not None:
        result = written(result, output)
    answer = verdict(result)
    show(result, answer, as_json, quiet)
    return 0 if answer.line is None else VIOLATED


def list_experiments(as_json: bool, quiet: bool) -> None:
    """Print every experiment with its statement, under its paper."""
    from conjunct.lab import EXPERIMENTS, by_paper

    if as_json:
        for each in EXPERIMENTS.values():
            line = {"name": each.name, "title": each.title, "statement": each.statement, "source": each.source}
            click.echo(json.dumps(line))
    elif quiet:
        for name in EXPERIMENTS:
            click.echo(name)
    else:
        formatter = click.HelpFormatter(max_width=80)
        for paper, experiments in by_paper(EXPERIMENTS.values()).items():
            formatter.write_text(str(paper))
            with formatter.indentation():
                for each in experiments:
                    formatter.write_text(each.name)
                    with formatter.indentation():
                        formatter.write_text(each.statement)
            formatter.write_paragraph()
        click.echo(formatter.getvalue(), nl=False)


def require_folder(output: str) -> None:
    """Make the folder, and refuse what cannot be written there, before any work."""
    from conjunct.lab.figure import require_matplotlib
    from conjunct.lab.runner import FILES

    require_matplotlib()
    try:
        Path(output).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError(f"{output}: {error.strerror}, expected a folder to write to") from None
    for file in FILES:
        require_writable(str(Path(output) / file))


def measure(experiment: Experiment, seed: int, quick: bool, quiet: bool) -> dict[str, Any]:
    """Run the trials, with a bar on a terminal."""
    from conjunct.lab import run

    with progress_bar(is_shown=not quiet) as progress:
        task = progress.add_task(experiment.name, total=None)
        return run(
            experiment,
            seed,
            quick=quick,
            advance=lambda done, total: progress.update(task, completed=done, total=total),
        )


def written(result: dict[str, Any], output: str) -> dict[str, Any]:
    """Save a result and return it as read back: the verdict is on what was saved."""
    from conjunct.lab import save
    from conjunct.lab.runner import load

    save(result, output)
    return load(output)


def show(result: dict[str, Any], answer: Verdict, as_json: bool, quiet: bool) -> None:
    """Print the result and the verdict on it."""
    from conjunct.lab import text_table

    if as_json:
        click.echo(json.dumps(result | {"verdict": answer.word, "violated_by": answer.line}))
        return
    if not quiet:
        click.echo(text_table(result) + "\n")
    tightness = "-" if result["tightness"] is None else f"{result['tightness']:.3f}"
    click.echo(f"{result['name']}: {answer} (tightness {tightness})")
