"""Checking a certificate against its rows: by the checker, in a process of its own."""

from __future__ import annotations

import gzip
import lzma
import os
import re
import signal
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from conjunct.certificates import bound_checker, checker
from conjunct.certificates.bound_certificate import BoundCertificate
from conjunct.certificates.certificate import Certificate
from conjunct.certificates.formula_certificate import FormulaCertificate
from conjunct.certificates.frontiers import TreeFrontier
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.errors import CertificateError, SettingError
from conjunct.settings import whole_number

__all__ = ["certificate_class", "check", "run_checker", "verify"]

BOUND_START, FORMULA_START = b'{"format":"conjunct bound ', rb'\{"format":"conjunct bound [0-9]+","kind":"[dc]nf"'
MOST_START_BYTES = 80


def check(
    certificate: Certificate | TreeFrontier | str | os.PathLike[str],
    X: Any,
    y: Any = None,
    *,
    jobs: int = 1,
    limit: int | None = checker.SECONDS_LIMIT,
) -> str:
    """Check a certificate against rows and labels, and return the claim that was verified.

    Parameters
    ----------
    certificate : TreeCertificate, BoundCertificate, FormulaCertificate, TreeFrontier or path
    X : array, sparse matrix, data frame, lists, digit strings or BitMatrix of zeros and ones; or a path
        The rows. A path names the table the certificate was made from, or its canonical rows; then there is no y.
    y : array-like, optional
        One label for each row.
    jobs : int, default 1
        Processes to spread the lemmas over, at most 1000; weights take one.
    limit : int or None, default 600
        Refuse to begin where more seconds are predicted.

    Raises
    ------
    CertificateError
        The certificate is about other rows, proves less than it claims, cannot be read, or is dearer than the limit.

    Examples
    --------
    >>> import conjunct
    >>> rows, labels = ["00", "01", "10", "11"], [0, 1, 1, 0]
    >>> xor = conjunct.certify_tree(rows, labels, error_price=None)
    >>> print(conjunct.check(xor, rows, labels).splitlines()[0])
    Every decision tree over these 2 yes/no tests, of depth at most 4, that is without errors on these 4 rows has at
    least 4 leaves.
    """
    jobs = whole_number(jobs, "jobs", most=checker.MOST_JOBS)
    limit = None if limit is None else whole_number(limit, "limit", least=0)
    if isinstance(certificate, TreeFrontier):
        return "\n".join(check(own, X, y, jobs=jobs, limit=limit) for own in certificate.certificates)
    is_path = isinstance(X, str | os.PathLike)
    if is_path != (y is None):
        raise SettingError("check takes rows and labels, or the path of a table and no labels")
    if is_path:
        with _written(certificate) as path, _in_our_words(certificate):
            own_checker, verdict = verify(path, os.fspath(X), jobs, limit)
        return "\n".join(own_checker.sentences(verdict))
    with _in_our_words(certificate):
        own = certificate if isinstance(certificate, Certificate) else certificate_class(certificate).load(certificate)
        rows = LabelledRows.like(own.header, X, y)
        with _written(own.on_canonical_rows, rows) as path:
            own_checker, verdict = verify(path, f"{path}.rows", jobs, limit)
    return "\n".join(own_checker.sentences(verdict._replace(header=own.header)))


def certificate_class(path: str | os.PathLike[str]) -> type[Certificate]:
    """Return what kind of certificate a file holds, by its first bytes; a pipe, which is read once, holds lemmas."""
    if not Path(path).is_file():
        return Certificate
    with Path(path).open("rb") as file:
        unpack: Any = {b"\x1f\x8b": gzip.open, b"\xfd7": lzma.open}.get(file.peek(2)[:2])
        try:
            start = (unpack(file) if unpack else file).read(MOST_START_BYTES)
        except (EOFError, zlib.error, gzip.BadGzipFile, lzma.LZMAError):
            start = b""
    if not start.startswith(BOUND_START):
        return Certificate
    return FormulaCertificate if re.match(FORMULA_START, start) else BoundCertificate


def verify(path: str, data: str, jobs: int, limit: int | None) -> tuple[ModuleType, Any]:
    """Run the checker that a file is for, in this process; return it, and what it verified."""
    own = certificate_class(path).checker
    return own, own.check(path, data, limit) if own is bound_checker else own.check(path, data, jobs, limit)


@contextmanager
def _written(certificate: Certificate | str | os.PathLike[str], rows: LabelledRows | None = None) -> Iterator[str]:
    """Write a certificate, and rows beside it, where the checker can read them; a path is one already."""
    if not isinstance(certificate, Certificate):
        yield os.fspath(certificate)
        return
    with TemporaryDirectory(prefix="conjunct-") as folder:
        path = Path(folder, "certificate")
        path.write_text(certificate.text(), encoding="utf-8")
        if rows is not None:
            Path(f"{path}.rows").write_text("".join(rows.lines()), encoding="ascii")
        yield str(path)


def run_checker(
    certificate: Certificate, data: str | os.PathLike[str] | None = None, *, limit: int, jobs: int = 1
) -> None:
    """Run the checker on a certificate and its rows in a process of its own, or in several, as a stranger would.

    Raises
    ------
    CertificateError
        It did not accept: `code` says whether it rejected, or would take longer than the limit.
    """
    if data is None and certificate.rows is None:
        raise CertificateError("the certificate was loaded; check it against its rows with conjunct.check")
    with _written(certificate, certificate.rows) as path:
        rows = f"{path}.rows" if data is None else os.fspath(data)
        command = [sys.executable, "-I", "-S", str(certificate.checker.__file__), path, rows, "--limit", str(limit)]
        command += [] if certificate.checker is bound_checker else ["--jobs", str(jobs)]
        code, complaint = _ended(command)
    if code:
        raise CertificateError(complaint.strip() or f"the checker ended with code {code}", code)


def _ended(command: list[str]) -> tuple[int, str]:
    """Run a command and return its exit code and what it complained of; an interrupt ends all its processes."""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
        process_group=0,
    ) as process:
        try:
            complaint = process.communicate()[1]
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return process.returncode, complaint


@contextmanager
def _in_our_words(certificate: Certificate | str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except (checker.CheckError, bound_checker.CheckError) as error:
        code, reason = error.args
        name = "the certificate" if isinstance(certificate, Certificate) else os.fspath(certificate)
        raise CertificateError(f"{name}: {checker.OUTCOMES[code]}: {reason}", code) from None
