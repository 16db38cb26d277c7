"""What the checker of certificates says, and how it is run."""

import gzip
import lzma
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import BrokenExecutor
from fractions import Fraction
from pathlib import Path

import pytest

from conjunct.certificates import checker
from reference.changed_certificates import XOR
from reference.plain_trees import PlainTable, canonical_text, certificate_text, write_certificate
from reference.tampering import outcome


def said(table, depth, **options):
    files = certificate_text(table, depth, **options).encode(), canonical_text(table).encode()
    return checker.sentences(outcome(checker, files)[1])


CANONICAL = "The rows are canonical rows, whose digest the certificate names; it does not name their table."


def test_the_claim_is_said_in_sentences():
    any_tree = "decision tree over these 2 yes/no tests, of any depth,"
    best = "The tree in the certificate has 4 leaves and costs 4: no such tree costs less."
    assert said(XOR, None) == [f"Every {any_tree} has leaves + 3 * errors >= 4 on these 4 rows.", best, CANONICAL]
    one = PlainTable(XOR.rows, XOR.labels)
    assert said(one, 2, witness=None, upper=None)[0] == (
        "Every decision tree over these 2 yes/no tests, of depth at most 2, has leaves + errors >= 3 on these 4 rows."
    )
    none = PlainTable(XOR.rows, XOR.labels, price=None)
    assert said(none, None)[0] == f"Every {any_tree} that is without errors on these 4 rows has at least 4 leaves."
    assert said(none, 1)[0].startswith(
        "No decision tree over these 2 yes/no tests, of depth at most 1, is without errors"
    )
    rows = PlainTable(("0", "1") * 4, (0, 1) * 4, price=None)  # as many leaves as rows are not too many
    assert said(PlainTable(("0", "1"), (0, 1), price=None), 1)[0].endswith("on these 2 rows has at least 2 leaves.")
    assert said(rows, 1, min_samples_leaf=2)[0].startswith(
        "Every decision tree over these 1 yes/no tests, of depth at most 1 and with at least 2 rows in every leaf, that"
    )


def test_the_sentences_name_partitions_costs_and_gaps():
    table = PlainTable(
        ("0", "1"), (0, 1), price=Fraction(3), matrix=((Fraction(0), Fraction(2)), (Fraction(1), Fraction(0)))
    )
    lines = said(table, 1, kind="partition", witness=[-2], upper="7")
    assert lines[0].startswith(
        "Every partition of the rows by conjunctions of these 1 yes/no tests, of depth at most 1, has "
    )
    assert lines[0].endswith(" has leaves + 3 * cost of errors >= 2 on these 2 rows.")
    assert lines[1] == "The tree in the certificate has 1 leaves and costs 7: the best costs between 2 and 7."
    weighed = PlainTable(("0", "1"), (0, 1), costs=(Fraction(1), Fraction(1)))
    assert "cost of errors" in said(weighed, 1)[0]


CODE_OF = {"accepted": 0, "rejected": 1, "not readable": 2, "not checked": 3}


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """Certificates in a folder, by what is to come of them, beside the rows of one."""
    folder = tmp_path_factory.mktemp("certificates")
    table = PlainTable(
        tuple(f"{i:04b}" for i in range(16)), tuple(i.bit_count() % 2 for i in range(16)), price=Fraction(2)
    )
    accepted, rows = write_certificate(table, 4, folder)
    lines = accepted.read_text().split("\n")
    texts = {
        "rejected": "\n".join([lines[0].replace('"lower":"16"', '"lower":"17"'), *lines[1:]]),
        "not readable": "\n".join(lines[:-2]),
        "not checked": "\n".join([*lines[:-2], f"end {len(lines) - 3} {10**13} {10**3}", ""]),
    }
    for name, text in texts.items():
        assert text != accepted.read_text()
        (folder / name).write_text(text)
    return {"accepted": accepted, **{name: folder / name for name in texts}}, rows


def run(*arguments, folder=None, command=None):
    done = subprocess.run(
        [sys.executable, *(command or ["-I", "-S", "checker.py"]), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, cwd=folder, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_processes_of_the_checker_alone_in_an_empty_folder_give_the_four_exit_codes(written, tmp_path):
    shutil.copy(checker.__file__, tmp_path / "checker.py")
    certificates, rows = written
    for name, path in certificates.items():
        for jobs in (1, 2):
            code, out, err = run(path, rows, "--jobs", jobs, folder=tmp_path)
            assert code == CODE_OF[name], err
            if code == 0:
                assert err == ""
                assert out.split("\n")[-2].startswith("accepted: ")
            else:
                assert out == ""
                assert err.startswith(f"{name}: ")
                assert err.count("\n") == 1
    assert run(certificates["not checked"], rows, "--limit", 10**9, folder=tmp_path)[0] == 0
    assert [path.name for path in tmp_path.iterdir()] == ["checker.py"]


@pytest.mark.skipif("CONJUNCT_SANITIZED" in os.environ, reason="the sanitizers take memory of their own")
def test_the_checker_sets_no_memory_aside_for_what_a_file_might_hold(written, tmp_path):
    shutil.copy(checker.__file__, tmp_path / "checker.py")
    certificates, rows = written
    limited = f"ulimit -v 500000; {sys.executable} -I -S checker.py {certificates['accepted']} {rows}"
    done = subprocess.run(limited, shell=True, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr  # what a file may hold is not set aside for it


def test_processes_of_the_checker_read_pipes_and_run_as_a_module(written, tmp_path):
    certificates, rows = written
    command = ["-m", "conjunct.certificates.checker"]
    with certificates["accepted"].open() as text:
        done = subprocess.run(
            [sys.executable, *command, "/dev/stdin", rows], stdin=text, capture_output=True, timeout=120, check=False
        )
    assert done.returncode == 0
    piped = f"cat {certificates['accepted']} | {sys.executable} -m conjunct.certificates.checker /dev/stdin {rows}"
    assert subprocess.run(piped, shell=True, capture_output=True, timeout=120, check=False).returncode == 0
    code, _, err = run(tmp_path / "nothing", rows, command=command)
    assert (code, err.count("\n")) == (2, 1)


def test_a_wrong_lemma_is_found_whichever_of_the_processes_has_it(written, tmp_path, capsys):
    certificates, rows = written
    lines = certificates["accepted"].read_text().split("\n")
    for k in (len(lines) - 3, len(lines) - 4):
        words = lines[k].split(" ")
        other = " ".join([*words[:2], str(int(words[2]) + 1), *words[3:]])
        (tmp_path / "wrong").write_text("\n".join([*lines[:k], other, *lines[k + 1 :]]))
        code, _, err = run(tmp_path / "wrong", rows, "--jobs", 2, command=[checker.__file__])
        assert (code, err) == (1, err)
        assert f"lemma {k - 1} is not proved" in err
        assert checker.main([str(tmp_path / "wrong"), str(rows)]) == 1
        assert capsys.readouterr().err == err
    n_lemmas, n_pairs, n_splits = map(int, lines[-2].split(" ")[1:])
    lines = [lines[0], "E 2 17", "E 2 17", *lines[1:]]  # of 4 splits, each of which needs counts, in two processes
    own = ["end", str(n_lemmas + 2), str(n_pairs + 32), str(n_splits)]
    for k, less in [(2, 1), (3, 1), (3, 0)]:
        end = [str(int(word) - less) if place == k else word for place, word in enumerate(own[1:], start=1)]
        (tmp_path / "less").write_text("\n".join([*lines[:-2], " ".join(["end", *end]), ""]))
        code, _, err = run(tmp_path / "less", rows, "--jobs", 3, command=[checker.__file__])
        assert code == less, err


def test_main_says_in_one_line_what_is_wrong(written, capsys, monkeypatch):
    certificates, rows = written
    arguments = [str(certificates["accepted"]), str(rows)]
    assert checker.main(arguments) == 0
    assert capsys.readouterr().out.endswith("lemmas proved\n")
    monkeypatch.setattr(checker, "MOST_JOBS", 1)
    assert checker.main([*arguments, "--jobs", "1"]) == 0
    monkeypatch.undo()
    capsys.readouterr()
    for jobs in ("0", "-1", "1001"):
        assert checker.main([*arguments, "--jobs", jobs]) == 2
        assert capsys.readouterr().err == f"not readable: --jobs {jobs}: expected 1 to 1000\n"
    assert checker.main([str(rows.parent), str(rows)]) == 2
    assert checker.main([str(rows.parent / "a\nb"), str(rows)]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    assert checker.main([str(certificates["not checked"]), str(rows)]) == 3
    words = r"not checked: about (\d+) s predicted, the limit is 600; --limit \1 allows it\n"
    assert re.fullmatch(words, capsys.readouterr().err)
    for failure in (MemoryError(), BrokenExecutor()):
        monkeypatch.setattr(checker, "read_rows", lambda *_, failure=failure: (_ for _ in ()).throw(failure))
        assert checker.main(arguments) == 3
        assert capsys.readouterr().err == "not checked: it takes more memory than there is\n"


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_compressed_files_are_read_and_cut_ones_refused(pack):
    files = certificate_text(XOR, 2).encode(), canonical_text(XOR).encode()
    assert outcome(checker, (pack(files[0]), pack(files[1])))[0] == 0
    code, words = outcome(checker, (pack(files[0])[:-5], files[1]))
    assert code == 2
    assert words.startswith("'certificate': Compressed file ended before the end")
    assert outcome(checker, (files[0], pack(files[1])[:40]))[0] == 2


def test_the_checker_imports_the_standard_library_alone():
    words = [
        line.split()[1].split(".")[0]
        for line in Path(checker.__file__).read_text().split("\n")
        if line[:5] in ("impor", "from ")
    ]
    assert set(words) <= sys.stdlib_module_names
    assert Path(checker.__file__).read_text().count("\n") <= 600


def test_the_help_says_what_is_checked(capsys):
    with pytest.raises(SystemExit) as ended:
        checker.main(["--help"])
    assert ended.value.code == 0
    assert "Check what a certificate claims about every decision tree" in " ".join(capsys.readouterr().out.split())
