"""The tables of a log's file: made where there are none; an older format is copied first, then brought up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

SCHEMA = 2


def version_of(base: sqlite3.Connection) -> int:
    """Format of the file; 0 for one that is still empty."""
    (version,) = base.execute("PRAGMA user_version").fetchone()
    return int(version)


def prepare(base: sqlite3.Connection, path: Path, columns: Mapping[str, str]) -> Path | None:
    """Make the tables, or bring them up to date, where that is to be done.

    Args:
        columns: of an entry, with their types.

    Returns:
        The copy of the older file, None where nothing older was there.

    Raises:
        sqlite3.Error: the file cannot be written, or is none of ours.
    """
    base.execute("PRAGMA journal_mode = WAL")
    copy = _copied(base, path) if 0 < version_of(base) < SCHEMA else None
    base.execute("BEGIN IMMEDIATE")
    try:
        version = version_of(base)  # now that nobody else can write
        if version == 1:
            for statement in (
                "DROP TRIGGER never_changed",
                "DROP TRIGGER never_removed",
                "DROP TABLE IF EXISTS computed",
            ):
                base.execute(statement)
            base.execute("ALTER TABLE event RENAME TO older")
        if version < SCHEMA:
            _create(base, columns)
        if version == 1:
            names = ", ".join(columns)
            base.execute(f"INSERT INTO event ({names}) SELECT {names} FROM older ORDER BY id")  # noqa: S608 - our own
            base.execute("DROP TABLE older")
        base.execute("COMMIT")
    except BaseException:
        base.execute("ROLLBACK")
        raise
    return copy


def _copied(base: sqlite3.Connection, path: Path) -> Path:
    """A copy of the file as it was, beside it."""
    copy = path.with_name(f"{path.stem}.format-{version_of(base)}{path.suffix}")
    if not copy.exists():
        base.execute("VACUUM INTO ?", [str(copy)])
    return copy


def _create(base: sqlite3.Connection, columns: Mapping[str, str]) -> None:
    fields = ", ".join(f"{name} {kind} NOT NULL" for name, kind in columns.items())
    refuse = "BEGIN SELECT RAISE(ABORT, 'append only'); END"
    for statement in (
        f"CREATE TABLE event (number INTEGER PRIMARY KEY, {fields}) STRICT",
        "CREATE UNIQUE INDEX event_id ON event (id)",
        "CREATE TABLE computed (name TEXT PRIMARY KEY, number INTEGER NOT NULL, text TEXT NOT NULL) STRICT",
        f"CREATE TRIGGER never_changed BEFORE UPDATE ON event {refuse}",
        f"CREATE TRIGGER never_removed BEFORE DELETE ON event {refuse}",
        f"PRAGMA user_version = {SCHEMA}",
    ):
        base.execute(statement)
