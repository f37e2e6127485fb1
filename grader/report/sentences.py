"""Decides, once for the terminal and the page, what a report says where there is a choice: diagnosis, next step."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from grader.course import Course, shown_path, typed
from grader.model import (
    CaseFailure,
    CheckResult,
    Diagnosis,
    DiagnosisKind,
    Finding,
    GradeReport,
    LessonRow,
    Message,
    Outcome,
    Text,
    Verdict,
)
from grader.report.places import place_of

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


# Sentences that say themselves what to mend: no value was there to be compared.
_NO_VALUE = ("returned_nothing", "no_", "sequence", "array_for", "tensor_for", "tuple_", "single_", "nothing_in_memory")
_VALUE_THERE = ("checks.no_error", "checks.no_whole_number")


def cause(report: GradeReport) -> CheckResult | None:
    """The check whose first failure stands for all of them, told at the top: nothing came back that can be compared.

    None where a check failed on a value, or where a mistake explains it all.
    """
    if report.reason is not None or report.diagnosis.findings or report.verdict is Verdict.NOT_ATTEMPTED:
        return None
    if report.diagnosis.kind is DiagnosisKind.NOT_REPEATABLE:
        return None
    failed = [check for check in report.checks if check.failures and check.outcome is not Outcome.NOT_RUN]
    return failed[0] if failed and all(_speaks_for_itself(check.failures[0]) for check in failed) else None


def _speaks_for_itself(failure: CaseFailure) -> bool:
    area, _, name = failure.message.key.partition(".")
    return area == "sandbox" or (name.startswith(_NO_VALUE) and failure.message.key not in _VALUE_THERE)


def also_failed(checks: tuple[CheckResult, ...]) -> Counter[str]:
    """Check name -> how many later checks failed for the reason that is told there."""
    return Counter(first.name for first in same_reason(checks).values())


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


def reasons(check: CheckResult) -> list[CaseFailure]:
    """The first failing case of each reason, so that what several cases have in common is told once."""
    first: dict[object, CaseFailure] = {}
    for failure in check.failures:
        first.setdefault(_reason(check.outcome, failure), failure)
    return list(first.values())


def several_told(report: GradeReport) -> bool:
    """Whether more than one check tells what it expected, so that a reader may take their numbers for one input's."""
    checks, first = shown_checks(report), cause(report)
    again = same_reason(checks)
    told = [check for check in checks if check.failures and check.name not in again and check is not first]
    return sum(check.outcome is Outcome.FAILED for check in told) > 1


def _reason(outcome: Outcome, failure: CaseFailure) -> object:
    """What makes two failures one: an exception its type and line, whatever the sizes in its text; a limit itself."""
    key, fields = failure.message.key, failure.message.fields
    if outcome is Outcome.ERROR and failure.line is not None:
        return key, fields.get("type"), failure.line
    if outcome is Outcome.FAILED and _speaks_for_itself(failure):
        return key, fields.get("type")
    return key, *sorted(fields.items()), failure.line if outcome is Outcome.FAILED else None


def diagnosis_message(report: GradeReport) -> Message:
    """The one sentence on what the search for known mistakes gave."""
    diagnosis = report.diagnosis
    if cause(report) is not None:
        return Message("report.diagnosis_cause_located" if diagnosis.located else "report.diagnosis_cause")
    if diagnosis.kind is DiagnosisKind.NAMED and len(diagnosis.findings) > 1:
        return Message("report.diagnosis_several")
    if diagnosis.kind is DiagnosisKind.FAMILY and diagnosis.findings[0].certain:
        return Message("report.diagnosis_certain")
    if diagnosis.kind in {DiagnosisKind.LOCATED, DiagnosisKind.UNKNOWN}:
        if not diagnosis.possible:
            return Message("report.diagnosis_no_models")
        kind = DiagnosisKind.UNKNOWN if diagnosis.located is None else diagnosis.kind  # its place may not be shown
        return Message(f"report.diagnosis_{kind.value}", {"count": len(diagnosis.possible)})
    return Message(f"report.diagnosis_{diagnosis.kind.value}")


def is_one_of(diagnosis: Diagnosis, finding: Finding) -> bool:
    """Whether this mistake or another one explains the results, and it cannot be told which."""
    return diagnosis.kind is DiagnosisKind.FAMILY and not finding.certain


_WARNINGS = {
    "report.warning_divide": "RuntimeWarning: divide by zero encountered",
    "report.warning_invalid": "RuntimeWarning: invalid value encountered",
    "report.warning_overflow": "RuntimeWarning: overflow encountered",
}


def warnings_printed(report: GradeReport) -> tuple[Message, ...]:
    """What the warnings of numpy among the printed lines mean, each once."""
    return tuple(Message(key) for key, words in _WARNINGS.items() if words in report.printed.text)


def next_step(
    report: GradeReport, course: Course, exercises: Path | None = None, among: Collection[str] | None = None
) -> Message:
    """Exactly one thing to do now.

    Args:
        exercises: where the exercise folders lie; a path to one is then told as it can be typed here.
        among: the exercises of which one may come next; left out, all of the course.
    """
    name, file = report.exercise, report.filename
    if report.verdict is Verdict.GRADER_ERROR:
        return Message("report.next_operator")
    if report.verdict is Verdict.ACCEPTED:
        later = [other for other in course.names if other > name and (among is None or other in among)]
        if not later:
            return Message("report.next_done")
        return Message("report.next_exercise", {"name": later[0], "folder": _folder(exercises, later[0])})
    if report.verdict is Verdict.NOT_ATTEMPTED:
        return Message("report.next_readme", {"file": file, "folder": _folder(exercises, name)})
    first = cause(report)
    reason = first.failures[0] if first else report.reason
    if reason is not None:
        return _mend(reason, file)
    return Message(f"report.next_{_what_to_think_about(report.diagnosis)}", {"file": file})


def _folder(exercises: Path | None, name: str) -> str:
    """The folder of an exercise as the beginning of a path, "" where one stands in it."""
    path = shown_path(Path(os.path.relpath(exercises / name))) if exercises else f"exercises/{name}"
    return "" if path == "." else f"{path}/"


def _mend(failure: CaseFailure, file: str) -> Message:
    """To correct the line to blame, where it is known; the line that made a call may be wrong as well."""
    if failure.message.key == "checks.returned_nothing":
        return Message("report.next_return", {"file": file})
    called = failure.explanation is not None and failure.explanation.key == "sandbox.called_from"
    if failure.line is None or called:
        return Message("report.next_file", {"file": file})
    return place_of("report.next_line", file, failure.line, file=file)


def not_attempted(report: GradeReport) -> Message:
    """Why there is nothing to grade yet: the file is empty, or still raises as the starter does."""
    return report.reason.message if report.reason else Message("report.not_attempted", {"file": report.filename})


def if_stuck(report: GradeReport, course: Course, root: str | None = None) -> Message | None:
    """The way to a hint, where thinking helps: not for a file that cannot be run or gives changing answers.

    Args:
        root: what `--course` is told to be, as in `typed`.
    """
    stuck = {f"report.next_{name}" for name in ("question", "questions", "smallest", "check")}
    if next_step(report, course).key not in stuck:
        return None
    return Message("report.if_stuck", {"command": typed(f"grade hint {report.exercise}", course, root)})


def _what_to_think_about(diagnosis: Diagnosis) -> str:
    if diagnosis.kind is DiagnosisKind.NOT_REPEATABLE:
        return "repeatable"
    if diagnosis.findings:
        return "questions" if any(is_one_of(diagnosis, finding) for finding in diagnosis.findings) else "question"
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
    unsure = [finding.mistake for finding in diagnosis.findings if is_one_of(diagnosis, finding)]
    sure = [mistake for mistake in found if mistake not in unsure]
    possible += [mistake for mistake in found if mistake not in possible]
    here = {mistake.row for mistake in possible} if possible else set(course.rows)  # nothing is known: rule out none
    own = [_line(diagnosis, each.row or "", each.title, sure=each in sure, unsure=each in unsure) for each in possible]
    return MistakeTable(
        lesson=tuple(
            _line(
                diagnosis,
                row.id,
                row.title,
                sure=any(mistake.row == row.id for mistake in sure),
                unsure=any(mistake.row == row.id for mistake in unsure),
            )
            for row in course.rows.values()
            if row.id in here
        ),
        elsewhere=tuple(row for row in course.rows.values() if row.id not in here),
        own=tuple(each for each in own if each.detected),
        further=tuple(each for each in own if not each.detected),
    )


def _line(diagnosis: Diagnosis, row: str, title: Text, *, sure: bool, unsure: bool) -> MistakeLine:
    if sure:
        result = Message("report.detected")
    elif unsure:
        count = sum(is_one_of(diagnosis, finding) for finding in diagnosis.findings)
        result = Message("report.detected_one_of", {"count": count})
    elif diagnosis.kind in {DiagnosisKind.NOT_RUN, DiagnosisKind.NOT_REPEATABLE}:
        result = Message("report.not_looked_for")
    else:
        result = Message("report.not_detected")
    return MistakeLine(row, title, result, sure or unsure)
