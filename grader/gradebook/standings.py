"""How everybody stands: what was handed in, what it got and why, what a person made of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, case, func, or_, select

from grader.gradebook import tables
from grader.model import Message, Outcome, Verdict

# Ways to end that no known mistake explains: what happened is in the report alone.
_BROKEN = (
    *(Verdict.INVALID, Verdict.CRASHED, Verdict.TIME_LIMIT, Verdict.MEMORY_LIMIT, Verdict.OUTPUT_LIMIT),
    Verdict.WRONG,  # where every check ended in an exception
)
# What a report says of a line that was refused a file, a program or the network, and of what was reached for. It is
# matched as text, with the blanks that `json_line` writes, so that a class is listed without parsing its reports, in
# whatever database they lie. A submission cannot write this itself: quotes in what it says are escaped there.
_OUTSIDE = ('%"diagnosis.outside"%', '%"reached": ["%')
_STOPPED = (Outcome.ERROR.value, Outcome.TIMEOUT.value)


class Cause(NamedTuple):
    """What broke a submission, and in which of its lines, where one is to blame."""

    message: Message
    line: int | None
    filename: str


@dataclass(frozen=True)
class Override:
    """Points that a person gave.

    Attributes:
        graded_points: what the grader had given then, None where it had given none.
    """

    points: float
    graded_points: float | None
    made_by: str
    why: str
    made_at: str


@dataclass(frozen=True)
class Standing:
    """How one student stands in one exercise: what was handed in, what it got, what a person made of it."""

    student: str
    exercise: str
    state: str  # read, unreadable, missing
    place: str
    sha256: str
    reason: Message | None  # why it was not read, or what was not read beside it
    key: str | None = None  # of the result that counts; the fields below are None where there is none
    verdict: str | None = None
    graded_points: float | None = None
    max_points: float | None = None
    graded_at: str | None = None
    diagnosis: str | None = None
    mistakes: tuple[str, ...] = ()
    failed_since: bool = False  # it was graded again, and that failed: the result before counts
    cause: Cause | None = None  # why nothing of it could be used
    override: Override | None = None
    was_overridden: bool = False  # now or ever
    graded_sha256: str | None = None  # of the file that the result is of
    is_zero: bool = False  # nothing was handed in, and that counts as zero points
    outside: bool = False  # it reached for a file, a program or the network, as far as its report tells
    submitted_at: str | None = None  # ISO 8601 with its zone
    marked_late: bool = False  # by a download that tells no time
    weight: float = 1.0  # of the exercise in a total
    late_days: int = 0
    late_percent: float = 0.0  # of the graded points, taken off
    late_by_unknown: bool = False  # being late costs points, and nobody knows how late it was

    @property
    def points(self) -> float | None:
        """The points that count: those of a person as they are, else the graded ones less what being late costs."""
        if self.override is not None:
            return self.override.points
        if self.graded_points is None:
            return 0.0 if self.is_zero else None
        return (
            round(self.graded_points * (100 - self.late_percent) / 100, 6) if self.late_percent else self.graded_points
        )

    @property
    def override_differs(self) -> bool:
        """Whether the grader has given other points since the override was made."""
        return self.override is not None and self.override.graded_points != self.graded_points


def all_submissions() -> Select[Any]:
    """Every submission, with the result that counts."""
    result = tables.results.c
    counting = (result.submission_id == tables.submissions.c.id) & result.current
    sha256 = result.sha256.label("graded_sha256")
    columns = (sha256, result.key, result.verdict, result.points, result.max_points, result.graded_at, result.diagnosis)
    report = case((result.verdict.in_([verdict.value for verdict in _BROKEN]), result.report))
    outside = or_(*map(result.report.like, _OUTSIDE)).label("outside")
    return (
        select(tables.submissions, result.id.label("result_id"), *columns, report.label("report"), outside)
        .join_from(tables.submissions, tables.results, counting, isouter=True)
        .order_by(tables.submissions.c.exercise, tables.submissions.c.student)
    )


def newest_results() -> Select[Any]:
    """The newest result of each submission, whether it counts or not."""
    result = tables.results.c
    return select(result.submission_id, func.max(result.id).label("newest")).group_by(result.submission_id)


def mistakes(connection: Connection) -> dict[int, tuple[str, ...]]:
    """Named mistakes by the result that counts."""
    column = tables.findings.c
    wanted = (
        select(column.result_id, column.mistake)
        .join(tables.results)
        .where(tables.results.c.current)
        .order_by(column.result_id, column.position)
    )
    found: dict[int, tuple[str, ...]] = {}
    for row in connection.execute(wanted):
        found[row.result_id] = (*found.get(row.result_id, ()), row.mistake)
    return found


def overrides(connection: Connection) -> Iterator[tuple[tuple[str, str], Override | None]]:
    """The latest override of each student and exercise, None where it was taken back."""
    for row in connection.execute(select(tables.overrides).order_by(tables.overrides.c.id)):
        given = row.points is not None
        override = Override(row.points, row.graded_points, row.made_by, row.why, row.made_at) if given else None
        yield (row.student, row.exercise), override


def standing(
    row: Row[Any],
    mistakes: tuple[str, ...],
    newest: int | None,
    overrides: dict[tuple[str, str], Override | None],
) -> Standing:
    """One row of `all_submissions`."""
    return Standing(
        student=row.student,
        exercise=row.exercise,
        state=row.state,
        place=row.place,
        sha256=row.sha256,
        reason=_message(row.reason),
        key=row.key,
        verdict=row.verdict,
        graded_points=row.points,
        max_points=row.max_points,
        graded_at=row.graded_at,
        diagnosis=row.diagnosis,
        mistakes=mistakes,
        failed_since=newest is not None and newest != row.result_id,
        cause=_cause(row.verdict, row.report),
        outside=bool(row.outside),
        submitted_at=row.submitted_at,
        marked_late=bool(row.marked_late),
        graded_sha256=row.graded_sha256,
        was_overridden=(row.student, row.exercise) in overrides,
        override=overrides.get((row.student, row.exercise)),
    )


def with_most(standings: Iterable[Standing]) -> list[Standing]:
    """The most there is for points that a person gave, also where the grader has no result to tell it."""
    found = list(standings)
    most = _most(found)
    return [
        replace(one, max_points=most.get(one.exercise)) if one.override is not None and one.max_points is None else one
        for one in found
    ]


def with_zeros(standings: Iterable[Standing]) -> list[Standing]:
    """Zero points for who handed in nothing, in exercises of which it is known how many points they have."""
    found = list(standings)
    most = _most(found)
    return [
        replace(one, is_zero=True, max_points=most[one.exercise])
        if one.state == "missing" and one.max_points is None and one.exercise in most
        else one
        for one in found
    ]


def _most(found: Iterable[Standing]) -> dict[str, float]:
    """How many points each exercise has, as far as any result tells it."""
    return {one.exercise: one.max_points for one in found if one.max_points is not None}


def _message(text: str | None) -> Message | None:
    return None if text is None else Message(*json.loads(text))


def _cause(verdict: str | None, text: str | None) -> Cause | None:
    """The reason of a report as JSON, or the first failure in which no value came to be compared."""
    if text is None:
        return None
    report = json.loads(text)
    told = report.get("reason")
    if told is None:
        failed = [check for check in report.get("checks", ()) if check["failures"]]
        stopped = [check for check in failed if check["outcome"] in _STOPPED]
        if not stopped or (verdict == Verdict.WRONG and len(stopped) < len(failed)):
            return None
        told = stopped[0]["failures"][0]
    return Cause(Message(told["message"]["key"], told["message"]["fields"]), told["line"], report["filename"])
