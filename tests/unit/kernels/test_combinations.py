import copy
import pickle
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from sklearn.base import clone

from conjunct import BitMatrix
from conjunct.errors import KernelError
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions, OnColumns, Product, Sum

ROWS = np.random.default_rng(0).integers(0, 2, (6, 70), np.uint8)
NAMES = [f"v{v}" for v in range(70)]
ALL, ONES = Conjunctions(2), MonotoneConjunctions(costs=Geometric("1/2"))


def value_matrix(kernel, rows=ROWS):
    return [[kernel.value(x, z) for z in rows] for x in rows]


def combined(operation, *matrices):
    return [[operation(values) for values in zip(*rows, strict=True)] for rows in zip(*matrices, strict=True)]


def test_a_kernel_on_columns_sees_only_these_columns():
    columns = [69, 3, 64, 0]
    for kernel in (ALL, ONES):
        inner = [[kernel.value(x[columns], z[columns]) for z in ROWS] for x in ROWS]
        assert value_matrix(kernel.on(columns)) == inner
        assert np.array_equal(kernel.on(columns).gram(ROWS), kernel.gram(ROWS[:, columns]))
        assert np.array_equal(kernel.on(np.array(columns)).gram(ROWS), kernel.gram(ROWS[:, columns]))


def test_columns_are_found_by_name_and_by_the_names_of_unnamed_tables():
    named = BitMatrix.of(ROWS, NAMES)
    by_index = ALL.on([5, 68]).gram(ROWS)
    assert np.array_equal(ALL.on(["v5", "v68"]).gram(named), by_index)
    assert np.array_equal(ALL.on(["v5", 68]).gram(named), by_index)
    assert np.array_equal(ALL.on(["x6", "x69"]).gram(ROWS), by_index)
    assert ALL.on(["v5", "v68"]).value(named[0], named[1]) == by_index[0, 1]


@pytest.mark.parametrize("rows", [BitMatrix.of(ROWS), BitMatrix.of(ROWS, NAMES)])
def test_groups_nest_by_place_and_by_the_names_of_the_table(rows):
    third = rows.names[2]
    for nested in (ALL.on([1]).on([0, 2]), ALL.on([third]).on([0, 2]), ALL.on([third]).on([rows.names[0], third])):
        assert np.array_equal(nested.gram(rows), ALL.on([2]).gram(rows))
        assert nested.value(rows[0], rows[1]) == ALL.on([2]).value(rows[0], rows[1])


def test_a_sum_adds_values_and_a_product_multiplies_them_also_on_overlapping_groups():
    a, b = ALL.on(range(40)), ONES.on(range(30, 70, 3))
    assert value_matrix(a + b) == combined(sum, value_matrix(a), value_matrix(b))
    assert value_matrix(a * b) == combined(lambda values: values[0] * values[1], value_matrix(a), value_matrix(b))
    assert value_matrix(a * a) == combined(lambda values: values[0] ** 2, value_matrix(a))


@pytest.mark.parametrize(
    "kernel",
    [
        ALL.on([0, 1]) + ALL.on([1, 2]),
        ALL.on([0, 1, 69]) * ONES.on([1, 64]),
        (ALL.on([0, 1]) + ONES.on([64, 65, 66])) * (ALL.on([66, 67]) + ONES.on([0])),
        Sum((ALL, ALL, Product((ALL.on([3]), ALL.on([3]), ONES.on([3, 4]))))),
        (ALL.on([0, 1]) * ALL.on([2])).on([9, 8, 7]) + ALL.on([5]),
    ],
    ids=str,
)
def test_gram_diagonal_and_logarithm_of_combinations_equal_their_values(kernel):
    values = value_matrix(kernel)
    gram = kernel.gram(ROWS)
    for i, j in product(range(6), repeat=2):
        assert abs(Fraction(gram[i, j]) - values[i][j]) <= 3 * 2**-53 * values[i][j]
    assert np.array_equal(kernel.diag(ROWS), gram.diagonal())
    assert np.allclose(kernel.gram_log2(ROWS), np.log2(gram), rtol=0, atol=1e-12)
    assert np.array_equal(np.vstack([block for _, block in kernel.gram_blocks(ROWS)]), gram)


def test_a_product_distributes_over_a_sum():
    a, b, c = ALL.on([0, 1]), ONES.on([1, 2, 3]), ALL.on([2, 64])
    together, apart = a * (b + c), a * b + a * c
    assert value_matrix(together) == value_matrix(apart)
    assert np.array_equal(together.gram(ROWS), apart.gram(ROWS))


def test_combinations_are_values():
    kernel = (ALL.on([0, "b"]) + ONES) * ALL
    for twin in (
        copy.deepcopy(kernel),
        pickle.loads(pickle.dumps(kernel)),
        clone(kernel),
        (ALL.on((0, "b")) + ONES) * ALL,
    ):
        assert twin == kernel
        assert hash(twin) == hash(kernel)
    assert Sum((ALL, ONES)) != Product((ALL, ONES))
    assert ALL.on([0]) != ALL.on([1])


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (3, "columns=3: expected a sequence"),
        ("ab", "columns='ab': expected a sequence"),
        (None, "columns=None: expected a sequence"),
        ([], r"columns=\(\): expected at least one column"),
        ([1, 1], r"columns=\(1, 1\): expected at least one column and none twice"),
        ([0.5], "column 0.5: expected an index or a name"),
        ([True], "column True: expected an index or a name"),
        ([None], "column None: expected an index or a name"),
    ],
)
def test_bad_columns_are_refused_by_value(columns, message):
    with pytest.raises(KernelError, match=message):
        ALL.on(columns)


@pytest.mark.parametrize("column", [70, -1, "v70", "x1"])
def test_a_column_the_table_does_not_have_is_refused_by_name(column):
    rows = BitMatrix.of(ROWS, NAMES)
    for ask in (ALL.on([0, column]).gram, lambda rows: ALL.on([0, column]).value(rows[0], rows[1])):
        with pytest.raises(KernelError) as caught:
            ask(rows)
        assert str(caught.value) == f"the kernel is on column {column!r}, which is not among the 70 of the table"


def test_a_column_given_by_index_and_by_name_is_refused():
    for ask in (lambda: ALL.on([0, "x1"]).gram(ROWS), lambda: ALL.on([0, "x1"]).value("10", "10")):
        with pytest.raises(KernelError, match="on column 'x1' twice"):
            ask()


@pytest.mark.parametrize("parts", [(), (ALL, 3), 5, ALL, None])
@pytest.mark.parametrize("kind", [Sum, Product])
def test_parts_that_are_not_kernels_are_refused(kind, parts):
    with pytest.raises(KernelError, match="a sum or product takes kernels, got"):
        kind(parts)


def test_an_inner_kernel_that_is_none_is_refused():
    with pytest.raises(KernelError, match="kernel='linear': expected a kernel"):
        OnColumns("linear", (0,))
    with pytest.raises(KernelError, match="takes kernels"):
        ALL + 1


def test_a_kernel_of_too_many_terms_is_refused_with_the_numbers():
    wide = Sum(tuple(ALL.on([v]) for v in range(17)))
    with pytest.raises(KernelError, match="multiplies out to 4913 terms, limit is 4096"):
        (wide * wide * wide).gram(ROWS)
    with pytest.raises(KernelError, match="multiplies out to 4097 terms, limit is 4096"):
        Sum((ALL.on([0]),) * 4097).gram(ROWS)


def test_a_joint_table_that_is_too_large_is_refused_with_the_numbers():
    kernel = Product(tuple(ALL.on(range(30 * g, 30 * g + 30)) for g in range(5)))
    rows = np.zeros((1, 150), np.uint8)
    with pytest.raises(
        KernelError, match="groups of 30 x 30 x 30 x 30 x 30 variables needs a table of 28629151 entries"
    ):
        kernel.gram(rows)
    assert kernel.value(rows[0], rows[0]) == (1 + 30 + 30 * 29 // 2) ** 5
