"""How much of the machine conjunct may use: threads and memory."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conjunct.errors import MemoryLimitError, SettingError
from conjunct.messages import shortened

__all__ = ["counting_memory", "memory_limit", "require_memory", "thread_count"]

SHARE_OF_FREE = (6, 10)
ALWAYS_FREE = 1 << 20
SIZE = re.compile(r"([0-9]{1,18})\s*(?:([KMGT])(i?)B?|B)?", re.IGNORECASE)
CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def thread_count() -> int:
    """Return how many threads the compiled loops use: ``CONJUNCT_THREADS``, otherwise every core of this process.

    No result depends on it.
    """
    wish = os.environ.get("CONJUNCT_THREADS", "")
    if not wish:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not re.fullmatch(r"[0-9]{1,4}", wish) or int(wish) == 0:
        raise SettingError(f"CONJUNCT_THREADS={shortened(wish)}: expected a number of threads from 1 to 9999")
    return int(wish)


_before: list[int] = []  # what the process took when the command began to count


@contextmanager
def counting_memory() -> Iterator[None]:
    """Count against ``CONJUNCT_MEMORY``, in this block, all that the process takes more than now: its imports are done.

    For a command, which has the process to itself; without it every result is compared with the limit by itself.
    """
    _before.append(resident_memory())
    try:
        yield
    finally:
        _before.pop()


def memory_limit() -> int:
    """Return how many bytes one result may take: ``CONJUNCT_MEMORY`` less what counts, or 60 % of what is free.

    Free is what the system says is available, or what is left of the container's limit if that is less.
    """
    wish = memory_wish()
    return free_memory() * SHARE_OF_FREE[0] // SHARE_OF_FREE[1] if wish is None else max(0, wish - memory_in_use())


def memory_wish() -> int | None:
    """Return the bytes of ``CONJUNCT_MEMORY``; None where it is not set."""
    wish = os.environ.get("CONJUNCT_MEMORY", "")
    if not wish:
        return None
    parts = SIZE.fullmatch(wish.strip())
    if not parts:
        raise SettingError(f"CONJUNCT_MEMORY={shortened(wish)}: expected a size such as 8GiB, 500MB or 1000000")
    number, unit, binary = parts.groups()
    base = 1024 if binary else 1000
    return int(number) * (base ** ("KMGT".index(unit.upper()) + 1) if unit else 1)


def require_memory(need: int, what: str, advice: str) -> None:
    """Refuse an array that would pass the memory limit, before it is allocated."""
    if need <= ALWAYS_FREE and not os.environ.get("CONJUNCT_MEMORY"):
        return  # asking the system takes longer than learning from a row
    available = memory_limit()
    if need > available:
        wish, used = memory_wish(), memory_in_use()
        limit = readable_size(available if wish is None else wish)
        if wish is not None and used:
            limit += f" with {readable_size(used)} in use"
        raise MemoryLimitError(f"{what} needs {readable_size(need)}, limit is {limit}; {advice}")


def memory_in_use() -> int:
    """Return the bytes the process took since it began to count; 0 where it does not."""
    return max(0, resident_memory() - _before[-1]) if _before else 0


def resident_memory() -> int:
    """Return the bytes of this process that are in memory; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def free_memory() -> int:
    """Return the bytes that are free for this process."""
    free = [system_memory()]
    for limit_path, used_path in CGROUPS:
        limit, used = first_integer(limit_path), first_integer(used_path)
        if limit is not None and used is not None:
            free.append(max(0, limit - used))
    return min(free)


def system_memory() -> int:
    """Return the bytes the system says are available."""
    try:
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def first_integer(path: str) -> int | None:
    """Read a file that holds one integer; None if it is not there or holds a word such as ``max``."""
    try:
        text = Path(path).read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None


def readable_size(n_bytes: int) -> str:
    """Print a number of bytes for people.

    Examples
    --------
    >>> readable_size(800), readable_size(1_319_413_953_332)
    ('800 B', '1.2 TiB')
    """
    if n_bytes < 1024:
        return f"{n_bytes} B"
    power = min((n_bytes.bit_length() - 1) // 10, 8)
    tenths = n_bytes * 10 // (1 << 10 * power)
    return f"{tenths // 10}.{tenths % 10} {'KMGTPEZY'[power - 1]}iB"
