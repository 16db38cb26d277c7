"""Bounds before both checkers, and against the cheapest partition or DNF by brute force."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from conjunct.certificates import bound_checker
from conjunct.theory import cheapest_dnf, cheapest_partition
from reference.naive_bound_checker import claim_of, naive_bound_check

__all__ = ["Files", "checked", "files_of", "optimum", "refusal", "verdict"]

Files = tuple[bytes, bytes]


def files_of(bound: Any) -> Files:
    """The bytes of a bound and of its rows."""
    return bound.text().encode(), "".join(bound.rows.lines()).encode()


def refusal(files: Files, folder: Path, limit: int | None = bound_checker.SECONDS_LIMIT) -> tuple[int, Any]:
    """The exit code of the checker, and the verdict or why there is none."""
    for name, data in zip(("bound", "rows"), files, strict=True):
        (folder / name).write_bytes(data)
    try:
        return 0, bound_checker.check(str(folder / "bound"), str(folder / "rows"), limit)
    except bound_checker.CheckError as error:
        return error.args


def verdict(files: Files, folder: Path) -> int:
    """The exit code of the checker; the naive checker must agree, and what both accept must be true."""
    code, own = refusal(files, folder)
    lower = None if code else own.lower
    assert naive_bound_check(*files) == lower, (files, own)
    if code == 0:
        best, upper = optimum(files), own.header["upper"]
        assert best is None or lower <= best, files
        assert upper is None or (best is not None and best <= Fraction(upper)), files
    return code


def checked(files: Files) -> Fraction | None:
    """What the checker says is proved; None where it does not accept."""
    with TemporaryDirectory() as folder:
        code, own = refusal(files, Path(folder))
        return None if code else own.lower


def optimum(files: Files) -> Fraction | None:
    """The cheapest partition or formula that a file is about, by brute force."""
    header = claim_of(files[0])
    lines = [line.split(" ") for line in files[1].decode().split("\n")[2:-1]]
    rows, labels = [list(map(int, line[0])) for line in lines], [int(line[1]) for line in lines]
    costs, price = header["leaf_costs"], None if header["price"] is None else Fraction(header["price"])
    options: dict[str, Any] = {
        "max_size": None if header["depth"] == "any" else header["depth"],
        "masses": [Fraction(line[2]) if len(line) > 2 else Fraction(1) for line in lines],
        "positive": header["literals"] == "positive",
    }
    if header["kind"] == "partition":
        costs = None if costs is None else list(map(Fraction, costs))
        return cheapest_partition(rows, labels, price, leaf_costs=costs, **options)
    return cheapest_dnf(rows, [label == (header["kind"] == "dnf") for label in labels], price, **options)
