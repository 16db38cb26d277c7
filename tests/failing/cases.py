"""A program: let the n-th allocation of the core fail, for every n until none is left, and look at what that did.

Run with the library of ``calls.cpp`` preloaded: ``cases.py LIBRARY GROUP allocations``, or ``threads`` for starts.
"""

from __future__ import annotations

import ctypes
import pickle
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from conjunct import (
    BitMatrix,
    ConjunctionFeatures,
    ConjunctionSVC,
    ConjunctionSVCCV,
    ExponentiatedGradientRegressor,
    KernelPerceptronClassifier,
    MaskPerceptronClassifier,
    PerceptronClassifier,
    WinnowClassifier,
    _core,
    separable,
)
from conjunct.bits import NameTable, SparseRows, random_bits
from conjunct.kernels import Conjunctions, MonotoneConjunctions
from conjunct.learners import MaximalMarginPerceptron, RegularizedPerceptron
from conjunct.logic import DNF

TABLE = random_bits(3, (40, 9))
SPARSE = csr_array(TABLE.astype(np.float64))
WIDER = csr_array(np.hstack([TABLE, TABLE]))
REAL = csr_array(TABLE * np.linspace(-1.0, 1.0, 9))
ROWS = BitMatrix.of(TABLE)
LABELS = TABLE[:, 0] & TABLE[:, 1] | TABLE[:, 2]
CLASSES = TABLE[:, 0] + TABLE[:, 1].astype(int)
EXAMPLES = [{f"name {place}" for place in np.flatnonzero(row)} for row in TABLE]
OTHERS = [{("new", name) for name in example} | {name for name in example if "3" in name} for example in EXAMPLES]
OTHERS_TEXT = [{"/".join(name) if isinstance(name, tuple) else name for name in example} for example in OTHERS]


class Name:
    """A name whose comparing runs code."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and self.text == other.text

    def __repr__(self) -> str:
        return self.text


@dataclass
class Case:
    """What is done to what, and how to see its state."""

    make: Callable[[], Any]
    act: Callable[[Any], Any]
    look: Callable[[Any], Any] = lambda subject: None  # at what was made
    view: Callable[[Any], Any] = lambda result: result  # of what was done


def plain(result: Any) -> Any:
    """Return what can be compared with ==."""
    if isinstance(result, np.ndarray):
        return result.dtype.str, result.shape, result.tobytes()
    if hasattr(result, "toarray"):
        return plain(result.toarray())
    return [plain(part) for part in result] if isinstance(result, list | tuple) else result


def estimator_cases(name: str, make: Callable[[], Any], X: Any, y: Any, more: Any = None) -> dict[str, Case]:
    """Return the cases of an estimator: its methods, on one that is not fitted, or fitted to (X, y)."""
    fitted = make().fit(X, y)
    kept = pickle.dumps(fitted)
    folder = Path(tempfile.mkdtemp())
    fitted.save(folder / "model")

    def learned() -> Any:
        return pickle.loads(kept)

    def state(estimator: Any) -> Any:
        is_fitted = hasattr(estimator, estimator.fitted_mark)
        if not is_fitted:
            return sorted(vars(estimator))
        return estimator.__getstate__()["file"], plain(estimator.predict(X))

    def saved(estimator: Any) -> Path:
        estimator.save(folder / "again")
        return folder / "again"

    methods = {
        "fit": Case(make, lambda e: e.fit(X, y), state, state),
        "fit again": Case(learned, lambda e: e.fit(X if more is None else more, y), state, state),
        "predict": Case(learned, lambda e: e.predict(X), state, plain),
        "save": Case(learned, saved, state, Path.read_bytes),
        "load": Case(lambda: None, lambda _: type(fitted).load(folder / "model"), view=state),
    }
    if hasattr(fitted, "decision_function"):
        methods["decision_function"] = Case(learned, lambda e: e.decision_function(X), state, plain)
    if hasattr(fitted, "partial_fit"):
        first = {"classes": np.unique(y)} if hasattr(fitted, "classes_") else {}
        methods["partial_fit"] = Case(learned, lambda e: e.partial_fit(X if more is None else more, y), state, state)
        methods["first partial_fit"] = Case(make, lambda e: e.partial_fit(X, y, **first), state, state)
    return {f"{name}: {method}": case for method, case in methods.items()}


def names_of(table: NameTable) -> Any:
    """Return the state of a table of names."""
    names, keys = table.contents()
    return [repr(name) for name in names], keys.tolist()


def table_of_names(max_size: int, examples: Any) -> NameTable:
    """Return a table that has seen some examples."""
    table = NameTable(max_size)
    table.rows(examples[:3])
    return table


def read(rows: SparseRows) -> Any:
    """Return rows as lists."""
    return plain([rows.starts, rows.places, rows.values])


def name_cases() -> dict[str, Case]:
    """Return the cases of NameTable."""
    strange = [{Name(name) for name in example} for example in EXAMPLES]
    valued = [dict.fromkeys(example, 0.5) for example in OTHERS]
    described = table_of_names(2, EXAMPLES).contents()
    cases = {
        "NameTable: describe": Case(lambda: table_of_names(2, EXAMPLES), names_of, names_of),
        "NameTable: from_contents": Case(lambda: None, lambda _: names_of(NameTable.from_contents(2, *described))),
        "NameTable: values": Case(
            lambda: table_of_names(1, EXAMPLES), lambda t: read(t.rows(valued, with_values=True)), names_of
        ),
        "NameTable: not growing": Case(
            lambda: table_of_names(2, EXAMPLES), lambda t: read(t.rows(OTHERS, grows=False)), names_of
        ),
    }
    for size in (1, 3):
        for kind, examples in (("text", OTHERS), ("objects", strange)):
            cases[f"NameTable: {kind}, max_size={size}"] = Case(
                lambda size=size: table_of_names(size, EXAMPLES), lambda t, e=examples: read(t.rows(e)), names_of
            )
    return cases


def margin_machine(learner: Any, rows: BitMatrix) -> Any:
    """Return what a margin machine found."""
    found = learner.run(rows, np.where(LABELS, 1, -1))
    return plain([found.positive, found.negative, repr(found.history)])


def rows_cases() -> dict[str, Case]:
    """Return the cases of rows, formulas, kernels and margin machines."""
    many = BitMatrix.of(random_bits(4, (1030, 9)))
    formula = DNF.parse("x1 & ~x2 | x3 & x4")
    group = Conjunctions(2).on(range(4)) * MonotoneConjunctions(2).on([8]) + Conjunctions(1)
    acts: dict[str, Callable[[BitMatrix], Any]] = {
        "pack a table": lambda rows: BitMatrix.of(TABLE).words,
        "pack a sparse table": lambda rows: BitMatrix.of(SPARSE).words,
        "read a sparse table": lambda rows: read(SparseRows.of(SPARSE)),
        "read real numbers": lambda rows: read(SparseRows.of_real(REAL)),
        "pool": lambda rows: rows.pool(LABELS).counts,
        "negations": lambda rows: rows.with_negations().words,
        "decide": lambda rows: rows.decide([0, 2, 3], [0, 3, 4], [False, True], default=True),
        "weighted_sums": lambda rows: rows.weighted_sums(np.arange(9)),
        "gram": lambda rows: Conjunctions(2).gram(rows),
        "gram by tiles": lambda rows: Conjunctions(2).gram(many, dtype=np.float32),
        "gram of float32": lambda rows: Conjunctions(2).gram(rows, dtype=np.float32),
        "gram of groups": lambda rows: group.gram(rows),
        "agreements": lambda rows: Conjunctions().agreements(rows),
        "separable": lambda rows: repr(separable(rows, LABELS)),
        "MaximalMarginPerceptron": lambda rows: margin_machine(MaximalMarginPerceptron(Conjunctions(3), "1/3"), rows),
        "RegularizedPerceptron": lambda rows: margin_machine(RegularizedPerceptron(Conjunctions(3), "1/3"), rows),
        "RegularizedPerceptron of groups": lambda rows: margin_machine(RegularizedPerceptron(group, "1/3"), rows),
        "formula": lambda rows: formula.evaluate(rows),
        "ConjunctionFeatures: transform": lambda rows: ConjunctionFeatures(2).fit(rows).transform(rows),
    }
    return {name: Case(lambda: ROWS, lambda rows, act=act: plain(act(rows))) for name, act in acts.items()}


def groups() -> dict[str, Callable[[], dict[str, Case]]]:
    """Return groups of cases, made when they are asked for."""
    kernel = MonotoneConjunctions(2)
    return {
        "rows": rows_cases,
        "names": name_cases,
        "Perceptron": lambda: estimator_cases("Perceptron", PerceptronClassifier, SPARSE, LABELS),
        "Perceptron of classes": lambda: estimator_cases("Perceptron", PerceptronClassifier, SPARSE, CLASSES),
        "Perceptron, voted": lambda: estimator_cases(
            "Perceptron", lambda: PerceptronClassifier(prediction="voted", max_passes=3), SPARSE, CLASSES
        ),
        "Perceptron of numbers": lambda: estimator_cases("Perceptron", PerceptronClassifier, REAL, LABELS),
        "Perceptron of names": lambda: estimator_cases(
            "Perceptron", lambda: PerceptronClassifier(max_size=2, max_passes=3), EXAMPLES, LABELS, OTHERS_TEXT
        ),
        "Winnow": lambda: estimator_cases("Winnow", WinnowClassifier, SPARSE, LABELS),
        "Winnow of classes": lambda: estimator_cases("Winnow", lambda: WinnowClassifier(max_passes=3), TABLE, CLASSES),
        "Winnow, positive": lambda: estimator_cases(
            "Winnow", lambda: WinnowClassifier(variant="positive", max_passes=3), SPARSE, LABELS
        ),
        "Winnow of names": lambda: estimator_cases(
            "Winnow", lambda: WinnowClassifier(max_size=2, max_passes=3), EXAMPLES, LABELS, OTHERS_TEXT
        ),
        "exponentiated gradient": lambda: estimator_cases(
            "exponentiated gradient", lambda: ExponentiatedGradientRegressor(max_passes=2), REAL, LABELS.astype(float)
        ),
        "kernel Perceptron": lambda: estimator_cases(
            "kernel Perceptron", lambda: KernelPerceptronClassifier(kernel, max_passes=3), TABLE, LABELS
        ),
        "kernel Perceptron of classes": lambda: estimator_cases(
            "kernel Perceptron",
            lambda: KernelPerceptronClassifier(kernel, prediction="voted", max_passes=3),
            SPARSE,
            CLASSES,
        ),
        "margin machine": lambda: estimator_cases(
            "margin machine", lambda: ConjunctionSVC(kernel, "1/3", tol=1e-2), TABLE, LABELS
        ),
        "margin machine by margin": lambda: estimator_cases(
            "margin machine", lambda: ConjunctionSVC(kernel, "1/3", solver="margin", tol=1e-2), SPARSE, CLASSES
        ),
        "margin machine by Perceptron": lambda: estimator_cases(
            "margin machine", lambda: ConjunctionSVC(kernel, "1/3", solver="perceptron", tol=1e-2), TABLE, LABELS
        ),
        "margin machine chosen": lambda: estimator_cases(
            "margin machine", lambda: ConjunctionSVCCV(cv=2), TABLE, LABELS
        ),
        "mask perceptron": lambda: estimator_cases(
            "mask perceptron", lambda: MaskPerceptronClassifier(4), TABLE, LABELS
        ),
    }


def show(library: Any, name: str, case: Case, arm: Any, *, may_raise: bool) -> int:
    """Let every call fail in turn; returns how many did."""
    expected, met = case.view(case.act(case.make())), 0
    for is_lasting in (False, True):
        for n in count(1):
            subject = case.make()
            before = case.look(subject)
            arm(n, is_lasting)
            try:
                result, error = case.act(subject), None
            except MemoryError as caught:
                result, error = None, caught
            finally:
                n_failed = library.disarm()
            where = f"{name}, call {n}{' and all after it' if is_lasting else ''}"
            if error is None:
                assert case.view(result) == expected, f"{where}: another result"
            else:
                assert may_raise, f"{where}: {error!r}"
                assert type(error) is MemoryError, f"{where}: {error!r}"
                assert case.look(subject) == before, f"{where}: the object is not as it was"
                assert case.view(case.act(subject)) == expected, f"{where}: the object cannot go on"
            if not n_failed:
                break
            met += 1
    return met


def main(path: str, what: str, *names_of_groups: str) -> None:
    """Show all cases of these groups."""
    library = ctypes.CDLL(path)
    library.watch(_core.__file__.encode())
    library.disarm.restype = ctypes.c_long
    arm = getattr(library, f"arm_{what}")
    arm.argtypes = [ctypes.c_long, ctypes.c_bool]
    for group in names_of_groups:
        print(f"{group}:", flush=True)
        for name, case in groups()[group]().items():
            print(f"{name}: {show(library, name, case, arm, may_raise=what == 'allocations')}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
