"""The standard streams: output that is lost is an error with a name, and no file takes the place of a closed stream."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

__all__ = ["prepare_streams", "silence_stdout"]

STDIN, STDOUT, STDERR = 0, 1, 2


class StandardOutput(io.TextIOWrapper):
    """Standard output whose failures bear its name.

    The bytes below are written without Python: an interrupt there would have them written twice.
    """

    def write(self, text: str) -> int:
        """Write text."""
        with named():
            return super().write(text)

    def flush(self) -> None:
        """Write what is buffered."""
        with named():
            super().flush()


@contextmanager
def named() -> Iterator[None]:
    """Give errors the name of standard output."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output") from None


def prepare_streams() -> None:
    """Fill the places of closed streams, and let standard output say its name when it fails.

    A closed standard output is replaced by one that cannot be written to, so that only a command that has something
    to say fails. A closed standard error stays silent.
    """
    for descriptor, mode in ((STDIN, os.O_WRONLY), (STDOUT, os.O_RDONLY), (STDERR, os.O_WRONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)  # the lowest number that is free
    if sys.stdout is None or sys.stdout is sys.__stdout__:
        with suppress(OSError):
            if sys.stdout is not None:
                sys.stdout.flush()
        sys.stdout = StandardOutput(
            io.BufferedWriter(io.FileIO(STDOUT, "w", closefd=False)),
            encoding=None if sys.stdout is None else sys.stdout.encoding,
            errors=None if sys.stdout is None else sys.stdout.errors,
        )


def silence_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter's own last flush cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
