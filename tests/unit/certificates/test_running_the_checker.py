"""The checker as `certify_tree` and the commands run it: in processes of its own, which end with the run."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep

import pytest

from conjunct import certify_tree
from conjunct.certificates import checker
from conjunct.certificates.certify import checked
from conjunct.certificates.checking import run_checker
from conjunct.datasets import parity
from conjunct.errors import CertificateError

# Starts a process as `--jobs 2` does, writes both numbers, and never ends by itself.
ENDLESS = """
import os, sys, time
child = os.fork()
if child:
    with open({path!r} + ".new", "w") as file:
        file.write(f"{{os.getpid()}} {{child}}")
    os.rename({path!r} + ".new", {path!r})
time.sleep(600)
"""


def is_alive(process: str) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_number_of_processes_gives_the_same_verdict(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate = certify_tree(*parity(4), max_depth=3, check=False)
    monkeypatch.setattr("conjunct.certificates.certify.jobs_for", lambda _: jobs)
    found = checked(certificate)
    assert found.certified
    assert found.text() == certificate.text()
    raised = replace(certificate, header=certificate.header | {"lower": str(certificate.bound + 1)})
    with pytest.raises(CertificateError) as refused:
        run_checker(raised, limit=600, jobs=jobs)
    assert refused.value.code == checker.REJECTED


def test_an_interrupt_ends_every_process_of_the_checker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = tmp_path / "numbers"
    (tmp_path / "endless.py").write_text(ENDLESS.format(path=str(numbers)))
    monkeypatch.setattr(checker, "__file__", str(tmp_path / "endless.py"))
    certificate = certify_tree(*parity(2), check=False)

    def interrupt(*_: object) -> None:
        if numbers.exists():
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
        with pytest.raises(KeyboardInterrupt):
            run_checker(certificate, limit=600, jobs=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    processes, start = numbers.read_text().split(), monotonic()
    while any(map(is_alive, processes)) and monotonic() < start + 60:
        sleep(0.05)
    assert len(processes) == 2
    assert not any(map(is_alive, processes))
