"""A table that a platform gave out and takes back: read whole, some cells filled in, everything else as it was."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.course import shown_path
from grader.errors import UsageError
from grader.gradebook.inputs.names import text_of
from grader.model import Message
from grader.state import read_regular

MOST_BYTES = 64 * 2**20
_SEPARATORS = ",;\t"


class Refused(UsageError):
    """The platform would not take this file, or would take it for something else."""


@dataclass(frozen=True)
class Sheet:
    """Cells as text; the first row is the header, and every row is as long as it."""

    path: Path
    rows: tuple[tuple[str, ...], ...]
    separator: str

    @property
    def header(self) -> tuple[str, ...]:
        return self.rows[0]

    def column(self, name: str) -> int | None:
        """Where a column is, None where there is none of this name."""
        found = [place for place, title in enumerate(self.header) if plain(title) == plain(name)]
        return found[0] if found else None


def read_sheet(path: Path, needed: Sequence[str]) -> Sheet:
    """Read a table that has these columns.

    Raises:
        Refused: it cannot be read, or is none of that platform.
    """
    try:
        text = text_of(read_regular(path, MOST_BYTES))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Refused(Message("exports.unreadable", {"path": shown_path(path), "reason": reason})) from error
    first = text.lstrip("\ufeff").partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    try:
        read = [tuple(row) for row in csv.reader(io.StringIO(text.lstrip("\ufeff"), newline=""), delimiter=separator)]
    except csv.Error as error:
        raise Refused(Message("exports.unreadable", {"path": shown_path(path), "reason": str(error)})) from error
    rows = [row for row in read if any(cell.strip() for cell in row)]
    width = len(rows[0]) if rows else 0
    sheet = Sheet(path, tuple((*row, *[""] * (width - len(row)))[:width] for row in rows) or ((),), separator)
    missing = [name for name in needed if sheet.column(name) is None]
    if missing:
        fields = {"path": shown_path(path), "columns": ", ".join(needed), "missing": ", ".join(missing)}
        raise Refused(Message("exports.other_columns", fields))
    return sheet


def written(rows: Iterable[Sequence[str]], separator: str = ",") -> str:
    """The table as the text of a CSV file."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    return text.getvalue()


class Students:
    """Finds whose row a platform's row is: by any of its ids, else by a name that only one student has."""

    def __init__(self, ids: Iterable[str], names: Mapping[str, str]) -> None:
        self._by_id = {plain(student): student for student in ids}
        by_name: dict[str, list[str]] = {}
        for student in self._by_id.values():
            by_name.setdefault(plain(names.get(student, "")), []).append(student)
        self._by_name = {name: found[0] for name, found in by_name.items() if name and len(found) == 1}
        self.found: set[str] = set()

    def of(self, ids: Iterable[str], name: str) -> str | None:
        """The student of a row, None where nobody fits."""
        for each in ids:
            if each.strip() and (student := self._by_id.get(plain(each))) is not None:
                self.found.add(student)
                return student
        by_name = self._by_name.get(plain(name)) or self._by_id.get(plain(name)) if name.strip() else None
        if by_name is not None:
            self.found.add(by_name)
        return by_name

    @property
    def left(self) -> list[str]:
        """Those whom no row was for."""
        return sorted(set(self._by_id.values()) - self.found)


def plain(text: str) -> str:
    """A text as it is compared: one form of each letter, no case, single blanks."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def scaled(points: float, most: float, possible: float | None) -> str:
    """Points as a cell; where the platform counts to another number, as the same share of that."""
    value = points if possible is None or not most or possible == most else points * possible / most
    return f"{round(value, 4):g}" if abs(value) < 1e5 else str(round(value, 4))


def number(cell: str) -> float | None:
    """A cell as a number, None where it is none."""
    try:
        value = float(cell.strip().replace(",", "."))
    except ValueError:
        return None
    return value if value == value and abs(value) < 1e9 else None  # noqa: PLR0124 - NaN is no number of points
