"""The only writer of the library: after it, a file is the whole new one or the whole old one."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import stat
from contextlib import suppress
from pathlib import Path

__all__ = ["write_atomically"]

# File systems without flock answer with one of these. Nobody can take a lock there, so nobody removes leftovers.
_NO_LOCKS_HERE = (errno.ENOSYS, errno.EOPNOTSUPP)


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Put the bytes at the path as one whole file, or leave what was there as it was.

    Parameters
    ----------
    path : str or path-like
        The file to write. A symbolic link is followed: the file it points at is replaced, the link stays.
    data : bytes
        All of the new content.

    Raises
    ------
    OSError
        The file cannot be written; the error names the path. Until the rename, any failure or interruption leaves
        the old file, and no temporary one. Only a failing sync of the folder comes after the rename: the error
        then says that the new file is written.

    Notes
    -----
    The bytes go to ``.{name}.{16 hex digits}.tmp`` in the same folder, are synced, and are renamed to the name; then
    the folder is synced. The temporary file is locked while its writer lives. A temporary file of this name
    that is not locked was left by a dead run, and is removed.

    The permission bits of an old file are kept, also those of a write-protected one; a new file follows the umask.
    Owner and other hard links of the old file are not carried over. The name may have at most 233 bytes where the
    file system ends at 255.
    """
    try:
        target, permissions = _target_of(path)
        _remove_leftovers(target)
        while not _replaced(target, data, permissions):
            pass
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error


def _target_of(path: str | os.PathLike[str]) -> tuple[Path, int | None]:
    """Return the file behind any symbolic links, and its permission bits if it exists."""
    file = Path(path)
    if os.fspath(path).endswith(os.sep):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return file.resolve(), None
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "not a regular file, so it cannot be replaced as a whole")
    return file.resolve(), mode & 0o777


def _replaced(target: Path, data: bytes, permissions: int | None) -> bool:
    """Write and rename; False if another run took the temporary file for a leftover before it was locked."""
    temporary = target.with_name(f".{target.name}.{os.urandom(8).hex()}.tmp")
    # What replaces a private file is never readable by others, not even while it is being written.
    mode = 0o666 if permissions is None else 0o600
    descriptor = folder = -1
    try:
        descriptor = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode)
        _lock(descriptor)
        if not _is_at(temporary, descriptor):
            return False
        _write_all(descriptor, data)
        if permissions is not None:
            os.fchmod(descriptor, permissions)
        os.fsync(descriptor)
        # Opened before the rename, so that after it only the sync itself can fail.
        folder = os.open(target.parent, os.O_RDONLY)
        temporary.replace(target)
        _sync_folder(folder)
        return True
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
    finally:
        _close(folder)
        _close(descriptor)


def _lock(descriptor: int) -> None:
    """Mark the file as one whose writer lives; waits for a run that is just removing it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
    except OSError as error:
        if error.errno not in _NO_LOCKS_HERE:
            raise


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether the open file is the one found at the path."""
    try:
        status = path.stat(follow_symlinks=False)
    except FileNotFoundError:
        return False
    return os.path.samestat(status, os.fstat(descriptor))


def _write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; the system may take fewer at a time than it is given."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _sync_folder(folder: int) -> None:
    """Make the rename survive a power failure, on file systems whose folders can be synced."""
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno != errno.EINVAL:
            reason = f"the new file is written, but its folder could not be synced: {error.strerror}"
            raise OSError(error.errno, reason) from error


def _close(descriptor: int) -> None:
    """Close, and with it unlock; a failure says nothing about bytes that are synced or given up."""
    if descriptor >= 0:
        with suppress(OSError):
            os.close(descriptor)


def _remove_leftovers(target: Path) -> None:
    """Remove the temporary files that dead runs left for this name; what cannot be removed stays."""
    pattern = re.compile(rf"\.{re.escape(target.name)}\.[0-9a-f]{{16}}\.tmp")
    with suppress(OSError):
        for file in target.parent.iterdir():
            if pattern.fullmatch(file.name):
                _remove_if_unlocked(file)


def _remove_if_unlocked(temporary: Path) -> None:
    """Remove one temporary file unless its writer lives."""
    descriptor = -1
    with suppress(OSError):
        try:
            # Not blocking: something else than a file may bear the name.
            descriptor = os.open(temporary, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                temporary.unlink()
        finally:
            _close(descriptor)
