"""``conjunct explain``: why rows got their labels."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.data import about, data_options, options_for, read
from conjunct.cli.models import count_memory, load, report_unseen, search_seconds
from conjunct.errors import SettingError

if TYPE_CHECKING:
    from conjunct.rules import Explanation

__all__ = ["explain"]


@click.command(epilog="Example: conjunct explain mushroom.model new.csv --row 1")
@click.argument("model", metavar="MODEL")
@click.argument("data", metavar="DATA")
@click.option(
    "--row",
    "numbers",
    type=click.IntRange(1),
    multiple=True,
    help="Which row, from 1; may be given again. All if left out.",
)
@click.option("--top", type=click.IntRange(1), default=5, show_default=True, help="How many conjunctions to list.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per row; weights as exact ratios.")
@search_seconds
@click.option("--quiet", is_flag=True, help="No word about unseen entries.")
@data_options
def explain(model: str, data: str, numbers: tuple[int, ...], as_json: bool, quiet: bool, **given: Any) -> None:
    """Print the conjunctions that carried the predictions for rows of DATA, adding up exactly to the score.

    A label column in DATA is not looked at.
    """
    from conjunct.rules import explain as explanation_of
    from conjunct.rules.named_model import NamedModel, packed

    count_memory("conjunct.rules.explanation")
    table_model = load(model)
    named = NamedModel.of(table_model)
    named.require_conjunctions()
    table = read(data, given | {"label": ()}, **options_for(table_model.encoding, data, labels=False))
    with about(table):
        rows = packed(named.rows(table_model.rows(table.entries)))
    chosen = list(dict.fromkeys(numbers)) or range(1, rows.n_rows + 1)
    if max(chosen, default=0) > rows.n_rows:
        raise SettingError(f"--row {max(chosen)}: {table.source} has {rows.n_rows} rows")
    for number in chosen:
        why = explanation_of(named, rows[number - 1 : number], top=given["top"], time_limit=given["seconds"])
        if as_json:
            click.echo(json.dumps({"row": number} | _record(why)))
        else:
            click.echo(f"row {number}, {why}\n")
    if not quiet:
        report_unseen(table_model.encoding, table)


def _record(why: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON has it: exact weights as ratios."""
    contributions = why.contributions
    return {
        "label": why.label,
        "score": str(why.score),
        "threshold": None if why.threshold is None else str(why.threshold),
        "columns": [{"text": share.text, "weight": str(share.weight)} for share in why.shares],
        "conjunctions": [{"text": rule.text, "weight": str(rule.weight)} for rule in contributions.rules],
        "remainder": str(why.remainder),
        "proved": contributions.proved,
        "bound": None if contributions.bound is None else str(contributions.bound),
    }
