from __future__ import annotations

import re
from pathlib import Path

from conjunct.lab import EXPERIMENTS, PAPERS, by_paper

BIBLIOGRAPHY = (Path(__file__).parents[3] / "docs/references.bib").read_text()


def test_papers_are_as_the_bibliography_has_them() -> None:
    entries = dict(re.findall(r"^@\w+\{(\w+),(.*?)^\}", BIBLIOGRAPHY, re.MULTILINE | re.DOTALL))
    for key, paper in PAPERS.items():
        fields = dict(re.findall(r"(\w+)\s*=\s*\{(.*)\},?$", entries[key], re.MULTILINE))
        assert paper.title == re.sub("[{}]", "", fields["title"])
        assert str(paper.year) == fields["year"]
        assert len(re.split(", | and ", paper.authors)) == len(fields["author"].split(" and "))
        assert all(author in fields["author"] for author in re.split(", | and ", paper.authors))


def test_every_paper_is_the_source_of_an_experiment_and_every_source_is_a_paper() -> None:
    assert {key for experiment in EXPERIMENTS.values() for key, _ in experiment.source} == set(PAPERS)


def test_every_experiment_is_under_one_paper() -> None:
    groups = by_paper(EXPERIMENTS.values())
    assert sorted(each.name for group in groups.values() for each in group) == sorted(EXPERIMENTS)
