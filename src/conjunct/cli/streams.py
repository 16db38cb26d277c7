"""The standard streams: output that is lost is an error with a name, and no file takes the place of a closed stream."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any

__all__ = ["prepare_streams", "silence_stdout"]

STDIN, STDOUT, STDERR = 0, 1, 2


class StandardOutput(io.FileIO):
    """Standard output whose failures bear its name."""

    def write(self, data: Any) -> int:
        """Write bytes."""
        try:
            return super().write(data)
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
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(StandardOutput(STDOUT, "w", closefd=False)),
            encoding=None if sys.stdout is None else sys.stdout.encoding,
            errors=None if sys.stdout is None else sys.stdout.errors,
        )


def silence_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter's own last flush cannot fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
