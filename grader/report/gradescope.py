"""Writes a report as the results.json that Gradescope takes from an autograder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from grader.model import CheckResult, GradeReport, Language, Message, Outcome, Verdict
from grader.report.sentences import cause, diagnosis_message, not_attempted
from grader.report.visible import tell

MOST = 5  # failing cases of a check that are told


def gradescope_results(report: GradeReport, language: Language, points: float | None = None) -> str:
    """One JSON object: the score, what is said on top, and one test for each check.

    What a submission printed goes to instructors alone; the report decides what else is in it (`reduced`).

    Args:
        points: what counts, where that is not what was graded.
    """
    score = report.points if points is None else points
    tests = [_test(str(place), check, language) for place, check in enumerate(report.checks, 1)]
    return _written(score, "\n".join(_told(report, language)), tests, _extra(report))


def gradescope_results_of_all(parts: Sequence[tuple[GradeReport, Message | None]], language: Language) -> str:
    """One JSON object for one upload that answers several exercises.

    Args:
        parts: for each exercise its report, and what there is to know of how its file was found.
    """
    several = len(parts) > 1
    told: list[str] = []
    tests: list[dict[str, object]] = []
    for report, note in parts:
        sentences = list(_told(report, language))
        if note is not None:  # it says better than the report why there is no answer
            sentences = [tell(note, language), *([] if report.verdict is Verdict.NOT_ATTEMPTED else sentences)]
        heading = f"{report.exercise}: {report.points:g} / {report.max_points:g}\n" if several else ""
        told.append(heading + "\n".join(sentences))
        name = f"{report.exercise}: " if several else ""
        for place, check in enumerate(report.checks, 1):
            number = f"{report.exercise[:2]}.{place}" if several else str(place)
            tests.append(_test(number, check, language, name))
    score = round(sum(report.points for report, _ in parts), 9)
    extra = {"exercises": [_extra(report) for report, _ in parts]} if several else _extra(parts[0][0])
    return _written(score, "\n\n".join(told), tests, extra)


def gradescope_failure(message: Message, language: Language) -> str:
    """The JSON object where nothing could be graded; Gradescope takes none without a score."""
    return _written(0.0, tell(message, language), [], {})


def _written(score: float, output: str, tests: Sequence[Mapping[str, object]], extra: Mapping[str, object]) -> str:
    result = {
        "score": score,
        "output": output,
        "output_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
        "extra_data": extra,
    }
    return json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def _extra(report: GradeReport) -> dict[str, object]:
    return {
        "exercise": report.exercise,
        "verdict": report.verdict.value,
        "max_score": report.max_points,
        "mistakes": [finding.mistake.slug for finding in report.diagnosis.findings],
        "suite_sha256": report.provenance.suite_sha256,
        "submission_sha256": report.provenance.submission_sha256,
    }


def _test(number: str, check: CheckResult, language: Language, before: str = "") -> dict[str, object]:
    told = [tell(failure.message, language) for failure in check.failures[:MOST]]
    return {
        "number": number,
        "name": before + check.rule.in_language(language),
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
    elif (first := cause(report)) is not None:  # there is no place above this text where it would stand
        yield tell(first.failures[0].message, language)
    else:
        yield tell(diagnosis_message(report), language).replace("`", "")
    for finding in report.diagnosis.findings:
        mistake = finding.mistake
        yield "\n".join(text.in_language(language).replace("`", "") for text in (mistake.title, mistake.question))
