import pickle
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from conjunct import Binarizer, BitMatrix
from conjunct.errors import FormulaError
from conjunct.logic import DecisionTree, Literal, Polynomial, Term
from reference.slow_rows import SlowRows, all_rows

NAMES = ["x1", "x2", "x3"]
SOME = DecisionTree.parse("x3 ? (x1 ? 1 : 0) : 1")


def deep(n):
    """Return the conjunction of n variables as a chain of tests."""
    return DecisionTree([*(f"x{i}" for i in range(n)), True, *([False] * n)])


def test_splits_and_leaves_build_what_the_text_says():
    leaf = DecisionTree.leaf
    inner = DecisionTree.split("x1", if_false=leaf(False), if_true=leaf(True))
    assert DecisionTree.split("x3", if_false=leaf(True), if_true=inner) == SOME
    assert hash(DecisionTree.split("x3", if_false=leaf(True), if_true=inner)) == hash(SOME)
    assert [SOME.value(row) for row in all_rows(NAMES).rows()] == [bool(not a & 4 or a & 1) for a in range(8)]


@pytest.mark.parametrize("text", ["x3 ? x1 ? 1 : 0 : 1", "(x3 ? ((x1) ? 1 : 0) : (1))", "(((x3?(x1?1:0):1)))"])
def test_parentheses_are_optional(text):
    if "(x1)" in text:
        with pytest.raises(FormulaError, match=r"expected '\?'"):
            DecisionTree.parse(text)
    else:
        assert DecisionTree.parse(text) == SOME


@pytest.mark.parametrize(
    "text", ["", "x1", "x1 ? 1", "x1 ? 1 : 2", "x1 ? 1 : 0 : 1", "(x1 ? 1 : 0", "x1 ? : 1", "~x1 ? 1 : 0"]
)
def test_other_texts_are_refused_with_their_place(text):
    with pytest.raises(FormulaError, match=r"\(character \d+\)"):
        DecisionTree.parse(text)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ([], "lacks 1 of its branches"),
        (["x1", True], "lacks 1 of its branches"),
        ([True, False], "complete before its node False"),
        ([1], "got 1"),
        (["x1", "x2", True, "x1", True, False, False], "tests 'x1' twice"),
    ],
)
def test_what_is_no_tree_is_refused(nodes, message):
    with pytest.raises(FormulaError, match=message):
        DecisionTree(nodes)


def test_thousands_of_levels_are_no_trouble():
    tree = deep(3000)
    assert (tree.depth, tree.n_leaves) == (3000, 3001)
    assert DecisionTree.parse(str(tree)) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert tree.value({f"x{i}": 1 for i in range(3000)})
    assert not tree.value({f"x{i}": int(i != 2999) for i in range(3000)})
    assert tree.restricted("x2999", True).depth == 2999
    assert tree.restricted("x0", False).constant is False
    assert len(tree.to_text().splitlines()) == 6001


def test_the_polynomial_of_hundreds_of_levels_is_read_back():
    tree = deep(300)
    assert DecisionTree.from_polynomial(tree.polynomial()).polynomial() == tree.polynomial()
    assert tree.to_dnf().terms == (Term(Literal(f"x{i}") for i in range(300)),)


def test_the_drawing_stays_readable_with_long_names():
    tree = DecisionTree.split("worst radius <= 16.8", DecisionTree.leaf(False), SOME)
    assert tree.to_text().splitlines() == [
        '"worst radius <= 16.8" = 1',
        "├── yes: x3 = 1",
        "│   ├── yes: x1 = 1",
        "│   │   ├── yes: 1",
        "│   │   └── no: 0",
        "│   └── no: 1",
        "└── no: 0",
    ]
    assert DecisionTree.leaf(True).to_text() == "1"


@pytest.mark.parametrize(
    ("coefficients", "message"),
    [
        ({}, "no term of the polynomial holds where 1 does"),
        ({"x1": 2, "~x1": -1}, "the coefficient of x1 is 2"),
        ({"x1": 1}, "no term of the polynomial holds where ~x1 does"),
        ({"x1": 1, "x2": 1}, "share no variable"),
        ({"1": 1, "x2": 1}, "share no variable"),
        ({"x1": 1, "x1 & x2": 1, "~x1": 1}, "where x1 does share no variable"),
        ({"x1 & x2": 1, "~x2 & x3": 1, "~x1 & ~x3": 1, "x1 & ~x2 & ~x3": 1, "~x1 & x2 & x3": 1}, "share no variable"),
    ],
)
def test_polynomials_of_no_tree_are_refused(coefficients, message):
    with pytest.raises(FormulaError, match=message):
        DecisionTree.from_polynomial(Polynomial({Term.parse(term): c for term, c in coefficients.items()}))


def test_a_contradictory_conjunction_has_no_trees():
    with pytest.raises(FormulaError, match="never true"):
        DecisionTree.of_conjunction(Term([Literal("x1"), ~Literal("x1")]))


def test_the_risk_prices_leaves_by_depth_and_errors_by_four_over_lam():
    rows = all_rows(NAMES)
    labels = np.where(SOME.evaluate(rows), 1, -1)
    labels[[0, 5, 7]] *= -1
    assert SOME.risk(rows, labels, lam=Fraction(1, 3)) == 3 + 3 * 12
    assert SOME.risk(rows, labels, lam=1, costs=[1, 10, 100]) == 10 + 200 + 12
    assert SOME.risk(rows, labels > 0, lam=1) == SOME.risk(rows, labels, lam=1)


def test_the_example_of_cost_complexity_is_right():
    tree, labels = DecisionTree.parse("x1 ? (x2 ? 1 : 0) : 1"), [1, 1, -1, -1]
    rows = SlowRows([[0, 0], [0, 1], [1, 0], [1, 1]], ["x1", "x2"])
    assert tree.cost_complexity(rows, labels, Fraction(1, 8)) == Fraction(5, 8) == tree.risk(rows, labels, lam=2) / 8


def test_cost_complexity_is_alpha_times_the_risk_at_lam_four_alpha_m():
    rows = all_rows(NAMES)
    labels = [1, -1, -1, 1, 1, 1, -1, -1]
    for alpha in (Fraction(1, 100), Fraction(3, 7), 2):
        assert SOME.cost_complexity(rows, labels, alpha) == alpha * SOME.risk(rows, labels, lam=4 * alpha * 8)
    assert SOME.cost_complexity(rows, labels, 0) == Fraction(SOME.n_errors(rows, labels), 8)


@pytest.mark.parametrize(
    ("labels", "message"),
    [([1] * 7, "8 rows and labels of shape"), ([-1, 0, 1, 1, 1, 1, 1, 1], "labels are"), ([2] * 8, "labels are")],
)
def test_labels_of_other_shapes_or_values_are_refused(labels, message):
    with pytest.raises(FormulaError, match=message):
        SOME.risk(all_rows(NAMES), labels, 1)


def test_numbers_that_make_no_risk_are_refused():
    with pytest.raises(FormulaError, match="lam is 0"):
        SOME.risk(all_rows(NAMES), [1] * 8, 0)
    with pytest.raises(FormulaError, match="no rows"):
        SOME.cost_complexity(SlowRows([], NAMES), [], 1)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    binarizer = Binarizer()
    return binarizer.fit_transform(X, y), y, list(map(str, binarizer.get_feature_names_out()))


@pytest.mark.parametrize("depth", [1, 3, None])
def test_a_tree_of_scikit_learn_is_the_same_function(cancer, depth):
    X, y, names = cancer
    table = np.asarray(X)
    theirs = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(table, y)
    ours = DecisionTree.from_sklearn(theirs, names)
    assert (ours.n_leaves, ours.depth) == (theirs.get_n_leaves(), theirs.get_depth())
    expected = theirs.predict(table) == theirs.classes_[1]
    assert [ours.value(dict(zip(names, row, strict=True))) for row in table] == expected.tolist()
    assert ours.evaluate(BitMatrix.of(table, names)).tolist() == expected.tolist()


def test_classes_are_named_by_order_and_columns_by_the_frame_or_by_number():
    pandas = pytest.importorskip("pandas")
    table = all_rows(NAMES).bits
    y = np.where(table[:, 1] == 1, "no", "yes")
    assert str(DecisionTree.from_sklearn(DecisionTreeClassifier().fit(table, y))) == "x2 ? 0 : 1"
    frame = pandas.DataFrame(table, columns=["a", "b c", "d"])
    fitted = DecisionTreeClassifier().fit(frame, y)
    assert str(DecisionTree.from_sklearn(fitted)) == '"b c" ? 0 : 1'
    assert str(DecisionTree.from_sklearn(fitted, ["p", "q", "r"])) == "q ? 0 : 1"
    for names in (["p"], ["p", "p", "q"]):
        with pytest.raises(FormulaError, match="3 columns"):
            DecisionTree.from_sklearn(fitted, names)


def test_a_leaf_with_a_tie_has_the_first_class():
    fitted = DecisionTreeClassifier().fit([[0], [0], [1], [1]], [0, 1, 0, 1])
    assert str(DecisionTree.from_sklearn(fitted)) == "x1 ? 0 : 0"


def test_trees_over_other_columns_or_classes_are_refused():
    with pytest.raises(FormulaError, match=r"column 'x1' with 2\.5, .*Binarizer"):
        DecisionTree.from_sklearn(DecisionTreeClassifier().fit([[1], [4]], [0, 1]))
    with pytest.raises(FormulaError, match="3 classes"):
        DecisionTree.from_sklearn(DecisionTreeClassifier().fit([[0], [1], [1]], [0, 1, 2]))
    for other in (DecisionTreeClassifier(), "tree"):
        with pytest.raises(FormulaError, match="no fitted DecisionTreeClassifier"):
            DecisionTree.from_sklearn(other)


def test_a_path_of_thousands_of_tests_takes_memory_for_one_path_only():
    nodes = [f"v{k}" for k in range(4000)] + [True] * 4001
    tracemalloc.start()
    try:
        tree = DecisionTree(nodes)
        assert tracemalloc.get_traced_memory()[1] < 20e6  # 400 MB where every node to come kept its path
    finally:
        tracemalloc.stop()
    assert tree.n_leaves == 4001


def test_columns_compared_with_zero_or_twice():
    zero = DecisionTreeClassifier().fit([[-1e-9], [1]], [0, 1])
    zero.tree_.threshold[0] = 0.0  # what a random splitter may choose
    assert str(DecisionTree.from_sklearn(zero)) == "x1 ? 1 : 0"
    twice = DecisionTreeClassifier(random_state=0).fit([[0], [0.3], [0.6], [1]], [0, 1, 0, 1])
    with pytest.raises(
        FormulaError, match=r"^the tree compares column 'x1' with 0\.\d+ once more, .*; train it on conj"
    ):
        DecisionTree.from_sklearn(twice)
    with pytest.raises(FormulaError, match=r"^names are texts, got 5;"):
        DecisionTree.from_sklearn(zero, names=5)


def test_prices_mean_their_decimals():
    rows, labels = BitMatrix.of(["00", "01", "10", "11"]), [1, 1, -1, -1]
    tree = DecisionTree.parse("x1 ? (x2 ? 1 : 0) : 1")
    for tenth in (0.1, "1/10", Fraction(1, 10), np.float32(0.1)):
        assert tree.risk(rows, labels, tenth) == 3 + 40
        assert tree.risk(rows, labels, 1, [1, tenth, tenth]) == Fraction(3, 10) + 4
        assert tree.cost_complexity(rows, labels, tenth) == Fraction(1, 4) + Fraction(3, 10)
