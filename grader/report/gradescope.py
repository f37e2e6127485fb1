"""Writes a report as the results.json that Gradescope takes from an autograder."""

from __future__ import annotations

import json
from collections.abc import Iterator

from grader.model import CheckResult, GradeReport, Language, Message, Outcome, Verdict
from grader.report.sentences import diagnosis_message, not_attempted
from grader.report.visible import tell

MOST = 5  # failing cases of a check that are told


def gradescope_results(report: GradeReport, language: Language, points: float | None = None) -> str:
    """One JSON object: the score, what is said on top, and one test for each check.

    What a submission printed goes to instructors alone; the report decides what else is in it (`reduced`).

    Args:
        points: what counts, where that is not what was graded.
    """
    tests = [_test(place, check, language) for place, check in enumerate(report.checks, 1)]
    result = {
        "score": report.points if points is None else points,
        "output": "\n".join(_told(report, language)),
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": {
            "exercise": report.exercise,
            "verdict": report.verdict.value,
            "max_score": report.max_points,
            "mistakes": [finding.mistake.slug for finding in report.diagnosis.findings],
            "suite_sha256": report.provenance.suite_sha256,
            "submission_sha256": report.provenance.submission_sha256,
        },
    }
    return json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _test(place: int, check: CheckResult, language: Language) -> dict[str, object]:
    told = [tell(failure.message, language) for failure in check.failures[:MOST]]
    return {
        "number": str(place),
        "name": check.rule.in_language(language),
        "score": check.points,
        "max_score": check.max_points,
        "status": "passed" if check.outcome is Outcome.PASSED else "failed",
        "output": "\n".join(told),
        "visibility": "visible",
    }


def _told(report: GradeReport, language: Language) -> Iterator[str]:
    yield tell(Message(f"report.verdict_{report.verdict.value}"), language)
    if report.verdict is Verdict.NOT_ATTEMPTED:
        yield tell(not_attempted(report), language)
    elif report.reason is not None:
        yield tell(report.reason.message, language)
    else:
        yield tell(diagnosis_message(report), language).replace("`", "")
    for finding in report.diagnosis.findings:
        mistake = finding.mistake
        yield "\n".join(text.in_language(language).replace("`", "") for text in (mistake.title, mistake.question))
