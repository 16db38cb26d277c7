"""Certificates changed in every way that a mistake or a forger might think of, and whether what they claim is true."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import lzma
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from types import ModuleType
from typing import Any

from reference.plain_frontiers import frontier_text, least_errors
from reference.plain_trees import PlainTable, PlainTrees, canonical_text, certificate_text
from reference.random_tables import random_table

__all__ = [
    "Files",
    "changed_numbers",
    "forged_frontiers",
    "forgeries",
    "is_true",
    "outcome",
    "spoiled",
    "truncated",
]

Files = tuple[bytes, bytes]  # a certificate and canonical rows


def outcome(checker: ModuleType, files: Files, jobs: int = 1) -> tuple[int, Any]:
    """What the checker says about files that are in memory only: 0 and a verdict, or its code and sentence."""
    named = {"certificate": files[0], "rows": files[1]}
    checker.open = lambda path, mode: io.BufferedReader(io.BytesIO(named[path]))
    try:
        return 0, checker.check("certificate", "rows", jobs, None)
    except checker.CheckError as error:
        code, sentence = error.args
        assert code in (1, 2)
        assert "\n" not in sentence
        return code, sentence
    finally:
        del checker.open


def parsed(files: Files) -> tuple[dict[str, Any], list[str], PlainTable]:
    """The header, the lemmas, and the table of a certificate that can be read."""
    first, *lines = files[0].decode().split("\n")
    header = json.loads(first)
    rows = [line.split() for line in files[1].decode().replace("\r\n", "\n").removesuffix("\n").split("\n")[2:]]
    costs, matrix = header["row_costs"], header["cost_matrix"]
    table = PlainTable(
        tuple(row[0] if header["tests"] else "" for row in rows),
        tuple(int(row[1] if header["tests"] else row[0]) for row in rows),
        len(header["classes"]),
        None if header["price"] is None else Fraction(header["price"]),
        None if costs is None else tuple(map(Fraction, costs)),
        None if matrix is None else tuple(tuple(map(Fraction, line)) for line in matrix),
        header["min_samples_leaf"],
        tuple(test[0] for test in header["tests"]),
        tuple(header["classes"]),
    )
    return header, lines[:-2], table


def is_true(files: Files) -> bool:
    """Whether the claim of a certificate holds, by plain recursion over all trees; bytes are plain or compressed."""
    unpacked = tuple(gzip.decompress(own) if own[:1] == b"\x1f" else own for own in files)
    unpacked = tuple(lzma.decompress(own) if own[:1] == b"\xfd" else own for own in unpacked)
    header, _, table = parsed((unpacked[0], unpacked[1].removeprefix(b"\xef\xbb\xbf")))
    if header["kind"] == "frontier":
        return list(map(Fraction, header["lower"])) == least_errors(table, header["depth"])
    trees = PlainTrees(table)
    depth = len(table.rows[0]) if header["depth"] == "any" else min(header["depth"], len(table.rows[0]))
    best = trees.best(trees.all_rows, depth)[0]
    if header["kind"] == "partition":
        best = min(best, trees.trivial(trees.all_rows)) if depth else best
    return Fraction(header["lower"]) <= best and (header["upper"] is None or best <= Fraction(header["upper"]))


def assembled(header: dict[str, Any], lemmas: list[str], table: PlainTable, end: str = "") -> Files:
    """Files in which all but the proof fits: digest, counts, and the bound that the last lemma claims."""
    text = canonical_text(table)
    if lemmas and re.fullmatch("[ENC] (any|[0-9]+) [0-9]+.*", lemmas[-1]):
        value = int(lemmas[-1].split(" ")[2])
        header = header | {"lower": str(Fraction(value, table.leaf_cost)), "upper": None, "witness": None}
    header = header | {"digest": hashlib.sha256(text.encode()).hexdigest(), "rows": len(table.rows)}
    first = json.dumps(header, separators=(",", ":"))
    return "\n".join([first, *lemmas, end or f"end {len(lemmas)} 999999 999999", ""]).encode(), text.encode()


def truncated(files: Files) -> Iterator[Files]:
    """A certificate cut at every byte."""
    yield from ((files[0][:k], files[1]) for k in range(len(files[0])))


def changed_numbers(files: Files) -> Iterator[Files]:
    """Each number of a certificate and of the rows, one more, one less, and with another digit."""
    for which in (0, 1):
        text = files[which].decode()
        for match in re.finditer("[0-9]+", text):
            number = match[0]
            others = [
                str(int(number) + 1),
                str(int(number) - 1),
                f"{(int(number[0]) + 3) % 10}{number[1:]}",
                number + "0",
            ]
            for other in others:
                changed = (text[: match.start()] + other + text[match.end() :]).encode()
                yield (changed, files[1]) if which == 0 else (files[0], changed)


def spoiled(files: Files, random: Random) -> Iterator[Files]:
    """Files that no one could read, or that are something else: each must be refused, or be as good as before."""
    certificate, rows = files
    first, rest = certificate.split(b"\n", 1)
    header = json.loads(first)
    packed = [pack(certificate) for pack in (gzip.compress, lzma.compress)]
    yield from ((pack, gzip.compress(rows)) for pack in packed)
    yield from ((pack[:-k], rows) for pack in packed for k in (1, 9, len(pack) - 3))
    yield from (
        (pack[:k] + bytes([pack[k] ^ 64]) + pack[k + 1 :], rows) for pack in packed for k in range(2, len(pack), 7)
    )
    yield from (
        (certificate, spoilt) for spoilt in (b"", b"\n", b"\0", rows[:-1], rows + b"\n", rows.replace(b"\n", b"\r\n"))
    )
    yield certificate, b"\xef\xbb\xbf" + rows
    yield b"\xef\xbb\xbf" + certificate, rows
    yield certificate.replace(b"\n", b"\r\n"), rows
    yield from ((spoilt, rows) for spoilt in (b"", b"\n", b"{}\n", b"null\nend 0 0 0\n", b"\xff\xfe" + certificate))
    yield certificate + certificate, rows
    yield certificate + b"\n", rows
    yield first + b"\n\n" + rest, rows
    for key, value in header.items():
        entry = json.dumps({key: value}, separators=(",", ":"))[1:-1].encode()
        for other in (
            b"NaN",
            b"1e400",
            b"-1",
            b"1.5",
            b"9" * 5000,
            b"[" * 3000,
            b"[[]]",
            b"{}",
            b"true",
            b'""',
            b"[0]",
            b'"\\ud800"',
        ):
            yield first.replace(entry, entry[: entry.index(b":") + 1] + other, 1) + b"\n" + rest, rows
        for other in ("0", "0/1", "1/0", "-1", "1.0", "01", "1/3", " 1", "9" * 41, "٣", "any", "partition", "\ud800"):
            yield json.dumps(header | {key: other}, separators=(",", ":")).encode() + b"\n" + rest, rows
        yield first.replace(entry, entry + b"," + entry, 1) + b"\n" + rest, rows
        yield first.replace(entry, b'"other":0,' + entry, 1) + b"\n" + rest, rows
        yield first.replace(entry, entry[:1] + b"X" + entry[2:], 1) + b"\n" + rest, rows
        yield (
            json.dumps({own: header[own] for own in header if own != key}, separators=(",", ":")).encode()
            + b"\n"
            + rest,
            rows,
        )
        yield json.dumps({key: value} | header, separators=(",", ":")).encode() + b"\n" + rest, rows
    yield json.dumps(header).encode() + b"\n" + rest, rows
    for _ in range(60):
        k, byte = random.randrange(len(certificate)), random.randrange(256)
        yield certificate[:k] + bytes([byte]) + certificate[k + 1 :], rows
    for _ in range(20):
        k, byte = random.randrange(len(rows)), random.choice(b"0123456789 /\n\r\x00\xff")
        yield certificate, rows[:k] + bytes([byte]) + rows[k + 1 :]
    for word in (
        "L any 1",
        "Q 2 1",
        "E 3 1",
        "E 0 1",
        "N 0 1",
        "E any",
        "E any 1 ",
        "E  1 1",
        "e 1 1",
        "N any 1 |",
        "N any 1 | 0",
        "E 1 +1",
        "C any 1 | 0:0",
        "N any 1 0 1",
        "N any 1 2 0",
        "E 1 1 0 0",
        "E 1000000000 1",
        "N 1000000000 1",
        "N 999999999 1",
        "C 999999999 1",
        f"E 1 {10**40}",
        f"E 1 {10**39}",
        "E 1 1\t",
    ):
        n_lemmas = rest.count(b"\n")
        last = rest.rsplit(b"\n", 2)[-2].split(b" ")
        yield (
            first + b"\n" + word.encode() + b"\n" + rest.replace(b" ".join(last), b"end %d 99999 99999" % n_lemmas),
            rows,
        )


Change = Callable[[Random, dict[str, Any], list[str], PlainTable], PlainTable]


def _other_values(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    for k in random.sample(range(len(lemmas)), random.randint(1, min(2, len(lemmas)))):
        words = lemmas[k].split(" ")
        words[2] = str(
            max(0, int(words[2]) + random.choice([-1, 1, 1, 1, table.leaf_cost, table.leaf_cost, -table.leaf_cost]))
        )
        lemmas[k] = " ".join(words)
    return table


def _other_depths(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    for k in random.sample(range(len(lemmas)), random.randint(1, len(lemmas))):
        words = lemmas[k].split(" ")
        words[1] = random.choice(["any", "any", "1", "2", "3", "4"])
        lemmas[k] = " ".join(words)
    header["depth"] = random.choice([header["depth"], "any", 1, 2, 3])
    return table


def _other_kinds(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    for k in random.sample(range(len(lemmas)), random.randint(1, len(lemmas))):
        lemmas[k] = random.choice("ENC") + lemmas[k].split(" |")[0][1:]
    return table


def _other_lists(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    k, j = random.randrange(len(lemmas)), random.randrange(len(lemmas))
    change = random.choice(["drop", "double", "swap", "shuffle"])
    if change == "drop":
        del lemmas[k]
    elif change == "double":
        lemmas.insert(j, lemmas[k])
    elif change == "swap":
        lemmas[k], lemmas[j] = lemmas[j], lemmas[k]
    else:
        random.shuffle(lemmas)
    return table


def _other_paths(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    k = random.randrange(len(lemmas))
    words = lemmas[k].split(" |")[0].split(" ")
    literals = sorted({2 * (int(word) // 2): random.choice([int(word), int(word) ^ 1]) for word in words[3:]}.values())
    if random.random() < 0.5 and table.n_tests:
        literals = sorted({own // 2: own for own in [*literals, random.randrange(2 * table.n_tests)]}.values())
    elif literals:
        literals.remove(random.choice(literals))
    lemmas[k] = " ".join([*words[:3], *map(str, literals)])
    return table


def _other_hints(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    for k in random.sample(range(len(lemmas)), random.randint(1, len(lemmas))):
        near = [
            random.randrange(len(lemmas)) if random.random() < 0.2 else random.randrange(max(1, k)) for _ in range(3)
        ]
        literals = random.sample(range(2 * table.n_tests + 1), min(3, 2 * table.n_tests))
        hints = "".join(f" {literal}:{j}" for literal, j in zip(literals, near, strict=False))
        lemmas[k] = "N" + lemmas[k].split(" |")[0][1:] + (f" |{hints}" if hints else "")
    return _other_values(random, header, lemmas, table) if random.random() < 0.5 else table


def _other_rows(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    i, rows, labels = random.randrange(len(table.rows)), list(table.rows), list(table.labels)
    if random.random() < 0.5 and table.n_tests:
        j = random.randrange(table.n_tests)
        rows[i] = rows[i][:j] + "10"[int(rows[i][j])] + rows[i][j + 1 :]
    else:
        labels[i] = random.randrange(table.n_classes)
    return replace(table, rows=tuple(rows), labels=tuple(labels))


def _other_prices(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    price = random.choice(["1/4", "1", "2", "5", None])
    header["price"] = price if table.matrix is None else price or "1"
    return replace(table, price=None if header["price"] is None else Fraction(header["price"]))


def _other_costs(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    costs = tuple(Fraction(random.choice(["1", "2", "1/2"])) for _ in table.rows)
    header["row_costs"] = list(map(str, costs))
    return replace(table, costs=costs)


def _other_least_rows(random: Random, header: dict[str, Any], lemmas: list[str], table: PlainTable) -> PlainTable:
    header["min_samples_leaf"] = random.choice([1, 2, 3])
    return replace(table, least_rows=header["min_samples_leaf"])


CHANGES: list[Change] = [
    _other_values, _other_values, _other_depths, _other_kinds, _other_lists, _other_paths, _other_hints, _other_hints,
    _other_rows, _other_prices, _other_costs, _other_least_rows,
]  # fmt: skip


def forgeries(random: Random, n: int, n_changes: int = 2) -> Iterator[Files]:
    """Certificates of which only the proof may be wrong: digest, counts, bound and end line fit what was changed."""
    while n:
        table = random_table(random, most_tests=4, most_rows=10)
        options = {"with_hints": random.random() < 0.5 and table.least_rows == 1, "with_chains": random.random() < 0.5}
        depth = random.choice([None, 1, 2, 3, 4])
        files = certificate_text(table, depth, **options).encode(), canonical_text(table).encode()
        if parsed(files)[1]:
            for _ in range(min(n, 12)):
                header, lemmas, changed = parsed(files)
                for change in random.sample(CHANGES, random.randint(1, n_changes)):
                    changed = change(random, header, lemmas, changed) if lemmas else changed
                yield assembled(header, lemmas, changed)
                n -= 1


def forged_frontiers(random: Random, n: int) -> Iterator[Files]:
    """Frontiers of which only the claim or the end line may be wrong: the digest fits what was changed."""
    while n:
        table = replace(random_table(random, most_tests=4, most_rows=9), price=Fraction(1))
        depth = random.choice([0, 1, 1, 2, 2, 3, 3, 4])
        lower = list(map(str, least_errors(table, depth)))
        for change in random.sample(FRONTIER_CHANGES, min(n, len(FRONTIER_CHANGES))):
            options: dict[str, Any] = {"lower": list(lower)}
            changed = change(random, options, table)
            yield (
                frontier_text(changed, options.pop("n_levels", depth), **options).encode(),
                canonical_text(changed).encode(),
            )
            n -= 1


def _other_bounds(random: Random, options: dict[str, Any], table: PlainTable) -> PlainTable:
    k = random.randrange(len(options["lower"]))
    bound = Fraction(options["lower"][k]) + random.choice([-1, 1, Fraction(1, 2), Fraction(-1, 3)])
    options["lower"][k] = str(max(bound, Fraction(0)))
    return table


def _other_bound_lists(random: Random, options: dict[str, Any], table: PlainTable) -> PlainTable:
    bounds = options["lower"]
    options["lower"] = random.choice(
        [bounds[:-1], bounds[1:], [*bounds, bounds[-1]], [*bounds, "0"], [], bounds * 2, sorted(bounds), bounds[-1]]
    )
    return table


def _other_levels(random: Random, options: dict[str, Any], table: PlainTable) -> PlainTable:
    options["n_levels"] = random.choice([0, 1, 2, 3, 4])
    if random.random() < 0.5:
        del options["lower"]
    else:
        options["depth"] = random.choice([0, 1, 2, 3, 4, 5, 10**8, "any"])
    return table


def _other_ends(random: Random, options: dict[str, Any], table: PlainTable) -> PlainTable:
    n_pairs = random.choice([table.n_tests**2, table.n_tests**3, 0, 1, 10**6])
    options["end"] = f"end {random.choice([0, 0, 0, 1])} {n_pairs} {random.choice([0, 0, 0, 1])}"
    return table


def _other_claims(random: Random, options: dict[str, Any], table: PlainTable) -> PlainTable:
    options |= random.choice(
        [
            {"kind": "tree"},
            {"kind": "partition"},
            {"kind": "tree", "lower": options["lower"][0]},
            {"price": None},
            {"price": "2"},
            {"price": "1/1"},
            {"upper": "5", "witness": [-1]},
            {"witness": [-1]},
            {"upper": options["lower"][-1]},
            {"lemmas": ("E 1 1",)},
            {"lemmas": ("N any 1",), "end": "end 1 0 9"},
        ]
    )
    return table


def _other_tables(random: Random, options: dict[str, Any], table: PlainTable) -> PlainTable:
    change = random.choice([_other_rows, _other_costs, _other_least_rows])
    return change(random, {}, [], table)


def _other_names(random: Random, options: dict[str, Any], table: PlainTable) -> PlainTable:
    return replace(table, names=tuple(f"other {j}" for j in range(table.n_tests)))


FRONTIER_CHANGES = [
    _other_bounds, _other_bounds, _other_bounds, _other_bound_lists, _other_levels, _other_ends, _other_claims,
    _other_claims, _other_tables, _other_tables, _other_names,
]  # fmt: skip
