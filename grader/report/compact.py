"""Prints the little of a report that fits beside an editor: score, one line for each check, the mistake, the next step.

What is left out stands in the whole report, which `grader.report.terminal` prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len

from grader.model import (
    CaseFailure,
    CheckResult,
    Diagnosis,
    DiagnosisKind,
    GradeReport,
    Language,
    Message,
    Mistake,
    Outcome,
    Verdict,
)
from grader.report.sentences import SYMBOLS, cause, diagnosis_message, is_one_of, next_step, number
from grader.report.terminal import COLOURS, INDENT, Page
from grader.report.visible import tell
from grader.report.wrap import cut

if TYPE_CHECKING:
    from rich.console import Console

    from grader.course import Course


def print_compact(
    report: GradeReport,
    course: Course,
    language: Language,
    console: Console,
    *,
    exercises: Path,
    overcome: Sequence[Mistake] = (),
    example: bool = False,
) -> None:
    """Print a report shortly; arguments as for `print_report`.

    Args:
        example: with the smallest input that shows the mistake.
    """
    page = _Compact(console, language)
    page.opening(report, overcome)
    if report.verdict not in (Verdict.NOT_ATTEMPTED, Verdict.GRADER_ERROR, Verdict.ACCEPTED):
        page.reason(report, verbose=False)
        page.short_checks(report)
        page.mistake(report, example=example)
    page.space()
    page.next(next_step(report, course, exercises), None)


def score_words(report: GradeReport, language: Language) -> list[str]:
    """Points, verdict, and the titles of the mistakes that were named."""
    fields = {"points": number(report.points), "most": number(report.max_points)}
    points = tell(Message("report.points", fields), language)
    verdict = tell(Message(f"report.verdict_{report.verdict.value}"), language)
    if report.verdict in (Verdict.NOT_ATTEMPTED, Verdict.GRADER_ERROR):
        return [verdict]
    titles = [
        finding.mistake.title.in_language(language)
        for finding in report.diagnosis.findings
        if not is_one_of(report.diagnosis, finding)
    ]
    return [points, verdict, *(f"✗ {title}" for title in titles)]


class _Compact(Page):
    """A page with a line for each check."""

    def short_checks(self, report: GradeReport) -> None:
        if report.reason is not None or cause(report) is not None:
            return  # told already: it stands for all of them
        self.space()
        told = bool(report.diagnosis.findings)
        for check in report.checks:
            self._check(check)
            if check.failures and not told:
                self._first_failure(check, check.failures[0], report.filename)
                told = True

    def _check(self, check: CheckResult) -> None:
        """Sign and word, as much of the rule as fits, and the points at the right edge."""
        words = [self.word(f"report.outcome_{outcome.value}") for outcome in Outcome]
        word = f"{SYMBOLS[check.outcome]} {words[list(Outcome).index(check.outcome)]}"
        left = 2 + max(map(cell_len, words)) + 2
        points = f"{number(check.points)}/{number(check.max_points)}"
        rule = cut(self.text(check.rule), max(8, self.width - left - len(points) - 2))
        room = self.width - left - cell_len(rule) - len(points)
        self.put(
            (word, COLOURS[check.outcome]), (" " * (left - cell_len(word)) + rule + " " * room, ""), (points, "dim")
        )

    def _first_failure(self, check: CheckResult, failure: CaseFailure, filename: str) -> None:
        self.paragraph(self.case(check) + tell(failure.message, self.language), 2 * INDENT)
        self.code(failure, filename, 2 * INDENT)
        self.more(failure, 2 * INDENT, verbose=False)

    def mistake(self, report: GradeReport, *, example: bool) -> None:
        """What was detected: title, what is seen, and the question; or why nothing is named."""
        diagnosis = report.diagnosis
        if diagnosis.kind in {DiagnosisKind.RIGHT, DiagnosisKind.NOT_RUN}:
            return
        if cause(report) is not None and diagnosis.located is None:
            return
        self.space()
        if diagnosis.findings:
            self._findings(diagnosis, example=example)
            return
        self.say(diagnosis_message(report))
        if diagnosis.located is not None:
            self.say(diagnosis.located, INDENT, "bold")
        if example and diagnosis.counterexample is not None:
            self.example(diagnosis.counterexample, "report.smallest_unknown")

    def _findings(self, diagnosis: Diagnosis, *, example: bool) -> None:
        """The first mistake in full, then the titles of the others; or all those of which it may be one."""
        first = diagnosis.findings[0]
        unsure = [finding for finding in diagnosis.findings if is_one_of(diagnosis, finding)]
        if unsure:
            self.say(Message("report.one_of"))
        titles = [f"{'?' if each in unsure else '✗'} {self.text(each.mistake.title)}" for each in diagnosis.findings]
        together = len(titles) if unsure else 1
        for title in titles[:together]:
            self.paragraph(title, 0, "bold red")
        if first not in unsure:
            self.paragraph(self.text(first.mistake.seen), INDENT)
            if example and first.counterexample is not None:
                self.example(first.counterexample, "report.smallest")
                self.space()
        for finding in unsure or [first]:
            self.paragraph(self.text(finding.mistake.question), INDENT)
        for title in titles[together:]:
            self.paragraph(title, 0, "bold red")
