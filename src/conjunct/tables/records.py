"""Delimited text split into records by plain Python: the definition, and what explains a refusal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conjunct.files.compressed import MAX_LINE_BYTES, refusal
from conjunct.messages import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["DELIMITERS", "delimiter_of", "records"]

DELIMITERS = "\t;|,"  # in the order in which they are looked for

_QUOTED = re.compile(r'"[^"]*"')


def delimiter_of(first: str, second: str = "") -> str:
    """Return the character that separates the entries of the first line: what stands between quotes does not count."""
    outside, below = (_QUOTED.sub("", line) for line in (first, second))
    signs = [sign for sign in DELIMITERS if sign in outside]
    if len(signs) > 1:
        signs = [sign for sign in signs if outside.count(sign) == below.count(sign)] or signs
    return signs[0] if signs else " "


def records(source: str, lines: Iterable[tuple[int, str]], delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the entries of each record with the line on which it starts; empty lines are no records."""
    numbered = iter(lines)
    if delimiter == " ":
        for line, text in numbered:
            if '"' in text:
                yield line, _quoted_words(source, line, text, numbered)
            elif entries := [entry for entry in text.replace("\t", " ").split(" ") if entry]:
                yield line, entries
        return
    blanks = " " if delimiter == "\t" else " \t"
    for line, text in numbered:
        if '"' in text:
            yield line, _quoted_entries(source, line, text, numbered, delimiter, blanks)
        elif " " in text or "\t" in text:
            if text.strip(blanks):
                yield line, [entry.strip(blanks) for entry in text.split(delimiter)]
        elif text:
            yield line, text.split(delimiter)


def _quoted_entries(
    source: str, line: int, text: str, lines: Iterator[tuple[int, str]], delimiter: str, blanks: str
) -> list[str]:
    """Return the entries of a record that has a quote, reading on over line ends between quotes."""
    entries: list[str] = []
    position = 0
    while True:
        begin = position
        while text[begin : begin + 1] in blanks and begin < len(text):
            begin += 1
        if text.startswith('"', begin):
            content, text, position = _quoted_entry(source, line, text, begin + 1, lines)
            entry, position, is_last = _next_entry(text, position, delimiter)
            if entry.strip(blanks):
                what = f"{quoted(entry)} after a closing quote, expected {quoted(delimiter)} or the end of the line"
                raise refusal(source, line, what)
        else:
            entry, position, is_last = _next_entry(text, position, delimiter)
            content = entry.strip(blanks)
        entries.append(content)
        if is_last:
            return entries


def _quoted_words(source: str, line: int, text: str, lines: Iterator[tuple[int, str]]) -> list[str]:
    """Return the entries of a record between blanks that has a quote, reading on over line ends between quotes."""
    entries: list[str] = []
    position = 0
    while True:
        while text[position : position + 1] in (" ", "\t"):
            position += 1
        if position == len(text):
            return entries
        if text.startswith('"', position):
            content, text, position = _quoted_entry(source, line, text, position + 1, lines)
            end = _end_of_word(text, position)
            if end > position:
                what = f"{quoted(text[position:end])} after a closing quote, expected a blank or the end of the line"
                raise refusal(source, line, what)
        else:
            end = _end_of_word(text, position)
            content, position = text[position:end], end
        entries.append(content)


def _end_of_word(text: str, position: int) -> int:
    ends = [end for end in (text.find(" ", position), text.find("\t", position)) if end >= 0]
    return min(ends, default=len(text))


def _next_entry(text: str, position: int, delimiter: str) -> tuple[str, int, bool]:
    """Return what stands before the next delimiter, the place after it, and whether the line ends instead."""
    end = text.find(delimiter, position)
    return (text[position:], len(text), True) if end < 0 else (text[position:end], end + 1, False)


def _quoted_entry(
    source: str, line: int, text: str, position: int, lines: Iterator[tuple[int, str]]
) -> tuple[str, str, int]:
    """Return the content of the quotes opened before the position, the line they end on, and where on it."""
    parts: list[str] = []
    n_characters = 0
    while True:
        end = text.find('"', position)
        if end >= 0 and text.startswith('""', end):
            parts.append(text[position : end + 1])
            position = end + 2
        elif end >= 0:
            parts.append(text[position:end])
            return "".join(parts), text, end + 1
        else:
            parts.append(text[position:] + "\n")
            n_characters += len(parts[-1])
            _, following = next(lines, (0, None))
            if following is None or n_characters > MAX_LINE_BYTES:
                raise refusal(source, line, "a quote is opened and not closed, expected a closing quote")
            text, position = following, 0
