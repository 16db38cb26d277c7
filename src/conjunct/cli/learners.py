"""Which learner a command means, and its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from conjunct.errors import SettingError
from conjunct.messages import shortened

if TYPE_CHECKING:
    from conjunct.estimators import (
        ConjunctionSVC,
        ConjunctionSVCCV,
        KernelPerceptronClassifier,
        PerceptronClassifier,
        WinnowClassifier,
    )
    from conjunct.kernels import Conjunctions, MonotoneConjunctions

__all__ = ["LEARNERS", "learner_options", "make_learner"]

# The options of each learner.
MISTAKE_DRIVEN = ("max_passes", "prediction", "keep_transcript")
LEARNERS = {
    "kernel-perceptron": (
        "max_size",
        "all_sizes",
        "literals",
        "costs",
        "threshold",
        "learning_rate",
        *MISTAKE_DRIVEN,
    ),
    "perceptron": ("threshold", "learning_rate", "constant", "thickness", *MISTAKE_DRIVEN),
    "winnow": ("variant", "promotion", "demotion", "threshold", "initial_weight", "thickness", *MISTAKE_DRIVEN),
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
    "svc-cv": ("literals", "costs", "max_sizes", "lams", "tol", "calibrate"),
}
PREDICTIONS = ("auto", "final", "averaged", "voted")
VARIANTS = ("balanced", "positive", "elimination", "normalised")
SOLVERS = ("exact", "margin", "perceptron")
DEFAULT_SIZE = 3
SPELLED = {"keep_transcript": "transcript"}


def learner_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what learns; those of one learner are refused for another."""
    for option in (
        click.option(
            "--transcript",
            "keep_transcript",
            is_flag=True,
            default=None,
            help="perceptrons, winnow: keep every update in the model.",
        ),
        click.option(
            "--prediction", type=click.Choice(PREDICTIONS), help="perceptrons, winnow: who predicts  [default: auto]"
        ),
        click.option(
            "--max-passes",
            type=click.IntRange(1),
            metavar="N",
            help="perceptrons, winnow: stop after so many  [default: 100]",
        ),
        click.option("--initial-weight", metavar="X", help="winnow: of every variable at the start  [default: 1]"),
        click.option(
            "--demotion", metavar="X", help="winnow, positive: the divisor of a demotion  [default: --promotion]"
        ),
        click.option("--promotion", metavar="X", help="winnow: the factor of a promotion  [default: 3/2]"),
        click.option("--variant", type=click.Choice(VARIANTS), help="winnow: which one  [default: balanced]"),
        click.option(
            "--thickness", metavar="X", help="perceptron, winnow: learn also from rows right by less  [default: 0]"
        ),
        click.option("--constant", metavar="X", help="perceptron: the value of a constant variable  [default: 1]"),
        click.option("--learning-rate", metavar="X", help="perceptrons: what an update adds  [default: 1]"),
        click.option("--threshold", metavar="X", help="A score that reaches it is positive  [default: 0, or found]"),
        click.option(
            "--calibrate", is_flag=True, default=None, help="svc, svc-cv: learn probabilities, for predict --proba."
        ),
        click.option("--lams", metavar="X,X,...", help="svc-cv: regularisations to try  [default: seven, by size]"),
        click.option("--max-sizes", metavar="N,N,...", help="svc-cv: sizes to try  [default: 1,2,3]"),
        click.option("--time-limit", metavar="SECONDS", help="svc: end each learning after so long."),
        click.option(
            "--max-iter",
            metavar="N,N,...",
            help="svc: end after so many iterations, one number for all or each output.",
        ),
        click.option("--tol", metavar="X", help="svc, svc-cv: stop at this relative gap  [default: 0.001]"),
        click.option("--solver", type=click.Choice(SOLVERS), help="svc: how the risk is made least  [default: exact]"),
        click.option("--lam", metavar="X", help="svc: small fits the rows, large smooths  [default: mean k(x, x) / 2]"),
        click.option("--costs", metavar="EPS", help="A conjunction of size j weighs EPS to the j  [default: 1]"),
        click.option(
            "--literals",
            type=click.Choice(("positive", "both")),
            help="Variables only, or negations too  [default: both]",
        ),
        click.option(
            "--all-sizes", is_flag=True, default=None, help="kernel-perceptron, svc: conjunctions of every size."
        ),
        click.option(
            "--max-size",
            type=click.IntRange(1),
            metavar="N",
            help="kernel-perceptron, svc: the longest conjunction  [default: 3]",
        ),
        click.option(
            "--learner",
            type=click.Choice(tuple(LEARNERS)),
            default="kernel-perceptron",
            show_default=True,
            help="What learns; svc-cv is svc with size and lam found.",
        ),
    ):
        command = option(command)
    return command


def make_learner(
    given: dict[str, Any], n_variables: int
) -> KernelPerceptronClassifier | PerceptronClassifier | WinnowClassifier | ConjunctionSVC | ConjunctionSVCCV:
    """Build the estimator that the options describe, for rows of so many variables."""
    from conjunct.estimators import (
        ConjunctionSVC,
        ConjunctionSVCCV,
        KernelPerceptronClassifier,
        PerceptronClassifier,
        WinnowClassifier,
    )

    name = given["learner"]
    everything = {option for options in LEARNERS.values() for option in options}
    chosen = {option: given[option] for option in sorted(everything) if given[option] is not None}
    for option in chosen:
        if option not in LEARNERS[name]:
            owners = " or ".join(owner for owner, options in LEARNERS.items() if option in options)
            raise SettingError(
                f"--{SPELLED.get(option, option).replace('_', '-')} belongs to --learner {owners}, not {name}"
            )
    if name == "perceptron":
        return PerceptronClassifier(**chosen)
    if name == "winnow":
        return WinnowClassifier(**chosen)
    if name == "kernel-perceptron":
        return KernelPerceptronClassifier(_kernel(chosen, DEFAULT_SIZE), **chosen)
    for option in ("tol", "time_limit"):
        if option in chosen:
            chosen[option] = _number(chosen[option])
    if name == "svc-cv":
        for option in ("max_sizes", "lams"):
            if option in chosen:
                chosen[option] = _listed(option, chosen[option])
        return ConjunctionSVCCV(_kernel(chosen, None), **chosen)
    if "max_iter" in chosen:
        limits = _listed("max_iter", chosen["max_iter"])
        chosen["max_iter"] = limits[0] if len(limits) == 1 else limits
    if "tol" in chosen and chosen.get("solver") == "perceptron":
        raise SettingError("--tol belongs to --solver exact or margin, not perceptron, which stops by itself")
    if chosen.get("max_size", 1) > n_variables:
        raise SettingError(
            f"--max-size {shortened(chosen['max_size'])}: the rows have {n_variables} variables, expected no more"
        )
    return ConjunctionSVC(_kernel(chosen, min(DEFAULT_SIZE, n_variables)), **chosen)


def _kernel(chosen: dict[str, Any], max_size: int | None) -> Conjunctions | MonotoneConjunctions:
    """Take the options of a kernel out of those chosen and build it; the size is that of none given."""
    from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
    from conjunct.theory import exact

    kind = Conjunctions if chosen.pop("literals", "both") == "both" else MonotoneConjunctions
    size = chosen.pop("max_size", max_size)
    size = None if chosen.pop("all_sizes", False) else size
    if "costs" not in chosen:
        return kind(size)
    costs = exact(chosen.pop("costs"), "costs")
    if costs <= 0:
        raise SettingError(f"costs={shortened(costs)}: expected a positive number")
    return kind(size, Geometric(costs))


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
