"""Collects the logs of a class: files and folders, as `grade quiz log export` wrote them or as they lie on disk.

alice.jsonl, bob/answers.db, … --read--> events by learner; two files of one learner become one
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path

from grader.errors import UsageError
from grader.model import Message
from grader.quiz.events import Event, in_force
from grader.quiz.schema import SCHEMA
from grader.quiz.transfer import MOST_LINE, event_of, read

ENDINGS = (".jsonl", ".db")
USUAL = "answers"  # what a log is called where nobody renamed it: the folder says whose it is
_NAMES = tuple(field.name for field in fields(Event))
_COLUMNS = ", ".join(_NAMES)


@dataclass(frozen=True)
class Learner:
    """One learner, by the name of the file, and every entry of theirs."""

    name: str
    events: tuple[Event, ...]


def read_logs(paths: Sequence[str]) -> list[Learner]:
    """The learners of all logs; files that share an entry are one learner's, and each entry counts once.

    Raises:
        UsageError: a path names nothing, a file is no log, is damaged, or is of a newer version.
    """
    names: dict[Event, str] = {}  # learner of each entry
    found: dict[str, dict[str, Event]] = {}
    for path in _files(paths):
        events = _events(path)
        name = next((names[event] for event in events if event in names), None) or _name(path, found)
        mine = found.setdefault(name, {})
        for event in events:
            mine.setdefault(event.id, event)
            names.setdefault(event, name)
    return [Learner(name, tuple(mine[key] for key in sorted(mine))) for name, mine in found.items()]


def answers_of(learner: Learner) -> list[Event]:
    """Scheduled answers that were not taken back, also to questions that were begun anew since."""
    kept = in_force(event for event in learner.events if event.mode != "forget")
    return [event for event in kept if event.mode == "scheduled" and event.outcome in {"right", "wrong"}]


def _files(paths: Sequence[str]) -> Iterator[Path]:
    for text in paths:
        path = Path(text)
        if path.is_dir():
            inside = sorted(each for each in path.rglob("*") if each.suffix in ENDINGS and each.is_file())
            if not inside:
                raise UsageError(Message("quiz_items.no_logs_in", {"path": text}))
            yield from inside
        elif path.is_file():
            yield path
        else:
            raise UsageError(Message("quiz_items.no_such_log", {"path": text}))


def _name(path: Path, taken: dict[str, dict[str, Event]]) -> str:
    """Whose log it is: the name of the file, that of its folder where all files are called alike."""
    name = path.resolve().parent.name if path.stem == USUAL else path.stem
    return name if name not in taken else str(path)


def _events(path: Path) -> list[Event]:
    if path.suffix != ".db":
        try:
            with path.open(encoding="utf-8") as lines:
                return read(
                    iter(partial(lines.readline, MOST_LINE + 1), ""), str(path)
                )  # no line is read that is longer
        except (OSError, UnicodeDecodeError) as error:
            raise _unreadable(path, error) from error
    try:
        # a copy of somebody else's: nothing is written, not even a lock beside it
        base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable={int(not _has_more(path))}", uri=True)
        try:
            (version,) = base.execute("PRAGMA user_version").fetchone()
            if version > SCHEMA:
                fields_: dict[str, str | int | float] = {"path": str(path), "version": version, "known": SCHEMA}
                raise UsageError(Message("quiz.log_newer", fields_))
            kind = base.execute("SELECT type FROM sqlite_schema WHERE name = 'event'").fetchone()
            if kind != ("table",):  # a view could go on for ever
                raise UsageError(Message("quiz_items.damaged_log", {"path": str(path)}))
            base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_LINE)  # of a value, computed ones included
            rows = base.execute(f"SELECT {_COLUMNS} FROM event ORDER BY id").fetchall()  # noqa: S608 - our own names
        finally:
            base.close()
    except sqlite3.Error as error:
        raise _unreadable(path, error) from error
    try:
        return [event_of(dict(zip(_NAMES, row, strict=True))) for row in rows]
    except (ValueError, TypeError) as error:  # a table of SQLite holds values of any type
        raise UsageError(Message("quiz_items.damaged_log", {"path": str(path)})) from error


def _has_more(path: Path) -> bool:
    """Whether entries wait beside the file that are not yet in it."""
    return path.with_name(f"{path.name}-wal").exists()


def _unreadable(path: Path, error: Exception) -> UsageError:
    reason = getattr(error, "strerror", None) or str(error)
    return UsageError(Message("quiz_items.unreadable_log", {"path": str(path), "reason": reason}))
