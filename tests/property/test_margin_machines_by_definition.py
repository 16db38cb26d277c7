"""Margin machines under random combinations of their options: all they say follows from the weights they publish."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from conjunct import BitMatrix, ConjunctionSVC, ConjunctionSVCCV
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions, PairSums
from conjunct.learners import margin_path
from conjunct.models import PairwiseExpansion
from parts import parts
from reference import margin_machine as truth
from reference.random_settings import Table, check_values, exact, geometric, kernels


def published(machine: Any, table: Table, kernel: truth.Kernel) -> list[truth.Output]:
    """Read the integers of the model; the weights of groups are sums of dual_, rounded to those integers."""
    model = machine.model_
    if isinstance(model, PairwiseExpansion):
        expansions = [(part, 0) for part in model.parts]
    else:
        expansions = [(model, output) for output in range(model.n_outputs)]
    multiclass, outputs = machine.multiclass, []
    duals = np.atleast_2d(machine.dual_)
    for (part, output), signs, dual in zip(
        expansions, truth.problems_of(table.codes, table.n_classes, multiclass), duals.tolist(), strict=True
    ):
        support = [tuple(row) for row in part.rows.to_array().tolist()]
        whole = dict(zip(support, part.weights[output].tolist(), strict=True))
        sums: dict[tuple[truth.Row, int], float] = {}
        for x, y, q, a in zip(table.rows, signs, table.weights, dual, strict=True):
            assert a == 0 or (y and q)
            if y and q:
                sums[x, y] = sums.get((x, y), 0.0) + a
        # An output has 40 bits of its own; several are written in the smallest unit, with zeros behind.
        grain = max(1, int(Fraction(2) ** (math.frexp(max(sums.values()))[1] - 41) / part.unit))
        groups = {group: round(Fraction(a) / part.unit / grain) * grain for group, a in sums.items()}
        net = {x: groups.get((x, 1), 0) - groups.get((x, -1), 0) for x, _ in groups}
        assert {x: w for x, w in net.items() if w} == {x: w for x, w in whole.items() if w}
        masses = truth.masses_of(table.rows, signs, table.weights)
        for x, y, q, a in zip(table.rows, signs, table.weights, dual, strict=True):
            if y and q:  # the share of a row in its group
                assert a == pytest.approx(float(groups[x, y] * part.unit * q / masses[x, y]), rel=1e-12)
        outputs.append(
            truth.Output(
                kernel,
                {x: part.unit * w for x, w in whole.items()},
                {group: part.unit * a for group, a in groups.items()},
            )
        )
    return outputs


def check_machine(machine: Any, table: Table, kernel: truth.Kernel, lam: Fraction, random: Random) -> Counter[str]:
    """Hold everything that a fitted machine says against the definitions; count what was seen."""
    assert machine.classes_.tolist() == table.labels
    assert machine.lam_ == lam
    k, multiclass = table.n_classes, machine.multiclass
    outputs = published(machine, table, kernel)
    shown = [machine.bound_, machine.risk_, machine.gap_, machine.n_support_, machine.n_iter_, machine.stopped_by_]
    columns = [[value] for value in shown] if len(outputs) == 1 else [list(value) for value in shown]
    seen: Counter[str] = Counter()
    signs_of = truth.problems_of(table.codes, k, multiclass)
    duals = np.atleast_2d(machine.dual_)
    for output, signs, dual, bound, risk, gap, n_support, _, stopped_by in zip(
        outputs, signs_of, duals, *columns, strict=True
    ):
        assert risk == output.risk(lam, table.rows, signs, table.weights)
        assert bound == output.bound(lam, truth.masses_of(table.rows, signs, table.weights))
        assert 0 <= bound <= risk
        assert gap == float(1 - bound / risk)
        assert n_support == np.count_nonzero(dual)
        assert stopped_by != "gap" or gap <= machine.tol
        seen[stopped_by] += 1
    everything = [tuple(int(bit) for bit in f"{number:0{table.n}b}") for number in range(2**table.n)]
    scores = [[output.score(x) for output in outputs] for x in everything]
    expected = [truth.chosen(own, k, multiclass) for own in scores]
    x = table.spelled(random, everything)
    assert machine.predict(x).tolist() == [table.labels[code] for code in expected]
    values = machine.decision_function(x)
    if k > 2 and multiclass == "ovo":
        assert values.tolist() == [truth.votes(own, k) for own in scores]
    else:
        check_values(np.atleast_2d(values.T).tolist(), list(zip(*scores, strict=True)), kernel, everything)
    if k == 2:
        assert [value > 0 for value in values] == [code == 1 for code in expected]
    seen["ties"] += sum(0 in own for own in scores)
    return seen


N_SETTINGS = 300


@pytest.mark.parametrize("part", parts(4))
def test_all_a_machine_says_follows_from_its_weights_whatever_its_options(part: int) -> None:
    seen: Counter[str] = Counter()
    for number in range(N_SETTINGS):
        random = Random(f"svc {part} {number}")
        table = Table(random)
        kernel, slow = kernels(random, table.n)
        lam = random.choice([None, None, 1, 0.1, "1/10", Fraction(7, 3), 50])
        machine = ConjunctionSVC(
            kernel,
            lam,
            solver=random.choice(["exact", "exact", "margin", "perceptron"]),
            tol=random.choice([1e-1, 1e-3, 1e-3, 1e-7]),
            multiclass=random.choice(["ovr", "ovo"]),
            class_weight=table.class_weight,
            max_iter=random.choice([300, 300, 1, 5]),
            binarize=table.binarize,
        )
        machine.fit(table.x, table.y, table.given)
        used = truth.mean_of_kernel(slow, table.rows, table.weights) / 2 if lam is None else exact(lam)
        seen += check_machine(machine, table, slow, used, random)
        seen["settings"] += 1
    assert seen["settings"] == N_SETTINGS
    assert min(seen[name] for name in ("gap", "no update", "max_iter", "ties")) > 0


@pytest.mark.parametrize("part", parts(2))
def test_a_search_scores_its_folds_and_chooses_by_definition(part: int) -> None:
    n_ties = 0
    for number in range(40):
        random = Random(f"cv {part} {number}")
        table = Table(random, most_classes=3)
        negated, eps = random.random() < 0.5, random.choice([None, None, "1/3", 0.1])
        kind = Conjunctions if negated else MonotoneConjunctions
        kernel: Any = kind(None, None if eps is None else Geometric(eps))
        sizes = [*random.sample([1, 2, 3, 4, 9], 2), 1]
        lams = random.choice([None, (1, 0.1, "1/10", 3), (Fraction(2, 7),)])
        multiclass, seed = random.choice(["ovr", "ovo"]), random.randrange(1000)
        folds = drawn_folds(random, table)
        search = ConjunctionSVCCV(
            kernel if eps is not None or not negated else random.choice([kernel, None]),
            max_sizes=tuple(sizes),
            lams=lams,
            cv=folds,
            multiclass=multiclass,
            class_weight=table.class_weight,
            binarize=table.binarize,
        )
        search.fit(table.x, table.y, table.given)
        slow = {size: geometric(size, eps or 1, negated) for size in sorted({s for s in sizes if s <= table.n})}
        path = []
        for size, own in slow.items():
            mean = truth.mean_of_kernel(own, table.rows, table.weights)
            grid = [mean * Fraction(4) ** p for p in range(1, -6, -1)]
            if lams is not None:
                grid = sorted({exact(lam) for lam in lams}, reverse=True)
            path.append((kind(size, kernel.costs), grid))
        accuracies = expected_accuracies(table, path, splits(folds, table), multiclass)
        results = search.cv_results_
        candidates = [(kernel.max_size, lam) for kernel, grid in path for lam in grid]
        assert list(zip(results["max_size"], results["lam"], strict=True)) == candidates
        assert results["accuracy"].tolist() == [[float(share) for share in own] for own in accuracies]
        means = [sum(own, Fraction(0)) / len(own) for own in accuracies]
        best = means.index(max(means))
        n_ties += means.count(max(means)) > 1
        assert (search.max_size_, search.lam_) == candidates[best]
        assert search.best_score_ == pytest.approx(float(means[best]), rel=1e-12)
        np.testing.assert_allclose(results["mean_accuracy"], [float(mean) for mean in means], rtol=1e-12)
        check_machine(search, table, slow[search.max_size_], search.lam_, Random(seed))
    assert n_ties > 20


def drawn_folds(random: Random, table: Table) -> Any:
    """Draw a number of stratified folds, or folds that may hold a row twice and miss a class."""
    if random.random() < 0.4:
        return 2
    heavy = [row for row, weight in enumerate(table.weights) if weight]
    return [
        (random.choices(heavy, k=random.randint(1, 8)), random.sample(heavy, random.randint(1, 3)))
        for _ in range(random.randint(1, 4))
    ]


def splits(folds: Any, table: Table) -> list[tuple[list[int], list[int]]]:
    if not isinstance(folds, int):
        return [(list(train), list(test)) for train, test in folds]
    cut = StratifiedKFold(folds, shuffle=True, random_state=0).split(np.zeros((len(table.y), 1)), table.y)
    return [(train.tolist(), test.tolist()) for train, test in cut]


def expected_accuracies(
    table: Table, path: list[tuple[Any, list[Fraction]]], folds: list[tuple[list[int], list[int]]], multiclass: str
) -> list[list[Fraction]]:
    """Solve as the search does, on masses added up here; all that follows from the scores is done by definition."""
    cells = sorted({x for x, weight in zip(table.rows, table.weights, strict=True) if weight})
    rows = BitMatrix.of(cells)
    pairs = PairSums(path[0][0].layout(rows), rows)
    accuracies: list[list[Fraction]] = [[] for _, grid in path for _ in grid]
    for train, test in folds:
        outputs = []
        for signs in truth.problems_of(table.codes, table.n_classes, multiclass):
            masses = truth.masses_of(
                [table.rows[row] for row in train], [signs[row] for row in train], [table.weights[row] for row in train]
            )
            floats = [np.array([float(masses.get((x, sign), 0)) for x in cells]) for sign in (1, -1)]
            outputs.append(list(margin_path(pairs, path, *floats, 1e-2)))
        for own, points in zip(accuracies, zip(*outputs, strict=True), strict=True):
            right, total = Fraction(0), Fraction(0)
            for row in test:
                if table.weights[row]:
                    cell = cells.index(table.rows[row])
                    scores = [Fraction(float(point.scores[cell])) for point in points]
                    is_right = truth.chosen(scores, table.n_classes, multiclass) == table.codes[row]
                    right, total = right + is_right * table.weights[row], total + table.weights[row]
            own.append(right / total)
    return accuracies
