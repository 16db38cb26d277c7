"""``conjunct certify``: the cheapest tree of a table, and a file that proves that none is cheaper."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.data import about, cuts_setting, data_options
from conjunct.cli.describe import read_for_learning
from conjunct.cli.models import count_memory
from conjunct.cli.output import require_writable
from conjunct.errors import SettingError
from conjunct.messages import printable

if TYPE_CHECKING:
    from fractions import Fraction

    from conjunct.certificates import TreeCertificate
    from conjunct.cli.data import Data
    from conjunct.tables import TableEncoding

__all__ = ["certify"]

MODULES = ("conjunct.certificates.certify", "conjunct.certificates.table_reading", "rich.progress")
MOST_TESTS_OF_ALL_CUTS = 300  # above it, pairs of tests cost more than a claim about every threshold is worth
NO_LIMIT = ("none", "any")


def _seconds(_context: click.Context, _parameter: click.Parameter, value: float) -> float:
    if not 0 < value < inf:
        raise SettingError(f"--time {value:g}: expected a positive number of seconds")
    return value


@click.command(epilog="Example: conjunct certify titanic.csv --label Survived --depth 3 -o titanic.certificate")
@click.argument("data", metavar="DATA")
@click.option(
    "-o", "--output", metavar="CERT", type=click.Path(dir_okay=False), help="Save the certificate; as .gz if so named."
)
@click.option("--depth", default="4", show_default=True, metavar="D|any", help="The most tests on a path of a tree.")
@click.option(
    "--price", default="1", show_default=True, metavar="P|none", help="Leaves an error is worth; none: no errors."
)
@click.option("--min-leaf", type=click.IntRange(1), default=1, show_default=True, help="The fewest rows of a leaf.")
@click.option(
    "--time", "seconds", metavar="S", default=60.0, show_default=True, callback=_seconds, help="Seconds to search."
)
@click.option("--memory", metavar="SIZE", help="Most memory to take, such as 8G; 60 % of what is free if left out.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes to search; the same number gives the same bytes.")
@click.option(
    "--limit", type=click.IntRange(0), default=600, show_default=True, help="Check if no more seconds are predicted."
)
@click.option("--no-check", is_flag=True, help="Do not run the checker; the claim is then not certified.")
@click.option(
    "--cuts",
    metavar="N|supervised|all",
    help=f"Cuts of a numeric column; every gap if that gives at most {MOST_TESTS_OF_ALL_CUTS} tests, else as fit.",
)
@click.option("--max-values", type=click.IntRange(2), default=50, show_default=True, help="Most values of a category.")
@click.option("--drop", multiple=True, metavar="NAME", help="Leave a column out; may be given again.")
@click.option("--positive", metavar="VALUE", help="Which of two labels is positive; the greater when left out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print errors only, or the JSON object; no progress bar.")
@data_options
def certify(data: str, output: str | None, as_json: bool, quiet: bool, **given: Any) -> None:
    """Find the cheapest decision tree of DATA and prove that no tree is cheaper.

    A tree costs its leaves plus a price for each row it gets wrong. DATA is a file, - for standard input, or
    embedded:NAME. The certificate is a text file; 'conjunct check', or one file of plain Python, proves it again.
    """
    from conjunct.bits import BitMatrix
    from conjunct.bits.limits import limiting_memory, size_of
    from conjunct.certificates.certify import certify_rows, checked
    from conjunct.certificates.labelled_rows import LabelledRows
    from conjunct.certificates.table_reading import about_table
    from conjunct.certificates.tree_costs import TreeCosts
    from conjunct.evaluation.progress import waiting

    require_writable(output, data)
    depth, price = _depth(given["depth"]), _price(given["price"])
    memory = given["memory"]
    n_bytes = None if memory is None else size_of(memory, f"--memory {printable(memory)[:40]}")
    click.get_current_context().with_resource(limiting_memory(n_bytes))
    count_memory(*MODULES)
    table = read_for_learning(data, given, min_classes=1)
    with about(table):
        encoding, cuts = _encoding(table, given)
        bits = BitMatrix.of(encoding.rows(table.entries, packed=True))
        rows = LabelledRows(bits, encoding.codes(table.labels), tuple(map(str, encoding.labels)))
    costs = TreeCosts.of(price, None, len(rows.classes))
    prints = not (quiet or as_json)
    if prints:
        _print_table(table, encoding, cuts, rows.n_forced_errors)
    with _Progress(is_shown=not quiet) as progress:
        certificate = certify_rows(
            rows,
            costs,
            max_depth=depth,
            min_samples_leaf=given["min_leaf"],
            time_limit=None if given["nodes"] else given["seconds"],
            max_nodes=given["nodes"],
            progress=progress.show,
        )
    is_file = data != "-" and not data.startswith("embedded:") and Path(data).is_file()
    if is_file:
        certificate = about_table(certificate, encoding, data, table.entries, given)
    if not given["no_check"]:
        source = None if certificate.is_canonical else data
        with waiting(f"checking {len(certificate.lemmas):,} lemmas", is_shown=not quiet):
            certificate = checked(certificate, source, limit=given["limit"])
    if output is not None:
        certificate.save(output)
    if as_json:
        click.echo(json.dumps(_record(table, certificate, cuts, output)))
    elif prints:
        click.echo("\n".join(_lines(certificate, output)))


def _depth(text: str) -> int | None:
    if text in NO_LIMIT:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise SettingError(f"--depth {printable(text)[:40]}: expected a whole number, or any")
    return int(text)


def _price(text: str) -> Fraction | None:
    from conjunct.settings import positive_number

    try:
        return None if text in NO_LIMIT else positive_number(text, "price")
    except SettingError:
        expected = "expected a positive number such as 2, 0.5 or 1/3, or none"
        raise SettingError(f"--price {printable(text)[:40]}: {expected}") from None


def _encoding(table: Data, given: dict[str, Any]) -> tuple[TableEncoding, str]:
    """Return the encoding, and in words which cuts of numeric columns it has."""
    from conjunct.tables import TableEncoding

    settings = {"label_name": table.label_name, "positive": given["positive"], "max_values": given["max_values"]}
    wished = None if given["cuts"] is None else cuts_setting(given["cuts"])
    encoding = TableEncoding.of(table.entries, table.labels, cuts="all" if wished is None else wished, **settings)
    if wished is None and len(encoding.variables) > MOST_TESTS_OF_ALL_CUTS:
        wished = "auto"
        encoding = TableEncoding.of(table.entries, table.labels, cuts="auto", **settings)
    if not any(column.cuts for column in encoding.columns or ()):
        return encoding, "none"
    return encoding, "all" if wished is None else str(wished)


class _Progress:
    """A bar that shows the bound rising and the best tree falling."""

    def __init__(self, *, is_shown: bool) -> None:
        from conjunct.evaluation.progress import progress_bar

        self._bar = progress_bar(is_shown=is_shown, in_percent=True, is_steady=False)
        self._task = self._bar.add_task("searching", total=1.0)

    def __enter__(self) -> _Progress:
        self._bar.__enter__()
        return self

    def __exit__(self, *reason: Any) -> None:
        self._bar.__exit__(*reason)

    def show(self, lower: int, upper: int) -> None:
        """Show how near the bound is to the best tree that is known."""
        what = f"searching: bound {lower}, best tree {upper}"
        self._bar.update(self._task, completed=lower / max(upper, 1), description=what)


def _print_table(table: Data, encoding: TableEncoding, cuts: str, n_forced_errors: int) -> None:
    labels = ", ".join(map(printable, encoding.labels))
    word = "labels" if len(encoding.labels) > 1 else "all with the label"
    click.echo(f"{printable(table.source)}: {len(table.labels)} rows, {word} {labels}")
    names = encoding.variables
    shown = ", ".join(map(printable, names[:4])) + (", ..." if len(names) > 4 else "")
    about_cuts = {
        "none": "",
        "all": "; cut between all neighbouring numbers, so the claim is about every threshold",
    }.get(cuts, f"; cuts: {cuts}, and the claim is about these cuts only")
    click.echo(f"{len(names)} yes/no tests: {shown}{about_cuts}")
    if n_forced_errors:
        wrong = "1 row" if n_forced_errors == 1 else f"{n_forced_errors} rows"
        click.echo(
            f"contradictory rows, equal in every test, have different labels: any tree gets {wrong} wrong or more"
        )
    if len(encoding.labels) == 1:
        click.echo("there is one label, so a leaf makes no error and the claim is trivial")
    click.echo()


def _lines(certificate: TreeCertificate, output: str | None) -> list[str]:
    """Say what was found, what was proved, and whether the checker accepted it."""
    n_bytes = len(certificate.text())
    searched = f"searched {certificate.n_nodes} nodes in {certificate.seconds:.1f} s"
    if certificate.stopped_by != "closed":
        searched += f", ended by the limit of {certificate.stopped_by}"
        searched += "" if certificate.stopped_by == "memory" else f"; --nodes {certificate.n_nodes} repeats it"
    word = "optimal" if certificate.optimal else "a bound"
    if certificate.certified:
        n_lemmas = len(certificate.lemmas)
        proved = (
            f"certified: the checker proved {n_lemmas} lemmas, {n_bytes} bytes, in {certificate.check_seconds:.1f} s"
        )
    else:
        proved = "not certified: the checker was not run, or its limit would be passed; see --limit"
    lines = [certificate.tree_text(), "", certificate.claim, "", f"{word}, {proved}", searched]
    if output is not None:
        beside = f", its rows as {printable(output)}.rows.gz" if certificate.is_canonical else ""
        lines.append(f"Saved {printable(output)}{beside}")
    return lines


def _record(table: Data, certificate: TreeCertificate, cuts: str, output: str | None) -> dict[str, Any]:
    return {
        "source": table.source,
        "rows": certificate.header["rows"],
        "tests": len(certificate.tests),
        "cuts": cuts,
        "classes": list(certificate.classes),
        "depth": certificate.header["depth"],
        "error_price": certificate.header["price"],
        "bound": str(certificate.bound),
        "witness_cost": None if certificate.upper is None else str(certificate.upper),
        "leaves": certificate.n_leaves,
        "errors": None if certificate.n_errors is None else str(certificate.n_errors),
        "tree": None if certificate.witness is None else str(certificate.witness),
        "optimal": certificate.optimal,
        "certified": certificate.certified,
        "claim": certificate.claim,
        "lemmas": len(certificate.lemmas),
        "proof_bytes": len(certificate.text()),
        "nodes": certificate.n_nodes,
        "stopped_by": certificate.stopped_by,
        "seconds": certificate.seconds,
        "check_seconds": certificate.check_seconds,
        "canonical_rows": certificate.is_canonical,
        "certificate": output,
    }
