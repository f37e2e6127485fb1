"""Counts over a whole class, made by the database: checks passed and mistakes named."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Connection, Select, func, select

from grader.gradebook import tables
from grader.model import Outcome, Verdict


class CheckTally(NamedTuple):
    """How one check went: over everybody who attempted its exercise."""

    exercise: str
    name: str
    passed: int
    attempts: int


class Named(NamedTuple):
    """A mistake that was named for one student in one exercise."""

    student: str
    exercise: str
    mistake: str
    row: str | None  # of the lesson's error table
    certain: bool


class Tallies(NamedTuple):
    """What results that count come to.

    Attributes:
        checks: by exercise, in the order of the suite.
    """

    checks: tuple[CheckTally, ...]
    named: tuple[Named, ...]


def tallies(connection: Connection) -> Tallies:
    """Count."""
    who = (tables.submissions.c.student, tables.submissions.c.exercise)
    finding = tables.findings.c
    named = (
        _counting(*who, finding.mistake, finding.lesson_row, finding.certain)
        .join(tables.findings)
        .order_by(who[1], who[0], finding.position)
    )
    return Tallies(
        tuple(_checks(connection)),
        tuple(Named._make(row) for row in connection.execute(named)),
    )


def _checks(connection: Connection) -> list[CheckTally]:
    check, exercise = tables.checks.c, tables.submissions.c.exercise
    first = func.min(check.position).label("first")
    wanted = (
        _counting(exercise, check.name, check.outcome, func.count().label("times"), first)
        .join(tables.checks)
        .where(tables.results.c.verdict != Verdict.NOT_ATTEMPTED.value)
        .group_by(exercise, check.name, check.outcome)
        .order_by(exercise, "first")
    )
    found: dict[tuple[str, str], CheckTally] = {}
    for row in connection.execute(wanted):
        before = found.get((row.exercise, row.name), CheckTally(row.exercise, row.name, 0, 0))
        passed = before.passed + row.times * (row.outcome == Outcome.PASSED)
        found[row.exercise, row.name] = before._replace(passed=passed, attempts=before.attempts + row.times)
    return list(found.values())


def _counting(*columns: object) -> Select[Any]:
    """Some columns of every result that counts."""
    chosen: Select[Any] = select(*columns)  # type: ignore[call-overload]
    return chosen.select_from(tables.results).join(tables.submissions).where(tables.results.c.current)
