"""``conjunct certify --kind dnf|cnf``, ``--method lp`` of trees, and ``conjunct check`` of what they write."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from conjunct.cli.command import run
from conjunct.logic import parse

Said = Callable[..., tuple[int, str, str]]
PARITY = "left,right,kind\n" + 7 * "x,u,even\nx,v,odd\ny,u,odd\ny,v,even\n"
THREE = "a,b,kind\n0,0,x\n0,1,y\n1,0,z\n1,1,x\n"
CONTRADICTORY = "a,b,kind\n" + 5 * "1,0,yes\n" + "1,0,no\n" + 3 * "0,1,no\n"


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    monkeypatch.chdir(tmp_path)
    for name, text in (("t.csv", PARITY), ("three.csv", THREE), ("c.csv", CONTRADICTORY)):
        (tmp_path / name).write_text(text)

    def say(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return say


def test_a_dnf_is_printed_term_by_term_certified_saved_and_checked(said: Said) -> None:
    code, out, err = said("certify", "embedded:tic-tac-toe", "--kind", "dnf", "-o", "f")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "embedded:tic-tac-toe: 958 rows, labels negative, positive; the DNF is for positive"
    assert lines[3:6] == ["positive if one of these 8 terms holds:", "", "  covers  term"]
    assert "      78  top-left=x & top-middle=x & top-right=x" in lines
    counts = [int(line.split()[0]) for line in lines[6:14]]
    assert counts == sorted(counts, reverse=True)
    assert lines[14] == ""
    assert "if it tells class 'positive' from the rest of these 958 rows, has at least 8 terms." in lines[15]
    assert any(line.startswith("optimal, certified: the checker accepted 958 weights and ") for line in lines)
    assert lines[-1] == "Saved f, its rows as f.rows.gz"
    for rows in ("f.rows.gz", "embedded:tic-tac-toe"):
        code, out, err = said("check", "f", rows)
        assert (code, err) == (0, "")
        assert "has at least 8 terms." in out
        assert "The DNF in the certificate has 8 terms and costs 8: none costs less." in out
        assert out.splitlines()[-1].startswith("accepted: 958 weights in ")


def test_a_cnf_is_printed_clause_by_clause(said: Said) -> None:
    code, out, err = said("certify", "embedded:monks-1", "--kind", "cnf")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[3:6] == ["1 if all of these 3 clauses hold:", "", "  rules out  clause"]
    assert sum(int(line.split()[0]) for line in lines[6:9]) >= 216
    assert all(" | " in line and "&" not in line for line in lines[6:9])
    assert "has at least 3 clauses." in out
    assert "optimal, certified: " in out


def test_one_term_is_this_term(said: Said) -> None:
    (code, out, _) = said("certify", "three.csv", "--kind", "dnf", "--positive", "z")
    assert code == 0
    assert "\nz if this term holds:\n\n  covers  term\n       1  a & not b\n" in out
    out = said("certify", "three.csv", "--kind", "cnf", "--positive", "z")[1]
    assert "\nz if all of these 2 clauses hold:\n" in out
    assert "  a\n" in out
    assert "  not b\n" in out
    for kind in ("dnf", "cnf"):
        made = json.loads(said("certify", "three.csv", "--kind", kind, "--positive", "z", "--json")[1])
        assert parse(made["formula"]).truth_table() == parse("a & ~b").truth_table()


@pytest.mark.parametrize("kind", ["dnf", "cnf"])
@pytest.mark.parametrize("price", ["none", "1/2"])
def test_the_object_has_what_the_text_says_and_its_formula_is_right_on_the_rows(
    kind: str, price: str, said: Said
) -> None:
    code, out, err = said("certify", "t.csv", "--kind", kind, "--price", price, "--json", "-o", "f")
    assert (code, err) == (0, "")
    made = json.loads(out)
    assert (made["kind"], made["rows"], made["positive"], made["classes"]) == (kind, 28, "odd", ["even", "odd"])
    assert (made["bound"], made["witness_cost"], made["terms"], made["errors"]) == ("2", "2", 2, "0")
    assert (made["error_price"], made["depth"]) == (None if price == "none" else price, "any")
    assert made["optimal"] is made["certified"] is made["canonical_rows"] is True
    assert (made["form"], made["certificate"], made["forced_errors"]) == ("lp", "f", "0")
    assert made["proof_bytes"] == len(Path("f").read_bytes())
    assert made["seconds"] > 0 < made["check_seconds"]
    assert [(own["rows"], own["wrong"]) for own in made["by_term"]] == [(7, 0), (7, 0)]
    formula = parse(made["formula"])
    for left in (0, 1):
        for right in (0, 1):
            row = {"left=x": 1 - left, "left=y": left, "right=u": 1 - right, "right=v": right}
            assert formula.value(row) is (left != right)
    record = json.loads(said("check", "f", "f.rows.gz", "--json")[1])
    assert (record["verdict"], record["kind"]) == ("accepted", kind)
    assert (record["bound"], record["witness_cost"], record["claim"]) == ("2", "2", made["claim"])
    assert record["weights"] == made["weights"]


def test_a_dnf_of_several_labels_tells_the_named_one_from_the_rest(said: Said) -> None:
    code, out, err = said("certify", "three.csv", "--kind", "dnf")
    assert (code, out) == (2, "")
    assert err == (
        "conjunct: three.csv: 3 labels, ['x', 'y', 'z'], and a DNF is for one of them; "
        "expected --positive VALUE, to tell it from the rest\n"
    )
    code, out, err = said("certify", "three.csv", "--kind", "dnf", "--positive", "x", "-o", "f")
    assert (code, err) == (0, "")
    assert out.startswith("three.csv: 4 rows, labels not x, x; the DNF is for x\n")
    assert "if it tells class 'x' from the rest of these 4 rows, has at least 2 terms." in out
    assert said("check", "f", "f.rows.gz")[0] == 0
    code, out, err = said("certify", "three.csv", "--kind", "dnf", "--positive", "q")
    assert (code, out) == (2, "")
    assert err == "conjunct: positive='q' is not among the labels ['x', 'y', 'z']\n"


def test_positive_chooses_the_label_of_the_formula(said: Said) -> None:
    first = json.loads(said("certify", "embedded:monks-1", "--kind", "dnf", "--json")[1])
    other = json.loads(said("certify", "embedded:monks-1", "--kind", "dnf", "--positive", "0", "--json")[1])
    assert (first["positive"], first["bound"]) == ("1", "4")
    cnf = json.loads(said("certify", "embedded:monks-1", "--kind", "cnf", "--json")[1])
    assert (other["positive"], other["bound"]) == ("0", cnf["bound"])  # its negation
    code, _, err = said("certify", "embedded:monks-1", "--kind", "dnf", "--positive", "0", "-o", "f", "--quiet")
    assert (code, err) == (0, "")
    assert said("check", "f", "embedded:monks-1", "--quiet") == (0, "", "")


def test_where_equal_rows_have_different_labels_a_price_is_offered(said: Said) -> None:
    code, out, err = said("certify", "c.csv", "--kind", "dnf")
    assert (code, err) == (0, "")
    reason = "of rows equal in every test, 1 row has another label; --price 1 allows errors"
    assert f"\nthere is no DNF without errors: {reason}\n" in out
    assert "contradictory" not in out
    assert "No DNF whose terms have literals of these 2 yes/no tests tells class 'yes'" in out
    assert "\nimpossible, certified: " in out
    made = json.loads(said("certify", "c.csv", "--kind", "dnf", "--json")[1])
    assert (made["formula"], made["terms"], made["errors"], made["by_term"]) == (None, None, None, [])
    code, out, err = said("certify", "c.csv", "--kind", "dnf", "--price", "1")
    assert (code, err) == (0, "")
    assert "any DNF gets 1 row wrong or more" in out
    assert "\n  covers  wrong  term\n       6      1  " in out
    assert "\n1 error: 0 rows of yes missed, and 1 of no, once for each term that holds\n" in out
    assert "has terms + errors >= 2 for class 'yes' on these 9 rows" in out


def test_errors_of_a_cnf_are_told_in_its_words(said: Said) -> None:
    out = said("certify", "c.csv", "--kind", "cnf", "--price", "1", "--positive", "no")[1]
    assert "\n  rules out  wrong  clause\n          6      1  " in out
    assert "\n1 error: 0 rows of yes not ruled out, and 1 of no, once for each clause that fails\n" in out


def test_no_term_at_all_is_said(said: Said) -> None:
    out = said("certify", "c.csv", "--kind", "dnf", "--price", "1/100")[1]
    assert "\nyes nowhere: a DNF without terms\n\n5 errors: 5 rows of yes missed, and 0 of no, " in out
    out = said("certify", "c.csv", "--kind", "cnf", "--price", "1/100")[1]
    assert "\nyes everywhere: a CNF without clauses\n\n4 errors: 4 rows of no not ruled out, and 0 of yes, " in out


def test_depth_bounds_the_literals_of_a_term(said: Said) -> None:
    code, out, err = said("certify", "t.csv", "--kind", "dnf", "--depth", "1")
    assert (code, err) == (0, "")
    reason = "at most 1 literal in a term; --depth any allows more, --price 1 allows errors"
    assert f"\nthere is no DNF without errors with {reason}\n" in out
    assert "No DNF whose terms have at most 1 literal of these 2 yes/no tests tells class 'odd'" in out
    assert json.loads(said("certify", "t.csv", "--kind", "dnf", "--depth", "2", "--json")[1])["depth"] == 2


def test_cover_proves_less_and_the_gap_is_told(said: Said) -> None:
    code, out, err = said("certify", "embedded:monks-2", "--kind", "dnf", "--method", "cover", "-o", "f")
    assert (code, err) == (0, "")
    gap = next(line for line in out.splitlines() if line.startswith("gap "))
    made = json.loads(said("certify", "embedded:monks-2", "--kind", "dnf", "--method", "cover", "--json")[1])
    assert (made["form"], made["witness_cost"], made["optimal"]) == ("cover", "15", False)
    assert gap.startswith(f"gap {15 - int(made['bound'])}, certified: the checker accepted ")
    assert f"the best costs between {made['bound']} and 15." in out
    assert said("check", "f", "f.rows.gz", "--quiet") == (0, "", "")


def test_without_a_check_a_formula_is_not_certified(said: Said) -> None:
    for options in (["--no-check"], ["--limit", "0"]):
        code, out, _ = said("certify", "embedded:monks-1", "--kind", "dnf", *options)
        assert code == 0
        assert "\noptimal (not certified): the checker was not run, or its limit would be passed" in out


@pytest.mark.parametrize("kind", ["dnf", "cnf"])
def test_what_the_file_holds_is_not_believed(kind: str, said: Said, tmp_path: Path) -> None:
    assert said("certify", "t.csv", "--kind", kind, "-o", "f", "--quiet") == (0, "", "")
    text = (tmp_path / "f").read_text()
    (tmp_path / "cut").write_text(text[:-4])
    code, out, err = said("check", "cut", "f.rows.gz")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("conjunct: cut: not readable: ")
    for old, new, reason in (
        ('"lower":"2"', '"lower":"3"', "less is proved than the 3"),
        ('"upper":"2"', '"upper":"1"', "the formula costs 2, "),
    ):
        assert old in text
        (tmp_path / "more").write_text(text.replace(old, new))
        code, out, err = said("check", "more", "f.rows.gz")
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert f"rejected: {reason}" in err
    rows = gzip.decompress((tmp_path / "f.rows.gz").read_bytes())
    (tmp_path / "other").write_bytes(rows[:-2] + (b"1\n" if rows.endswith(b"0\n") else b"0\n"))
    code, out, err = said("check", "f", "other")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("conjunct: f: rejected: ")
    record = json.loads(said("check", "f", "other", "--json")[1])
    assert record["verdict"] == "rejected"
    assert said("check", "f", "t.csv")[0] == 1
    assert said("check", "f", "f.rows.gz", "--limit", "0")[0] == 3
    code, _, err = said("check", "f", "f.rows.gz", "--explain")
    assert (code, err) == (2, "conjunct: --explain is for lemmas; weights prove a bound all at once\n")


def test_what_has_no_meaning_for_a_kind_is_refused_in_one_line(said: Said) -> None:
    for options, reason in (
        (["--kind", "dnf", "--price", "0"], "--price 0: expected a positive number such as 2, 0.5 or 1/3, or none"),
        (["--kind", "dnf", "--depth", "x"], "--depth x: expected a whole number, or any"),
        (["--kind", "cnf", "--method", "box"], "--method box: --kind cnf has no such, expected lp, cover"),
        (
            ["--method", "cover"],
            "--method cover: --kind tree has no such, expected auto, lemmas, lp, box, ridge, svm, margin, perceptron",
        ),
        (["--kind", "dnf", "--frontier"], "--frontier goes with --kind tree only; leave one out"),
        (["--kind", "cnf", "--min-leaf", "2"], "--min-leaf goes with --kind tree only; leave one out"),
        (["--kind", "dnf", "--memory", "1G"], "--memory goes with --kind tree only; leave one out"),
        (["--method", "lp", "--frontier"], "--frontier goes with --method lemmas or auto only; leave one out"),
        (["--kind", "dnf", "-o", "t.csv"], "t.csv: is read from, expected another file to write to"),
    ):
        code, out, err = said("certify", "t.csv", *options)
        assert (code, out, err) == (2, "", f"conjunct: {reason}\n"), options
    code, out, err = said("certify", "t.csv", "--kind", "list")
    assert (code, out) == (2, "")
    assert "'list' is not one of 'tree', 'dnf', 'cnf'" in err
    Path("one.csv").write_text("a,b\n1,x\n0,x\n")
    code, out, err = said("certify", "one.csv", "--kind", "dnf")
    assert (code, out) == (2, "")
    assert err == "conjunct: one.csv:2: every row has the label 'x', expected at least 2 classes\n"


def test_hostile_names_and_labels_are_escaped(said: Said) -> None:
    Path("h.csv").write_text('"a\x1b[31m & b",kind\n1,"y\x1b"\n0,n\n', encoding="utf-8")
    code, out, err = said("certify", "h.csv", "--kind", "dnf", "--no-check")
    assert (code, err) == (0, "")
    assert "\x1b" not in out
    assert '"a\\u{1b}[31m & b"' in out
    assert "y\\x1b if this term holds:" in out


def test_a_linear_program_bounds_trees_at_least_as_well_as_weights_of_a_machine(said: Said) -> None:
    code, out, err = said("certify", "embedded:led", "--method", "lp", "--depth", "3", "-o", "b")
    assert (code, err) == (0, "")
    assert "Every partition of these 500 rows into conjunctions of at most 3 literals" in out
    assert "a bound, certified: the checker accepted 81 weights and " in out
    assert "\nform lp, searched in " in out
    assert said("check", "b", "embedded:led", "--quiet") == (0, "", "")
    bounds = {
        method: int(
            json.loads(said("certify", "embedded:led", "--method", method, "--depth", "3", "--json")[1])["bound"]
        )
        for method in ("lp", "box", "lemmas")
    }
    assert bounds["box"] <= bounds["lp"] <= bounds["lemmas"]


def test_the_same_rounds_write_the_same_bytes(said: Said, tmp_path: Path) -> None:
    for name in ("a", "b"):
        assert said("certify", "embedded:monks-2", "--kind", "dnf", "--nodes", "4", "-o", name, "--quiet")[0] == 0
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_on_a_terminal_long_terms_are_broken_between_literals(monkeypatch: pytest.MonkeyPatch) -> None:
    from conjunct.cli import formulas

    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "44")
    term = "mean radius <= 15.78 & worst texture > 21.08 & area error > 9"
    assert formulas._hung("  7  ", term) == [
        "  7  mean radius <= 15.78 &",
        "     worst texture > 21.08 & area error > 9",
    ]
    monkeypatch.setattr("sys.stdout.isatty", lambda: False)
    assert formulas._hung("  7  ", term) == [f"  7  {term}"]


def test_an_interrupt_while_a_compiled_module_is_loaded_is_one(said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise ImportError("initialization failed") from KeyboardInterrupt()

    monkeypatch.setattr(import_module("conjunct.certificates.certify_dnf"), "formula_of_rows", interrupted)
    code, _, err = said("certify", "t.csv", "--kind", "dnf")
    assert (code, err) == (130, "conjunct: interrupted\n")
