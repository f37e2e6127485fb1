"""Writes reports as JUnit XML, for continuous integration: a suite for each report, a case for each check."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree as ET

from grader.model import CaseFailure, CheckResult, GradeReport, Language, Outcome, Text, Verdict
from grader.report.sentences import number
from grader.report.visible import block, code_line, line, tell, visible

_PRINTED_LINES = 200
MOST = 50_000  # characters of one text
# XML 1.0 has no way at all to write these; `visible` has spelt out the control characters before.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_report(reports: Sequence[GradeReport], language: Language) -> str:
    """One `<testsuites>` document.

    A failed check is a `failure`; one that raised, took too long or was never reached is an `error`, so that no tool
    counts a file that could not be loaded as clean. Only a starter left untouched is `skipped`.
    """
    root = ET.Element("testsuites", name="manyheads")
    for report in reports:
        root.append(_suite(report, language))
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _suite(report: GradeReport, language: Language) -> ET.Element:
    cases = [_case(report, check, language) for check in report.checks] or [_only_case(report, language)]
    count = {tag: sum(case.find(tag) is not None for case in cases) for tag in ("failure", "error", "skipped")}
    suite = ET.Element(
        "testsuite",
        name=_name(report.exercise),
        tests=str(len(cases)),
        failures=str(count["failure"]),
        errors=str(count["error"]),
        skipped=str(count["skipped"]),
    )
    properties = ET.SubElement(suite, "properties")
    for name, value in _properties(report):
        ET.SubElement(properties, "property", name=name, value=_name(value))
    suite.extend(cases)
    if report.printed.text:
        ET.SubElement(suite, "system-out").text = _clean_lines(report.printed.text)
    return suite


def _properties(report: GradeReport) -> list[tuple[str, str]]:
    mistakes = ",".join(finding.mistake.slug for finding in report.diagnosis.findings)
    return [
        ("who", report.who),
        ("file", report.filename),
        ("verdict", report.verdict.value),
        ("points", f"{number(report.points)}/{number(report.max_points)}"),
        ("diagnosis", report.diagnosis.kind.value),
        ("mistakes", mistakes),
        ("submission_sha256", report.provenance.submission_sha256),
        ("suite_sha256", report.provenance.suite_sha256),
        ("seed", str(report.provenance.seed)),
        ("isolation", report.provenance.isolation.level),
    ]


def _case(report: GradeReport, check: CheckResult, language: Language) -> ET.Element:
    case = ET.Element("testcase", classname=_name(report.exercise), name=_name(check.name))
    failures = check.failures or ((report.reason,) if report.reason else ())
    if check.outcome is not Outcome.PASSED:
        _bad(case, report, language, outcome=check.outcome, failures=failures, rule=check.rule)
    return case


def _only_case(report: GradeReport, language: Language) -> ET.Element:
    """Where no check is known, one case says so: an empty suite would look like success."""
    case = ET.Element("testcase", classname=_name(report.exercise), name=_name(report.filename))
    if report.verdict is not Verdict.ACCEPTED:
        failures = (report.reason,) if report.reason else ()
        _bad(case, report, language, outcome=Outcome.NOT_RUN, failures=failures, rule=report.title)
    return case


def _bad(
    case: ET.Element,
    report: GradeReport,
    language: Language,
    *,
    outcome: Outcome,
    failures: tuple[CaseFailure, ...],
    rule: Text,
) -> None:
    if report.verdict is Verdict.NOT_ATTEMPTED:
        ET.SubElement(case, "skipped", message=Verdict.NOT_ATTEMPTED.value)
        return
    tag = "failure" if outcome is Outcome.FAILED else "error"
    message = tell(failures[0].message, language) if failures else outcome.value
    element = ET.SubElement(case, tag, type=outcome.value, message=_clean(message))
    lines = [line(rule.in_language(language))]
    for failure in failures:
        lines += [f"{line(failure.case)}: " * bool(failure.case) + tell(failure.message, language)]
        if failure.line is not None:
            lines += [f"{line(report.filename)}:{failure.line}: {code_line(failure.code)}"]
        if failure.explanation is not None:
            lines += [tell(failure.explanation, language)]
    element.text = _clean("\n".join(lines))


def _name(text: str) -> str:
    return _clean(line(text))


def _clean(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", visible(text[:MOST]))


def _clean_lines(text: str) -> str:
    return _clean("\n".join(block(text, _PRINTED_LINES).lines))
