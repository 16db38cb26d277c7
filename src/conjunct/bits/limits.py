"""How much of the machine conjunct may use: threads and memory."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from conjunct.errors import MemoryLimitError, SettingError
from conjunct.messages import shortened
from conjunct.settings import whole_number

__all__ = [
    "counting_memory",
    "limiting_memory",
    "limiting_threads",
    "memory_limit",
    "require_memory",
    "set_threads",
    "size_of",
    "thread_count",
]

MOST_THREADS = 9999
SHARE_OF_FREE = (6, 10)
ALWAYS_FREE = 1 << 20
SIZE = re.compile(r"([0-9]{1,18})\s*(?:([KMGT])(i?)B?|B)?", re.IGNORECASE)
CGROUPS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


_threads_of_block: ContextVar[int | None] = ContextVar("_threads_of_block", default=None)
_memory_of_block: ContextVar[int | None] = ContextVar("_memory_of_block", default=None)


def thread_count() -> int:
    """Return how many threads the compiled loops use: ``CONJUNCT_THREADS``, otherwise every core of this process.

    Inside an estimator with ``n_jobs`` it is that number. No result depends on it.
    """
    in_block = _threads_of_block.get()
    if in_block is not None:
        return in_block
    wish = os.environ.get("CONJUNCT_THREADS", "")
    if not wish:
        return core_count()
    if not re.fullmatch(r"[0-9]{1,4}", wish) or int(wish) == 0:
        raise SettingError(f"CONJUNCT_THREADS={shortened(wish)}: expected a number of threads from 1 to {MOST_THREADS}")
    return int(wish)


def set_threads(n: int | None) -> None:
    """Let everything after this use at most so many threads; None for one on every core.

    It sets ``CONJUNCT_THREADS`` in the environment of this process, and so of those it starts. Threads last no longer
    than the call that starts them, so a process may be forked between any two calls.

    Examples
    --------
    >>> set_threads(2)
    >>> thread_count()
    2
    >>> set_threads(None)
    """
    if n is None:
        os.environ.pop("CONJUNCT_THREADS", None)
    else:
        number = whole_number(
            n, "n", most=MOST_THREADS, expected=f"a number of threads from 1 to {MOST_THREADS}, or None"
        )
        os.environ["CONJUNCT_THREADS"] = str(number)


@contextmanager
def limiting_threads(n_jobs: object) -> Iterator[None]:
    """Use so many threads in this block, as ``n_jobs`` of scikit-learn counts them; None changes nothing.

    -1 is every core of this process, -2 all but one, and so on.

    Examples
    --------
    >>> with limiting_threads(3):
    ...     thread_count()
    3
    """
    if n_jobs is None:
        yield
        return
    expected = f"a number of threads from 1 to {MOST_THREADS}, -1 for every core, or None"
    number = whole_number(n_jobs, "n_jobs", least=-MOST_THREADS, most=MOST_THREADS, expected=expected)
    if number == 0:
        raise SettingError(f"n_jobs=0: expected {expected}")
    before = _threads_of_block.set(number if number > 0 else max(1, core_count() + 1 + number))
    try:
        yield
    finally:
        _threads_of_block.reset(before)


def core_count() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
    """Return the bytes of `limiting_memory` or ``CONJUNCT_MEMORY``; None where neither is set."""
    in_block = _memory_of_block.get()
    if in_block is not None:
        return in_block
    wish = os.environ.get("CONJUNCT_MEMORY", "")
    return size_of(wish, f"CONJUNCT_MEMORY={shortened(wish)}") if wish else None


def size_of(text: str, what: str) -> int:
    """Return the bytes that a text such as 8G, 500MB or 1GiB names; a refusal begins with `what`.

    Examples
    --------
    >>> size_of("8G", "--memory 8G"), size_of("1KiB", "--memory 1KiB")
    (8000000000, 1024)
    """
    parts = SIZE.fullmatch(text.strip())
    if not parts:
        raise SettingError(f"{what}: expected a size such as 8GiB, 500MB or 1000000")
    number, unit, binary = parts.groups()
    base = 1024 if binary else 1000
    return int(number) * (base ** ("KMGT".index(unit.upper()) + 1) if unit else 1)


@contextmanager
def limiting_memory(n_bytes: int | None) -> Iterator[None]:
    """Let this block use so many bytes, whatever ``CONJUNCT_MEMORY`` says; None changes nothing.

    Examples
    --------
    >>> with limiting_memory(5000):
    ...     memory_limit()
    5000
    """
    before = _memory_of_block.set(_memory_of_block.get() if n_bytes is None else n_bytes)
    try:
        yield
    finally:
        _memory_of_block.reset(before)


def require_memory(need: int, what: str, advice: str) -> None:
    """Refuse an array that would pass the memory limit, before it is allocated."""
    if need <= ALWAYS_FREE and _memory_of_block.get() is None and not os.environ.get("CONJUNCT_MEMORY"):
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
        pages = int(system_text("/proc/self/statm").split()[1])
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
        for line in system_text("/proc/meminfo").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def first_integer(path: str) -> int | None:
    """Read a file that holds one integer; None if it is not there or holds a word such as ``max``."""
    try:
        text = system_text(path).strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None


def system_text(path: str) -> str:
    """Read what the system says in a file of its own."""
    with io.FileIO(path) as file:
        return file.readall().decode("ascii")


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
