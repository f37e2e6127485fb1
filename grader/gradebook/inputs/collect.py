"""From what an instructor names to one row for each student and exercise: a source, or the reason why there is none."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from grader.course import Course, shown_path
from grader.errors import UsageError
from grader.gradebook.inputs.cells import needed_of
from grader.gradebook.inputs.downloads import Layout
from grader.gradebook.inputs.found import PYTHON, Found, Slice, Spool
from grader.gradebook.inputs.matching import Chosen, Matched, match
from grader.gradebook.inputs.reading import ARCHIVES, Reading
from grader.gradebook.inputs.roster import Roster
from grader.gradebook.inputs.students import HandIn, Rules, by_student
from grader.model import Message, Submission
from grader.report.places import NOTEBOOK

State = Literal["read", "unreadable", "missing"]
_PROGRAMS = (".py", ".pyw", NOTEBOOK)


@dataclass(frozen=True)
class Row:
    """One student and one exercise.

    Attributes:
        place: path of the file in the input, "" where there is none.
        reason: why there is no source, or what there is to know of how it was found.
        filename: the name of the file as the student wrote it.
        late, submitted_at: as the download tells them, None and "" where it tells nothing.
        others: where the best counts, further files of the student for this exercise, the later ones first.
    """

    student: str
    exercise: str
    state: State
    place: str = ""
    source: Slice | None = None
    sha256: str = ""
    reason: Message | None = None
    filename: str = ""
    late: bool | None = None
    submitted_at: str = ""
    others: tuple[Row, ...] = ()


@dataclass(frozen=True)
class Collected:
    """All that an input holds.

    Attributes:
        rows: by student, then by exercise; each pair once.
        names: of students by id, as far as a download told them.
        notes: how the input was understood.
        doubts: what a person may want to check.
    """

    rows: tuple[Row, ...]
    names: Mapping[str, str]
    notes: tuple[Message, ...]
    doubts: tuple[Message, ...]
    spool: Spool

    def submission(self, row: Row) -> Submission:
        """What is graded for a row that was read."""
        assert row.source is not None  # noqa: S101
        return Submission(row.student, row.exercise, row.filename, self.spool.read(row.source), row.sha256)


@contextmanager
def collected(
    path: Path,
    course: Course,
    asked: Sequence[str],
    roster: Roster | None,
    *,
    every: bool,
    leave_out: Path,
    layout: Layout | None = None,
    best: bool = False,
) -> Iterator[Collected]:
    """Read an input; the sources can be had until the end of the block.

    Args:
        asked: names of the exercises that are graded.
        every: an exercise of `asked` that nobody handed in was not set, and nobody misses it.
        leave_out: the folder of the results, which may lie in the input.
        layout: how it is laid out; left out, it is recognised by its names.
        best: of several files of a student for one exercise the best counts, not the latest.

    Raises:
        UsageError: the input is not there, holds no submission, is a broken archive, or too large.
    """
    spool = Spool()
    try:
        reading = Reading(spool, path, leave_out)
        found = list(reading.found())
        exercises = [course.exercises[name] for name in course.names]
        modules = [exercise.module for exercise in exercises]
        if not any(one.is_read or one.problem for one in found):
            raise UsageError(Message("batch.nothing_found", {"path": shown_path(path)}))

        def read(one: Found) -> bytes:
            return spool.read(one.source) if one.source else b""

        rules = Rules(modules, course.names, roster, layout, path, read)
        students = by_student(found, frozenset(reading.repositories), rules)
        by_name = sorted(students.hand_ins, key=lambda one: one.student)
        every_match = {one.student: match(one, exercises, frozenset(asked), read, best=best) for one in by_name}
        every_match = {student: _cut_down(each, course, spool) for student, each in every_match.items()}
        matched, strays = _without_strays(by_name, every_match, roster)
        gone = {one.student for one in students.hand_ins} - matched.keys()
        doubts = [each for each in students.doubts if each.fields.get("student") not in gone]
        doubts += [*_strangers(students.hand_ins, matched, roster), *strays]
        doubts += [Message("batch.nobodys", {"file": one.place}) for one in students.nobodys]
        for student, each in matched.items():
            doubts += [*each.doubts, *_left_out(student, each)]
            if any(one.found.source for one in each.chosen) and (unread := _unread(each)):
                doubts.append(Message("batch.unread_beside", {"student": student, "files": unread}))
        rows = tuple(_rows(matched, asked, roster, spool, every=every))
        yield Collected(rows, students.names, students.notes, tuple(doubts), spool)
    finally:
        spool.close()


@contextmanager
def collected_from_one(path: Path, course: Course, asked: Sequence[str], student: str) -> Iterator[Collected]:
    """Read what a single student handed in: all of it is theirs, however the files and folders are called.

    Raises:
        UsageError: it is not there, cannot be read, or is too large.
    """
    spool = Spool()
    try:
        files = [one for one in Reading(spool, path, path / "nothing").found() if one.parts]
        exercises = [course.exercises[name] for name in course.names]

        def read(one: Found) -> bytes:
            return spool.read(one.source) if one.source else b""

        matched = _cut_down(match(HandIn(student, files), exercises, frozenset(asked), read), course, spool)
        rows = tuple(_rows({student: matched}, asked, None, spool, every=False))
        yield Collected(rows, {}, (), matched.doubts, spool)
    finally:
        spool.close()


def _without_strays(
    hand_ins: Sequence[HandIn], matched: dict[str, Matched], roster: Roster | None
) -> tuple[dict[str, Matched], list[Message]]:
    """The students without those that only a loose file tells of that is no submission, such as README.txt."""
    strays = [one for one in hand_ins if _is_stray(one, matched[one.student], roster)]
    gone = {one.student for one in strays}
    doubts = [Message("batch.no_submission", {"file": found.place}) for one in strays for found in one.files]
    return {student: each for student, each in matched.items() if student not in gone}, doubts


def _is_stray(hand_in: HandIn, matched: Matched, roster: Roster | None) -> bool:
    """Whether nothing of it fits an exercise, its name fits nobody of the class list, and all of it could be read.

    Without a class list a program may be a student's that fits nothing for want of a function: alice.py.
    """
    if not hand_in.is_loose or matched.any_fits or any(found.problem for found in hand_in.files):
        return False
    if roster is not None:
        return hand_in.student not in roster.names
    return not any(found.parts[-1].casefold().endswith(_PROGRAMS) for found in hand_in.files)


def _strangers(hand_ins: Sequence[HandIn], matched: Mapping[str, Matched], roster: Roster | None) -> list[Message]:
    """Whom the class list does not have, in the order of the input."""
    if roster is None:
        return []
    names = [one.student for one in hand_ins if one.student in matched and one.student not in roster.names]
    return [Message("batch.not_in_roster", {"student": name}) for name in names]


def _cut_down(matched: Matched, course: Course, spool: Spool) -> Matched:
    """The same, where each exercise has of a notebook only what it needs."""

    def cut(found: Found, exercise: str) -> tuple[Found, tuple[str, ...]]:
        needed = None
        if found.is_notebook and found.source is not None:
            needed = needed_of(spool.read(found.source), course.exercises[exercise])
        return (replace(found, source=spool.add(needed.source)), needed.without) if needed else (found, ())

    def of(chosen: Chosen) -> Chosen:
        found, without = cut(chosen.found, chosen.exercise)
        others = tuple(cut(other, chosen.exercise)[0] for other in chosen.others)
        return replace(chosen, found=found, others=others, without=without)

    return replace(matched, chosen=tuple(map(of, matched.chosen)))


def _left_out(student: str, matched: Matched) -> Iterator[Message]:
    """What was left out of a student's notebooks, each of them once."""
    told: dict[str, list[Chosen]] = {}
    for one in matched.chosen:
        if one.without:
            told.setdefault(one.found.place, []).append(one)
    for place, several in told.items():
        exercises = ", ".join(one.exercise for one in several)
        packages = ", ".join(dict.fromkeys(name for one in several for name in one.without))
        fields = {"student": student, "file": place, "exercises": exercises, "packages": packages}
        yield Message("batch.left_out", fields)


# --- rows --------------------------------------------------------------------------------------------------------


def _rows(
    matched: dict[str, Matched], asked: Sequence[str], roster: Roster | None, spool: Spool, *, every: bool
) -> Iterator[Row]:
    handed_in = {chosen.exercise for each in matched.values() for chosen in each.chosen}
    expected = [name for name in asked if not every or name in handed_in]
    absent = [student for student in (roster.names if roster else ()) if student not in matched]
    for student, each in matched.items():
        chosen = {one.exercise: one for one in each.chosen}
        yield from (_row(student, name, chosen.get(name), each, spool) for name in expected)
        if not expected:  # nothing at all was recognised: say so for each student
            yield _row(student, asked[0] if len(asked) == 1 else "", None, each, spool)
    for student in absent:
        yield from (Row(student, name, "missing", reason=Message("batch.nothing_handed_in")) for name in expected)


def _row(student: str, exercise: str, chosen: Chosen | None, matched: Matched, spool: Spool) -> Row:
    if chosen is None:
        return _without_answer(student, exercise, matched)
    unread = _unread(matched)
    beside = Message("batch.note_unread_beside", {"files": unread}) if unread else None
    without = Message("batch.note_left_out", {"packages": ", ".join(chosen.without)}) if chosen.without else None
    notes = (beside, without, chosen.found.note, chosen.note)  # the heaviest one first; the others are on the screen
    row = _of_file(student, exercise, chosen.found, spool, next((note for note in notes if note), None))
    others = [_of_file(student, exercise, one, spool, row.reason) for one in chosen.others if one.is_read]
    return replace(row, others=tuple(others))


def _without_answer(student: str, exercise: str, matched: Matched) -> Row:
    problem = next((one for one in matched.left if one.problem), None)
    if problem is not None and problem.problem is not None:
        return _unreadable(student, exercise, problem, problem.problem)
    others = [one.place for one in matched.left if not one.is_folder]
    if not others:
        return Row(student, exercise, "missing", reason=Message("batch.nothing_for_it"))
    return Row(student, exercise, "missing", reason=Message("batch.no_file_for_it", {"files": _listed(others)}))


def _unreadable(student: str, exercise: str, found: Found, problem: Message) -> Row:
    """What was handed in and could not be read; when it came is kept, it may have to be handed in again."""
    return Row(
        *(student, exercise, "unreadable", found.place),
        reason=problem,
        late=found.late,
        submitted_at=found.submitted_at,
    )


def _of_file(student: str, exercise: str, found: Found, spool: Spool, note: Message | None) -> Row:
    if found.source is None:
        assert found.problem is not None  # noqa: S101 - else no exercise is found for it
        return _unreadable(student, exercise, found, found.problem)
    return Row(
        student,
        exercise,
        "read",
        place=found.place,
        source=found.source,
        sha256=hashlib.sha256(spool.read(found.source)).hexdigest(),
        reason=note,
        filename=found.handed_in[-1],
        late=found.late,
        submitted_at=found.submitted_at,
    )


def _unread(matched: Matched) -> str:
    """The archives and sources that could not be read and that may hold an answer as well."""
    wanted = (*ARCHIVES, *PYTHON, NOTEBOOK)
    return _listed([one.place for one in matched.left if one.problem and one.parts[-1].casefold().endswith(wanted)])


def _listed(places: Sequence[str]) -> str:
    return ", ".join(places[:3]) + (" …" if len(places) > 3 else "")
