"""Decides, once for the terminal and the page, what a report says where there is a choice: diagnosis, next step."""

from __future__ import annotations

from typing import NamedTuple

from grader.course import Course, typed
from grader.model import (
    CaseFailure,
    CheckResult,
    Diagnosis,
    DiagnosisKind,
    GradeReport,
    LessonRow,
    Message,
    Outcome,
    Text,
    Verdict,
)

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
    """Check name -> the earlier check that did not pass for the same reason; it is told once."""
    first: dict[object, CheckResult] = {}
    again: dict[str, CheckResult] = {}
    for check in checks:
        if not check.failures:
            continue
        reason = _reason(check.outcome, check.failures[0])
        if reason in first:
            again[check.name] = first[reason]
        else:
            first[reason] = check
    return again


def _reason(outcome: Outcome, failure: CaseFailure) -> object:
    """What makes two failures one: an exception its type and line, whatever the sizes in its text; a limit itself."""
    key, fields = failure.message.key, failure.message.fields
    if outcome is Outcome.ERROR and failure.line is not None:
        return key, fields.get("type"), failure.line
    return key, *sorted(fields.items()), failure.line if outcome is Outcome.FAILED else None


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
    return Message(f"report.next_{_what_to_think_about(report.diagnosis)}", {"file": file})


def not_attempted(report: GradeReport) -> Message:
    """Why there is nothing to grade yet: the file is empty, or still raises as the starter does."""
    return report.reason.message if report.reason else Message("report.not_attempted", {"file": report.filename})


def if_stuck(report: GradeReport, course: Course, root: str | None = None) -> Message | None:
    """The way to a hint, where thinking helps: not for a file that cannot be run or gives changing answers.

    Args:
        root: what `--course` is told to be, as in `typed`.
    """
    if next_step(report, course).key not in {"report.next_question", "report.next_smallest", "report.next_check"}:
        return None
    return Message("report.if_stuck", {"command": typed(f"grade hint {report.exercise}", course, root)})


def _what_to_think_about(diagnosis: Diagnosis) -> str:
    if diagnosis.kind is DiagnosisKind.NOT_REPEATABLE:
        return "repeatable"
    if diagnosis.findings:
        return "question"
    return "smallest" if diagnosis.counterexample else "check"


# --- the table of common mistakes --------------------------------------------------------------------------------


class MistakeLine(NamedTuple):
    """One line of the table: a row of the lesson, or a mistake of the exercise."""

    row: str  # "E3", "" for a mistake that belongs to no row of the lesson
    title: Text
    result: Message
    detected: bool


class MistakeTable(NamedTuple):
    lesson: tuple[MistakeLine, ...]  # rows that can occur in this exercise
    elsewhere: tuple[LessonRow, ...]  # rows that cannot
    own: tuple[MistakeLine, ...]  # mistakes of this exercise that were detected
    further: tuple[MistakeLine, ...]  # and those that were not


def mistake_table(report: GradeReport, course: Course) -> MistakeTable:
    """What can go wrong in this exercise, each with the words "detected" or "not detected"."""
    diagnosis = report.diagnosis
    possible = [course.mistakes[slug] for slug in diagnosis.possible if slug in course.mistakes]
    found = [finding.mistake for finding in diagnosis.findings]
    possible += [mistake for mistake in found if mistake not in possible]
    here = {mistake.row for mistake in possible} if possible else set(course.rows)  # nothing is known: rule out none
    own = [_line(diagnosis, each.row or "", each.title, detected=each in found) for each in possible]
    return MistakeTable(
        lesson=tuple(
            _line(diagnosis, row.id, row.title, detected=any(mistake.row == row.id for mistake in found))
            for row in course.rows.values()
            if row.id in here
        ),
        elsewhere=tuple(row for row in course.rows.values() if row.id not in here),
        own=tuple(each for each in own if each.detected),
        further=tuple(each for each in own if not each.detected),
    )


def _line(diagnosis: Diagnosis, row: str, title: Text, *, detected: bool) -> MistakeLine:
    if detected and diagnosis.kind is DiagnosisKind.FAMILY:
        result = Message("report.detected_one_of", {"count": len(diagnosis.findings)})
    elif detected:
        result = Message("report.detected")
    elif diagnosis.kind in {DiagnosisKind.NOT_RUN, DiagnosisKind.NOT_REPEATABLE}:
        result = Message("report.not_looked_for")
    else:
        result = Message("report.not_detected")
    return MistakeLine(row, title, result, detected)
