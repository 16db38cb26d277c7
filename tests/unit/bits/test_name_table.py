from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from itertools import combinations

import numpy as np
import pytest

from conjunct import _core
from conjunct.bits import NameTable
from conjunct.errors import BitsError, MemoryLimitError, SettingError

STRANGE = ["a", "b", 1, -7, (1, "x"), (), None, frozenset({"p", "q"}), 2.5, b"bytes", 10**30]


def random_examples(seed, n_examples=60, n_names=25, mean=4):
    random = np.random.RandomState(seed)
    return [{f"w{k}" for k in np.flatnonzero(random.rand(n_names) < mean / n_names)} for _ in range(n_examples)]


def lists(rows):
    return [rows.row(i).tolist() for i in range(rows.n_rows)]


# Names


def test_any_hashable_names_are_told_apart():
    table = NameTable()
    rows = table.rows([{name} for name in STRANGE] + [set(STRANGE)])
    assert lists(rows) == [[k] for k in range(len(STRANGE))] + [list(range(len(STRANGE)))]
    assert table.names == tuple(STRANGE)
    assert table.n_variables == rows.n_variables == len(STRANGE)


def test_names_that_python_calls_equal_are_one():
    assert lists(NameTable().rows([{1}, {1.0}, {True}, {"1"}])) == [[0], [0], [0], [1]]


def test_many_names_do_not_collide():
    names = [f"n{k}" for k in range(60_000)] + list(range(60_000)) + [(k, "t") for k in range(60_000)]
    table = NameTable()
    rows = table.rows([set(names[k : k + 7]) for k in range(0, len(names), 7)])
    assert table.n_variables == len(names)
    numbers = {name: number for number, name in enumerate(table.names)}
    assert len(numbers) == len(names)
    for i in (0, 9_000, rows.n_rows - 1):
        assert rows.row(i).tolist() == sorted(numbers[name] for name in names[7 * i : 7 * i + 7])


class Crowded:
    """A name whose hash is that of all others."""

    def __init__(self, label):
        self.label = label

    def __hash__(self):
        return 7

    def __eq__(self, other):
        if not isinstance(other, Crowded):
            return NotImplemented
        if "bad" in (self.label, other.label):
            raise RuntimeError("not comparable")
        return self.label == other.label


def test_names_of_one_hash_are_told_apart_by_what_they_are():
    table = NameTable()
    first = table.rows([{Crowded(k): 1 for k in range(50)}, {7: 1}])
    assert lists(first) == [list(range(50)), [50]]
    assert lists(table.rows([{Crowded(k): 1 for k in range(49, 39, -1)}], grows=False)) == [list(range(40, 50))]


def test_a_comparison_that_fails_comes_through_and_leaves_the_table():
    table = NameTable()
    table.rows([{Crowded(1)}])
    with pytest.raises(RuntimeError, match="not comparable"):
        table.rows([{"new"}, {Crowded("bad")}])
    assert len(table.names) == 1


def test_names_that_are_forgotten_are_let_go():
    name = Crowded(3)
    table, held = NameTable(), sys.getrefcount(name)
    with suppress(BitsError):
        table.rows([{name}, 5])
    assert (sys.getrefcount(name), table.n_variables) == (held, 0)
    table.rows([{name}])
    assert sys.getrefcount(name) == held + 1
    del table
    assert sys.getrefcount(name) == held


@pytest.mark.parametrize("n_names", [2, 63, 64, 65, 300])
def test_rows_are_sorted_however_long(n_names):
    table = NameTable()
    table.rows([{f"w{k}": 1 for k in range(n_names)}])
    order = np.random.RandomState(n_names).permutation(n_names + 5).tolist()  # five are not known
    rows = table.rows([{f"w{k}": 1 for k in order}], grows=False)
    assert lists(rows) == [[-1] * 5 + list(range(n_names))]


def test_many_conjunctions_do_not_collide():
    table = NameTable(max_size=2)
    table.rows([set(range(700))])
    assert table.n_variables == 700 + 700 * 699 // 2
    assert sorted(table.rows([set(range(700))], grows=False).row(0).tolist()) == list(range(table.n_variables))


SCRIPT = """
from conjunct.bits import NameTable
names = ["a", "b", "zz", 1, -7, (1, "x"), None, 2.5]
names += [frozenset({f"p{k}", f"q{k}", "r"}) for k in range(8)] + [(frozenset({"u", "v", f"{k}"}), 1) for k in range(8)]
table = NameTable(2)
rows = [set(names[k:k + 9]) for k in range(0, len(names) - 8, 3)]
print([table.rows([row]).row(0).tolist() for row in rows])
print([sorted(map(str, name)) if isinstance(name, frozenset) else str(name)[:3] for name in table.names])
"""


def test_numbers_do_not_depend_on_the_hash_seed():
    answers = set()
    for seed in ("0", "1", "2", "77"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        answers.add(done.stdout)
    assert len(answers) == 1


def test_reading_in_blocks_numbers_alike(monkeypatch):
    examples = random_examples(1)
    whole = NameTable(2).rows(examples)
    monkeypatch.setattr("conjunct.bits.name_table.EXAMPLES_PER_CALL", 7)
    assert lists(NameTable(2).rows(examples)) == lists(whole)
    table = NameTable(2)
    assert [table.rows([example]).row(0).tolist() for example in examples] == lists(whole)
    with pytest.raises(BitsError, match="example 30 is a int"):
        table.rows([*examples[:30], 5])


# Conjunctions


@pytest.mark.parametrize("max_size", [1, 2, 3, 4])
def test_conjunctions_are_all_combinations_of_the_names(max_size):
    table, examples = NameTable(max_size), random_examples(2)
    rows = table.rows(examples)
    numbers = {name: number for number, name in enumerate(table.names)}
    meaning = {}
    for i, example in enumerate(examples):
        held = sorted(numbers[name] for name in example)
        expected = [c for size in range(1, max_size + 1) for c in combinations(held, size)]
        places = rows.row(i).tolist()
        assert len(places) == len(set(places)) == len(expected)
        for place in places:
            meaning.setdefault(place, set(expected))
            meaning[place] &= set(expected)
    # Every variable is one combination: the one that is in each example that has the variable.
    owners = {}
    for i, example in enumerate(examples):
        held = sorted(numbers[name] for name in example)
        for size in range(1, max_size + 1):
            for combination in combinations(held, size):
                owners.setdefault(combination, set()).add(i)
    assert table.n_variables == len(owners)
    seen = {place: {i for i in range(rows.n_rows) if place in rows.row(i)} for place in range(table.n_variables)}
    assert sorted(map(sorted, seen.values())) == sorted(map(sorted, owners.values()))
    assert all(any(owners[c] == seen[place] for c in meaning[place]) for place in seen)


def test_a_conjunction_with_an_unseen_name_is_unseen():
    table = NameTable(2)
    table.rows([{"a", "b"}, {"c"}])
    rows = table.rows([{"a", "b", "new"}, {"a", "c"}, {"new", "newer"}], grows=False)
    assert [sorted(row) for row in lists(rows)] == [[-1, -1, -1, 0, 1, 2], [-1, 0, 3], [-1, -1, -1]]
    assert table.names == ("a", "b", "c")
    assert table.n_variables == 4


def test_unseen_names_are_minus_one_and_do_not_grow_the_table():
    table = NameTable()
    table.rows([{"a"}, {"b"}])
    assert lists(table.rows([{"b", "x", "y"}, {"x": 1, "a": 1}], grows=False)) == [[-1, -1, 1], [-1, 0]]
    assert table.names == ("a", "b")


# Values


def test_a_zero_is_absent_and_a_one_present():
    table = NameTable()
    values = {"a": 1, "b": 0, "c": True, "d": False, "e": 1.0, "f": np.int8(1), "g": np.float32(0), "h": np.True_}
    rows = table.rows([values])
    assert [table.names[k] for k in rows.row(0)] == ["a", "c", "e", "f", "h"]
    assert rows.values is None


def test_values_stay_with_their_names():
    table = NameTable()
    rows = table.rows([{"a": 0.5, "b": 0, "c": -2}, {"c": 3, "a": 1}, {"c"}], with_values=True)
    assert (lists(rows), rows.values.tolist()) == ([[0, 1], [0, 1], [1]], [0.5, -2, 1, 3, 1])
    assert table.names == ("a", "c")


@pytest.mark.parametrize(
    ("example", "with_values", "reason"),
    [
        ({"b": 0.5}, False, "example 1 has 0.5 for 'b', expected 0 or 1"),
        ({"b": 2}, False, "example 1 has 2 for 'b', expected 0 or 1"),
        ({"b": -1}, False, "example 1 has -1 for 'b', expected 0 or 1"),
        ({"b": float("nan")}, False, "example 1 has nan for 'b', expected 0 or 1"),
        ({"b": "1"}, False, "example 1 has '1' for 'b', expected 0 or 1"),
        ({"b": None}, True, "example 1 has None for 'b', expected a finite number"),
        ({"b": "1"}, True, "example 1 has '1' for 'b', expected a finite number"),
        ({"b": float("nan")}, True, "example 1 has nan for 'b', expected a finite number"),
        ({"b": float("-inf")}, True, "example 1 has -inf for 'b', expected a finite number"),
        (
            {"b": 10**400},
            True,
            "example 1 has 1000000000000000000000000000000000000000... for 'b', expected a finite number",
        ),
        ({"b\n": [1]}, True, "example 1 has [1] for 'b\\n', expected a finite number"),
        (["b"], False, "example 1 is a list, expected a set or a dict of names"),
        ("b", False, "example 1 is a str, expected a set or a dict of names"),
        (None, False, "example 1 is a NoneType, expected a set or a dict of names"),
        ({"b": 1}.keys(), False, "example 1 is a dict_keys, expected a set or a dict of names"),
    ],
)
def test_what_cannot_be_read_is_refused_by_example_and_leaves_the_table(example, with_values, reason):
    table = NameTable()
    table.rows([{"a"}])
    with pytest.raises(BitsError) as caught:
        table.rows([{"new"}, example], with_values=with_values)
    assert str(caught.value) == reason
    assert table.names == ("a",)
    assert lists(table.rows([{"new"}])) == [[1]]


class Unequal:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        raise ZeroDivisionError


def test_an_error_of_a_name_itself_comes_through_and_leaves_the_table():
    table = NameTable(2)
    table.rows([{1, "a"}])
    with pytest.raises(ZeroDivisionError):
        table.rows([{"b", "c"}, {Unequal()}])
    assert (len(table.names), table.n_variables) == (2, 3)
    assert sorted(table.rows([{"b", "a"}]).row(0).tolist()) == sorted([table.names.index("a"), 3, 4])


def test_values_and_conjunctions_do_not_go_together():
    with pytest.raises(SettingError, match="max_size=2: conjunctions are of names"):
        NameTable(2).rows([{"a": 0.5}], with_values=True)


@pytest.mark.parametrize("max_size", [0, -1, 1.0, "2", None, True])
def test_sizes_that_are_none_are_refused(max_size):
    with pytest.raises(SettingError, match="max_size="):
        NameTable(max_size)


# Limits


@pytest.mark.parametrize("max_size", [1, 2])
def test_a_full_table_refuses_by_example_and_stays_usable(max_size):
    table = NameTable(max_size, max_bytes=200 * 20)
    table.rows([{"a", "b"}])
    before = table.names, table.n_variables
    with pytest.raises(MemoryLimitError, match=r"example 3 brings more than 20 variables.*max_bytes"):
        table.rows([{"a"}, {"c"}, {"d"}, {f"x{k}" for k in range(20)}])
    assert (table.names, table.n_variables) == before
    assert table.rows([{"c"}, {"a", "b"}]).n_rows == 2
    assert lists(table.rows([{"unseen"}], grows=False)) == [[-1]]
    assert table.n_variables == before[1] + 1


def test_the_memory_limit_holds_where_none_is_given(monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "2000")
    with pytest.raises(MemoryLimitError, match="CONJUNCT_MEMORY"):
        NameTable().rows([set(range(11))])
    assert NameTable().rows([set(range(10))]).n_variables == 10


# Descriptions


@pytest.mark.parametrize("max_size", [1, 2, 3])
def test_a_described_table_goes_on_as_the_first_one(max_size):
    table = NameTable(max_size)
    table.rows(random_examples(3, 30))
    again = NameTable.from_contents(max_size, *table.contents())
    assert (again.names, again.n_variables) == (table.names, table.n_variables)
    more = random_examples(4, 30, 40)
    assert lists(again.rows(more, grows=False)) == lists(table.rows(more, grows=False))
    assert lists(again.rows(more)) == lists(table.rows(more))
    assert np.array_equal(again.contents()[1], table.contents()[1])


def key(parent, name):
    """Of the conjunction in a slot, or -1, and a name."""
    return (parent + 1) << 32 | name


@pytest.mark.parametrize(
    ("max_size", "names", "keys"),
    [
        (2, ["a", "a"], []),
        (1, ["a", "b"], [key(-1, 0)]),
        (2, ["a", "b"], [key(-1, 0), key(-1, 0)]),
        (2, ["a", "b"], [key(-1, 2)]),
        (2, ["a", "b"], [key(-1, 0), key(1, 1)]),
        (2, ["a", "b"], [key(-1, 0), key(7, 1)]),
        (2, ["a", "b"], [2**64 - 1]),
        (2, ["a", "b"], [key(-1, 1), key(0, 0)]),
        (2, ["a", "b"], [key(-1, 1), key(0, 1)]),
        (2, ["a", "b", "c"], [key(-1, 0), key(0, 1), key(1, 2)]),
    ],
)
def test_descriptions_of_no_table_are_refused(max_size, names, keys):
    with pytest.raises(BitsError, match="not those of a table"):
        NameTable.from_contents(max_size, names, np.array(keys, np.uint64))
    good = [key(-1, 0), key(-1, 1), key(0, 1)]
    assert NameTable.from_contents(2, ["a", "b"], np.array(good, np.uint64)).n_variables == 3


def test_descriptions_of_other_types_are_refused():
    for names, keys in ((("a",), np.zeros(0, np.uint64)), (["a"], np.zeros(0)), ([[]], np.zeros(0, np.uint64))):
        with pytest.raises(TypeError):
            NameTable.from_contents(2, names, keys)


def test_a_block_that_fails_forgets_its_names():
    for max_size in (1, 3):
        table = NameTable(max_size)
        first = table.rows(random_examples(5, 20, 12))
        keys = table.contents()[1]
        with suppress(KeyboardInterrupt), table.guarded():
            table.rows(random_examples(6, 40, 60))
            raise KeyboardInterrupt
        assert table.n_variables == first.n_variables
        assert np.array_equal(table.contents()[1], keys)
        assert lists(table.rows(random_examples(5, 20, 12), grows=False)) == lists(first)


@pytest.mark.parametrize("grows", [False, True])
def test_an_example_of_too_many_conjunctions_is_refused_before_they_are_made(grows, monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", str(200 << 20))
    table = NameTable(max_size=1_000_000)
    table.rows([{"a", "b"}])
    for n_names in (60, 3_000, 100_000):
        with pytest.raises(MemoryLimitError, match="example 1 brings more than"):
            table.rows([{"a"}, set(range(n_names))], grows=grows)
    assert table.n_variables == 3
    assert table.rows([set(range(15))], grows=grows).most_entries == 2**15 - 1


# Examples that change, or make their names, while they are read


def fresh_names(count, start="n"):
    return [f"{start}{k}".ljust(30, "x") for k in range(count)]


def test_names_that_a_set_makes_while_it_is_listed_are_held():
    class Made(set):
        def __iter__(self):
            return (name.upper() for name in fresh_names(30))

    table = NameTable()
    table.rows([Made({"a"})])
    others = fresh_names(1000, "N")
    assert sorted(table.contents()[0]) == sorted(name.upper() for name in fresh_names(30))
    assert len(others) == 1000


def test_names_are_held_where_reading_a_value_empties_the_example():
    class Emptying:
        def __float__(self):
            example.clear()
            self.others = fresh_names(1000, "other")
            return 1.0

    for _ in range(20):
        table = NameTable()
        names = fresh_names(11)
        example = dict.fromkeys(names[:-1], 1.0)
        example[names[-1]] = Emptying()
        expected = "".join(names)
        del names
        table.rows([example])
        assert "".join(table.contents()[0]) == expected


def test_names_are_held_where_comparing_one_empties_the_example():
    class Emptying:
        def __hash__(self):
            return hash("n5".ljust(30, "x"))

        def __eq__(self, other):
            example.clear()
            self.others = fresh_names(1000, "other")
            return False

    table, example = NameTable(), {}
    table.rows([{Emptying(): 1}])
    example.update(dict.fromkeys(fresh_names(11), 1))
    table.rows([example])
    assert table.contents()[0][1:] == fresh_names(11)


def test_a_list_of_names_that_empties_itself_is_read_no_further():
    class Emptying:
        def __hash__(self):
            names.clear()
            self.others = fresh_names(1000, "other")
            return 5

    names = [Emptying(), *fresh_names(50)]
    table = _core.NameTable(1, repr)
    assert table.restore(names, np.zeros(0, np.uint64))
    assert table.n_names == 1
