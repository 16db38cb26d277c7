"""``conjunct fit``: from a table to a model file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.data import about, data_options
from conjunct.cli.describe import print_columns, read_for_learning
from conjunct.cli.learners import learner_options, make_learner
from conjunct.cli.models import count_memory, rows_for
from conjunct.cli.outcomes import outcome, outcome_lines
from conjunct.cli.output import require_writable
from conjunct.errors import SettingError
from conjunct.messages import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.cli.data import Data
    from conjunct.tables import TableEncoding

__all__ = ["fit"]

MODULES = (
    "conjunct.estimators.registry",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "sklearn.tree",
    "rich.progress",
)


@click.command(epilog="Example: conjunct fit mushroom.csv --label first -o mushroom.model")
@click.argument("data", metavar="DATA")
@click.option("-o", "--output", "model", metavar="MODEL", type=click.Path(dir_okay=False), help="Save the model there.")
@learner_options
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
    import numpy as np

    from conjunct.cli.comparison import comparison
    from conjunct.evaluation.cross_validation import cross_validate
    from conjunct.tables import TableEncoding

    require_writable(model, data)
    count_memory(
        "conjunct.estimators.registry",
        "sklearn.linear_model",
        "sklearn.model_selection",
        "sklearn.tree",
        "rich.progress",
    )
    texts = given | {"categorical": given["categorical"] + given["letters"]}
    table = read_for_learning(data, texts)
    _require_cells(table, "--cuts", "cuts")
    _require_cells(table, "--max-values", "max_values")
    is_count = given["cuts"].isascii() and given["cuts"].isdecimal() and len(given["cuts"]) < 10
    cuts = int(given["cuts"]) if is_count else given["cuts"]
    settings = {
        "label_name": table.label_name,
        "positive": given["positive"],
        "cuts": cuts,
        "max_values": given["max_values"],
        "letters": given["letters"],
    }
    with about(table):
        encoding = TableEncoding.of(table.entries, table.labels, **settings)
        names, codes = encoding.variables, encoding.codes(table.labels)
        learner = make_learner(given, len(names))
        rows = rows_for(learner, encoding, table.entries)
    if given["learner"] == "svc-cv":
        _require_search(codes, None if given["no_validation"] else given["folds"], learner.cv)
    lines = []
    if not given["no_validation"]:
        with about(table):
            fold = comparison(learner, encoding, table.entries, table.labels, settings)
            lines = cross_validate(fold, table.labels, n_folds=given["folds"], seed=given["seed"], quiet=quiet)
    if given["learner"] == "svc-cv":
        learner.set_params(verbose=not quiet).fit(rows, codes).set_params(verbose=False)
    else:
        learner.fit(rows, codes)
    learner.feature_names_in_ = np.array(names, object)  # of sparse rows, which carry none
    if model is not None:
        learner.save(model, encoding)
    result = {
        "source": table.source,
        "rows": rows.n_rows,
        "variables": rows.n_variables,
        "labels": list(encoding.labels),
        "positive": encoding.positive,
        "learner": given["learner"],
        **outcome(learner, encoding),
        "training_accuracy": float(learner.score(rows, codes)),
        "folds": None if given["no_validation"] else given["folds"],
        "validation": lines,
        "model": model,
    }
    if as_json:
        click.echo(json.dumps(result))
    elif not quiet:
        _print(result, table, encoding)


def _require_cells(table: Data, option: str, parameter: str) -> None:
    """Refuse an option about columns of cells where the table is Boolean rows already."""
    was_given = click.get_current_context().get_parameter_source(parameter) is click.core.ParameterSource.COMMANDLINE
    if was_given and not isinstance(table.entries, dict):
        raise SettingError(f"{table.source}: {option} has no meaning for rows that are Boolean already")


def _require_search(codes: NDArray[Any], folds: int | None, n_own: int) -> None:
    """Refuse a search within folds on fewer rows of a label than it has folds of its own."""
    import numpy as np

    smallest = int(np.bincount(codes).min())
    left = smallest if folds is None else smallest - -(-smallest // folds)
    if left < n_own and smallest >= (folds or 0):
        raise SettingError(
            f"svc-cv searches in {n_own} folds of its own, which need as many rows of every label, and one has {left} "
            "to learn from; use --learner svc"
        )


def _print(result: dict[str, Any], table: Data, encoding: TableEncoding) -> None:
    names = encoding.variables
    shown = ", ".join(map(printable, names[:4])) + (", ..." if len(names) > 4 else "")
    labels = ", ".join(map(printable, result["labels"]))
    positive = "" if result["positive"] is None else f"; positive: {printable(result['positive'])}"
    click.echo(f"{printable(result['source'])}: {result['rows']} rows, labels {labels}{positive}")
    print_columns(table, encoding)
    click.echo(f"{result['variables']} variables: {shown}")
    if result["validation"]:
        click.echo(f"\n{'accuracy, ' + str(result['folds']) + ' folds':32} {'':>8}   95 % interval")
        for line in result["validation"]:
            low, high = (100 * bound for bound in line["interval"])
            click.echo(f"  {line['learner']:30} {100 * line['accuracy']:6.2f} %   {low:.2f} to {high:.2f}")
    click.echo("\n" + "\n".join(outcome_lines(result)))
    if result["model"] is not None:
        click.echo(f"Saved {printable(result['model'])}")
