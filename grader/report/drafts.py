"""Pages and JSON of a whole class: what differs in nothing but whose it is, such as all right ones, is written once.

report -> draft, of nobody's file --once--> page and JSON with marks --each time--> whose it is, in their places
"""

from __future__ import annotations

import hashlib
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
_SEED = 10**30 + secrets.randbelow(10**30)  # a number, as every seed, and larger than any


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
        self._drafts: Remembered[Written] = Remembered(MOST_DRAFTS)

    def written(self, report: GradeReport) -> Written:
        """The page and the JSON of a report."""
        own = report.provenance
        draft = replace(report, who=_WHO, provenance=replace(own, submission_sha256=_SHA256, seed=_SEED))
        digest = hashlib.sha256(pickle.dumps(draft)).digest()
        if digest not in self._drafts:
            self._drafts[digest] = self._written(draft)
        page, text = self._drafts[digest]
        page = page.replace(escape(handed_in(draft)), escape(handed_in(report)))
        text = text.replace(_WHO, escaped_text(report.who))
        for mark, meant in ((_SHA256, own.submission_sha256), (str(_SEED), str(own.seed))):
            page, text = page.replace(mark, meant), text.replace(mark, meant)
        return Written(page, text)

    def _written(self, report: GradeReport) -> Written:
        page = html_report(report, self._course, self._language, self._feedback, assigned=self._assigned)
        return Written(page, json_line(report))
