"""Which learner a command means, and its options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from conjunct.errors import SettingError

if TYPE_CHECKING:
    from conjunct.estimators import KernelPerceptronClassifier, PerceptronClassifier, WinnowClassifier

__all__ = ["LEARNERS", "learner_options", "make_learner"]

# The options of each learner, besides --max-passes and --prediction, which all have.
LEARNERS = {
    "kernel-perceptron": ("max_size", "all_sizes", "literals", "threshold", "learning_rate"),
    "perceptron": ("threshold", "learning_rate", "constant", "thickness"),
    "winnow": ("variant", "promotion", "demotion", "threshold", "initial_weight", "thickness"),
}
PREDICTIONS = ("auto", "final", "averaged", "voted")
VARIANTS = ("balanced", "positive", "elimination", "normalised")


def learner_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that say what learns; those of one learner are refused for another."""
    for option in (
        click.option(
            "--prediction", type=click.Choice(PREDICTIONS), default="auto", show_default=True, help="Who predicts."
        ),
        click.option(
            "--max-passes", type=click.IntRange(1), default=100, show_default=True, help="Stop after so many passes."
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
        click.option("--literals", type=click.Choice(("positive", "both")), help="Variables only, or negations too."),
        click.option("--all-sizes", is_flag=True, default=None, help="kernel-perceptron: conjunctions of every size."),
        click.option(
            "--max-size", type=click.IntRange(1), help="kernel-perceptron: the longest conjunction  [default: 3]"
        ),
        click.option(
            "--learner",
            type=click.Choice(tuple(LEARNERS)),
            default="kernel-perceptron",
            show_default=True,
            help="What learns.",
        ),
    ):
        command = option(command)
    return command


def make_learner(given: dict[str, Any]) -> KernelPerceptronClassifier | PerceptronClassifier | WinnowClassifier:
    """Build the estimator that the options describe."""
    from conjunct.estimators import KernelPerceptronClassifier, PerceptronClassifier, WinnowClassifier
    from conjunct.kernels import Conjunctions, MonotoneConjunctions

    name = given["learner"]
    everything = {option for options in LEARNERS.values() for option in options}
    chosen = {option: given[option] for option in sorted(everything) if given[option] is not None}
    for option in chosen:
        if option not in LEARNERS[name]:
            owners = " or ".join(owner for owner, options in LEARNERS.items() if option in options)
            raise SettingError(f"--{option.replace('_', '-')} belongs to --learner {owners}, not {name}")
    chosen |= {"max_passes": given["max_passes"], "prediction": given["prediction"]}
    if name == "perceptron":
        return PerceptronClassifier(**chosen)
    if name == "winnow":
        return WinnowClassifier(**chosen)
    kind = Conjunctions if chosen.pop("literals", "positive") == "both" else MonotoneConjunctions
    max_size = chosen.pop("max_size", 3)
    return KernelPerceptronClassifier(kind(None if chosen.pop("all_sizes", False) else max_size), **chosen)
