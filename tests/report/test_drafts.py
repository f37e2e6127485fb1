"""What is written once for many reports is, for each of them, what would have been written for it alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grader.model import LANGUAGES, GradeReport, Language
from grader.report.drafts import Drafts, Written
from grader.report.html import html_report
from grader.report.json import json_line
from tests.report.poison import ATTACKS
from tests.report.samples import all_reports, course


def alone(report: GradeReport, language: Language) -> tuple[str, str]:
    """The page and the JSON, without a draft."""
    return html_report(report, course(), language, "full"), json_line(report)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_from_a_draft_is_the_page(language: Language) -> None:
    """Whatever a report holds, for one student and for the next."""
    drafts = Drafts(course(), language, "full")
    for report in all_reports().values():
        for who, digit in (("anna", "a"), ("伯樂", "b")):
            own = replace(report, who=who, provenance=replace(report.provenance, submission_sha256=digit * 64))
            assert drafts.written(own) == alone(own, language)


def test_whatever_a_student_is_called_is_written_as_it_would_be() -> None:
    """Markup, what steers a terminal, half a surrogate pair, the name of the file, spaces, nothing at all."""
    drafts = Drafts(course(), "en", "full")
    report = next(iter(all_reports().values()))
    names = [
        "",
        " a  b ",
        "<b>&amp;",
        '"\\',
        "\udce9",
        "\u202e",
        "{who}",
        "x" * 300,
        f"anna/{report.filename}",
        *ATTACKS.values(),
    ]
    for who in names:
        own = replace(report, who=who)
        assert drafts.written(own) == alone(own, "en"), who


def test_only_what_differs_is_written_anew() -> None:
    """Reports of two students with different seeds have one draft; other points make another page."""
    drafts = Counting(course(), "en", "full")
    report = next(iter(all_reports().values()))
    for who, seed in (("anna", 1), ("bo", 2)):
        own = replace(report, who=who, provenance=replace(report.provenance, seed=seed, submission_sha256=who * 9))
        assert drafts.written(own) == alone(own, "en")
    assert drafts.drafted == 1
    drafts.written(replace(report, points=report.points / 2))
    assert drafts.drafted == 2


class Counting(Drafts):
    """Drafts that count how many were made."""

    drafted = 0

    def _written(self, report: GradeReport) -> Written:
        self.drafted += 1
        return super()._written(report)
