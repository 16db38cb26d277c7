from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import conjunct.certificates.checker
from conjunct.cli.command import run

TABLE = "sky,wind,flag,play\n" + "".join(
    f"{'grey' if k % 3 else 'clear'},{k % 7 + k / 10},{k % 2},{'yes' if k % 3 == 0 or k % 7 > 4 else 'no'}\n"
    for k in range(60)
)
Said = Callable[..., tuple[int, str, str]]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    return tmp_path


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], here: Path) -> Said:
    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def test_certify_prints_the_tree_the_claim_and_that_it_was_checked(said: Said, here: Path) -> None:
    code, out, err = said("certify", "t.csv", "-o", "c", "--depth", "3", "--price", "2")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "t.csv: 60 rows, labels no, yes"
    assert lines[1].endswith("so the claim is about every threshold")
    assert "sky=grey?\n├── yes: wind<=7.7?" in out
    assert "└── no: yes (20 rows)" in out
    assert "of depth at most 3, has leaves + 2 * errors >= 13 on these 60 rows." in out
    assert "optimal, certified: the checker proved" in out
    assert lines[-1] == "Saved c"
    assert not (here / "c.rows.gz").exists()
    header = json.loads((here / "c").read_text().splitlines()[0])
    assert header["reading"]["delimiter"] == ","
    assert ["flag", 2, "one", ""] in header["tests"]
    code, out, err = said("check", "c", "t.csv", "--jobs", "2", "--explain")
    assert (code, err) == (0, "")
    assert "A tree that is no leaf begins with one of" in out
    assert out.splitlines()[-1].startswith("accepted: ")


def test_the_checker_alone_accepts_what_the_command_wrote(said: Said, here: Path) -> None:
    said("certify", "t.csv", "-o", "c")
    alone = here / "empty"
    alone.mkdir()
    (alone / "checker.py").write_bytes(Path(conjunct.certificates.checker.__file__).read_bytes())
    command = [sys.executable, "-I", "-S", "checker.py", "../c", "../t.csv"]
    ended = subprocess.run(command, cwd=alone, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "accepted: " in ended.stdout


def test_the_json_object_has_bound_claim_and_what_was_checked(said: Said) -> None:
    told = json.loads(said("certify", "t.csv", "--json", "--price", "1/2")[1])
    assert (told["bound"], told["witness_cost"], told["optimal"], told["certified"]) == ("6", "6", True, True)
    assert (told["error_price"], told["depth"], told["cuts"], told["canonical_rows"]) == ("1/2", 4, "all", False)
    assert told["claim"].startswith("Every decision tree over these")
    assert told["proof_bytes"] > 500
    assert told["check_seconds"] > 0
    assert json.loads(said("certify", "t.csv", "--json", "--no-check")[1])["certified"] is False


def test_a_table_of_another_dialect_is_certified_on_canonical_rows(said: Said, here: Path) -> None:
    (here / "europe.csv").write_text(TABLE.replace(",", ";").replace(".", ","))
    code, out, _ = said("certify", "europe.csv", "-o", "c")
    assert code == 0
    assert "The rows are canonical rows" in out
    assert out.splitlines()[-1] == "Saved c, its rows as c.rows.gz"
    assert said("check", "c", "c.rows.gz")[0] == 0
    code, _, err = said("check", "c", "europe.csv")
    assert (code, err) == (
        1,
        "conjunct: c: rejected: the table has 0 rows, the certificate 60;"
        " it is about canonical rows, saved beside it as .rows.gz: give these\n",
    )


def test_semicolons_tabs_svmlight_and_compressed_tables_are_read_by_the_checker_itself(said: Said, here: Path) -> None:
    import gzip

    (here / "t.tsv").write_text(TABLE.replace(",", "\t"))
    (here / "quoted.csv").write_text(
        "".join(f'"{line.replace(",", chr(34) + "," + chr(34))}"\r\n' for line in TABLE.split())
    )
    (here / "t.svm").write_text("".join(f"{'+1' if k % 3 else '-1'} {1 + k % 4}:1 {7 + k % 3}:1\n" for k in range(30)))
    (here / "t.csv.gz").write_bytes(gzip.compress(TABLE.encode()))
    for name in ("t.tsv", "quoted.csv", "t.svm", "t.csv.gz"):
        told = json.loads(said("certify", name, "-o", f"{name}.cert", "--json")[1])
        assert (told["certified"], told["canonical_rows"]) == (True, False), name
        assert said("check", f"{name}.cert", name, "--quiet") == (0, "", "")


def test_a_byte_order_mark_is_no_other_dialect(said: Said, here: Path) -> None:
    (here / "bom.csv").write_bytes(b"\xef\xbb\xbf" + TABLE.encode())
    code, out, err = said("certify", "bom.csv", "-o", "c", "--json")
    assert (code, err, json.loads(out)["canonical_rows"]) == (0, "", False)
    assert said("check", "c", "bom.csv")[0] == said("check", "c", "t.csv")[0] == 0


def test_a_certificate_and_its_table_may_be_pipes(said: Said, here: Path) -> None:
    assert said("certify", "t.csv", "-o", "c", "--no-check", "--quiet")[0] == 0
    command = [sys.executable, "-m", "conjunct", "check", "--explain", "c", "-"]
    piped = subprocess.run(command, input=TABLE, capture_output=True, text=True, check=False)
    assert (piped.returncode, piped.stderr) == (0, "")
    assert "A tree that is no leaf begins with one of" in piped.stdout
    command = [sys.executable, "-m", "conjunct", "check", "/dev/stdin", "t.csv"]
    piped = subprocess.run(command, input=(here / "c").read_text(), capture_output=True, text=True, check=False)
    assert (piped.returncode, piped.stderr) == (0, "")
    assert piped.stdout.splitlines()[:-1] == said("check", "c", "t.csv")[1].splitlines()[:-1]
    cut = (here / "c").read_text()[:-2]
    piped = subprocess.run(command, input=cut, capture_output=True, text=True, check=False)
    assert (piped.returncode, piped.stderr) == (
        2,
        "conjunct: /dev/stdin: not readable: the certificate is cut short: it has no end line\n",
    )


@pytest.mark.parametrize(
    ("data", "output", "options"),
    [("u.rows.gz", "u", ()), ("u.1", "u", ("--frontier",)), ("u.12.gz.rows.gz", "./u.gz", ("--frontier",))],
)
def test_what_is_written_beside_a_certificate_is_never_the_table(
    said: Said, here: Path, data: str, output: str, options: tuple[str, ...]
) -> None:
    (here / data).write_text(TABLE)
    code, out, err = said("certify", data, "-o", output, "--depth", "any", *options)
    assert (code, out) == (2, "")
    assert err == (
        f"conjunct: {data}: is read from, and may be written beside {output}; expected another name for -o\n"
    )
    assert (here / data).read_text() == TABLE


def test_a_table_that_is_a_link_to_itself_is_refused_by_name(said: Said, here: Path) -> None:
    (here / "loop").symlink_to("loop")
    code, out, err = said("certify", "loop", "-o", "c")
    assert (code, out) == (2, "")
    assert err.startswith("conjunct: loop: Too many levels of symbolic links")


def test_embedded_tables_are_certified_and_checked_by_name(said: Said) -> None:
    assert said("certify", "embedded:monks-1", "--depth", "any", "--price", "none", "-o", "m", "--quiet") == (0, "", "")
    code, out, _ = said("check", "m", "embedded:monks-1")
    assert code == 0
    assert "that is without errors on these 432 rows has at least" in out
    assert said("check", "m", "embedded:monks-2")[0] == 1


def test_a_changed_entry_is_rejected_with_exit_code_1(said: Said, here: Path) -> None:
    said("certify", "t.csv", "-o", "c")
    (here / "t.csv").write_text(TABLE.replace("clear,0.0,0,yes", "clear,0.0,1,yes"))
    code, out, err = said("check", "c", "t.csv")
    assert (code, out) == (1, "")
    assert err == "conjunct: c: rejected: the certificate is about other data: the digest of the rows differs\n"


def test_a_certificate_cut_short_is_exit_code_2_and_a_dear_one_3(said: Said, here: Path) -> None:
    said("certify", "t.csv", "-o", "c")
    text = (here / "c").read_text()
    (here / "cut").write_text(text[: len(text) // 2])
    assert said("check", "cut", "t.csv")[0] == 2
    *lines, end, _ = text.split("\n")
    (here / "dear").write_text("\n".join([*lines, " ".join([*end.split()[:2], "9" * 15, end.split()[3]]), ""]))
    code, out, err = said("check", "dear", "t.csv", "--json")
    assert code == 3
    assert json.loads(out)["verdict"] == "not checked"
    assert "s predicted, the limit is 600" in err
    assert said("check", "nowhere", "t.csv")[0] == 2
    assert said("check", "c", "nowhere.csv")[0] == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--depth", "-1"], "--depth -1: expected a whole number, or any"),
        (["--depth", "x"], "--depth x: expected a whole number, or any"),
        (["--price", "0"], "--price 0: expected a positive number such as"),
        (["--price", "x"], "--price x: expected a positive number such as"),
        (["--min-leaf", "0"], "0 is not in the range 1<=x<=999999999"),
        (["--min-leaf", str(2**63)], "is not in the range 1<=x<=999999999"),
        (["--nodes", "0"], "0 is not in the range x>=1"),
    ],
)
def test_options_that_cannot_be_are_refused_in_one_line(said: Said, options: list[str], message: str) -> None:
    code, out, err = said("certify", "t.csv", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err


def test_help_names_an_example(said: Said) -> None:
    for command in ("certify", "check"):
        assert "Example: conjunct " in said(command, "--help")[1]


@pytest.mark.skipif("CONJUNCT_SANITIZED" in os.environ, reason="the sanitizers take memory of their own")
def test_a_memory_limit_ends_the_search_with_a_certificate_that_checks(said: Said) -> None:
    command = [sys.executable, "-m", "conjunct", "certify", "embedded:tic-tac-toe", "--depth", "any", "--memory", "8M"]
    options = ["--no-check", "-o", "c", "--json"]  # in a process of its own: what others of this one take would count
    ended = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    found = json.loads(ended.stdout)
    assert (found["stopped_by"], found["optimal"]) == ("memory", False)
    assert said("check", "c", "embedded:tic-tac-toe", "--quiet") == (0, "", "")


def test_a_table_beyond_the_memory_limit_is_refused_in_one_line(said: Said) -> None:
    code, _, err = said("certify", "embedded:tic-tac-toe", "--memory", "1K")
    assert code == 3
    assert err.count("\n") == 1
    assert "limit is 1000 B" in err
    code, out, err = said("certify", "t.csv", "--memory", "much")
    assert (code, out) == (2, "")
    assert err == "conjunct: --memory much: expected a size such as 8GiB, 500MB or 1000000\n"


def test_a_frontier_is_printed_saved_and_checked(said: Said, here: Path) -> None:
    code, out, err = said("certify", "t.csv", "--frontier", "-o", "f")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[3:6] == ["leaves  least errors", "     1            30", "     2            10"]
    assert "exact, certified: the checker counted all trees in " in out
    assert lines[-1] == "Saved f"
    header = json.loads((here / "f").read_text().splitlines()[0])
    assert (header["kind"], header["depth"], len(header["lower"])) == ("frontier", 3, 8)
    assert header["reading"]["delimiter"] == ","
    code, out, err = said("check", "f", "t.csv", "--explain")
    assert (code, err) == (0, "")
    assert out.splitlines()[-1].startswith("accepted: ")
    found = json.loads(said("check", "f", "t.csv", "--json")[1])
    assert (found["verdict"], found["bound"], found["errors"]) == ("accepted", None, header["lower"])
    (here / "g").write_text((here / "f").read_text().replace('"30","10"', '"30","9"'))
    code, out, err = said("check", "g", "t.csv")
    assert (code, out) == (1, "")
    assert err.startswith("conjunct: g: rejected: ")


def test_the_json_of_a_frontier_has_its_lists(said: Said) -> None:
    code, out, err = said("certify", "embedded:monks-1", "--frontier", "--depth", "2", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["leaves"] == [1, 2, 3, 4]
    assert found["errors"] == found["known_errors"] == ["216", "108", "108", "96"]
    assert (found["exact"], found["certified"], found["forced_errors"], found["depth"]) == (True, True, "0", 2)
    assert found["trees"][1] == found["trees"][2] == '"jacket_color=red" ? 1 : 0'
    assert found["certificates"] == []


def test_the_json_of_bounds_has_the_depth_that_was_asked_for(said: Said) -> None:
    for depth, written in (("any", "any"), ("5", 5)):
        found = json.loads(said("certify", "t.csv", "--frontier", "--depth", depth, "--no-check", "--json")[1])
        assert (found["exact"], found["depth"]) == (False, written)


def test_a_frontier_of_any_depth_is_bounds_in_several_files(said: Said, here: Path) -> None:
    code, out, err = said("certify", "embedded:monks-1", "--frontier", "--depth", "any", "-o", "f")
    assert (code, err) == (0, "")
    assert "leaves  errors at least  best known tree" in out
    assert "bounds, certified: the checker accepted " in out
    assert "Saved f.1, f.2, " in out
    for k in (1, 5):
        assert said("check", f"f.{k}", "embedded:monks-1", "--quiet") == (0, "", "")
    assert not (here / "f").exists()


def test_the_list_of_a_frontier_is_written_as_a_table_or_a_figure(said: Said, here: Path) -> None:
    for name, begin in (
        ("f.csv", b"leaves,errors,known_errors\n1,30,30\n2,10,10\n"),
        ("f.png", b"\x89PNG"),
        ("f.pdf", b"%PDF"),
    ):
        assert said("certify", "t.csv", "--frontier", "--no-check", "--quiet", "--table", name) == (0, "", "")
        assert (here / name).read_bytes().startswith(begin)
    code, out, err = said("certify", "t.csv", "--table", "f.csv")
    assert (code, out) == (2, "")
    assert err == "conjunct: --table is the list of a frontier; give --frontier too, or leave it out\n"
    code, out, err = said("certify", "t.csv", "--frontier", "--table", "f.xls")
    assert (code, out) == (2, "")
    assert err == "conjunct: --table f.xls: expected a name that ends in .csv, .svg, .png, .pdf\n"
    assert said("certify", "t.csv", "--frontier", "--table", "t.csv")[0] == 2
    assert (here / "t.csv").read_text() == TABLE


def test_forced_errors_of_a_frontier_are_named(said: Said, here: Path) -> None:
    (here / "c.csv").write_text("a,y\n" + "0,no\n0,yes\n1,yes\n" * 4)
    code, out, _ = said("certify", "c.csv", "--frontier", "--no-check")
    assert code == 0
    assert "have different labels: any tree gets 4 rows wrong or more" in out
    assert "exact (not certified): the checker was not run" in out


@pytest.mark.parametrize("option", [("--price", "2"), ("--nodes", "9")])
def test_what_has_no_meaning_with_a_frontier_is_refused(said: Said, option: tuple[str, str]) -> None:
    code, out, err = said("certify", "t.csv", "--frontier", *option)
    assert (code, out) == (2, "")
    assert err == f"conjunct: {option[0]} has no meaning with --frontier, which answers every price; leave one out\n"
