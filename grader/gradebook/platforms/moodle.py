"""Moodle: a grading worksheet with our points in it, or a table for its import of grades."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.gradebook.platforms.sheet import Refused, Students, number, plain, read_sheet, scaled, written
from grader.gradebook.standings import Standing
from grader.model import Message

NEEDED = ("Identifier", "Grade")
IDS = ("Identifier", "ID number", "Username", "Email address")
ID, EMAIL, NAME = "ID number", "Email address", "Full name"
_OF_ONE_ASSIGNMENT = re.compile(r"Participant \d+")  # as a download names students: Moodle's import knows none of them


def worksheet(
    path: Path, exercises: Sequence[str], standings: Sequence[Standing], names: Mapping[str, str]
) -> tuple[str, list[Message]]:
    """A grading worksheet, which belongs to one assignment, with the column Grade filled in; and what to know.

    Raises:
        Refused: it is no grading worksheet, or it is not clear which exercise it is for.
    """
    if len(exercises) != 1:
        raise Refused(Message("exports.one_exercise", {"platform": "Moodle", "exercises": ", ".join(exercises)}))
    sheet = read_sheet(path, NEEDED)
    here = {one.student: one for one in standings if one.exercise == exercises[0]}
    most = max((one.max_points or 0 for one in here.values()), default=0)
    students = Students(here, names)
    grade, name = sheet.column("Grade") or 0, sheet.column("Full name")
    top, closed = sheet.column("Maximum Grade"), sheet.column("Grade can be changed")
    rows, notes, scales = [list(sheet.header)], [], set()
    for row in sheet.rows[1:]:
        cells = list(row)
        student = students.of(_ids(sheet.header, row), row[name] if name is not None else "")
        one = here.get(student) if student is not None else None
        if one is not None and one.points is not None:
            possible = number(row[top]) if top is not None else None
            if closed is not None and plain(row[closed]) == "no":
                notes.append(Message("exports.closed", {"student": one.student}))
            else:
                scales |= {possible} - {None, most}
                cells[grade] = scaled(one.points, most, possible)
        rows.append(cells)
    for possible in sorted(value for value in scales if value is not None):
        fields = {"exercise": exercises[0], "most": f"{most:g}", "possible": f"{possible:g}"}
        notes.append(Message("exports.scaled", fields))
    if students.left:
        notes.append(Message("exports.not_there", {"platform": "Moodle", "students": ", ".join(students.left)}))
    return written(rows, sheet.separator), notes


def _ids(header: Sequence[str], row: Sequence[str]) -> list[str]:
    """Ids of a row, and the number alone of "Participant 1234", as a folder of a download may have it."""
    wanted = set(map(plain, IDS))
    ids = [cell for title, cell in zip(header, row, strict=True) if plain(title) in wanted]
    return [*ids, *(cell.split()[-1] for cell in ids if cell.split()[1:] and cell.split()[-1].isdigit())]


def grade_import(
    exercises: Sequence[str], standings: Sequence[Standing], names: Mapping[str, str]
) -> tuple[str, list[Message]]:
    """A table for Grades > Import > CSV file, a row for each student, a column for each exercise; and what to know.

    That import finds users by ID number, username or e-mail address, in the column that is chosen there.

    Whom it cannot find is left out: who is known by a number in one assignment alone.

    Raises:
        Refused: that is so for all students.
    """
    everybody = sorted({one.student for one in standings})
    unknown = list(filter(_OF_ONE_ASSIGNMENT.fullmatch, everybody))
    students = [student for student in everybody if student not in unknown]
    fields: dict[str, str | int] = {"student": unknown[0], "count": len(unknown)} if unknown else {}
    if unknown and not students:
        raise Refused(Message("exports.needs_worksheet", fields))
    points = {(one.student, one.exercise): one.points for one in standings}
    ids = EMAIL if students and all("@" in student for student in students) else ID
    rows: list[Sequence[str]] = [(ids, NAME, *exercises)]
    for student in students:
        given = (points.get((student, name)) for name in exercises)
        cells = ("" if value is None else scaled(value, 0, None) for value in given)
        rows.append((student, names.get(student, ""), *cells))
    notes = [Message("exports.matched_by_email" if ids == EMAIL else "exports.matched_by_id")]
    return written(rows), notes + ([Message("exports.only_a_number", fields)] if unknown else [])
