"""The page and the JSON of one result, made in the process that graded it."""

from __future__ import annotations

import hashlib
import os
import traceback
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from grader.course import load_course
from grader.gradebook.attempts import page_of_attempt
from grader.model import GradeReport, Language
from grader.report.drafts import Drafts
from grader.report.feedback import Feedback
from grader.report.html import Counted, shows, with_override, with_points
from grader.report.json import json_line
from grader.state import write_whole

HEAD = 2000  # characters of a page that tell what it shows
MOST_BYTES = 80  # of a folder's name; file systems take 255
_PLAIN = frozenset("-_.@+ ")


class Finished(NamedTuple):
    """What travels beside a report.

    Attributes:
        text: the report as JSON in one line.
        trouble: why its page could not be written, "" where it was.
        fault: the traceback where it could not be made; a page of ours that fails costs nobody a score.
    """

    text: str
    trouble: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Finish:
    """Writes the page of a report, whole, before the result is committed: no result without its page.

    Attributes:
        several: students of whom several files are graded.
        assigned: the exercises that were set, of which one may come next; None for all of the course.
    """

    course: Path
    reports: Path
    language: Language
    feedback: Feedback = "full"
    several: frozenset[str] = frozenset()
    assigned: frozenset[str] | None = None

    def __call__(self, report: GradeReport) -> Finished:
        try:
            page, text = _drafts(self.course, self.language, self.feedback, self.assigned).written(report)
        except Exception:  # noqa: BLE001 - told in the end; the score is known by now, and counts
            return Finished(json_line(report), fault=traceback.format_exc())
        path = page_of(self.reports, report.who, report.exercise)
        if report.who in self.several:
            path = page_of_attempt(path, report.provenance.submission_sha256)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, page)
        except OSError as error:
            return Finished(text, f"{error.filename or self.reports}: {error.strerror or error}")
        return Finished(text)


@cache
def _drafts(root: Path, language: Language, feedback: Feedback, assigned: frozenset[str] | None) -> Drafts:
    """Those of one course, which is read once in a process: its catalogue of mistakes takes a while."""
    return Drafts(load_course(root), language, feedback, assigned)


def page_of(reports: Path, student: str, exercise: str) -> Path:
    """Where the page of one student and exercise lies."""
    folder = os.fsdecode(folder_name(student).encode())  # in UTF-8 also where the locale knows no such letters
    return reports / folder / f"{exercise}.html"


def is_page(page: Path, language: Language, feedback: Feedback) -> bool:
    """Whether a page is there that shows a student what they are to be shown, in this language."""
    try:
        with page.open(encoding="utf-8") as file:
            return shows(file.read(HEAD), language, feedback)
    except (OSError, UnicodeDecodeError):
        return False


def put_note(page: Path, sentence: str, counted: Counted | None = None) -> None:
    """Show on a page which points count and why, or no longer; nothing is written where it is so.

    Raises:
        OSError: the page cannot be read or written.
    """
    if not page.exists():
        return
    text = page.read_text(encoding="utf-8")
    new = with_override(with_points(text, counted) if counted else text, sentence)
    if new != text:
        write_whole(page, new)


def folder_name(student: str) -> str:
    """A student's id as the name of a folder: the id itself where it can be one, else with a hash so that none meet."""
    plain = "".join(c if c.isalnum() or c in _PLAIN else "_" for c in student).strip(". ")
    cut = plain.encode()[:MOST_BYTES].decode("utf-8", "ignore")
    if cut and cut == student:
        return student
    return f"{cut}-{hashlib.sha256(student.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
