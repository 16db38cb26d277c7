"""The checker of bounds: what it refuses, what it says, and that no tampered file passes with a false claim."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from conjunct import BoundCertificate, certify_tree, check
from conjunct.bits import BitMatrix
from conjunct.certificates import bound_checker
from conjunct.certificates.certify_bound import METHODS, BoundProblem, bound_of_rows
from conjunct.certificates.labelled_rows import LabelledRows
from conjunct.errors import CertificateError
from conjunct.kernels import Geometric
from conjunct.theory import cheapest_partition
from parts import parts
from reference.bound_verdicts import files_of, verdict
from reference.random_tables import PRICES

ROWS = ["000", "001", "010", "011", "100", "101", "110", "111"]
NOT_ALL_EQUAL = [0, 1, 1, 1, 1, 1, 1, 0]
PARITY = ["00", "01", "10", "11"] * 5
NOISE = [0, 1, 0, 0, 1, 1, 1, 1]


def small_bound(random: Random) -> BoundCertificate:
    """A bound with weights about a few rows."""
    while True:
        n_tests, n_classes = random.randint(1, 3), random.choice([2, 2, 3])
        rows = ["".join(random.choice("01") for _ in range(n_tests)) for _ in range(9)]
        labels = [random.randrange(n_classes) for _ in rows]
        table = LabelledRows.of(BitMatrix.of(rows), labels)
        if random.random() < 0.3:
            table = table.with_costs([Fraction(random.randint(1, 5), 2) for _ in rows])
        leaf_costs = random.choice([None, None, Geometric(2)])
        literals = random.choice(["both", "positive"])
        problem = BoundProblem.of(table, random.choice(PRICES), random.choice([None, 1, 2]), leaf_costs, literals)
        bound = bound_of_rows(problem, random.choice(list(METHODS)), max_iter=20, time_limit=None)
        if bound.n_weights:
            return bound


@pytest.mark.parametrize("part", parts(50, quick=1))
def test_no_changed_number_makes_a_false_claim_pass(part: int, tmp_path: Path) -> None:
    random, n_accepted, n_changed = Random(part), 0, 0
    for _ in range(2):
        files = files_of(small_bound(random))
        assert verdict(files, tmp_path) == 0
        text = files[0].decode()
        for match in re.finditer("[0-9]+", text):
            number = int(match[0], 16) if len(match[0]) > 30 else int(match[0])
            for other in {number + 1, max(0, number - 1), 2 * number + 1, 0, 7} - {number}:
                changed = text[: match.start()] + str(other) + text[match.end() :]
                n_changed += 1
                n_accepted += verdict((changed.encode(), files[1]), tmp_path) == 0
    assert n_changed > 100
    assert n_accepted < n_changed * 3 / 4  # other weights prove less or more, and some of it is enough


@pytest.mark.parametrize("part", parts(50, quick=1))
def test_no_forged_file_makes_a_false_claim_pass(part: int, tmp_path: Path) -> None:
    random, codes = Random(1000 + part), []
    bounds = [small_bound(random) for _ in range(6)]
    for bound, other in zip(bounds, bounds[1:] + bounds[:1], strict=True):
        (text, rows), (other_text, other_rows) = files_of(bound), files_of(other)
        first, *lines, end, last = text.split(b"\n")
        raised = first.replace(b'"lower":"', b'"lower":"9')
        forgeries = [
            (b"\n".join([raised, *lines, end, last]), rows),  # a claim raised
            (b"\n".join([first, *lines[1:], end, last]), rows),  # an output dropped
            (b"\n".join([first, *lines, lines[0], end, last]), rows),  # one twice
            (b"\n".join([first, *other_text.split(b"\n")[1:]]), rows),  # weights of another
            (text, other_rows),  # other rows
            (text, rows[:-1]),
            (text.replace(b'"both"', b'"positive"'), rows),
            (text.replace(b'"form":"ridge"', b'"form":"svm"').replace(b'"form":"box"', b'"form":"ridge"'), rows),
            (text.replace(b'"form":"svm"', b'"form":"ridge"'), rows),
            (re.sub(rb'"price":"[^"]*"', b'"price":null', text), rows),
            (re.sub(rb'"depth":[^,]*', b'"depth":1', text), rows),
            (re.sub(rb'"depth":[^,]*', b'"depth":"any"', text), rows),
            (text.replace(b"w ", b"w -", 1), rows),
        ]
        codes += [verdict(files, tmp_path) for files in forgeries if files != (text, rows)]
    assert codes.count(0) < len(codes) / 2
    assert codes.count(1) > 5


def test_a_bound_cut_at_any_byte_is_not_readable(tmp_path: Path) -> None:
    text, rows = files_of(small_bound(Random(5)))
    assert {verdict((text[:k], rows), tmp_path) for k in range(len(text))} == {2}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"conjunct bound 1"', '"conjunct bound 2"'),
        ('"kind":"partition"', '"kind":"tree"'),
        ('"price":"1"', '"price":"0"'),
        ('"price":"1"', '"price":1'),
        ('"price":"1"', '"price":NaN'),
        ('"price":"1"', '"price":null'),  # of the form box
        ('"leaf_costs":null', '"leaf_costs":["1","1"]'),
        ('"leaf_costs":null', '"leaf_costs":["1","0","1"]'),
        ('"leaf_costs":null', '"leaf_costs":["1","-1","1"]'),
        ('"exponent":', '"exponent":1000000'),
        ('"rows":20', '"rows":20,"rows":20'),
        ('"form":"box"', '"form":"cover"'),
        ('"lower":"', '"lower":"1/0'),
        ("w ", "w  "),
        ("w ", "w 1.5 "),
        ("w ", f"w {'9' * 401} "),
        ("end 1 4", "end 1 5"),
        ("end 1 4\n", "end 1 4\nw 1\n"),
        ('"classes":["0","1"]', '"classes":["0","0"]'),
    ],
)
def test_what_is_not_as_the_format_says_is_not_readable(old: str, new: str, tmp_path: Path) -> None:
    text, rows = files_of(certify_tree(PARITY, [0, 1, 1, 0] * 5, max_depth=None, method="box", check=False))
    changed = text.decode().replace(old, new, 1)
    assert changed != text.decode()
    assert verdict((changed.encode(), rows), tmp_path) == 2


def test_a_partition_may_have_fewer_parts_than_a_tree_has_leaves(tmp_path: Path) -> None:
    """Not all equal of three bits: 5 parts, 6 leaves; so the claim is about partitions, and says so."""
    tree = certify_tree(ROWS, NOT_ALL_EQUAL, max_depth=None, error_price=None)
    bits = [list(map(int, row)) for row in ROWS]
    assert (tree.bound, cheapest_partition(bits, NOT_ALL_EQUAL, None)) == (6, 5)
    bound = certify_tree(ROWS, NOT_ALL_EQUAL, max_depth=None, error_price=None, method="ridge")
    assert bound.bound <= 5
    assert bound.claim.startswith(
        "Every partition of these 8 rows into conjunctions of literals of these 3 yes/no tests, hence every decision "
        "tree, that is without errors has parts >= "
    )


def test_the_checker_runs_alone_in_an_empty_folder(tmp_path: Path) -> None:
    bound = certify_tree(PARITY, [0, 1, 1, 0] * 5, max_depth=2, method="box", check=False)
    shutil.copy(bound_checker.__file__, tmp_path / "bound_checker.py")
    bound.save(tmp_path / "b.gz")
    command = [sys.executable, "-I", "-S", "bound_checker.py", "b.gz", "b.gz.rows.gz"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == f"{bound.claim}\naccepted: {bound.n_weights} weights\n"
    dear = subprocess.run([*command, "--limit", "0"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (dear.returncode, dear.stdout) == (3, "")
    assert dear.stderr == "not checked: about 1 s predicted, the limit is 0; --limit 1 allows it\n"
    (tmp_path / "b.gz.rows.gz").write_bytes(gzip.compress(b"other"))
    other = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (other.returncode, other.stderr) == (1, "rejected: there are 0 rows, the certificate is about 20\n")
    missing = subprocess.run([*command[:-1], "none"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (missing.returncode, missing.stderr.count("\n")) == (2, 1)


def test_every_claim_is_a_sentence() -> None:
    rows, labels = ROWS * 3, NOISE * 2 + NOT_ALL_EQUAL
    halved = certify_tree(rows, labels, max_depth=2, error_price=2, method="box", leaf_costs=Geometric(2))
    assert halved.claim.split("\n")[:2] == [
        "Every partition of these 24 rows into conjunctions of at most 2 literals of these 3 yes/no tests, hence every "
        "decision tree of depth at most 2, has the sum of K over its parts, K = 1, 1/2, 1/4 by their literals, + 2 * "
        f"errors >= {halved.bound}.",
        "K adds up to 1 over the leaves of a tree: every decision tree of depth at most 2 has errors >= "
        f"{halved.min_errors()}.",
    ]
    impossible = certify_tree(rows, labels, max_depth=2, error_price=None, method="svm")
    assert impossible.is_impossible
    assert impossible.claim.split("\n")[:2] == [
        "No partition of these 24 rows into conjunctions of at most 2 literals of these 3 yes/no tests, hence no "
        "decision tree of depth at most 2, is without errors.",
        "This is trivial: by one part, or a few, and the errors that equal rows force.",
    ]
    weighed = certify_tree(rows, labels, max_depth=1, sample_weight=["1/2"] * 24, method="svm")
    assert "of at most 1 literal of these" in weighed.claim
    assert "parts + cost of errors >= " in weighed.claim


def test_a_saved_bound_is_loaded_and_checked_by_either_name(tmp_path: Path) -> None:
    rows, labels = PARITY, [0, 1, 1, 0] * 5
    bound = certify_tree(rows, labels, max_depth=2, method="box")
    assert bound.certified
    assert bound.n_weights == 4
    bound.save(tmp_path / "bound.gz")
    loaded = BoundCertificate.load(tmp_path / "bound.gz")
    assert (loaded.bound, loaded.text(), loaded.form) == (bound.bound, bound.text(), "box")
    assert check(tmp_path / "bound.gz", rows, labels) == check(loaded, rows, labels) == bound.claim
    assert check(tmp_path / "bound.gz", str(tmp_path / "bound.gz.rows.gz")) == bound.claim
    with pytest.raises(CertificateError, match="other data"):
        check(bound, rows, [1, 0, 0, 1] * 5)
    (tmp_path / "cut").write_text(bound.text()[:-5])
    with pytest.raises(CertificateError, match="cut: not readable: the certificate is cut short"):
        check(tmp_path / "cut", rows, labels)
