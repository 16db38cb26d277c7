"""``conjunct certify``: the cheapest tree, DNF or CNF of a table, and a file that proves that none is cheaper."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from conjunct.cli.bounds import METHODS, SEARCHES, TREE_METHODS, method_of, weighed_rows
from conjunct.cli.claims import (
    bound_lines,
    bound_record,
    certificate_lines,
    certificate_record,
    frontier_lines,
    frontier_record,
    write_list,
)
from conjunct.cli.data import about, cuts_setting, data_options
from conjunct.cli.describe import read_for_learning
from conjunct.cli.formulas import formula_lines, formula_record, of_two_labels
from conjunct.cli.models import count_memory
from conjunct.cli.output import require_writable
from conjunct.errors import SettingError
from conjunct.messages import printable
from conjunct.reports.figure import FIGURES

if TYPE_CHECKING:
    from fractions import Fraction

    from conjunct.certificates.certificate import AnyCertificate
    from conjunct.cli.data import Data
    from conjunct.tables import TableEncoding

__all__ = ["certify"]

MODULES = ("conjunct.certificates.certify_frontier", "conjunct.certificates.table_reading", "rich.progress")
FORMULA_MODULES = ("conjunct.certificates.certify_dnf", "conjunct.rules.named_model", "rich.progress")
MOST_TESTS_OF_ALL_CUTS = 300  # above it, pairs of tests cost more than a claim about every threshold is worth
NO_LIMIT = ("none", "any")
TREE_PROGRESS, FRONTIER_PROGRESS = "bound {}, best tree {}", "{} of {}"


def _seconds(_context: click.Context, _parameter: click.Parameter, value: float) -> float:
    if not 0 < value < inf:
        raise SettingError(f"--time {value:g}: expected a positive number of seconds")
    return value


@click.command(epilog="Example: conjunct certify titanic.csv --label Survived --depth 3 -o titanic.certificate")
@click.argument("data", metavar="DATA")
@click.option(
    "-o", "--output", metavar="CERT", type=click.Path(dir_okay=False), help="Save the certificate; as .gz if so named."
)
@click.option(
    "--kind",
    type=click.Choice(list(METHODS)),
    default="tree",
    show_default=True,
    help="What to find and to bound; dnf and cnf: a formula for the positive label.",
)
@click.option(
    "--depth",
    metavar="D|any",
    help="The most tests on a path of a tree, or literals of a term. [default: 4; --frontier: 3; formulas: any]",
)
@click.option(
    "--price",
    metavar="P|none",
    help="Leaves, or terms, that an error is worth; none: no errors. [default: 1; formulas: none]",
)
@click.option("--frontier", is_flag=True, help="The least errors for every number of leaves, instead of one price.")
@click.option(
    "--table",
    "listed",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="With --frontier: write the list as .csv, or draw it as .svg, .png or .pdf.",
)
@click.option(
    "--method",
    type=click.Choice([*TREE_METHODS, "cover"]),
    help="Trees: lemmas searches for the best tree, lp to perceptron bound all trees by weights of the rows, auto "
    "tries weights where the search does not end. Formulas: lp, or cover, which proves less. [default: auto; "
    "formulas: lp]",
)
@click.option(
    "--min-leaf", type=click.IntRange(1, 10**9 - 1), default=1, show_default=True, help="The fewest rows of a leaf."
)
@click.option(
    "--time", "seconds", metavar="S", default=60.0, show_default=True, callback=_seconds, help="Seconds to search."
)
@click.option("--memory", metavar="SIZE", help="Most memory to take, such as 8G; 60 % of what is free if left out.")
@click.option(
    "--nodes", type=click.IntRange(1), help="Nodes or rounds to search; the same number gives the same bytes."
)
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
@click.option(
    "--positive",
    metavar="VALUE",
    help="Which of two labels is positive; the greater when left out. Formulas: also one of several, against the rest.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="Print errors only, or the JSON object; no progress bar.")
@data_options
def certify(data: str, output: str | None, as_json: bool, quiet: bool, **given: Any) -> None:
    """Find the cheapest decision tree of DATA and prove that no tree is cheaper.

    A tree costs its leaves plus a price for each row it gets wrong; --frontier answers every price at once. Where no
    search would end, --method lp or box bounds what trees cost. --kind dnf finds a DNF with few terms for one label,
    and proves how few any DNF has; --kind cnf does so for clauses. DATA is a file, - for standard input, or
    embedded:NAME. The certificate is a text file; 'conjunct check', or one file of plain Python, proves it again.
    """
    from conjunct.bits import BitMatrix
    from conjunct.bits.limits import limiting_memory, size_of
    from conjunct.certificates import BoundCertificate
    from conjunct.certificates.certify import checked
    from conjunct.certificates.certify_auto import certify_by_any
    from conjunct.certificates.certify_frontier import frontier_of_rows
    from conjunct.certificates.certify_lemmas import certify_rows
    from conjunct.certificates.labelled_rows import LabelledRows
    from conjunct.certificates.table_reading import about_table
    from conjunct.certificates.tree_costs import TreeCosts
    from conjunct.evaluation.progress import waiting

    require_writable(output, data)
    require_writable(given["listed"], data)
    is_formula = given["kind"] != "tree"
    given["method"] = method_of(given["kind"], given["method"])
    _require_search(given)
    _require_apart(output, data, is_numbered=given["frontier"])
    memory = given["memory"]
    n_bytes = None if memory is None else size_of(memory, f"--memory {printable(memory)[:40]}")
    depth, price = _depth(given), _price(("none" if is_formula else "1") if given["price"] is None else given["price"])
    click.get_current_context().with_resource(limiting_memory(n_bytes))
    count_memory(*(FORMULA_MODULES if is_formula else MODULES))
    table = read_for_learning(data, given, min_classes=2 if is_formula else 1)
    if is_formula:
        table = of_two_labels(table, given)
    with about(table):
        encoding, cuts = _encoding(table, given)
        bits = BitMatrix.of(encoding.rows(table.entries, packed=True))
        rows = LabelledRows(bits, encoding.codes(table.labels), tuple(map(str, encoding.labels)))
    prints, facts = not (quiet or as_json), (cuts, rows.n_forced_errors, output)  # before a search takes the memory
    if prints:
        _print_table(table, encoding, cuts, rows.n_forced_errors, given["kind"], is_free=price is None)
    seconds = None if given["nodes"] else given["seconds"]
    if given["method"] not in SEARCHES:
        weighed = weighed_rows(rows, price, depth, seconds, given, is_shown=not quiet)
        if output is not None:
            weighed.save(output)
        if as_json and is_formula:
            click.echo(json.dumps(formula_record(table, weighed, encoding, *facts)))
        elif as_json:
            click.echo(json.dumps(bound_record(table, weighed, *facts)))
        elif prints and is_formula:
            click.echo("\n".join(formula_lines(weighed, encoding, rows.n_forced_errors, output)))
        elif prints:
            click.echo("\n".join(bound_lines(weighed, output)))
        return
    costs = TreeCosts.of(price, None, len(rows.classes))
    is_file = data != "-" and not data.startswith("embedded:") and Path(data).is_file()

    def proved(certificate: AnyCertificate) -> AnyCertificate:
        """Say how the file is read, and let the checker prove it, unless that is not wanted."""
        is_read = is_file and not isinstance(certificate, BoundCertificate)  # bounds are about canonical rows
        own = about_table(certificate, encoding, data, table.entries, given) if is_read else certificate
        if given["no_check"]:
            return own
        what = {"frontier": "all trees", "partition": "weights"}.get(own.kind, f"{len(own.lemmas):,} lemmas")
        with waiting(f"checking {what}", is_shown=not quiet):
            return checked(own, None if own.is_canonical else data, limit=given["limit"])

    searched: dict[str, Any] = {"max_depth": depth, "min_samples_leaf": given["min_leaf"]}
    if given["frontier"]:
        with _Progress(FRONTIER_PROGRESS, is_shown=not quiet) as progress:
            found = frontier_of_rows(rows, costs, time_limit=given["seconds"], progress=progress.show, **searched)
        frontier = replace(found, certificates=tuple(map(proved, found.certificates)))
        files = () if output is None else frontier.save(output)
        if given["listed"] is not None:
            write_list(given["listed"], frontier)
        record, lines = partial(frontier_record, table, frontier, cuts, files), partial(frontier_lines, frontier, files)
    else:
        searched["time_limit"] = seconds
        with _Progress(TREE_PROGRESS, is_shown=not quiet) as progress:
            if given["method"] == "auto" and given["nodes"] is None:
                bound = certify_by_any(rows, costs, progress=progress.show, **searched)
            else:
                bound = certify_rows(rows, costs, progress=progress.show, max_nodes=given["nodes"], **searched)
        certificate = proved(bound)
        if output is not None:
            certificate.save(output)
        if isinstance(certificate, BoundCertificate):
            record, lines = partial(bound_record, table, certificate, *facts), partial(bound_lines, certificate, output)
        else:
            record = partial(certificate_record, table, certificate, *facts)
            lines = partial(certificate_lines, certificate, output)
    if as_json:
        click.echo(json.dumps(record()))
    elif prints:
        click.echo("\n".join(lines()))


def _require_search(given: dict[str, Any]) -> None:
    """Refuse options that have no meaning without a search for trees, or for a frontier."""
    listed = given["listed"]
    if listed is not None and not given["frontier"]:
        raise SettingError("--table is the list of a frontier; give --frontier too, or leave it out")
    if listed is not None and not listed.endswith((".csv", *FIGURES)):
        raise SettingError(f"--table {printable(listed)[:40]}: expected a name that ends in .csv, {', '.join(FIGURES)}")
    if given["method"] in SEARCHES:
        return
    for option, is_given in (
        ("frontier", given["frontier"]),
        ("min-leaf", given["min_leaf"] > 1),
        ("memory", given["memory"] is not None),
    ):
        if is_given:
            needed = "--method lemmas or auto" if given["kind"] == "tree" else "--kind tree"
            raise SettingError(f"--{option} goes with {needed} only; leave one out")


def _require_apart(output: str | None, data: str, *, is_numbered: bool) -> None:
    """Refuse to write over what is read: rows go to CERT.rows.gz, bounds of a frontier to CERT.1, CERT.2 and so on."""
    if output is None:
        return
    own, source = (Path(os.path.realpath(Path(path).parent), Path(path).name) for path in (output, data))
    stem, suffix = (own.with_suffix(""), ".gz") if own.suffix == ".gz" else (own, "")
    beside = rf"{re.escape(str(own))}\.rows\.gz"
    if is_numbered:
        beside += rf"|{re.escape(str(stem))}\.[0-9]+{re.escape(suffix)}(?:\.rows\.gz)?"
    if any(re.fullmatch(beside, str(path)) for path in (source, os.path.realpath(source))):
        raise SettingError(f"{data}: is read from, and may be written beside {output}; expected another name for -o")


def _depth(given: dict[str, Any]) -> int | None:
    """Read --depth, and refuse what has no meaning with --frontier."""
    usual = "any" if given["kind"] != "tree" else "3" if given["frontier"] else "4"
    text = usual if given["depth"] is None else given["depth"]
    for option in ("price", "nodes"):
        if given["frontier"] and given[option] is not None:
            raise SettingError(f"--{option} has no meaning with --frontier, which answers every price; leave one out")
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

    def __init__(self, words: str, *, is_shown: bool) -> None:
        from conjunct.evaluation.progress import progress_bar

        self._bar = progress_bar(is_shown=is_shown, in_percent=True, is_steady=False)
        self._task = self._bar.add_task("searching", total=1.0)
        self._words = words

    def __enter__(self) -> _Progress:
        self._bar.__enter__()
        return self

    def __exit__(self, *reason: Any) -> None:
        self._bar.__exit__(*reason)

    def show(self, done: int, total: int) -> None:
        """Show how near the bound is to the best tree that is known, or how much has been gone through."""
        what = "searching: " + self._words.format(done, total)
        self._bar.update(self._task, completed=min(1.0, done / max(total, 1)), description=what)


def _print_table(
    table: Data, encoding: TableEncoding, cuts: str, n_forced_errors: int, kind: str, *, is_free: bool
) -> None:
    labels = ", ".join(map(printable, encoding.labels))
    word = "labels" if len(encoding.labels) > 1 else "all with the label"
    wanted = "" if kind == "tree" else f"; the {kind.upper()} is for {printable(encoding.positive)}"
    click.echo(f"{printable(table.source)}: {len(table.labels)} rows, {word} {labels}{wanted}")
    names = encoding.variables
    shown = ", ".join(map(printable, names[:4])) + (", ..." if len(names) > 4 else "")
    about_cuts = {
        "none": "",
        "all": "; cut between all neighbouring numbers, so the claim is about every threshold",
    }.get(cuts, f"; cuts: {cuts}, and the claim is about these cuts only")
    click.echo(f"{len(names)} yes/no tests: {shown}{about_cuts}")
    if n_forced_errors and (kind == "tree" or not is_free):  # without errors there is no formula, which is said below
        wrong = "1 row" if n_forced_errors == 1 else f"{n_forced_errors} rows"
        any_one = "tree" if kind == "tree" else kind.upper()
        click.echo(
            f"contradictory rows, equal in every test, have different labels: any {any_one} gets {wrong} wrong or more"
        )
    if len(encoding.labels) == 1:
        click.echo("there is one label, so a leaf makes no error and the claim is trivial")
    click.echo()
