"""How long a check is predicted to take: in proportion to what the certificate announces, and refused above a limit.

What a step takes is measured now and then, so no test here knows it: they compare predictions with each other.
"""

import json

import pytest

from conjunct.certificates import checker
from reference.changed_certificates import XOR
from reference.plain_frontiers import frontier_text
from reference.plain_trees import PlainTable, certificate_text

MANY = 10**15
FOUR = ["0", "1", "2", "3"]
MATRIX = [["0" if i == k else "1" for k in range(4)] for i in range(4)]


@pytest.fixture
def written(tmp_path):
    def write(n_pairs=0, n_splits=0, n_lemmas=0, **changes):
        """A certificate that announces some work; its claim is not looked at before the work is predicted."""
        if changes.get("kind") == "frontier":
            text = frontier_text(PlainTable(XOR.rows, XOR.labels), 4, lower=["0"])
        else:
            text = certificate_text(XOR, 2)
        header = json.dumps(json.loads(text.split("\n")[0]) | changes, separators=(",", ":"))
        path = tmp_path / "certificate"
        path.write_text("\n".join([header, *["E 2 4"] * n_lemmas, f"end {n_lemmas} {n_pairs} {n_splits}", ""]))
        return str(path)

    return write


@pytest.fixture
def seconds(written):
    def predicted(*work, jobs=None, **changes):
        with pytest.raises(checker.CheckError, match="predicted") as caught:
            checker.check(written(*work, **changes), "", **{} if jobs is None else {"jobs": jobs}, limit=-1)
        code, words = caught.value.args
        assert code == 3
        return int(words.split()[1])

    return predicted


def test_the_seconds_grow_with_pairs_and_splits(seconds):
    pairs, splits = seconds(MANY), seconds(0, MANY)
    assert splits > pairs > 0
    assert seconds(3 * MANY) == pytest.approx(3 * pairs)
    assert seconds(0, 3 * MANY) == pytest.approx(3 * splits)
    assert seconds(MANY, MANY) == pytest.approx(pairs + splits)


def test_the_seconds_grow_with_rows(seconds):
    few, many = seconds(MANY), seconds(MANY, rows=10**30)
    assert many > 10**6 * few
    assert seconds(MANY, rows=3 * 10**30) == pytest.approx(3 * many)


def test_each_lemma_splits_by_each_test(seconds):
    rows = 10**30
    own = seconds(0, 0, 3, rows=rows)
    assert own > 0
    assert seconds(0, 0, 9, rows=rows) == pytest.approx(3 * own)
    tests = [[f"x{k}"] for k in range(6)]
    assert seconds(0, 0, 3, rows=rows, tests=tests) == pytest.approx(3 * own)
    assert seconds(MANY, 0, 3, rows=rows) == pytest.approx(own + seconds(MANY, rows=rows))


def test_the_seconds_grow_with_classes_and_their_square_if_there_is_a_cost_matrix(seconds):
    for kind in ("tree", "partition"):
        two, four = seconds(MANY, kind=kind), seconds(MANY, kind=kind, classes=FOUR)
        assert four == pytest.approx(2 * two, rel=0.01)
        matrix = seconds(MANY, kind=kind, classes=FOUR, cost_matrix=MATRIX)
        assert matrix == pytest.approx(4 * four, rel=0.01)
        assert seconds(MANY, kind=kind, min_samples_leaf=2) == two


def test_frontiers_of_several_classes_or_of_large_leaves_take_longer(seconds):
    plain = seconds(MANY, kind="frontier")
    assert plain > 0
    assert seconds(3 * MANY, kind="frontier") == pytest.approx(3 * plain)
    assert seconds(MANY, kind="frontier", min_samples_leaf=2) > plain
    assert seconds(MANY, kind="frontier", classes=["0", "1", "2"]) > 1.6 * plain  # the classes alone are 1.5 times


def test_processes_share_the_seconds(seconds):
    own = seconds(MANY)
    assert seconds(MANY, jobs=1) == own
    assert seconds(MANY, jobs=4) == own // 4


def test_the_command_takes_one_process_unless_told(seconds, written, capsys):
    own = seconds(MANY)
    for jobs, options in ((1, []), (4, ["--jobs", "4"])):
        assert checker.main([written(MANY), "", *options]) == 3
        assert capsys.readouterr().err.startswith(f"not checked: about {own // jobs} s predicted, the limit is 600;")


def test_a_check_is_refused_above_the_limit_alone(seconds, written, tmp_path):
    own, rows = seconds(MANY), str(tmp_path / "nothing")
    words = f"about {own} s predicted, the limit is {own - 1}; --limit {own} allows it"
    with pytest.raises(checker.CheckError) as caught:
        checker.check(written(MANY), rows, limit=own - 1)
    assert caught.value.args == (3, words)
    for limit in (own, own + 1, None):
        with pytest.raises(FileNotFoundError):
            checker.check(written(MANY), rows, limit=limit)
    with pytest.raises(FileNotFoundError):  # a million pairs are no long check
        checker.check(written(10**6), rows)
