"""``conjunct check``: prove a certificate again from the table alone."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.steps import reading
from conjunct.errors import CertificateError, SettingError
from conjunct.messages import printable

if TYPE_CHECKING:
    from conjunct.certificates.certificate import Certificate

__all__ = ["check"]


@click.command(epilog="Example: conjunct check titanic.certificate titanic.csv --jobs 2")
@click.argument("certificate", metavar="CERT", type=click.Path(dir_okay=False))
@click.argument("data", metavar="DATA")
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to share the work.")
@click.option(
    "--limit", type=click.IntRange(0), default=600, show_default=True, help="Check if no more seconds are predicted."
)
@click.option("--explain", is_flag=True, help="Show for every first test why a tree that begins with it costs more.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print nothing but the reason of a rejection; the exit code tells.")
def check(certificate: str, data: str, as_json: bool, quiet: bool, **given: Any) -> int:
    """Prove what CERT claims about DATA, with whole numbers only.

    DATA is the table the certificate was made from, its canonical rows (CERT.rows.gz), - for standard input, or
    embedded:NAME. Exit codes: 0 accepted, 1 rejected, 2 not readable, 3 not checked because more seconds are predicted
    than the limit.
    """
    from conjunct.certificates import bound_checker, checker
    from conjunct.certificates.certificate import Certificate
    from conjunct.certificates.checking import verify
    from conjunct.certificates.explanation import explain, explanation_lines

    start = perf_counter()
    try:
        with _opened(certificate, data) as (path, rows):
            with _announced(path, given["jobs"], is_shown=not quiet):
                own_checker, verdict = verify(path, rows, given["jobs"], given["limit"])
            is_bound = own_checker is bound_checker
            if is_bound and given["explain"]:
                raise SettingError("--explain is for lemmas; weights prove a bound all at once")
            tests = explain(checker.SHARED[0]) if given["explain"] else []
    except (checker.CheckError, bound_checker.CheckError, CertificateError) as error:
        code, reason = (error.code, str(error)) if isinstance(error, CertificateError) else error.args
        return _refuse(certificate, code, reason, as_json)
    seconds, is_frontier = perf_counter() - start, verdict.header["kind"] == "frontier"
    if is_bound:
        claim = "\n".join(bound_checker.sentences(verdict))
        bound = {
            "certificate": certificate,
            "verdict": "accepted",
            "claim": claim,
            "kind": verdict.header["kind"],
            "bound": str(verdict.lower),
            "witness_cost": verdict.header["upper"],
            "weights": verdict.n_weights,
            "check_seconds": seconds,
        }
        lines = [*map(printable, claim.split("\n")), f"accepted: {verdict.n_weights} weights in {seconds:.1f} s"]
        if as_json or not quiet:
            click.echo(json.dumps(bound) if as_json else "\n".join(lines))
        return 0
    claim = _of_any_kind(Certificate(verdict.header, (), 0, 0)).claim
    if as_json:
        result: dict[str, Any] = {
            "certificate": certificate,
            "verdict": "accepted",
            "claim": claim,
            "bound": None if is_frontier else str(verdict.lower),
            "errors": verdict.header["lower"] if is_frontier else None,
            "witness_cost": None if verdict.upper is None else str(verdict.upper),
            "lemmas": verdict.n_lemmas,
            "check_seconds": seconds,
        }
        if given["explain"]:
            result["first_tests"] = [
                {"test": test.name, "passed": test.passed, "failed": test.failed, "bound": str(test.bound)}
                for test in tests
            ]
        click.echo(json.dumps(result))
    elif not quiet:
        lines = explanation_lines(tests, verdict.header) if given["explain"] else []
        what = "all trees counted" if is_frontier else f"{verdict.n_lemmas} lemmas proved"
        verdict_line = f"accepted: {what} in {seconds:.1f} s"
        click.echo("\n".join([*map(printable, claim.split("\n")), *map(printable, lines), verdict_line]))
    return 0


@contextmanager
def _opened(certificate: str, data: str) -> Iterator[tuple[str, str]]:
    """Give the paths of a certificate and of its rows; of an embedded table both are written to a folder first."""
    from conjunct.certificates.checking import certificate_class
    from conjunct.certificates.labelled_rows import LabelledRows
    from conjunct.datasets import embedded

    with _reading_either(certificate):
        if not data.startswith("embedded:"):
            yield certificate, "/dev/stdin" if data == "-" else data
            return
        own, table = certificate_class(certificate).load(certificate), embedded(data.removeprefix("embedded:"))
        rows = LabelledRows.like(own.header, table.rows, table.labels)
        with TemporaryDirectory(prefix="conjunct-") as folder:
            replace(own.on_canonical_rows, rows=rows).save(Path(folder, "certificate"))
            yield str(Path(folder, "certificate")), str(Path(folder, "certificate.rows.gz"))


@contextmanager
def _announced(certificate: str, jobs: int, *, is_shown: bool) -> Iterator[None]:
    """Say on a terminal, while the checker is at work, how much it has to do, as the last line of the file says it.

    There is no moving bar: it would need a thread, and the checker forks.
    """
    if not (is_shown and sys.stderr is not None and sys.stderr.isatty() and Path(certificate).is_file()):
        yield
        return
    from conjunct.certificates.checker import END, read_text

    text = read_text(certificate)
    end = END.fullmatch(text.removesuffix("\n").rpartition("\n")[2])
    walks = re.findall("^walk ([0-9]{1,18})\\b", text, re.MULTILINE)
    processes = "" if jobs == 1 else f" in {jobs} processes"
    if end is not None:
        what = f"{int(end[1]):,} lemmas" if end[1] != "0" else f"{int(end[2]):,} pairs of tests"
        click.echo(f"checking {what}{processes} ...", err=True, nl=False)
    elif walks:
        click.echo(f"checking {sum(map(int, walks)):,} conjunctions ...", err=True, nl=False)
    try:
        yield
    finally:
        click.echo("\r\x1b[2K", err=True, nl=False)


@contextmanager
def _reading_either(certificate: str) -> Iterator[None]:
    """Refuse, by its own name, whichever file cannot be opened."""
    try:
        yield
    except OSError as error:
        with reading(os.fsdecode(error.filename or certificate), "a certificate and its table"):
            raise


def _is_no_certificate(path: str) -> bool:
    """Tell whether a text begins otherwise than any certificate, mostly since the two names were swapped."""
    from conjunct.certificates.checker import CheckError, read_text

    try:
        return Path(path).is_file() and not read_text(path).startswith("{")
    except (CheckError, OSError):
        return False


def _of_any_kind(own: Certificate) -> Certificate:
    """Return a certificate as one of trees, if it is."""
    from conjunct.certificates import TreeCertificate

    is_tree = own.kind in TreeCertificate.kinds
    return TreeCertificate(own.header, own.lemmas, own.n_pairs, own.n_splits) if is_tree else own


def _refuse(certificate: str, code: int, reason: str, as_json: bool) -> int:
    """Print why a certificate was not accepted, in one line, and return the exit code."""
    from conjunct.certificates.checker import OUTCOMES, UNREADABLE
    from conjunct.certificates.checking import certificate_class

    if code == UNREADABLE and _is_no_certificate(certificate):
        reason = "this is no certificate; the certificate comes first, its table second"
    if (
        re.match("(the table has|there are) 0 rows", reason) and Path(certificate).is_file()
    ):  # what no canonical rows are
        is_canonical = certificate_class(certificate).load(certificate).is_canonical
        reason += "; it is about canonical rows, saved beside it as .rows.gz: give these" if is_canonical else ""
    if as_json:
        click.echo(json.dumps({"certificate": certificate, "verdict": OUTCOMES[code], "reason": reason}))
    click.echo(f"conjunct: {printable(certificate)}: {OUTCOMES[code]}: {printable(reason)}", err=True)
    return code
