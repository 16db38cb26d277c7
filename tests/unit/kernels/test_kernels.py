import copy
import pickle
from fractions import Fraction
from itertools import product
from math import log2

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import coo_array
from sklearn.base import clone
from sklearn.kernel_ridge import KernelRidge
from sklearn.svm import SVC

from conjunct import BitMatrix, theory
from conjunct.errors import BitsError, KernelError, MemoryLimitError, SettingError
from conjunct.kernels import Conjunctions, Geometric, Kernel, MonotoneConjunctions
from reference import conjunctions as reference

X, Z = "1011001110", "1001101010"
LEFT = np.random.default_rng(0).integers(0, 2, (7, 70), np.uint8)
RIGHT = np.random.default_rng(1).integers(0, 2, (5, 70), np.uint8)
KINDS = {Conjunctions: (0, 1), MonotoneConjunctions: (1,)}
COSTS = [None, (1, 2, 4), ("1/3", 0.1, Fraction(5, 7)), Geometric(2), Geometric(0.1), Geometric("2/3"), Geometric(1)]


def cost_function(costs):
    """Read costs as the definition takes them, independently of the library."""
    if costs is None:
        return None
    if isinstance(costs, Geometric):
        return lambda j: Fraction(costs.eps) ** -j
    return lambda j: Fraction(str(costs[j]))


def values(kernel, a, b):
    return [[kernel.value(x, z) for z in b] for x in a]


def test_the_four_values_of_the_worked_example():
    assert Conjunctions().value(X, Z) == 128
    assert MonotoneConjunctions().value(X, Z) == 16
    assert Conjunctions(max_size=3).value(X, Z) == 64
    assert MonotoneConjunctions(max_size=2).value(X, Z) == 11
    assert Conjunctions().gram([X], [Z]).tolist() == [[128.0]]


@pytest.mark.parametrize("costs", COSTS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_value_counts_the_conjunctions_that_hold_on_both_rows(kind, costs):
    n = 4
    cost = cost_function(costs)
    sizes = [2] if isinstance(costs, tuple) else [None, 1, 2, 3, 9]
    for max_size in sizes:
        kernel = kind(max_size, costs)
        for x, z in product(product((0, 1), repeat=n), [(0, 0, 0, 0), (1, 0, 1, 1), (0, 1, 1, 0)]):
            by_hand = reference.kernel(x, z, KINDS[kind], max_size, lambda j: 1 / cost(j) if cost else Fraction(1))
            assert kernel.value(x, z) == by_hand
            assert kernel(x, z) == float(by_hand)


@pytest.mark.parametrize("n", [0, 1, 2, 7, 20])
@pytest.mark.parametrize("costs", COSTS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_the_table_equals_its_definition(kind, costs, n):
    for max_size in [2, None] if isinstance(costs, tuple) else [None, 1, 2, 5, 20, 50]:
        largest = 2 if isinstance(costs, tuple) else max_size
        expected = theory.conjunction_table(n, largest, cost_function(costs))
        assert kind(max_size, costs).table(n) == tuple(expected)


def test_the_table_of_every_size_is_powers_of_two_at_any_width():
    assert Conjunctions().table(4096) == tuple(1 << s for s in range(4097))
    assert Conjunctions(2).table(np.int64(3)) == (1, 2, 4, 7)


def test_values_are_int_where_whole_and_fraction_elsewhere():
    assert type(Conjunctions().value("1", "1")) is int
    assert Conjunctions(costs=Geometric("1/3")).value("11", "11") == Fraction(16, 9)


@pytest.mark.parametrize("costs", COSTS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_the_gram_matrix_is_the_exact_value_correctly_rounded(kind, costs):
    kernel = kind(costs=costs)
    expected = [[float(value) for value in row] for row in values(kernel, LEFT, RIGHT)]
    assert kernel.gram(LEFT, RIGHT).tolist() == expected


@pytest.mark.parametrize("kind", KINDS)
def test_square_and_rectangular_agree_with_the_diagonal_and_the_call(kind):
    kernel = kind(max_size=3)
    square = kernel.gram(LEFT)
    assert np.array_equal(square, square.T)
    assert np.array_equal(square, kernel.gram(LEFT, LEFT))
    assert np.array_equal(square.diagonal(), kernel.diag(LEFT))
    assert np.array_equal(kernel(LEFT), square)
    assert np.array_equal(kernel(LEFT, RIGHT), kernel.gram(LEFT, RIGHT))
    assert kernel.gram(LEFT, RIGHT).shape == (7, 5)


@pytest.mark.parametrize("kind", KINDS)
def test_agreements_are_the_counts_of_the_definition(kind):
    expected = [[theory.agreement_count(x, z, same=kind is Conjunctions) for z in RIGHT] for x in LEFT]
    assert kind().agreements(LEFT, RIGHT).tolist() == expected
    assert kind(2).agreements(LEFT).tolist() == kind().agreements(LEFT, LEFT).tolist()


def test_monotone_conjunctions_over_negations_are_conjunctions():
    rows = BitMatrix.of(LEFT)
    for max_size in (None, 2):
        doubled = MonotoneConjunctions(max_size).gram(rows.with_negations())
        assert np.array_equal(doubled, Conjunctions(max_size).gram(rows))


def test_more_rows_than_a_tile_and_more_work_than_a_block_change_nothing(monkeypatch):
    rows = np.random.default_rng(2).integers(0, 2, (1100, 9), np.uint8)
    agreements = rows.astype(int) @ rows.T + (1 - rows.astype(int)) @ (1 - rows.T)
    for threads in ("1", "3"):
        monkeypatch.setenv("CONJUNCT_THREADS", threads)
        assert np.array_equal(Conjunctions().gram(rows), 2.0**agreements)
    monkeypatch.setattr("conjunct.kernels.work.WORK_PER_CALL", 5000)
    assert np.array_equal(Conjunctions().agreements(rows), agreements)
    assert np.array_equal(Conjunctions().gram(rows), 2.0**agreements)


def test_arrays_sparse_tables_frames_strings_and_bit_matrices_give_one_gram():
    kernel = Conjunctions(2)
    strings = ["".join(map(str, row)) for row in LEFT.tolist()]
    expected = kernel.gram(LEFT)
    names = [f"v{v}" for v in range(70)]
    forms = [BitMatrix.of(LEFT), LEFT.astype(float), coo_array(LEFT), LEFT.tolist(), strings]
    frames = [pd.DataFrame(LEFT, columns=names), pl.DataFrame(LEFT, schema=names), BitMatrix.of(LEFT, names)]
    for form in forms + frames:
        assert np.array_equal(kernel.gram(form), expected)
        assert np.array_equal(kernel(form, LEFT), expected)
        assert np.array_equal(kernel(form, form), expected)


@pytest.mark.parametrize(
    ("x", "z"), [("101", "100"), ([1, 0, 1], (1, 0, 0)), (np.array([1.0, 0, 1]), [True, False, False])]
)
def test_a_call_on_two_single_rows_is_a_number(x, z):
    assert Conjunctions()(x, z) == 4.0
    assert isinstance(Conjunctions()(x, z), float)
    assert Conjunctions().value(BitMatrix.of(["101"]), z) == 4


def test_a_gram_without_rows_has_no_entries():
    none = BitMatrix.of(LEFT)[:0]
    assert Conjunctions().gram(none).shape == (0, 0)
    assert Conjunctions().gram(none, RIGHT).shape == (0, 5)
    assert Conjunctions().gram_log2(RIGHT, none).shape == (5, 0)
    assert Conjunctions().diag(none).shape == (0,)


@pytest.mark.parametrize(
    "kernel", [Conjunctions(), MonotoneConjunctions(max_size=40), Conjunctions(costs=Geometric("1/3"))]
)
def test_the_logarithm_of_the_gram_is_right_where_floats_overflow(kernel):
    rows = np.random.default_rng(3).integers(0, 2, (3, 4096), np.uint8)
    rows[1] = rows[0]
    logs = kernel.gram_log2(rows)
    assert np.array_equal(logs, logs.T)
    for i, j in ((0, 1), (0, 2)):
        value = Fraction(kernel.value(rows[i], rows[j]))
        exponent = value.numerator.bit_length() - value.denominator.bit_length()
        exact = exponent + log2(value / Fraction(2) ** exponent)
        assert logs[i, j] == pytest.approx(exact, abs=1e-9, rel=0)


def test_the_float_gram_is_finite_up_to_1022_variables_and_refused_beyond():
    ones = np.ones((1, 1023), np.uint8)
    assert Conjunctions().gram(ones[:, :1022]).tolist() == [[2.0**1022]]
    assert Conjunctions().diag(ones[:, :1022]).tolist() == [2.0**1022]
    for ask in (Conjunctions().gram, Conjunctions().diag, Conjunctions().gram_blocks):
        with pytest.raises(KernelError, match=r"about 2\*\*1023, past float64 .* Use gram_log2, or a max_size"):
            ask(ones)
    wide = np.ones((2, 1200), np.uint8)
    with pytest.raises(KernelError, match=r"2\*\*1200.*gram_log2"):
        Conjunctions()(wide)
    assert Conjunctions().gram_log2(wide).tolist() == [[1200.0] * 2] * 2
    assert Conjunctions(max_size=2).gram(wide).tolist() == [[float(1 + 1200 + 1200 * 1199 // 2)] * 2] * 2


@pytest.mark.parametrize("method", ["gram", "gram_log2", "agreements", "__call__", "value"])
def test_rows_of_different_widths_are_refused(method):
    pair = ("101", "10") if method == "value" else (["101"], ["10"])
    with pytest.raises(BitsError, match="rows of 3 and of 2 variables cannot be compared"):
        getattr(Conjunctions(), method)(*pair)


@pytest.mark.parametrize("method", ["gram", "gram_log2", "agreements", "value"])
def test_rows_of_different_names_are_refused_by_name(method):
    a, b = BitMatrix.of(["10"], ["a", "b"]), BitMatrix.of(["10"], ["a", "c"])
    with pytest.raises(BitsError, match="variable 1 is 'b' in one table and 'c' in the other"):
        getattr(Conjunctions(), method)(a, b)
    assert Conjunctions().value(a, "10") == 4


@pytest.mark.parametrize("row", [5, None, [[1, 0]], [[1], [1, 0]], "12", "", BitMatrix.of(["1", "0"])])
def test_what_is_not_one_row_is_refused(row):
    with pytest.raises(BitsError):
        Conjunctions().value(row, row)


@pytest.mark.parametrize("size", [0, -1, 2.0, "3", True, [1]])
@pytest.mark.parametrize("kind", KINDS)
def test_a_bad_max_size_is_refused_by_name_and_value(kind, size):
    with pytest.raises(KernelError) as caught:
        kind(size)
    assert f"max_size={size!r}: expected a positive integer" in str(caught.value)


@pytest.mark.parametrize(
    ("size", "costs", "error", "message"),
    [
        (None, 5, KernelError, "costs=5: expected None, a sequence"),
        (None, "12", KernelError, "costs='12': expected None, a sequence"),
        (None, {1: 2}, KernelError, "costs={1: 2}"),
        (None, [1, 0], KernelError, "costs[1]=0: expected a positive number"),
        (None, [-1, 2], KernelError, "costs[0]=-1: expected a positive number"),
        (None, [1, "x"], SettingError, "costs[1]='x'"),
        (None, [1, None], SettingError, "costs[1]=None"),
        (None, [1, float("nan")], SettingError, "costs[1]=nan"),
        (2, [1, 2], KernelError, "2 costs given; max_size=2 needs 3"),
        (None, [1], KernelError, "at least two entries"),
        (None, [], KernelError, "at least two entries"),
    ],
)
def test_bad_costs_are_refused_by_name_and_value(size, costs, error, message):
    with pytest.raises(error) as caught:
        Conjunctions(size, costs)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("eps", "error"),
    [(0, KernelError), (-0.5, KernelError), ("a", SettingError), (None, SettingError), (float("inf"), SettingError)],
)
def test_a_bad_eps_is_refused_by_name_and_value(eps, error):
    with pytest.raises(error, match=r"eps=.*: expected") as caught:
        Geometric(eps)
    assert (str(Fraction(eps)) if error is KernelError else repr(eps)) in str(caught.value)


@pytest.mark.parametrize("n", [-1, 2.5, "3", None, True])
def test_a_bad_width_of_a_table_is_refused_by_name_and_value(n):
    with pytest.raises(KernelError) as caught:
        Conjunctions().table(n)
    assert f"n={n!r}: expected a number of variables" in str(caught.value)


@pytest.mark.parametrize(("eps", "same"), [(0.1, "1/10"), ("2/3", Fraction(2, 3)), (2, 2.0), ("0.25", 0.25)])
def test_eps_is_exact_however_it_is_written(eps, same):
    assert Conjunctions(costs=Geometric(eps)) == Conjunctions(costs=Geometric(same))
    assert hash(Geometric(eps)) == hash(Geometric(same))


def test_kernels_are_values():
    kernel = Conjunctions(2, costs=[1, 2, "7/3"])
    twin = Conjunctions(np.int64(2), costs=(1.0, 2, Fraction(7, 3)))
    assert kernel == twin
    assert hash(kernel) == hash(twin)
    assert Conjunctions(2) != MonotoneConjunctions(2)
    assert Conjunctions(2) != Conjunctions(3)
    assert Conjunctions() != Conjunctions(costs=Geometric(1))
    for copied in (copy.copy(kernel), copy.deepcopy(kernel), pickle.loads(pickle.dumps(kernel)), clone(kernel)):
        assert copied == kernel
        assert copied.value("11", "11") == kernel.value("11", "11")
    with pytest.raises(AttributeError):
        kernel.max_size = 5
    with pytest.raises(TypeError):
        Kernel()


def test_a_gram_past_the_memory_limit_is_refused_before_it_is_allocated(monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "1MiB")
    rows = np.zeros((1000, 3), np.uint8)
    with pytest.raises(
        MemoryLimitError, match=r"Gram matrix needs 7.6 MiB, limit is 1.0 MiB; use gram_blocks or fewer rows"
    ):
        Conjunctions().gram(rows)
    with pytest.raises(MemoryLimitError, match=r"logarithms needs 15.2 MiB, limit is 1.0 MiB"):
        Conjunctions().gram_log2(rows)
    with pytest.raises(MemoryLimitError, match=r"agreement counts needs 3.8 MiB, limit is 1.0 MiB"):
        Conjunctions().agreements(rows)
    monkeypatch.delenv("CONJUNCT_MEMORY")
    million = BitMatrix.of(np.zeros((1 << 20, 1), np.uint8))
    with pytest.raises(MemoryLimitError, match=r"Gram matrix needs 8.0 TiB, limit is"):
        Conjunctions().gram(million)


def test_blocks_within_the_memory_limit_make_up_the_gram(monkeypatch):
    whole = Conjunctions(2).gram(LEFT, RIGHT)
    monkeypatch.setenv("CONJUNCT_MEMORY", str(5 * 8 * 3))
    with pytest.raises(MemoryLimitError):
        Conjunctions(2).gram(LEFT, RIGHT)
    monkeypatch.setattr("conjunct.kernels.summands.require_memory", lambda *_: None)
    blocks = list(Conjunctions(2).gram_blocks(LEFT, RIGHT))
    assert [rows for rows, _ in blocks] == [slice(0, 3), slice(3, 6), slice(6, 7)]
    assert all(block.nbytes <= 5 * 8 * 3 for _, block in blocks)
    assert np.array_equal(np.vstack([block for _, block in blocks]), whole)


def test_blocks_are_sized_for_the_cache_and_not_for_the_memory(monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "1TiB")
    wide = BitMatrix.of(np.zeros((1 << 15, 1), np.uint8))  # a row of the matrix has 256 KiB
    rows, block = next(iter(Conjunctions(1).gram_blocks(wide)))
    assert rows == slice(0, 128)
    assert block.nbytes == 32 << 20
    very_wide = BitMatrix.of(np.zeros((1 << 17, 1), np.uint8))  # a MiB: as many rows as one tile has
    assert next(iter(Conjunctions(1).gram_blocks(very_wide)))[0] == slice(0, 64)


def test_blocks_are_refused_where_one_row_passes_the_limit(monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "39")
    with pytest.raises(MemoryLimitError, match="one row of the Gram matrix needs 40 B, limit is 39 B"):
        Conjunctions().gram_blocks(LEFT, RIGHT)


@pytest.mark.parametrize("costs", [None, Geometric("1/3")])
def test_a_table_for_very_many_variables_is_refused_unless_max_size_is_set(monkeypatch, costs):
    monkeypatch.setenv("CONJUNCT_MEMORY", "1GiB")
    with pytest.raises(
        MemoryLimitError, match=r"table over 1000000 variables needs .*iB, limit is 1.0 GiB; set a smaller"
    ):
        Conjunctions(costs=costs).table(10**6)
    rows = np.zeros((1, 100_000), np.uint8)
    assert Conjunctions(2).gram(rows).tolist() == [[1.0 + 100_000 + 100_000 * 99_999 // 2]]


def test_long_costs_count_towards_the_memory_of_a_table(monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "1MiB")
    assert len(Conjunctions(costs=Geometric("1/2")).table(1000)) == 1001
    with pytest.raises(MemoryLimitError, match="table over 1000 variables needs"):
        Conjunctions(costs=Geometric(f"{10**30}/{10**30 + 1}")).table(1000)


@pytest.mark.parametrize("kind", KINDS)
def test_scikit_learn_takes_kernels_as_callables(kind):
    rng = np.random.default_rng(4)
    train, test = rng.integers(0, 2, (60, 8)), rng.integers(0, 2, (30, 8))
    labels = (train[:, 0] & train[:, 1]) ^ train[:, 2]
    kernel = kind(max_size=2)
    for make in (SVC, KernelRidge):
        direct = clone(make(kernel=kernel)).fit(train, labels)
        precomputed = make(kernel="precomputed").fit(kernel.gram(train), labels)
        assert np.array_equal(direct.predict(test), precomputed.predict(kernel.gram(test, train)))
    assert SVC(kernel=kernel, C=100).fit(train, labels).score(train, labels) == 1
