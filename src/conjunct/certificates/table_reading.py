"""How the checker is to read the table of a certificate: the binarisation as data, tried before it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from conjunct.bits import IdRows
from conjunct.certificates import checker
from conjunct.certificates.certificate import AnyCertificate
from conjunct.tables.number_grammar import MISSING

if TYPE_CHECKING:
    from conjunct.tables import TableEncoding, VariableTest

__all__ = ["about_table"]

DELIMITERS = (",", ";", "\t", "|", " ")
KINDS = {"is one": "one", "equals": "=", "at most": "<=", "is missing": "missing"}


def about_table(
    certificate: AnyCertificate, encoding: TableEncoding, path: str, entries: object, options: dict[str, Any]
) -> AnyCertificate:
    """Return the certificate as one about a file, if the checker's own reader rebuilds the same rows from it.

    Otherwise it stays about canonical rows: the file is in another dialect than the checker reads.

    Parameters
    ----------
    certificate : Certificate
    encoding : TableEncoding
        What made the rows.
    path : str
    entries : Entries
        What was read from the file.
    options : dict
        The options of the command that say how the file is read: no_header, skip_unlabelled, zero_based, missing.
    """
    for reading, tests in _readings(encoding, path, entries, options):
        trial = certificate.with_reading(reading, tests)
        try:
            checker.read_rows(path, trial.header)
        except (checker.CheckError, OSError):
            continue
        return trial
    return certificate


def _readings(
    encoding: TableEncoding, path: str, entries: object, options: dict[str, Any]
) -> Iterator[tuple[dict[str, Any], list[list[Any]]]]:
    """Yield the ways in which the file may be meant: one for svmlight, one for each delimiter that fits its header."""
    if isinstance(entries, IdRows):
        ids = encoding.ids.tolist()
        tests = [[name, column, "one", ""] for name, column in zip(encoding.variables, ids, strict=True)]
        yield {"format": "svmlight", "zero_based": options["zero_based"]}, tests
        return
    if encoding.columns is None or encoding.letters:
        return
    try:
        text = checker.read_text(path).removeprefix("\ufeff")
    except (checker.CheckError, OSError):
        return
    first = next((line for line in text.split("\n") if line.strip(" \t\r")), "").removesuffix("\r")
    for delimiter in DELIMITERS:
        try:
            names = checker.split_line(first, delimiter, 1)
        except checker.CheckError:
            continue
        if options["no_header"]:
            names = [f"x{k + 1}" for k in range(len(names))]
        if encoding.label_name in names and set(encoding.names) <= set(names):
            reading = {
                "format": "delimited",
                "delimiter": delimiter,
                "header": not options["no_header"],
                "label": names.index(encoding.label_name),
                "missing": sorted({*MISSING, *options["missing"]} - {""}),
                "skip_unlabelled": options["skip_unlabelled"],
            }
            yield reading, [_described(test, names) for test in encoding.tests]


def _described(test: VariableTest, names: Sequence[str]) -> list[Any]:
    """Return a test as the header lists it: name, column, what is asked, the value."""
    is_date = test.kind == "at most" and isinstance(test.value, str)
    value = "" if test.value is None else str(test.value)
    return [test.name, list(names).index(test.column), "date<=" if is_date else KINDS[test.kind], value]
