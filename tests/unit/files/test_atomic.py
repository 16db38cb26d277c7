from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from conjunct.files import atomic
from conjunct.files.atomic import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OLD, NEW = b"old bytes", b"the new bytes, a few more"
SYSTEM_CALLS = [
    *((os, name) for name in ("open", "write", "fsync", "fchmod", "fstat", "stat", "lstat", "readlink", "replace")),
    *((os, name) for name in ("rename", "close", "unlink", "listdir", "scandir", "getcwd", "urandom")),
    (fcntl, "flock"),
]


class Failing:
    """System calls of which one fails, before or after it has had its effect."""

    def __init__(self, n_before: int, error: BaseException, *, has_effect: bool) -> None:
        self.n_before = n_before
        self.error = error
        self.has_effect = has_effect
        self.seen: list[str] = []
        self.failed: str | None = None

    def wrap(self, name: str, call: Callable[..., object]) -> Callable[..., object]:
        def wrapped(*args: object, **options: object) -> object:
            if len(self.seen) < self.n_before or self.failed is not None:
                result = call(*args, **options)
                self.seen.append(name)
                return result
            self.failed = name
            if self.has_effect:
                result = call(*args, **options)
                self.seen.append(name)
                if name == "open":
                    assert isinstance(result, int)
                    CLOSE(result)
            raise self.error

        return wrapped

    def install(self, patch: pytest.MonkeyPatch) -> None:
        for module, name in SYSTEM_CALLS:
            patch.setattr(module, name, self.wrap(name, getattr(module, name)))


CLOSE = os.close


def names_in(folder: Path) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


def leftover_of(target: Path, digits: str = "0123456789abcdef") -> Path:
    return target.with_name(f".{target.name}.{digits}.tmp")


def permissions_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def target(tmp_path: Path) -> Path:
    path = tmp_path / "model"
    path.write_bytes(OLD)
    return path


@pytest.fixture
def umask() -> Iterator[Callable[[int], int]]:
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


def test_a_new_file_holds_the_bytes_and_nothing_else_is_left(tmp_path: Path) -> None:
    write_atomically(tmp_path / "model", NEW)
    assert (tmp_path / "model").read_bytes() == NEW
    assert names_in(tmp_path) == ["model"]


def test_an_old_file_is_replaced_as_a_whole(target: Path) -> None:
    write_atomically(str(target), b"")
    assert target.read_bytes() == b""
    assert names_in(target.parent) == ["model"]


def test_a_relative_path_is_written_in_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_atomically("model", NEW)
    assert (tmp_path / "model").read_bytes() == NEW


def test_a_system_that_takes_one_byte_at_a_time_gets_them_all(target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:1]))
    write_atomically(target, NEW)
    assert target.read_bytes() == NEW


def test_bytes_are_synced_before_the_rename_and_the_folder_after_it(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []
    fsync, replace = os.fsync, os.replace

    def note_fsync(descriptor: int) -> None:
        calls.append("sync folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "sync file")
        fsync(descriptor)

    def note_replace(source: Path, destination: Path) -> None:
        assert source.read_bytes() == NEW
        calls.append("rename")
        replace(source, destination)

    monkeypatch.setattr(os, "fsync", note_fsync)
    monkeypatch.setattr(os, "replace", note_replace)
    write_atomically(target, NEW)
    assert calls == ["sync file", "rename", "sync folder"]


@pytest.mark.parametrize("has_old", [True, False], ids=["old file", "no old file"])
@pytest.mark.parametrize("has_effect", [False, True], ids=["before its effect", "after its effect"])
@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt])
def test_whichever_system_call_fails_the_file_is_the_old_one_until_renamed(
    tmp_path: Path, kind: type[BaseException], has_effect: bool, has_old: bool
) -> None:
    expected_old = OLD if has_old else None
    failed: list[str] = []
    for n_before in range(1000):
        folder = tmp_path / str(n_before)
        folder.mkdir()
        target = folder / "model"
        if has_old:
            target.write_bytes(OLD)
        leftover_of(target).write_bytes(b"of a dead run")
        failing = Failing(n_before, kind(errno.EIO, "injected"), has_effect=has_effect)
        raised: BaseException | None = None
        with pytest.MonkeyPatch.context() as patch:
            failing.install(patch)
            try:
                write_atomically(target, NEW)
            except (OSError, KeyboardInterrupt) as error:
                raised = error
        found = target.read_bytes() if target.exists() else None
        is_renamed = "replace" in failing.seen
        assert found == (NEW if is_renamed else expected_old)
        assert is_renamed or raised is not None
        assert set(names_in(folder)) - {leftover_of(target).name} <= {"model"}
        if isinstance(raised, OSError):
            assert raised.filename == str(target)
            assert raised.errno == errno.EIO
        if failing.failed is None:
            break
        failed.append(failing.failed)
    else:
        pytest.fail("the calls never came to an end")
    assert {"stat", "urandom", "open", "flock", "write", "fsync", "replace", "close", "unlink"} <= set(failed)
    assert ("fchmod" in failed) is has_old


def test_no_descriptor_stays_open_whichever_call_fails(target: Path) -> None:
    def n_open() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = n_open()
    for n_before in range(1000):
        leftover_of(target).write_bytes(b"of a dead run")
        failing = Failing(n_before, OSError(errno.EIO, "injected"), has_effect=True)
        with pytest.MonkeyPatch.context() as patch:
            failing.install(patch)
            with suppress(OSError):
                write_atomically(target, NEW)
        assert n_open() == before
        if failing.failed is None:
            return


def test_a_failing_sync_of_the_folder_says_that_the_file_is_written(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def fail_for_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "Input/output error")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", fail_for_folders)
    with pytest.raises(OSError, match="the new file is written, but its folder could not be synced: Input") as caught:
        write_atomically(target, NEW)
    assert caught.value.filename == str(target)
    assert target.read_bytes() == NEW


def test_a_file_system_whose_folders_cannot_be_synced_is_written_to(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fsync = os.fsync

    def refuse_folders(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", refuse_folders)
    write_atomically(target, NEW)
    assert target.read_bytes() == NEW


def test_a_file_system_without_locks_is_written_to_and_keeps_leftovers(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    leftover_of(target).write_bytes(b"perhaps of a live run")
    monkeypatch.setattr(fcntl, "flock", refuse)
    write_atomically(target, NEW)
    assert target.read_bytes() == NEW
    assert leftover_of(target).exists()


def test_a_lock_that_fails_for_another_reason_leaves_the_old_file(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", fail)
    with pytest.raises(OSError, match="No locks available") as caught:
        write_atomically(target, NEW)
    assert caught.value.filename == str(target)
    assert target.read_bytes() == OLD
    assert names_in(target.parent) == ["model"]


@pytest.mark.parametrize("permissions", [0o600, 0o640, 0o444, 0o666, 0o777])
def test_permission_bits_of_the_old_file_are_kept(target: Path, permissions: int, umask: Callable[[int], int]) -> None:
    target.chmod(permissions)
    umask(0o027)
    write_atomically(target, NEW)
    assert permissions_of(target) == permissions
    assert target.read_bytes() == NEW


@pytest.mark.parametrize(("mask", "permissions"), [(0o022, 0o644), (0o077, 0o600), (0o000, 0o666)])
def test_a_new_file_follows_the_umask(tmp_path: Path, mask: int, permissions: int, umask: Callable[[int], int]) -> None:
    umask(mask)
    write_atomically(tmp_path / "model", NEW)
    assert permissions_of(tmp_path / "model") == permissions


def test_what_replaces_a_private_file_is_private_while_it_is_written(
    target: Path, monkeypatch: pytest.MonkeyPatch, umask: Callable[[int], int]
) -> None:
    seen: list[int] = []
    write = os.write

    def look(descriptor: int, data: memoryview) -> int:
        seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return write(descriptor, data)

    target.chmod(0o600)
    umask(0)
    monkeypatch.setattr(os, "write", look)
    write_atomically(target, NEW)
    assert seen == [0o600]


def test_leftovers_of_dead_runs_for_this_name_are_removed(target: Path) -> None:
    leftover_of(target).write_bytes(b"half")
    leftover_of(target, "f" * 16).write_bytes(b"")
    write_atomically(target, NEW)
    assert names_in(target.parent) == ["model"]


def test_leftovers_of_live_runs_are_kept(target: Path) -> None:
    with leftover_of(target).open("wb") as live:
        fcntl.flock(live, fcntl.LOCK_EX)
        write_atomically(target, NEW)
        assert leftover_of(target).exists()
    write_atomically(target, NEW)
    assert not leftover_of(target).exists()


def test_files_that_only_resemble_leftovers_are_kept(target: Path) -> None:
    kept = [
        ".model.0123456789abcde.tmp",
        ".model.0123456789abcdeg.tmp",
        ".model.0123456789abcdef.tmp.gz",
        ".model.v2.0123456789abcdef.tmp",
        ".other.0123456789abcdef.tmp",
        "model.0123456789abcdef.tmp",
    ]
    for name in kept:
        (target.parent / name).write_bytes(b"")
    write_atomically(target, NEW)
    assert names_in(target.parent) == sorted([*kept, "model"])


def test_a_name_is_taken_literally_when_leftovers_are_looked_for(tmp_path: Path) -> None:
    other = leftover_of(tmp_path / "mXdel")
    other.write_bytes(b"")
    write_atomically(tmp_path / "m.del", NEW)
    assert other.exists()


def test_what_is_no_file_but_bears_the_name_of_a_leftover_is_kept(target: Path) -> None:
    pipe, link, folder = (leftover_of(target, digit * 16) for digit in "abc")
    os.mkfifo(pipe)
    link.symlink_to(target)
    folder.mkdir()
    write_atomically(target, NEW)
    assert names_in(target.parent) == sorted([pipe.name, link.name, folder.name, "model"])


def test_a_writer_whose_temporary_file_is_swept_before_it_is_locked_starts_again(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock
    swept: list[Path] = []

    def sweep_first(descriptor: int, operation: int) -> None:
        if not swept:
            swept.extend(target.parent.glob(".model.*.tmp"))
            swept[0].unlink()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", sweep_first)
    write_atomically(target, NEW)
    assert len(swept) == 1
    assert target.read_bytes() == NEW
    assert names_in(target.parent) == ["model"]


def test_a_writer_does_not_rename_a_foreign_file_found_under_its_temporary_name(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock
    foreign: list[Path] = []

    def exchange_first(descriptor: int, operation: int) -> None:
        if not foreign:
            foreign.extend(target.parent.glob(".model.*.tmp"))
            foreign[0].unlink()
            foreign[0].write_bytes(b"foreign")
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", exchange_first)
    write_atomically(target, NEW)
    assert target.read_bytes() == NEW
    assert foreign[0].read_bytes() == b"foreign"


def test_a_writer_waits_for_the_run_that_sweeps_its_temporary_file(
    target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flock = fcntl.flock
    opened: list[int] = []

    def sweep(temporary: Path) -> None:
        temporary.unlink()
        os.close(opened[0])

    def lock_after_a_sweeper(descriptor: int, operation: int) -> None:
        if opened:
            return flock(descriptor, operation)
        (temporary,) = target.parent.glob(".model.*.tmp")
        opened.append(os.open(temporary, os.O_RDWR))
        flock(opened[0], fcntl.LOCK_EX)
        sweeper = threading.Timer(0.1, sweep, [temporary])
        sweeper.start()
        flock(descriptor, operation)
        return sweeper.join()

    monkeypatch.setattr(fcntl, "flock", lock_after_a_sweeper)
    write_atomically(target, NEW)
    assert target.read_bytes() == NEW
    assert names_in(target.parent) == ["model"]


def test_a_symbolic_link_stays_and_what_it_points_at_is_replaced(target: Path) -> None:
    folder = target.parent / "links"
    folder.mkdir()
    (folder / "link").symlink_to("../model")
    write_atomically(folder / "link", NEW)
    assert (folder / "link").is_symlink()
    assert target.read_bytes() == NEW
    assert not target.is_symlink()
    assert names_in(folder) == ["link"]


def test_a_symbolic_link_to_nothing_gets_its_file(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("model")
    write_atomically(tmp_path / "link", NEW)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "model").read_bytes() == NEW


def test_a_circle_of_symbolic_links_is_an_error_that_names_the_path(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("link")
    with pytest.raises(OSError, match="symbolic links") as caught:
        write_atomically(tmp_path / "link", NEW)
    assert caught.value.filename == str(tmp_path / "link")
    assert names_in(tmp_path) == ["link"]


def test_a_folder_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write_atomically(tmp_path, NEW)
    assert caught.value.filename == str(tmp_path)


def test_a_path_that_ends_like_a_folder_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(IsADirectoryError) as caught:
        write_atomically(f"{tmp_path}/model/", NEW)
    assert caught.value.filename == f"{tmp_path}/model/"
    assert names_in(tmp_path) == []


def test_a_missing_folder_is_refused_with_the_path_asked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(tmp_path / "missing" / "model", NEW)
    assert caught.value.filename == str(tmp_path / "missing" / "model")


def test_a_file_in_the_place_of_the_folder_is_refused_with_the_path_asked_for(target: Path) -> None:
    with pytest.raises(NotADirectoryError) as caught:
        write_atomically(target / "model", NEW)
    assert caught.value.filename == str(target / "model")


def test_a_pipe_is_refused_rather_than_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file") as caught:
        write_atomically(tmp_path / "pipe", NEW)
    assert caught.value.filename == str(tmp_path / "pipe")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def run(script: str, *arguments: object) -> subprocess.Popen[bytes]:
    """Start a Python process that finds the same library."""
    source = str(Path(atomic.__file__).parents[2])
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": source},
    )


WRITE_OFTEN = """
import sys
from conjunct.files.atomic import write_atomically
for _ in range(60):
    write_atomically(sys.argv[1], sys.argv[2].encode() * 300_000)
"""

WRITE_HALF = """
import os, sys, time
from conjunct.files.atomic import write_atomically
write = os.write
def half(descriptor, data):
    write(descriptor, data[: len(data) // 2])
    print("half", flush=True)
    time.sleep(60)
os.write = half
write_atomically(sys.argv[1], b"new" * 1000)
"""


def test_concurrent_writers_of_one_name_leave_one_whole_file(target: Path) -> None:
    writers = [run(WRITE_OFTEN, target, letter) for letter in "abc"]
    try:
        while any(writer.poll() is None for writer in writers):
            found = target.read_bytes()
            assert found == OLD or (len(found) == 300_000 and found == found[:1] * 300_000)
        assert [writer.wait(60) for writer in writers] == [0, 0, 0]
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    assert target.read_bytes() in {letter * 300_000 for letter in (b"a", b"b", b"c")}
    assert names_in(target.parent) == ["model"]


def test_a_writer_killed_half_way_leaves_the_old_file_and_the_next_one_cleans_up(target: Path) -> None:
    with run(WRITE_HALF, target) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"half\n"
        write_atomically(target, OLD)
        assert len(names_in(target.parent)) == 2
        writer.send_signal(signal.SIGKILL)
    assert target.read_bytes() == OLD
    assert len(names_in(target.parent)) == 2
    write_atomically(target, NEW)
    assert target.read_bytes() == NEW
    assert names_in(target.parent) == ["model"]
