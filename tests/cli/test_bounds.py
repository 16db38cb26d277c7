"""``conjunct certify --method box`` and its kin, and ``conjunct check`` of what they write."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from conjunct.certificates import certify_auto
from conjunct.certificates.certify_lemmas import certify_rows
from conjunct.cli.command import run

Said = Callable[..., tuple[int, str, str]]
TABLE = "left,right,kind\n" + 7 * "x,u,even\nx,v,odd\ny,u,odd\ny,v,even\n"


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)

    def say(*arguments: str) -> tuple[int, str, str]:
        code = run(list(arguments))
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return say


@pytest.mark.parametrize("method", ["box", "ridge", "svm", "margin", "perceptron"])
def test_a_bound_is_made_certified_and_checked(method: str, said: Said) -> None:
    code, out, err = said("certify", "t.csv", "--method", method, "--depth", "any", "-o", "b")
    assert (code, err) == (0, "")
    assert "28 rows, labels even, odd" in out
    assert "Every partition of these 28 rows into conjunctions of literals of these 2 yes/no tests, hence every" in out
    assert "a bound, certified: the checker accepted " in out
    assert "Saved b, its rows as b.rows.gz" in out
    code, out, err = said("check", "b", "b.rows.gz")
    assert (code, err) == (0, "")
    assert out.split("\n")[-2].startswith("accepted: ")
    record = json.loads(said("check", "b", "b.rows.gz", "--json")[1])
    assert record["verdict"] == "accepted"
    made = json.loads(said("certify", "t.csv", "--method", method, "--depth", "any", "--json")[1])
    assert (made["bound"], made["weights"]) == (record["bound"], record["weights"])
    assert made["certified"] is True


def test_without_a_check_a_bound_is_not_certified(said: Said) -> None:
    code, out, _ = said("certify", "embedded:led", "--method", "box", "--no-check")
    assert code == 0
    assert "a bound (not certified): the checker was not run" in out
    assert said("certify", "embedded:led", "--method", "box", "--quiet", "-o", "led")[:2] == (0, "")
    assert said("check", "led", "embedded:led", "--quiet") == (0, "", "")


def test_where_a_search_does_not_end_weights_may_prove_more_and_its_tree_is_shown(
    said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*given: object, time_limit: object = None, **settings: object) -> object:
        return certify_rows(*given, max_nodes=1, **settings)  # type: ignore[arg-type]

    monkeypatch.setattr(certify_auto, "certify_rows", cut)
    code, out, err = said("certify", "embedded:led", "--depth", "3", "-o", "led")
    assert (code, err) == (0, "")
    tree, claim = out.split("The best tree that was found costs ")
    assert "1 (500 rows, 239 of another class)" in tree
    assert "hence every decision tree of depth at most 3" in claim
    assert "a bound, certified: the checker accepted " in claim
    (line,) = [line for line in claim.splitlines() if line.startswith("tried: ")]
    tried = [attempt.split()[0] for attempt in line.removeprefix("tried: ").split("; ")]
    assert tried == ["lemmas", "lemmas", "box", "lp"]
    assert said("check", "led", "embedded:led", "--quiet") == (0, "", "")
    record = json.loads(said("certify", "embedded:led", "--depth", "3", "--json")[1])
    assert record["form"] == "lp"
    assert len(record["attempts"]) == 4
    assert record["tree"] is not None
    assert record["optimal"] is (record["bound"] == record["witness_cost"])


def test_a_search_that_ends_is_said_by_its_lemmas_alone(said: Said) -> None:
    code, out, _ = said("certify", "t.csv", "--depth", "2")
    assert code == 0
    assert "optimal, certified: the checker proved " in out
    assert "tried: " not in out
    assert len(json.loads(said("certify", "t.csv", "--json")[1])["attempts"]) == 1
    assert json.loads(said("certify", "t.csv", "--method", "lemmas", "--json")[1])["attempts"] == []


def test_other_rows_are_rejected_and_cut_files_not_read(said: Said, tmp_path: Path) -> None:
    assert said("certify", "t.csv", "--method", "box", "-o", "b", "--quiet")[0] == 0
    code, out, err = said("check", "b", "t.csv")
    assert (code, out, err.count("\n")) == (1, "", 1)
    text = (tmp_path / "b").read_text()
    (tmp_path / "cut").write_text(text[:-4])
    assert said("check", "cut", "b.rows.gz")[0] == 2
    (tmp_path / "more").write_text(text.replace('"lower":"', '"lower":"9'))
    code, out, err = said("check", "more", "b.rows.gz")
    assert (code, out) == (1, "")
    assert "rejected: less is proved than the 9" in err
    assert said("check", "b", "b.rows.gz", "--limit", "0")[0] == 3


def test_options_of_a_search_for_trees_are_refused(said: Said) -> None:
    for options in (["--frontier"], ["--min-leaf", "3"], ["--memory", "1G"]):
        code, out, err = said("certify", "t.csv", "--method", "box", *options)
        assert (code, out) == (2, "")
        assert err == f"conjunct: {options[0]} goes with --method lemmas or auto only; leave one out\n"
    assert said("certify", "t.csv", "--method", "box", "-o", "b", "--quiet")[0] == 0
    code, out, err = said("check", "b", "b.rows.gz", "--explain")
    assert (code, out) == (2, "")
    assert err == "conjunct: --explain is for lemmas; weights prove a bound all at once\n"
