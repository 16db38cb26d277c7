"""Which learner a command means, and its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from conjunct.errors import SettingError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from conjunct.estimators import (
        ConjunctionSVC,
        ConjunctionSVCCV,
        KernelPerceptronClassifier,
        MaskPerceptronClassifier,
        PerceptronClassifier,
        WinnowClassifier,
    )

__all__ = ["LEARNERS", "LearnerCommand", "learner_options", "make_learner"]

# The options of each learner, in the order in which they are explained; the first learner is the default.
MISTAKE_DRIVEN = ("max_passes", "shuffle", "prediction", "keep_transcript")
LEARNERS = {
    "svc": (
        "max_size",
        "all_sizes",
        "literals",
        "costs",
        "lam",
        "solver",
        "tol",
        "max_iter",
        "time_limit",
        "calibrate",
    ),
    "svc-cv": ("max_sizes", "lams", "literals", "costs", "tol", "calibrate"),
    "mask": ("max_terms", "max_size", "all_sizes", "literals", "lam", "min_gain", "selection"),
    "kernel-perceptron": (
        "max_size",
        "all_sizes",
        "literals",
        "costs",
        "threshold",
        "learning_rate",
        *MISTAKE_DRIVEN,
    ),
    "perceptron": ("constant", "threshold", "learning_rate", "thickness", *MISTAKE_DRIVEN),
    "winnow": ("variant", "promotion", "demotion", "initial_weight", "threshold", "thickness", *MISTAKE_DRIVEN),
}
PREDICTIONS = ("auto", "final", "averaged", "voted")
VARIANTS = ("balanced", "positive", "elimination", "normalised")
SOLVERS = ("exact", "margin", "perceptron")
SELECTIONS = ("exact", "beam")
SPELLED = {"keep_transcript": "transcript", "shuffle": "no-shuffle"}
OPTIONS = (
    click.option(
        "--learner",
        type=click.Choice(tuple(LEARNERS)),
        default=next(iter(LEARNERS)),
        show_default=True,
        help="What learns; svc-cv is svc with size and lam found, mask a sum of few conjunctions.",
    ),
    click.option("--max-size", type=click.IntRange(1), metavar="N", help="The longest conjunction  [default: 3]"),
    click.option("--all-sizes", is_flag=True, default=None, help="Conjunctions of every size."),
    click.option(
        "--literals", type=click.Choice(("both", "positive")), help="Negations too, or variables only  [default: both]"
    ),
    click.option("--costs", metavar="EPS", help="A conjunction of size j weighs EPS to the j  [default: 1]"),
    click.option(
        "--lam",
        metavar="X",
        help="Small fits the rows, large smooths  [default: by inner folds; without validation mean k(x, x) / 2; of "
        "mask: 4]",
    ),
    click.option("--solver", type=click.Choice(SOLVERS), help="How the risk is made least  [default: exact]"),
    click.option("--tol", metavar="X", help="Stop at this relative gap  [default: 0.001]"),
    click.option(
        "--max-iter", metavar="N,N,...", help="End after so many iterations, one number for all or each output."
    ),
    click.option("--time-limit", metavar="SECONDS", help="End each learning after so long."),
    click.option("--calibrate", is_flag=True, default=None, help="Learn probabilities, for predict --proba."),
    click.option("--max-sizes", metavar="N,N,...", help="Sizes to try  [default: 1,2,3]"),
    click.option("--lams", metavar="X,X,...", help="Regularisations to try  [default: seven, by size]"),
    click.option("--max-terms", type=click.IntRange(1), metavar="N", help="The most conjunctions  [default: 10]"),
    click.option("--min-gain", metavar="X", help="What a conjunction takes from the risk at least  [default: 0]"),
    click.option("--selection", type=click.Choice(SELECTIONS), help="All conjunctions or a beam  [default: exact]"),
    click.option("--variant", type=click.Choice(VARIANTS), help="Which Winnow  [default: balanced]"),
    click.option("--promotion", metavar="X", help="The factor of a promotion  [default: 3/2]"),
    click.option("--demotion", metavar="X", help="Of positive: the divisor of a demotion  [default: --promotion]"),
    click.option("--initial-weight", metavar="X", help="Of every variable at the start  [default: 1]"),
    click.option("--constant", metavar="X", help="The value of a constant variable  [default: 1]"),
    click.option("--threshold", metavar="X", help="A score that reaches it is positive  [default: 0, or found]"),
    click.option("--learning-rate", metavar="X", help="What an update adds  [default: 1]"),
    click.option("--thickness", metavar="X", help="Learn also from rows right by less  [default: 0]"),
    click.option("--max-passes", type=click.IntRange(1), metavar="N", help="Stop after so many  [default: 100]"),
    click.option(
        "--no-shuffle", "shuffle", flag_value=False, default=None, help="Learn in the order of the table, every pass."
    ),
    click.option("--prediction", type=click.Choice(PREDICTIONS), help="Who predicts  [default: auto]"),
    click.option("--transcript", "keep_transcript", is_flag=True, default=None, help="Keep every update in the model."),
)


def learner_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what learns; those of one learner are refused for another."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


class LearnerCommand(click.Command):
    """A command whose help has a section for each learner; an option is explained with the first that has it."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of every learner, then the sections of the learners."""
        records = {
            parameter.name: parameter.get_help_record(ctx)
            for parameter in self.get_params(ctx)
            if isinstance(parameter, click.Option)
        }
        owned = {option for options in LEARNERS.values() for option in options}
        with formatter.section("Options"):
            formatter.write_dl([record for name, record in records.items() if record and name not in owned])
        explained: set[str] = set()
        for learner, options in LEARNERS.items():
            known = ", ".join(spelled(option) for option in options if option in explained)
            lines = [record for option in options if option not in explained and (record := records[option])]
            with formatter.section(f"Options of --learner {learner}"):
                formatter.write_dl([*lines, *([("and, as above,", known)] if known else [])])
            explained |= set(options)


def spelled(option: str) -> str:
    """Return an option as it is written on the command line."""
    return f"--{SPELLED.get(option, option).replace('_', '-')}"


Learner: TypeAlias = (
    "KernelPerceptronClassifier | PerceptronClassifier | WinnowClassifier | ConjunctionSVC | ConjunctionSVCCV"
    " | MaskPerceptronClassifier"
)


def make_learner(given: dict[str, Any], n_variables: int, n_labels: int) -> Learner:
    """Build the estimator that the options describe, for rows of so many variables and labels; refuse bad settings."""
    learner = _learner(given, n_variables, n_labels)
    learner._require_settings()
    return learner


def _learner(given: dict[str, Any], n_variables: int, n_labels: int) -> Learner:
    from conjunct.estimators import (
        ConjunctionSVC,
        ConjunctionSVCCV,
        KernelPerceptronClassifier,
        MaskPerceptronClassifier,
        PerceptronClassifier,
        WinnowClassifier,
    )
    from conjunct.estimators.margin_problems import limit_of_each

    name = given["learner"]
    everything = {option for options in LEARNERS.values() for option in options}
    chosen = {option: given[option] for option in sorted(everything) if given[option] is not None}
    for option in chosen:
        if option not in LEARNERS[name]:
            owners = " or ".join(owner for owner, options in LEARNERS.items() if option in options)
            raise SettingError(f"{spelled(option)} belongs to --learner {owners}, not {name}")
    if name == "perceptron":
        return PerceptronClassifier(**chosen)
    if name == "winnow":
        return WinnowClassifier(**chosen)
    if chosen.pop("all_sizes", False):
        chosen["max_size"] = None
    if name == "mask":
        return MaskPerceptronClassifier(**chosen)
    _weigh(chosen, n_variables)
    if name == "kernel-perceptron":
        return KernelPerceptronClassifier(**chosen)
    for option in ("tol", "time_limit"):
        if option in chosen:
            chosen[option] = _number(chosen[option])
    if name == "svc-cv":
        for option in ("max_sizes", "lams"):
            if option in chosen:
                chosen[option] = _listed(option, chosen[option])
        search = ConjunctionSVCCV(**chosen)
        search._sizes(n_variables)
        return search
    if "max_iter" in chosen:
        limits = _listed("max_iter", chosen["max_iter"])
        chosen["max_iter"] = limits[0] if len(limits) == 1 else limits
        limit_of_each(chosen["max_iter"], 1 if n_labels == 2 else n_labels)
    if "tol" in chosen and chosen.get("solver") == "perceptron":
        raise SettingError("--tol belongs to --solver exact or margin, not perceptron, which stops by itself")
    if (given["max_size"] or 1) > n_variables:
        raise SettingError(
            f"--max-size {shortened(given['max_size'])}: the rows have {n_variables} variables, expected no more"
        )
    return ConjunctionSVC(**chosen)


def _weigh(chosen: dict[str, Any], n_variables: int) -> None:
    """Where costs are given, let a kernel stand for them and for the options of which it takes the place."""
    from conjunct.estimators.kernel_parameter import DEFAULT_LITERALS, DEFAULT_SIZE, KINDS
    from conjunct.kernels import Geometric
    from conjunct.theory import exact

    if "costs" not in chosen:
        return
    costs = exact(chosen.pop("costs"), "costs")
    if costs <= 0:
        raise SettingError(f"costs={shortened(costs)}: expected a positive number")
    kind = KINDS[chosen.pop("literals", DEFAULT_LITERALS)]
    chosen["kernel"] = kind(chosen.pop("max_size", min(DEFAULT_SIZE, n_variables)), Geometric(costs))


def _number(text: str) -> float | str:
    """Read a number; what is none stays text, for the estimator to refuse."""
    from conjunct.tables.number_grammar import is_number, number

    value = number(text) if is_number(text) else None
    return text if value is None else value


def _listed(option: str, text: str) -> tuple[int, ...] | tuple[str, ...]:
    """Read entries between commas: whole sizes, or exact numbers as they are spelled."""
    from conjunct.tables.number_grammar import int64, is_integer

    entries = tuple(entry.strip() for entry in text.split(","))
    if option == "lams":
        return entries
    sizes = [int64(entry) if is_integer(entry) else None for entry in entries]
    if None in sizes:
        name = option.replace("_", "-")
        raise SettingError(f"--{name} {shortened(text)}: expected whole numbers between commas, such as 1,2,3")
    return tuple(size for size in sizes if size is not None)
