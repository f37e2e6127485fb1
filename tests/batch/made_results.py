"""Reports made by hand, and gradebooks filled with them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.course import Course
from grader.gradebook.book import Gradebook
from grader.gradebook.inputs.collect import Row
from grader.model import (
    CaseFailure,
    CheckResult,
    Diagnosis,
    DiagnosisKind,
    Finding,
    GradeReport,
    Isolation,
    Message,
    Outcome,
    Printed,
    Provenance,
    Verdict,
)
from grader.report.json import json_line

MADE_WITH = Provenance("1", "3.11", "2", None, "9", "suite", "a", 0, Isolation("strong", ("seccomp",)))
KINDS = {True: DiagnosisKind.RIGHT, False: DiagnosisKind.UNKNOWN}


def made_report(
    course: Course,
    who: str,
    passed: Sequence[bool],
    *,
    exercise: str = "04_concat",
    mistakes: Mapping[str, bool] | None = None,
    verdict: Verdict | None = None,
    failure: CaseFailure | None = None,
) -> GradeReport:
    """A report whose checks passed or failed as told, one point each.

    Args:
        mistakes: those that were named, and whether each of them is certain.
        failure: of every check that failed.
    """
    of = course.exercises[exercise]
    checks = tuple(
        CheckResult(
            *(name, rule, Outcome.PASSED if ok else Outcome.FAILED, float(ok), 1.0, 1),
            failures=() if ok or failure is None else (failure,),
        )
        for (name, rule), ok in zip(of.rules.items(), passed, strict=False)
    )
    points, most = sum(check.points for check in checks), float(len(checks))
    findings = tuple(Finding(course.mistakes[slug], 3, 3, None, certain) for slug, certain in (mistakes or {}).items())
    kind = DiagnosisKind.NAMED if findings else KINDS[points == most]
    told = verdict or (Verdict.ACCEPTED if points == most else Verdict.PARTLY if points else Verdict.WRONG)
    return GradeReport(
        *(exercise, of.title, who, f"{of.module}.py", told, points, most, checks),
        diagnosis=Diagnosis(kind, findings),
        printed=Printed(),
        provenance=MADE_WITH,
    )


def refused_a_socket() -> CaseFailure:
    """What a check tells of a submission that wanted to open a connection."""
    explanation = Message("diagnosis.outside")
    fields = {"type": "PermissionError", "text": "Operation not permitted"}
    return CaseFailure("", Message("sandbox.raised", fields), 3, "socket.socket()", explanation)


def filled(folder: Path, reports: Sequence[GradeReport], rows: Sequence[Row] = ()) -> Gradebook:
    """A gradebook in which these results count; `rows` are students without any."""
    folder.mkdir(parents=True, exist_ok=True)
    book = Gradebook(folder)
    run = book.begin_run("in", sorted({report.exercise for report in reports}), "engine")
    read = [Row(each.who, each.exercise, "read", f"{each.who}/{each.filename}", sha256="a") for each in reports]
    book.take_in(run, [*read, *rows])
    for report in reports:
        book.add(run, report, json_line(report), "key")
    return book
