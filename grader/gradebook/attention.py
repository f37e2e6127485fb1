"""Which submissions a person should look at, and why: what no score tells by itself."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from grader.gradebook.standings import Standing
from grader.model import DiagnosisKind, Verdict


class Why(StrEnum):
    """Reasons, the most urgent first; each is a sentence `class.why_…`."""

    FAILED = "failed"  # a fault of ours, and no score yet
    UNREADABLE = "unreadable"
    OVERRIDE = "override"
    LATE_BY_UNKNOWN = "late_by_unknown"
    OUTSIDE = "outside"
    CRASHED = "crashed"
    TIME_LIMIT = "time_limit"
    MEMORY_LIMIT = "memory_limit"
    OUTPUT_LIMIT = "output_limit"
    NOT_REPEATABLE = "not_repeatable"
    UNKNOWN = "unknown"
    INVALID = "invalid"  # the student is told the line


_BY_VERDICT = {
    Verdict.CRASHED: Why.CRASHED,
    Verdict.TIME_LIMIT: Why.TIME_LIMIT,
    Verdict.MEMORY_LIMIT: Why.MEMORY_LIMIT,
    Verdict.OUTPUT_LIMIT: Why.OUTPUT_LIMIT,
    Verdict.INVALID: Why.INVALID,
}
_BY_DIAGNOSIS = {DiagnosisKind.UNKNOWN: Why.UNKNOWN, DiagnosisKind.NOT_REPEATABLE: Why.NOT_REPEATABLE}


class Case(NamedTuple):
    """What a person should look at once: a submission, or one file that says nothing on several exercises."""

    why: Why
    standing: Standing
    exercises: tuple[str, ...]


def for_a_person(standings: Iterable[Standing]) -> list[Case]:
    """What a person should look at, in the order of the standings."""
    found: dict[tuple[object, ...], Case] = {}
    for one in standings:
        why = why_a_person(one)
        if why is None:
            continue
        same = (one.student, one.place, str(one.reason)) if why is Why.UNREADABLE else (one.student, one.exercise)
        before = found.get((why, *same))
        found[why, *same] = Case(
            why, before.standing if before else one, (*(before.exercises if before else ()), one.exercise)
        )
    return list(found.values())


def why_a_person(one: Standing) -> Why | None:
    """The most urgent reason to look at a submission, None where there is none."""
    if one.failed_since or (one.state == "read" and one.verdict is None):
        return Why.FAILED
    if one.state == "unreadable":
        return Why.UNREADABLE
    if one.override is not None:  # a person has looked at it
        return Why.OVERRIDE if one.override_differs else None
    reasons = (
        (one.late_by_unknown and one.graded_points is not None, Why.LATE_BY_UNKNOWN),
        (one.outside, Why.OUTSIDE),
        (one.verdict is not None, _BY_VERDICT.get(Verdict(one.verdict)) if one.verdict else None),
        (one.diagnosis is not None, _BY_DIAGNOSIS.get(DiagnosisKind(one.diagnosis)) if one.diagnosis else None),
    )
    return next((why for holds, why in reasons if holds and why is not None), None)
