"""``conjunct evaluate``: score a model on a table with labels."""

from __future__ import annotations

import json
from typing import Any

import click

from conjunct.cli.data import about, data_options, labelled
from conjunct.cli.models import count_memory, load, report_unseen
from conjunct.messages import printable

__all__ = ["evaluate"]


@click.command(epilog="Example: conjunct evaluate mushroom.model test.csv")
@click.argument("model", metavar="MODEL")
@click.argument("data", metavar="DATA")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print the accuracy only.")
@data_options
def evaluate(model: str, data: str, as_json: bool, quiet: bool, **given: Any) -> None:
    """Compare a model's predictions with the labels of DATA: accuracy, confusion, precision, recall and AUC.

    A model that was fitted with --calibrate has a log loss too.
    """
    from conjunct.evaluation.figures_of_merit import areas, figures, log_loss

    count_memory()
    table_model = load(model)
    encoding = table_model.encoding
    table = labelled(data, encoding, given)
    with about(table):
        rows, codes = table_model.rows(table.entries), encoding.codes(table.labels)
    values = table_model.decision_values(rows)
    result = figures(table_model.predict(rows), codes, encoding.labels) | {"positive": encoding.positive}
    result |= areas(values, codes, len(encoding.labels))
    is_calibrated = table_model.calibration is not None
    result["log_loss"] = log_loss(table_model.probabilities(values), codes) if is_calibrated else None
    if as_json:
        click.echo(json.dumps(result))
    elif quiet:
        click.echo(f"{result['accuracy']:.6f}")
    else:
        _print(result)
    if not quiet:
        report_unseen(encoding, table)


def _print(result: dict[str, Any]) -> None:
    low, high = (100 * bound for bound in result["interval"])
    click.echo(
        f"accuracy {100 * result['accuracy']:.2f} % of {result['rows']} rows (95 % interval {low:.2f} to {high:.2f})"
    )
    if result["positive"] is not None:
        click.echo(f"positive class: {printable(result['positive'])}")
    if result["auc"] is not None:
        of_several = " (mean over the labels, each against the rest)" if "auc_of_classes" in result else ""
        click.echo(f"area under the ROC curve {result['auc']:.4f}{of_several}")
    if result["log_loss"] is not None:
        click.echo(f"log loss {result['log_loss']:.4f}")
    labels = [printable(line["label"]) for line in result["classes"]]
    width = max(9, *map(len, labels))
    click.echo(
        "\n"
        + " ".join([f"{'label':{width}}", f"{'rows':>8}", "precision", "   recall", *(f"called {x}" for x in labels)])
    )
    for label, line, counts in zip(labels, result["classes"], result["confusion"], strict=True):
        shares = ["        -" if s is None else f"{100 * s:7.2f} %" for s in (line["precision"], line["recall"])]
        called = [f"{count:>{len(name) + 7}}" for count, name in zip(counts, labels, strict=True)]
        click.echo(" ".join([f"{label:{width}}", f"{line['rows']:>8}", *shares, *called]))
