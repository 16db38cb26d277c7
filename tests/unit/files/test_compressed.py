from __future__ import annotations

import gzip
import io
import lzma
import re
import sys
import zlib
from types import SimpleNamespace

import pytest

from conjunct.errors import BitsError
from conjunct.files import InputStream
from conjunct.files import compressed as room
from conjunct.files.compressed import refusal
from conjunct.messages import quoted

TEXT = b"".join(b"line %d\n" % number for number in range(200_000))


def lines_of(path):
    with InputStream(path) as stream:
        return list(stream.lines())


def message_of(path):
    with pytest.raises(BitsError) as caught:
        lines_of(path)
    return str(caught.value)


@pytest.fixture
def saved(tmp_path):
    def save(data):
        path = tmp_path / "data"
        path.write_bytes(data)
        return path

    return save


def quick_xz(data):
    return lzma.compress(data, preset=0)


PACKERS = {
    "plain": bytes,
    "gzip": gzip.compress,
    "xz": quick_xz,
    "two gzip members": lambda data: gzip.compress(data[:77]) + gzip.compress(data[77:]),
    "two xz streams": lambda data: quick_xz(data[:77]) + b"\0" * 8 + quick_xz(data[77:]),
    "padded gzip": lambda data: gzip.compress(data) + b"\0" * 512,
}


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_content_decides_what_is_decompressed(saved, pack, monkeypatch):
    path = saved(pack(TEXT))
    expected = list(enumerate(TEXT.decode().splitlines(), 1))
    assert lines_of(path) == expected
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(pack(TEXT))))
    assert lines_of("-") == expected


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
def test_the_head_is_not_consumed(saved, pack):
    with InputStream(saved(pack(TEXT))) as stream:
        assert stream.head(6) == b"line 0"
        assert stream.head(10) == b"line 0\nlin"
        assert b"".join(stream.pieces()) == TEXT
    with InputStream(saved(pack(b"ab"))) as stream:
        assert stream.head(10) == b"ab"


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"a", ["a"]),
        (b"a\nb", ["a", "b"]),
        (b"a\r\nb\r\r\n", ["a", "b\r"]),
        (b"a\rb\x0b\x0cc\x1c\xc2\x85\xe2\x80\xa8d\n", ["a\rb\x0b\x0cc\x1c\x85\u2028d"]),
        (b"\xef\xbb\xbfa\n", ["a"]),
        (b"\xef\xbb\xbf", []),
        (b"a\n\xef\xbb\xbfb\n", ["a", "\ufeffb"]),
    ],
)
def test_only_lf_ends_a_line(saved, data, lines):
    expected = list(enumerate(lines, 1))
    assert lines_of(saved(data)) == expected
    assert lines_of(saved(gzip.compress(data))) == expected


@pytest.mark.parametrize(
    ("data", "place", "what"),
    [
        (b"a\nb\0c\n", 2, "a NUL byte at byte 2 of the line, expected UTF-8 text"),
        (b"a\n\n\xffb\n", 3, "byte 0xff, which is not UTF-8, at byte 1 of the line, expected UTF-8 text"),
        (b"a\xc3\nb\0", 1, "byte 0xc3, which is not UTF-8, at byte 2"),
        (b"\0a\n\xff", 1, "a NUL byte at byte 1"),
    ],
)
def test_what_is_no_text_is_refused_with_its_line(saved, data, place, what):
    for packed in (data, gzip.compress(data), lzma.compress(data)):
        path = saved(packed)
        message = message_of(path)
        assert message.startswith(f"{path}:{place}: {what}")
        assert "\n" not in message


def test_the_lines_before_a_bad_one_come_first(saved):
    with InputStream(saved(b"a\nb\n\xff\n")) as stream:
        lines = stream.lines()
        assert [next(lines), next(lines)] == [(1, "a"), (2, "b")]
        with pytest.raises(BitsError, match=":3: byte 0xff"):
            next(lines)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gzip", "xz"])
def test_truncation_is_refused_at_every_length(saved, pack):
    packed = pack(b"a,b\n1,2\n" * 40)
    for length in range(6, len(packed)):
        path = saved(packed[:length])
        message = message_of(path)
        assert re.fullmatch(rf"{re.escape(str(path))}:[0-9]+: the (gzip|xz) data is truncated, expected .*", message)


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gzip", "xz"])
def test_a_changed_checksum_is_refused(saved, pack):
    packed = bytearray(pack(TEXT))
    packed[-8 if pack is gzip.compress else len(packed) // 2] ^= 1
    assert re.search(r"data:[0-9]+: the (gzip|xz) data is damaged", message_of(saved(bytes(packed))))


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress], ids=["gzip", "xz"])
def test_bytes_after_the_end_are_refused(saved, pack):
    assert "bytes after the end of the" in message_of(saved(pack(b"a\n") + b"more"))
    assert "bytes after the end of the" in message_of(saved(pack(b"a\n") + b"\0\0m"))


def test_a_small_file_that_expands_hugely_is_read_in_bounded_pieces(saved):
    packer = zlib.compressobj(9, wbits=31)
    data = b"".join([packer.compress(b"\n" * (1 << 20)) for _ in range(80)]) + packer.flush()
    assert len(data) < 1 << 17
    for packed in (data, lzma.compress(b"\n" * (80 << 20), preset=0)):
        with InputStream(saved(packed)) as stream:
            sizes = [len(piece) for piece in stream.pieces()]
        assert sum(sizes) == 80 << 20
        assert max(sizes) <= 1 << 20


def test_a_line_over_the_limit_is_refused(saved, monkeypatch):
    monkeypatch.setattr(room, "MAX_LINE_BYTES", 3 << 20)
    assert len(lines_of(saved(b"a\n" + b"x" * (3 << 20) + b"\nb\n"))) == 3
    assert message_of(saved(b"a\n" + b"x" * ((3 << 20) + 1) + b"\nb\n")).endswith(
        "data:2: a line over 3 MiB, expected shorter lines"
    )
    assert ":2: a line over" in message_of(saved(gzip.compress(b"a\n" + b"x" * (5 << 20))))


def test_an_xz_that_wants_too_much_memory_is_refused(saved, monkeypatch):
    monkeypatch.setattr(room, "_DECODER_MEMORY_BYTES", 1 << 20)
    assert "the xz data is damaged (Memory usage limit" in message_of(saved(lzma.compress(b"a\n", preset=9)))


def test_a_missing_file_and_a_folder_are_system_errors(tmp_path):
    with pytest.raises(FileNotFoundError):
        InputStream(tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        InputStream(tmp_path)


def test_a_closed_standard_input_is_refused(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BitsError, match=r"^stdin: it is closed, expected data$"):
        InputStream("-")


def test_zstd_without_its_package_names_the_extra(saved, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)  # importing it fails, as where it is not installed
    message = message_of(saved(b"\x28\xb5\x2f\xfd\x04\x00\x01\x00\x00"))
    assert message.endswith(
        "data:1: zstd-compressed, expected the package zstandard to read it: pip install 'conjunct[zstd]'"
    )


def test_zstd_is_read_and_verified(saved):
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    packed = zstandard.ZstdCompressor(write_checksum=True).compress(TEXT)
    assert lines_of(saved(packed)) == list(enumerate(TEXT.decode().splitlines(), 1))
    assert len(lines_of(saved(packed + packed))) == 400_000
    assert "the zstd data is truncated" in message_of(saved(packed[:-5]))
    assert "the zstd data is damaged" in message_of(saved(packed[:-1] + bytes([packed[-1] ^ 1])))


def test_foreign_text_is_cut_and_escaped():
    assert quoted("a" * 40) == repr("a" * 40)
    assert quoted("a" * 41) == repr("a" * 37 + "...")
    assert quoted("\x1b[2J\n\u202e") == r"'\x1b[2J\n\u202e'"
    assert quoted("größe") == "'größe'"
    assert str(refusal("a\nb\x1b.csv", 3, "bad")) == r"a\nb\x1b.csv:3: bad"
