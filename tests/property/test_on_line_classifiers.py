"""The on-line classifiers do what their docstrings say, with all their options in combination."""

import random

import numpy as np
import pytest

from conjunct import PerceptronClassifier, WinnowClassifier
from parts import parts
from reference.on_line_classifiers import ReferenceClassifier

KINDS = {"perceptron": PerceptronClassifier, "winnow": WinnowClassifier}
LABELS = [[0, 1, 2, 3], ["a", "b", "c", "d"], [-1, 1, 2, 5], [False, True]]
SETTINGS_PER_TEST = 250


def random_options(draw, kind, labels, is_partial):
    """Every option at once, small numbers so that ties are common."""
    options = {
        "max_passes": draw.choice([1, 1, 2, 3, 6]),
        "thickness": draw.choice([0, 0, 0, 0.5, 1, "1/3", 0.1, "1/13", "3/14"]),
        "shuffle": draw.random() < 0.3,
        "random_state": draw.randrange(100),
    }
    if draw.random() < 0.5:
        options["threshold"] = draw.choice([0, 1, 2, "1/2", 0.1, "-1/3", "7/2"])
    weighing = draw.random()
    if weighing < 0.3:
        chosen = labels[: draw.randint(1, len(labels))]
        options["class_weight"] = {label: draw.choice([1, 2, 3, "1/2", 0.3]) for label in chosen}
    elif weighing > 0.85 and not is_partial:
        options["class_weight"] = "balanced"
    if kind == "perceptron":
        options["prediction"] = draw.choice(["auto", "final", "averaged", "voted"])
        options["constant"] = draw.choice([None, 0, 1, 2, "1/2", 0.3])
        options["learning_rate"] = draw.choice([1, 1, 2, "1/3", 0.1])
        return options
    options["prediction"] = draw.choice(["auto", "final", "averaged"])
    options["variant"] = draw.choice(["balanced", "positive", "elimination", "normalised"])
    options["promotion"] = draw.choice([2, "3/2", 1.1, 3, "5/4"])
    options["initial_weight"] = draw.choice([None, 1, 2, "1/3", 0.1, 5])
    if options["variant"] == "positive" and draw.random() < 0.5:
        options["demotion"] = draw.choice([2, "3/2", 1.1])
    if options["variant"] in ("positive", "elimination") and "threshold" in options:
        options["threshold"] = draw.choice([1, 2, "7/2", 0.1])
    if draw.random() < 0.3:
        options["thickness"] = (draw.choice([0, 1, "1/2"]), draw.choice([0, "1/4", 0.3]))
    return options


def random_table(draw):
    labels = draw.choice(LABELS)
    labels = labels[: draw.choice([2, 2, 3, 4])]
    y = labels + [draw.choice(labels) for _ in range(draw.randint(1, 8))]
    n = draw.randint(1, 5)
    return labels, [[draw.randint(0, 1) for _ in range(n)] for _ in y], y


def named(table):
    return [{f"v{k}" for k, value in enumerate(row) if value} for row in table]


@pytest.mark.parametrize("seed", parts(10))
def test_every_combination_of_options_is_its_definition(seed, tmp_path):
    n_done, draw = 0, random.Random(seed)
    for _ in range(SETTINGS_PER_TEST):
        kind, is_partial = draw.choice(["perceptron", "winnow", "winnow"]), draw.random() < 0.3
        labels, table, y = random_table(draw)
        options = random_options(draw, kind, labels, is_partial)
        learner, reference = KINDS[kind](**options), ReferenceClassifier(kind, options)
        # By names only where each name is seen: a name never seen has no column.
        is_named = not is_partial and "threshold" in options and all(map(any, zip(*table, strict=True)))
        read = named if is_named and draw.random() < 0.5 else np.array
        if is_partial:
            half = len(y) // 2
            for part in (slice(0, half), slice(half, None)):
                learner.partial_fit(read(table[part]), np.array(y[part]), classes=labels)
                reference.partial_fit(table[part], y[part], labels)
        else:
            learner.fit(read(table), np.array(y))
            reference.fit(table, y)
        asked = [[draw.randint(0, 1) for _ in table[0]] for _ in range(4)] + table[:2]
        how = (kind, options, table, y, asked, is_partial)
        run = (learner.stopped_by_, learner.n_mistakes_, learner.n_updates_, learner.prediction_)
        assert run == (reference.stopped_by, reference.n_mistakes, reference.n_updates, reference.prediction), how
        if draw.random() < 0.1:
            learner.save(tmp_path / "model")
            learner = KINDS[kind].load(tmp_path / "model")
        assert learner.predict(read(asked)).tolist() == [reference.predict(row) for row in asked], how
        values = learner.decision_function(read(asked)).reshape(len(asked), -1).tolist()
        assert values == [reference.decision(row) for row in asked], how
        n_done += 1
    assert n_done == SETTINGS_PER_TEST
