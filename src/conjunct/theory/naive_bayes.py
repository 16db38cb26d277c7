"""Naive Bayes over Boolean rows, in fractions: probabilities from counts, decisions by comparing products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, prod

from conjunct.messages import shortened
from conjunct.theory.kernels import Row
from conjunct.theory.linear_learners import require

__all__ = ["NaiveBayes", "naive_bayes", "naive_bayes_threshold_errors"]


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """What naive Bayes knows of a distribution over labelled rows.

    Attributes
    ----------
    prior : Fraction
        P(+1).
    positive, negative : tuple of Fraction
        P(x_i = 1 | +1) and P(x_i = 1 | -1), for every variable; 0 for a class without rows.
    """

    prior: Fraction
    positive: tuple[Fraction, ...]
    negative: tuple[Fraction, ...]

    def predict(self, row: Row) -> int:
        """Predict +1 iff P(+1) prod_i P(x_i | +1) >= P(-1) prod_i P(x_i | -1), exactly; a tie predicts +1."""

        def likelihood(chances: tuple[Fraction, ...]) -> Fraction:
            return prod((p if x else 1 - p for x, p in zip(row, chances, strict=True)), start=Fraction(1))

        is_positive = self.prior * likelihood(self.positive) >= (1 - self.prior) * likelihood(self.negative)
        return 1 if is_positive else -1


def naive_bayes(rows: Sequence[Row], labels: Sequence[int]) -> NaiveBayes:
    """Fit naive Bayes to the uniform distribution over some rows: relative frequencies, nothing added to a count.

    Parameters
    ----------
    rows : sequence of rows of 0 and 1
        All 2**m of them are the exact uniform distribution over {0, 1}^m.
    labels : sequence of +1 and -1

    Notes
    -----
    It is the optimal rule if the variables are independent given the label, which the rows of "at least k of m" are
    not. Source: [domingos1997].

    Examples
    --------
    >>> from itertools import product
    >>> rows = list(product([0, 1], repeat=7))
    >>> labels = [1 if sum(row) >= 3 else -1 for row in rows]
    >>> learned = naive_bayes(rows, labels)
    >>> print(learned.prior, learned.positive[0], learned.negative[0])
    99/128 19/33 7/29
    >>> sum(learned.predict(row) != label for row, label in zip(rows, labels))
    21
    """
    require(len(rows) == len(labels) >= 1, f"{len(rows)} rows, {len(labels)} labels: expected as many, at least one")
    require(set(labels) <= {1, -1}, "labels: expected +1 and -1")

    def chances(label: int) -> tuple[Fraction, ...]:
        of_label = [row for row, y in zip(rows, labels, strict=True) if y == label]
        return tuple(Fraction(sum(column), len(of_label)) for column in zip(*of_label, strict=True)) or zeros

    zeros = tuple(Fraction(0) for _ in rows[0])
    return NaiveBayes(Fraction(sum(y == 1 for y in labels), len(labels)), chances(1), chances(-1))


def naive_bayes_threshold_errors(k: int, m: int) -> int:
    """Count the rows of {0, 1}^m that naive Bayes gets wrong after learning "at least k of m" from all of them.

    Parameters
    ----------
    k, m : int
        From 1 <= k <= m.

    Notes
    -----
    All variables are alike, so one probability per class is enough and the decision on a row depends on its number of
    ones j alone: with P rows and A ones among the positive, N and B among the negative, it is positive iff
    P (A/mP)^j (1 - A/mP)^(m-j) >= N (B/mN)^j (1 - B/mN)^(m-j). For (3, 7) these are the j >= 2: C(7, 2) = 21 errors,
    though the unit weights with threshold 3 make none. Source: [domingos1997].

    Examples
    --------
    >>> naive_bayes_threshold_errors(3, 7), naive_bayes_threshold_errors(4, 7), naive_bayes_threshold_errors(1, 7)
    (21, 0, 0)
    """
    require(1 <= k <= m, f"k={shortened(k)}, m={shortened(m)}: expected 1 <= k <= m")
    counts = [comb(m, j) for j in range(m + 1)]

    def likelihoods(first: int, last: int) -> list[Fraction]:
        n_rows = sum(counts[first:last])
        chance = Fraction(sum(j * counts[j] for j in range(first, last)), m * n_rows)
        return [n_rows * chance**j * (1 - chance) ** (m - j) for j in range(m + 1)]

    positive, negative = likelihoods(k, m + 1), likelihoods(0, k)
    return sum(counts[j] for j in range(m + 1) if (positive[j] >= negative[j]) != (j >= k))
