"""``conjunct predict``: apply a model to a table."""

from __future__ import annotations

import json
from typing import Any

import click

from conjunct.cli.data import about, data_options, options_for, read
from conjunct.cli.models import count_memory, load, report_unseen
from conjunct.cli.output import require_writable, spreadsheet_text
from conjunct.cli.steps import doing
from conjunct.messages import printable

__all__ = ["predict"]


@click.command(epilog="Example: conjunct predict mushroom.model new.csv > labels.txt")
@click.argument("model", metavar="MODEL")
@click.argument("data", metavar="DATA")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write there, whole or not at all."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per row, with the decision value.")
@click.option("--raw", is_flag=True, help="No apostrophe before a label that a spreadsheet would take for a formula.")
@click.option(
    "--unseen",
    type=click.Choice(("warn", "refuse")),
    default="warn",
    show_default=True,
    help="Entries unlike any learned from: answer and count them, or refuse the first.",
)
@click.option("--quiet", is_flag=True, help="No word about unseen entries.")
@data_options
def predict(
    model: str, data: str, output: str | None, as_json: bool, raw: bool, unseen: str, quiet: bool, **given: Any
) -> None:
    """Print the label of every row of DATA, one per line. A label column in DATA is not looked at.

    A label that begins with =, +, -, @, a tab or a carriage return and is no number gets an apostrophe before it, so
    that a spreadsheet reads text and no formula; --raw leaves it out, and --json never has it.
    """
    from conjunct.files import write_atomically

    require_writable(output, model, data)
    count_memory()
    table_model = load(model)
    encoding = table_model.encoding
    table = read(data, given | {"label": ()}, **options_for(encoding, data, labels=False))
    with doing("predicting"), about(table):
        if unseen == "refuse":
            encoding.require_seen(table.entries)
        rows = table_model.rows(table.entries)
        labels = [encoding.labels[code] for code in table_model.predict(rows)]
    shown = {label: printable(label) if raw else spreadsheet_text(str(label)) for label in encoding.labels}
    lines = [shown[label] for label in labels]
    if as_json:
        values = table_model.decision_values(rows).tolist()
        pairs = zip(labels, values, strict=True)
        lines = [
            json.dumps({"label": label, "decision": value, "positive": encoding.positive}) for label, value in pairs
        ]
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text.encode())
    if not quiet:
        report_unseen(encoding, table)
