"""Pages and JSON of a whole class: what differs in nothing but whose it is, such as all right ones, is written once.

report -> draft, of nobody's file --once--> page and JSON with two marks --each time--> whose it is, in their places
"""

from __future__ import annotations

import pickle
import secrets
from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from markupsafe import escape

from grader.course import Course
from grader.model import GradeReport, Language
from grader.remembered import Remembered
from grader.report.feedback import Feedback
from grader.report.html import html_report
from grader.report.json import escaped_text, json_line
from grader.report.view import handed_in

MOST_DRAFTS = 64
# Nobody can write a mark into a file, since nobody knows it; and none of them has a character that is escaped.
_WHO, _SHA256 = (f"{name}{secrets.token_hex(16)}" for name in ("who", "sha256"))


class Written(NamedTuple):
    """What is written of one report."""

    page: str
    text: str  # as JSON, in one line


class Drafts:
    """What many reports of one course have in common, in one language."""

    def __init__(
        self, course: Course, language: Language, feedback: Feedback, assigned: Collection[str] | None = None
    ) -> None:
        self._course = course
        self._language: Language = language
        self._feedback: Feedback = feedback
        self._assigned = assigned
        self._drafts: Remembered[bytes, Written] = Remembered(MOST_DRAFTS)

    def written(self, report: GradeReport) -> Written:
        """The page and the JSON of a report."""
        draft = replace(report, who=_WHO, provenance=replace(report.provenance, submission_sha256=_SHA256))
        page, text = self._drafts.of(pickle.dumps(draft), lambda: self._written(draft))
        sha256 = report.provenance.submission_sha256
        return Written(
            page.replace(escape(handed_in(draft)), escape(handed_in(report))).replace(_SHA256, sha256),
            text.replace(_WHO, escaped_text(report.who)).replace(_SHA256, sha256),
        )

    def _written(self, report: GradeReport) -> Written:
        page = html_report(report, self._course, self._language, self._feedback, assigned=self._assigned)
        return Written(page, json_line(report))
