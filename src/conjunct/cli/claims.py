"""What ``conjunct certify`` says about what it found and proved: lines for people, an object for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conjunct.messages import printable

if TYPE_CHECKING:
    from conjunct.certificates import BoundCertificate, TreeCertificate, TreeFrontier
    from conjunct.cli.data import Data

__all__ = [
    "accepted_weights",
    "bound_lines",
    "bound_record",
    "certainty",
    "certificate_lines",
    "certificate_record",
    "ended_by",
    "frontier_lines",
    "frontier_record",
    "saved_with_rows",
    "tried",
    "write_list",
]

NOT_CERTIFIED = "the checker was not run, or its limit would be passed; see --limit"


def certainty(word: str, accepted: str | None) -> str:
    """Say how near a search came, and what the checker did about it; None where it did nothing."""
    return f"{word} (not certified): {NOT_CERTIFIED}" if accepted is None else f"{word}, certified: {accepted}"


def accepted_weights(bound: BoundCertificate) -> str | None:
    """Say what the checker went through; None where it did not accept."""
    if not bound.certified:
        return None
    walked = f" and {bound.n_conjunctions:,} conjunctions" if bound.n_conjunctions else ""
    size = f"{len(bound.text()):,} bytes"
    return f"the checker accepted {bound.n_weights:,} weights{walked}, {size}, in {bound.check_seconds:.1f} s"


def ended_by(bound: BoundCertificate) -> str:
    """Say what ended a search for weights before its end; a linear program may have been ended within a round."""
    if bound.stopped_by == "closed":
        return ""
    is_repeatable = bound.kind == "partition" and bound.form != "lp"
    return f", ended by {bound.stopped_by}" + (f"; --nodes {bound.n_nodes} repeats it" if is_repeatable else "")


def tried(certificate: TreeCertificate) -> list[str]:
    """Say what each method proved, where more than one was thought of."""
    return [f"tried: {'; '.join(certificate.attempts)}"] if len(certificate.attempts) > 1 else []


def saved_with_rows(output: str | None) -> list[str]:
    """Say where a certificate of canonical rows was saved, if it was."""
    return [] if output is None else [f"Saved {printable(output)}, its rows as {printable(output)}.rows.gz"]


def certificate_lines(certificate: TreeCertificate, output: str | None) -> list[str]:
    """Say what was found, what was proved, and whether the checker accepted it."""
    n_bytes = len(certificate.text())
    searched = f"searched {certificate.n_nodes} nodes in {certificate.seconds:.1f} s"
    if certificate.stopped_by != "closed":
        searched += f", ended by the limit of {certificate.stopped_by}"
        searched += "" if certificate.stopped_by == "memory" else f"; --nodes {certificate.n_nodes} repeats it"
    word = "optimal" if certificate.optimal else "a bound"
    proved = None
    if certificate.certified:
        n_lemmas = len(certificate.lemmas)
        proved = f"the checker proved {n_lemmas} lemmas, {n_bytes} bytes, in {certificate.check_seconds:.1f} s"
    lines = [certificate.tree_text(), "", certificate.claim, "", certainty(word, proved), searched]
    lines += tried(certificate)
    if output is not None:
        beside = f", its rows as {printable(output)}.rows.gz" if certificate.is_canonical else ""
        lines.append(f"Saved {printable(output)}{beside}")
    return lines


def certificate_record(
    table: Data, certificate: TreeCertificate, cuts: str, n_forced_errors: int, output: str | None
) -> dict[str, Any]:
    """Return what was found and proved."""
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
        "forced_errors": str(n_forced_errors),
        "tree": None if certificate.witness is None else str(certificate.witness),
        "optimal": certificate.optimal,
        "certified": certificate.certified,
        "claim": certificate.claim,
        "lemmas": len(certificate.lemmas),
        "proof_bytes": len(certificate.text()),
        "nodes": certificate.n_nodes,
        "stopped_by": certificate.stopped_by,
        "attempts": list(certificate.attempts),
        "seconds": certificate.seconds,
        "check_seconds": certificate.check_seconds,
        "canonical_rows": certificate.is_canonical,
        "certificate": output,
    }


def frontier_lines(frontier: TreeFrontier, files: tuple[str, ...]) -> list[str]:
    """Say how few errors trees of every size make, and whether the checker accepted it."""
    word = "exact" if frontier.exact else "bounds"
    proved = None
    if frontier.certified:
        counted = "counted all trees" if frontier.exact else f"accepted {len(frontier.certificates)} certificates"
        proved = f"the checker {counted} in {frontier.check_seconds:.1f} s"
    searched = f"searched in {frontier.seconds:.1f} s"
    lines = [*frontier.lines(), "", frontier.claim, "", certainty(word, proved), searched]
    if files:
        beside = ", its rows beside it as .rows.gz" if frontier.certificates[0].is_canonical else ""
        lines.append(f"Saved {', '.join(map(printable, files))}{beside}")
    return lines


def frontier_record(table: Data, frontier: TreeFrontier, cuts: str, files: tuple[str, ...]) -> dict[str, Any]:
    """Return what was found and proved; entry L - 1 of the lists is for L leaves."""
    first, sizes = frontier.certificates[0], list(frontier.errors)
    trees = [frontier.tree(n_leaves) for n_leaves in sizes]
    known = [frontier.known_errors(n_leaves) for n_leaves in sizes]
    return {
        "source": table.source,
        "rows": first.header["rows"],
        "tests": len(first.tests),
        "cuts": cuts,
        "classes": list(first.classes),
        "depth": frontier.certificates[-1].header["depth"],
        "leaves": sizes,
        "errors": [str(errors) for errors in frontier.errors.values()],
        "known_errors": [None if errors is None else str(errors) for errors in known],
        "forced_errors": str(frontier.forced_errors),
        "trees": [None if tree is None else str(tree) for tree in trees],
        "exact": frontier.exact,
        "certified": frontier.certified,
        "claim": frontier.claim,
        "proof_bytes": sum(len(certificate.text()) for certificate in frontier.certificates),
        "seconds": frontier.seconds,
        "check_seconds": frontier.check_seconds,
        "canonical_rows": first.is_canonical,
        "certificates": list(files),
    }


def write_list(path: str, frontier: TreeFrontier) -> None:
    """Write the list of a frontier as CSV, or draw it, as the name ends."""
    from conjunct.files.atomic import write_atomically
    from conjunct.reports import draw_frontier

    kind = path.rsplit(".", 1)[1]
    write_atomically(path, frontier.to_csv().encode() if kind == "csv" else draw_frontier(frontier, kind))


def bound_lines(bound: BoundCertificate, output: str | None) -> list[str]:
    """Say what weights prove, and whether the checker accepted it."""
    searched = f"form {bound.form}, searched in {bound.seconds:.1f} s{ended_by(bound)}"
    tree = [] if bound.beside is None else [bound.tree_text(), "", f"The best tree that was found costs {bound.upper}."]
    proved = [bound.claim, "", certainty("a bound", accepted_weights(bound)), searched]
    return [*tree, *proved, *tried(bound), *saved_with_rows(output)]


def bound_record(
    table: Data, bound: BoundCertificate, cuts: str, n_forced_errors: int, output: str | None
) -> dict[str, Any]:
    """Return what weights prove: there are no lemmas, and a tree only where a search ran as well."""
    record = certificate_record(table, bound, cuts, n_forced_errors, output)
    return record | {"lemmas": 0, "form": bound.form, "weights": bound.n_weights}
