"""JSON with one spelling per value: bounded in depth and digits, exact for integers of any interpreter limit."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import NoReturn

from conjunct.errors import ModelFileError
from conjunct.messages import shortened

__all__ = ["MAX_DEPTH", "MAX_DIGITS", "decode", "encode", "quoted"]

MAX_DEPTH = 16
MAX_DIGITS = 4000  # fewer than Python prints, 4300, unless it is told otherwise

# Python converts up to 640 digits whatever sys.set_int_max_str_digits says; longer integers go piece by piece.
_PIECE_DIGITS = 600
_PIECE = 10**_PIECE_DIGITS
_TOO_LARGE = 10**MAX_DIGITS

# A string, closed or not, or one bracket. Possessive, hence linear in the text.
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def encode(value: object) -> str:
    """Return the one spelling of the value: sorted keys, no blanks, ASCII, shortest exact floats.

    Parameters
    ----------
    value : object
        Nested mappings with text keys, lists, tuples, text, integers, finite floats, bools and None.

    Returns
    -------
    str
        JSON in ASCII.

    Raises
    ------
    ModelFileError
        The value holds something else, or is deeper or longer than the bounds.

    Examples
    --------
    >>> encode({"b": (1, 2.5), "a": None})
    '{"a":null,"b":[1,2.5]}'
    """
    return _encode(value, MAX_DEPTH)


def decode(text: str) -> object:
    """Return the value behind a text that :func:`encode` made.

    Parameters
    ----------
    text : str
        JSON in its one spelling.

    Returns
    -------
    object
        Nested dicts, lists, text, integers, finite floats, bools and None.

    Raises
    ------
    ModelFileError
        The text is not JSON, is spelled in another way, repeats a key, holds NaN or an infinity, or passes the bounds.

    Examples
    --------
    >>> decode('{"a":null,"b":[1,2.5]}')
    {'a': None, 'b': [1, 2.5]}
    """
    _require_depth(text)
    try:
        value: object = json.loads(
            text,
            parse_int=_integer,
            parse_float=_finite,
            parse_constant=_no_constant,
            object_pairs_hook=_without_repeats,
        )
    except json.JSONDecodeError as error:
        raise ModelFileError(f"the header is not JSON at character {error.pos}, expected valid JSON") from None
    if encode(value) != text:
        raise ModelFileError("the header is JSON in another spelling, expected sorted keys, no blanks and plain ASCII")
    return value


def quoted(text: str) -> str:
    """Return foreign text for a message: cut to 40 characters, in quotes, on one line and in ASCII."""
    return ascii(text if len(text) <= 40 else text[:37] + "...")


def _encode(value: object, levels: int) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _decimal(value)
    if isinstance(value, float):
        return _shortest(value)
    if isinstance(value, str):
        return _string(value)
    if not isinstance(value, Mapping | list | tuple):
        raise ModelFileError(f"the header holds a {type(value).__name__}, expected text, numbers, lists and mappings")
    if levels == 0:
        raise ModelFileError(f"the header nests deeper than {MAX_DEPTH} levels, expected at most {MAX_DEPTH}")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise ModelFileError(f"the header has a key of type {type(key).__name__}, expected text")
        return "{" + ",".join(f"{_string(key)}:{_encode(value[key], levels - 1)}" for key in sorted(value)) + "}"
    return "[" + ",".join(_encode(item, levels - 1) for item in value) + "]"


def _string(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ModelFileError(f"the header holds half of a surrogate pair in {quoted(text)}, expected text") from None
    return json.dumps(text)


def _shortest(number: float) -> str:
    if not math.isfinite(number):
        raise ModelFileError(f"the header holds the number {shortened(float(number))}, expected finite numbers only")
    return float.__repr__(number)


def _decimal(number: int) -> str:
    rest = abs(number)
    if rest >= _TOO_LARGE:
        raise ModelFileError(f"the header holds an integer too long, expected at most {MAX_DIGITS} digits")
    pieces: list[str] = []
    while rest >= _PIECE:
        rest, low = divmod(rest, _PIECE)
        pieces.append(str(low).zfill(_PIECE_DIGITS))
    return ("-" if number < 0 else "") + str(rest) + "".join(reversed(pieces))


def _integer(text: str) -> int:
    digits = text.removeprefix("-")
    _require_digits(digits)
    head = len(digits) % _PIECE_DIGITS
    value = int(digits[:head] or "0")
    for start in range(head, len(digits), _PIECE_DIGITS):
        value = value * _PIECE + int(digits[start : start + _PIECE_DIGITS])
    return -value if text.startswith("-") else value


def _finite(text: str) -> float:
    _require_digits(text)
    value = float(text)
    if not math.isfinite(value):
        raise ModelFileError(f"the header holds {quoted(text)}, past the float range, expected finite numbers only")
    return value


def _require_digits(text: str) -> None:
    if len(text) > MAX_DIGITS:
        raise ModelFileError(f"the header holds a number of {len(text)} digits, expected at most {MAX_DIGITS}")


def _no_constant(text: str) -> NoReturn:
    raise ModelFileError(f"the header holds {text}, expected finite numbers only")


def _without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value: dict[str, object] = {}
    for key, item in pairs:
        if key in value:
            raise ModelFileError(f"the header repeats the key {quoted(key)}, expected every key once")
        value[key] = item
    return value


def _require_depth(text: str) -> None:
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        match token[0]:
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
        if depth > MAX_DEPTH:
            raise ModelFileError(f"the header nests deeper than {MAX_DEPTH} levels, expected at most {MAX_DEPTH}")
