"""Hypothesis generators shared by the property tests."""

from fractions import Fraction

import numpy as np
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from conjunct import BitMatrix
from conjunct.kernels import Conjunctions, Geometric, MonotoneConjunctions
from conjunct.logic import (
    CNF,
    DNF,
    Clause,
    DecisionList,
    DecisionTree,
    HalfspaceIntersection,
    Literal,
    Network,
    Polynomial,
    PolynomialThreshold,
    Term,
    Threshold,
)
from conjunct.search import TreeProblem

seeded = settings(derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def times(factor: float) -> settings:
    """More examples than usual, or fewer, whatever the profile."""
    return settings(seeded, max_examples=round(factor * seeded.max_examples))


WIDTHS = (1, 2, 5, 31, 63, 64, 65, 127, 128, 129, 300)


@st.composite
def tables(draw, n_variables=None, min_rows=1, max_rows=8):
    """Boolean tables as uint8 arrays; rows repeat often."""
    width = draw(st.sampled_from(WIDTHS)) if n_variables is None else n_variables
    numbers = st.integers(0, 2**width - 1) | st.sampled_from([0, 1, 2**width - 1, 1 << (width - 1)])
    rows = draw(st.lists(numbers, min_size=min_rows, max_size=max_rows))
    bits = [[number >> v & 1 for v in range(width)] for number in rows]
    return np.array(bits, np.uint8).reshape(len(rows), width)


def positive_ratios(limit=20):
    """Positive fractions of small numerator and denominator."""
    return st.builds(Fraction, st.integers(1, limit), st.integers(1, limit))


@st.composite
def agreement_kernels(draw, max_size=None):
    """Conjunctions and MonotoneConjunctions of any size and costs."""
    kind = draw(st.sampled_from([Conjunctions, MonotoneConjunctions]))
    size = draw(st.none() | st.integers(1, max_size or 6))
    form = draw(st.sampled_from(["one", "geometric", "sequence"]))
    if form == "one":
        return kind(size)
    if form == "geometric":
        return kind(size, Geometric(draw(positive_ratios())))
    count = draw(st.integers(2, 7)) if size is None else size + 1
    return kind(size, tuple(draw(st.lists(positive_ratios(), min_size=count, max_size=count))))


@st.composite
def kernels(draw, n_variables, depth=2):
    """Kernels over tables of a width: on groups of columns that may overlap, summed and multiplied."""
    form = draw(st.sampled_from(["plain", "group", "sum", "product"])) if depth else "plain"
    if form == "plain":
        return draw(agreement_kernels())
    if form == "group":
        columns = draw(st.lists(st.integers(0, n_variables - 1), min_size=1, max_size=4, unique=True))
        named = [f"x{column + 1}" if draw(st.booleans()) else column for column in columns]
        return draw(agreement_kernels()).on(named)
    left, right = (draw(kernels(n_variables, depth - 1)) for _ in range(2))
    return left + right if form == "sum" else left * right


def weights():
    """Integer weights of both signs, small and large."""
    return st.integers(-3, 3) | st.integers(-(2**40), 2**40)


NASTY_NAMES = (
    *("x1", "x2", "x10", "_", "a.b", "é", "名前", "Ω²", "and", "or", "not", "true"),
    *("", "0", "1", " ", "a b", "x1 & x2", "~x", "!", "|", "(", ")", '"', '""', "\\", "\\n", 'a\\"b', "2nd", "3/2"),
    *(
        "a\nb",
        "\r",
        "\t",
        "\x00",
        "\x1b[31m",
        "\u2028",
        "\ud800",
        "e\u0301",
        "🙂",
        "radius<=16.8",
        "->",
        ";",
        "\\u{41}",
    ),
)


def names():
    """Names of variables: plain ones, words for signs, and whatever else a text can hold."""
    return st.sampled_from(NASTY_NAMES) | st.text(max_size=5)


def literals():
    """A variable or its negation."""
    return st.builds(Literal, names(), st.booleans())


def terms():
    """Conjunctions of a few literals; some are empty, and some never true."""
    return st.builds(Term, st.lists(literals(), max_size=3))


def ratios():
    """Fractions of both signs, small and large."""
    return st.fractions(-9, 9, max_denominator=4) | st.integers(-(2**80), 2**80).map(Fraction)


def polynomials():
    """Sums of a few terms."""
    return st.builds(Polynomial, st.dictionaries(terms(), ratios(), max_size=4))


def thresholds(variables=None):
    """Weighted sums held against a number."""
    weights = st.dictionaries(names() if variables is None else variables, ratios(), max_size=4)
    return st.builds(Threshold, weights, ratios())


@st.composite
def trees(draw, tested=frozenset(), depth=3):
    """Trees in which no path tests a variable twice."""
    name = draw(names())
    if depth == 0 or name in tested or draw(st.booleans()):
        return DecisionTree.leaf(draw(st.booleans()))
    zero, one = (draw(trees(tested | {name}, depth - 1)) for _ in range(2))
    return DecisionTree.split(name, zero, one)


@st.composite
def networks(draw):
    """One, two or three layers of units."""
    layers = [draw(st.lists(thresholds(), min_size=1, max_size=3))]
    while len(layers[-1]) > 1 or draw(st.booleans()):
        inputs = st.sampled_from([f"u{unit + 1}" for unit in range(len(layers[-1]))])
        most = 1 if len(layers) == 2 else 2
        layers.append(draw(st.lists(thresholds(inputs), min_size=1, max_size=most)))
        if len(layers) == 3:
            break
    return Network(layers, draw(st.sampled_from(["signed", "binary"])))


def formulas():
    """A formula of any class that prints as one of its own."""
    return st.one_of(
        st.builds(DNF, st.lists(terms(), max_size=4)),
        st.builds(CNF, st.lists(st.builds(Clause, st.lists(literals(), max_size=3)), max_size=4)),
        trees(),
        st.builds(DecisionList, st.lists(st.tuples(terms(), st.booleans()), max_size=3), st.booleans()),
        thresholds(),
        st.builds(PolynomialThreshold, polynomials(), ratios()),
        st.builds(HalfspaceIntersection, st.lists(thresholds(), max_size=3)),
        networks(),
    )


def random_literals(rng, names, size):
    """Literals of that many different variables, or of all."""
    return [Literal(name, rng.random() < 0.5) for name in rng.sample(names, min(size, len(names)))]


def random_dnf(rng, names, n_terms=6, size=4):
    """A disjunction of up to so many terms of up to so many literals; now and then an empty one."""
    sizes = [rng.choice([0, *[1, *range(1, size + 1)] * 5]) for _ in range(rng.randint(0, n_terms))]
    return DNF(Term(random_literals(rng, names, each)) for each in sizes)


def random_cnf(rng, names, n_clauses=6, size=4):
    """A conjunction of up to so many clauses of up to so many literals."""
    return random_dnf(rng, names, n_clauses, size).negated()


def random_text(rng, names, depth):
    """A formula of any nesting as text, and as a function of a row."""
    if depth == 0 or rng.random() < 0.2:
        if rng.random() < 0.1:
            constant = rng.random() < 0.5
            return str(int(constant)), lambda row: constant
        name = rng.choice(names)
        return str(Literal(name)), lambda row: row[name]
    if rng.random() < 0.3:
        text, inner = random_text(rng, names, depth - 1)
        return f"{rng.choice('~!')}({text})", lambda row: not inner(row)
    parts = [random_text(rng, names, depth - 1) for _ in range(rng.randint(1, 3))]
    sign, fold = rng.choice([("&", all), ("|", any)])
    space = rng.choice(["", " ", "\n "])
    text = f"{space}{sign}{space}".join(f"({part})" for part, _ in parts)
    return text, lambda row: fold([function(row) for _, function in parts])


def all_rows(names):
    """Yield every row of these variables, in the order of truth tables."""
    for number in range(1 << len(names)):
        yield {name: bool(number >> k & 1) for k, name in enumerate(names)}


@st.composite
def tree_problems(draw, max_tests=5, max_cells=14):
    """Tables of few tests: classes, weights, cost matrices, contradictions, prices, leaves with a least size."""
    n_tests = draw(st.integers(1, max_tests))
    n_classes = draw(st.integers(1, 4))
    numbers = draw(st.sets(st.integers(0, 2**n_tests - 1), min_size=1, max_size=max_cells))
    rows = [[number >> j & 1 for j in range(n_tests)] for number in sorted(numbers)]
    price, leaf_cost = draw(st.sampled_from([(1, 1), (1, 4), (1, 2), (3, 2), (2, 1), (8, 1), (1000, 1), (70_000, 3)]))
    weight = draw(st.sampled_from([1, 3, 10**9])) if price < 8 else 1
    matrix = (
        np.array(
            draw(
                st.lists(
                    st.lists(st.integers(0, 3), min_size=n_classes, max_size=n_classes),
                    min_size=n_classes,
                    max_size=n_classes,
                )
            )
        )
        if draw(st.booleans())
        else 1 - np.eye(n_classes, dtype=np.int64)
    )
    is_pure = draw(st.booleans())
    counts = np.zeros((len(rows), n_classes), np.int64)
    for i in range(len(rows)):
        for k in {draw(st.integers(0, n_classes - 1)) for _ in range(1 if is_pure else 2)}:
            counts[i, k] = draw(st.integers(1, 3))
    penalties = price * weight * counts @ matrix
    removals = price * weight * counts @ matrix.max(axis=1)
    depth = draw(st.none() | st.integers(0, n_tests + 1))
    least = draw(st.sampled_from([1, 1, 1, 2, 4]))
    return TreeProblem(BitMatrix.of(np.array(rows)), penalties, removals, counts.sum(axis=1), leaf_cost, depth, least)


def integer_points(max_points=6):
    """Points of three small coordinates; equal, opposite and dependent ones are common."""
    return st.lists(st.tuples(*[st.integers(-3, 3)] * 3), min_size=1, max_size=max_points)
