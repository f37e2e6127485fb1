"""Reads zip and tar archives entry by entry, bounded in count, size and ratio; nothing is ever unpacked to a place.

An archive is told by its first bytes, not by its name. The limits hold while it is read: what an archive says about
itself is a claim.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Any, Literal, NamedTuple, cast

from grader.gradebook.inputs.found import Entry
from grader.gradebook.inputs.names import MAX_NAME, leaves_its_place, parts_of, text_of
from grader.model import Message

# What reading a damaged or odd archive raises.
DAMAGED = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError),
    *(NotImplementedError, RuntimeError, ValueError, struct.error, UnicodeError, OSError),
)
MAX_UNPACKED = 2 * 2**30  # bytes that are unpacked of one tar archive, what is skipped counted too
FREE = 64 * 2**20  # bytes below which no ratio is looked at
MAX_RATIO = 200  # unpacked to packed; sources reach 10
MAX_READ = 16 * 2**20  # bytes that are asked for at once
MAX_DIRECTORY = 16 * 2**20  # bytes of a zip's table of contents
MAX_PATH = 4096  # bytes of the path of an entry, as Linux has it

_END, _END_SIZE = b"PK\x05\x06", 22
_ENCRYPTED, _UTF_8 = 0x1, 0x800
_LINK = 0o120000

Kind = Literal["zip", "tar", "gz", "bz2", "xz", "unknown"]


class TooMuch(Exception):
    """An archive that expands far beyond what a class hands in: a bomb."""


class Most(NamedTuple):
    """What is read of one archive at most.

    Attributes:
        unpacked: bytes of a tar that is compressed, what is skipped counted too.
        directory: bytes of a zip's table of contents.
    """

    unpacked: int = MAX_UNPACKED
    directory: int = MAX_DIRECTORY


def kind_of(file: IO[bytes]) -> Kind | None:
    """What kind of archive a file is, by its first bytes; None where it is none, "unknown" for RAR and 7z."""
    file.seek(0)
    head = file.read(512)
    file.seek(0)
    starts: dict[bytes, Kind] = {
        b"PK\x03\x04": "zip",
        _END: "zip",
        b"\x1f\x8b": "gz",
        b"BZh": "bz2",
        b"\xfd7zXZ\0": "xz",
        b"Rar!": "unknown",
        b"7z\xbc\xaf": "unknown",
        b"\x28\xb5\x2f\xfd": "unknown",
    }
    kind = next((kind for start, kind in starts.items() if head.startswith(start)), None)
    return "tar" if kind is None and head[257:262] == b"ustar" else kind


def archive_entries(file: IO[bytes], kind: Kind, most: Most) -> Iterator[Entry]:
    """Every entry of an archive; each has to be read before the next one is asked for.

    Raises:
        TooMuch: it expands beyond the limits.
        DAMAGED: it is broken, or no archive.
    """
    return _zip_entries(file, most) if kind == "zip" else _tar_entries(file, kind, most)


def _path_of(raw: bytes) -> tuple[str, Message | None]:
    """The path of an entry as text, and why it is not read as far as the path tells that.

    Of one that is too long only the start is made a text: that takes the square of its length.
    """
    if len(raw) > MAX_PATH:
        folders = raw.rfind(b"/", 0, MAX_PATH) + 1
        name = f"{text_of(raw[:folders])}{text_of(raw[folders:MAX_PATH])}…"
        return name, Message("batch.name_too_long", {"most": MAX_NAME})
    name = text_of(raw)
    return name, Message("batch.path_leaves") if leaves_its_place(name) else None


# --- zip ---------------------------------------------------------------------------------------------------------


def _zip_entries(file: IO[bytes], most: Most) -> Iterator[Entry]:
    if _directory_size(file) > most.directory:
        raise TooMuch
    with zipfile.ZipFile(file) as archive:
        for one in archive.infolist():
            name, problem = _path_of(_zip_name(one))
            mode = one.external_attr >> 16
            kind: Literal["file", "folder", "link"] = "folder" if name.endswith(("/", "\\")) else "file"
            if mode & 0o170000 == _LINK:
                kind = "link"
            read = partial(_read_zipped, archive, one)
            yield Entry(parts_of(name), kind, one.file_size, read, problem or _zip_problem(one))


def _directory_size(file: IO[bytes]) -> int:
    """Bytes of the table of contents, as the end of the file has it; zipfile would read all of it into memory."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END_SIZE - 2**16))
    tail = file.read()
    at = tail.rfind(_END)
    if at < 0 or len(tail) < at + _END_SIZE:
        raise zipfile.BadZipFile("no end of central directory")
    return int.from_bytes(tail[at + 12 : at + 16], "little")


def _zip_name(one: zipfile.ZipInfo) -> bytes:
    """The name as it was packed; without the flag for UTF-8 it is in whatever the machine that packed it spoke."""
    if one.flag_bits & _UTF_8:
        return one.orig_filename.encode("utf-8", "surrogateescape")
    return one.orig_filename.encode("cp437", "replace")


def _zip_problem(one: zipfile.ZipInfo) -> Message | None:
    if one.flag_bits & _ENCRYPTED:
        return Message("batch.encrypted")
    if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return Message("batch.odd_compression")
    return None


def _read_zipped(archive: zipfile.ZipFile, one: zipfile.ZipInfo, most: int) -> bytes:
    with archive.open(one) as member:
        return member.read(most)


# --- tar ---------------------------------------------------------------------------------------------------------


class _Bounded:
    """A stream that is only read onwards, and only so far.

    tarfile skips a member by reading over it and takes a header as long as it says: both meet the limits here.
    """

    def __init__(self, file: IO[bytes], packed: int | None, most: int) -> None:
        self._file = file
        self._most = most
        self._packed = packed  # size of the archive; None where it is not compressed

    def read(self, size: int = -1) -> bytes:
        if not 0 <= size <= MAX_READ:
            raise TooMuch
        self._allow(self._file.tell() + size)
        return self._file.read(size)

    def seek(self, position: int) -> int:
        self._allow(position)
        return self._file.seek(position)

    def tell(self) -> int:
        return self._file.tell()

    def _allow(self, position: int) -> None:
        if self._packed is None:
            return
        if position > self._most or (position > FREE and position > MAX_RATIO * self._packed):
            raise TooMuch


def _tar_entries(file: IO[bytes], kind: Kind, most: Most) -> Iterator[Entry]:
    packed = file.seek(0, 2)
    file.seek(0)
    unpack: dict[str, Callable[..., Any]] = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}
    stream = unpack[kind](file) if kind in unpack else file
    bounded = _Bounded(stream, packed if kind in unpack else None, most.unpacked)
    with tarfile.TarFile(fileobj=cast(Any, bounded), mode="r", encoding="utf-8", errors="surrogateescape") as archive:
        while (one := archive.next()) is not None:
            cast(Any, archive).members.clear()  # it keeps every member it has met
            name, problem = _path_of(one.name.encode("utf-8", "surrogateescape"))
            yield Entry(parts_of(name), _tar_kind(one), one.size, partial(_read_tarred, archive, one), problem)


def _tar_kind(one: tarfile.TarInfo) -> Literal["file", "folder", "link", "special"]:
    if one.issym() or one.islnk():
        return "link"
    if one.isdir():
        return "folder"
    return "file" if one.isreg() and not one.issparse() else "special"


def _read_tarred(archive: tarfile.TarFile, one: tarfile.TarInfo, most: int) -> bytes:
    member = archive.extractfile(one)
    if member is None:
        raise tarfile.ReadError("no file")
    return member.read(min(most, one.size))
