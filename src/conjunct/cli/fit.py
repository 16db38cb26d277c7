"""``conjunct fit``: from a table to a model file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.data import about, data_options, read
from conjunct.cli.output import require_writable
from conjunct.errors import SettingError, printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.cli.data import Data
    from conjunct.estimators import KernelPerceptronClassifier

__all__ = ["fit"]

LEARNERS = ("kernel-perceptron",)
LITERALS = ("positive", "both")
PREDICTIONS = ("auto", "final", "averaged", "voted")


@click.command(epilog="Example: conjunct fit mushroom.csv --label first -o mushroom.model")
@click.argument("data", metavar="DATA")
@click.option("-o", "--output", "model", metavar="MODEL", type=click.Path(dir_okay=False), help="Save the model there.")
@click.option("--learner", type=click.Choice(LEARNERS), default=LEARNERS[0], show_default=True, help="What learns.")
@click.option("--max-size", type=click.IntRange(1), default=3, show_default=True, help="The longest conjunction.")
@click.option("--all-sizes", is_flag=True, help="Conjunctions of every size.")
@click.option(
    "--literals",
    type=click.Choice(LITERALS),
    default=LITERALS[0],
    show_default=True,
    help="Variables only, or negations too.",
)
@click.option("--max-passes", type=click.IntRange(1), default=100, show_default=True, help="Stop after so many passes.")
@click.option("--threshold", default="0", show_default=True, help="A score that reaches it is positive.")
@click.option("--learning-rate", default="1", show_default=True, help="What a mistake adds.")
@click.option("--prediction", type=click.Choice(PREDICTIONS), default="auto", show_default=True, help="Who predicts.")
@click.option("--cuts", default="4", show_default=True, metavar="N|supervised|all", help="Cuts of a numeric column.")
@click.option("--max-values", type=click.IntRange(2), default=50, show_default=True, help="Most values of a category.")
@click.option("--drop", multiple=True, metavar="NAME", help="Leave a column out; may be given again.")
@click.option("--letters", multiple=True, metavar="NAME", help="Read a column of text letter by letter.")
@click.option("--positive", metavar="VALUE", help="Which of two labels is positive; the greater when left out.")
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True, help="Folds of the cross-validation.")
@click.option("--no-validation", is_flag=True, help="Learn only; no cross-validation.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Which folds are drawn.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print errors only, or the JSON object; no progress bar.")
@data_options
def fit(data: str, model: str | None, as_json: bool, quiet: bool, **given: Any) -> None:
    """Learn a model from DATA: a file, - for standard input, or embedded:NAME.

    Columns of categories and numbers become Boolean variables; the model remembers how. Accuracy is cross-validated,
    variables and all, beside three others on the same folds.
    """
    from conjunct.cli.validation import cross_validate
    from conjunct.estimators import Door

    require_writable(model, data)
    texts = given | {"categorical": given["categorical"] + given["letters"]}
    table = read(data, texts)
    _require_cells(table, "--cuts", "cuts")
    _require_cells(table, "--max-values", "max_values")
    is_count = given["cuts"].isascii() and given["cuts"].isdecimal() and len(given["cuts"]) < 10
    cuts = int(given["cuts"]) if is_count else given["cuts"]
    settings = {
        "label_name": table.label_name,
        "positive": _label(given["positive"], table.labels),
        "cuts": cuts,
        "max_values": given["max_values"],
        "letters": given["letters"],
    }
    with about(table):
        door = Door.of(table.cells, table.labels, **settings)
        rows, codes = door.rows(table.cells), door.codes(table.labels)
    learner = _learner(given)
    lines = []
    if not given["no_validation"]:
        with about(table):
            lines = cross_validate(
                learner, door, table.cells, table.labels, settings, given["folds"], given["seed"], quiet
            )
    learner.fit(rows, codes)
    learner.door_ = door
    if model is not None:
        learner.save(model)
    result = {
        "source": table.source,
        "rows": rows.n_rows,
        "variables": rows.n_variables,
        "labels": list(door.labels),
        "positive": door.positive,
        "learner": given["learner"],
        "stopped_by": learner.stopped_by_,
        "passes": learner.n_passes_,
        "mistakes": learner.n_mistakes_,
        "prediction": learner.prediction_,
        "training_accuracy": float(learner.score(rows, codes)),
        "folds": None if given["no_validation"] else given["folds"],
        "validation": lines,
        "model": model,
    }
    if as_json:
        click.echo(json.dumps(result))
    elif not quiet:
        _print(result, rows.names)


def _require_cells(table: Data, option: str, parameter: str) -> None:
    """Refuse an option about columns of cells where the table is Boolean rows already."""
    was_given = click.get_current_context().get_parameter_source(parameter) is click.core.ParameterSource.COMMANDLINE
    if was_given and not isinstance(table.cells, dict):
        raise SettingError(f"{table.source}: {option} has no meaning for rows that are Boolean already")


def _label(text: str | None, labels: NDArray[Any]) -> str | int | None:
    """Read a label as the table's labels are: an integer where they are integers."""
    from conjunct.datasets.number_grammar import int64, is_integer

    if text is None or labels.dtype.kind not in "iu" or not is_integer(text):
        return text
    value = int64(text)
    return text if value is None else value


def _learner(given: dict[str, Any]) -> KernelPerceptronClassifier:
    from conjunct.estimators import KernelPerceptronClassifier
    from conjunct.kernels import Conjunctions, MonotoneConjunctions

    kernel = (MonotoneConjunctions if given["literals"] == "positive" else Conjunctions)(
        None if given["all_sizes"] else given["max_size"]
    )
    return KernelPerceptronClassifier(
        kernel,
        threshold=given["threshold"],
        learning_rate=given["learning_rate"],
        max_passes=given["max_passes"],
        prediction=given["prediction"],
    )


def _print(result: dict[str, Any], names: tuple[str, ...]) -> None:
    shown = ", ".join(map(printable, names[:4])) + (", ..." if len(names) > 4 else "")
    labels = ", ".join(map(printable, result["labels"]))
    positive = "" if result["positive"] is None else f"; positive: {printable(result['positive'])}"
    ended = "without a mistake" if result["stopped_by"] == "consistent" else "at the pass limit"
    click.echo(f"{printable(result['source'])}: {result['rows']} rows, labels {labels}{positive}")
    click.echo(f"{result['variables']} variables: {shown}")
    if result["validation"]:
        click.echo(f"\n{'accuracy, ' + str(result['folds']) + ' folds':32} {'':>8}   95 % interval")
        for line in result["validation"]:
            low, high = (100 * bound for bound in line["interval"])
            click.echo(f"  {line['learner']:30} {100 * line['accuracy']:6.2f} %   {low:.2f} to {high:.2f}")
    click.echo(
        f"\nLearning on all rows ended {ended} after {result['passes']} passes; "
        f"{100 * result['training_accuracy']:.2f} % of them are right."
    )
    if result["model"] is not None:
        click.echo(f"Saved {printable(result['model'])}")
