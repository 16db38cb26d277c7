"""The tokens of formulas, and refusals that show where a text goes wrong."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from unicodedata import combining, east_asian_width

from conjunct.errors import FormulaError
from conjunct.logic.formula import members, unknown_variable
from conjunct.logic.spelling import CONNECTIVES, ESCAPES, is_plain
from conjunct.messages import printable, shortened

__all__ = ["MAX_DEPTH", "Scanner", "Token"]

MAX_DEPTH = 200  # levels of nesting; what is written by hand or printed by us has a few
SYMBOLS = (">=", "->", *"+-*?:;()~!&|^=")  # the longer ones first
WORDS = {"true": "1", "false": "0", "xor": "^", "implies": "->"}  # names, unless a sign is expected: then it is offered
MAX_DIGITS = 4000  # of a number, above and below the bar of a fraction
SHOWN_CHARACTERS = 60  # characters of the text that a refusal shows


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a formula: its kind is "name", "number", "end", or the symbol itself."""

    kind: str
    text: str
    start: int


class Scanner:
    r"""Read a text token by token.

    Parameters
    ----------
    text : str
        Names (plain, or in double quotes), numbers (``12``, ``3/2``) and the symbols
        ``+ - * >= ? : -> ; ( ) ~ & | ^ =``; ``!`` is read as ``~``, and the words ``and``, ``or`` and ``not`` as the
        signs ``&``, ``|`` and ``~``.
    names : iterable of str, optional
        The variables there are; `variable` refuses another one. Any name when left out.

    Attributes
    ----------
    token : Token
        The one that comes next.

    Examples
    --------
    >>> scanner = Scanner('2*a >= 3/2')
    >>> scanner.number(), scanner.skip("*"), scanner.variable(), scanner.take(">=").kind, scanner.number()
    (Fraction(2, 1), True, 'a', '>=', Fraction(3, 2))
    >>> scanner.finish()
    >>> Scanner("a & b").take("(")
    Traceback (most recent call last):
    conjunct.errors.FormulaError: expected '(', found 'a' (character 1)
      a & b
      ^
    """

    def __init__(self, text: str, names: Iterable[str] | None = None) -> None:
        if not isinstance(text, str):
            raise FormulaError(f"a formula is read from a text, got {shortened(text)}")
        self.text = text
        self.names = None if names is None else _texts(names)
        self._known = frozenset(self.names or ())
        self._position = 0
        self.token = self._scanned()

    def at(self, *kinds: str) -> bool:
        """Return whether a token of one of these kinds comes next."""
        return self.token.kind in kinds

    def advance(self) -> Token:
        """Return the next token and go past it; the end is never passed."""
        token = self.token
        if token.kind != "end":
            self.token = self._scanned()
        return token

    def skip(self, kind: str) -> bool:
        """Go past the next token if it is of that kind; return whether it was."""
        is_next = self.token.kind == kind
        if is_next:
            self.advance()
        return is_next

    def take(self, kind: str, what: str = "") -> Token:
        """Return the next token, which must be of that kind, and go past it."""
        if self.token.kind != kind:
            raise self.unexpected(what or f"'{kind}'")
        return self.advance()

    def variable(self) -> str:
        """Read the name of a variable."""
        if not self.at("name"):
            raise self.unexpected("a variable")
        if self.names is not None and self.token.text not in self._known:
            raise self.refusal(str(unknown_variable(self.token.text, self.names)), self.token.start)
        return self.advance().text

    def number(self) -> Fraction:
        """Read an integer or a fraction, without a sign."""
        return Fraction(self.take("number", "a number").text)

    def finish(self, what: str = "the end") -> None:
        """Require that nothing is left."""
        if not self.at("end"):
            raise self.unexpected(what)

    def unexpected(self, what: str) -> FormulaError:
        """Return the refusal of the next token where something else was expected."""
        token = self.token
        if token.kind == "end":
            shown = "the end of the text"
        else:
            shown = repr(printable(self.text[token.start : self._position][:SHOWN_CHARACTERS]))
        symbol = WORDS.get(token.text.lower()) if token.kind == "name" else None
        return self.refusal(f"expected {what}, found {shown}{f'; write {symbol}' if symbol else ''}", token.start)

    def refusal(self, what: str, start: int) -> FormulaError:
        """Return an error that says what is wrong, and shows the text with a caret under that place."""
        low = max(0, min(start - SHOWN_CHARACTERS // 2, len(self.text) - SHOWN_CHARACTERS))
        high = min(len(self.text), low + SHOWN_CHARACTERS)
        before, after = (
            "".join(sign if sign.isprintable() else "?" for sign in part)
            for part in (self.text[low:start], self.text[start:high])
        )
        before = f"{'…' if low else ''}{before}"
        shown = f"{before}{after}{'…' if high < len(self.text) else ''}"
        return FormulaError(f"{what} (character {start + 1})\n  {shown}\n  {' ' * sum(map(_width, before))}^")

    def _scanned(self) -> Token:
        """Return the token at the place reached, and go past it."""
        text = self.text
        while self._position < len(text) and text[self._position].isspace():
            self._position += 1
        start = self._position
        if start == len(text):
            return Token("end", "", start)
        if text[start] == '"':
            return self._quoted(start)
        if text[start].isascii() and text[start].isdigit():
            return self._numeral(start)
        if is_plain(text[start]):
            self._position = _plain_end(text, start)
            word = text[start : self._position]
            return Token(CONNECTIVES.get(word.lower(), "name"), word, start)
        for symbol in SYMBOLS:
            if text.startswith(symbol, start):
                self._position = start + len(symbol)
                return Token("~" if symbol == "!" else symbol, symbol, start)
        raise self.refusal(f"{printable(text[start])!r} has no meaning here; a name with it goes in quotes", start)

    def _quoted(self, start: int) -> Token:
        text, position, signs = self.text, start + 1, []
        while position < len(text) and text[position] != '"':
            sign, position = self._escaped(position) if text[position] == "\\" else (text[position], position + 1)
            signs.append(sign)
        if position >= len(text):
            raise self.refusal("the quote that opens here is never closed", start)
        self._position = position + 1
        return Token("name", "".join(signs), start)

    def _escaped(self, position: int) -> tuple[str, int]:
        r"""Return what a backslash and its signs stand for, and where they end."""
        text, kind = self.text, self.text[position + 1 : position + 2]
        if kind in ESCAPES:
            return ESCAPES[kind], position + 2
        close = text.find("}", position, position + 11)
        digits = text[position + 3 : close]
        if text.startswith("\\u{", position) and close > 0 and digits and set(digits) <= set("0123456789abcdefABCDEF"):
            code = int(digits, 16)
            if code <= 0x10FFFF:
                return chr(code), close + 1
        raise self.refusal(
            r"a backslash in quotes stands before \, a quote, n, r or u{code}; write \\ for one", position
        )

    def _numeral(self, start: int) -> Token:
        text = self.text
        end = longest = _digits_end(text, start)
        if end < len(text) and text[end] == "/":
            below = _digits_end(text, end + 1)
            if below == end + 1 or not text[end + 1 : below].strip("0"):
                raise self.refusal("a fraction needs a number other than 0 below its bar", start)
            longest = max(end - start, below - end - 1) + start
            end = below
        if end < len(text) and (text[end].isalnum() or text[end] in "_."):
            raise self.refusal("a number ends in a digit, and a name that starts with one goes in quotes", start)
        self._position = end
        if longest - start > MAX_DIGITS:
            raise self.refusal(f"a number of more than {MAX_DIGITS} digits is not read", start)
        return Token("number", text[start:end], start)


def _texts(names: Iterable[str]) -> tuple[str, ...]:
    texts = members(names, "names are texts")
    for name in texts:
        if not isinstance(name, str):
            raise FormulaError(f"names are texts, got {shortened(name)}")
    return texts


def _plain_end(text: str, start: int) -> int:
    end = start + 1
    while end < len(text) and (text[end].isalnum() or text[end] in "_."):
        end += 1
    return end


def _digits_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and text[end].isascii() and text[end].isdigit():
        end += 1
    return end


def _width(sign: str) -> int:
    """Return how many columns of a terminal a character fills."""
    return 0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1
