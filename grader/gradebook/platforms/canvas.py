"""Canvas: its gradebook as a CSV file, with our points in it, and nothing else that Canvas would change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.course import Course, load_exercise, shown_path
from grader.gradebook.platforms.sheet import Refused, Sheet, Students, number, plain, read_sheet, scaled, written
from grader.gradebook.standings import Standing
from grader.model import Message

# Columns that say who a row is for; Canvas wants them back as they were.
WHO = ("Student", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section")
IDS = ("SIS User ID", "SIS Login ID", "ID", "Integration ID")
NEEDED = ("Student", "ID", "Section")
_POSSIBLE = "points possible"
_READ_ONLY = "(read only)"
_ID = re.compile(r"\s*\(\d+\)$")  # of an assignment, at the end of its title
# Titles that Canvas computes itself: a column of this name is passed over without a word.
_COMPUTED = re.compile(
    r"(?:.* )?(?:unposted )?(?:current|final|override) (?:score|grade|points|status)", re.IGNORECASE | re.DOTALL
)


def canvas_csv(
    sheet_path: Path, course: Course, standings: Sequence[Standing], names: Mapping[str, str]
) -> tuple[str, list[Message]]:
    """The file to import, and what there is to know.

    Only the columns that say who a row is for and those of our exercises are in it, so that an import changes no other
    assignment. An exercise goes to the assignment of its name or title, else to a new one.

    Raises:
        Refused: it is no gradebook of Canvas, or Canvas would ignore a column.
    """
    sheet = read_sheet(sheet_path, NEEDED)
    exercises = sorted({one.exercise for one in standings if one.max_points is not None})
    columns = {name: _column(sheet, course, name) for name in exercises}
    titles = {name: _title(sheet, place, name) for name, place in columns.items()}
    made = [name for name, title in titles.items() if not _ID.search(title)]  # Canvas knows its own by their number
    points = {(one.student, one.exercise): one for one in standings}
    most = {name: max(one.max_points or 0 for one in standings if one.exercise == name) for name in exercises}
    students = Students((one.student for one in standings), names)
    who = [place for name in WHO if (place := sheet.column(name)) is not None]
    before = [row for row in sheet.rows[1:] if _of_nobody(sheet, row)]
    possible = {name: _possible(before, place, most[name]) for name, place in columns.items()}
    rows = [[*(sheet.header[place] for place in who), *titles.values()]]
    for row in before:
        is_possible = any(plain(cell) == _POSSIBLE for cell in row)
        told = [_before(row, columns[name], possible[name], is_possible=is_possible) for name in exercises]
        rows.append([*(row[place] for place in who), *told])
    for row in sheet.rows[1:]:
        if _of_nobody(sheet, row):
            continue
        student = students.of((row[place] for name in IDS if (place := sheet.column(name)) is not None), row[who[0]])
        cells = []
        for name in exercises:
            one = points.get((student or "", name))
            given = one is not None and one.points is not None and student is not None
            cells.append(scaled(one.points or 0.0, most[name], possible[name]) if one and given else "")
        rows.append([*(row[place] for place in who), *cells])
    news = [Message("exports.new_column", {"columns": ", ".join(made)})] if made else []
    return written(rows, sheet.separator), [*news, *_notes(students, most, possible)]


def _notes(students: Students, most: Mapping[str, float], possible: Mapping[str, float]) -> list[Message]:
    notes = [
        Message("exports.scaled", {"exercise": name, "most": f"{most[name]:g}", "possible": f"{possible[name]:g}"})
        for name in most
        if possible[name] != most[name]
    ]
    if students.left:
        notes.append(Message("exports.not_there", {"platform": "Canvas", "students": ", ".join(students.left)}))
    return notes


def _of_nobody(sheet: Sheet, row: Sequence[str]) -> bool:
    """Whether a row stands between the header and the students: points possible, or how grades are posted."""
    who, number_of = row[sheet.column("Student") or 0], row[sheet.column("ID") or 0]
    return plain(who) == _POSSIBLE or (not who.strip() and not number_of.strip())


def _column(sheet: Sheet, course: Course, name: str) -> int | None:
    """The column of an exercise, None where it gets a new one.

    Raises:
        Refused: two columns are of its name, or Canvas would ignore it.
    """
    wanted = {plain(name)}
    if name in course.names:
        title = load_exercise(course, name).title
        wanted |= {plain(title.en), plain(title.zh)}
    found = [place for place, cell in enumerate(sheet.header) if plain(_ID.sub("", cell)) in wanted]
    path = shown_path(sheet.path)
    if len(found) > 1:
        titles = ", ".join(sheet.header[place] for place in found)
        raise Refused(Message("exports.two_columns", {"path": path, "exercise": name, "columns": titles}))
    title_of = sheet.header[found[0]] if found else name
    computed = _COMPUTED.fullmatch(_ID.sub("", title_of).strip()) or plain(title_of) in map(plain, (*WHO, "Notes"))
    read_only = found and any(row[found[0]].strip() == _READ_ONLY for row in sheet.rows[1:] if _of_nobody(sheet, row))
    if computed or read_only:
        raise Refused(Message("exports.ignored", {"path": path, "exercise": name, "title": title_of}))
    return found[0] if found else None


def _title(sheet: Sheet, place: int | None, name: str) -> str:
    return name if place is None else sheet.header[place]


def _possible(before: Sequence[Sequence[str]], place: int | None, most: float) -> float:
    """What Canvas counts to in an assignment; our own where it does not say."""
    for row in before:
        if place is not None and any(plain(cell) == _POSSIBLE for cell in row):
            return number(row[place]) or most
    return most


def _before(row: Sequence[str], place: int | None, possible: float, *, is_possible: bool) -> str:
    if place is not None:
        return row[place]
    return f"{possible:g}" if is_possible else ""
