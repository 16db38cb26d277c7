"""A DNF that imitates a model."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np

from conjunct.bits import holds_on
from conjunct.errors import BitsError
from conjunct.kernels import MonotoneConjunctions
from conjunct.logic import DNF, Term
from conjunct.messages import printable
from conjunct.rules.named_model import NamedModel, packed
from conjunct.search import search_conjunctions
from conjunct.settings import positive_number, whole_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from conjunct.bits import BitMatrix
    from conjunct.rules.named_model import Label

__all__ = ["SurrogateDNF", "to_dnf"]

DEFAULT_SIZE = 4  # of terms, where the model does not say
PENALTIES = (3, 1)  # for a row that is spoiled, where one corrected counts 1

Literals = tuple[int, ...]


@dataclass(frozen=True)
class SurrogateDNF:
    """A DNF that says of rows whether a model gives them a label, and how well it does.

    Attributes
    ----------
    formula : DNF
        Over the names of the variables.
    texts : tuple of str
        Its terms as people say them.
    label : object
        What it stands for where it is true.
    n_rows : int
        The rows on which it was made and measured.
    fidelity : Fraction
        The share of these on which it agrees with the model.
    accuracy : Fraction or None
        The share on which it agrees with their labels.
    proved : bool
        Whether every term was the best one to add: no search met its limit.
    """

    formula: DNF
    texts: tuple[str, ...]
    label: Label
    n_rows: int
    fidelity: Fraction
    accuracy: Fraction | None
    proved: bool

    @property
    def n_terms(self) -> int:
        """The number of its terms."""
        return len(self.texts)

    def __str__(self) -> str:
        terms = "\n".join(f"{'or' if k else '  '} {text}" for k, text in enumerate(self.texts))
        right = "" if self.accuracy is None else f", with their labels on {_share(self.accuracy, self.n_rows)}"
        limit = "" if self.proved else "\nA search met its limit: better terms may have been missed."
        return (
            f"{printable(self.label)} if\n{terms or '   never'}\n"
            f"{self.n_terms} term{'s' * (self.n_terms != 1)}; of {self.n_rows} rows it agrees with the model on "
            f"{_share(self.fidelity, self.n_rows)}{right}.{limit}"
        )


def to_dnf(
    model: Any,
    X: Any,
    y: Any = None,
    max_terms: int | None = None,
    *,
    label: Label | None = None,
    max_size: int | None = None,
    time_limit: float | None = None,
) -> SurrogateDNF:
    """Return a DNF that imitates a model on rows, with its measured fidelity, accuracy and number of terms.

    Parameters
    ----------
    model : estimator, pipeline of a Binarizer and one, TableModel, or frozen model of classes
    X : table
        The rows on which to imitate the model.
    y : array-like, optional
        Their labels, for the accuracy.
    max_terms : int, optional
        The most terms; as many as gain anything if absent.
    label : object
        The class that the DNF stands for; the second of two if absent.
    max_size : int, optional
        The most literals of a term; those of the model's kernel if absent, or 4.
    time_limit : float, optional
        Seconds to search at most.

    Notes
    -----
    Greedy: of all conjunctions each term is the one that corrects the most rows, less a penalty for those it spoils;
    the search proves it. Then terms and literals are dropped while the fidelity does not fall. Of a few penalties, the
    highest forbidding any row to be spoiled, the one of best fidelity is taken, then of fewest terms. What is imitated
    are predictions: any model will do.

    Examples
    --------
    >>> from conjunct import ConjunctionSVC
    >>> from conjunct.datasets import monks
    >>> robots = monks(1)
    >>> print(to_dnf(ConjunctionSVC(lam=1).fit(robots.rows, robots.labels), robots.rows, robots.labels))
    1 if
       jacket_color=red
    or head_shape=round & body_shape=round
    or head_shape=square & body_shape=square
    or head_shape=octagon & body_shape=octagon
    4 terms; of 432 rows it agrees with the model on 432 (100.0 %), with their labels on 432 (100.0 %).
    """
    named = NamedModel.of(model)
    named.require_classes()
    as_read = named.rows(X)
    rows = packed(as_read)
    if not rows.n_rows:
        raise BitsError("X has no rows; a DNF is made of the predictions for some")
    number = named.class_number(named.labels[1] if label is None and len(named.labels) == 2 else label)
    kernel = getattr(named.model, "kernel", None)
    most = whole_number(max_size, "max_size") if max_size is not None else getattr(kernel, "largest_size", None)
    most_terms = None if max_terms is None else whole_number(max_terms, "max_terms")
    end = None if time_limit is None else monotonic() + float(positive_number(time_limit, "time_limit"))
    labels = None if y is None else named.class_numbers(y, rows.n_rows)
    predicted = named.model.choices(as_read) == number
    cells = rows.pool(predicted)
    balance = np.asarray(cells.counts @ np.where(cells.labels, 1, -1), np.int64)
    words = "positive" if isinstance(kernel, MonotoneConjunctions) else "both"
    best, proved = None, True
    for penalty in (rows.n_rows, *PENALTIES):
        terms, is_proved = _greedy_terms(cells.rows, balance, penalty, most_terms, most or DEFAULT_SIZE, words, end)
        terms, proved = _shortened(cells.rows, balance, terms), proved and is_proved
        merit = int(balance[_union(cells.rows, terms)].sum()), -len(terms), -sum(map(len, terms))
        best = max(best or (merit, terms), (merit, terms), key=lambda pair: pair[0])
    terms = best[1] if best else []
    says = _union(cells.rows, terms)[cells.cell_of]
    return SurrogateDNF(
        formula=DNF(Term(named.reader.literals(term)) for term in terms),
        texts=tuple(named.reader.text(term) for term in terms),
        label=named.labels[number],
        n_rows=rows.n_rows,
        fidelity=Fraction(int((says == predicted).sum()), rows.n_rows),
        accuracy=None if labels is None else Fraction(int((says == (labels == number)).sum()), rows.n_rows),
        proved=proved,
    )


def _greedy_terms(
    cells: BitMatrix,
    balance: NDArray[np.int64],
    penalty: int,
    most: int | None,
    max_size: int,
    literals: str,
    end: float | None,
) -> tuple[list[Literals], bool]:
    """Add the term of largest gain until none has any, then without penalty; say whether every search was ended."""
    terms, proved = list[Literals](), True
    is_open = np.ones(cells.n_rows, bool)
    while (most is None or len(terms) < most) and (end is None or monotonic() < end):
        search = search_conjunctions(
            cells,
            np.where(is_open, np.where(balance < 0, penalty * balance, balance), 0),
            max_size=max_size,
            literals=literals,
            top=1,
            min_weight=1,
            signed=True,
            time_limit=None if end is None else max(end - monotonic(), 1e-3),
        )
        proved = proved and search.proved
        if not search.found and penalty == 1:
            return terms, proved
        if not search.found:
            penalty = 1
            continue
        terms.append(search.found[0].literals)
        is_open &= ~holds_on(cells, terms[-1])
    is_cut = end is not None and monotonic() >= end
    return terms, proved and not is_cut


def _shortened(cells: BitMatrix, balance: NDArray[np.int64], terms: list[Literals]) -> list[Literals]:
    """Drop terms, the last first, and literals, while what is gained in all does not fall."""
    holding = [holds_on(cells, term) for term in terms]
    n_holding = np.sum(holding, axis=0, dtype=np.int64) if terms else np.zeros(cells.n_rows, np.int64)
    best, is_changing = int(balance[n_holding > 0].sum()), True
    while is_changing:
        is_changing = False
        for k in reversed(range(len(terms))):
            n_without = n_holding - holding[k]
            shorter = [tuple(literal for literal in terms[k] if literal != dropped) for dropped in terms[k]]
            for part in (None, *shorter):
                holds = np.zeros(cells.n_rows, bool) if part is None else holds_on(cells, part)
                gain = int(balance[(n_without > 0) | holds].sum())
                if gain >= best:
                    best, is_changing, n_holding = gain, True, n_without + holds
                    terms[k : k + 1], holding[k : k + 1] = ([], []) if part is None else ([part], [holds])
                    break
    return terms


def _union(cells: BitMatrix, terms: list[Literals]) -> NDArray[np.bool_]:
    covered = np.zeros(cells.n_rows, bool)
    for term in terms:
        covered |= holds_on(cells, term)
    return covered


def _share(part: Fraction, n_rows: int) -> str:
    return f"{int(part * n_rows)} ({float(100 * part):.1f} %)"
