from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from conjunct import BitMatrix, _core, theory
from conjunct.kernels import Conjunctions, ExactSum, Geometric, kernel_from_record, kernel_record
from reference import conjunctions as reference
from strategies import agreement_kernels, kernels, positive_ratios, seeded, tables, times, weights


@seeded
@given(agreement_kernels(max_size=5), tables(n_variables=5, min_rows=2, max_rows=2))
def test_value_equals_the_enumeration_of_all_conjunctions(kernel, pair):
    x, z = pair.tolist()
    costs = kernel.costs

    def weight(size):
        if costs is None:
            return Fraction(1)
        return Fraction(costs.eps) ** size if isinstance(costs, Geometric) else 1 / costs[size]

    largest = len(costs) - 1 if isinstance(costs, tuple) else kernel.max_size
    signs = (0, 1) if isinstance(kernel, Conjunctions) else (1,)
    assert kernel.value(x, z) == reference.kernel(x, z, signs, largest, weight)


@seeded
@given(st.integers(0, 40), agreement_kernels())
def test_the_table_by_recurrence_equals_its_definition(n, kernel):
    costs = kernel.costs
    if isinstance(costs, Geometric):
        expected = theory.conjunction_table(n, kernel.max_size, lambda j: 1 / Fraction(costs.eps) ** j)
    elif costs is None:
        expected = theory.conjunction_table(n, kernel.max_size)
    else:
        expected = theory.conjunction_table(n, len(costs) - 1, lambda j: costs[j])
    assert kernel.table(n) == tuple(expected)


@seeded
@given(agreement_kernels(), tables())
def test_the_gram_of_one_table_is_the_exact_value_correctly_rounded(kernel, table):
    expected = [[float(kernel.value(x, z)) for z in table] for x in table]
    assert kernel.gram(table).tolist() == expected
    assert kernel.diag(table).tolist() == [expected[i][i] for i in range(len(table))]


@seeded
@given(st.data())
def test_the_gram_of_a_combination_is_its_value_up_to_one_rounding_per_term(data):
    n = data.draw(st.sampled_from([1, 3, 9]))
    kernel, table = data.draw(kernels(n)), data.draw(tables(n_variables=n, max_rows=4))
    rows = BitMatrix.of(table)
    n_terms = len(kernel.layout(rows).summands)
    gram = kernel.gram(rows)
    for i, x in enumerate(table):
        for j, z in enumerate(table):
            value = Fraction(kernel.value(x, z))
            assert abs(Fraction(gram[i, j]) - value) <= n_terms * value / 2**52
    assert np.array_equal(kernel.diag(rows), gram.diagonal())
    assert kernel_from_record(kernel_record(kernel)) == kernel


@seeded
@given(st.data())
def test_a_product_distributes_over_a_sum(data):
    a, b, c = (data.draw(kernels(3, depth=1)) for _ in range(3))
    x, z = data.draw(tables(n_variables=3, min_rows=2, max_rows=2))
    assert (a * (b + c)).value(x, z) == (a * b + a * c).value(x, z)


@seeded
@given(st.data())
def test_exact_sums_reach_a_threshold_exactly_when_fractions_do(data):
    n = data.draw(st.sampled_from([1, 3, 9]))
    kernel = data.draw(kernels(n))
    rows, x = (BitMatrix.of(data.draw(tables(n_variables=n, max_rows=5))) for _ in range(2))
    weight = np.array([data.draw(st.lists(weights(), min_size=len(rows), max_size=len(rows)))], np.int64)
    values = [[Fraction(kernel.value(p, q)) for q in rows] for p in x]
    expected = [sum((w * k for w, k in zip(weight[0].tolist(), row, strict=True)), Fraction(0)) for row in values]
    near = data.draw(st.sampled_from([Fraction(0), Fraction(1), Fraction(-1)])) / data.draw(st.integers(1, 10**6))
    for threshold in (Fraction(0), expected[0], expected[0] + near, data.draw(positive_ratios()) * 2**200):
        total = ExactSum.of(kernel, rows, threshold)
        assert [Fraction(s, total.denominator) for (s,) in total.scores(rows, weight, x)] == expected
        assert total.choices(rows, weight, x).tolist() == [int(score >= threshold) for score in expected]


@times(10)
@given(st.lists(st.integers(-(2**50), 2**50) | st.integers(-2, 2), min_size=1, max_size=200))
def test_the_native_sign_by_carries_equals_the_definition(histogram):
    value = sum(count << s for s, count in enumerate(histogram))
    counts = np.array(histogram, np.int64)
    sign = _core.floor_carry_sign(counts, np.zeros_like(counts))
    assert sign == theory.floor_carry_sign(histogram) == (value > 0) - (value < 0)
