"""Reads the entries of an input into the spool: sources, notebooks as the code in them, archives inside of it."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from grader.course import MAX_SOURCE, shown_path
from grader.errors import UsageError
from grader.gradebook.inputs.archives import DAMAGED, Kind, Most, TooMuch, archive_entries, kind_of
from grader.gradebook.inputs.downloads import METADATA, REPOSITORY
from grader.gradebook.inputs.folders import folder_entries
from grader.gradebook.inputs.found import (
    MAX_ALL_UNPACKED,
    MAX_DEPTH,
    MAX_FILES,
    MAX_METADATA,
    MAX_NESTED,
    MAX_NESTED_FILES,
    MAX_NESTED_UNPACKED,
    PYTHON,
    Entry,
    Found,
    Spool,
    too_large,
)
from grader.gradebook.inputs.names import MAX_NAME, is_ignored, shortened
from grader.gradebook.inputs.notebooks import code_of
from grader.model import Message
from grader.report.places import NOTEBOOK

ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".rar", ".7z")
_OUTER = Most()
_NESTED = Most(MAX_NESTED_UNPACKED, 1024 * MAX_NESTED_FILES)
_WITHOUT_WAITING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC  # a FIFO would wait for somebody to write to it


@dataclass
class _Room:
    """What may still be read of archives that were handed in: of one of them, or of all."""

    files: int
    unpacked: int  # bytes

    def take(self, files: int, unpacked: int) -> None:
        """Raises TooMuch where no room is left."""
        self.files -= files
        self.unpacked -= unpacked
        if self.files < 0 or self.unpacked < 0:
            raise TooMuch


class Reading:
    """Reads one input, and counts what it holds.

    Attributes:
        repositories: paths of folders that are a Git repository.
    """

    def __init__(self, spool: Spool, path: Path, leave_out: Path) -> None:
        """`leave_out` is a folder that is not entered: where the results go."""
        self.repositories: set[tuple[str, ...]] = set()
        self._spool = spool
        self._path = path
        self._leave_out = leave_out
        self._shown = shown_path(path)
        self._count = 0
        self._all_nested = _Room(MAX_FILES, MAX_ALL_UNPACKED)

    def found(self) -> Iterator[Found]:
        """Every file that may be an answer, and folders with nothing in them.

        Raises:
            UsageError: the input is not there, is a broken archive, or too large.
        """
        shown = self._shown
        try:
            if self._path.is_dir():
                yield from self._all_of(folder_entries(self._path, self._leave_out), ())
                return
            with os.fdopen(os.open(self._path, _WITHOUT_WAITING), "rb") as file:
                kind = kind_of(file)
                if kind is None:
                    raise UsageError(Message("batch.no_input", {"path": shown}))
                if kind == "unknown":
                    raise UsageError(Message("batch.other_archive", {"path": shown}))
                yield from self._all_of(archive_entries(file, kind, _OUTER), (), depth=1)
        except TooMuch as error:
            raise UsageError(Message("batch.bomb", {"path": shown})) from error
        except FileNotFoundError as error:
            raise UsageError(Message("batch.not_there", {"path": shown})) from error
        except DAMAGED as error:
            if isinstance(error, OSError) and error.filename is not None:
                fields = {"path": shown, "reason": error.strerror or str(error)}
                raise UsageError(Message("batch.input_unreadable", fields)) from error
            raise UsageError(Message("batch.broken_archive", {"path": shown, "reason": str(error)})) from error

    def _all_of(
        self, entries: Iterable[Entry], above: tuple[str, ...], depth: int = 0, room: _Room | None = None
    ) -> Iterator[Found]:
        """What the entries hold; `depth` is how many archives they lie in, `room` that of one that was handed in."""
        for entry in entries:
            self._count_one(room)
            parts = (*above, *entry.parts)
            if REPOSITORY in parts:
                self.repositories.add(parts[: parts.index(REPOSITORY)])
            if not parts or is_ignored(parts):
                continue
            long = next((at for at, part in enumerate(parts) if len(part) > MAX_NAME), None)
            if long is not None:
                cut = (*parts[:long], shortened(parts[long]))
                yield Found(cut[:MAX_DEPTH], problem=Message("batch.name_too_long", {"most": MAX_NAME}))
            elif len(parts) > MAX_DEPTH + 1:
                yield Found(parts[:MAX_DEPTH], problem=Message("batch.too_deep", {"most": MAX_DEPTH}))
            elif entry.kind == "folder":
                yield Found(parts, problem=entry.problem, is_folder=True)
            elif entry.problem is None and entry.kind == "file" and parts[-1].casefold().endswith(ARCHIVES):
                yield from self._nested(entry, parts, depth)
            else:
                yield self._one(entry, parts, room)

    def _count_one(self, room: _Room | None) -> None:
        """One more entry: of an archive that was handed in, or of the input, where too many end the run."""
        if room is not None:
            self._take(room, 1, 0)
            return
        self._count += 1
        if self._count > MAX_FILES:
            raise UsageError(Message("batch.too_many_entries", {"path": self._shown, "most": MAX_FILES}))

    def _take(self, room: _Room, files: int, unpacked: int) -> None:
        room.take(files, unpacked)
        self._all_nested.take(files, unpacked)

    def _content(self, entry: Entry, most: int, room: _Room | None) -> bytes:
        """At most `most` bytes of an entry, and one more where it is too large.

        They count before they are read: a damaged entry is unpacked as well.
        """
        if room is not None:
            self._take(room, 0, min(entry.size, most + 1))
        return entry.read(most + 1)

    def _one(self, entry: Entry, parts: tuple[str, ...], room: _Room | None) -> Found:
        problem = _problem_of(entry)
        most = _most_bytes(parts[-1])
        if problem is not None or not most:
            return Found(parts, problem=problem)
        try:
            source = self._content(entry, most, room)
        except DAMAGED as error:
            return Found(parts, problem=_unreadable(error))
        if len(source) > most:
            return Found(parts, problem=too_large(len(source), most))
        if parts[-1].casefold().endswith(NOTEBOOK):
            return self._notebook(parts, source)
        return Found(parts, self._spool.add(source), is_metadata=parts[-1] == METADATA)

    def _notebook(self, parts: tuple[str, ...], content: bytes) -> Found:
        code = code_of(content)
        if isinstance(code, Message):
            return Found(parts, problem=code)
        if len(code.source) > MAX_SOURCE:
            return Found(parts, problem=too_large(len(code.source), MAX_SOURCE))
        note = None
        if code.skipped:
            fields: dict[str, str | int] = {"file": "/".join(parts), "lines": code.skipped, "first": code.first_skipped}
            note = Message("batch.note_magics", fields)
        return Found(parts, self._spool.add(code.source), is_notebook=True, note=note)

    def _nested(self, entry: Entry, parts: tuple[str, ...], depth: int) -> Iterator[Found]:
        """An archive that a student handed in, as a folder of its name; what is too much in it is its own problem."""
        if depth > 1:
            yield Found(parts, problem=Message("batch.nested_too_deep"))
            return
        inner = (*parts[:-1], folder_of(parts[-1]))
        if entry.size > MAX_NESTED:
            yield Found(parts, problem=too_large(entry.size, MAX_NESTED))
            return
        try:
            file: IO[bytes] = io.BytesIO(entry.read(MAX_NESTED + 1))
            kind: Kind | None = kind_of(file)
            if kind is None or kind == "unknown":
                yield Found(parts, problem=Message("batch.nested_other"))
            else:
                own = _Room(MAX_NESTED_FILES, MAX_NESTED_UNPACKED)
                yield from self._all_of(archive_entries(file, kind, _NESTED), inner, depth + 2, own)
        except TooMuch:
            fields = {"files": MAX_NESTED_FILES, "size": MAX_NESTED_UNPACKED // 2**20}
            yield Found(parts, problem=Message("batch.nested_too_much", fields))
        except DAMAGED as error:
            yield Found(parts, problem=_unreadable(error))


def folder_of(archive: str) -> str:
    """What the folder is called that stands for an archive."""
    return archive.partition(".")[0] or archive


def _most_bytes(filename: str) -> int:
    """How large a file of this name may be to be read; 0 where it is not read at all."""
    if filename == METADATA:
        return MAX_METADATA
    name = filename.casefold()
    if name.endswith(NOTEBOOK):
        return MAX_NESTED  # pictures lie in it
    return MAX_SOURCE if name.endswith(PYTHON) else 0


def _problem_of(entry: Entry) -> Message | None:
    """Why an entry is not read, as far as that is known without reading it."""
    most = _most_bytes(entry.parts[-1])
    if entry.kind != "file":
        return Message("batch.link" if entry.kind == "link" else "batch.special")
    if not most or entry.problem is not None:
        return entry.problem
    return too_large(entry.size, most) if entry.size > most else None


def _unreadable(error: BaseException) -> Message:
    """Why the content of an archive, or of one of its entries, is not there."""
    if isinstance(error, OSError) and error.strerror:
        return Message("batch.file_unreadable", {"reason": error.strerror})
    unknown = isinstance(error, NotImplementedError | RuntimeError)  # a password, or a way to pack of its own
    return Message("batch.packed_otherwise" if unknown else "batch.damaged")
