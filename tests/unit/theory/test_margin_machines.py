from __future__ import annotations

from fractions import Fraction
from itertools import islice

import pytest

from conjunct.errors import SettingError
from conjunct.theory import maximal_margin_steps, quadratic_form, regularized_perceptron

AND = [[4, 2, 2, 1], [2, 4, 1, 2], [2, 1, 4, 2], [1, 2, 2, 4]], [-1, -1, -1, 1]  # 2**same on 00, 01, 10, 11


def products(rows):
    return [[sum(a * b for a, b in zip(u, v, strict=True)) for v in rows] for u in rows]


def test_the_perceptron_does_what_paper_and_pencil_do():
    """Row 0, as all is 0; row 3, as -1 <= 0; then row 1, as 2 - 2 <= 0; then a clean pass."""
    run = regularized_perceptron(*AND, lam=1, max_updates=20)
    assert (run.weights, run.n_updates, run.is_finished) == ((1, 1, 0, 1), 3, True)


def test_the_label_does_not_enter_what_lam_adds():
    """One row, label -1: after the first update 1 + lam > 0."""
    assert regularized_perceptron([[1]], [-1], lam=5, max_updates=20).n_updates == 1


def test_a_row_of_little_mass_is_soon_satisfied():
    """Rows 1 and -10 with the same label: the first needs a_0 (1 + lam / q) > 10."""
    gram = [[1, -10], [-10, 100]]
    heavy = regularized_perceptron(gram, [1, 1], 1, [1, 1])
    light = regularized_perceptron(gram, [1, 1], 1, ["1/9", 1])
    assert heavy.weights == (6, 1)
    assert light.weights == (2, 1)


def test_a_row_with_a_mass_is_as_many_rows():
    gram, signs = [[4, 2, 1], [2, 4, 2], [1, 2, 4]], [1, -1, 1]
    place = [0, 1, 1, 1, 2, 2]  # masses 1, 3, 2
    repeated = [[gram[i][j] for j in place] for i in place]
    for lam in ("1/5", 1, 7):
        pooled = regularized_perceptron(gram, signs, lam, [1, 3, 2])
        apart = regularized_perceptron(repeated, [signs[i] for i in place], lam)
        sums = [sum(a for a, own in zip(apart.weights, place, strict=True) if own == i) for i in range(3)]
        assert list(pooled.weights) == sums


def test_the_updates_may_be_limited():
    for most in range(3):
        run = regularized_perceptron(*AND, lam=1, max_updates=most)
        assert (run.n_updates, sum(run.weights), run.is_finished) == (most, most, False)
    assert regularized_perceptron(*AND, lam=1, max_updates=3).is_finished
    assert regularized_perceptron([], [], lam=1).weights == ()


def test_the_maximal_margin_perceptron_does_what_paper_and_pencil_do():
    start, first = islice(maximal_margin_steps(*AND, lam=1, eps="1/4"), 2)
    assert (start.weights, start.form, start.scores) == ((1, 0, 0, 0), 5, (5, 2, 2, -1))
    assert (first.index, first.step, first.form) == (3, Fraction(1, 2), 2)
    assert first.weights == (Fraction(1, 2), 0, 0, Fraction(1, 2))
    assert first.scores == (2, 0, 0, 2)


def test_it_starts_at_the_first_of_the_shortest_rows():
    start = next(maximal_margin_steps([[3, 0, 0], [0, 2, 0], [0, 0, 2]], [1, -1, 1], 1, "1/2"))
    assert (start.index, start.form, start.scores) == (1, 3, (0, 3, 0))
    start = next(maximal_margin_steps([[3, 0, 0], [0, 2, 0], [0, 0, 2]], [1, -1, 1], 1, "1/2", ["1", "1", "4"]))
    assert (start.index, start.form) == (2, Fraction(9, 4))


def test_the_first_of_equal_steps_is_made():
    indices = [state.index for state in maximal_margin_steps([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [1, 1, 1], 1, "1/2")]
    assert indices == [0, 1, 2]


def test_a_full_step_away_leaves_exactly_0():
    gram = products([(2, 0), (0, 3), (2, -3)])
    states = list(islice(maximal_margin_steps(gram, [1, 1, 1], "1/10", "1/20"), 9))
    assert [state.index for state in states] == [0, 1, 2, 0, 1]
    before, after = states[2], states[3]
    assert after.step == -before.weights[0] / (1 - before.weights[0])
    assert after.weights[0] == 0
    assert states[-1].weights == (0, Fraction(221, 402), Fraction(181, 402))
    assert states[-1].form == quadratic_form(gram, [1, 1, 1], states[-1].weights, "1/10")


def test_a_single_row_is_the_start_and_the_end():
    (only,) = maximal_margin_steps([[7]], [-1], 2, "1/10")
    assert (only.weights, only.form, only.scores) == ((1,), 9, (9,))


def test_without_lam_it_ends_where_the_rows_are_not_separable_at_a_form_of_0():
    _, last = islice(maximal_margin_steps([[1, 1], [1, 1]], [1, -1], 0, "1/10"), 9)
    assert (last.form, last.weights) == (0, (Fraction(1, 2), Fraction(1, 2)))


def test_masses_divide_lam_row_by_row():
    gram, signs, masses = [[4, 2, 1], [2, 5, 3], [1, 3, 6]], [1, -1, 1], [1, 2, "1/3"]
    for state in islice(maximal_margin_steps(gram, signs, 2, "1/20", masses), 6):
        assert state.form == quadratic_form(gram, signs, state.weights, 2, masses)
        assert sum(a * f for a, f in zip(state.weights, state.scores, strict=True)) == state.form


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: regularized_perceptron(*AND, lam=0), "lam=0: expected max_updates"),
        (lambda: regularized_perceptron(*AND, lam=-1), "lam=-1: expected 0 or more"),
        (lambda: regularized_perceptron(*AND, lam=1, max_updates=-1), "max_updates=-1: expected 0 or more"),
        (lambda: regularized_perceptron([[1]], [1, 1], lam=1), "gram: expected 2 rows"),
        (lambda: regularized_perceptron([[1]], [3], lam=1), "signs: expected +1 and -1"),
        (lambda: maximal_margin_steps(*AND, lam=1, eps=1), "eps=1: expected"),
        (lambda: maximal_margin_steps(*AND, lam=1, eps=0), "eps=0: expected"),
        (lambda: maximal_margin_steps(*AND, lam=-1, eps="1/2"), "lam=-1: expected 0 or more"),
        (lambda: maximal_margin_steps(*AND, lam=1, eps="1/2", masses=[1, 1, 1, 0]), "masses: expected positive"),
        (lambda: maximal_margin_steps([], [], 1, "1/2"), "signs: expected at least one row"),
    ],
)
def test_bad_settings_are_refused_at_the_call_in_one_line(call, message):
    with pytest.raises(SettingError) as refusal:
        call()
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)
