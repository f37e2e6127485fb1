"""The learner's log: every answer, append only, in one SQLite file of the user's data folder; on disk before feedback.

Nothing is ever changed or removed, an undo is one more entry. What is due is computed from the log; the file also has
room for what was computed last, so that a prompt need not wait for it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, fields, replace
from datetime import datetime
from pathlib import Path

from grader.errors import UsageError
from grader.model import Message
from grader.quiz.events import ALPHABET, Event, moment_of_id, readable
from grader.quiz.schema import SCHEMA, prepare, version_of

VARIABLE = "MANYHEADS_DATA"  # another data folder, for those who keep theirs elsewhere
_BUSY_S = 5.0
_RANDOM_BITS = 80
_CLOSED = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}

_COLUMNS = tuple(field.name for field in fields(Event))
_SQL_TYPES = {field.name: "INTEGER" if field.type in {"int", int} else "TEXT" for field in fields(Event)}
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
        closed: why it cannot be written, where it was opened to be read; "" where it can.

    Args:
        reading: nothing is to be added, so a disk that cannot be written is no obstacle.

    Raises:
        UsageError: the file cannot be opened or written, is no log, or is of a newer version.
    """

    def __init__(self, path: Path, *, reading: bool = False) -> None:
        self._path = path
        self._last = ""
        self.closed = ""
        self.copy: Path | None = None
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)  # what somebody answers is theirs
            self._base = sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            if not reading or not _is_closed(error):
                raise self._trouble(error) from error
            self._open_to_read(error)

    def _open_to_read(self, error: Exception) -> None:
        """The log as it lies there, on a disk that cannot be written; an empty one where there is none."""
        self.closed = str(getattr(error, "strerror", None) or error)
        try:
            if self._path.exists():
                more = self._path.with_name(f"{self._path.name}-wal")
                # immutable: on a closed disk SQLite cannot make the files that it puts beside a log. It then skips the
                # write-ahead log, so not where that one holds entries.
                still = int(not more.exists() or not more.stat().st_size)
                address = f"{self._path.resolve().as_uri()}?mode=ro&immutable={still}"
                self._base = sqlite3.connect(address, uri=True, isolation_level=None)
            else:
                self._base = sqlite3.connect(":memory:", isolation_level=None)
            if version_of(self._base) < SCHEMA and self._path.exists():
                raise self._trouble(error)
            self._prepare()
        except (OSError, sqlite3.Error) as problem:
            raise self._trouble(problem) from problem

    def _prepare(self) -> None:
        version = version_of(self._base)
        if version > SCHEMA:
            self._base.close()
            raise UsageError(Message("quiz.log_newer", {"path": str(self._path), "version": version, "known": SCHEMA}))
        if version < SCHEMA:
            self.copy = prepare(self._base, self._path, _SQL_TYPES)
        self._base.execute("PRAGMA synchronous = FULL")

    def _trouble(self, error: Exception) -> UsageError:
        reason = getattr(error, "strerror", None) or str(error)
        # no subclass: what SQLite says of a file that is none of its own
        damaged = type(error) is sqlite3.DatabaseError or not isinstance(error, sqlite3.Error | OSError)
        key = "quiz.log_damaged" if damaged else "quiz.log_closed"
        return UsageError(Message(key, {"path": str(self._path), "reason": reason}))

    def assert_writable(self) -> None:
        """Raise UsageError where nothing can be added: SQLite opens also what it cannot write."""
        with self._trouble_told():
            self._base.execute("BEGIN IMMEDIATE")
            self._base.execute("ROLLBACK")

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
        drawn = _spelt(max(0, int(moment.timestamp() * 1000)) << _RANDOM_BITS | _random())
        self._last = drawn if drawn > newest else _after(newest)
        return self._last

    def _newest(self) -> str:
        return str(self._base.execute("SELECT coalesce(max(id), '') FROM event").fetchone()[0])

    def _read(self) -> list[Event]:
        return [readable(Event(*row)) for row in self._base.execute(_SELECT)]

    @contextlib.contextmanager
    def _trouble_told(self) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError, AttributeError) as error:  # or a row that is no entry of ours
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


def _is_closed(error: Exception) -> bool:
    """Whether it says that the place cannot be written, not that the file is damaged or another one's."""
    if isinstance(error, OSError):
        return True  # the folder could not be made
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _CLOSED


def _random() -> int:
    return int.from_bytes(os.urandom(_RANDOM_BITS // 8))  # `secrets` would load OpenSSL first


def _spelt(number: int) -> str:
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(125, -1, -5))


def _after(ulid: str) -> str:
    """An id behind this one, drawn so that two copies of a log do not give the same one."""
    return _spelt(((moment_of_id(ulid) + 1) << _RANDOM_BITS) | _random())
