"""What ``conjunct certify`` says about a DNF or CNF: lines for people, an object for programs."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from conjunct.cli.claims import accepted_weights, certainty, ended_by, saved_with_rows
from conjunct.errors import SettingError
from conjunct.messages import printable, shortened

if TYPE_CHECKING:
    from conjunct.certificates import FormulaCertificate
    from conjunct.cli.data import Data
    from conjunct.tables import TableEncoding

__all__ = ["formula_lines", "formula_record", "of_two_labels"]

PARTS = {"dnf": "term", "cnf": "clause"}


def of_two_labels(table: Data, given: dict[str, Any]) -> Data:
    """Return a table with two labels: of several, the positive one and the rest."""
    import numpy as np

    labels = np.unique(table.labels).tolist()
    if len(labels) <= 2:
        return table
    positive = given["positive"]
    if positive is None:
        what = f"{len(labels)} labels, {shortened(labels)}, and a {given['kind'].upper()} is for one of them"
        raise SettingError(f"{table.source}: {what}; expected --positive VALUE, to tell it from the rest")
    named = [label for label in labels if str(label) == positive]
    if not named:
        raise SettingError(f"positive={shortened(positive)} is not among the labels {shortened(labels)}")
    return replace(table, labels=np.where(table.labels == named[0], positive, f"not {positive}"))


def formula_lines(
    found: FormulaCertificate, encoding: TableEncoding, n_forced_errors: int, output: str | None
) -> list[str]:
    """Say which formula was found, what was proved, and whether the checker accepted it."""
    if found.header["witness"] is None:
        lines = [_absence(found, n_forced_errors)]
    else:
        lines = [*_table(found, encoding), *_errors(found)]
    searched = f"searched {found.n_nodes} round{'s' * (found.n_nodes != 1)} in {found.seconds:.1f} s{ended_by(found)}"
    return [
        *lines,
        "",
        *map(printable, found.claim.split("\n")),
        "",
        certainty(_nearness(found), accepted_weights(found)),
        searched,
        *saved_with_rows(output),
    ]


def formula_record(
    table: Data,
    found: FormulaCertificate,
    encoding: TableEncoding,
    cuts: str,
    n_forced_errors: int,
    output: str | None,
) -> dict[str, Any]:
    """Return what was found and proved, under the names that trees have where they mean the same."""
    return {
        "source": table.source,
        "kind": found.kind,
        "rows": found.header["rows"],
        "tests": len(found.tests),
        "cuts": cuts,
        "classes": list(found.classes),
        "positive": found.classes[1],
        "depth": found.header["depth"],
        "error_price": found.header["price"],
        "bound": str(found.bound),
        "witness_cost": None if found.upper is None else str(found.upper),
        "terms": found.n_terms,
        "errors": None if found.n_errors is None else str(found.n_errors),
        "forced_errors": str(n_forced_errors),
        "formula": None if found.formula is None else str(found.formula),
        "by_term": [{"term": text, "rows": rows, "wrong": wrong} for rows, wrong, text in _parts(found, encoding)],
        "optimal": found.optimal,
        "certified": found.certified,
        "claim": found.claim,
        "form": found.form,
        "weights": found.n_weights,
        "proof_bytes": len(found.text()),
        "nodes": found.n_nodes,
        "stopped_by": found.stopped_by,
        "seconds": found.seconds,
        "check_seconds": found.check_seconds,
        "canonical_rows": True,
        "certificate": output,
    }


def _nearness(found: FormulaCertificate) -> str:
    """Say in a word or two how near the bound is to the formula."""
    if found.is_impossible:
        return "impossible"
    if found.optimal:
        return "optimal"
    return "a bound" if found.gap is None else f"gap {found.gap}"


def _absence(found: FormulaCertificate, n_forced_errors: int) -> str:
    """Say why there is no formula, and what to try."""
    name, part = found.kind.upper(), PARTS[found.kind]
    if not found.is_impossible:
        return f"no {name} without errors was found in the time; --time gives more, --price 1 allows errors"
    if n_forced_errors:
        rows = "1 row has" if n_forced_errors == 1 else f"{n_forced_errors} rows have"
        reason = f"of rows equal in every test, {rows} another label"
        return f"there is no {name} without errors: {reason}; --price 1 allows errors"
    size = found.max_term_size
    most = f"at most {size} literal{'s' * (size != 1)}"
    return (
        f"there is no {name} without errors with {most} in a {part}; --depth any allows more, --price 1 allows errors"
    )


def _table(found: FormulaCertificate, encoding: TableEncoding) -> list[str]:
    """Return a line for each term or clause, with the rows that it decides, most rows first."""
    label, part, is_dnf = printable(found.classes[1]), PARTS[found.kind], found.kind == "dnf"
    parts, has_errors = _parts(found, encoding), found.error_price is not None
    if not parts:
        return [f"{label} nowhere: a DNF without terms" if is_dnf else f"{label} everywhere: a CNF without clauses"]
    all_of = f"one of these {len(parts)} terms holds" if is_dnf else f"all of these {len(parts)} clauses hold"
    lines = [f"{label} if {f'this {part} holds' if len(parts) == 1 else all_of}:", ""]
    head = "covers" if is_dnf else "rules out"
    lines.append(f"  {head}{'  wrong' * has_errors}  {part}")
    for n_rows, n_wrong, text in parts:
        numbers = f"  {n_rows:{len(head)}}{f'  {n_wrong:5}' if has_errors else ''}  "
        lines += _hung(numbers, text)
    return lines


def _hung(start: str, text: str) -> list[str]:
    """Return one line; on a terminal as many as its width asks for, broken between literals."""
    if sys.stdout is None or not sys.stdout.isatty():
        return [f"{start}{text}"]
    unbroken = text.replace(" ", "\xa0")
    for sign in "&|":
        unbroken = unbroken.replace(f"\xa0{sign}\xa0", f"\xa0{sign} ")
    width, indent = max(40, shutil.get_terminal_size().columns), " " * len(start)
    lines = wrap(
        unbroken, width, initial_indent=start, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return [line.replace("\xa0", " ") for line in lines]


def _parts(found: FormulaCertificate, encoding: TableEncoding) -> list[tuple[int, int, str]]:
    """Return, for each term or clause, how many rows it decides, how many of them wrongly, and its text."""
    from conjunct.bits import holds_on
    from conjunct.rules.named_model import NamedModel

    if found.rows is None or found.header["witness"] is None:
        return []
    reader = NamedModel(found.rows, found.tests, found.classes, encoding).reader
    own_class = int(found.kind == "dnf")  # a clause fails where a term of the DNF for the other class holds
    parts = []
    for term in found.header["witness"]:
        held = holds_on(found.rows.rows, term)
        if found.kind == "dnf":
            text = reader.text(term)
        else:
            text = " | ".join(reader.text([literal ^ 1]) for literal in reader.needed(term)) or "(never)"
        parts.append((int(held.sum()), int((held & (found.rows.codes != own_class)).sum()), text))
    return sorted(parts, key=lambda part: (-part[0], part[1], len(part[2]), part[2]))


def _errors(found: FormulaCertificate) -> list[str]:
    """Say which errors the formula makes, where it may make some."""
    if found.error_price is None or not found.n_errors or found.rows is None:
        return []
    import numpy as np

    from conjunct.bits import holds_on

    own_class = int(found.kind == "dnf")
    held = [holds_on(found.rows.rows, term) for term in found.header["witness"]]
    n_held, is_own = np.sum(held, axis=0) if held else 0 * found.rows.codes, found.rows.codes == own_class
    n_missed, n_charged = int((is_own & (n_held == 0)).sum()), int(n_held[~is_own].sum())
    own, other = (printable(found.classes[k]) for k in (own_class, 1 - own_class))
    part, missed = ("term that holds", "missed") if found.kind == "dnf" else ("clause that fails", "not ruled out")
    total = f"{found.n_errors} error{'s' * (found.n_errors != 1)}"
    return ["", f"{total}: {n_missed} rows of {own} {missed}, and {n_charged} of {other}, once for each {part}"]
