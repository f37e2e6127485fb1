"""What lies in an input: each file read once, into a nameless temporary file, or a reason why it was not.

    folder ----.
    zip -------> entries --> is it wanted? small enough? --> Spool --> Found
    tar -------'      `---- an archive that a student handed in: its entries, one level deep

Nothing is unpacked to a place with a name, and no link is followed. What is too much for the whole input ends the run
before anything is graded; what is wrong with one file becomes that file's `problem`.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Literal, NamedTuple

from grader.errors import UsageError
from grader.model import Message

MAX_FILES = 50_000  # in one input, those that are not read counted too
MAX_DEPTH = 16  # folders in folders
MAX_NESTED = 16 * 2**20  # bytes of an archive inside of the input
MAX_NESTED_FILES = 2000  # in one such archive, those that are not read counted too
MAX_NESTED_UNPACKED = 64 * 2**20  # bytes that are unpacked of it
MAX_SPOOLED = 2 * 2**30  # bytes of all sources together
MAX_ALL_UNPACKED = MAX_SPOOLED // 2  # bytes that are unpacked of all archives inside of the input
MAX_METADATA = 64 * 2**20  # bytes of what a platform writes about all submissions
PYTHON = (".py", ".pyw", ".txt")  # an editor may have added .txt; such a file counts where no other fits


class Slice(NamedTuple):
    """Where a source lies in the spool."""

    start: int
    size: int


class Spool:
    """Sources, one after the other, in a temporary file without a name: memory stays flat, and nobody changes them."""

    def __init__(self) -> None:
        self._file: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._end = 0

    def add(self, source: bytes) -> Slice:
        """Keep a source; raises UsageError where all of them together are too much."""
        if self._end + len(source) > MAX_SPOOLED:
            raise UsageError(Message("batch.input_too_large", {"most": MAX_SPOOLED // 2**30}))
        self._file.seek(self._end)
        self._file.write(source)
        place = Slice(self._end, len(source))
        self._end += len(source)
        return place

    def read(self, place: Slice) -> bytes:
        """The source as it was added."""
        self._file.seek(place.start)
        return self._file.read(place.size)

    def close(self) -> None:
        self._file.close()


@dataclass(frozen=True)
class Entry:
    """One entry of a folder or an archive, not read yet.

    Attributes:
        parts: the path as text, relative to the input.
        kind: a link or a device is never opened.
        size: bytes that it says it has.
        read: at most so many bytes of it; raises one of DAMAGED (archives.py) or OSError.
        problem: why it will not be read, where that is known before.
    """

    parts: tuple[str, ...]
    kind: Literal["file", "folder", "link", "special"]
    size: int
    read: Callable[[int], bytes]
    problem: Message | None = None


@dataclass(frozen=True)
class Found:
    """One file that may be an answer, or a folder without anything in it.

    Attributes:
        parts: the path as text, relative to the input.
        source: where its text lies in the spool; None for a folder, for what is no Python, or where it was not read.
        problem: why it was not read.
        is_metadata: what a platform wrote about all submissions; nobody's answer.
        is_notebook: `source` is the code of one.
        note: what is to be known of how it was read.
        inner: the path in what the student handed in, where it differs: without what the platform wrote before it.
        late, submitted_at: as a download tells them (downloads.Whose).
    """

    parts: tuple[str, ...]
    source: Slice | None = None
    problem: Message | None = None
    is_folder: bool = False
    is_metadata: bool = False
    is_notebook: bool = False
    note: Message | None = None
    inner: tuple[str, ...] = ()
    late: bool | None = None
    submitted_at: str = ""

    @property
    def place(self) -> str:
        """The path as one text."""
        return "/".join(self.parts)

    @property
    def handed_in(self) -> tuple[str, ...]:
        """The path as far as it is the student's."""
        return self.inner or self.parts

    @property
    def is_read(self) -> bool:
        """Whether there is a source that may be an answer."""
        return self.source is not None and not self.is_metadata


def too_large(size: int, most: int) -> Message:
    """Why a file is not read that has `size` bytes."""
    return Message("batch.file_too_large", {"size": f"{size / 2**20:.1f}", "most": most // 2**20})
