"""Numbers past floats as options: a refusal of one short line, or an exact result, and never a bug."""

from __future__ import annotations

from pathlib import Path

import pytest

from conjunct.cli.command import run

HUGE = ("1" + "0" * 500, "-1" + "0" * 400, "1" + "0" * 5000, "1/1" + "0" * 900, "1" + "0" * 999)
OPTIONS = {
    "kernel-perceptron": ("--threshold", "--learning-rate", "--costs", "--max-size", "--max-passes"),
    "perceptron": ("--threshold", "--learning-rate", "--constant", "--thickness", "--max-passes"),
    "winnow": ("--threshold", "--promotion", "--initial-weight", "--thickness"),
    "winnow --variant normalised": ("--initial-weight", "--promotion"),
    "winnow --variant positive": ("--initial-weight", "--demotion", "--threshold"),
    "svc": ("--lam", "--costs", "--tol", "--time-limit", "--max-size"),
    "svc --solver margin": ("--lam", "--costs"),
    "svc --solver perceptron": ("--lam", "--costs"),
    "svc-cv": ("--lams", "--max-sizes", "--costs"),
    "mask": ("--lam", "--min-gain", "--max-terms", "--max-size"),
}


@pytest.mark.parametrize("learner", OPTIONS)
def test_a_huge_option_is_refused_in_one_short_line_or_taken_exactly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], learner: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.txt").write_text("+1 1:1\n-1 2:1\n+1 1:1 3:1\n-1 2:1 3:1\n" * 5)
    for option in OPTIONS[learner]:
        for value in HUGE:
            code = run(
                ["fit", "t.txt", "--no-validation", "--quiet", "-o", "m", "--learner", *learner.split(), option, value]
            )
            err = capsys.readouterr().err
            assert code in (0, 2), (option, value[:9], err[:200])
            assert "bug" not in err
            if code == 2:
                assert err.count("\n") == 1
                assert len(err) < 300, (option, value[:9], err[:100])
            else:
                assert run(["predict", "m", "t.txt", "--json", "--quiet"]) == 0
                assert "Infinity" not in capsys.readouterr().out
