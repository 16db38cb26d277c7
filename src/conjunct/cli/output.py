"""What a command writes: a file looked at before any work is done for it."""

from __future__ import annotations

import os
import stat
from contextlib import suppress

from conjunct.errors import SettingError

__all__ = ["require_writable"]


def require_writable(output: str | None, *inputs: str) -> None:
    """Refuse to write over what is read, or where no file can be written; whatever is there stays as it is."""
    if output is None:
        return
    from pathlib import Path

    try:
        for source in inputs:
            if Path(output).exists() and Path(source).exists() and Path(source).samefile(output):
                raise SettingError(f"{output}: is read from, expected another file to write to")
        target = Path(os.path.realpath(output))
        with suppress(FileNotFoundError):
            if output.endswith(os.sep) or not stat.S_ISREG(Path(output).stat().st_mode):
                raise SettingError(f"{output}: is no regular file, expected a file to write to")
        # Named like the temporary files of write_atomically, which removes what a killed run leaves.
        trial = target.with_name(f".{target.name}.{os.urandom(8).hex()}.tmp")
        trial.touch(exist_ok=False)
        trial.unlink(missing_ok=True)
    except OSError as error:
        raise SettingError(f"{output}: {error.strerror}, expected a file that can be written") from None
