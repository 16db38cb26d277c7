"""``conjunct fit``: from a table to a model file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.data import about, cuts_setting, data_options
from conjunct.cli.describe import print_columns, read_for_learning
from conjunct.cli.learners import LearnerCommand, learner_options, make_learner
from conjunct.cli.models import count_memory, rows_for
from conjunct.cli.outcomes import outcome, outcome_lines
from conjunct.cli.output import require_writable
from conjunct.errors import SettingError
from conjunct.messages import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.cli.data import Data
    from conjunct.rules import RuleTable
    from conjunct.tables import TableEncoding

__all__ = ["fit"]

# What the memory limit does not count: code.
MODULES = (
    "conjunct.estimators.registry",
    "conjunct.rules.conjunctions",
    "sklearn.linear_model",
    "sklearn.model_selection",
    "sklearn.tree",
    "rich.progress",
)
N_RULES, SECONDS_FOR_RULES = 5, 10


@click.command(cls=LearnerCommand, epilog="Example: conjunct fit mushroom.csv --label first -o mushroom.model")
@click.argument("data", metavar="DATA")
@click.option("-o", "--output", "model", metavar="MODEL", type=click.Path(dir_okay=False), help="Save the model there.")
@learner_options
@click.option(
    "--cuts",
    default="auto",
    show_default=True,
    metavar="auto|N|supervised|all",
    help="Cuts of a numeric column: chosen by inner folds, N quantiles, where labels change, or every gap.",
)
@click.option("--max-values", type=click.IntRange(2), default=50, show_default=True, help="Most values of a category.")
@click.option("--drop", multiple=True, metavar="NAME", help="Leave a column out; may be given again.")
@click.option("--letters", multiple=True, metavar="NAME", help="Read a column of text letter by letter.")
@click.option("--positive", metavar="VALUE", help="Which of two labels is positive; the greater when left out.")
@click.option("--folds", type=click.IntRange(2), default=10, show_default=True, help="Folds of the cross-validation.")
@click.option("--no-validation", is_flag=True, help="Learn only; no cross-validation.")
@click.option("--no-baselines", is_flag=True, help="No others beside the learner in the cross-validation.")
@click.option("--seed", type=click.IntRange(0, 2**31 - 1), default=0, show_default=True, help="Which folds are drawn.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print errors only, or the JSON object; no progress bar.")
@data_options
def fit(data: str, model: str | None, as_json: bool, quiet: bool, **given: Any) -> None:
    """Learn a model from DATA: a file, - for standard input, or embedded:NAME.

    Columns of categories and numbers become Boolean variables; the model remembers how. Accuracy is cross-validated,
    variables and all, beside the largest class, logistic regression and a decision tree on the same folds.
    """
    import numpy as np

    from conjunct.cli.choice import Choice
    from conjunct.cli.comparison import Comparison, unbeaten
    from conjunct.evaluation.cross_validation import cross_validate, require_folds
    from conjunct.evaluation.progress import showing
    from conjunct.tables import TableEncoding

    require_writable(model, data)
    count_memory(*MODULES)
    texts = given | {"categorical": given["categorical"] + given["letters"]}
    table = read_for_learning(data, texts)
    _require_cells(table, "--cuts", "cuts")
    _require_cells(table, "--max-values", "max_values")
    settings = {
        "label_name": table.label_name,
        "positive": given["positive"],
        "cuts": cuts_setting(given["cuts"]),
        "max_values": given["max_values"],
        "letters": given["letters"],
    }
    folds, prints = None if given["no_validation"] else given["folds"], not (quiet or as_json)
    with about(table):
        encoding = TableEncoding.of(table.entries, table.labels, **settings)
        learner = make_learner(given, len(encoding.variables), len(encoding.labels))
    if folds is not None:
        require_folds(table.labels, folds)
    if given["learner"] == "svc-cv":
        _require_search(encoding.codes(table.labels), folds, learner.cv)
    if prints:
        _print_table(table, encoding)
    has_baselines = not given["no_baselines"]
    fold = Comparison(learner, encoding, table.entries, table.labels, settings, has_baselines=has_baselines)
    choice = Choice(settings["cuts"], None)
    if folds is not None:
        with about(table), showing("choosing", is_shown=not quiet):
            choice = fold.choice_for(np.arange(len(table.labels)))
            encoding = TableEncoding.of(table.entries, table.labels, **settings | {"cuts": choice.cuts})
    if prints:
        print_columns(table, encoding)
        _print_variables(encoding, fold.said(choice))
    lines: list[dict[str, Any]] = []
    if folds is not None:
        with about(table), showing("validating", is_shown=not quiet):
            lines = cross_validate(fold, table.labels, n_folds=folds, seed=given["seed"])
    if prints and lines:
        _print_validation(lines)
    if lines and not quiet:
        _warn(lines, given["learner"])
    with about(table):
        codes, rows = encoding.codes(table.labels), rows_for(learner, encoding, table.entries)
        learner = choice.learner(learner, rows)
    with showing("learning from all rows", is_shown=not quiet):
        learner.fit(rows, codes)
    learner.feature_names_in_ = np.array(encoding.variables, object)  # of sparse rows, which carry none
    if model is not None:
        learner.save(model, encoding)
    result = {
        "source": table.source,
        "rows": rows.n_rows,
        "variables": rows.n_variables,
        "labels": list(encoding.labels),
        "positive": encoding.positive,
        "learner": given["learner"],
        "cuts": choice.cuts,
        **outcome(learner, encoding),
        "training_accuracy": float(learner.score(rows, codes)),
        "folds": folds,
        "validation": lines,
        "unbeaten": [line["learner"] for line in unbeaten(lines)],
        "model": model,
    }
    with showing("searching for rules", is_shown=not quiet):
        table_of_rules = None if quiet and not as_json else _rules(learner, encoding, rows, codes)
    if as_json:
        heaviest = [] if table_of_rules is None else table_of_rules.rules
        result["rules"] = [{"conjunction": rule.text, "weight": str(rule.weight)} for rule in heaviest]
        click.echo(json.dumps(result))
    elif prints:
        click.echo("\n" + "\n".join(outcome_lines(result)))
        if table_of_rules is not None:
            click.echo(f"\nIts heaviest conjunctions, of more in 'conjunct rules':\n{table_of_rules}")
        if model is not None:
            click.echo(f"Saved {printable(model)}")


def _rules(learner: Any, encoding: TableEncoding, rows: Any, codes: NDArray[Any]) -> RuleTable | None:
    """Return the heaviest conjunctions; nothing of a model that is no sum of weighted conjunctions."""
    from conjunct.rules import conjunctions
    from conjunct.rules.named_model import NamedModel

    named = NamedModel(learner.model_, tuple(encoding.variables), encoding.labels, encoding)
    try:
        named.require_conjunctions()
    except SettingError:
        return None
    labels = [encoding.labels[code] for code in codes.tolist()]
    return conjunctions(named, rows, labels, top=N_RULES, time_limit=SECONDS_FOR_RULES)


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


def _print_table(table: Data, encoding: TableEncoding) -> None:
    labels = ", ".join(map(printable, encoding.labels))
    positive = "" if encoding.positive is None else f"; positive: {printable(encoding.positive)}"
    click.echo(f"{printable(table.source)}: {len(table.labels)} rows, labels {labels}{positive}")


def _print_variables(encoding: TableEncoding, chosen: str) -> None:
    """Print the first variables, and what was chosen."""
    names = encoding.variables
    shown = ", ".join(map(printable, names[:4])) + (", ..." if len(names) > 4 else "")
    if chosen:
        click.echo(chosen)
    click.echo(f"{len(names)} variables: {shown}")


def _print_validation(lines: list[dict[str, Any]]) -> None:
    """Print the accuracy of every learner with its interval and its own time."""
    n_folds = len(lines[0]["fold_accuracies"])
    click.echo(f"\n{f'accuracy, {n_folds} folds':32} {'':>8}   {'95 % interval':14}   CPU seconds")
    for line in lines:
        low, high = (100 * bound for bound in line["interval"])
        n_done = len(line["fold_accuracies"])
        name = line["learner"] + ("" if n_done == n_folds else f", {n_done} folds, for time")
        span = f"{low:.2f} to {high:.2f}"
        click.echo(f"  {name:30} {100 * line['accuracy']:6.2f} %   {span:15} {line['seconds']:12.2f}")


def _warn(lines: list[dict[str, Any]], learner: str) -> None:
    """Say in one line which of the others the model does not beat."""
    from conjunct.cli.comparison import unbeaten

    others = " and ".join(f"{line['learner']} ({100 * line['accuracy']:.2f} %)" for line in unbeaten(lines))
    if others:
        advice = {"svc": "; try --learner svc-cv", "svc-cv": ""}.get(learner, "; try --learner svc")
        share = f"{100 * lines[0]['accuracy']:.2f} %"
        click.echo(f"conjunct: the model, {share} right on held-out rows, does not beat {others}{advice}", err=True)
