"""Opens a gradebook: makes it, migrates an older one, refuses a newer one, and says in words what went wrong.

The only module that knows SQLite. Any other database that SQLAlchemy speaks would differ in `_engine` alone.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import SingletonThreadPool

from grader.course import shown_path
from grader.errors import UsageError
from grader.gradebook.tables import METADATA, SCHEMA, STEPS, schema
from grader.model import Message

FILE = "gradebook.db"
WAIT_MS = 5000  # for another program that writes


def open_gradebook(folder: Path) -> Engine:
    """The gradebook of a folder of results, made where there is none yet, of this schema.

    Raises:
        UsageError: it cannot be opened or written, is none, or is of a newer schema.
    """
    path = folder / FILE
    engine = _engine(path)
    try:
        with spoken(path), engine.begin() as connection:
            _bring_up_to_date(connection, path, STEPS, SCHEMA)
    except BaseException:
        engine.dispose()
        raise
    return engine


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
    connection: Connection, path: Path, steps: Mapping[int, Callable[[Connection], None]], newest: int
) -> None:
    tables = inspect(connection).get_table_names()
    if not tables:
        METADATA.create_all(connection)
        connection.execute(schema.insert().values(number=newest))
        return
    if schema.name not in tables:
        raise UsageError(Message("batch.no_gradebook", {"path": shown_path(path)}))
    found: int = connection.execute(select(schema.c.number)).scalar_one()
    if found > newest:
        fields: dict[str, str | int] = {"path": shown_path(path), "found": found, "known": newest}
        raise UsageError(Message("batch.newer_gradebook", fields))
    for number in range(found, newest):
        steps[number](connection)
        connection.execute(update(schema).values(number=number + 1))


@contextlib.contextmanager
def spoken(path: Path) -> Iterator[None]:
    """Turns what the database refuses into a UsageError that says what to do; nothing committed is lost by it."""
    try:
        yield
    except DBAPIError as error:
        fields: dict[str, Any] = {"path": shown_path(path), "reason": str(error.orig)}
        raise UsageError(Message(f"batch.{_kind(error)}", fields)) from error


def _kind(error: DBAPIError) -> str:
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
