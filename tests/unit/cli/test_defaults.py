from __future__ import annotations

import click
import pytest

from conjunct.cli.learners import LEARNERS, learner_options, make_learner
from conjunct.kernels import Conjunctions


@pytest.mark.parametrize("learner", ["kernel-perceptron", "svc"])
def test_the_command_and_the_estimators_have_the_same_default_kernel(learner: str) -> None:
    @click.command()
    @learner_options
    def command(**given: object) -> object:
        return make_learner(given, n_variables=9)

    made = command.main(["--learner", learner], standalone_mode=False)
    assert made.kernel == type(made)()._kernel() == Conjunctions(max_size=3)
    assert {name: value for name, value in made.get_params(deep=False).items() if name != "kernel"} == {
        name: value for name, value in type(made)().get_params(deep=False).items() if name != "kernel"
    }


def test_every_learner_is_made_without_options() -> None:
    for learner in LEARNERS:
        options = dict.fromkeys({option for options in LEARNERS.values() for option in options})
        assert make_learner(options | {"learner": learner}, n_variables=2) is not None
