"""Decides, once for the terminal and the page, what a report says where there is a choice: diagnosis, next step."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from grader.model import (
    CheckResult,
    Diagnosis,
    DiagnosisKind,
    GradeReport,
    LessonRow,
    Message,
    Mistake,
    Outcome,
    Text,
    Verdict,
)

if TYPE_CHECKING:
    from grader.course import Course

SYMBOLS = {
    Outcome.PASSED: "✓",
    Outcome.FAILED: "✗",
    Outcome.ERROR: "!",
    Outcome.TIMEOUT: "!",
    Outcome.NOT_RUN: "-",
}


def verdict_symbol(verdict: Verdict) -> str:
    """One sign for each way to end; the words beside it say the same."""
    signs = {Verdict.ACCEPTED: "✓", Verdict.PARTLY: "◑", Verdict.WRONG: "✗", Verdict.NOT_ATTEMPTED: "○"}
    return signs.get(verdict, "!")


def number(points: float) -> str:
    """Points without needless digits: 2, 2.5."""
    return f"{points:g}"


def shown_checks(report: GradeReport) -> tuple[CheckResult, ...]:
    """The checks worth a line: all of them, but those that never ran only where no one reason explains it."""
    if report.verdict is Verdict.NOT_ATTEMPTED:
        return ()
    if report.reason is None:
        return report.checks
    return tuple(check for check in report.checks if check.outcome is not Outcome.NOT_RUN)


def same_reason(checks: tuple[CheckResult, ...]) -> dict[str, CheckResult]:
    """Check name -> the earlier check that failed with the very same words; it is told once."""
    first: dict[object, CheckResult] = {}
    again: dict[str, CheckResult] = {}
    for check in checks:
        if not check.failures:
            continue
        failure = check.failures[0]
        told = (failure.message.key, *sorted(failure.message.fields.items()), failure.line, failure.code)
        if told in first:
            again[check.name] = first[told]
        else:
            first[told] = check
    return again


def diagnosis_message(diagnosis: Diagnosis) -> Message:
    """The one sentence on what the search for known mistakes gave."""
    if diagnosis.kind is DiagnosisKind.NAMED and len(diagnosis.findings) > 1:
        return Message("report.diagnosis_several")
    return Message(f"report.diagnosis_{diagnosis.kind.value}")


def next_step(report: GradeReport, course: Course) -> Message:
    """Exactly one thing to do now."""
    name, file = report.exercise, report.filename
    if report.verdict is Verdict.GRADER_ERROR:
        return Message("report.next_operator")
    if report.verdict is Verdict.ACCEPTED:
        later = [other for other in course.names if other > name]
        return Message("report.next_exercise", {"name": later[0]}) if later else Message("report.next_done")
    if report.verdict is Verdict.NOT_ATTEMPTED:
        return Message("report.next_readme", {"file": file})
    if report.reason is not None:
        line = report.reason.line
        return Message("report.next_file" if line is None else "report.next_line", {"file": file, "line": line or 0})
    return Message(f"report.next_{_what_to_think_about(report.diagnosis)}", {"name": name})


def _what_to_think_about(diagnosis: Diagnosis) -> str:
    if diagnosis.kind is DiagnosisKind.NOT_REPEATABLE:
        return "repeatable"
    if diagnosis.findings:
        return "question"
    return "smallest" if diagnosis.counterexample else "check"


# --- the table of common mistakes --------------------------------------------------------------------------------


class MistakeLine(NamedTuple):
    """One line of the table: a row of the lesson, or a further mistake of the exercise."""

    row: str  # "E3", "" for a further mistake
    title: Text
    result: Message
    detected: tuple[Mistake, ...]  # for a row of the lesson: what exactly was detected


class MistakeTable(NamedTuple):
    lesson: tuple[MistakeLine, ...]  # rows that can occur in this exercise
    elsewhere: tuple[LessonRow, ...]  # rows that cannot
    further: tuple[MistakeLine, ...]


def mistake_table(report: GradeReport, course: Course) -> MistakeTable:
    """What can go wrong in this exercise, each with the words "detected" or "not detected"."""
    diagnosis = report.diagnosis
    possible = [course.mistakes[slug] for slug in diagnosis.possible if slug in course.mistakes]
    found = [finding.mistake for finding in diagnosis.findings]
    possible += [mistake for mistake in found if mistake.slug not in {other.slug for other in possible}]
    here = {mistake.row for mistake in possible} if possible else set(course.rows)  # nothing is known: rule out none
    return MistakeTable(
        lesson=tuple(
            _line(diagnosis, row.id, row.title, tuple(mistake for mistake in found if mistake.row == row.id))
            for row in course.rows.values()
            if row.id in here
        ),
        elsewhere=tuple(row for row in course.rows.values() if row.id not in here),
        further=tuple(
            _line(diagnosis, "", mistake.title, tuple(other for other in found if other.slug == mistake.slug))
            for mistake in possible
            if mistake.row not in course.rows
        ),
    )


def _line(diagnosis: Diagnosis, row: str, title: Text, detected: tuple[Mistake, ...]) -> MistakeLine:
    if detected and diagnosis.kind is DiagnosisKind.FAMILY:
        result = Message("report.detected_one_of", {"count": len(diagnosis.findings)})
    elif detected:
        result = Message("report.detected")
    elif diagnosis.kind in {DiagnosisKind.NOT_RUN, DiagnosisKind.NOT_REPEATABLE}:
        result = Message("report.not_looked_for")
    else:
        result = Message("report.not_detected")
    return MistakeLine(row, title, result, detected)
