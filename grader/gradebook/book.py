"""What a gradebook is asked and told: runs, submissions, results and their history, overrides.

Each method is one transaction: after a SIGKILL it has happened whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, and_, bindparam, delete, insert, select, update

from grader.gradebook import tables
from grader.gradebook.database import open_gradebook, spoken
from grader.gradebook.inputs.collect import Row as InputRow
from grader.gradebook.policy import Policy, parse_policy
from grader.gradebook.standings import (
    Standing,
    all_submissions,
    mistakes,
    newest_results,
    overrides,
    standing,
    with_most,
    with_zeros,
)
from grader.gradebook.tallies import Tallies, tallies
from grader.model import GradeReport, Message, Provenance, Verdict


def now() -> str:
    """The time as it is kept: ISO 8601, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class Change:
    """A result that took the place of another one with other points."""

    student: str
    exercise: str
    before: float
    after: float
    same_file: bool


class Gradebook:
    """The gradebook of one folder of results, in it or at a URL; close it in the end."""

    def __init__(self, folder: Path, url: str | None = None) -> None:
        """Open it, or make it; raises UsageError as `open_gradebook` does, and so does every method."""
        self._opened = open_gradebook(folder, url)
        self._place, self._engine = self._opened.place, self._opened.engine
        self._provenance: dict[tuple[object, ...], int] = {}

    def close(self) -> None:
        self._opened.close()

    # --- runs --------------------------------------------------------------------------------------------------

    def begin_run(self, source: str, exercises: Sequence[str], engine: str) -> int:
        """Note that a run has begun; its number."""
        values = {"started_at": now(), "input": source, "exercises": ",".join(exercises), "engine": engine}
        with spoken(self._place), self._engine.begin() as connection:
            return _inserted(connection, tables.runs, values)

    def end_run(self, run: int, how: str, isolation: str | None) -> None:
        """Note how a run ended: done, interrupted, failed."""
        values = {"ended_at": now(), "ended": how, "isolation": isolation}
        with spoken(self._place), self._engine.begin() as connection:
            connection.execute(update(tables.runs).where(tables.runs.c.id == run).values(values))

    def know(self, names: Mapping[str, str]) -> None:
        """Keep the names of a class list, by id."""
        with spoken(self._place), self._engine.begin() as connection:
            known = {row.id: row.name for row in connection.execute(select(tables.students))}
            new = [{"id": student, "name": name} for student, name in names.items() if student not in known]
            if new:
                connection.execute(insert(tables.students), new)
            for student, name in names.items():
                if known.get(student, name) != name:
                    renamed = update(tables.students).where(tables.students.c.id == student)
                    connection.execute(renamed.values(name=name))

    def names(self) -> dict[str, str]:
        """The names of every class list that was ever given, by id."""
        with spoken(self._place), self._engine.begin() as connection:
            return {row.id: row.name for row in connection.execute(select(tables.students))}

    # --- settings ----------------------------------------------------------------------------------------------

    def setting(self, name: str) -> str | None:
        """What was asked for last, None where it never was."""
        column = tables.settings.c
        with spoken(self._place), self._engine.begin() as connection:
            found: str | None = connection.execute(select(column.value).where(column.name == name)).scalar()
            return found

    def settle(self, name: str, value: str) -> None:
        """Keep what is asked for; it holds until another is."""
        with spoken(self._place), self._engine.begin() as connection:
            connection.execute(delete(tables.settings).where(tables.settings.c.name == name))
            connection.execute(insert(tables.settings).values(name=name, value=value))

    # --- submissions and results -------------------------------------------------------------------------------

    def take_in(self, run: int, rows: Iterable[InputRow]) -> None:
        """Note what was handed in; what an earlier run saw and this one does not see stays as it is.

        So also where a class list says of somebody that nothing was handed in, and another input had something of them.
        """
        column = tables.submissions.c
        nothing = _kept(Message("batch.nothing_handed_in"))
        wanted = select(column.id, column.student, column.exercise, tables.runs.c.input).join(tables.runs)
        with spoken(self._place), self._engine.begin() as connection:
            source = connection.execute(select(tables.runs.c.input).where(tables.runs.c.id == run)).scalar()
            known = {(row.student, row.exercise): row for row in connection.execute(wanted)}
            for row in rows:
                values = {
                    "state": row.state,
                    "place": row.place,
                    "sha256": row.sha256,
                    "reason": _kept(row.reason),
                    "submitted_at": row.submitted_at or None,
                    "marked_late": row.late,
                    "run_id": run,
                }
                before = known.get((row.student, row.exercise))
                if before is None:
                    identity = {"student": row.student, "exercise": row.exercise}
                    connection.execute(insert(tables.submissions).values({**identity, **values}))
                elif before.input == source or values["reason"] != nothing:
                    connection.execute(update(tables.submissions).where(column.id == before.id).values(values))

    def forget_absent(self, listed: Collection[str] | None, rows: Sequence[InputRow] = (), source: str = "") -> None:
        """Take out who is not in the class list and never handed in anything that was graded.

        Whom an earlier class list knew goes with that list; of whom an earlier input told, where this one does not.

        Args:
            listed: ids of the class list; None where there never was one, or it is not known any more.
            rows: of this input; what it told of other exercises stays.
            source: the input; what another one told stays.
        """
        column = tables.submissions.c
        wanted = select(column.id, column.student, column.exercise, column.state, column.reason, tables.runs.c.input)
        ungraded = wanted.join(tables.runs).where(column.id.not_in(select(tables.results.c.submission_id)))
        graded = select(column.student).join_from(tables.submissions, tables.results)
        exercises = {"", *(row.exercise for row in rows)}
        with spoken(self._place), self._engine.begin() as connection:
            given = dict(overrides(connection))
            known = {row.student for row in rows}.union(connection.execute(graded).scalars())

            def is_gone(row: Any) -> bool:
                if row.student in (listed or ()) or given.get((row.student, row.exercise)) is not None:
                    return False
                if row.reason == _kept(Message("batch.nothing_handed_in")):
                    return listed is not None
                told_here = row.input == source and (row.state != "missing" or row.exercise in exercises)
                return told_here and row.student not in known

            for row in filter(is_gone, connection.execute(ungraded).all()):
                connection.execute(delete(tables.submissions).where(column.id == row.id))

    def add(self, run: int, report: GradeReport, text: str, key: str) -> Change | None:
        """Keep a result; the change, where it takes the place of one with other points.

        A result that is a fault of ours goes to the history: what was known before counts on.
        """
        with spoken(self._place), self._engine.begin() as connection:
            before = _handed_in(connection, report.who, report.exercise)
            graded, counts = before.result_id is not None, report.verdict is not Verdict.GRADER_ERROR
            if counts and graded:
                earlier = update(tables.results).where(tables.results.c.id == before.result_id)
                connection.execute(earlier.values(current=False))
            values = {
                "submission_id": before.id,
                "run_id": run,
                "provenance_id": self._provenance_of(connection, report.provenance),
                "current": counts,
                "key": key,
                "sha256": report.provenance.submission_sha256,
                "graded_at": now(),
                "verdict": report.verdict.value,
                "points": report.points,
                "max_points": report.max_points,
                "diagnosis": report.diagnosis.kind.value,
                "report": text,
            }
            _add_parts(connection, _inserted(connection, tables.results, values), report)
        if not counts or not graded or before.points == report.points:
            return None
        same = before.sha256 == report.provenance.submission_sha256
        return Change(report.who, report.exercise, before.points, report.points, same)

    def _provenance_of(self, connection: Connection, found: Provenance) -> int:
        values: dict[str, Any] = {
            **{name: getattr(found, name) for name in ("grader", "python", "numpy", "torch", "pytest", "suite_sha256")},
            "isolation": found.isolation.level,
            "layers": ", ".join(found.isolation.layers),
        }
        identity = tuple(values.values())
        if identity not in self._provenance:
            same = [tables.provenance.c[name].is_not_distinct_from(value) for name, value in values.items()]
            number = connection.execute(select(tables.provenance.c.id).where(*same)).scalar()
            # remembered only where it was committed before: this transaction may yet be undone
            if number is None:
                return _inserted(connection, tables.provenance, values)
            self._provenance[identity] = number
        return self._provenance[identity]

    # --- overrides ---------------------------------------------------------------------------------------------

    def override(self, student: str, exercise: str, points: float | None, made_by: str, why: str) -> None:
        """Give points by hand; None takes back what was given. Nothing is erased."""
        with spoken(self._place), self._engine.begin() as connection:
            before = _handed_in(connection, student, exercise)
            values = {
                "student": student,
                "exercise": exercise,
                "points": points,
                "graded_points": before.points,
                "made_by": made_by,
                "why": why,
                "made_at": now(),
            }
            connection.execute(insert(tables.overrides).values(values))

    # --- questions ---------------------------------------------------------------------------------------------

    def standings(self) -> list[Standing]:
        """Every student and exercise that was ever seen, by exercise, then by student."""
        with spoken(self._place), self._engine.begin() as connection:
            given = dict(overrides(connection))
            named = mistakes(connection)
            newest = {row.submission_id: row.newest for row in connection.execute(newest_results())}
            found = [
                standing(row, named.get(row.result_id, ()), newest.get(row.id), given)
                for row in connection.execute(all_submissions())
            ]
        found = with_zeros(found) if self.setting("missing") == "zero" else found
        return self.policy().applied(with_most(found))

    def policy(self) -> Policy:
        """Weights and what being late costs, as they were given last."""
        return parse_policy(self.setting("policy") or "")

    def tallies(self) -> Tallies:
        """What the results that count come to."""
        with spoken(self._place), self._engine.begin() as connection:
            return tallies(connection)

    def reports(self) -> Iterator[str]:
        """The JSON of every result that counts, in the order of `standings`."""
        wanted = (
            select(tables.results.c.report)
            .join(tables.submissions)
            .where(tables.results.c.current)
            .order_by(tables.submissions.c.exercise, tables.submissions.c.student)
        )
        with spoken(self._place), self._engine.begin() as connection:
            for row in connection.execute(wanted):
                yield row.report


def _inserted(connection: Connection, table: Any, values: dict[str, Any]) -> int:
    made = connection.execute(insert(table), values).inserted_primary_key
    assert made is not None  # noqa: S101
    return int(made[0])


def _handed_in(connection: Connection, student: str, exercise: str) -> Any:
    """The id of a submission; result_id, points and sha256 of the result that counts, each None where there is none."""
    return connection.execute(_HANDED_IN, {"student": student, "exercise": exercise}).one()


_COUNTS = and_(tables.results.c.submission_id == tables.submissions.c.id, tables.results.c.current)
_HANDED_IN = (  # put together once: that takes longer than asking
    select(
        tables.submissions.c.id,
        tables.results.c.id.label("result_id"),
        tables.results.c.points,
        tables.results.c.sha256,
    )
    .select_from(tables.submissions.outerjoin(tables.results, _COUNTS))
    .where(tables.submissions.c.student == bindparam("student"))
    .where(tables.submissions.c.exercise == bindparam("exercise"))
)


def _add_parts(connection: Connection, result: int, report: GradeReport) -> None:
    checks = [
        {
            "result_id": result,
            "position": position,
            "name": check.name,
            "outcome": check.outcome.value,
            "points": check.points,
            "max_points": check.max_points,
        }
        for position, check in enumerate(report.checks)
    ]
    findings = [
        {
            "result_id": result,
            "position": position,
            "mistake": finding.mistake.slug,
            "lesson_row": finding.mistake.row,
            "certain": finding.certain,
        }
        for position, finding in enumerate(report.diagnosis.findings)
    ]
    for table, values in ((tables.checks, checks), (tables.findings, findings)):
        if values:
            connection.execute(insert(table), values)


def _kept(message: Message | None) -> str | None:
    return None if message is None else json.dumps([message.key, dict(message.fields)], ensure_ascii=False)
