import os

import pytest

from conjunct.bits import limits, memory_limit, require_memory, thread_count
from conjunct.errors import MemoryLimitError, SettingError


@pytest.fixture
def no_wishes(monkeypatch):
    monkeypatch.delenv("CONJUNCT_THREADS", raising=False)
    monkeypatch.delenv("CONJUNCT_MEMORY", raising=False)


@pytest.mark.parametrize(("wish", "count"), [("1", 1), ("2", 2), ("9999", 9999), ("007", 7)])
def test_the_number_of_threads_is_read_from_the_environment(monkeypatch, wish, count):
    monkeypatch.setenv("CONJUNCT_THREADS", wish)
    assert thread_count() == count


@pytest.mark.parametrize("wish", ["0", "-1", "2.0", "many", " 2", "2\n", "10000", "٣", "1e3", "0x2"])
def test_a_number_of_threads_that_is_none_is_refused_by_name(monkeypatch, wish):
    monkeypatch.setenv("CONJUNCT_THREADS", wish)
    with pytest.raises(SettingError, match=r"CONJUNCT_THREADS=.*from 1 to 9999") as caught:
        thread_count()
    assert repr(wish) in str(caught.value)


@pytest.mark.usefixtures("no_wishes")
def test_without_a_wish_every_core_of_the_process_is_used(monkeypatch):
    assert thread_count() == len(os.sched_getaffinity(0))
    monkeypatch.setenv("CONJUNCT_THREADS", "")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 3, 5})
    assert thread_count() == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert thread_count() == 1


@pytest.mark.parametrize(
    ("wish", "size"),
    [
        ("1000000", 10**6),
        ("12B", 12),
        ("500MB", 5 * 10**8),
        ("8GiB", 8 << 30),
        ("8 gib", 8 << 30),
        ("2K", 2000),
        ("2Ki", 2048),
        ("3T", 3 * 10**12),
        (" 1TiB ", 1 << 40),
        ("0", 0),
    ],
)
def test_the_memory_limit_is_read_from_the_environment(monkeypatch, wish, size):
    monkeypatch.setenv("CONJUNCT_MEMORY", wish)
    assert memory_limit() == size


@pytest.mark.parametrize("wish", ["much", "-1", "1.5GB", "8X", "GB", "1e9", "8iB", "9" * 19, "٣GB", " "])
def test_a_memory_limit_that_is_none_is_refused_by_name(monkeypatch, wish):
    monkeypatch.setenv("CONJUNCT_MEMORY", wish)
    with pytest.raises(SettingError, match=r"CONJUNCT_MEMORY=.*such as 8GiB") as caught:
        memory_limit()
    assert repr(wish) in str(caught.value)


def container(folder, limit, used):
    (folder / "limit").write_text(f"{limit}\n")
    (folder / "used").write_text(f"{used}\n")
    return str(folder / "limit"), str(folder / "used")


@pytest.mark.usefixtures("no_wishes")
def test_without_a_wish_the_limit_is_60_percent_of_what_the_system_has_free(monkeypatch):
    monkeypatch.setattr(limits, "CGROUPS", ())
    monkeypatch.setattr(limits, "system_memory", lambda: 1001)
    assert memory_limit() == 600


@pytest.mark.usefixtures("no_wishes")
def test_the_limit_of_a_container_is_respected(monkeypatch, tmp_path):
    monkeypatch.setattr(limits, "system_memory", lambda: 10**9)
    monkeypatch.setattr(limits, "CGROUPS", (container(tmp_path, 5000, 2000),))
    assert memory_limit() == 1800
    monkeypatch.setattr(limits, "CGROUPS", (container(tmp_path, 5000, 6000),))
    assert memory_limit() == 0


@pytest.mark.usefixtures("no_wishes")
@pytest.mark.parametrize("limit", ["max", "9223372036854771712"])
def test_a_container_without_a_limit_sets_none(monkeypatch, tmp_path, limit):
    monkeypatch.setattr(limits, "system_memory", lambda: 1000)
    nowhere = (str(tmp_path / "no"), str(tmp_path / "such"))
    monkeypatch.setattr(limits, "CGROUPS", (nowhere, container(tmp_path, limit, 2000)))
    assert memory_limit() == 600


def test_the_system_says_how_much_is_available(monkeypatch, tmp_path):
    assert 0 < limits.system_memory() <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")

    def absent(_path, **_options):
        raise FileNotFoundError

    monkeypatch.setattr(limits, "system_text", absent)
    assert limits.system_memory() == os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert limits.first_integer("anything") is None


def test_what_passes_the_limit_is_refused_with_need_limit_and_advice(monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "8GiB")
    require_memory(8 << 30, "Gram matrix", "use fewer rows")
    with pytest.raises(MemoryLimitError) as caught:
        require_memory(1_319_413_953_332, "Gram matrix", "use fewer rows")
    assert str(caught.value) == "Gram matrix needs 1.2 TiB, limit is 8.0 GiB; use fewer rows"
    assert isinstance(caught.value, MemoryError)


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1024, "1.0 KiB"),
        (1535, "1.4 KiB"),
        ((1 << 20) - 1, "1023.9 KiB"),
        (1 << 20, "1.0 MiB"),
        (1 << 80, "1.0 YiB"),
        (1 << 100, "1048576.0 YiB"),
    ],
)
def test_sizes_are_printed_for_people(size, text):
    assert limits.readable_size(size) == text


def test_a_block_may_have_a_memory_limit_of_its_own(monkeypatch):
    monkeypatch.setenv("CONJUNCT_MEMORY", "7000")
    with limits.limiting_memory(900):
        assert limits.memory_limit() == 900
        with limits.limiting_memory(None):
            assert limits.memory_limit() == 900
        with pytest.raises(MemoryLimitError, match="it needs 901 B, limit is 900 B; ask for less"):
            limits.require_memory(901, "it", "ask for less")
    assert limits.memory_limit() == 7000
