"""Says whose a file is: by the rules of the platform it was downloaded from, by its first folder, or by its name.

alice/concat.py, alice/exercises/04_concat/concat.py    alice
hw4/alice/concat.py where all lie in hw4/               alice
alice_concat.py, concat-alice.py, alice.py              alice
doejane_123_456_concat.py among others of that kind     123, of Canvas (downloads.py)
doejane_123_456_concat.py among folders                 who has 123 in the class list, else doejane_123_456; a doubt
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.course import shown_path
from grader.errors import UsageError
from grader.gradebook.inputs.downloads import (
    Layout,
    Top,
    Uploaded,
    Whose,
    named_as_by,
    names_a_student,
    read_metadata,
    recognised,
    repository_prefix,
    whose,
)
from grader.gradebook.inputs.found import Found
from grader.gradebook.inputs.names import stem_of, without_copy_mark
from grader.gradebook.inputs.reading import ARCHIVES, folder_of
from grader.gradebook.inputs.roster import Roster
from grader.model import Message

_SEPARATORS = "_-. "
_PLAIN: tuple[Layout, ...] = ("folders", "files")


@dataclass
class HandIn:
    """All that one student handed in.

    Attributes:
        student: id of the roster where one fits, else the id or name as it was found.
        files: what may be an answer, and folders that could not be read.
        is_loose: only the names of files that lie in no folder tell of this student, and by no platform's rules.
    """

    student: str
    files: list[Found] = field(default_factory=list)
    is_loose: bool = False


@dataclass(frozen=True)
class Sorted:
    """The files of an input by student.

    Attributes:
        names: of students, by id, as far as the download told them.
        nobodys: files that carry no student's name.
        notes: how the input was understood.
        doubts: names that follow other rules than the rest of the input.
    """

    hand_ins: tuple[HandIn, ...]
    names: Mapping[str, str]
    nobodys: tuple[Found, ...]
    notes: tuple[Message, ...]
    doubts: tuple[Message, ...]


@dataclass(frozen=True)
class Rules:
    """What is known before the files are looked at.

    Attributes:
        modules: names of all answer files of the course, without ".py".
        exercises: names of its exercise folders.
        layout: the platform that the instructor named.
        path: of the input, as it was typed.
        read: the content of a file that has one.
    """

    modules: Sequence[str]
    exercises: Sequence[str]
    roster: Roster | None
    layout: Layout | None
    path: Path
    read: Callable[[Found], bytes]


def by_student(found: Sequence[Found], repositories: frozenset[tuple[str, ...]], rules: Rules) -> Sorted:
    """Sort what was found by student.

    Args:
        repositories: paths of folders that are a Git repository.

    Raises:
        UsageError: the metadata of a download cannot be read, or nothing is named as the layout wants it.
    """
    return _Sorting(found, repositories, rules).all()


class _Sorting:
    """The students as they are met."""

    def __init__(self, found: Sequence[Found], repositories: frozenset[tuple[str, ...]], rules: Rules) -> None:
        self._found = found
        self._rules = rules
        self._roster = rules.roster
        self._wrapper = _wrapper(found, repositories, rules)
        self._hand_ins: dict[str, HandIn] = {}
        self._names: dict[str, str] = {}
        self._odd: dict[str, Message] = {}  # by the name of the first level
        self._fitting = 0
        depth = 1 if self._wrapper else 0
        names = dict.fromkeys(one.parts[depth] for one in found if len(one.parts) > depth)
        folders = {path[depth] for path in repositories if len(path) == depth + 1}
        self._top = Top(self._wrapper, list(names), frozenset(folders))
        self._layout = rules.layout or recognised(self._top)
        self._prefix = repository_prefix(self._top) if self._layout == "classroom" else ""
        self._uploaded = self._metadata() if self._layout == "gradescope" else {}

    def all(self) -> Sorted:
        for entry in self._uploaded.values():  # whose folder is empty has handed in nothing that can be read
            for ids, name in entry.people:
                self._hand_in(Whose(ids, name, ()))
        nobodys = [one for one in self._found if not one.is_metadata and not self._take(one)]
        if self._layout and self._layout not in _PLAIN and not self._fitting:
            fields = {"path": shown_path(self._rules.path), "asked": f"--from {self._layout}"}
            raise UsageError(Message("batch.not_such_download", {**fields, "example": self._top.names[0]}))
        notes = [Message("batch.wrapper", {"folder": self._wrapper})] if self._wrapper else []
        if self._layout:
            fields = {"layout": self._layout, "example": self._top.names[0]}
            notes.append(Message("batch.read_as" if self._rules.layout else f"batch.looks_like_{self._layout}", fields))
        hand_ins, doubts = tuple(self._hand_ins.values()), tuple(self._odd.values())
        return Sorted(hand_ins, self._names, tuple(nobodys), tuple(notes), doubts)

    def _take(self, one: Found) -> bool:
        """Give a file to its students; whether there are any."""
        parts = one.parts[1:] if self._wrapper else one.parts
        if not parts:
            return True
        told = whose(self._layout, parts, self._prefix, self._uploaded) if self._layout else self._stray(one, parts)
        for each in told:
            self._fitting += 1
            handed_in = replace(one, inner=each.path, late=each.late, submitted_at=each.submitted_at)
            self._hand_in(each).files.append(handed_in)
        return bool(told) or self._take_plain(one, parts)

    def _stray(self, one: Found, parts: tuple[str, ...]) -> tuple[Whose, ...]:
        """Who of the class list is meant by a name that a platform has written, unlike the rest; nobody without one."""
        stray = named_as_by(parts)
        if self._roster is None or stray is None or self._roster.id_at_the_start_of(parts[0]):
            return ()
        student = self._rosters_id(stray[1])
        if student is None:
            return ()
        self._doubt(parts[0], Message("batch.odd_name", {"file": one.place, "student": student}))
        return (stray[1],)

    def _doubt(self, top: str, odd: Message) -> None:
        """List a name of the first level, once for all that lies below it."""
        self._odd.setdefault(top, odd)

    def _hand_in(self, told: Whose) -> HandIn:
        student = self._rosters_id(told) or told.ids[0]
        if told.name:
            self._names.setdefault(student, told.name)
        return self._of(student)

    def _of(self, student: str, *, loose: bool = False) -> HandIn:
        hand_in = self._hand_ins.setdefault(student, HandIn(student, is_loose=loose))
        hand_in.is_loose = hand_in.is_loose and loose
        return hand_in

    def _rosters_id(self, told: Whose) -> str | None:
        if self._roster is None:
            return None
        by_id = (self._roster.id_of(one) for one in told.ids)
        return next((student for student in by_id if student), None) or (
            self._roster.id_of_name(told.name) if told.name else None
        )

    def _take_plain(self, one: Found, parts: tuple[str, ...]) -> bool:
        """Whose it is where no platform has written a name before it."""
        flat = len(parts) == 1 and not one.is_folder
        if self._layout == "files" and not one.is_folder:
            flat, parts = True, parts[-1:]
        elif self._layout == "folders" and flat:
            return False
        elif self._layout == "files":
            return one.problem is None
        platform = self._layout not in (None, *_PLAIN)
        if flat and one.problem and parts[0].casefold().endswith(ARCHIVES):  # as if it could be read
            name = _known(folder_of(parts[0]), self._roster)
        elif flat:
            name = _in_flat_name(parts[0], self._rules.modules, self._roster)
        else:
            name = _known(parts[0], self._roster)
        if not name or (platform and flat and not (one.source or one.problem)):
            return False
        if platform and name not in self._hand_ins:
            self._doubt(parts[0], Message("batch.odd_name", {"file": one.place, "student": name}))
        if self._layout is None and not (self._roster and name in self._roster.names) and (stray := named_as_by(parts)):
            fields = {"platform": stray[0].capitalize(), "option": f"--from {stray[0]}"}
            self._doubt(parts[0], Message("batch.odd_download", {"file": one.place, "student": name, **fields}))
        self._of(name, loose=flat).files.append(one)
        return True

    def _metadata(self) -> dict[str, Uploaded]:
        depth = 2 if self._wrapper else 1
        for one in self._found:
            if one.is_metadata and len(one.parts) == depth:
                try:
                    return read_metadata(self._rules.read(one))
                except ValueError as error:
                    fields = {"path": shown_path(self._rules.path / one.place), "reason": str(error)}
                    raise UsageError(Message("batch.metadata_unreadable", fields)) from error
        return {}


def _known(name: str, roster: Roster | None) -> str:
    return (roster.id_of(name) if roster else None) or name.strip()


def _wrapper(found: Sequence[Found], repositories: frozenset[tuple[str, ...]], rules: Rules) -> str:
    """The folder that all of the input lies in, where the students are the next level."""
    roster = rules.roster
    modules, course_folders = frozenset(rules.modules), {"exercises", *rules.exercises}
    tops = {one.parts[0] for one in found}
    if len(tops) != 1 or any(len(one.parts) < 2 and not one.is_folder for one in found):
        return ""
    (top,) = tops
    inner = {one.parts[1] for one in found if len(one.parts) > 2 or (len(one.parts) == 2 and one.is_folder)}
    flat = [one.parts[1] for one in found if len(one.parts) == 2 and not one.is_folder]
    if top in course_folders or (roster and roster.id_of(top)) or inner & course_folders:
        return ""
    if names_a_student(top) or (top,) in repositories:
        return ""
    if modules & {without_copy_mark(stem_of(name))[0].casefold() for name in flat}:
        return ""  # concat.py: it is the student's own folder
    return top if inner or len(flat) > 1 else ""


def _in_flat_name(filename: str, modules: Iterable[str], roster: Roster | None) -> str:
    """The student that the name of a flat file tells of, "" where it tells of none."""
    if roster and (student := roster.id_at_the_start_of(filename)):
        return student
    bare, _ = without_copy_mark(stem_of(filename))
    plain = bare.casefold()
    for module in sorted(modules, key=len, reverse=True):
        if plain == module:
            return ""
        if plain.endswith(module) and plain[-len(module) - 1] in _SEPARATORS:
            return _known(_trimmed(bare[: -len(module)]), roster)
        if plain.startswith(module) and plain[len(module)] in _SEPARATORS:
            return _known(_trimmed(bare[len(module) :]), roster)
    return _known(_trimmed(bare), roster)


def _trimmed(text: str) -> str:
    return text.strip(_SEPARATORS)
