"""Text of other encodings as UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from conjunct.errors import SettingError
from conjunct.messages import shortened

__all__ = ["as_utf8", "encoding_setting"]


def encoding_setting(encoding: object) -> str | None:
    """Check the name of an encoding; None for UTF-8, which needs no change."""
    if encoding is None:
        return None
    try:
        name = codecs.lookup(str(encoding)).name
        "".encode(name)  # refuses what is no encoding of text
    except (LookupError, ValueError):
        reason = "expected the name of an encoding, such as utf-8, latin-1, cp1252 or utf-16"
        raise SettingError(f"encoding={shortened(encoding)}: {reason}") from None
    return None if name == "utf-8" else name


def as_utf8(pieces: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    r"""Yield bytes of an encoding as UTF-8; what it cannot stand for is a UnicodeDecodeError, after what is before it.

    Examples
    --------
    >>> b"".join(as_utf8(iter([b"caf\xe9"]), "latin-1"))
    b'caf\xc3\xa9'
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    for piece in pieces:
        state = decoder.getstate()
        try:
            yield decoder.decode(piece).encode()
        except UnicodeDecodeError as error:
            decoder.setstate(state)
            yield decoder.decode(piece[: error.start - len(state[0])]).encode()
            raise
    yield decoder.decode(b"", final=True).encode()
