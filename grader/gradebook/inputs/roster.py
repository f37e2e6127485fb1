"""Reads a class list: a CSV of ids and names, in any encoding and with any separator that spreadsheets write."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from grader.course import shown_path
from grader.errors import UsageError
from grader.gradebook.inputs.names import text_of
from grader.model import Message
from grader.state import read_regular

MAX_ROSTER = 16 * 2**20  # bytes
_IDS = ("id", "student id", "student_id", "studentid", "identifier", "student", "login", "sis user id", "sid", "学号")
# Further columns that say who somebody is: a download may name its students by them.
_ALIASES = (
    *("sis user id", "sis login id", "login id", "login", "username", "email", "email address", "sid"),
    *("identifier", "github_username", "github username", "integration id"),
)
_NAMES = ("name", "student name", "full name", "姓名", "名字")
NEEDED = ("id", "name")
_SEPARATORS = ",;\t"
_CANVAS = "sis login id"  # a column of Canvas's gradebook, which lists somebody who is nobody: the preview of a teacher
_TEST_STUDENT = ("Student, Test", "Test Student")

_Rows = Sequence[tuple[int, Sequence[str]]]  # of a file: the number of its (last) line, and the cells


@dataclass(frozen=True)
class Roster:
    """Who is in the class.

    Attributes:
        names: id -> name, in the order of the file.
        aliases: a login, an address or another id -> id; nothing that two students have.
    """

    names: Mapping[str, str]
    aliases: Mapping[str, str] = field(default_factory=dict)

    def id_of(self, found: str) -> str | None:
        """The id that a folder's name means: an id, in any case, or a name that only one student has."""
        wanted = _plain(found)
        for ids in (
            [student for student in self.names if student == found],
            [student for student in self.names if _plain(student) == wanted],
            [self.aliases[wanted]] if wanted in self.aliases else [],
            [student for student, name in self.names.items() if name and _plain(name) == wanted],
        ):
            if ids:
                return ids[0] if len(ids) == 1 else None
        return None

    def id_of_name(self, found: str) -> str | None:
        """The id of the only student of this name, however it is written: Jane Doe, Doe, Jane or doejane."""
        wanted = _letters(found)
        ids = [student for student, name in self.names.items() if name and wanted in _spellings(name)]
        return ids[0] if len(ids) == 1 else None

    def id_at_the_start_of(self, stem: str) -> str | None:
        """The longest id that a flat file's name begins with, followed by a separator."""
        plain = _plain(stem)
        fitting = [
            student
            for student in self.names
            if plain.startswith(_plain(student)) and plain[len(_plain(student)) :][:1] in "_- ."
        ]
        return max(fitting, key=len, default=None)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()


def _letters(text: str) -> str:
    return "".join(character for character in _plain(text) if character.isalnum())


def _spellings(name: str) -> set[str]:
    """A name without blanks, as it stands and with the family name first."""
    given, _, family = name.strip().rpartition(" ")
    return {_letters(name), _letters(family + given)}


def read_roster(path: Path) -> Roster:
    """The class list in `path`.

    The first row names the columns. Where it is a student already, by an id with a digit or an address, the first is
    the id and the second the name.

    Raises:
        UsageError: it cannot be read, is no class list, has other names of columns, holds nobody, or has two names for
            one id; says in which line.
    """
    try:
        content = read_regular(path, MAX_ROSTER)
    except OSError as error:
        fields = {"path": shown_path(path), "reason": error.strerror or str(error)}
        raise UsageError(Message("batch.roster_unreadable", fields)) from error
    text = _decoded(content)
    separator = max(_SEPARATORS, key=text.lstrip().partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        rows = [(reader.line_num, row) for row in reader if any(map(str.strip, row))]
    except csv.Error as error:
        fields = {"path": shown_path(path), "reason": str(error)}
        raise UsageError(Message("batch.roster_unreadable", fields)) from error
    names = _names(rows, path)
    return Roster(names, _aliases(rows, names))


def kept_text(roster: Roster | None) -> str:
    """A class list as a gradebook keeps it, "" for none."""
    return "" if roster is None else json.dumps([dict(roster.names), dict(roster.aliases)])


def kept_roster(text: str | None) -> Roster | None:
    """The class list that `kept_text` wrote; None where none was kept."""
    return Roster(*json.loads(text)) if text else None


def _decoded(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", "replace")
    return text_of(content.removeprefix(b"\xef\xbb\xbf"))


def _header(rows: _Rows) -> list[str]:
    return [cell.strip().casefold() for cell in rows[0][1]] if rows else []


def _aliases(rows: _Rows, names: Mapping[str, str]) -> dict[str, str]:
    header = _header(rows)
    columns = [header.index(word) for word in _ALIASES if word in header]
    ids = next((header.index(word) for word in _IDS if word in header), None)
    if ids is None:
        return {}
    found: dict[str, set[str]] = {}
    for _, row in rows[1:]:
        student = unicodedata.normalize("NFC", row[ids]).strip() if ids < len(row) else ""
        if student in names:
            for alias in {_plain(row[column]) for column in columns if column < len(row)} - {""}:
                found.setdefault(alias, set()).add(student)
    return {alias: next(iter(students)) for alias, students in found.items() if len(students) == 1}


def _refuse_unknown_columns(rows: _Rows, path: Path) -> None:
    """Raises UsageError where the first row names no known column, and is no student either."""
    if any(len(row) < len(NEEDED) for _, row in rows):
        raise UsageError(Message("batch.roster_columns", {"path": shown_path(path)}))  # another file altogether
    # an id has a digit, or is an address; of a word nobody can tell
    first = rows[0][1]
    if "@" not in first[0] and not any(map(str.isdigit, first[0])):
        found = ", ".join(map(str.strip, first))
        fields = {"path": shown_path(path), "found": found, "ids": ", ".join(_IDS), "names": ", ".join(_NAMES)}
        raise UsageError(Message("batch.roster_header", fields))


def _names(rows: _Rows, path: Path) -> dict[str, str]:
    header = _header(rows)
    ids = next((header.index(word) for word in _IDS if word in header), None)
    names = next((header.index(word) for word in _NAMES if word in header), None)
    headed = ids is not None or names is not None
    if rows and not headed:
        _refuse_unknown_columns(rows, path)
    ids = (0 if names != 0 else 1) if ids is None else ids
    names = (1 if ids == 0 else 0) if names is None else names
    canvas = _CANVAS in header
    found: dict[str, str] = {}
    for line, row in rows[1:] if headed else rows:
        cells = [unicodedata.normalize("NFC", cell).strip() for cell in row]
        student = cells[ids] if ids < len(cells) else ""
        name = cells[names] if names < len(cells) else ""
        if not student or (canvas and name in _TEST_STUDENT):
            continue
        if found.setdefault(student, name) != name:
            fields: dict[str, str | int] = {"path": shown_path(path), "line": line, "id": student}
            raise UsageError(Message("batch.roster_two_names", {**fields, "one": found[student], "other": name}))
    if not found:
        raise UsageError(Message("batch.roster_empty", {"path": shown_path(path)}))
    return found
