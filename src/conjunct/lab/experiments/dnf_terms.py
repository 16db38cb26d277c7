"""Statement: cover proves no more terms than the covering program, and that no more than the formula found has."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from conjunct.bits.randomness import derived_seed
from conjunct.certificates.certify import checked
from conjunct.certificates.certify_dnf import certify_dnf
from conjunct.datasets import embedded, led, random_dnf
from conjunct.errors import CertificateError
from conjunct.lab.experiment import Experiment, Trial
from conjunct.lab.line import Line
from conjunct.lab.panel import Panel

if TYPE_CHECKING:
    from conjunct.certificates import FormulaCertificate
    from conjunct.datasets import Table

__all__ = ["DNF_TERMS"]

TABLES = ("monks-1", "monks-2", "monks-3", "tic-tac-toe", "breast-cancer", "led")
QUICK = ("monks-1", "monks-3", "led")
WRITTEN = {"monks-1": 4, "monks-2": 15, "monks-3": 2, "tic-tac-toe": 8}  # terms of the DNF that the rule is
LED_ROWS = 500
ROUNDS, FEW_ROUNDS = 60, 3  # of the searches; few on breast-cancer
N_VARIABLES, N_ROWS, TERM_SIZE, N_DRAWS = 10, 500, 2, 2
COVER, PROGRAM = "cover", "covering program"

FOUND = {
    kind: Panel(
        f"{kind.upper()}s without errors",
        "table",
        "table",
        f"{parts} (dashed: the formula found)",
        along="places",
        places=TABLES,
    )
    for kind, parts in (("dnf", "terms"), ("cnf", "clauses"))
}
PLANTED = {
    size: Panel(
        f"planted DNFs, terms of {words}", "k", "planted terms k", "terms (dashed: planted)", x_log=False, y_log=False
    )
    for size, words in ((TERM_SIZE, f"at most {TERM_SIZE} literals"), (None, "any size"))
}
ORDER = Panel("cover beside the program that ended", "table", "table", "terms", along="table", places=TABLES)
DRAWN_ORDER = Panel("planted: cover beside the program that ended", "k", "k", "terms", along="table")
RULES = Panel("the DNF found beside the rule as a DNF", "table", "table", "terms", along="table", places=TABLES)
RIGHT = {
    is_true: Panel(title, "table", "table", "rows", along="table", places=TABLES)
    for is_true, title in (
        (True, "rows of the class on which the formula is true"),
        (False, "other rows on which the formula is false"),
    )
}
ACCEPTED = Panel("certificates accepted", "table", "table", "certificates", along="table", places=TABLES)
DRAWN_ACCEPTED = Panel("planted: certificates accepted", "k", "k", "certificates", along="table")


def trials(seed: int, quick: bool) -> list[Trial]:
    """Take every table with both kinds of formulas, then planted DNFs with more and more terms."""
    planted, n_draws = ((2, 4), 1) if quick else ((2, 4, 6, 8), N_DRAWS)
    return [
        *(partial(on_table, name, kind, seed) for name in (QUICK if quick else TABLES) for kind in FOUND),
        *(partial(on_planted, n_terms, size, seed, n_draws) for n_terms in planted for size in PLANTED),
    ]


def on_table(name: str, kind: str, seed: int) -> list[Line]:
    """Hold both bounds against the formula found, and the formula against the rows and the rule."""
    is_led = name == "led"
    table = led(LED_ROWS, seed=derived_seed(seed, 0), noise=0, two_classes=True) if is_led else embedded(name)
    cover, program = certificates(table, kind, None, FEW_ROUNDS if name == "breast-cancer" else ROUNDS)
    place, n_terms, series = TABLES.index(name), least_terms(cover, program), kind.upper()
    lines = [
        Line.of(FOUND[kind].title, COVER, place, [cover.bound], n_terms, "<="),
        Line.of(FOUND[kind].title, PROGRAM, place, [program.bound], n_terms, "<="),
        *(
            Line.of(panel.title, series, place, [n_right], n_rows, "==")
            for panel, (n_right, n_rows) in zip(RIGHT.values(), rows_right(table, program), strict=True)
        ),
        Line.of(ACCEPTED.title, series, place, [cover.certified + program.certified], 2, "=="),
    ]
    if program.stopped_by == "closed":  # one that was stopped may prove less than cover
        lines.append(Line.of(ORDER.title, series, place, [cover.bound], program.bound, "<="))
    if kind == "dnf" and name in WRITTEN and program.optimal:  # no theorem about one that may have too many terms
        lines.append(Line.of(RULES.title, series, place, [n_terms], WRITTEN[name], "<="))
    return lines


def on_planted(n_terms: int, size: int | None, seed: int, n_draws: int) -> list[Line]:
    """Hold both bounds, and the formula found where it is proved to be the shortest, against the planted terms."""
    words = "any size" if size is None else f"at most {size}"
    pairs = []
    for number in range(n_draws):
        own = derived_seed(seed, 1 + number)
        table = random_dnf(N_VARIABLES, n_terms, term_size=TERM_SIZE, n_rows=N_ROWS, seed=own)
        pairs.append(certificates(table, "dnf", size, ROUNDS))
    ended = [(cover, program) for cover, program in pairs if program.stopped_by == "closed"]
    shortest = [least_terms(cover, program) for cover, program in pairs if program.optimal]
    n_accepted = sum(cover.certified + program.certified for cover, program in pairs)
    title = PLANTED[size].title
    lines = [
        Line.of(title, COVER, n_terms, [cover.bound for cover, _ in pairs], n_terms, "<="),
        Line.of(title, PROGRAM, n_terms, [program.bound for _, program in pairs], n_terms, "<="),
        Line.of(DRAWN_ACCEPTED.title, words, n_terms, [n_accepted], 2 * n_draws, "=="),
    ]
    if shortest:
        lines.append(Line.of(title, "formula found", n_terms, shortest, n_terms, "<="))
    if ended:
        values, bounds = ([pair[k].bound for pair in ended] for k in (0, 1))
        lines.append(Line.of(DRAWN_ORDER.title, words, n_terms, values, bounds, "<="))
    return lines


def certificates(
    table: Table, kind: str, size: int | None, rounds: int
) -> tuple[FormulaCertificate, FormulaCertificate]:
    """Return what cover proves and what the program proves, each as far as the checker accepts it."""
    certify = partial(
        certify_dnf, *table, kind=kind, max_term_size=size, max_nodes=rounds, time_limit=None, check=False
    )
    return accepted(certify(method="cover")), accepted(certify(method="lp"))


def accepted(certificate: FormulaCertificate) -> FormulaCertificate:
    """Let the checker prove a certificate again; where it rejects, it stays not certified, which the verdict sees."""
    try:
        return checked(certificate)
    except CertificateError:
        return certificate


def least_terms(*found: FormulaCertificate) -> int:
    """Return the terms, or clauses, of the shortest formula found."""
    return min(certificate.n_terms for certificate in found if certificate.n_terms is not None)


def rows_right(table: Table, certificate: FormulaCertificate) -> list[tuple[int, int]]:
    """Count the rows of the class on which a formula is true and the others on which it is not, of how many."""
    formula, is_positive = certificate.formula, table.labels.astype(str) == certificate.classes[1]
    answers = np.zeros(len(is_positive), np.bool_) if formula is None else formula.evaluate(table.rows).astype(np.bool_)
    return [
        (int(np.count_nonzero(own & (answers == is_positive))), int(np.count_nonzero(own)))
        for own in (is_positive, ~is_positive)
    ]


DNF_TERMS = Experiment(
    name="dnf-terms",
    title="The fewest terms of a DNF without errors: what is proved, and the formula found",
    statement="Without errors: terms that cover proves ≤ those of the covering program ≤ terms of any formula.",
    source=(
        ("thrun1991", "the three rules, on all 432 robots"),
        ("kowalczyk2002", "bounds from weights of rows, here on covers of a class by terms"),
    ),
    hypotheses=(
        "a formula is right on every row, and its terms or clauses have literals of the tests; any number of them but "
        "where a limit is named",
        "cover: weights of a kernel machine over conjunctions; covering program: the dual of a linear program over the "
        "terms that hold on no row of the other class",
        f"searches end after {ROUNDS} rounds at most, {FEW_ROUNDS} on breast-cancer; cover is held against programs "
        "that ended before",
        f"led has {LED_ROWS} rows without noise, digits 0-4 against 5-9; the other tables are whole",
        f"planted: {N_VARIABLES} variables, {N_ROWS} rows, terms of {TERM_SIZE} literals, {N_DRAWS} draws from the "
        "seed; a formula found counts where it is proved to be the shortest",
        "the checker runs in a process of its own, on the file and the rows alone",
    ),
    bounds=(
        ("cover ≤ covering program, where that ended", "loose"),
        ("covering program ≤ terms of the formula found", "tight"),
        ("terms of the shortest formula ≤ terms of the rule, or planted", "tight"),
        ("every certificate accepted", "tight"),
    ),
    settings={"rounds": ROUNDS, "led_rows": LED_ROWS},
    panels=(*FOUND.values(), *PLANTED.values(), ORDER, RULES, *RIGHT.values(), DRAWN_ORDER, DRAWN_ACCEPTED, ACCEPTED),
    conclusion=(
        "The covering program proves the formula found to be the shortest on all tables where it ended; cover proves "
        "little more than one term, unless terms are short."
    ),
    trials=trials,
)
