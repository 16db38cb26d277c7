"""What a command was doing when memory or a file failed it."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from conjunct.errors import SettingError
from conjunct.messages import printable

__all__ = ["doing", "reading"]

# A file that cannot be opened for one of these was named wrongly; for any other the run failed.
WRONG_NAME = {
    errno.ENOENT,
    errno.EISDIR,
    errno.ENOTDIR,
    errno.EACCES,
    errno.EPERM,
    errno.ELOOP,
    errno.ENAMETOOLONG,
    errno.ENXIO,
    errno.ENODEV,
}


@contextmanager
def doing(what: str) -> Iterator[None]:
    """Say what was being done when memory ran out, where whoever raised it does not say how much was asked for."""
    try:
        yield
    except MemoryError as error:
        if str(error) not in ("", "std::bad_alloc"):
            raise
        raise MemoryError(f"out of memory while {what}") from None


@contextmanager
def reading(source: str, expected: str) -> Iterator[None]:
    """Refuse a file that cannot be opened by its name, with what was expected."""
    try:
        with doing(f"reading {printable(source)}"):
            yield
    except OSError as error:
        if error.errno not in WRONG_NAME:
            raise
        raise SettingError(f"{source}: {error.strerror}, expected {expected}") from None
