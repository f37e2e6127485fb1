"""From what an instructor names to one row for each student and exercise: a source, or the reason why there is none."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from grader.course import MAX_SOURCE, Course, shown_path
from grader.errors import UsageError
from grader.gradebook.inputs.archives import DAMAGED, Kind, TooMuch, archive_entries, kind_of
from grader.gradebook.inputs.folders import folder_entries
from grader.gradebook.inputs.found import (
    MAX_DEPTH,
    MAX_FILES,
    MAX_NESTED,
    PYTHON,
    Entry,
    Found,
    Slice,
    Spool,
    too_large,
)
from grader.gradebook.inputs.matching import Matched, match
from grader.gradebook.inputs.names import is_ignored
from grader.gradebook.inputs.roster import Roster
from grader.gradebook.inputs.students import HandIn, by_student
from grader.model import Exercise, Message, Submission

State = Literal["read", "unreadable", "missing"]
_WITHOUT_WAITING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC  # a FIFO would wait for somebody to write to it
_ARCHIVES = (".zip", ".tar", ".tgz", ".gz", ".bz2", ".xz", ".rar", ".7z")


@dataclass(frozen=True)
class Row:
    """One student and one exercise.

    Attributes:
        place: path of the file in the input, "" where there is none.
        reason: why there is no source, or what could not be read beside it.
    """

    student: str
    exercise: str
    state: State
    place: str = ""
    source: Slice | None = None
    sha256: str = ""
    reason: Message | None = None

    @property
    def filename(self) -> str:
        """The name of the file as the student wrote it."""
        return self.place.rpartition("/")[2]


@dataclass(frozen=True)
class Collected:
    """All that an input holds.

    Attributes:
        rows: by student, then by exercise; each pair once.
        notes: how the input was understood.
        doubts: what a person may want to check.
    """

    rows: tuple[Row, ...]
    notes: tuple[Message, ...]
    doubts: tuple[Message, ...]
    spool: Spool

    def submission(self, row: Row) -> Submission:
        """What is graded for a row that was read."""
        assert row.source is not None  # noqa: S101
        return Submission(row.student, row.exercise, row.filename, self.spool.read(row.source), row.sha256)


@contextmanager
def collected(
    path: Path, course: Course, asked: Sequence[str], roster: Roster | None, *, every: bool, leave_out: Path
) -> Iterator[Collected]:
    """Read an input; the sources can be had until the end of the block.

    Args:
        asked: names of the exercises that are graded.
        every: an exercise of `asked` that nobody handed in was not set, and nobody misses it.
        leave_out: the folder of the results, which may lie in the input.

    Raises:
        UsageError: the input is not there, holds no submission, is a broken archive, or too large.
    """
    spool = Spool()
    try:
        found = list(_read(path, spool, leave_out))
        exercises = [course.exercises[name] for name in course.names]
        modules = [exercise.module for exercise in exercises]
        students = by_student(found, modules, course.names, roster)
        notes = [Message("batch.wrapper", {"folder": students.wrapper})] if students.wrapper else []
        doubts = [*students.doubts, *(_nobodys(one) for one in students.nobodys)]
        matched = _match_all(students.hand_ins, exercises, frozenset(asked), spool)
        if not any(one.source or one.problem for one in found):
            raise UsageError(Message("batch.nothing_found", {"path": shown_path(path)}))
        for student, each in matched.items():
            doubts += each.doubts
            if any(one.found.source for one in each.chosen) and (unread := _unread(each)):
                doubts.append(Message("batch.unread_beside", {"student": student, "files": unread}))
        rows = _rows(matched, asked, roster, spool, every=every)
        yield Collected(tuple(rows), tuple(notes), tuple(doubts), spool)
    finally:
        spool.close()


def _nobodys(one: Found) -> Message:
    return Message("batch.nobodys", {"file": one.place})


def _match_all(
    hand_ins: Iterable[HandIn], exercises: Sequence[Exercise], asked: frozenset[str], spool: Spool
) -> dict[str, Matched]:
    def read(found: Found) -> bytes:
        return spool.read(found.source) if found.source else b""

    return {one.student: match(one, exercises, asked, read) for one in sorted(hand_ins, key=lambda one: one.student)}


# --- rows --------------------------------------------------------------------------------------------------------


def _rows(
    matched: dict[str, Matched], asked: Sequence[str], roster: Roster | None, spool: Spool, *, every: bool
) -> Iterator[Row]:
    handed_in = {chosen.exercise for each in matched.values() for chosen in each.chosen}
    expected = [name for name in asked if not every or name in handed_in]
    absent = [student for student in (roster.names if roster else ()) if student not in matched]
    for student, each in matched.items():
        chosen = {one.exercise: one.found for one in each.chosen}
        yield from (_row(student, name, chosen.get(name), each, spool) for name in expected)
        if not expected:  # nothing at all was recognised: say so for each student
            yield _row(student, asked[0] if len(asked) == 1 else "", None, each, spool)
    for student in absent:
        yield from (Row(student, name, "missing", reason=Message("batch.nothing_handed_in")) for name in expected)


def _row(student: str, exercise: str, found: Found | None, matched: Matched, spool: Spool) -> Row:
    if found is None:
        problem = next((one for one in matched.left if one.problem), None)
        if problem is not None and problem.problem is not None:
            return Row(student, exercise, "unreadable", problem.place, reason=problem.problem)
        others = [one.place for one in matched.left if not one.is_folder]
        if not others:
            return Row(student, exercise, "missing", reason=Message("batch.nothing_for_it"))
        return Row(student, exercise, "missing", reason=Message("batch.no_file_for_it", {"files": _listed(others)}))
    if found.source is None:
        return Row(student, exercise, "unreadable", found.place, reason=found.problem)
    digest = hashlib.sha256(spool.read(found.source)).hexdigest()
    unread = _unread(matched)
    beside = Message("batch.note_unread_beside", {"files": unread}) if unread else None
    return Row(student, exercise, "read", found.place, found.source, digest, beside)


def _unread(matched: Matched) -> str:
    """The archives and sources that could not be read and that may hold an answer as well."""
    wanted = (*_ARCHIVES, *PYTHON)
    return _listed([one.place for one in matched.left if one.problem and one.parts[-1].casefold().endswith(wanted)])


def _listed(places: Sequence[str]) -> str:
    return ", ".join(places[:3]) + (" …" if len(places) > 3 else "")


# --- reading -----------------------------------------------------------------------------------------------------


def _read(path: Path, spool: Spool, leave_out: Path) -> Iterator[Found]:
    shown = shown_path(path)
    try:
        if path.is_dir():
            yield from _Reading(spool, shown).all_of(folder_entries(path, leave_out), ())
            return
        with os.fdopen(os.open(path, _WITHOUT_WAITING), "rb") as file:
            kind = kind_of(file)
            if kind is None:
                raise UsageError(Message("batch.no_input", {"path": shown}))
            if kind == "unknown":
                raise UsageError(Message("batch.other_archive", {"path": shown}))
            yield from _Reading(spool, shown).all_of(archive_entries(file, kind), (), depth=1)
    except TooMuch as error:
        raise UsageError(Message("batch.bomb", {"path": shown})) from error
    except FileNotFoundError as error:
        raise UsageError(Message("batch.not_there", {"path": shown})) from error
    except DAMAGED as error:
        if isinstance(error, OSError) and error.filename is not None:
            fields = {"path": shown, "reason": error.strerror or str(error)}
            raise UsageError(Message("batch.input_unreadable", fields)) from error
        raise UsageError(Message("batch.broken_archive", {"path": shown, "reason": str(error)})) from error


class _Reading:
    """Reads entries into the spool, and counts them."""

    def __init__(self, spool: Spool, shown: str) -> None:
        self._spool = spool
        self._shown = shown
        self._count = 0

    def all_of(self, entries: Iterable[Entry], above: tuple[str, ...], depth: int = 0) -> Iterator[Found]:
        """What the entries hold; `depth` is how many archives they lie in."""
        for entry in entries:
            self._count += 1
            if self._count > MAX_FILES:
                raise UsageError(Message("batch.too_many_entries", {"path": self._shown, "most": MAX_FILES}))
            parts = (*above, *entry.parts)
            if not parts or is_ignored(parts):
                continue
            if len(parts) > MAX_DEPTH + 1:
                yield Found(parts[:MAX_DEPTH], problem=Message("batch.too_deep", {"most": MAX_DEPTH}))
            elif entry.kind == "folder":
                yield Found(parts, problem=entry.problem, is_folder=True)
            elif entry.problem is None and entry.kind == "file" and parts[-1].casefold().endswith(_ARCHIVES):
                yield from self._nested(entry, parts, depth)
            else:
                yield self._one(entry, parts)

    def _one(self, entry: Entry, parts: tuple[str, ...]) -> Found:
        problem = _problem_of(entry)
        if problem is not None:
            return Found(parts, problem=problem)
        if not parts[-1].casefold().endswith(PYTHON):
            return Found(parts)
        try:
            source = entry.read(MAX_SOURCE + 1)
        except DAMAGED as error:
            return Found(parts, problem=_unreadable(error))
        if len(source) > MAX_SOURCE:
            return Found(parts, problem=too_large(len(source)))
        return Found(parts, self._spool.add(source))

    def _nested(self, entry: Entry, parts: tuple[str, ...], depth: int) -> Iterator[Found]:
        """An archive that a student handed in, as a folder of its name."""
        inner = (*parts[:-1], parts[-1].partition(".")[0] or parts[-1])
        if entry.size > MAX_NESTED:
            yield Found(parts, problem=too_large(entry.size))
            return
        try:
            file: IO[bytes] = io.BytesIO(entry.read(MAX_NESTED + 1))
            kind: Kind | None = kind_of(file)
            if kind is None or kind == "unknown":
                yield Found(parts, problem=Message("batch.nested_other"))
            elif depth > 1:
                yield Found(parts, problem=Message("batch.nested_too_deep"))
            else:
                yield from self.all_of(archive_entries(file, kind), inner, depth + 2)
        except TooMuch:
            yield Found(parts, problem=Message("batch.nested_bomb"))
        except DAMAGED as error:
            yield Found(parts, problem=_unreadable(error))


def _problem_of(entry: Entry) -> Message | None:
    """Why an entry is not read, as far as that is known without reading it."""
    name = entry.parts[-1].casefold()
    if entry.kind != "file":
        return Message("batch.link" if entry.kind == "link" else "batch.special")
    if name.endswith(".ipynb"):
        return Message("batch.notebook")
    if not name.endswith(PYTHON) or entry.problem is not None:
        return entry.problem
    return too_large(entry.size) if entry.size > MAX_SOURCE else None


def _unreadable(error: BaseException) -> Message:
    reason = (error.strerror if isinstance(error, OSError) else None) or str(error) or type(error).__name__
    return Message("batch.file_unreadable", {"reason": reason})
