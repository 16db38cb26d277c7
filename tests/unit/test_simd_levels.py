import os
import subprocess
import sys

import pytest

from conjunct import _core

SCRIPT = """
import hashlib
from fractions import Fraction

import numpy as np

from conjunct import BitMatrix, ConjunctionSVC, ConjunctionSVCCV, KernelPerceptronClassifier, _core
from conjunct.kernels import Conjunctions, ExactSum, Geometric, MonotoneConjunctions
from conjunct.learners import MaximalMarginPerceptron, RegularizedPerceptron
from conjunct.search import TreeProblem, search_conjunctions, search_frontier, search_tree, walk_by_rows

digest, rng = hashlib.sha256(), np.random.default_rng(0)
for n in (1, 63, 64, 65, 128, 191, 192, 257, 1000):
    table = rng.integers(0, 2, (530, n), np.uint8)
    rows = BitMatrix.of(table)
    cells = rows.pool(table[:, 0])
    weights = rng.integers(-5, 6, (3, 530))
    digest.update(rows.decide([0, 2, 5], rng.integers(0, 2 * n, 5), [True, False], True).tobytes())
    parts = [rows.words, rows.with_negations().words, cells.rows.words, cells.counts, cells.cell_of]
    group = Conjunctions(2).on(range(0, n, 3)) * MonotoneConjunctions(2).on([n - 1]) + Conjunctions(1)
    for kernel in (Conjunctions(), MonotoneConjunctions(costs=Geometric("1/3")), Conjunctions(3), group):
        parts += [kernel.gram(rows), kernel.gram_log2(rows[:9], rows), kernel.diag(rows)]
        total = ExactSum.of(kernel, rows, Fraction(1, 3))
        parts += [total.choices(rows, weights, rows[:50]), total.choices(rows, weights[:1], rows[:50])]
        digest.update(repr(total.scores(rows, weights, rows[:9])).encode())
    parts += [Conjunctions().agreements(rows), MonotoneConjunctions().agreements(rows)]
    for part in parts:
        digest.update(part.tobytes())
wide = rng.integers(0, 2, (1200, 300), np.uint8)
for kind in (np.float32, np.float64):
    digest.update(Conjunctions(2).gram(wide, dtype=kind).tobytes())
    digest.update(MonotoneConjunctions(2).gram(wide, wide[:1100], dtype=kind).tobytes())
    digest.update(Conjunctions(2).gram(wide & wide[::-1] & wide[:, ::-1], dtype=kind).tobytes())
table = rng.integers(0, 2, (300, 70), np.uint8)
for labels in (table[:, 0] ^ table[:, 1], table[:, 0] + table[:, 1]):
    for prediction in ("final", "averaged", "voted"):
        model = KernelPerceptronClassifier(MonotoneConjunctions(2), prediction=prediction, max_passes=3)
        model.fit(table, labels)
        digest.update(model.predict(table).tobytes() + model.decision_function(table).tobytes())
for learner in (RegularizedPerceptron, MaximalMarginPerceptron):
    for kernel in (Conjunctions(3), Conjunctions(2).on(range(9)) + MonotoneConjunctions(2)):
        found = learner(kernel, "1/3").run(BitMatrix.of(table), np.where(table[:, 0] ^ table[:, 1], 1, -1))
        digest.update(found.positive.tobytes() + found.negative.tobytes() + repr(found.history).encode())
many = rng.integers(0, 2, (300, 12), np.uint8)
for labels in (many[:, 0] ^ many[:, 1], many[:, 0] + many[:, 1] * many[:, 2]):
    for solver in ("exact", "margin", "perceptron"):
        for kernel in (Conjunctions(3), Conjunctions(2).on(range(9)) + MonotoneConjunctions(2)):
            for multiclass in ("ovr", "ovo"):
                model = ConjunctionSVC(kernel, "1/3", solver=solver, multiclass=multiclass, tol=1e-5, max_iter=3000)
                digest.update(model.fit(many, labels).__getstate__()["file"])
digest.update(ConjunctionSVCCV(cv=2).fit(many, many[:, 0] & many[:, 1]).__getstate__()["file"])
for scale in (1, 1000, 1 << 40):  # sums of 32 bits and of 64
    weights = scale * rng.integers(-9, 10, 300)
    for sets in ("all", "shortest"):
        found = search_conjunctions(BitMatrix.of(table[:, :20]), weights, max_size=3, sets=sets)
        digest.update(repr(found.found).encode())
    wide = np.hstack([table, table[::-1]])
    for width in (20, 64, 70, 100, 140):  # literals in 1 to 5 words
        own = BitMatrix.of(wide[:, :width])
        for charged in (weights, np.where(weights < 0, -(10**4) * scale, weights)):
            walk = walk_by_rows(own, charged, 9 * scale, literals=range(2 * width), max_size=3, max_heavy=10**6,
                keep_trace=True)
            digest.update(repr((walk.heavy, walk.n_nodes)).encode() + walk.trace.tobytes())
for width, shift in ((9, 0), (20, 1), (40, 2), (70, 20), (8, 40)):
    table = rng.integers(0, 2, (60, width + 2), np.uint8)
    cells = BitMatrix.of(table[:, 2:]).pool(table[:, 0] + table[:, 1] if shift else table[:, 0])
    sizes = cells.counts.sum(axis=1)
    penalties = (sizes[:, None] - cells.counts << shift) + np.arange(len(sizes))[:, None] * (shift > 1)
    for depth in (2, 3, None if width < 10 else 4):
        problem = TreeProblem(cells.rows, penalties, penalties.max(axis=1), sizes, 7, depth, 1 + (width == 20))
        found = search_tree(problem, max_nodes=3000)
        digest.update(found.lemmas.text + repr((found.lower, found.tree, found.stats)).encode())
        least = search_frontier(problem) if depth else None
        digest.update(repr(least and (least.errors, least.trees, least.stats)).encode())
print(_core.simd_level(), digest.hexdigest())
"""


def run(script, **wishes):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CONJUNCT_")}
    return subprocess.run(
        [sys.executable, "-c", script], env=environment | wishes, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("all_threads", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_level_and_number_of_threads_gives_the_same_bytes(all_threads):
    """One thread or two by turns, the best level with both; in the long runs every level with both."""
    levels = _core.simd_levels()
    assert levels[0] == "portable"
    digests = set()
    for place, level in enumerate(levels):
        for threads in ("1", "2") if all_threads or level == levels[-1] else ("12"[place % 2],):
            done = run(SCRIPT, CONJUNCT_SIMD=level, CONJUNCT_THREADS=threads)
            assert done.stderr == ""
            chosen, digest = done.stdout.split()
            assert chosen == level
            digests.add(digest)
    assert len(digests) == 1


def test_without_a_wish_the_best_level_is_chosen():
    for wishes in ({}, {"CONJUNCT_SIMD": ""}):
        done = run("from conjunct import _core; print(_core.simd_level())", **wishes)
        assert done.stdout.split() == [_core.simd_levels()[-1]]


@pytest.mark.parametrize("wish", ["nonsense", "AVX2", "avx9000"])
def test_an_unknown_level_is_an_import_error_that_names_the_levels(wish):
    script = "try:\n    from conjunct import _core\nexcept ImportError as error:\n    print(error)"
    done = run(script, CONJUNCT_SIMD=wish)
    assert done.stdout.strip().startswith(f"CONJUNCT_SIMD={wish}: expected ")
    for level in _core.simd_levels():
        assert level in done.stdout
    assert done.returncode == 0


def test_the_test_report_names_the_levels_run_and_not_run():
    """Of a run without the test that runs every level: the level of the process alone was run."""
    command = f"import pytest; pytest.main([{__file__!r}, '-p', 'no:cacheprovider', '-q', '-k', 'wish_the_best'])"
    levels, built = _core.simd_levels(), _core.built_simd_levels()
    assert built[: len(levels)] == levels
    expected = f"SIMD levels run: {levels[0]}"
    if levels[1:]:
        expected += f"; not run: {', '.join(levels[1:])}"
    if len(built) > len(levels):
        expected += f"; not run, for want of such a CPU: {', '.join(built[len(levels) :])}"
    assert expected in run(command, CONJUNCT_SIMD=levels[0]).stdout.splitlines()
