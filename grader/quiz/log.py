"""The learner's log: every answer, append only, in one SQLite file of the user's data folder; on disk before feedback.

Nothing is ever changed or removed, an undo is one more entry. What is due is computed from the log; the file also has
room for what was computed last, so that a prompt need not wait for it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Literal

from grader.errors import UsageError
from grader.model import Message
from grader.quiz.schema import SCHEMA, prepare, version_of

VARIABLE = "MANYHEADS_DATA"  # another data folder, for those who keep theirs elsewhere
_BUSY_S = 5.0
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: no letter is taken for a digit
_RANDOM_BITS = 80

Mode = Literal[
    "scheduled", "retry", "options", "ahead", "undo", "forget", "remark", "help", "plan", "pause", "resume", "code"
]
ANSWERS = frozenset({"scheduled", "retry", "options", "ahead"})


@dataclass(frozen=True)
class Event:
    """One entry.

    Attributes:
        id: a ULID; the order of ids is the order in which things happened.
        mode: an answer: the scheduled one, a retry in the same session, a pick from the options, practice ahead of its
            date; or what else moves the schedule: an undo, an item forgotten, an answer marked anew, help that was
            shown, an exam plan (`item` a topic, `raw` the date, "" for none), a pause and its end, a mistake that
            graded code showed (`item` the exercise).
        answered: ISO 8601 in UTC. zone: where that was, so that the learning day can be told.
        day: the learning day, ISO 8601.
        understood: what the checker read.
        outcome: right, wrong or skipped.
        mistake: slug, "" where none was recognised.
        confidence: 1 guess, 2 fairly, 3 sure; 0 where it was not asked.
        undoes: id of the entry that an undo takes back, or that was marked anew.
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
_NAMES = ", ".join(_COLUMNS)
_SELECT = f"SELECT {_NAMES} FROM event ORDER BY id"  # noqa: S608 - names of our own
_INSERT = f"INSERT INTO event ({_NAMES}) VALUES ({', '.join('?' * len(_COLUMNS))})"  # noqa: S608


def data_folder(environ: Mapping[str, str]) -> Path:
    """The user's data folder: $MANYHEADS_DATA, else manyheads in $XDG_DATA_HOME or ~/.local/share."""
    if chosen := environ.get(VARIABLE):
        return Path(chosen)
    base = environ.get("XDG_DATA_HOME", "")
    return (Path(base) if Path(base).is_absolute() else Path.home() / ".local" / "share") / "manyheads"


class Log:
    """The open log; `append` returns once the entry is on disk.

    Attributes:
        copy: of the file of an older format, where opening it has brought it up to date.

    Raises:
        UsageError: the file cannot be opened or written, is no log, or is of a newer version.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._last = ""
        self.copy: Path | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._base = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise self._trouble(error) from error

    def _prepare(self) -> None:
        version = version_of(self._base)
        if version > SCHEMA:
            self._base.close()
            raise UsageError(Message("quiz.log_newer", {"path": str(self._path), "version": version, "known": SCHEMA}))
        if version < SCHEMA:
            self.copy = prepare(self._base, self._path, _TEXT)
        self._base.execute("PRAGMA synchronous = FULL")

    def _trouble(self, error: Exception) -> UsageError:
        reason = getattr(error, "strerror", None) or str(error)
        damaged = (
            type(error) is sqlite3.DatabaseError
        )  # no subclass: what SQLite says of a file that is none of its own
        key = "quiz.log_damaged" if damaged else "quiz.log_closed"
        return UsageError(Message(key, {"path": str(self._path), "reason": reason}))

    def append(self, event: Event) -> Event:
        """Write one entry; it is on disk when this returns.

        Returns:
            The entry as it was kept: where another session was faster, with a later id.

        Raises:
            UsageError: it could not be written.
        """
        with self._writing():
            newest = self._newest()
            kept = event if event.id > newest else replace(event, id=_after(newest))
            self._base.execute(_INSERT, astuple(kept))
        return kept

    def absorb(self, events: Sequence[Event]) -> int:
        """Add the entries of another log, those that are here already only once; all of them or none.

        Returns:
            How many were new.

        Raises:
            UsageError: one has the id of a different entry of this log; or they could not be written.
        """
        with self._writing():
            here = {event.id: event for event in self._read()}
            fresh = []
            for event in events:
                if event.id not in here:
                    here[event.id] = event
                    fresh.append(event)
                elif here[event.id] != event:
                    raise UsageError(Message("schedule.log_altered", {"id": event.id}))
            self._base.executemany(_INSERT, map(astuple, fresh))
        return len(fresh)

    def events(self) -> list[Event]:
        """All entries, in the order in which things happened.

        Raises:
            UsageError: the log cannot be read.
        """
        with self._trouble_told():
            return self._read()

    def mark(self) -> int:
        """A number that is another one whenever something was added."""
        with self._trouble_told():
            (number,) = self._base.execute("SELECT coalesce(max(number), 0) FROM event").fetchone()
        return int(number)

    def computed(self, name: str, *, since: int | None = None) -> str | None:
        """What `keep_computed` kept under this name, None where nothing was.

        Args:
            since: what was kept at another mark than this one is not wanted.
        """
        with self._trouble_told():
            row = self._base.execute("SELECT number, text FROM computed WHERE name = ?", [name]).fetchone()
        return None if row is None or since not in {None, row[0]} else str(row[1])

    def keep_computed(self, name: str, mark: int, text: str) -> None:
        """Keep what was computed from the entries up to `mark`; where that cannot be, it is computed once more."""
        with contextlib.suppress(sqlite3.Error):
            self._base.execute("INSERT OR REPLACE INTO computed VALUES (?, ?, ?)", [name, mark, text])

    def new_id(self, moment: datetime) -> str:
        """An id that sorts behind every other of this log, also where the clock stands still or was set back."""
        with self._trouble_told():
            newest = max(self._newest(), self._last)
        drawn = _spelt(int(moment.timestamp() * 1000) << _RANDOM_BITS | _random())
        self._last = drawn if drawn > newest else _after(newest)
        return self._last

    def _newest(self) -> str:
        return str(self._base.execute("SELECT coalesce(max(id), '') FROM event").fetchone()[0])

    def _read(self) -> list[Event]:
        return [Event(*row) for row in self._base.execute(_SELECT)]

    @contextlib.contextmanager
    def _trouble_told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise self._trouble(error) from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction that is on disk at its end, or leaves nothing."""
        with self._trouble_told():
            try:
                self._base.execute("BEGIN IMMEDIATE")
                yield
                self._base.execute("COMMIT")
            except BaseException:
                if self._base.in_transaction:
                    self._base.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file."""
        self._base.close()


def _random() -> int:
    return int.from_bytes(os.urandom(_RANDOM_BITS // 8))  # `secrets` would load OpenSSL first


def _spelt(number: int) -> str:
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def _after(ulid: str) -> str:
    """An id behind this one, drawn so that two copies of a log do not give the same one."""
    moment = 0
    for character in ulid[:10]:
        moment = moment * 32 + _ALPHABET.index(character)
    return _spelt(((moment + 1) << _RANDOM_BITS) | _random())


def blank_event(mode: Mode, moment: datetime, zone: tzinfo, day: date) -> Event:
    """An entry that is no answer, still without id."""
    when = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    named = {"mode": mode, "answered": when, "zone": str(zone), "day": day.isoformat()}
    return Event(**{**{name: 0 if kind == "INTEGER" else "" for name, kind in _TEXT.items()}, **named})  # type: ignore[arg-type]  # each of its own kind


def in_force(events: Iterable[Event], modes: frozenset[str] = ANSWERS) -> list[Event]:
    """The answers that count: not taken back, their item not forgotten since; with the verdict of their last marking.

    Args:
        modes: which entries count, where it is not only answers that are wanted.
    """
    events = list(events)
    undone = {event.undoes for event in events if event.mode == "undo"}
    standing = [event for event in events if event.id not in undone]
    forgotten = {event.item: event.id for event in standing if event.mode == "forget"}
    marked = {event.undoes: event for event in standing if event.mode == "remark"}
    found = []
    for event in standing:
        if event.mode in modes and event.id > forgotten.get(event.item, ""):
            anew = marked.get(event.id)
            found.append(replace(event, outcome=anew.outcome, mistake=anew.mistake) if anew else event)
    return found
