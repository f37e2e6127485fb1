"""How much of a report a student is shown: all of it, a summary without inputs of the hidden checks, or names alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from grader.model import CaseFailure, GradeReport, Printed

Feedback = Literal["full", "summary", "names"]
FEEDBACKS: tuple[Feedback, ...] = ("full", "summary", "names")


def reduced(report: GradeReport, feedback: Feedback) -> GradeReport:
    """The report as far as its student is shown it.

    summary: which rules hold, the named mistake, and the smallest input of its own that shows it, which no check uses.
    names: points and verdict, and the names of mistakes.

    Neither keeps what came of a hidden input: messages of checks, the text of an exception, and what was printed, as
    a submission may print or raise what it was given. Why a file could not be loaded stays: no check had run by then.
    """
    return _REDUCED[feedback](report)


def raised(report: GradeReport) -> bool:
    """Whether each check that failed did so because the code raised; what it raised may hold a hidden input."""
    failed = [check for check in report.checks if check.failures]
    return bool(failed) and all(check.failures[0].message.key == "sandbox.raised" for check in failed)


def _full(report: GradeReport) -> GradeReport:
    return report


def _summary(report: GradeReport) -> GradeReport:
    return replace(
        report,
        checks=tuple(replace(check, failures=()) for check in report.checks),
        reason=_loading(report.reason),
        printed=Printed(),
        figures=(),
    )


def _names(report: GradeReport) -> GradeReport:
    findings = tuple(replace(finding, counterexample=None) for finding in report.diagnosis.findings)
    diagnosis = replace(report.diagnosis, findings=findings, counterexample=None, located=None)
    return replace(_summary(report), checks=(), diagnosis=diagnosis)


def _loading(reason: CaseFailure | None) -> CaseFailure | None:
    return None if reason is None else replace(reason, case="", traceback="")


_REDUCED: Mapping[Feedback, Callable[[GradeReport], GradeReport]] = {
    "full": _full,
    "summary": _summary,
    "names": _names,
}
