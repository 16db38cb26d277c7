"""How names are written in formulas."""

from __future__ import annotations

__all__ = ["CONNECTIVES", "is_plain", "spelled"]

CONNECTIVES = {"and": "&", "or": "|", "not": "~"}  # words, in any case, that stand for signs
ESCAPES = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}
_SPELLED = {sign: f"\\{letter}" for letter, sign in ESCAPES.items()}


def is_plain(name: str) -> bool:
    """Return whether a name needs no quotes: a letter or _, then letters, digits, _ and dots; no word for a sign.

    Examples
    --------
    >>> is_plain("worst_radius.2"), is_plain("2nd"), is_plain("radius<=16.8"), is_plain("Not"), is_plain("")
    (True, False, False, False, False)
    """
    if not name or name.lower() in CONNECTIVES:
        return False
    return (name[0].isalpha() or name[0] == "_") and all(sign.isalnum() or sign in "_." for sign in name)


def spelled(name: str) -> str:
    r"""Return a name as formulas show it: as it is, or in double quotes.

    Inside quotes ``\"``, ``\\``, ``\n`` and ``\r`` stand for what they do in Python, and ``\u{1b}`` for the
    character of that code: whatever does not print is written so.

    Examples
    --------
    >>> print(spelled("x1"), spelled('height<=3 "m"'), spelled("a\tb"))
    x1 "height<=3 \"m\"" "a\u{9}b"
    """
    return name if is_plain(name) else f'"{"".join(map(_sign, name))}"'


def _sign(sign: str) -> str:
    if sign in _SPELLED:
        return _SPELLED[sign]
    return sign if sign.isprintable() else f"\\u{{{ord(sign):x}}}"
