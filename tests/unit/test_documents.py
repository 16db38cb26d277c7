"""What the documents say is run, and what they cite exists."""

from __future__ import annotations

import builtins
import doctest
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from conjunct.cli.command import run
from conjunct.lab import EXPERIMENTS
from parts import case

ROOT = Path(__file__).parents[2]
GUIDE = sorted(ROOT.glob("docs/guide/*.md"))
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *GUIDE, ROOT / "tests/README.md"]
CORE = sorted((ROOT / "core").rglob("*.?pp"))
THEOREMS = (ROOT / "docs/theorems.md").read_text()
TESTS = set(re.findall(r"^def (test_\w+)", "\n".join(path.read_text() for path in ROOT.glob("tests/**/*.py")), re.M))


def resolve(name: str) -> Any:
    """Return what a dotted name leads to: a module, or an attribute of one, or a built-in."""
    return getattr(builtins, name, None) or pkgutil.resolve_name(name)


def rows_of_tables(columns: str) -> list[list[str]]:
    """Return the rows, cell by cell, of the tables of theorems.md whose first line has these columns."""
    rows, is_inside = [], False
    for line in THEOREMS.splitlines():
        is_inside = line == f"| {columns} |" or (is_inside and line.startswith("|"))
        if is_inside and not line.startswith(("| ---", f"| {columns}")):
            rows.append([cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]])
    return rows


STATEMENTS = rows_of_tables("statement | theory | learner | core | test | experiment | print")
CORRECTIONS = rows_of_tables("mark | paper, place | in print | right, and used here") + rows_of_tables(
    "mark | often said | right"
)


@pytest.mark.parametrize("page", [ROOT / "README.md", *GUIDE], ids=lambda page: page.stem)
def test_what_a_reader_can_paste_runs_as_printed(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Commands first, in order, in an empty folder; then the examples of Python, which may read what these wrote."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for block in re.findall(r"^```sh\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        if block.startswith("conjunct "):  # in this process, which spares the imports
            for line in block.splitlines():
                assert run(shlex.split(line)[1:]) == 0, capsys.readouterr().err
        else:
            subprocess.run(["sh", "-ec", block], check=True)
    results = doctest.testfile(str(page), module_relative=False)
    assert results.failed == 0, capsys.readouterr().out
    assert results.attempted >= {"README": 8, "index": 0}.get(page.stem, 4)


def test_the_index_of_the_guide_lists_every_page() -> None:
    index = (ROOT / "docs/guide/index.md").read_text()
    assert re.findall(r"\]\(([a-z-]+\.md)\)", index)
    assert {page.name for page in GUIDE} - {"index.md"} == set(re.findall(r"\]\(([a-z-]+\.md)\)", index))


def test_every_cited_key_is_in_the_bibliography():
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text(), re.MULTILINE))
    sources = [*(ROOT / "src").rglob("*.py"), *CORE, *(ROOT / "tests/theorem").rglob("*.py")]
    sources += ROOT.glob("docs/*.md")
    cited = {key for path in sources for key in re.findall(r"\[([a-z]+[0-9]{4})\b", path.read_text())}
    assert cited
    assert cited <= known


def test_every_local_link_leads_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_make_target_named_in_the_documents_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"(?:^    |`)make ([a-z-]+)", page.read_text(), re.MULTILINE))
        assert named <= targets, page.name


@pytest.mark.parametrize("row", STATEMENTS, ids=lambda row: row[0])
def test_every_entry_of_a_statement_leads_somewhere(row: list[str]) -> None:
    _, theory, learner, core, test, experiment, print_ = row
    for name in re.findall(r"`([^`]+)`", f"{theory} {learner}"):
        package, _, public = name.rpartition(".")
        assert public in import_module(f"conjunct.{package}").__all__
    for path in re.findall(r"`([^`]+)`", core):
        assert (ROOT / "core" / path).is_file()
    assert re.findall(r"`([^`]+)`", test)
    assert set(re.findall(r"`([^`]+)`", test)) <= TESTS
    assert set(re.findall(r"`([^`]+)`", experiment)) <= set(EXPERIMENTS)
    assert set(print_.split()) <= {mark for mark, *_ in CORRECTIONS}


def test_every_bound_and_every_experiment_is_in_the_table_of_statements() -> None:
    assert len(STATEMENTS) > 40
    listed = {name for row in STATEMENTS for cell in row for name in re.findall(r"`([^`]+)`", cell)}
    theory = import_module("conjunct.theory").__all__
    assert {f"theory.{name}" for name in theory if re.search("bound|value|limit|refuted", name)} <= listed
    assert set(EXPERIMENTS) <= listed


def test_every_correction_of_print_has_a_mark_of_its_own() -> None:
    marks = [mark for mark, *_ in CORRECTIONS]
    assert len(marks) > 20
    assert len(set(marks)) == len(marks)


def test_every_twin_named_in_the_core_exists() -> None:
    twins = [(path.name, twin) for path in CORE for twin in re.findall(r"\bTwin\s+([\w./]*\w)", path.read_text())]
    assert len(twins) > 10
    for place in twins:
        with case(*place):
            assert (ROOT / place[1]).is_file() if "/" in place[1] else callable(resolve(place[1]))


def test_no_source_cites_a_page_that_is_not_here() -> None:
    for path in [*(ROOT / "src").rglob("*.py"), *CORE, *(ROOT / "tests").rglob("*.py")]:
        assert path == Path(__file__) or "THEORY-" not in path.read_text(), path
