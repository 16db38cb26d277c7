from __future__ import annotations

import json
import sys
from enum import IntEnum
from typing import TYPE_CHECKING

import pytest

from conjunct.errors import ModelFileError
from conjunct.files.canonical_json import MAX_DEPTH, MAX_DIGITS, decode, encode, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Kind(IntEnum):
    LINEAR = 1


@pytest.fixture(params=[640, 4300, 0], ids=lambda limit: f"interpreter limit {limit}")
def digit_limit(request: pytest.FixtureRequest) -> Iterator[int]:
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(request.param)
    yield request.param
    sys.set_int_max_str_digits(before)


def in_lists(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def in_mappings(levels: int) -> object:
    value: object = 1
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (-17, "-17"),
        (Kind.LINEAR, "1"),
        (0.1, "0.1"),
        (-0.0, "-0.0"),
        (1e22, "1e+22"),
        (5e-324, "5e-324"),
        ("", '""'),
        ('a"\n\x00é\U0001f600', '"a\\"\\n\\u0000\\u00e9\\ud83d\\ude00"'),
        ([], "[]"),
        ((1, "a"), '[1,"a"]'),
        ({}, "{}"),
        ({"b": 1, "a": {"d": [], "c": 2}}, '{"a":{"c":2,"d":[]},"b":1}'),
    ],
)
def test_every_value_has_one_spelling(value: object, text: str) -> None:
    assert encode(value) == text
    assert decode(text) == (list(value) if isinstance(value, tuple) else value)


@pytest.mark.parametrize("n_digits", [599, 600, 601, 640, 641, 1200, 3999, MAX_DIGITS])
@pytest.mark.parametrize("sign", [1, -1])
def test_long_integers_are_exact_whatever_the_interpreter_allows(n_digits: int, sign: int, digit_limit: int) -> None:
    for number in (sign * 10 ** (n_digits - 1), sign * (10**n_digits - 1)):
        text = encode(number)
        assert len(text) == n_digits + (sign < 0)
        assert text.removeprefix("-") == ("1" + "0" * (n_digits - 1) if number % 10 == 0 else "9" * n_digits)
        assert decode(text) == number


def test_integers_with_zeros_inside_are_exact() -> None:
    number = 7 * 10**1800 + 3 * 10**600 + 5
    assert encode(number) == "7" + "0" * 1199 + "3" + "0" * 599 + "5"
    assert decode(encode(number)) == number


@pytest.mark.parametrize("sign", [1, -1])
def test_an_integer_past_the_bound_is_not_written(sign: int) -> None:
    with pytest.raises(ModelFileError, match="expected at most 4000 digits"):
        encode(sign * 10**MAX_DIGITS)


@pytest.mark.parametrize("nested", [in_lists, in_mappings])
def test_nesting_ends_at_the_bound_in_both_directions(nested: Callable[[int], object]) -> None:
    deepest = nested(MAX_DEPTH)
    assert decode(encode(deepest)) == deepest
    with pytest.raises(ModelFileError, match="deeper than 16"):
        encode(nested(MAX_DEPTH + 1))
    with pytest.raises(ModelFileError, match="deeper than 16"):
        decode(json.dumps(nested(MAX_DEPTH + 1), separators=(",", ":")))


def test_brackets_inside_strings_and_side_by_side_do_not_nest() -> None:
    value = [["[" * 50, '"[\\"' * 50, "\\"], *[[{}] for _ in range(50)]]
    assert decode(encode(value)) == value


def test_a_value_that_contains_itself_is_refused() -> None:
    circle: list[object] = []
    circle.append(circle)
    with pytest.raises(ModelFileError, match="deeper than 16"):
        encode(circle)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (float("nan"), "the number nan, expected finite"),
        (float("-inf"), "the number -inf, expected finite"),
        (b"bytes", "holds a bytes, expected"),
        ({1: "a"}, "key of type int, expected text"),
        ({"a": {2.5}}, "holds a set, expected"),
        ("\ud800", "half of a surrogate pair"),
        ({"\udfff": 1}, "half of a surrogate pair"),
    ],
)
def test_what_json_cannot_carry_back_is_not_written(value: object, message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        encode(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON at character 0"),
        ("[1,", "not JSON at character 3"),
        ("[1]]", "not JSON at character 3"),
        ("\ufeff[]", "not JSON at character 0"),
        ('"a\nb"', "not JSON"),
        ('"' + '\\"' * 400_000, "not JSON at character 0"),
        ('{"a":1,"a":1}', "repeats the key 'a'"),
        ('{"a":1,"\\u0061":2}', "repeats the key 'a'"),
        ("NaN", "holds NaN"),
        ("[-Infinity]", "holds -Infinity"),
        ("1e999", "past the float range"),
        ("[-1e999]", "past the float range"),
        ("1" * (MAX_DIGITS + 1), "number of 4001 digits"),
        ("-" + "1" * (MAX_DIGITS + 1), "number of 4001 digits"),
        ("0." + "1" * MAX_DIGITS, "number of 4002 digits"),
        ("[" * 100_000, "deeper than 16"),
        ('{"a":' * 100_000, "deeper than 16"),
        ("[" + "[]," * 20 + "[" * 16, "deeper than 16"),
        ('"\\ud800"', "half of a surrogate pair"),
        ("[1, 2]", "another spelling"),
        ("[]\n", "another spelling"),
        ('{"b":1,"a":1}', "another spelling"),
        ("-0", "another spelling"),
        ("1.50", "another spelling"),
        ("1E5", "another spelling"),
        ('"é"', "another spelling"),
        ('"\\u0041"', "another spelling"),
        ('"\\/"', "another spelling"),
    ],
    ids=lambda text: text[:20],
)
def test_every_other_text_is_refused_on_one_line(text: str, message: str) -> None:
    with pytest.raises(ModelFileError, match=message) as caught:
        decode(text)
    assert "\n" not in str(caught.value)
    assert ", expected " in str(caught.value)


def test_quoted_text_is_short_and_harmless() -> None:
    assert quoted("a" * 40) == "'" + "a" * 40 + "'"
    assert quoted("a" * 41) == "'" + "a" * 37 + "...'"
    assert quoted("\x1b[2J\né") == r"'\x1b[2J\n\xe9'"
