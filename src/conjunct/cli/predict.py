"""``conjunct predict``: apply a model to a table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.data import about, data_options, options_for, read
from conjunct.cli.models import count_memory, load, report_unseen
from conjunct.cli.output import require_writable
from conjunct.cli.steps import doing
from conjunct.errors import SettingError
from conjunct.messages import printable, quoted
from conjunct.tables.csv_text import csv_text, spreadsheet_text

if TYPE_CHECKING:
    from conjunct.cli.data import Data
    from conjunct.saving import TableModel

__all__ = ["predict"]

LABEL, SCORE = "label", "score"


@click.command(epilog="Example: conjunct predict mushroom.model new.csv --keep id > labels.csv")
@click.argument("model", metavar="MODEL")
@click.argument("data", metavar="DATA")
@click.option(
    "-o", "--output", metavar="FILE", type=click.Path(dir_okay=False), help="Write there, whole or not at all."
)
@click.option("--keep", multiple=True, metavar="COLUMN", help="Copy a column of DATA; may be given again.")
@click.option("--proba", is_flag=True, help="The probability of every label, of a model fitted with --calibrate.")
@click.option("--labels", "labels_only", is_flag=True, help="Labels alone, one per line, without a header.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per row, with the decision value.")
@click.option("--raw", is_flag=True, help="No apostrophe before an entry that a spreadsheet would take for a formula.")
@click.option(
    "--unseen",
    type=click.Choice(("warn", "refuse")),
    default="warn",
    show_default=True,
    help="Entries unlike any learned from: answer and count them, or refuse the first.",
)
@click.option("--quiet", is_flag=True, help="No word about unseen entries.")
@data_options
def predict(model: str, data: str, output: str | None, unseen: str, quiet: bool, **given: Any) -> None:
    """Print label and score of every row of DATA, as CSV. A label column in DATA is not looked at.

    The score of two labels is positive exactly where the second is predicted; of several it is that of the label. An
    entry that begins with =, +, -, @, a tab or a carriage return and is no number gets an apostrophe before it, so that
    a spreadsheet reads text and no formula; --raw leaves it out, and --json never has it.
    """
    require_writable(output, model, data)
    kept = tuple(dict.fromkeys(given["keep"]))
    _require_one_form(given, kept)
    count_memory()
    table_model = load(model)
    if given["proba"] and table_model.calibration is None:
        raise SettingError(f"{model}: has no probabilities, expected a model of 'conjunct fit --calibrate'")
    encoding = table_model.encoding
    options = options_for(encoding, data, labels=False)
    if "columns" in options:
        options["columns"] = dict.fromkeys(kept, "text") | options["columns"]
    table = read(data, given | {"label": ()}, **options)
    if kept and not isinstance(table.entries, dict):
        raise SettingError(f"{table.source}: --keep has no meaning for rows without columns")
    with doing("predicting"), about(table):
        if unseen == "refuse":
            encoding.require_seen(table.entries)
        text = "".join(_answers(table_model, table, kept, given))
    if output is None:
        click.echo(text, nl=False)
    else:
        from conjunct.files import write_atomically

        write_atomically(output, text.encode())
    if not quiet:
        report_unseen(encoding, table)


def _require_one_form(given: dict[str, Any], kept: tuple[str, ...]) -> None:
    """Refuse options that ask for two forms of output at once."""
    if given["labels_only"] and (given["as_json"] or given["proba"] or kept):
        raise SettingError("--labels prints labels alone, expected no --json, --proba or --keep beside it")
    for name in kept:
        if name in (LABEL, SCORE) and not given["as_json"]:
            raise SettingError(f"--keep {name}: the output has a column {quoted(name)} of its own; use --json")


def _answers(model: TableModel, table: Data, kept: tuple[str, ...], given: dict[str, Any]) -> Iterator[str]:
    """Yield the text of the output."""
    labels, proba = model.encoding.labels, given["proba"]
    show = printable if given["raw"] else spreadsheet_text
    rows = model.rows(table.entries)
    codes = model.predict(rows)
    if given["labels_only"]:
        shown = [f"{show(str(label))}\n" for label in labels]
        yield from (shown[code] for code in codes.tolist())
        return
    values = model.decision_values(rows)
    columns = [_entries(table, name) for name in kept]
    shares = model.probabilities(values).tolist() if proba else [[] for _ in codes]
    if given["as_json"]:
        for code, value, share, *entries in zip(codes.tolist(), values.tolist(), shares, *columns, strict=True):
            answer = {"label": labels[code], "decision": value, "positive": model.encoding.positive}
            if proba:
                answer["probabilities"] = dict(zip(map(str, labels), share, strict=True))
            if kept:
                answer["keep"] = dict(zip(kept, entries, strict=True))
            yield json.dumps(answer) + "\n"
        return
    scores = values if values.ndim == 1 else values[range(len(codes)), codes]
    spelled = [show(str(label)) for label in labels]
    header = [*map(show, kept), LABEL, SCORE, *(f"p_{printable(label)}" for label in labels if proba)]
    texts = [["" if entry is None else show(_spelled(entry)) for entry in column] for column in columns]
    answers = zip(*texts, map(spelled.__getitem__, codes.tolist()), scores.tolist(), shares, strict=True)
    yield csv_text([header])
    yield csv_text([*entries, *share] for *entries, share in answers)


def _spelled(entry: str | float) -> str:
    """Return text as it was written, and a number that the model reads in the fewest digits."""
    return entry if isinstance(entry, str) else repr(entry).removesuffix(".0")


def _entries(table: Data, name: str) -> list[Any]:
    assert isinstance(table.entries, dict)
    entries: list[Any] = table.entries[name].tolist()
    return entries
