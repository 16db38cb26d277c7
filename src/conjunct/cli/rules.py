"""``conjunct rules``: what a model has learned, as rules."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.data import about, data_options, labelled
from conjunct.cli.models import count_memory, load, report_unseen, search_seconds
from conjunct.cli.output import require_writable
from conjunct.errors import SettingError
from conjunct.evaluation.progress import waiting
from conjunct.messages import shortened
from conjunct.reports.figure import FIGURES

if TYPE_CHECKING:
    from conjunct.saving import TableModel

__all__ = ["rules"]

MODULES = ("conjunct.rules.score_table", "conjunct.rules.surrogate_dnf", "rich.progress")


@click.command(epilog="Example: conjunct rules mushroom.model --data mushroom.csv --top 5")
@click.argument("model", metavar="MODEL")
@click.option("--data", metavar="DATA", help="Rows with labels, for support and precision; dnf and score need them.")
@click.option("--top", type=click.IntRange(1), default=20, show_default=True, help="How many conjunctions to list.")
@click.option("--max-size", type=click.IntRange(1), help="The most literals of a conjunction.")
@click.option(
    "--format",
    "form",
    type=click.Choice(("table", "csv", "json", "dnf", "score")),
    default="table",
    show_default=True,
    help="How to show them; dnf: a formula that imitates the model; score: points to add up.",
)
@click.option("--class", "label_of_dnf", metavar="LABEL", help="Whose rows dnf describes; needed of several classes.")
@click.option("--terms", type=click.IntRange(1), default=10, show_default=True, help="Most terms of dnf and score.")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write there, whole or not at all; a figure if it ends in .svg, .png or .pdf.",
)
@search_seconds
@click.option("--quiet", is_flag=True, help="No progress, no word about unseen entries.")
@partial(data_options, format_option="--data-format")
def rules(model: str, data: str | None, output: str | None, form: str, quiet: bool, **given: Any) -> None:
    """Print the heaviest conjunctions of MODEL, with a proof that no heavier one is missing.

    A model is a sum of weights over the conjunctions that hold on a row; these are the largest. A search that meets its
    time limit says what those it did not look at weigh at most.
    """
    require_writable(output, model, *([] if data is None else [data]))
    if data is None and form in ("dnf", "score"):
        raise SettingError(f"--format {form}: is fitted to rows, expected --data DATA")
    if output is not None and output.endswith(FIGURES) and form not in ("table", "score"):
        raise SettingError(f"{output}: a figure shows --format table or score, expected one of them")
    if given["label_of_dnf"] is not None and form != "dnf":
        raise SettingError("--class: is of --format dnf only")
    count_memory(*MODULES)
    table_model = load(model)
    labels = table_model.encoding.labels
    if form == "dnf" and len(labels) > 2 and given["label_of_dnf"] is None:
        raise SettingError(f"--format dnf: describes one class, expected --class with one of {shortened(list(labels))}")
    table = None if data is None else labelled(data, table_model.encoding, given)
    if table is None:
        result = _result(table_model, None, None, form, quiet, given)
    else:
        with about(table):
            rows = table_model.rows(table.entries)
            result = _result(table_model, rows, table.labels, form, quiet, given)
    if output is None:
        click.echo(_text(result, form))
    else:
        _write(output, result, form)
    if table is not None and not quiet:
        report_unseen(table_model.encoding, table)


def _result(model: TableModel, rows: Any, labels: Any, form: str, quiet: bool, given: dict[str, Any]) -> Any:
    from conjunct.rules import conjunctions, score_table, to_dnf

    seconds, max_size = given["seconds"], given["max_size"]
    with waiting("searching for the heaviest conjunctions", is_shown=not quiet):
        if form == "dnf":
            label = given["label_of_dnf"]
            return to_dnf(model, rows, labels, given["terms"], label=label, max_size=max_size, time_limit=seconds)
        if form == "score":
            return score_table(model, rows, labels, given["terms"], max_size=max_size, time_limit=seconds)
        return conjunctions(model, rows, labels, top=given["top"], max_size=max_size, time_limit=seconds)


def _text(result: Any, form: str) -> str:
    if form == "csv":
        return str(result.to_csv()).removesuffix("\n")
    return str(result.to_json()) if form == "json" else str(result)


def _write(output: str, result: Any, form: str) -> None:
    from conjunct.files import write_atomically

    if output.endswith(FIGURES):
        from conjunct.reports import draw_rules

        write_atomically(output, draw_rules(result, output.rsplit(".", 1)[1]))
    else:
        write_atomically(output, f"{_text(result, form)}\n".encode())
