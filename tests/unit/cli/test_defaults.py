from __future__ import annotations

from typing import Any

import click
import pytest

from conjunct.cli.learners import LEARNERS, learner_options, make_learner


def made(*options: str) -> Any:
    @click.command()
    @learner_options
    def command(**given: Any) -> object:
        return make_learner(given, n_variables=9, n_labels=2)

    return command.main(list(options), standalone_mode=False)


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_command_and_the_estimators_have_the_same_defaults(learner: str) -> None:
    learner_of_command = made("--learner", learner)
    assert learner_of_command.get_params(deep=False) == type(learner_of_command)().get_params(deep=False)


def test_the_default_learner_is_svc_with_both_literals_and_on_line_learners_shuffle() -> None:
    assert made().get_params(deep=False) == made("--learner", "svc", "--literals", "both").get_params(deep=False)
    for learner in ("kernel-perceptron", "perceptron", "winnow"):
        shuffled, ordered = made("--learner", learner), made("--learner", learner, "--no-shuffle")
        assert (shuffled.shuffle, shuffled.random_state, ordered.shuffle) == (True, 0, False)


def test_every_learner_is_made_without_options() -> None:
    for learner in LEARNERS:
        options = dict.fromkeys({option for options in LEARNERS.values() for option in options})
        assert make_learner(options | {"learner": learner}, n_variables=2, n_labels=3) is not None
