"""The tables of a gradebook, and the steps from an older schema to this one.

    runs          one for each time the command ran, also where it was killed
    students      names of the class list
    submissions   one for each student and exercise: what was handed in last, or why it could not be read
    results       one for each time a submission was graded; `current` is the one that counts
    checks, findings   parts of a result, for queries
    provenance    what results were made with
    overrides     points that a person gave, with who and why; never changed, only followed by others
    settings      what was asked for once and holds from then on

Only what SQLite and PostgreSQL both have is used here; what belongs to SQLite alone is in `database`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

SCHEMA = 3

METADATA = MetaData()
NAME = String().with_variant(String(collation="C"), "postgresql")  # sorted by its bytes, as SQLite does

schema = Table("gradebook_schema", METADATA, Column("number", Integer, primary_key=True, autoincrement=False))

runs = Table(
    "runs",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("started_at", String, nullable=False),  # ISO 8601, UTC, as every time here
    Column("ended_at", String),
    Column("ended", String),  # done, interrupted, failed; NULL where it was killed
    Column("input", Text, nullable=False),
    Column("exercises", Text, nullable=False),  # names, separated by commas
    Column("engine", String, nullable=False),
    Column("isolation", String),
)

students = Table("students", METADATA, Column("id", String, primary_key=True), Column("name", Text, nullable=False))

submissions = Table(
    "submissions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("student", NAME, nullable=False),
    Column("exercise", NAME, nullable=False),
    Column("state", String, nullable=False),  # read, unreadable, missing
    Column("place", Text, nullable=False),  # path in the input
    Column("sha256", String, nullable=False),
    Column("reason", Text),  # why it was not read: a sentence's key and fields, as JSON
    Column("run_id", ForeignKey("runs.id"), nullable=False),  # that saw it last
    Column("submitted_at", String),  # ISO 8601 with its zone; NULL where nothing tells it
    Column("marked_late", Boolean),  # by a download that tells no time; NULL where it marks nothing
    UniqueConstraint("student", "exercise"),
)

provenance = Table(
    "provenance",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("grader", String, nullable=False),
    Column("python", String, nullable=False),
    Column("numpy", String, nullable=False),
    Column("torch", String),
    Column("pytest", String, nullable=False),
    Column("suite_sha256", String, nullable=False),
    Column("isolation", String, nullable=False),
    Column("layers", Text, nullable=False),
)

results = Table(
    "results",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("submission_id", ForeignKey("submissions.id"), nullable=False),
    Column("run_id", ForeignKey("runs.id"), nullable=False),
    Column("provenance_id", ForeignKey("provenance.id"), nullable=False),
    Column("current", Boolean, nullable=False),
    Column("key", String, nullable=False),  # of submission, suite, engine and versions: graded again where it differs
    Column("sha256", String, nullable=False),
    Column("graded_at", String, nullable=False),
    Column("verdict", String, nullable=False),
    Column("points", Float, nullable=False),
    Column("max_points", Float, nullable=False),
    Column("diagnosis", String, nullable=False),
    Column("report", Text, nullable=False),  # the whole report, as JSON
    Index("results_of_submission", "submission_id", "current"),
)

checks = Table(
    "checks",
    METADATA,
    Column("result_id", ForeignKey("results.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("name", String, nullable=False),
    Column("outcome", String, nullable=False),
    Column("points", Float, nullable=False),
    Column("max_points", Float, nullable=False),
)

findings = Table(
    "findings",
    METADATA,
    Column("result_id", ForeignKey("results.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("mistake", String, nullable=False),
    Column("lesson_row", String),
    Column("certain", Boolean, nullable=False),
)

overrides = Table(
    "overrides",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("student", NAME, nullable=False),
    Column("exercise", NAME, nullable=False),
    Column("points", Float),  # NULL: from here on the graded points count again
    Column("graded_points", Float),  # what they were when the override was made
    Column("made_by", String, nullable=False),
    Column("why", Text, nullable=False),
    Column("made_at", String, nullable=False),
    Index("overrides_of", "student", "exercise"),
)

settings = Table("settings", METADATA, Column("name", String, primary_key=True), Column("value", Text, nullable=False))


def _to_2(connection: Connection) -> None:
    settings.create(connection)
    connection.execute(text("ALTER TABLE submissions ADD COLUMN submitted_at VARCHAR"))


def _to_3(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE submissions ADD COLUMN marked_late BOOLEAN"))
    said = "reason LIKE '[\"batch.note_marked_late\"%'"  # until then the one reason that a row had
    connection.execute(text(f"UPDATE submissions SET marked_late = TRUE, reason = NULL WHERE {said}"))  # noqa: S608


# From a schema to the next one; each step runs in the transaction that also raises the number.
STEPS: Mapping[int, Callable[[Connection], None]] = {1: _to_2, 2: _to_3}
