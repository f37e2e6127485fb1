"""Opens a gradebook: makes it, migrates an older one, refuses a newer one, and says in words what went wrong.

The only module that knows SQLite and PostgreSQL. One process writes a gradebook at a time: the folder of the results
has a lock, and PostgreSQL, which several folders may share, is asked for one of its own.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, select, text, update
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import SingletonThreadPool

from grader.course import shown_path
from grader.errors import UsageError
from grader.gradebook.tables import METADATA, SCHEMA, STEPS, schema, settings
from grader.installing import not_installed
from grader.model import Message

FILE = "gradebook.db"
_SECRETS = ("password", "sslpassword")  # that a URL may also have behind its question mark
WAIT_MS = 5000  # for another program that writes, or a server that does not answer
DRIVER = "postgresql+psycopg"
EXAMPLE = f"{DRIVER}://user@localhost/grades"
LOCK = 0x6D616E79  # of PostgreSQL's advisory locks; "many"


class Opened(NamedTuple):
    """A gradebook that is open.

    Attributes:
        place: as it is shown, without a password.
        held: the connection that keeps other programs out, None where a file's lock does.
    """

    engine: Engine
    place: str
    held: Connection | None

    def close(self) -> None:
        if self.held is not None:
            self.held.close()
        self.engine.dispose()


def open_gradebook(folder: Path, url: str | None = None) -> Opened:
    """The gradebook of a folder of results, or at a URL, made where there is none yet, of this schema.

    Raises:
        UsageError: it cannot be opened or written, is none, is of a newer schema, or another program works on it.
    """
    place = shown_path(folder / FILE) if url is None else shown_url(url)
    engine = _engine(folder / FILE) if url is None else _engine_at(url)
    held = None
    try:
        with spoken(place):
            held = None if url is None else _hold(engine, place)
            with engine.begin() as connection:
                _bring_up_to_date(connection, place, STEPS, SCHEMA)
    except BaseException:
        if held is not None:
            held.close()
        engine.dispose()
        raise
    return Opened(engine, place, held)


def peek(folder: Path, url: str | None, name: str) -> str | None:
    """A setting of a gradebook that perhaps is not there yet; nothing is made, and nobody is kept out.

    Raises:
        UsageError: there is one, and it cannot be read.
    """
    if url is None and not (folder / FILE).is_file():
        return None
    engine, place = (
        (_engine(folder / FILE), shown_path(folder / FILE)) if url is None else (_engine_at(url), shown_url(url))
    )
    try:
        with spoken(place), engine.begin() as connection:
            if settings.name not in inspect(connection).get_table_names():
                return None
            found: str | None = connection.execute(select(settings.c.value).where(settings.c.name == name)).scalar()
            return found
    finally:
        engine.dispose()


def _url(typed: str) -> URL:
    try:
        url = make_url(typed)
    except ArgumentError as error:
        raise UsageError(Message("database.bad_url", {"example": EXAMPLE})) from error
    if url.drivername != DRIVER:
        raise UsageError(Message("database.other_driver", {"found": url.drivername, "example": EXAMPLE}))
    return url


def shown_url(typed: str) -> str:
    """A URL as it is shown and kept, without a password; raises UsageError for what is none."""
    return _url(typed).difference_update_query(_SECRETS).render_as_string(hide_password=True)


def _engine_at(typed: str) -> Engine:
    try:
        return create_engine(_url(typed), connect_args={"connect_timeout": WAIT_MS // 1000})
    except ModuleNotFoundError as error:
        raise not_installed("psycopg", "postgresql") from error


def _hold(engine: Engine, place: str) -> Connection:
    """Keep other programs out of this database until the connection is closed, or its process has gone."""
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    if not connection.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": LOCK}).scalar():
        connection.close()
        raise UsageError(Message("database.in_use", {"path": place}))
    return connection


def _engine(path: Path) -> Engine:
    # one connection: one process writes, and a pool would only hide a lock from it
    engine = create_engine(f"sqlite+pysqlite:///{path}", poolclass=SingletonThreadPool)

    @event.listens_for(engine, "connect")
    def settle(connection: sqlite3.Connection, _record: object) -> None:
        connection.isolation_level = None  # SQLAlchemy's begin is ours, so that a schema change is in it too
        for pragma in ("busy_timeout", "foreign_keys", "journal_mode", "synchronous"):
            value = {"busy_timeout": WAIT_MS, "foreign_keys": "ON", "journal_mode": "WAL", "synchronous": "NORMAL"}[
                pragma
            ]
            connection.execute(f"PRAGMA {pragma} = {value}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")  # a lock is met here, not at the first write

    return engine


def _bring_up_to_date(
    connection: Connection, place: str, steps: Mapping[int, Callable[[Connection], None]], newest: int
) -> None:
    tables = inspect(connection).get_table_names()
    if not tables:
        METADATA.create_all(connection)
        connection.execute(schema.insert().values(number=newest))
        return
    if schema.name not in tables:
        raise UsageError(Message("batch.no_gradebook", {"path": place}))
    found: int = connection.execute(select(schema.c.number)).scalar_one()
    if found > newest:
        fields: dict[str, str | int] = {"path": place, "found": found, "known": newest}
        raise UsageError(Message("batch.newer_gradebook", fields))
    for number in range(found, newest):
        steps[number](connection)
        connection.execute(update(schema).values(number=number + 1))


@contextlib.contextmanager
def spoken(place: str) -> Iterator[None]:
    """Turns what the database refuses into a UsageError that says what to do; nothing committed is lost by it."""
    try:
        yield
    except DBAPIError as error:
        fields: dict[str, Any] = {"path": place, "reason": str(error.orig).strip().partition("\n")[0]}
        raise UsageError(Message(f"batch.{_kind(error)}", fields)) from error


def _kind(error: DBAPIError) -> str:
    if not isinstance(error.orig, sqlite3.Error):
        return _kind_of_server(getattr(error.orig, "sqlstate", None) or "")
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return "gradebook_locked"
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        return "gradebook_full"
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return "gradebook_closed"
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return "gradebook_damaged"
    return "gradebook_failed"


def _kind_of_server(state: str) -> str:
    """By the first letters of PostgreSQL's codes: no connection, no right, no room."""
    if state[:2] in ("", "08", "28", "3D", "57"):
        return "gradebook_out_of_reach"
    if state[:2] == "53":
        return "gradebook_full"
    return "gradebook_closed" if state == "42501" else "gradebook_failed"
