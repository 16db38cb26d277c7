"""What the documents say is run, and what they cite exists."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_examples_of_the_readme_run_as_printed():
    results = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert results.attempted >= 8
    assert results.failed == 0


def test_every_cited_key_is_in_the_bibliography():
    known = set(re.findall(r"^@\w+\{(\w+),", (ROOT / "docs/references.bib").read_text(), re.MULTILINE))
    sources = [*(ROOT / "src").rglob("*.py"), *(ROOT / "core").rglob("*.?pp"), *(ROOT / "tests/theorem").rglob("*.py")]
    cited = {key for path in sources for key in re.findall(r"\[([a-z]+[0-9]{4})\b", path.read_text())}
    assert cited
    assert cited <= known


def test_every_local_link_leads_somewhere():
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_make_target_named_in_the_documents_exists():
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in ROOT.glob("*.md"):
        named = set(re.findall(r"make ([a-z]+(?:-[a-z]+)?)\b", page.read_text()))
        commands = named & {"demo", "test", "test-all", "bench", "bench-full", "lint", "sanitize", "clean"}
        assert commands <= targets
