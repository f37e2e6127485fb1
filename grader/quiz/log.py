"""The learner's log: every answer, append only, in one SQLite file of the user's data folder; on disk before feedback.

Nothing is ever changed or removed, an undo is one more entry. What is due is computed from the log each time.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from grader.errors import UsageError
from grader.model import Message

SCHEMA = 1
VARIABLE = "MANYHEADS_DATA"  # another data folder, for those who keep theirs elsewhere
_BUSY_S = 5.0
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no letter is taken for a digit
_RANDOM_BITS = 80

Mode = Literal["scheduled", "retry", "options", "undo"]


@dataclass(frozen=True)
class Event:
    """One entry.

    Attributes:
        id: a ULID; the order of ids is the order in which things happened.
        mode: the scheduled answer, a retry in the same session, a pick from the options, or an undo.
        answered: ISO 8601 in UTC. zone: where that was, so that the learning day can be told.
        day: the learning day, ISO 8601.
        understood: what the checker read.
        outcome: right, wrong or skipped.
        mistake: slug, "" where none was recognised.
        confidence: 1 guess, 2 fairly, 3 sure; 0 where it was not asked.
        undoes: id of the entry that an undo takes back.
    """

    id: str
    mode: Mode
    item: str
    version: int
    variant: str
    bank: str
    answered: str
    zone: str
    day: str
    raw: str
    understood: str
    outcome: str
    mistake: str
    confidence: int
    hint: int
    ms: int
    undoes: str


_COLUMNS = tuple(field.name for field in fields(Event))
_TEXT = {name: "INTEGER" if name in {"version", "confidence", "hint", "ms"} else "TEXT" for name in _COLUMNS}
_CREATE = f"""
CREATE TABLE event ({", ".join(f"{name} {kind} NOT NULL" for name, kind in _TEXT.items())}, PRIMARY KEY (id)) STRICT;
CREATE TRIGGER never_changed BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'append only'); END;
CREATE TRIGGER never_removed BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'append only'); END;
PRAGMA user_version = {SCHEMA};
"""


def data_folder(environ: Mapping[str, str]) -> Path:
    """The user's data folder: $MANYHEADS_DATA, else manyheads in $XDG_DATA_HOME or ~/.local/share."""
    if chosen := environ.get(VARIABLE):
        return Path(chosen)
    base = environ.get("XDG_DATA_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share") / "manyheads"


class Log:
    """The open log; `append` returns once the entry is on disk.

    Raises:
        UsageError: the file cannot be opened or written, is no log, or is of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last = ""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise self._trouble(error) from error

    def _prepare(self) -> None:
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")
        self._base.execute("BEGIN IMMEDIATE")
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        if version > SCHEMA:
            self._base.execute("ROLLBACK")
            raise UsageError(Message("quiz.log_newer", {"path": str(self._path), "version": version, "known": SCHEMA}))
        if version == 0:
            for statement in _CREATE.strip().split("\n"):
                self._base.execute(statement)
        self._base.execute("COMMIT")

    def _trouble(self, error: Exception) -> UsageError:
        reason = getattr(error, "strerror", None) or str(error)
        return UsageError(Message("quiz.log_closed", {"path": str(self._path), "reason": reason}))

    def append(self, event: Event) -> Event:
        """Write one entry; it is on disk when this returns.

        Returns:
            The entry as it was kept: where another session was faster, with a later id.

        Raises:
            UsageError: it could not be written.
        """
        marks = ", ".join("?" * len(_COLUMNS))
        try:
            self._base.execute("BEGIN IMMEDIATE")
            (newest,) = self._base.execute("SELECT coalesce(max(id), '') FROM event").fetchone()
            kept = event if event.id > newest else replace(event, id=_after(newest))
            self._base.execute(f"INSERT INTO event VALUES ({marks})", astuple(kept))  # noqa: S608 - question marks only
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise self._trouble(error) from error
        return kept

    def events(self) -> list[Event]:
        """All entries, in the order in which things happened.

        Raises:
            UsageError: the log cannot be read.
        """
        try:
            rows = self._base.execute(f"SELECT {', '.join(_COLUMNS)} FROM event ORDER BY id").fetchall()  # noqa: S608
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        return [Event(*row) for row in rows]

    def new_id(self, moment: datetime) -> str:
        """An id that sorts behind every other of this log, also where the clock stands still or was set back."""
        try:
            (newest,) = self._base.execute("SELECT coalesce(max(id), '') FROM event").fetchone()
        except sqlite3.Error as error:
            raise self._trouble(error) from error
        drawn = (int(moment.timestamp() * 1000) << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
        self._last = max(_spelt(drawn), _after(max(newest, self._last)))
        return self._last

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def _spelt(number: int) -> str:
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def _after(ulid: str) -> str:
    """The next id; the first one behind none."""
    number = 0
    for character in ulid:
        number = number * 32 + _ALPHABET.index(character)
    return _spelt(number + 1)


def in_force(events: list[Event]) -> list[Event]:
    """The answers that were not taken back."""
    undone = {event.undoes for event in events if event.mode == "undo"}
    return [event for event in events if event.mode != "undo" and event.id not in undone]
