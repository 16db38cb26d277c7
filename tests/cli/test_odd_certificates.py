"""Tables and certificates as they should not be: one line, the exit code of the design, no traceback."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from conjunct.cli.command import run

TABLE = "sky,wind,flag,play\n" + "".join(
    f"{'grey' if k % 3 else 'clear'},{k % 7 + k / 10},{k % 2},{'yes' if k % 3 == 0 or k % 7 > 4 else 'no'}\n"
    for k in range(60)
)
Said = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table with its certificate."""
    folder = tmp_path_factory.mktemp("odd")
    (folder / "t.csv").write_text(TABLE)
    assert run(["certify", str(folder / "t.csv"), "-o", str(folder / "c"), "--no-check", "--quiet"]) == 0
    return folder


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    monkeypatch.chdir(folder)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        out = capsys.readouterr()
        return code, out.out, out.err

    return call


def with_header(old: str, new: str) -> Callable[[str], str]:
    """Change the first line, which is compact JSON; what is changed must be there."""

    def spoil(text: str) -> str:
        first, rest = text.split("\n", 1)
        assert old in first
        return f"{first.replace(old, new, 1)}\n{rest}"

    return spoil


def with_lemma(kind: str, pattern: str, new: str) -> Callable[[str], str]:
    """Change the first lemma of a kind."""

    def spoil(text: str) -> str:
        lines = text.split("\n")
        number = next(k for k, line in enumerate(lines) if k and line.startswith(kind))
        lines[number], n_changes = re.subn(pattern, new, lines[number], count=1)
        assert n_changes
        return "\n".join(lines)

    return spoil


def lower_raised(text: str) -> str:
    header = json.loads(text.split("\n")[0])
    return with_header(f'"lower":"{header["lower"]}"', f'"lower":"{int(header["lower"]) + 1}"')(text)


SPOILED = {
    "a bound raised by one": (lower_raised, 1, "is proved, not the"),
    "another number of rows": (with_header('"rows":60', '"rows":61'), 1, "the table has 60 rows, the certificate 61"),
    "a digit of the digest": (
        lambda text: re.sub(r'"digest":"(.)', lambda m: f'"digest":"{"1" if m[1] == "0" else "0"}', text, count=1),
        1,
        "the certificate is about other data",
    ),
    "another class": (with_header('"yes"', '"maybe"'), 1, "the label 'yes' is no class of the certificate"),
    "a hint to a later lemma": (with_lemma("N", r":[0-9]+", ":99999"), 1, "hints a lemma not before it"),
    "NaN": (lambda text: re.sub(r'"lower":"[0-9]+"', '"lower":NaN', text, count=1), 2, "the header's lower"),
    "a repeated key": (with_header('{"format"', '{"rows":60,"format"'), 2, "the header's format"),
    "a huge number": (with_header('"rows":60', f'"rows":{"9" * 6000}'), 2, "the header's"),
    "a huge ratio": (
        lambda text: re.sub(r'"lower":"[0-9]+"', f'"lower":"{"9" * 5000}"', text, count=1),
        2,
        "the header's lower",
    ),
    "deep nesting": (with_header("{", '{"x":' * 50_000), 2, "the header's"),
    "a price of 0": (with_header('"price":"1"', '"price":"0"'), 2, "the header's price"),
    "a negative price": (with_header('"price":"1"', '"price":"-1"'), 2, "the header's price"),
    "unknown evidence": (with_lemma("E", "^E", "Z"), 2, "is not written as the format says: 'Z "),
    "no end line": (lambda text: text.rsplit("\nend", 1)[0] + "\n", 2, "cut short: it has no end line"),
    "half a file": (lambda text: text[: len(text) // 2], 2, "cut short: it has no end line"),
    "a table": (lambda _: TABLE, 2, "this is no certificate; the certificate comes first, its table second"),
    "nothing": (lambda _: "", 2, "this is no certificate"),
}


@pytest.mark.parametrize("spoiled", SPOILED)
def test_a_spoiled_certificate_is_refused_in_one_line_that_names_what_is_wrong(
    said: Said, folder: Path, spoiled: str
) -> None:
    spoil, code, reason = SPOILED[spoiled]
    (folder / "spoiled").write_text(spoil((folder / "c").read_text()))
    found, out, err = said("check", "spoiled", "t.csv")
    assert (found, out, err.count("\n")) == (code, "", 1)
    assert err.startswith(f"conjunct: spoiled: {'rejected' if code == 1 else 'not readable'}: ")
    assert reason in err
    assert len(err) < 300
    found, out, _ = said("check", "spoiled", "t.csv", "--json")
    assert found == code
    assert reason in json.loads(out)["reason"]


@pytest.mark.parametrize(("arguments", "name"), [(("nowhere", "t.csv"), "nowhere"), (("c", "nowhere"), "nowhere")])
def test_the_file_that_cannot_be_opened_is_named(said: Said, arguments: tuple[str, str], name: str) -> None:
    code, out, err = said("check", *arguments)
    assert (code, out) == (2, "")
    assert err == f"conjunct: {name}: No such file or directory, expected a certificate and its table\n"


def test_a_certificate_and_its_table_that_are_swapped_are_told_apart(said: Said) -> None:
    code, _, err = said("check", "t.csv", "c")
    assert code == 2
    assert err == (
        "conjunct: t.csv: not readable: this is no certificate; the certificate comes first, its table second\n"
    )


@pytest.mark.parametrize("price", ["-1", "0.0", "nan", "inf", "1/0", "1e400", ""])
def test_prices_that_are_no_positive_numbers_are_refused(said: Said, price: str) -> None:
    code, out, err = said("certify", "t.csv", "--price", price)
    assert (code, out) == (2, "")
    assert err == f"conjunct: --price {price}: expected a positive number such as 2, 0.5 or 1/3, or none\n"


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf"])
def test_seconds_that_are_no_positive_number_are_refused_before_the_table_is_read(said: Said, seconds: str) -> None:
    code, out, err = said("certify", "nowhere.csv", "--time", seconds)
    assert (code, out, err) == (2, "", f"conjunct: --time {seconds}: expected a positive number of seconds\n")


def test_errors_that_contradictory_rows_force_are_named(said: Said, folder: Path) -> None:
    (folder / "twice.csv").write_text("a,b,play\n" + "1,0,yes\n1,0,yes\n1,0,no\n0,1,no\n0,1,yes\n0,0,no\n")
    code, out, _ = said("certify", "twice.csv", "--no-check")
    assert code == 0
    assert "different labels: any tree gets 2 rows wrong or more\n" in out
    code, out, _ = said("certify", "twice.csv", "--no-check", "--price", "none")
    assert code == 0
    assert "any tree gets 2 rows wrong or more\n" in out
    assert "there is no such tree" in out
    assert "is without errors on these 6 rows." in out
    assert "wrong or more" not in said("certify", "t.csv", "--no-check")[1]
    assert json.loads(said("certify", "twice.csv", "--no-check", "--json")[1])["forced_errors"] == "2"


def test_of_one_label_the_claim_is_trivial_and_said_to_be(said: Said, folder: Path) -> None:
    (folder / "one.csv").write_text("a,b,play\n1,0,yes\n0,1,yes\n1,1,yes\n")
    code, out, _ = said("certify", "one.csv", "-o", "one")
    assert code == 0
    assert out.startswith("one.csv: 3 rows, all with the label yes\n")
    assert "there is one label, so a leaf makes no error and the claim is trivial\n" in out
    assert "\nyes (3 rows)\n" in out
    assert "optimal, certified: the checker proved 0 lemmas" in out
    assert said("check", "one", "one.csv")[0] == 0


def test_a_depth_beyond_the_tests_is_claimed_as_it_was_asked_for(said: Said, folder: Path) -> None:
    (folder / "few.csv").write_text("a,b,play\n1,0,yes\n0,1,yes\n1,1,no\n0,0,no\n")
    code, out, _ = said("certify", "few.csv", "--depth", "50", "--price", "none")
    assert code == 0
    assert "of depth at most 50, that is without errors on these 4 rows has at least 4 leaves." in out
    assert "optimal, certified" in out


def on_a_terminal(*arguments: str) -> str:
    """Run a command whose stderr is a terminal, and return all that this one got."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 100, 0, 0))
    command = [sys.executable, "-m", "conjunct", *arguments]
    terminal = os.environ | {"TERM": "xterm"}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=terminal) as process:
        os.close(theirs)
        parts = []
        with suppress(OSError):  # EIO: all who write have left
            while part := os.read(ours, 65536):
                parts.append(part)
    os.close(ours)
    assert process.returncode == 0
    return b"".join(parts).decode()


def test_a_terminal_sees_the_bound_rise_beside_the_best_tree_then_the_check() -> None:
    search = ("certify", "embedded:tic-tac-toe", "--depth", "any", "--nodes", "60000", "--limit", "0")
    told = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", on_a_terminal(*search))
    shown = [(int(low), int(high)) for low, high in re.findall("searching: bound ([0-9]+), best tree ([0-9]+)", told)]
    bounds, trees = zip(*shown, strict=True)
    assert list(bounds) == sorted(bounds)
    assert list(trees) == sorted(trees, reverse=True)
    assert all(low <= high for low, high in shown)
    assert "left" not in told  # how far the bound is says nothing about the time
    assert re.search("checking [0-9,]+ lemmas", told)


def test_a_terminal_sees_how_much_is_checked_until_it_is_done(folder: Path) -> None:
    files = str(folder / "c"), str(folder / "t.csv")
    n_lemmas = (folder / "c").read_text().split("\n")[-2].split()[1]
    assert on_a_terminal("check", *files) == f"checking {n_lemmas} lemmas ...\r\x1b[2K"
    assert on_a_terminal("check", *files, "--jobs", "2") == f"checking {n_lemmas} lemmas in 2 processes ...\r\x1b[2K"
    assert on_a_terminal("check", *files, "--quiet") == ""
